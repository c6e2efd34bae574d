"""What an import could not place: links to nowhere, documents without a status, parts left out, files of no record."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from stanchion.client import Client
from stanchion.names import Names, called
from stanchion.results import Record


class Gaps(Struct, frozen=True, kw_only=True):
    """What of some documents is not in the records they became; names as a person types them, sorted.

    Attributes:
        unresolved: records with links that wait, for their target or for a vocabulary that lets them be.
        links: how many such links there are.
        no_status: records whose text says no status.
        left_out: records with parts that could not be placed.
        no_record: documents that became no record, by uri.
    """

    unresolved: tuple[str, ...] = ()
    links: int = 0
    no_status: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    no_record: tuple[str, ...] = ()


async def ask(client: Client, workspace: str, uris: Iterable[str]) -> Gaps:
    """Ask what is missing of documents.

    Args:
        client: asked.
        workspace: whose.
        uris: of the documents.

    Raises:
        StanchionError: it was refused, or nobody answers.
    """
    return find([record async for record in client.query(workspace=workspace)], frozenset(uris))


def find(records: Sequence[Record], uris: frozenset[str]) -> Gaps:
    """Give what is missing of documents.

    Args:
        records: of the workspace.
        uris: of the documents.
    """
    names = Names(called(records))
    pairs = [(names.of(each.id), each.upstream, each.status) for each in records if each.upstream]
    ours = sorted((name, upstream, status) for name, upstream, status in pairs if upstream.uri in uris)
    return Gaps(
        unresolved=tuple(name for name, upstream, _ in ours if upstream.unresolved),
        links=sum(len(upstream.unresolved) for _, upstream, _ in ours),
        no_status=tuple(name for name, upstream, status in ours if status and not upstream.status),
        left_out=tuple(name for name, upstream, _ in ours if upstream.left_out),
        no_record=tuple(sorted(uris - {upstream.uri for _, upstream, _ in pairs})),
    )
