"""What the naive implementation of the records page keeps: the page's tables, typed in again, versions and events."""

import json
from typing import Final, Literal

import msgspec
from msgspec import Struct

from stanchion_contracts.command import QuoteSeen, Write
from stanchion_contracts.meta import Actor
from stanchion_contracts.record import Citation, FieldValue, Link


class Kind(Struct, frozen=True):
    """A row of the page's table of kinds; a record begins with the first status unless told."""

    statuses: tuple[str, ...] = ()
    in_force: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


KINDS: Final = {
    "decision": Kind(
        ("active", "superseded", "withdrawn", "draft", "rejected", "archived"),
        ("active",),
        ("superseded", "withdrawn", "rejected", "archived"),
    ),
    "rule": Kind(("active", "superseded", "withdrawn"), ("active",), ("superseded", "withdrawn")),
    "hypothesis": Kind(("open", "supported", "refuted", "abandoned"), ("open", "supported"), ("refuted", "abandoned")),
    "intent": Kind(("standing", "dropped"), ("standing",)),
    "document": Kind(),
    "statement": Kind(("accepted", "superseded"), ("accepted",)),
}

_DECIDED: Final = ("decision", "rule")
_ANY: Final = tuple(KINDS)
LINKS: Final = {
    "based_on": (("rule",), ("decision",)),
    "exception_to": (("rule",), ("rule",)),
    "assumes": (_DECIDED, ("hypothesis",)),
    "replaces": (_DECIDED, _DECIDED),
    "depends_on": (("decision",), ("decision",)),
    "refines": (("decision",), ("decision",)),
    "amends": (_DECIDED, _DECIDED),
    "conflicts_with": (_DECIDED, _DECIDED),
    "supersedes_statement": (("statement",), ("statement",)),
    "is_a": (_ANY, _ANY),
    "relates_to": (_ANY, _ANY),
}
"""The table of links: name, from, to; in the order that breaks ties."""
RESTS: Final = ("based_on", "exception_to", "assumes", "depends_on", "refines")
STANCHION: Final = Actor(kind="system", id="stanchion")
SUPERSEDED: Final = FieldValue(name="status", value='"superseded"')


class Content(Struct, frozen=True, kw_only=True):
    """What a record says."""

    kind: str
    label: str = ""
    body: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()
    tags: tuple[str, ...] = ()
    deleted: bool = False

    @property
    def status(self) -> str:
        """The word for it, empty for a kind without."""
        return dict(self.fields).get("status", "").strip('"')

    @property
    def in_force(self) -> bool:
        """Whether it holds, as far as its status says."""
        return not self.deleted and self.status in KINDS.get(self.kind, Kind()).in_force

    def linked(self, *names: str) -> list[tuple[str, str]]:
        """Its confirmed links of these names, as (name, id), by name and then in the order of the list."""
        return [(name, link.to) for name in names for link in self.links if link.name == name and counts(link)]

    def part(self, name: str) -> object:
        """One thing it says: `label`, `field:owner`, `link:based_on` …."""
        what, _, which = name.partition(":")
        if what == "field":
            return dict(self.fields).get(which, "")
        if what == "link":
            return [link for link in self.links if link.name == which]
        return getattr(self, what)


class Version(Struct, frozen=True, kw_only=True):
    """One version of a record, with whoever wrote it.

    Attributes:
        seq: when.
        time_us: when.
        actor: whose write it counts as.
        content: what it says.
        evidence: the citations it carries.
        resting: the citations that validity rests on: the last explicit list.
        explicit: this version was written with an evidence key.
        how: as a person's confirmation of it is told.
    """

    seq: int
    time_us: int
    actor: Actor
    content: Content
    evidence: tuple[Citation, ...]
    resting: tuple[Citation, ...]
    explicit: bool
    how: Literal["created", "approved"] = "created"


class Affirmed(Struct, frozen=True):
    """A person said that a record still holds."""

    seq: int
    actor: Actor
    record_id: str


class Reported(Struct, frozen=True):
    """Somebody re-read a source that is cited."""

    seq: int
    time_us: int
    uri: str
    token: str
    quotes: tuple[QuoteSeen, ...]


class Believed(Struct, frozen=True):
    """What is held of the one claim there is: evidence for and against, none of it aged yet."""

    time_us: int
    true: float
    false: float
    undecayed: float
    half_life_s: int

    def aged(self, now_us: int) -> tuple[float, float]:
        """Evidence for and against, as old as it is now."""
        factor = 2.0 ** (-max(0, now_us - self.time_us) / (self.half_life_s * 1e6)) if self.half_life_s else 1.0
        return self.true * factor, self.false * factor


class Waiting(Struct, frozen=True):
    """An open proposal: what it would write, the versions it was made against, and who asked for it."""

    writes: tuple[Write, ...]
    base: tuple[tuple[str, int], ...]
    by: Actor


class Outcome(Struct, frozen=True):
    """What became of a command: what it may be refused for, or that it waits in Review."""

    refused: frozenset[str] = frozenset()
    proposed: bool = False


def counts(link: Link) -> bool:
    """Whether a link rests, binds or is walked at all."""
    return link.state == "confirmed"


def _plain(value: str) -> str:
    """A field's JSON as it is kept: sorted keys, no spaces."""
    return json.dumps(json.loads(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False) if value else ""


def merged(before: Content | None, write: Write) -> Content:
    """What a record says after a write: what is present replaces, null clears, absent stays."""
    if write.delete:
        return msgspec.structs.replace(before or Content(kind=""), deleted=True)
    if before is None or before.deleted:
        before = Content(kind=write.kind)
    fields = dict(before.fields) | {field.name: _plain(field.value) for field in write.fields}
    statuses = KINDS[before.kind].statuses if before.kind in KINDS else ()
    if statuses and not fields.get("status"):
        fields["status"] = f'"{statuses[0]}"'
    named = {one.name: one.links for one in write.links}
    links = {name: named.get(name, [link for link in before.links if link.name == name]) for name in LINKS}
    plain = {name: getattr(write, name) for name in ("label", "body", "tags")}
    return msgspec.structs.replace(
        before,
        fields=tuple(sorted((name, value) for name, value in fields.items() if value)),
        links=tuple(link for name in LINKS for link in links[name]),
        **{name: value for name, value in plain.items() if value is not None},
    )


def differing(before: Content, after: Content) -> set[str]:
    """The parts in which two versions differ: `label`, `field:owner`, `link:based_on` …."""
    named = {f"field:{name}" for name, _ in (*before.fields, *after.fields)}
    named |= {f"link:{link.name}" for link in (*before.links, *after.links)}
    return {part for part in {"label", "body", "tags", *named} if before.part(part) != after.part(part)}
