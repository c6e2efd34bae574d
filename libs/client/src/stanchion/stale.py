"""What no longer stands: records in force whose grounds have moved, or that rest on what is not in force.

What is not in force and never was since a record came has not moved, so nobody is told to review the record; it stands
on nothing all the same, until a person affirms it as it is.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from stanchion.causes import Cause, Ground, causes, grounds, in_force, not_in_force
from stanchion.client import Client, Criteria
from stanchion.errors import NotFound
from stanchion.names import Names, called
from stanchion.results import Record
from stanchion.vocabularies import vocabulary_in
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary import Vocabulary

_AT_ONCE = 16


class Count(Struct, frozen=True, kw_only=True):
    """How many records of a kind are in force, and how many of those no longer stand, each counted once."""

    kind: str
    in_force: int
    fallen: int


class Look(Struct, frozen=True, kw_only=True, rename={"as_": "as"}):
    """Who should look at a record.

    Attributes:
        who: as the record has it, or kind and id of whoever acted.
        as_: why them: `owner`, `decided_by`, `affirmed_by`, `confirmed_by` or `written_by`; `nobody` where nobody is
            known.
    """

    who: str = ""
    as_: str = "nobody"


class Fallen(Struct, frozen=True, kw_only=True):
    """A record in force whose grounds have moved.

    Attributes:
        name: the short name a person types.
        look: who should look at it.
        since_seq: when the first of its grounds moved.
        causes: oldest first.
        grounds: those not in force that no cause names.
    """

    id: str
    name: str
    kind: str
    label: str
    look: Look = Look()
    since_seq: int
    causes: tuple[Cause, ...]
    grounds: tuple[Ground, ...] = ()


class Resting(Struct, frozen=True, kw_only=True):
    """A record in force whose grounds have not moved since it came, but that rests on what is not in force.

    Attributes:
        name: the short name a person types.
        look: who should look at it.
        grounds: those that are not in force.
        affirmed: a person has affirmed the record as it was last written, so it counts as standing.
    """

    id: str
    name: str
    kind: str
    label: str
    look: Look = Look()
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
        only: what else was asked for, as `owner person:maya`.
        matched: how many records were asked about, in force or not.
        counts: by kind, in the order asked.
        fallen: needs review, by name.
        resting: rests on what is not in force, by name; those that a person has affirmed are among them.
        incomplete: in force and standing, but not all of its grounds could be checked.
        past: superseded and withdrawn, by name.
    """

    workspace: str
    checked_through: int
    matched: int = 0
    counts: tuple[Count, ...]
    only: tuple[str, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    resting: tuple[Resting, ...] = ()
    incomplete: tuple[Past, ...] = ()
    past: tuple[Past, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything no longer stands."""
        return any(count.fallen for count in self.counts)


class Asked(Struct, frozen=True, kw_only=True):
    """About which records one asks.

    Attributes:
        workspace: whose.
        vocabulary: of the workspace: which statuses are in force, what is rested on.
        kinds: of these; empty for all that can rest on something.
        area: with this area; empty for any.
        owner: with this owner; empty for any.
        room: in this room; empty for any.
    """

    workspace: str
    vocabulary: Vocabulary = msgspec.field(default_factory=base_vocabulary)
    kinds: tuple[str, ...] = ()
    area: str = ""
    owner: str = ""
    room: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        """The kinds asked about."""
        return self.kinds or resting_kinds(self.vocabulary)

    @property
    def only(self) -> tuple[str, ...]:
        """What else is asked for, in words."""
        said = (("area", self.area), ("owner", self.owner), ("room", self.room))
        return tuple(f"{name} {value}" for name, value in said if value)


async def assess(client: Client, workspace: str, asked: Asked | None = None) -> Stale:
    """Ask what no longer stands.

    Args:
        client: asked.
        workspace: whose.
        asked: about which records; None for all, by the workspace's own vocabulary.

    Raises:
        StanchionError: it was refused, or nobody answers.
    """
    asked = asked or Asked(workspace=workspace, vocabulary=await vocabulary_of(client, workspace))
    fields = {name: value for name, value in (("area", asked.area), ("owner", asked.owner)) if value}
    criteria: Criteria = {"workspace": workspace, "kinds": asked.about, "fields": fields, "room": asked.room}
    records = [record async for record in client.query(**criteria)]
    there = {record.id for record in records}
    standing = [record for record in records if in_force(record, asked.vocabulary)]
    on_the_way = {
        step.record_id
        for record in records
        if record.validity
        for each in record.validity.reasons
        for step in each.path
    } | {ground.record_id for record in standing for ground in not_in_force(record)}
    others = await fetch(client, workspace, sorted(on_the_way - there))
    through = min((record.as_of_seq for record in records), default=0)
    if not records:
        through = (await client.query_page(workspace=workspace, limit=1)).as_of_seq
    return judge(asked, through, records, others)


async def vocabulary_of(client: Client, workspace: str) -> Vocabulary:
    """Give what may be written in a workspace: which statuses are in force, and which links are rested on.

    Raises:
        Refused: this version cannot read it.
        StanchionError: it was refused, or nobody answers.
    """
    return vocabulary_in(await client.workspace(workspace=workspace))


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


def judge(asked: Asked, through: int, records: Sequence[Record], others: Iterable[Record]) -> Stale:
    """Sort records into what stands, what no longer stands, and what is past.

    Args:
        asked: about which records.
        through: the seq up to which everything was checked.
        records: all of those asked about.
        others: further records on the way to what moved.
    """
    known = {record.id: record for record in (*others, *records)}
    names = Names(called(known.values()))
    vocabulary = asked.vocabulary
    in_order = sorted(records, key=lambda record: names.of(record.id))
    standing = [record for record in in_order if in_force(record, vocabulary)]
    fallen = [record for record in standing if record.needs_review]
    resting = [record for record in standing if not record.needs_review and not_in_force(record)]
    counted = [*fallen, *(record for record in resting if not record.affirmed)]
    past = {link.supersedes for link in vocabulary.links.values()} | {_WITHDRAWN}
    return Stale(
        workspace=asked.workspace,
        checked_through=through,
        matched=len(records),
        only=asked.only,
        counts=tuple(
            Count(
                kind=kind,
                in_force=sum(record.kind == kind for record in standing),
                fallen=sum(record.kind == kind for record in counted),
            )
            for kind in asked.about
        ),
        fallen=tuple(_fallen(record, known, names, vocabulary) for record in fallen),
        resting=tuple(_resting(record, known, names, vocabulary) for record in resting),
        incomplete=tuple(
            _past(record, names)
            for record in standing
            if record.validity and record.validity.state == _INCOMPLETE and not not_in_force(record)
        ),
        past=tuple(
            _past(record, names)
            for record in in_order
            if not record.deleted and record.status in past and not in_force(record, vocabulary)
        ),
    )


_INCOMPLETE = "monitoring_incomplete"
_ENDS = frozenset({("field", "status"), ("deleted", "")})
_WITHDRAWN = "withdrawn"


def resting_kinds(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Give the kinds that can rest on something; all of them where none can."""
    carriers = [link.from_kinds for link in vocabulary.links.values() if link.rests]
    resting = [kind for kind in vocabulary.kinds if any(not kinds or kind in kinds for kinds in carriers)]
    return tuple(resting or vocabulary.kinds)


def look(record: Record) -> Look:
    """Give who should look at a record: its owner, else who is nearest to it."""
    for name in ("owner", "decided_by"):
        if value := record.fields.get(name):
            return Look(who=str(value), as_=name)
    for by, as_ in (
        (record.last_affirmed and record.last_affirmed.by, "affirmed_by"),
        (record.last_confirmed and record.last_confirmed.by, "confirmed_by"),
        (record.written_by, "written_by"),
    ):
        if by:
            return Look(who=f"{by.kind}:{by.id}", as_=as_)
    return Look(who="", as_="nobody")


def _fallen(record: Record, known: Mapping[str, Record], names: Names, vocabulary: Vocabulary) -> Fallen:
    """Give one record that no longer stands."""
    why, told = causes(record, known, names), _told(record)
    return Fallen(
        id=record.id,
        name=names.of(record.id),
        kind=record.kind,
        label=record.label,
        look=look(record),
        since_seq=min((cause.seq for cause in why), default=0),
        causes=why,
        grounds=tuple(each for each in grounds(record, known, names, vocabulary) if each.record_id not in told),
    )


def _told(record: Record) -> set[str]:
    """Give the grounds of which a reason says already that they are no longer in force."""
    return {
        reason.record_id
        for reason in (record.validity.reasons if record.validity else ())
        if len(reason.path) == 1 and reason.change and (reason.change.kind, reason.change.name) in _ENDS
    }


def _resting(record: Record, known: Mapping[str, Record], names: Names, vocabulary: Vocabulary) -> Resting:
    """Give one record that rests on what is not in force."""
    return Resting(
        id=record.id,
        name=names.of(record.id),
        kind=record.kind,
        label=record.label,
        grounds=grounds(record, known, names, vocabulary),
        look=look(record),
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
