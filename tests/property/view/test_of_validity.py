"""What validity decides and audit notarises, the view holds: the same heads, proposals, relations and settings."""

from collections.abc import Callable
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from stanchion_contracts.proposal import digest_of
from stanchion_contracts.relation import Entity, Relation
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_view import handler
from stanchion_view.core.diff import parts
from stanchion_view.core.output import Output
from stanchion_view.core.state import Draft, Workspace
from support.changes import notarised
from support.validity import AGENT, CLAIM, MAYA, Line, ref, write

BASE = base_vocabulary()
NAMES: Final = ("a", "b", "c")
TEST: Final[dict[str, Any]] = {"claim": {"subject": CLAIM[0], "predicate": CLAIM[1]}, "condition": {"op": "true"}}
OWN: Final = """
name: own
kinds:
  decision:
    statuses: [active, superseded, withdrawn, draft, rejected, archived]
    in_force: [active, draft]
    fields: {area: text, owner: text, origin: text, decided_on: date, decided_by: principal, upstream_status: text}
  hypothesis:
    statuses: [open, supported, refuted, abandoned]
    in_force: [open]
    by_evidence: {open: open, holds: supported, fails: refuted}
    fields: {claim: claim, condition: condition}
links:
  relates_to: {rests: true}
  depends_on: {from: [decision], to: [decision]}
  replaces: {from: [decision], to: [decision], supersedes: superseded}
"""
Step = tuple[str, str, str, int]


def _decision(line: Line, name: str, other: str, number: int) -> None:
    links: dict[str, list[str]] = {("depends_on", "relates_to", "replaces")[number % 3]: [other]} if number else {}
    line.write(
        write(name, "decision", label=f"v{number}", status="active", links=links),
        actor=(MAYA, AGENT)[number % 2],
    )


def _reviewed(line: Line, name: str, _other: str, number: int) -> None:
    for waits in line.proposals()[:1]:
        if number == 0:
            line.reject(waits)
        elif number == 1:
            line.publish(waits, note="yes")
        elif number == 2:
            line.publish(waits, waits.batch.writes[0].id)
        else:
            line.edit(waits, write(name, "decision", label="edited"))


def _related(line: Line, name: str, other: str, number: int) -> None:
    ends = (Entity(name=name, type="record"), Entity(name=other, type=("", "team")[number % 2]))
    line.relate(
        Relation(from_entity=ends[0], name="knows", to_entity=ends[1], valid_at_us=number), room="ab"[number % 2]
    )


def _revised(line: Line, name: str, other: str, number: int) -> None:
    relations = (Relation(name="owned_by", to_entity=Entity(name=other)),) if number % 2 else ()
    references = (ref("replaces", f"docs/{other}.md"),) if number > 1 else ()
    line.revise(f"docs/{name}.md", f"text {number}", references=references, relations=relations)


STEPS: Final[dict[str, Callable[[Line, str, str, int], object]]] = {
    "decide": _decision,
    "both": lambda line, name, other, n: line.write(
        write(name, "decision", label=f"x{n}"), write(other, "decision", label=f"y{n}"), actor=AGENT
    ),
    "delete": lambda line, name, _, __: line.write(write(name, delete=True)),
    "suppose": lambda line, _, __, n: line.write(
        write("h", "hypothesis", status=("open", "supported", "refuted", "open")[n], **TEST), actor=MAYA
    ),
    "believe": lambda line, _, __, n: line.believe((0.05, 0.5, 0.95, 0.99)[n]),
    "review": _reviewed,
    "relate": _related,
    "revise": _revised,
    "set": lambda line, _, __, n: line.set(OWN if n % 2 else "", approval_only=n > 1),
}


taken_steps = st.lists(
    st.tuples(st.sampled_from(tuple(STEPS)), st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 3)),
    max_size=25,
)


def decided(taken: list[Step]) -> Line:
    """What validity made of the steps; refusals are part of it."""
    line = Line()
    for what, name, other, number in taken:
        STEPS[what](line, name, other, number)
    return line


def held(line: Line) -> tuple[Workspace, dict[int, str]]:
    """What the view holds of it, and the bodies by the seq that brought them."""
    space = Workspace.empty(BASE)
    draft, output = Draft(space), Output()
    for message in notarised(*line.outputs):
        handler.apply(draft, output, BASE, message)
    draft.settle()
    return space, {seq: body for (_, seq), body in output.bodies.items()}


@settings(max_examples=60, deadline=None)
@given(taken_steps)
def test_the_view_holds_what_validity_holds(taken: list[Step]) -> None:
    """Heads, open proposals with their digests, current relations, settings and vocabulary are the same in both."""
    line = decided(taken)
    space, _ = held(line)
    there = line.workspace
    assert there.heads == space.heads
    assert there.settings == space.settings
    assert (there.vocabulary or BASE) == space.vocabulary
    assert {name: digest_of(waits) for name, waits in there.heads.proposals.items()} == {
        name: filed.digest for name, filed in space.filed.items()
    }
    assert {name: set(waiting) for name, waiting in there.proposals_on.items()} == {
        name: set(waiting) for name, waiting in space.waiting.items()
    }
    assert there.related.windows == {triple: stated.window for triple, stated in space.relations.items()}
    for name, record in there.held.items():
        card = space.cards[name]
        assert (record.version, record.label, record.deleted) == (card.version, card.label, card.deleted)
        assert record.fields == {field.name: field.value for field in card.fields}
        assert sorted(map(repr, record.links)) == sorted(map(repr, card.links))


@settings(max_examples=60, deadline=None)
@given(taken_steps)
def test_what_is_published_is_what_was_shown(taken: list[Step]) -> None:
    """Once a proposal came into force as it was shown, its writes differ in nothing from the records any more."""
    line = decided([*taken, ("set", "", "", 0)])
    for waits in line.proposals():
        shown, _ = held(line)
        versions = {base.record_id: shown.heads.records[base.record_id].version for base in waits.base if base.version}
        if line.publish(waits).refusal is not None:
            continue
        assert versions == {base.record_id: base.version for base in waits.base if base.version}
        space, bodies = held(line)
        for each in waits.batch.writes:
            card = space.cards[each.id]
            assert () == parts(card, bodies[card.body_seq], each)
