"""Beliefs over gRPC: one with every voice, and pages of them, each worked out at the reader's now."""

from collections.abc import Collection, Mapping
from typing import Final, Never

import msgspec
from msgspec import Struct

from stanchion_contracts.claim import Contribution
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_runtime import clock, rpc
from stanchion_view import present, present_beliefs, question
from stanchion_view.core import cursor, listing
from stanchion_view.core.belief import BeliefNow, Tables, believe, tables
from stanchion_view.core.listing import Asked, Listing, Place, place_text
from stanchion_view.core.state import Claim, Held, Workspace
from stanchion_view.reader import Reader
from stanchion_view.store import Store

_NEAR: Final = 20_000  # claims looked through for others of a subject
_ADDED: Final = msgspec.json.Decoder(tuple[Contribution, ...])


class _Page(Struct, frozen=True, kw_only=True):
    """A page that is worked out.

    Attributes:
        listing: what was found.
        shown: of it, what is still what was asked for.
    """

    listing: Listing
    shown: tuple[tuple[Place, Held, BeliefNow], ...]


async def get_belief(reader: Reader, request: pb.GetBeliefRequest) -> pb.GetBeliefResponse:
    """Give one belief as it stands now, with every voice and how far those are trusted who speak.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`, `TOO_LARGE`, `NOT_FOUND`.
    """
    claim = question.claim(request)
    space = await reader.workspace(request.workspace, request.min_seq)
    held, resolved = space.beliefs.get(claim), space.resolved.get(claim)
    moved = held or resolved  # what nobody spoke on may have turned out all the same
    if moved is None:
        _no_belief(request.workspace, claim, space)
    by, as_of, now_us = tables(space), space.last_seq, clock.now_us()

    def work_out() -> BeliefNow:
        """Read what was said, and count it."""
        said = _said(reader.replica.store, request.workspace, (claim,), as_of)
        return believe(claim, said[claim], by, now_us)

    now = await reader.read(work_out)
    shown = present_beliefs.belief(request.workspace, now, moved.seq, resolved.value if resolved is not None else None)
    names = {name for each in now.counted for name in (each.contribution.agent, each.contribution.source) if name}
    shown.trust.extend(present_beliefs.trust(name, by.trust, by.estimates) for name in sorted(names))
    return pb.GetBeliefResponse(belief=shown, as_of_seq=as_of)


async def list_beliefs(reader: Reader, request: pb.ListBeliefsRequest) -> pb.ListBeliefsResponse:
    """Give a page of beliefs. Which ones match goes by the last statement of each, aged to now; what is shown is exact.

    A belief that trust or a policy has changed since it was stated is left out where that makes it another than was
    asked for, though the total counts it until it is stated anew.

    Raises:
        Refused: as `Reader.workspace`; `FIELD_VALUE`, `TOO_LARGE`, `BAD_CURSOR`.
    """
    wanted, limit = question.beliefs(request), question.limit(request.limit)
    digest = question.question_of_beliefs(request.workspace, wanted)
    seen = question.place(request.cursor, digest)
    after = question.belief_place(seen)
    space = await reader.workspace(request.workspace, request.min_seq, seen.as_of_seq)
    as_of, by = space.last_seq, tables(space)
    asked = Asked(wanted=wanted, now_us=clock.now_us(), after=after, limit=limit)
    beliefs, resolved = list(space.beliefs.values()), {claim: kept.value for claim, kept in space.resolved.items()}

    def work_out() -> _Page:
        """Find the page, read what was said on it, and count that."""
        found = listing.listing(beliefs, resolved, asked)
        said = _said(reader.replica.store, request.workspace, [place[1:] for place, _ in found.found], as_of)
        return _Page(listing=found, shown=_worked_out(found, said, by, asked))

    page = await reader.read(work_out)
    shown = present.fitting(
        present_beliefs.belief(request.workspace, now, held.seq, resolved.get(now.claim)) for _, held, now in page.shown
    )
    cut = len(shown) < len(page.shown)
    following = ""
    if cut or page.listing.more:
        last = page.shown[len(shown) - 1] if cut else page.listing.found[-1]
        following = cursor.encode(cursor.Cursor(after=place_text(last[0]), as_of_seq=as_of, question=digest))
    return pb.ListBeliefsResponse(beliefs=shown, next_cursor=following, as_of_seq=as_of, total=page.listing.total)


def _worked_out(
    found: Listing, said: Mapping[Claim, list[Contribution]], by: Tables, asked: Asked
) -> tuple[tuple[Place, Held, BeliefNow], ...]:
    """Work out what was found, and give what is still what was asked for."""
    worked_out = (
        (place, held, believe(place[1:], said[place[1:]], by, asked.now_us, counted=0)) for place, held in found.found
    )
    return tuple(each for each in worked_out if listing.still(each[2], asked.wanted))


def _said(store: Store, workspace: str, claims: Collection[Claim], as_of: int) -> dict[Claim, list[Contribution]]:
    """Read what was said on claims."""
    rows = store.contributions(workspace, claims, as_of) if claims else {}
    return {claim: [each for row in some for each in _ADDED.decode(row)] for claim, some in rows.items()}


def _no_belief(workspace: str, claim: tuple[str, str], space: Workspace) -> Never:
    """Say that nobody spoke of a claim, and of what else of its subject somebody did.

    Raises:
        Refused: `NOT_FOUND`.
    """
    subject, predicate = claim
    known = (
        sorted(other for about, other in space.beliefs if about == subject)[:5] if len(space.beliefs) <= _NEAR else []
    )
    hint = f"; of {subject} there is {', '.join(known)}" if known else ""
    rpc.refuse(
        "NOT_FOUND",
        f"nobody has spoken of {subject}/{predicate} in workspace {workspace} up to seq {space.last_seq}{hint}",
        workspace=workspace,
    )
