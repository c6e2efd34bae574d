"""Histories told to the product and to the naive implementation alike, and what each then says of every record.

A history is a string of bytes: each choice takes one, and it ends where they do. So whatever bytes there are make a
history, fewer bytes a shorter one, and smaller bytes a plainer one: a history that shows a difference shrinks well.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

import msgspec

from stanchion_contracts.command import (
    LinkSet,
    QuoteSeen,
    Write,
)
from support.naive_both import ADA, BO, Both
from support.naive_kept import LINKS
from support.validity import AGENT, CLAIM, UPSTREAM, cite, write

T = TypeVar("T")

ACTORS: Final = (ADA, ADA, AGENT, AGENT, BO, UPSTREAM)
KINDS: Final = {"d": "decision", "r": "rule", "h": "hypothesis", "t": "document", "s": "statement", "i": "intent"}
IDS: Final = ("d1", "r1", "h1", "t1", "d2", "r2", "r3", "s1", "d3", "r4", "r5", "s2", "h2", "t2", "i1")
SOURCES: Final = ("u1", "t1", "u2", "d1", "t2")
QUOTES: Final = ("q1", "", "q2")
TOKENS: Final = ("v1", "v2")
SUPERSEDING: Final = ("replaces", "supersedes_statement")
WORDS: Final = ("one", "two", "three", "")
TEST: Final[dict[str, Any]] = {
    "claim": {"subject": CLAIM[0], "predicate": CLAIM[1]},
    "condition": {"op": "true"},
}
STATUSES: Final = {
    "decision": ("active", "superseded", "withdrawn", "draft", "rejected", "archived"),
    "rule": ("active", "superseded", "withdrawn"),
    "hypothesis": ("open", "refuted", "abandoned", "supported"),
    "statement": ("accepted", "superseded"),
    "intent": ("standing", "dropped"),
}


class Choices:
    """The choices of a history, one byte each; the first of what there is once they have run out."""

    def __init__(self, tape: bytes) -> None:
        self._tape = tape
        self._at = 0

    @property
    def over(self) -> bool:
        """Whether all have been made."""
        return self._at >= len(self._tape)

    def number(self, below: int) -> int:
        """A number from 0, below a bound."""
        self._at += 1
        return self._tape[self._at - 1] % below if below and self._at <= len(self._tape) else 0

    def one(self, of: Sequence[T]) -> T:
        """One of several."""
        return of[self.number(len(of))]

    def some(self, of: Sequence[T], most: int) -> list[T]:
        """Some of several, each once."""
        return list(dict.fromkeys(self.one(of) for _ in range(self.number(most + 1))))

    def rarely(self, one_in: int) -> bool:
        """Whether what is rare happens."""
        return self.number(one_in) == one_in - 1


def tell(both: Both, tape: bytes) -> None:
    """Tell a whole history.

    Raises:
        AssertionError: the two disagree.
    """
    choices = Choices(tape)
    _found(both, choices)
    while not choices.over:
        _step(both, choices)


def _found(both: Both, choices: Choices) -> None:
    """Begin with most of the records, linked."""
    ids = [one for one in IDS if not choices.rarely(8)]
    both.write(choices.one(ACTORS), tuple(_new(choices, one, ids) for one in ids))


def _new(choices: Choices, record_id: str, ids: Sequence[str]) -> Write:
    """A write that creates a record and links it to others."""
    kind = KINDS[record_id[0]]
    test = TEST if record_id == "h1" else {}
    return write(record_id, kind, body="zero", links=_links(choices, record_id, ids), **test, **_evidence(choices, 3))


def _step(both: Both, choices: Choices) -> None:
    """Let one thing happen."""
    what = choices.number(16)
    if what < 7:
        ids = dict.fromkeys([choices.one(IDS), *choices.some(IDS, 2)])
        both.write(choices.one(ACTORS), tuple(_write(both, choices, one) for one in ids))
    elif what < 9:
        _reverse(both, choices)
    elif what < 11:
        through = both.naive.seq - choices.one((0, 0, 0, 1, 2, 5))
        both.affirm(choices.one((ADA, BO, ADA, BO, AGENT)), choices.one(IDS), max(through, 0))
    elif what < 13:
        _report(both, choices)
    elif what == 13:
        _review(both, choices)
    elif what == 14:
        both.wait(choices.one((1, 12, 20, 40)))
    elif choices.rarely(4):
        both.approve_agents(bool(choices.number(2)))
    else:
        both.believe(choices.one((0.05, 0.95, 0.5)), choices.one((20.0, 2.0)), choices.one((0, 86_400)))


def tell_wide(both: Both, tape: bytes) -> None:
    """Tell a history of one rule that rests on up to 300 others, three links deep; only what is watched is read.

    Raises:
        AssertionError: the two disagree.
    """
    choices = Choices(tape)
    hubs = [f"h{number}" for number in range(2 + choices.number(6))]
    leaves = {hub: [f"{hub}-{number}" for number in range(60 - choices.number(60))] for hub in hubs}
    below = [leaf for hub in hubs for leaf in leaves[hub]]
    for ids in (*leaves.values(), [*hubs, "r"]):
        both.write(AGENT, tuple(write(one, "rule", body="zero") for one in ids))
    both.write(AGENT, tuple(write(hub, links={"exception_to": leaves[hub]}) for hub in hubs))
    both.write(AGENT, (write("r", links={"exception_to": hubs}),))
    while not choices.over:
        one = choices.one([*below, *hubs])
        match choices.number(4):
            case 0:
                both.affirm(ADA, "r", both.naive.seq)
            case 1:
                others = [other for other in (*hubs, "r", *choices.some(below, 8)) if other != one]
                both.write(AGENT, (write(one, links={"exception_to": others[choices.number(3) :]}),))
            case _:
                both.write(AGENT, (write(one, body=choices.one(WORDS)),))


def _live(both: Both, ids: Sequence[str] = IDS) -> list[str]:
    """Those of some ids that records have; all of them when none has."""
    contents = {one: both.naive.content(one) for one in ids}
    return [one for one, content in contents.items() if content is not None and not content.deleted] or list(ids)


def _reverse(both: Both, choices: Choices) -> None:
    """Replace a decision, a rule or a statement by another, often as it should be done."""
    of = choices.one(("d", "r", "s"))
    ids = [one for one in IDS if one[0] == of]
    new = choices.one(ids)
    old = choices.one([one for one in _live(both, ids) if one != new] or ids)
    first, *_ = STATUSES[KINDS[of]]
    link = "supersedes_statement" if of == "s" else "replaces"
    writes = [write(new, KINDS[of], status=choices.one((first, first, first, "superseded")), links={link: [old]})]
    if of != "s" and old != new and not choices.rarely(5):
        writes.append(write(old, status=choices.one(("superseded", "superseded", "superseded", "withdrawn"))))
    both.write(choices.one(ACTORS), tuple(writes))


def _report(both: Both, choices: Choices) -> None:
    """Read a source again."""
    absent = [QuoteSeen(quote=choices.one(QUOTES), seen="absent")] if choices.number(3) else []
    present = [QuoteSeen(quote="q3" if absent else choices.one(QUOTES), seen="present")]
    quotes = (*absent, *(present if choices.rarely(2) or not absent else ()))
    both.report(choices.one(SOURCES[:3]), choices.one(TOKENS), quotes)


def _review(both: Both, choices: Choices) -> None:
    """Publish what waits in Review or a part of it, reject it, or write the like of it oneself."""
    if not both.naive.waiting:
        return
    waiting = choices.one(both.naive.waiting)
    ids = tuple(write.id for write in waiting.writes if not choices.rarely(4))
    what = choices.number(6)
    if what < 3:
        both.publish(choices.one((ADA, BO, ADA, BO, AGENT)), waiting, ids)
    elif what == 3:
        both.reject(waiting)
    else:
        writes = tuple(write for write in waiting.writes if write.id in ids) or waiting.writes
        if choices.rarely(3):
            writes = tuple(_besides(both, write) for write in writes)
        both.write(choices.one((ADA, BO)), writes)


def _besides(both: Both, write: Write) -> Write:
    """A write that leaves the links that stand, and adds its own."""
    content = both.naive.content(write.id)
    stands = {} if content is None else {name: [link for link in content.links if link.name == name] for name in LINKS}
    sets = tuple(
        LinkSet(
            name=one.name, links=tuple({link.to: link for link in (*stands.get(one.name, ()), *one.links)}.values())
        )
        for one in write.links
    )
    return msgspec.structs.replace(write, links=sets)


def _write(both: Both, choices: Choices, record_id: str) -> Write:
    """A write of a record that may be there, or not, or not any more."""
    there = record_id in _live(both, (record_id,)) and record_id in both.naive.versions
    if there and choices.rarely(12):
        return Write(id=record_id, delete=True)
    kind = KINDS[record_id[0]]
    parts = _parts(choices, kind, record_id)
    if choices.rarely(16):
        parts["if_match"] = len(both.naive.versions.get(record_id, ())) - choices.number(2)
    content = both.naive.content(record_id)
    fresh = content is None or content.deleted
    named = kind if fresh != choices.rarely(16) else ""
    test = TEST if record_id == "h1" and fresh else {}
    links = _links(choices, record_id, _live(both)) if choices.rarely(2) else {}
    return write(record_id, named, links=links, **parts, **test, **_again(both, choices, record_id))


def _parts(choices: Choices, kind: str, record_id: str) -> dict[str, Any]:
    """Fields and texts, each there or not."""
    parts = dict[str, Any]()
    if kind in STATUSES and record_id != "h1" and choices.rarely(3):
        parts["status"] = choices.one(STATUSES[kind])
    if choices.rarely(3):
        parts["body"] = choices.one(WORDS)
    if kind in {"decision", "rule"} and choices.rarely(4):
        parts["owner"] = choices.one(("Ada", None, "Bo"))
    if kind == "rule" and choices.rarely(4):
        parts["applies_to"] = choices.one((["api"], ["web"], None))
    if choices.rarely(6):
        parts["label"] = choices.one(WORDS)
    return parts


def _links(choices: Choices, record_id: str, ids: Sequence[str]) -> dict[str, list[str]]:
    """Links of a name or two; now and then one with a wrong end."""
    kind = KINDS[record_id[0]]
    fitting = [name for name, (from_kinds, _) in LINKS.items() if kind in from_kinds and name not in SUPERSEDING]
    found = {}
    for name in choices.some(fitting, 2):
        ends = [one for one in ids if KINDS[one[0]] in LINKS[name][1] and one != record_id]
        if ends:
            found[name] = choices.some(IDS if choices.rarely(64) else ends, 2)
    return found


def _again(both: Both, choices: Choices, record_id: str) -> dict[str, Any]:
    """An explicit list of citations, the one that stands told in another order, or silence."""
    if record_id in both.naive.versions and choices.rarely(8):
        return {"evidence": both.naive.versions[record_id][-1].resting[::-1]}
    return _evidence(choices, 4)


def _evidence(choices: Choices, one_in: int) -> dict[str, Any]:
    """An explicit list of citations, or silence."""
    if not choices.rarely(one_in):
        return {}
    sources = choices.some(SOURCES, 3)
    return {"evidence": tuple(cite(one, choices.one(QUOTES), choices.one(TOKENS)) for one in sources)}
