"""What no longer stands: records in force whose grounds have moved, or that rest on what is not in force.

What is not in force and never was since a record came has not moved, so nobody is told to review the record; it stands
on nothing all the same, until a person affirms it as it is.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from stanchion.client import Client
from stanchion.errors import NotFound
from stanchion.names import Names, called
from stanchion.results import GroundNotInForce, Link, Moved, Reason, Record

KINDS = ("decision", "rule")
"""What `stale` asks about unless told otherwise."""

_AT_ONCE = 16


class Count(Struct, frozen=True, kw_only=True):
    """How many records of a kind are in force, and how many of those no longer stand, each counted once."""

    kind: str
    in_force: int
    fallen: int


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


class Fallen(Struct, frozen=True, kw_only=True):
    """A record in force whose grounds have moved.

    Attributes:
        name: the short name a person types.
        since_seq: when the first of its grounds moved.
        causes: oldest first.
        grounds: those not in force that no cause names.
    """

    id: str
    name: str
    kind: str
    label: str
    since_seq: int
    causes: tuple[Cause, ...]
    grounds: tuple[Ground, ...] = ()


class Resting(Struct, frozen=True, kw_only=True):
    """A record in force whose grounds have not moved since it came, but that rests on what is not in force.

    Attributes:
        name: the short name a person types.
        grounds: those that are not in force.
        affirmed: a person has affirmed the record as it was last written, so it counts as standing.
    """

    id: str
    name: str
    kind: str
    label: str
    grounds: tuple[Ground, ...]
    affirmed: bool = False


class Past(Struct, frozen=True, kw_only=True):
    """A record that is no longer in force, and by what it was superseded."""

    id: str
    name: str
    kind: str
    label: str
    status: str
    superseded_by: tuple[str, ...] = ()


class Stale(Struct, frozen=True, kw_only=True):
    """The answer to: what no longer stands?

    Attributes:
        workspace: whose.
        checked_through: the seq up to which everything was checked.
        counts: by kind, in the order asked.
        fallen: needs review, by name.
        resting: rests on what is not in force, by name; those that a person has affirmed are among them.
        incomplete: in force and standing, but not all of its grounds could be checked.
        past: superseded and withdrawn, by name.
    """

    workspace: str
    checked_through: int
    counts: tuple[Count, ...]
    fallen: tuple[Fallen, ...] = ()
    resting: tuple[Resting, ...] = ()
    incomplete: tuple[Past, ...] = ()
    past: tuple[Past, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything no longer stands."""
        return any(count.fallen for count in self.counts)


async def assess(client: Client, workspace: str, kinds: Sequence[str] = KINDS) -> Stale:
    """Ask what no longer stands.

    Raises:
        StanchionError: it was refused, or nobody answers.
    """
    records = [record async for record in client.query(workspace=workspace, kinds=kinds)]
    asked = {record.id for record in records}
    on_the_way = {
        step.record_id
        for record in records
        if record.validity
        for each in record.validity.reasons
        for step in each.path
    } | {ground.record_id for record in records if in_force(record) for ground in _not_in_force(record)}
    others = await fetch(client, workspace, sorted(on_the_way - asked))
    through = min((record.as_of_seq for record in records), default=0)
    if not records:
        through = (await client.query_page(workspace=workspace, kinds=kinds, limit=1)).as_of_seq
    return judge(workspace, through, records, others, kinds)


async def fetch(client: Client, workspace: str, ids: Iterable[str]) -> list[Record]:
    """Give the records of these ids that are there, a few at a time.

    Raises:
        StanchionError: nobody answers.
    """
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(record_id: str) -> Record | None:
        async with room:
            try:
                return await client.get_record(record_id, workspace=workspace)
            except NotFound:
                return None

    found = await asyncio.gather(*(one(each) for each in ids))
    return [record for record in found if record is not None]


