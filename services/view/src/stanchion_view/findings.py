"""Findings over gRPC: what the looks over all beliefs found that still holds."""

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_core.claim_key import claim_key
from stanchion_view import present, present_beliefs, question
from stanchion_view.core import cursor
from stanchion_view.core.finding import Wanted, latest
from stanchion_view.reader import Reader


async def list_findings(reader: Reader, request: pb.ListFindingsRequest) -> pb.ListFindingsResponse:
    """Give a page of findings, latest first.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`, `TOO_LARGE`, `BAD_CURSOR`.
    """
    kinds, limit = question.finding_kinds(request.kinds), question.limit(request.limit)
    subject = question.name(request.subject, "subject", needed=False)
    predicate = claim_key(question.name(request.predicate, "predicate", needed=False))
    asked = cursor.question_of("findings", request.workspace, sorted(kinds), subject, predicate)
    seen = question.place(request.cursor, asked)
    wanted = Wanted(
        kinds=kinds,
        subjects=frozenset({subject, claim_key(subject)}) if subject else frozenset(),  # a source's name is as written
        predicate=predicate,
        before=question.after_seq(seen),
    )
    space = await reader.workspace(request.workspace, request.min_seq, seen.as_of_seq)
    noted, as_of = tuple(space.findings.values()), space.last_seq
    found = await reader.read(latest, noted, wanted, limit + 1)
    shown = present.fitting(map(present_beliefs.finding, found[:limit]))
    more = len(found) > len(shown)
    ended = cursor.Cursor(after=str(shown[-1].seq), as_of_seq=as_of, question=asked) if more else None
    return pb.ListFindingsResponse(
        findings=shown, next_cursor=cursor.encode(ended) if ended is not None else "", as_of_seq=as_of
    )
