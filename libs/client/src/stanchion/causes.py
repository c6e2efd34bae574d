"""Why a record no longer stands: what moved and by which way, what it rests on, and what of that is not in force."""

from collections.abc import Mapping

from msgspec import Struct

from stanchion.names import Names
from stanchion.results import GroundNotInForce, Moved, Reason, Record
from stanchion_core.vocabulary import Vocabulary


class Hop(Struct, frozen=True, kw_only=True):
    """One step from a record towards what moved: the link, and the record it leads to by the name a person types."""

    link: str
    record_id: str
    name: str
    label: str


class Cause(Struct, frozen=True, kw_only=True):
    """Why a record no longer stands.

    Attributes:
        way: from the record to what moved; empty when its own citation is at risk.
        happened: what moved, in words.
        seq: when.
    """

    way: tuple[Hop, ...]
    happened: str
    seq: int


class Ground(Struct, frozen=True, kw_only=True):
    """What a record rests on that is not in force: the link to it, and its status (or `deleted`)."""

    link: str
    record_id: str
    name: str
    label: str
    status: str


def in_force(record: Record, vocabulary: Vocabulary) -> bool:
    """Tell whether a record says that it holds."""
    return not record.deleted and vocabulary.in_force(record.kind, record.status)


def grounds(record: Record, known: Mapping[str, Record], names: Names, vocabulary: Vocabulary) -> tuple[Ground, ...]:
    """Give what a record rests on that is not in force, in the order in which it names it."""
    confirmed = [link for link in record.links if link.state == "confirmed"]
    links = {link.to: link.name for link in sorted(confirmed, key=lambda link: vocabulary.rests(link.name))}
    return tuple(
        Ground(
            link=words(links.get(each.record_id, "cites")),
            record_id=each.record_id,
            name=names.of(each.record_id),
            label=known[each.record_id].label if each.record_id in known else "",
            status=each.status,
        )
        for each in not_in_force(record)
    )


def not_in_force(record: Record) -> tuple[GroundNotInForce, ...]:
    """Give what the view says of a record's own grounds."""
    return record.validity.grounds_not_in_force if record.validity else ()


def causes(record: Record, known: Mapping[str, Record], names: Names) -> tuple[Cause, ...]:
    """Give why a record needs review, oldest first."""
    reasons = record.validity.reasons if record.validity else ()
    return tuple(
        Cause(
            way=tuple(_hop(step.link, step.record_id, known, names) for step in reason.path),
            happened=happened(reason, known, names),
            seq=reason.seq,
        )
        for reason in reasons
    )


def happened(reason: Reason, known: Mapping[str, Record], names: Names) -> str:
    """Say in words what moved."""
    change = reason.change or Moved(kind="moved")
    if reason.kind == "support_at_risk":
        return f"quote no longer in {change.name}" if change.name else "quote no longer there"
    if change.kind != "field":
        named, unnamed = _HAPPENED.get(change.kind, ("", change.kind))
        return named.format(words(change.name) if change.kind == "link" else change.name) if change.name else unnamed
    if change.name != "status":
        return f"{change.name} changed to {change.to}" if change.to else f"{change.name} changed"
    moved = known.get(reason.record_id)
    by = ", ".join(names.of(each) for each in moved.superseded_by) if moved else ""
    return f"superseded by {by}" if change.to == "superseded" and by else change.to or "status cleared"


_HAPPENED = {
    "body": ("text changed", "text changed"),
    "citation": ("citation of {} changed", "citations changed"),
    "link": ("link {} changed", "links changed"),
    "pin": ("new version of {}", "new version of a cited document"),
    "deleted": ("deleted", "deleted"),
}
"""What moved, in words: with its name, and without."""


def words(link: str) -> str:
    """Give a link's name as words."""
    return link.replace("_", " ")


def _hop(link: str, record_id: str, known: Mapping[str, Record], names: Names) -> Hop:
    """Give one step with what a person needs to know of its record."""
    record = known.get(record_id)
    return Hop(link=words(link), record_id=record_id, name=names.of(record_id), label=record.label if record else "")
