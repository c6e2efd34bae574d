"""The proposal that somebody names, by its id or the beginning of it."""

from stanchion.client import Client
from stanchion.errors import NotFound, Refused
from stanchion.proposals import Proposal
from stanchion.show import review as show_review


async def find(client: Client, workspace: str, typed: str) -> tuple[Proposal, str]:
    """Give the proposal that was named, and its id as a person types it; open ones go before those that are closed.

    Raises:
        NotFound: there is none.
        Refused: there are several.
    """
    for closed in (False, True):
        ids = [each.id async for each in client.proposals(include_closed=closed, workspace=workspace)]
        found = show_review.named(typed, ids)
        if len(found) > 1:
            short = show_review.short_ids(ids)
            raise Refused(
                "AMBIGUOUS", f"{typed} may mean {', '.join(short[each] for each in found[:5])}: type more of it"
            )
        if found:
            return await client.proposal(found[0], workspace=workspace), show_review.short_ids(ids)[found[0]]
    detail = f"there is no proposal {typed} in workspace {workspace}: `stanchion review` lists what waits"
    raise NotFound("NOT_FOUND", detail)
