"""A second implementation of the records page, as plain as can be.

It keeps every version of every record and every event, and looks at all of them again for each answer. It shares with
the product the messages it is given, and nothing else. `naive_kept` has what it keeps, `naive_reads` what a reader is
told.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from stanchion_contracts.command import QuoteSeen, Write
from stanchion_contracts.meta import Actor
from stanchion_contracts.record import FieldValue
from support.naive_kept import (
    KINDS,
    LINKS,
    STANCHION,
    SUPERSEDED,
    Affirmed,
    Believed,
    Content,
    Outcome,
    Reported,
    Version,
    Waiting,
    differing,
    merged,
)


class Naive:
    """A workspace that forgets nothing and remembers no conclusion.

    Attributes:
        seq: of the last change.
        now_us: the time of the last message.
        versions: of each record, oldest first.
        affirmed: all affirmations.
        reported: all reports.
        believed: every belief on the one claim, oldest first.
        waiting: open proposals, oldest first.
        approval_only: every write of an agent waits for a person.
    """

    def __init__(self) -> None:
        self.seq = 0
        self.now_us = 0
        self.versions: dict[str, list[Version]] = {}
        self.affirmed: list[Affirmed] = []
        self.reported: list[Reported] = []
        self.believed: list[Believed] = []
        self.waiting: list[Waiting] = []
        self.approval_only = False

    def last(self, record_id: str) -> Version | None:
        """The version of a record that stands, a tombstone too; None when there never was one."""
        return self.versions[record_id][-1] if record_id in self.versions else None

    def content(self, record_id: str) -> Content | None:
        """What a record says now, its tombstone too; None when there never was one."""
        last = self.last(record_id)
        return last.content if last else None

    def life(self, record_id: str) -> list[Version]:
        """The versions of a record since it came, the last time where it came back after a deletion."""
        versions = self.versions[record_id]
        ends = [number for number, version in enumerate(versions[:-1], start=1) if version.content.deleted]
        return versions[ends[-1] :] if ends else versions

    def write(self, actor: Actor, writes: tuple[Write, ...]) -> Outcome:
        """Decide a batch: all or nothing."""
        after = {write.id: merged(self.content(write.id), write) for write in writes}
        refused = frozenset(self._faults(writes, after))
        if refused:
            return Outcome(refused)
        changing = [write for write in writes if self._changes(write)]
        waits = self.approval_only and actor.kind == "agent" and bool(changing)
        over = any(self._touches_a_persons(write) for write in (*changing, *self._following(writes)))
        if actor.kind != "person" and (waits or over):
            proposal = self._proposal(writes, actor)
            if proposal in self.waiting:
                return Outcome()
            self.seq += 1
            self.waiting.append(proposal)
            return Outcome(proposed=True)
        self._settle(self._land_all(actor, writes, "created"))
        return Outcome()

    def publish(self, actor: Actor, waiting: Waiting, ids: tuple[str, ...]) -> Outcome:
        """Have a proposal come into force, or the part of it about some records; none means all."""
        if actor.kind != "person":
            return Outcome(frozenset({"NOT_A_PERSON"}))
        if any(len(self.versions.get(one, ())) != version for one, version in waiting.base):
            return Outcome(frozenset({"VERSION_CONFLICT"}))
        writes = tuple(write for write in waiting.writes if not ids or write.id in ids)
        after = {write.id: merged(self.content(write.id), write) for write in writes}
        refused = frozenset(self._faults(writes, after))
        if refused:
            return Outcome(refused)
        landed = self._land_all(actor, writes, "approved")
        self._replace(waiting, tuple(write for write in waiting.writes if write not in writes))
        self._settle(landed)
        return Outcome()

    def reject(self, waiting: Waiting) -> Outcome:
        """Close a proposal without its coming into force."""
        self._replace(waiting, ())
        return Outcome()

    def _proposal(self, writes: tuple[Write, ...], by: Actor) -> Waiting:
        """Make a proposal of writes, against what stands now."""
        base = tuple((write.id, len(self.versions.get(write.id, ()))) for write in writes)
        return Waiting(tuple(msgspec.structs.replace(write, if_match=None) for write in writes), base, by)

    def _replace(self, waiting: Waiting, writes: tuple[Write, ...]) -> None:
        """Leave these writes of a proposal waiting, against what stands now; none closes it. It takes a seq."""
        self.seq += 1
        place = self.waiting.index(waiting)
        self.waiting[place : place + 1] = [self._proposal(writes, waiting.by)] if writes else []

    def _land_all(self, actor: Actor, writes: tuple[Write, ...], how: Literal["created", "approved"]) -> list[str]:
        """Land a batch with what follows from it; name the records."""
        changing, following = [write for write in writes if self._changes(write)], self._following(writes)
        for write in changing:
            self._land(actor, write, how)
        for write in following:
            self._land(actor, write, how, keep=True)
        return [write.id for write in (*changing, *following)]

    def report(self, uri: str, token: str, quotes: tuple[QuoteSeen, ...]) -> Outcome:
        """Note what a source says now; one that nobody cites is of no interest."""
        if any(cited.uri == uri for versions in self.versions.values() for cited in versions[-1].resting):
            self.seq += 1
            self.reported.append(Reported(self.seq, self.now_us, uri, token, quotes))
        return Outcome()

    def affirm(self, actor: Actor, record_id: str, moved: bool) -> Outcome:  # noqa: FBT001 - what the reader worked out
        """Note that a person says a record still holds, unless it `moved` since it was read."""
        if actor.kind != "person":
            return Outcome(frozenset({"NOT_A_PERSON"}))
        content = self.content(record_id)
        if content is None or content.deleted:
            return Outcome(frozenset({"NOT_FOUND"}))
        if moved:
            return Outcome(frozenset({"MOVED_SINCE"}))
        self.seq += 1
        self.affirmed.append(Affirmed(self.seq, actor, record_id))
        return Outcome()

    def believe(self, believed: Believed) -> Outcome:
        """Take over what is now held of the claim."""
        self.seq += 1
        self.believed.append(believed)
        self._settle(self.versions)
        return Outcome()

    def approve_agents(self, approval_only: bool) -> Outcome:  # noqa: FBT001 - the setting
        """Have every write of an agent wait for a person, or not any more."""
        self.seq += approval_only != self.approval_only
        self.approval_only = approval_only
        return Outcome()

    def tick(self) -> Outcome:
        """Let time have its say: age alone can cross a threshold."""
        self._settle(self.versions)
        return Outcome()

    def person_set(self, record_id: str) -> set[str]:
        """What a person set of a record; of a hypothesis not the `open` that it was created with."""
        found: set[str] = set()
        before = Content(kind="")
        for number, version in enumerate(self.life(record_id)):
            if version.actor.kind == "person":
                found |= differing(before, version.content)
                if number == 0 and (version.content.kind, version.content.status) == ("hypothesis", "open"):
                    found.discard("field:status")
                rested = self.life(record_id)[number - 1] if number else None
                if version.explicit and (rested is None or not rested.evidence == rested.resting == version.resting):
                    found.add("evidence")
            before = version.content
        return found

    def _land(
        self, actor: Actor, write: Write, how: Literal["created", "approved"] = "created", *, keep: bool = False
    ) -> None:
        """Add a version; citations that the write says nothing about stay behind, unless they are to be kept."""
        self.seq += 1
        last = self.last(write.id)
        alive = last if last is not None and not last.content.deleted else None
        silent = alive.evidence if alive is not None and (keep or write.delete) else ()
        version = Version(
            seq=self.seq,
            time_us=self.now_us,
            actor=actor,
            content=merged(self.content(write.id), write),
            evidence=silent if write.evidence is None else write.evidence,
            resting=(alive.resting if alive else ()) if write.evidence is None else write.evidence,
            explicit=write.evidence is not None,
            how=how,
        )
        self.versions[write.id] = [*self.versions.get(write.id, []), version]

    def _changes(self, write: Write) -> bool:
        """Whether a write changes its record: one that does not makes no version."""
        last = self.last(write.id)
        if last is None or merged(last.content, write) != last.content:
            return True
        return write.evidence is not None and not write.evidence == last.evidence == last.resting

    def _touches_a_persons(self, write: Write) -> bool:
        """Whether a write would change a value that a person set."""
        last = self.last(write.id)
        if last is None or last.content.deleted:
            return False
        changed = differing(last.content, merged(last.content, write))
        if write.evidence is not None and write.evidence != last.resting:
            changed.add("evidence")
        held = self.person_set(write.id)
        return bool(held) if write.delete else bool(held & changed)

    def _following(self, writes: tuple[Write, ...]) -> list[Write]:
        """What follows of itself: an accepted statement supersedes another; one written now goes before the others."""
        after = {write.id: merged(self.content(write.id), write) for write in writes if self._changes(write)}
        contents = {one: versions[-1].content for one, versions in self.versions.items()} | after
        found: list[str] = []
        for stating in (after, contents):
            accepted = [content for one, content in stating.items() if content.in_force and one not in found]
            superseded = [to for content in accepted for _, to in content.linked("supersedes_statement")]
            found += dict.fromkeys(to for to in superseded if contents[to].in_force and to not in found)
        return [Write(id=one, fields=(SUPERSEDED,)) for one in found]

    def _settle(self, tested: Iterable[str]) -> None:
        """Let evidence set statuses, and close the proposals whose content has come into force by other means."""
        for record_id in tested:
            status = self._by_evidence(record_id)
            if status:
                self._land(STANCHION, Write(id=record_id, fields=(FieldValue(name="status", value=status),)), keep=True)
        true = [one for one in self.waiting if not any(self._changes(write) for write in one.writes)]
        self.waiting = [one for one in self.waiting if one not in true]
        self.seq += len(true)

    def _by_evidence(self, record_id: str) -> str:
        """The status that evidence gives a hypothesis instead of the one it has, empty for none."""
        content = self.versions[record_id][-1].content
        if content.deleted or not content.part("field:claim") or not self.believed or content.status == "abandoned":
            return ""
        true, false = self.believed[-1].aged(self.now_us)
        likely, vacuity = (true + 1.0) / (true + false + 2.0), 2.0 / (true + false + 2.0)
        status = content.status
        if vacuity <= 0.40 and max(likely, 1.0 - likely) >= 0.80:
            status = "supported" if likely >= 0.80 else "refuted"
        elif {"supported": likely, "refuted": 1.0 - likely}.get(status, 1.0) < 0.60:
            status = "open"
        return "" if status == content.status else f'"{status}"'

    def _faults(self, writes: tuple[Write, ...], after: dict[str, Content]) -> Iterator[str]:
        """What is wrong with a batch."""
        if len({write.id for write in writes}) < len(writes):
            yield "DUPLICATE_IN_BATCH"
        for write in writes:
            yield from self._wrong(write, after)
        contents = {one: versions[-1].content for one, versions in self.versions.items()} | after
        for content in contents.values():
            for _, to in content.linked("replaces") if content.in_force else ():
                was, now = self.content(to), contents.get(to)
                if now is None or now.deleted:
                    continue
                if now.in_force or (was is not None and was.in_force and now.status != "superseded"):
                    yield "HALF_WRITTEN_REVERSAL"

    def _wrong(self, write: Write, after: dict[str, Content]) -> Iterator[str]:
        """What is wrong with one write."""
        before, content = self.content(write.id), after[write.id]
        alive = before if before is not None and not before.deleted else None
        if write.if_match is not None and write.if_match != len(self.versions.get(write.id, ())):
            yield "VERSION_CONFLICT"
        if write.delete and before is None:
            yield "NOT_FOUND"
        elif not write.delete and content.kind not in KINDS:
            yield "UNKNOWN_KIND"
        elif not write.delete:
            status = {field.name: field.value for field in write.fields}.get("status", "-")
            if (alive is not None and not status) or write.kind not in {"", content.kind}:
                yield "FIELD_VALUE"
            yield from self._wrong_links(write.id, alive, after)

    def _wrong_links(self, record_id: str, alive: Content | None, after: dict[str, Content]) -> Iterator[str]:
        """What is wrong with the links that a record would newly have."""
        content = after[record_id]
        had = {(link.name, link.to) for link in alive.links} if alive is not None else set()
        for link in (link for link in content.links if (link.name, link.to) not in had):
            from_kinds, to_kinds = LINKS[link.name]
            target = after.get(link.to) or self.content(link.to)
            if link.to == record_id:
                yield "LINK_SELF"
            elif target is None or target.deleted:
                yield "LINK_TARGET_MISSING"
            elif content.kind not in from_kinds or target.kind not in to_kinds:
                yield "LINK_END_KIND"
