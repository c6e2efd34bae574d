"""Rules about links: ends that exist and fit, and reversals that are one change."""

from collections.abc import Iterable

from msgspec import Struct

from stanchion_contracts.record import Link
from stanchion_contracts.refusal import Refusal
from stanchion_core.vocabulary import Vocabulary
from stanchion_validity.core.draft import Draft, Pending
from stanchion_validity.core.held import Held, in_force


class Half(Struct, frozen=True, kw_only=True):
    """A reversal of which one half is missing.

    Attributes:
        link: of the record that supersedes.
        by: the record that supersedes.
        target: the record that is still in force.
        status: what the target's status must become.
    """

    link: Link
    by: str
    target: str
    status: str


def new_links(draft: Draft) -> tuple[Link, ...]:
    """Give the links that a draft adds: those whose name and other end its record did not have."""
    had = {(link.name, link.to) for link in draft.before.links} if draft.before else set()
    return tuple(link for link in draft.after.links if (link.name, link.to) not in had)


def link_refusal(vocabulary: Vocabulary, pending: Pending, record: Held, link: Link) -> Refusal | None:
    """Check both ends of a link that a record would carry; None when they are fine."""
    declared = vocabulary.links[link.name]
    target = pending.record(link.to)
    reason, detail = "", ""
    if target is None or target.deleted:
        gone = "does not exist" if target is None else "is deleted"
        reason, detail = "LINK_TARGET_MISSING", f"{record.id} {link.name} {link.to}: {link.to} {gone}"
    elif link.to == record.id:
        reason, detail = "LINK_SELF", f"{record.id} cannot have a link {link.name} to itself"
    elif not ends_fit(vocabulary, link.name, record, target):
        ends = f"{' or '.join(declared.from_kinds) or 'any'} to {' or '.join(declared.to_kinds) or 'any'}"
        reason, detail = "LINK_END_KIND", f"{link.name} goes from {ends}, not from {record.kind} to {target.kind}"
    if not reason:
        return None
    return Refusal(reason=reason, detail=detail, record_id=record.id, field=f"{link.name} {link.to}")


def may_link(vocabulary: Vocabulary, name: str, start: Held, end: Held) -> bool:
    """Tell whether the vocabulary has a link, and lets it go from one record to another."""
    return name in vocabulary.links and ends_fit(vocabulary, name, start, end)


def ends_fit(vocabulary: Vocabulary, name: str, start: Held, end: Held) -> bool:
    """Tell whether a declared link may go from one record to another, by their kinds."""
    declared = vocabulary.links[name]
    return _fits(declared.from_kinds, start.kind) and _fits(declared.to_kinds, end.kind)


def halves(vocabulary: Vocabulary, pending: Pending) -> tuple[Half, ...]:
    """Find the reversals that the drafts would leave half written, in the order of the drafts.

    A record in force that supersedes another leaves that one out of force, whichever of the two was written last.
    """
    found: dict[tuple[str, str, str], Half] = {}
    for record_id in pending.touched():
        record = pending.record(record_id)
        if record is None or not in_force(vocabulary, record):
            continue
        came_back = not in_force(vocabulary, pending.workspace.held.get(record_id))
        incoming = pending.workspace.heads.linked_from.get(record_id, ()) if came_back else ()
        for other in (record_id, *incoming):
            for half in _halves_of(vocabulary, pending, pending.record(other)):
                if record_id in {half.by, half.target}:
                    found.setdefault((half.by, half.link.name, half.target), half)
    return tuple(found.values())


def half_refusal(half: Half) -> Refusal:
    """Refuse a reversal of which one half is missing, and name the missing write."""
    return Refusal(
        reason="HALF_WRITTEN_REVERSAL",
        detail=(
            f"{half.by} {half.link.name} {half.target}, which is still in force; "
            f"the same batch must write {half.target} with status {half.status}"
        ),
        record_id=half.target,
        field="status",
    )


def superseded_by_links(
    vocabulary: Vocabulary, pending: Pending, drafts: Iterable[Draft]
) -> tuple[tuple[Held, str], ...]:
    """Give the records that links supersede by themselves, and the status they take.

    What is written now goes first; then a record that comes back into force is superseded again by what still does so.
    """
    found: dict[str, tuple[Held, str]] = {}
    for draft in drafts:
        _supersede(vocabulary, pending, draft.after, found)
    for draft in drafts:
        if not in_force(vocabulary, pending.workspace.held.get(draft.id)):
            for other in pending.workspace.heads.linked_from.get(draft.id, ()):
                record = pending.record(other)
                if record is not None and other not in found:
                    _supersede(vocabulary, pending, record, found)
    return tuple(found.values())


def _supersede(vocabulary: Vocabulary, pending: Pending, record: Held, found: dict[str, tuple[Held, str]]) -> None:
    """Find what the links of a record in force supersede by themselves."""
    for link in record.links if in_force(vocabulary, record) else ():
        declared = vocabulary.links[link.name]
        target = pending.record(link.to)
        if declared.by_itself and link.state == "confirmed" and target is not None and in_force(vocabulary, target):
            found[link.to] = (target, declared.supersedes)


def _halves_of(vocabulary: Vocabulary, pending: Pending, record: Held | None) -> Iterable[Half]:
    """Give what a record in force supersedes that is in force, too, or that this very decision took out otherwise."""
    if record is None or not in_force(vocabulary, record):
        return
    for link in record.links:
        declared = vocabulary.links[link.name]
        if not declared.supersedes or declared.by_itself or link.state != "confirmed":
            continue
        target, stood = pending.record(link.to), pending.workspace.held.get(link.to)
        sidestepped = (
            in_force(vocabulary, stood)
            and target is not None
            and not target.deleted
            and target.status != declared.supersedes
        )
        if in_force(vocabulary, target) or sidestepped:
            yield Half(link=link, by=record.id, target=link.to, status=declared.supersedes)


def _fits(kinds: tuple[str, ...], kind: str) -> bool:
    """Tell whether a kind is among those a link may have at an end."""
    return not kinds or kind in kinds
