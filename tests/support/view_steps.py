"""Ledgers from random steps: of everything that validity may change in a workspace, made with six records."""

from collections.abc import Callable, Sequence
from typing import Final

from hypothesis import strategies as st
from msgspec.structs import replace

from stanchion_contracts.change import Change, Move, Proposal
from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_contracts.value import Value
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import json_text
from support.ledgers import (
    BOT,
    Scribe,
    closed,
    due,
    estimated,
    field_moved,
    found,
    judged,
    observed,
    opened,
    proposal,
    related,
    resolved,
    ruled,
    said,
    trusted,
)

NAMES: Final = tuple(f"d{at}" for at in range(6))
SOURCE: Final = "https://example.org/a"
ROOMS: Final = ("", "pay")
TYPES: Final = ("", "record:", "team:")


def other_vocabulary() -> Vocabulary:
    """One that sees the same records with other eyes: other links rest and supersede, and a status binds."""
    base = base_vocabulary()
    links = {
        **base.links,
        "depends_on": replace(base.links["depends_on"], rests=False),
        "relates_to": replace(base.links["relates_to"], rests=True),
        "amends": replace(base.links["amends"], supersedes="superseded"),
        "replaces": replace(base.links["replaces"], supersedes=""),
    }
    return replace(
        base, name="other", links={name: replace(link, order=at) for at, (name, link) in enumerate(links.items())}
    )


Step = tuple[str, str, str, int]


class Teller:
    """Makes changes that validity could have made, one for each step.

    Attributes:
        scribe: numbers them.
    """

    def __init__(self) -> None:
        self.scribe = Scribe()
        self._known: set[str] = set()
        self._waiting: dict[str, Proposal] = {}

    def change(self, step: Step) -> Change | None:
        """One change; None where validity would have made none."""
        what, name, other, number = step
        if what in _OF_A_RECORD and name not in self._known:
            return None
        if what in _WRITES:
            self._known.add(name)
        return _MAKE[what](self, name, other, number)

    def propose(self, name: str, other: str, number: int) -> Change:
        """Open a proposal, or edit or close the one that waits."""
        record = f"p-{name}-{other}"
        link = ("replaces", "amends")[number % 2]
        writes = (
            Write(id=name, links=(LinkSet(name=link, links=(Link(name=link, to=other),)),), body=f"p{number}"),
            *([Write(id=other, fields=(FieldValue(name="status", value='"superseded"'),))] if number > 1 else []),
        )
        waits = self._waiting.pop(record, None)
        if waits is None:
            why = "evidence_disagrees" if number > 1 else "person_set"
            self._waiting[record] = proposal(record, *writes, base={name: number}, why=why, by=BOT)  # type: ignore[arg-type]  # one of its words
            return opened(self._waiting[record])
        if number:
            self._waiting[record] = replace(waits, batch=replace(waits.batch, writes=writes))
            return opened(self._waiting[record], "proposal.edited")
        return closed(waits, "rejected", note="no")


def _moved(teller: Teller, name: str, _other: str, _number: int) -> Change:
    moves = [field_moved("status", "withdrawn")]
    return teller.scribe.write(name, status="withdrawn", moves=moves, confirmation="dropped")


def _hypothesis(teller: Teller, name: str, other: str, number: int) -> Change:
    fields: dict[str, object] = {"claim": {"subject": other, "predicate": "tam"}} if number else {}
    return teller.scribe.write(name, status="open", fields=fields)


def _linked(teller: Teller, name: str, other: str, number: int) -> Change:
    link = ("depends_on", "relates_to", "amends", "replaces")[number]
    return teller.scribe.write(name, status="active", links=[Link(name=link, to=end) for end in {other} - {name}])


def _cited(teller: Teller, name: str, other: str, _number: int) -> Change:
    return teller.scribe.write(name, evidence=[Citation(uri=SOURCE, quote="q"), Citation(uri=other)])


def _related(_teller: Teller, name: str, other: str, number: int) -> Change:
    source, target = f"{TYPES[number % 3]}{name}", f"{TYPES[len(other + name) * number % 3]}{other}"
    since, until = (number % 2) * 10, (number // 2) * 20
    return related(source, f"r{number % 2}", target, room=ROOMS[number // 2], since_us=since, until_us=until)


def _ended(_teller: Teller, name: str, other: str, number: int) -> Change:
    source, target = f"{TYPES[number % 3]}{name}", f"{TYPES[len(other + name) * number % 3]}{other}"
    return related(source, f"r{number % 2}", target, room=ROOMS[number // 2], ended=True)


def _settled(teller: Teller, _name: str, _other: str, number: int) -> Change:
    return teller.scribe.settle(json_text(other_vocabulary()) if number % 2 else "", approval_only=number > 1)


def _resolved(_teller: Teller, name: str, other: str, number: int) -> Change:
    voices = [
        judged(source, hit=number == at, millionths=at * 100_000) for at, source in enumerate((name, other, name))
    ]
    value = Value(type="number", text=str(number))
    return resolved(value, *voices, subject=other) if number else resolved(None, subject=other)


def _ruled(_teller: Teller, _name: str, _other: str, number: int) -> Change:
    words = ("", "fast", "none", "slow")
    return ruled("tam" if number % 2 else "", half_life=words[number], consensus=number == 2)


def _found(_teller: Teller, name: str, _other: str, number: int) -> Change:
    return found(("stale", "contradiction")[number % 2], name, detail=f"it is {number}", closed=number > 1)


_MAKE: Final[dict[str, Callable[[Teller, str, str, int], Change]]] = {
    "write": lambda told, name, _, n: told.scribe.write(name, label=f"v{n}", body=f"b{n}" if n else None),
    "move": _moved,
    "link": _linked,
    "assume": _hypothesis,
    "cite": _cited,
    "delete": lambda told, name, *_: told.scribe.write(name, delete=True, moves=[Move(kind="deleted")]),
    "affirm": lambda told, name, *_: told.scribe.affirm(name),
    "believe": lambda told, _, other, n: told.scribe.believe(said(str(n), subject=other)),
    "trust": lambda _, name, __, n: trusted(name, None if n == 0 else n / 4),
    "report": lambda _, __, ___, n: observed(SOURCE, "q", "absent" if n % 2 else "present"),
    "propose": Teller.propose,
    "relate": _related,
    "end": _ended,
    "settle": _settled,
    "resolve": _resolved,
    "rule": _ruled,
    "estimate": lambda _, name, other, n: estimated(**{name: n / 4, other: None if n == 1 else n / 5}),
    "find": _found,
    "due": lambda _, name, *__: due(name),
}
_WRITES: Final = {"assume", "write", "link", "cite", "delete", "move"}
_OF_A_RECORD: Final = {"delete", "affirm", "move"}


def steps(*kinds: str, most: int = 40) -> st.SearchStrategy[list[Step]]:
    """So many steps of these kinds, of all kinds where none is named."""
    step = st.tuples(
        st.sampled_from(kinds or tuple(_MAKE)), st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 3)
    )
    return st.lists(step, max_size=most)


def ledger(taken: Sequence[Step], sizes: Sequence[int] = ()) -> list[Ledger]:
    """Messages with as many changes as `sizes` says, then of one each."""
    teller = Teller()
    changes = [change for change in map(teller.change, taken) if change is not None]
    messages, at = [], 0
    for size in [*sizes, *([1] * len(changes))]:
        if changes[at : at + size]:
            messages.append(teller.scribe.message(*changes[at : at + size]))
        at += size
    return messages