def judge(
    workspace: str, through: int, records: Sequence[Record], others: Iterable[Record], kinds: Sequence[str] = KINDS
) -> Stale:
    """Sort records into what stands, what no longer stands, and what is past.

    Args:
        workspace: whose.
        through: the seq up to which everything was checked.
        records: all of the kinds asked about.
        others: further records on the way to what moved.
        kinds: asked about.
    """
    known = {record.id: record for record in (*others, *records)}
    names = Names(called(known.values()))
    standing = sorted((record for record in records if in_force(record)), key=lambda record: names.of(record.id))
    fallen = [record for record in standing if record.needs_review]
    resting = [record for record in standing if not record.needs_review and _not_in_force(record)]
    counted = [*fallen, *(record for record in resting if not record.affirmed)]
    return Stale(
        workspace=workspace,
        checked_through=through,
        counts=tuple(
            Count(
                kind=kind,
                in_force=sum(record.kind == kind for record in standing),
                fallen=sum(record.kind == kind for record in counted),
            )
            for kind in kinds
        ),
        fallen=tuple(_fallen(record, known, names) for record in fallen),
        resting=tuple(_resting(record, known, names) for record in resting),
        incomplete=tuple(
            _past(record, names)
            for record in standing
            if record.validity and record.validity.state == _INCOMPLETE and not _not_in_force(record)
        ),
        past=tuple(
            _past(record, names)
            for record in sorted(records, key=lambda record: names.of(record.id))
            if not record.deleted and record.status in _PAST
        ),
    )


RESTS = frozenset({"based_on", "exception_to", "assumes", "depends_on", "refines"})
"""Links of the base vocabulary that a record rests on."""

_INCOMPLETE = "monitoring_incomplete"
_ENDS = frozenset({("field", "status"), ("deleted", "")})
_IN_FORCE = frozenset({"active", "open", "supported", "standing", "accepted"})
_PAST = frozenset({"superseded", "withdrawn"})


def in_force(record: Record) -> bool:
    """Tell whether a record says that it holds."""
    return not record.deleted and record.status in _IN_FORCE


def grounds(record: Record, known: Mapping[str, Record], names: Names) -> tuple[Ground, ...]:
    """Give what a record rests on that is not in force, in the order in which it names it."""
    links = {link.to: link.name for link in sorted(record.links, key=_rests) if link.state == "confirmed"}
    return tuple(
        Ground(
            link=words(links.get(each.record_id, "cites")),
            record_id=each.record_id,
            name=names.of(each.record_id),
            label=known[each.record_id].label if each.record_id in known else "",
            status=each.status,
        )
        for each in _not_in_force(record)
    )


def _rests(link: Link) -> bool:
    """Tell whether a record rests on what the link leads to."""
    return link.name in RESTS


def _not_in_force(record: Record) -> tuple[GroundNotInForce, ...]:
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


def _fallen(record: Record, known: Mapping[str, Record], names: Names) -> Fallen:
    """Give one record that no longer stands."""
    why = causes(record, known, names)
    return Fallen(
        id=record.id,
        name=names.of(record.id),
        kind=record.kind,
        label=record.label,
        since_seq=min((cause.seq for cause in why), default=0),
        causes=why,
        grounds=tuple(each for each in grounds(record, known, names) if each.record_id not in _told(record)),
    )


def _told(record: Record) -> set[str]:
    """Give the grounds of which a reason says already that they are no longer in force."""
    return {
        reason.record_id
        for reason in (record.validity.reasons if record.validity else ())
        if len(reason.path) == 1 and reason.change and (reason.change.kind, reason.change.name) in _ENDS
    }


def _resting(record: Record, known: Mapping[str, Record], names: Names) -> Resting:
    """Give one record that rests on what is not in force."""
    return Resting(
        id=record.id,
        name=names.of(record.id),
        kind=record.kind,
        label=record.label,
        grounds=grounds(record, known, names),
        affirmed=record.affirmed,
    )


def _past(record: Record, names: Names) -> Past:
    """Give one record that is listed apart."""
    return Past(
        id=record.id,
        name=names.of(record.id),
        kind=record.kind,
        label=record.label,
        status=record.status,
        superseded_by=tuple(names.of(each) for each in record.superseded_by),
    )


def _hop(link: str, record_id: str, known: Mapping[str, Record], names: Names) -> Hop:
    """Give one step with what a person needs to know of its record."""
    record = known.get(record_id)
    return Hop(link=words(link), record_id=record_id, name=names.of(record_id), label=record.label if record else "")
