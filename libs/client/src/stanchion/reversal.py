"""A reversal whole: the record that replaces another, and the other with the status that this leaves it with.

Neither half stands alone: a record in force beside the one it replaces would be two answers to one question.
"""

from collections.abc import Sequence

from msgspec import structs

from stanchion.client import Client
from stanchion.errors import Blocked, Refused
from stanchion.results import Link
from stanchion.stale import vocabulary_of
from stanchion.writes import Write
from stanchion_core.vocabulary import STATUS, LinkType, Vocabulary

HALF = "HALF_WRITTEN_REVERSAL"


async def both(client: Client, workspace: str, write: Write, others: Sequence[str]) -> list[Write]:
    """Give a write with the links that replace other records, and the writes that end those.

    Args:
        client: asked for what stands.
        workspace: whose.
        write: of the record that replaces; its own links of that name are kept, else those that the record has.
        others: ids of what it replaces.

    Raises:
        Refused: a record of its kind replaces nothing.
        StanchionError: it was refused, or nobody answers.
    """
    record = None if write.kind else await client.get_record(write.id, workspace=workspace)
    link = replacing(await vocabulary_of(client, workspace), record.kind if record else write.kind)
    before = write.links.get(link.name) or [each for each in (record.links if record else ()) if each.name == link.name]
    return _both(write, link, list(before), list(dict.fromkeys(others)))


def replacing(vocabulary: Vocabulary, kind: str) -> LinkType:
    """Give the link by which a record of a kind replaces another.

    Raises:
        Refused: there is none.
    """
    for link in sorted(vocabulary.links.values(), key=lambda each: each.order):
        if link.supersedes and (not link.from_kinds or kind in link.from_kinds):
            return link
    raise Refused("NOTHING_REPLACES", f"a {kind} replaces nothing: no link of it supersedes another record")


def hinted(error: Blocked, record_id: str, where: str) -> Blocked:
    """Give a refusal with what to type instead, where it is half a reversal that was written."""
    other = error.metadata.get("record_id", "")
    if error.reason == HALF and other not in {"", record_id}:
        error.violations = tuple(each for each in error.violations if each[1] != error.detail)
        error.detail += f"\nNext: stanchion write {record_id} --supersede {other}{where}, with what you gave beside it"
    return error


def _both(write: Write, link: LinkType, before: list[str | Link], others: list[str]) -> list[Write]:
    """Give the writes of a reversal."""
    there = {each if isinstance(each, str) else each.to for each in before}
    links = {**write.links, link.name: [*before, *(each for each in others if each not in there)]}
    ended = [] if link.by_itself else [Write(id=each, fields={STATUS: link.supersedes}) for each in others]
    return [structs.replace(write, links=links), *ended]
