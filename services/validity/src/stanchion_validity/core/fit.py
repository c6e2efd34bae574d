"""What another vocabulary would break of the records that live: nothing that was written may stop meaning something."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from stanchion_contracts.heads import plain_text
from stanchion_contracts.record import Link
from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import InvalidMessage
from stanchion_core.vocabulary import STATUS, Field, Vocabulary
from stanchion_validity.core.field_value import checked_value
from stanchion_validity.core.held import Held, in_force
from stanchion_validity.core.link import ends_fit
from stanchion_validity.core.workspace import Workspace

_PARTS: Final = 6
"""How many parts of a vocabulary a refusal names."""

_RECORDS: Final = 3
"""How many records it names at each."""


class Misfit(Struct, frozen=True, kw_only=True):
    """One record that would not fit.

    Attributes:
        record_id: which.
        why: what of the vocabulary it would not fit, the same for all records that would not fit it.
    """

    record_id: str
    why: str


def misfits(workspace: Workspace, before: Vocabulary, after: Vocabulary) -> Iterator[Misfit]:
    """Give the live records that fit one vocabulary and would not fit another, each for everything that is in the way.

    Args:
        workspace: as it stands.
        before: its vocabulary.
        after: the one that would take its place.
    """
    fields = {name: _other_fields(before, after, name) for name in after.kinds}
    links = before.links != after.links or any(_binds(before, name) != _binds(after, name) for name in after.kinds)
    for held in workspace.held.values():
        if held.deleted:
            continue
        if held.kind not in after.kinds:
            yield Misfit(record_id=held.id, why=f"kind {held.kind} is gone")
            continue
        yield from _field_misfits(held, fields[held.kind])
        for link in held.links if links else ():
            yield from _link_misfits(workspace, before, after, held, link)


def in_use(found: Iterable[Misfit]) -> Refusal | None:
    """Refuse a vocabulary for the records that would not fit it; None when there are none."""
    by_reason: dict[str, list[str]] = {}
    for misfit in found:
        by_reason.setdefault(misfit.why, []).append(misfit.record_id)
    if not by_reason:
        return None
    told = [f"{why} ({_some(record_ids)})" for why, record_ids in islice(by_reason.items(), _PARTS)]
    more = f"; and {len(by_reason) - _PARTS} things more" if len(by_reason) > _PARTS else ""
    return Refusal(
        reason="VOCABULARY_IN_USE",
        detail=f"live records would no longer fit: {'; '.join(told)}{more}",
        record_id=next(iter(by_reason.values()))[0],
        field="vocabulary",
    )


def _some(record_ids: list[str]) -> str:
    """Name a few records, and say how many more there are."""
    more = f" and {len(record_ids) - _RECORDS} more" if len(record_ids) > _RECORDS else ""
    return f"{', '.join(record_ids[:_RECORDS])}{more}"


def _binds(vocabulary: Vocabulary, kind: str) -> tuple[str, ...]:
    """Give the statuses of a kind that are in force, and the one that a record without any is in."""
    known = vocabulary.kinds.get(kind)
    return () if known is None else (known.initial, *sorted(one.name for one in known.statuses if one.in_force))


def _other_fields(before: Vocabulary, after: Vocabulary, kind: str) -> dict[str, Field | None]:
    """Give the fields of a kind that may not hold what they held: those of another type, of fewer words, or gone."""
    old, new = before.kinds.get(kind), after.kinds[kind]
    found: dict[str, Field | None] = {}
    for field in old.fields.values() if old is not None else ():
        declared = new.fields.get(field.name)
        if declared is None or declared.type != field.type or not set(field.words) <= set(declared.words):
            found[field.name] = declared
    return found


def _field_misfits(held: Held, other: dict[str, Field | None]) -> Iterator[Misfit]:
    """Give the fields of a record that hold what they could not hold any more."""
    for name, field in other.items():
        value = held.fields.get(name, "")
        if value and (field is None or not _holds(field, value)):
            yield Misfit(record_id=held.id, why=_lost(held.kind, name, field, plain_text(value)))


def _holds(field: Field, value: str) -> bool:
    """Tell whether a field could hold a value as it is written down."""
    try:
        return checked_value(field, value) == value
    except InvalidMessage:
        return False


def _lost(kind: str, name: str, field: Field | None, value: str) -> str:
    """Say why a field does not hold a value."""
    if field is None:
        return f"field {name} of {kind} is gone"
    if field.type == "word":
        what = "status" if name == STATUS else f"word of {name}"
        return f"{what} {value:.80} of {kind} is gone"
    return f"field {name} of {kind} would be a {field.type}"


def _link_misfits(
    workspace: Workspace, before: Vocabulary, after: Vocabulary, held: Held, link: Link
) -> Iterator[Misfit]:
    """Give why a link could not stand any more."""
    target = workspace.held.get(link.to)
    if link.name not in after.links:
        yield Misfit(record_id=held.id, why=f"link {link.name} is gone")
    elif target is None or target.deleted or target.kind not in after.kinds:
        return
    elif not ends_fit(after, link.name, held, target) and ends_fit(before, link.name, held, target):
        yield Misfit(record_id=held.id, why=f"link {link.name} would not go from {held.kind} to {target.kind}")
    elif _unsettled(after, held, link, target) and not _unsettled(before, held, link, target):
        yield Misfit(
            record_id=held.id, why=f"link {link.name} would supersede what is still in force, such as {target.id}"
        )


def _unsettled(vocabulary: Vocabulary, held: Held, link: Link, target: Held) -> bool:
    """Tell whether a record in force has a link that supersedes a record in force."""
    supersedes = link.state == "confirmed" and bool(vocabulary.supersedes(link.name))
    return supersedes and in_force(vocabulary, held) and in_force(vocabulary, target)
