"""References that could not land when their texts were read: they do when what they wait for is there."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from stanchion_contracts.claim import Reference
from stanchion_validity.core.change import STANCHION, Author
from stanchion_validity.core.held import Held
from stanchion_validity.core.landing import Landing, land
from stanchion_validity.core.link import may_link
from stanchion_validity.core.opening import room
from stanchion_validity.core.outcome import Outcome
from stanchion_validity.core.place import Places, tokens_of
from stanchion_validity.core.statement import Texts, noted

MOST_SETTLED: Final = 500
"""How many other documents one message settles the references of; the rest are settled at ticks."""


def settle_references(outcome: Outcome, record_ids: Iterable[str]) -> None:
    """Land what texts state of records that have just been written here, and could not land before.

    Args:
        outcome: holding what was written.
        record_ids: of the records written.
    """
    workspace, written = outcome.workspace, tuple(record_ids)
    tokens = tokens_of((), (record_id for record_id in written if _absent(workspace.held.get(record_id))))
    affected = tuple(
        islice(
            dict.fromkeys(doc for token in tokens for doc in workspace.wanted.get(token, ())),
            outcome.most(MOST_SETTLED),
        )
    )
    waits = any(one in workspace.proposals_on or one in workspace.reviewed.links for one in written)
    if affected or waits:
        known = Places(workspace=workspace, written=frozenset(written))
        texts = Texts(before=Places(workspace=workspace), after=known)
        author = Author(person=False, by=STANCHION)
        land(outcome, Landing(texts=texts, affected=affected, written=written, author=author))


def settle_loose_ends(outcome: Outcome) -> None:
    """Land references that are noted as unresolved though nothing is in the way any more.

    A message settles only so many, a vocabulary may have learned a link since the text was read, and a reversal may
    have found no room to wait in.
    """
    workspace = outcome.workspace
    places = Places(workspace=workspace)
    ready = (
        record_id
        for record_id, imported in workspace.imported.items()
        if (loose := _loose(workspace.held.get(record_id)))
        and any(noted(one) in loose and _settles(outcome, places, record_id, one) for one in imported.references)
    )
    affected = tuple(islice(ready, outcome.most(MOST_SETTLED)))
    if affected:
        author = Author(person=False, by=STANCHION)
        land(outcome, Landing(texts=Texts(before=places, after=places), affected=affected, author=author))


def _loose(held: Held | None) -> frozenset[str]:
    """Give the references of a record that are noted as unresolved."""
    if held is None or held.deleted or held.upstream is None:
        return frozenset()
    return frozenset(held.upstream.unresolved)


def _settles(outcome: Outcome, places: Places, record_id: str, reference: Reference) -> bool:
    """Tell whether a document's reference means a record that is there, and the vocabulary lets its link go there.

    A link that supersedes is left while there is hardly room for what it may have to propose.
    """
    held = outcome.workspace.held
    own, other = held.get(record_id), held.get(places.meant(reference) or "")
    if own is None or other is None or other.deleted:
        return False
    start, end = (own, other) if reference.direction == "out" else (other, own)
    link = outcome.vocabulary.links.get(reference.name)
    if link is not None and link.supersedes and room(outcome) < MOST_SETTLED:
        return False
    return may_link(outcome.vocabulary, reference.name, start, end)


def _absent(held: Held | None) -> bool:
    """Tell whether there is no such record, or only its tombstone."""
    return held is None or held.deleted
