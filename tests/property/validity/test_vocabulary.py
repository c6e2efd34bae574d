"""Stories in which a workspace changes its vocabulary again and again: what holds after every step."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from stanchion_contracts import heads as heads_fold
from stanchion_contracts.change import Changes
from stanchion_contracts.command import Write
from stanchion_contracts.heads import Heads
from stanchion_contracts.relation import Entity, Relation
from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import json_text, read
from stanchion_validity.core.held import Held, in_force
from stanchion_validity.handler import State, evolver
from support.validity import AGENT, BASE, DAY_US, MAYA, Line, cite, ref, refused, write

IDS = ["a1", "a2", "b1", "b2", "c1"]
URIS = ["x/1-a.md", "x/2-b.md"]
STATUSES = [["on", "off"], ["on", "mid", "off"], ["mid", "on", "off"], []]
FIELDS: list[object] = ["text", "text", "list", "date", {"words": ["small", "2020-01-01"]}, {"words": ["small"]}]
LINKS = ["l1", "l2", "l3", "l4"]
OLD: dict[str, list[str]] = {"a": ["on", "mid", "off"], "b": ["on", "off"], "c": []}
"""The statuses of the first vocabulary."""
FIRST = read(
    """
    name: first
    kinds:
      a: {statuses: [on, mid, off], in_force: [on], fields: {f: text, d: {type: date, reminds: true}}}
      b: {statuses: [on, off], in_force: [on], fields: {f: {words: [small, 2020-01-01]}, d: date}}
      c: {fields: {f: text}}
    links: {l1: {rests: true}, l2: {}, l3: {from: [a, b], to: [a, b], supersedes: off}, l4: {from: [a]}}
    """
)


class Step(Struct, frozen=True):
    """One step of a story: what to call, and with what."""

    what: str
    parts: tuple[Any, ...]


def begun() -> Line:
    """Give a workspace with a record of each kind, and a link of each type."""
    line = Line()
    line.set(json_text(FIRST))
    line.write(
        write("a2", "a", status="off", d="2020-01-01"),
        write("b1", "b", d="2020-01-01"),
        write("c1", "c", f="2020-01-01"),
        write("a1", "a", links={"l1": ["a2", "c1"], "l3": ["a2"], "l4": ["b1"]}),
        write("b2", "b", f="small", links={"l2": ["a1"]}),
    )
    return line


def often(draw: st.DrawFn) -> bool:
    """Say yes, mostly."""
    return draw(st.integers(0, 9)) > 0


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Give a vocabulary of up to three kinds and four links, in any order."""
    kinds: dict[str, Any] = {}
    for name in draw(st.permutations("abc")):
        if not often(draw) and (kinds or name != "c"):
            continue
        statuses = draw(st.sampled_from(STATUSES if name != "c" else STATUSES[-1:])) if not often(draw) else OLD[name]
        fields = {
            "f": draw(st.sampled_from(FIELDS)),
            "d": draw(st.sampled_from(["date", {"type": "date", "reminds": True}])),
        }
        bind = [word for word in statuses if word == "on" or (word == "mid" and draw(st.booleans()))]
        shown = {field: declared for field, declared in fields.items() if often(draw)}
        kinds[name] = {"statuses": statuses, "in_force": bind, "fields": shown}
    kinds = kinds or {"c": {}}
    links = {name: draw(link_types(kinds)) for name in draw(st.permutations(LINKS)) if often(draw)}
    return read(json.dumps({"name": "drawn", "kinds": kinds, "links": links}))


@st.composite
def link_types(draw: st.DrawFn, kinds: dict[str, Any]) -> dict[str, Any]:
    """Give a type of link between kinds that are there."""
    ends: st.SearchStrategy[list[str]] = st.one_of(
        st.just([]), st.just([]), st.lists(st.sampled_from(sorted(kinds)), unique=True)
    )
    link = {"from": draw(ends), "to": draw(ends)}
    targets = link["to"] or list(kinds)
    if all(kinds[kind].get("statuses") for kind in targets) and draw(st.booleans()):
        return {**link, "supersedes": "off"}
    return {**link, "rests": draw(st.booleans())}


