"""Trust and calibration over gRPC: how far each name is trusted, and how well confidence met what turned out."""

from bisect import bisect_right
from typing import Final

from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_view import present_beliefs, question
from stanchion_view.core import cursor
from stanchion_view.core.measured import measured
from stanchion_view.reader import Reader

DEFAULT_NAMES: Final = 200
DEFAULT_MEASURED: Final = 100
MOST: Final = 1_000
"""Names on one page, or sources and agents that are measured."""


async def list_trust(reader: Reader, request: pb.ListTrustRequest) -> pb.ListTrustResponse:
    """Give a page of the names that anybody set, resolved or estimated, in their order; or the one that is named.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`, `TOO_LARGE`, `BAD_CURSOR`.
    """
    name = question.name(request.name, "name", needed=False)
    limit = question.limit(request.limit, DEFAULT_NAMES, MOST)
    asked = cursor.question_of("trust", request.workspace, name)
    seen = question.place(request.cursor, asked)
    space = await reader.workspace(request.workspace, request.min_seq, seen.as_of_seq)
    table, as_of = space.trusts, space.last_seq
    names = [name] if name else sorted({*space.trust, *space.outcomes, *space.estimates})
    rest = names[bisect_right(names, seen.after) if seen.after else 0 :]
    ended = cursor.Cursor(after=rest[limit - 1], as_of_seq=as_of, question=asked) if len(rest) > limit else None
    return pb.ListTrustResponse(
        trust=[present_beliefs.trust(each, table, space.estimates) for each in rest[:limit]],
        next_cursor=cursor.encode(ended) if ended is not None else "",
        as_of_seq=as_of,
    )


async def get_calibration(reader: Reader, request: pb.GetCalibrationRequest) -> pb.GetCalibrationResponse:
    """Give how well confidence met what turned out: of all beliefs, and by who and what they rest on.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`.
    """
    limit = question.limit(request.limit, DEFAULT_MEASURED, MOST)
    space = await reader.workspace(request.workspace, request.min_seq)
    claims, as_of = tuple(space.resolved.values()), space.last_seq
    found = await reader.read(measured, claims, limit)
    return pb.GetCalibrationResponse(
        calibrations=map(present_beliefs.calibration, found), resolved=len(claims), as_of_seq=as_of
    )
