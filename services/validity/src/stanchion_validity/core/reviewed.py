"""What came of proposals: how each was closed, and what a no keeps from being proposed again."""

from collections.abc import Callable, Container, Iterable
from typing import Final

from msgspec import Struct, field

from stanchion_contracts.change import Proposal, RecordChange
from stanchion_contracts.heads import plain_text
from stanchion_core.vocabulary import CLAIM, CONDITION, STATUS, Vocabulary
from stanchion_validity.core.held import Key

MOST_CLOSED: Final = 10_000
"""How many closed proposals of a workspace can be told from ones that never were, the latest ones."""


class Closed(Struct, frozen=True, kw_only=True):
    """How a proposal was closed.

    Attributes:
        state: `published`, `rejected`, `in_force` or `overtaken`.
        seq: of the change.
        at_us: when, microseconds since the epoch.
    """

    state: str
    seq: int
    at_us: int


class Reviewed(Struct, kw_only=True):
    """What a workspace remembers of proposals that are closed; the maps change in place.

    Attributes:
        closed: how, by proposal, the latest ones.
        statuses: the status that evidence points to and that somebody rejected, by record; until evidence has pointed
            elsewhere, or what is asked of it was written anew.
        links: the reversals that texts state and that somebody rejected, or edited away, by either end; until the link
            has landed, no text states such a link of its ends any more, or one of them is deleted.
    """

    closed: dict[str, Closed] = field(default_factory=dict)
    statuses: dict[str, str] = field(default_factory=dict)
    links: dict[str, dict[Key, None]] = field(default_factory=dict)


def fold_opened(reviewed: Reviewed, proposal: Proposal) -> None:
    """Fold the opening of a proposal: evidence says what it says anew."""
    if proposal.why == "evidence_disagrees":
        reviewed.statuses.pop(proposal.record_id, None)


def fold_edited(reviewed: Reviewed, vocabulary: Vocabulary, before: Proposal, after: Proposal) -> None:
    """Fold the editing of a proposal: a reversal that a text states and that is not among it any more is a no."""
    if before.why == "import_refused":
        kept = reversals_in(vocabulary, after)
        _keep(reviewed, (key for key in reversals_in(vocabulary, before) if key not in kept))


def fold_closed(reviewed: Reviewed, vocabulary: Vocabulary, proposal: Proposal, closed: Closed) -> None:
    """Fold the closing of a proposal: how, and what is not to be proposed again."""
    reviewed.closed[proposal.id] = closed
    if len(reviewed.closed) > MOST_CLOSED:
        del reviewed.closed[next(iter(reviewed.closed))]
    if proposal.state != "rejected":
        return
    if proposal.why == "evidence_disagrees" and status_in(proposal):
        reviewed.statuses[proposal.record_id] = status_in(proposal)
    elif proposal.why == "import_refused":
        _keep(reviewed, reversals_in(vocabulary, proposal))


def fold_written(reviewed: Reviewed, change: RecordChange, *, deleted: bool) -> None:
    """Forget a rejected status when the record's own status, or what it asks of evidence, was written anew.

    And the rejected reversals that have landed with it, or that its deletion makes moot.
    """
    if change.id in reviewed.links:
        landed = {(change.id, link.name, link.to) for link in change.after.links}
        _forget(reviewed, [key for key in reviewed.links[change.id] if deleted or key in landed])
    if any(item.name in {STATUS, CLAIM, CONDITION} for item in change.after.fields):
        reviewed.statuses.pop(change.id, None)


def forget_unstated(reviewed: Reviewed, record_id: str, names: Callable[[str], Container[str]]) -> None:
    """Forget the rejected reversals about a record that the texts of neither end state any more.

    Args:
        reviewed: changes in place.
        record_id: whose text was read, or of which a proposal was closed.
        names: gives the names of the links that a record's text states, as of now.
    """
    keys = tuple(reviewed.links.get(record_id, ()))
    _forget(reviewed, [key for key in keys if key[1] not in names(key[0]) and key[1] not in names(key[2])])


def status_in(proposal: Proposal) -> str:
    """Give the status that a proposal would set in the record it is about; empty when it would set none."""
    written = (item for write in proposal.batch.writes if write.id == proposal.record_id for item in write.fields)
    return next((plain_text(item.value) for item in written if item.name == STATUS), "")


def reversals_in(vocabulary: Vocabulary, proposal: Proposal) -> tuple[Key, ...]:
    """Give the links in a proposal that supersede."""
    return tuple(
        (write.id, links.name, link.to)
        for write in proposal.batch.writes
        for links in write.links
        if links.name in vocabulary.links and vocabulary.links[links.name].supersedes
        for link in links.links
    )


def _keep(reviewed: Reviewed, links: Iterable[Key]) -> None:
    """Keep reversals that somebody said no to."""
    for key in links:
        for end in (key[0], key[2]):
            reviewed.links.setdefault(end, {})[key] = None


def _forget(reviewed: Reviewed, links: Iterable[Key]) -> None:
    """Let go of reversals that a no does not matter to any more."""
    for key in links:
        for end in {key[0], key[2]}:
            keys = reviewed.links[end]
            del keys[key]
            if not keys:
                del reviewed.links[end]