@st.composite
def writes(draw: st.DrawFn, record_id: str) -> Write:
    """Give a write of a record, right or wrong."""
    if draw(st.integers(0, 4)) == 0:
        return Write(id=record_id, delete=True)
    parts: dict[str, Any] = {}
    for field, values in (("f", [None, "small", "2020-01-01"]), ("d", [None, "2020-01-01"]), ("status", ["on", "off"])):
        if draw(st.integers(0, 2)) == 0 and (field == "f" or record_id != "c1"):
            parts[field] = draw(st.sampled_from(values))
    if draw(st.integers(0, 3)) == 0:
        parts["evidence"] = (cite(draw(st.sampled_from(["u", "a1"])), "q"),)
    names = draw(st.lists(st.sampled_from(LINKS), max_size=2, unique=True))
    others = st.sampled_from([one for one in IDS if one != record_id])
    links = {name: draw(st.lists(others, max_size=2, unique=True)) for name in names}
    return write(record_id, record_id[0], links=links, body=draw(st.sampled_from(["one", "two"])), **parts)


@st.composite
def revisions(draw: st.DrawFn) -> dict[str, Any]:
    """Give one revision of a document: its text, its status, its references and relations."""
    uri = draw(st.sampled_from(URIS))
    targets = st.sampled_from([*URIS, "id:a1", "id:c1"])
    references = draw(st.lists(st.tuples(st.sampled_from(LINKS), targets, st.sampled_from(["out", "in"])), max_size=3))
    relations = draw(st.lists(st.sampled_from(["e1", "e2"]), max_size=2))
    return {
        "uri": uri,
        "text": draw(st.sampled_from(["one", "two"])),
        "kind": "a" if uri == URIS[0] else "b",
        "status": draw(st.sampled_from(["on", "off"])),
        "fields": draw(st.sampled_from([{}, {"f": "small"}, {"f": "2020-01-01"}])),
        "references": tuple(ref(*reference) for reference in references),
        "relations": tuple(Relation(name="knows", to_entity=Entity(name=name)) for name in relations),
        "deleted": draw(st.integers(0, 5)) == 0,
    }


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """Give one step of a story."""
    what = draw(
        st.sampled_from(["set", "set", "write", "write", "write", "revise", "publish", "tick", "report", "clear"])
    )
    if what == "set":
        return Step(what, (draw(st.one_of(vocabularies(), vocabularies(), st.just(FIRST))), not often(draw)))
    if what == "write":
        ids = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True))
        return Step(what, (tuple(draw(writes(one)) for one in ids), draw(st.sampled_from([MAYA, MAYA, AGENT]))))
    if what == "revise":
        return Step(what, (draw(revisions()),))
    return Step(what, ())


def tell(line: Line, step: Step) -> Changes | None:
    """Let one step happen; None when there is nothing to do."""
    return TELLINGS[step.what](line, *step.parts)


def publish(line: Line) -> Changes | None:
    """Publish the oldest proposal."""
    return line.publish(line.proposals()[0]) if line.proposals() else None


def clear(line: Line) -> Changes | None:
    """Delete all that lives."""
    live = [held.id for held in line.workspace.held.values() if not held.deleted]
    return line.write(*(Write(id=one, delete=True) for one in live)) if live else None


def tick(line: Line) -> Changes:
    """Let a day pass."""
    line.now_us += DAY_US
    return line.tick()


TELLINGS: dict[str, Callable[..., Changes | None]] = {
    "set": lambda line, vocabulary, approval_only: line.set(json_text(vocabulary), approval_only=approval_only),
    "write": lambda line, batch, actor: line.write(*batch, actor=actor),
    "revise": lambda line, revision: line.revise(**revision),
    "report": lambda line: line.report("u", absent="q"),
    "publish": publish,
    "clear": clear,
    "tick": tick,
}


def fits(vocabulary: Vocabulary, records: Mapping[str, Held]) -> bool:
    """Tell whether every live record is one that the vocabulary lets be, worked out record by record."""
    live = {name: held for name, held in records.items() if not held.deleted}
    return all(
        held.kind in vocabulary.kinds
        and all(holds(vocabulary, held.kind, name, json.loads(value)) for name, value in held.fields.items())
        and all(stands(vocabulary, live, held, link.name, link.to) for link in held.links)
        for held in live.values()
    )


def holds(vocabulary: Vocabulary, kind: str, name: str, value: object) -> bool:
    """Tell whether a field may hold a value."""
    field = vocabulary.kinds[kind].fields.get(name)
    if field is None or isinstance(value, list) != (field.type == "list"):
        return False
    return (field.type != "word" or value in field.words) and (field.type != "date" or value == "2020-01-01")


def stands(vocabulary: Vocabulary, live: dict[str, Held], held: Held, name: str, to: str) -> bool:
    """Tell whether a link may stand."""
    declared, target = vocabulary.links.get(name), live.get(to)
    if declared is None or target is None:
        return declared is not None
    ends = (not declared.from_kinds or held.kind in declared.from_kinds) and (
        not declared.to_kinds or target.kind in declared.to_kinds
    )
    return ends and not (declared.supersedes and in_force(vocabulary, held) and in_force(vocabulary, target))


def check(line: Line, vocabulary: Vocabulary) -> None:
    """Heads, links and reminders read as this vocabulary says, of live records and of tombstones."""
    workspace = line.workspace
    assert fits(vocabulary, workspace.held)
    for record_id, held in workspace.held.items():
        head = workspace.heads.records[record_id]
        links = sorted(held.links, key=lambda link: vocabulary.place(link.name))
        assert tuple(links) == held.links
        assert [(one.name, one.to) for one in links if vocabulary.rests(one.name)] == [
            (one.name, one.to) for one in head.grounds
        ]
        assert [(one.name, one.to) for one in links if not vocabulary.rests(one.name)] == [
            (one.name, one.to) for one in head.others
        ]
        assert vocabulary.in_force(held.kind, held.status) is head.in_force
        line.read(record_id)
    assert {
        (held.id, field.name)
        for held in workspace.held.values()
        for field in (vocabulary.kinds[held.kind].fields.values() if not held.deleted else ())
        if field.reminds and field.name in held.fields
    } == set(workspace.reminders)


def from_scratch(line: Line, vocabulary: Vocabulary) -> Heads:
    """Fold every change under one vocabulary."""
    heads = Heads()
    for output in line.outputs:
        for change in output.changes:
            heads_fold.fold(heads, vocabulary, change, output.recorded_at_us, output.meta.actor)
    return heads


@settings(max_examples=100, deadline=None)
@given(st.lists(steps(), max_size=25), st.integers(0, 25))
def test_vocabularies_come_and_go(story: list[Step], cut: int) -> None:
    """A vocabulary is taken exactly when every live record fits it; all reads as it says, whatever stood before.

    The fold of the outputs, in two halves, is the live state, and heads are those of a history under the last
    vocabulary alone.
    """
    line, vocabulary = begun(), FIRST
    for step in story:
        before = dict(line.workspace.held)
        output = tell(line, step)
        if step.what == "set" and output is not None:
            assert fits(step.parts[0], before) is (refused(output) == ""), output.refusal
            vocabulary = step.parts[0] if not refused(output) else vocabulary
        check(line, vocabulary)
    assert from_scratch(line, vocabulary) == line.workspace.heads
    evolve, state = evolver(BASE), State()
    for output in line.outputs[:cut]:
        evolve(state, output)
    for output in line.outputs[cut:]:
        evolve(state, output)
    assert line.state == state
