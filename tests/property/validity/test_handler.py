"""Stories of persons, agents, texts and beliefs: what holds after every one of them."""

import hashlib
from collections.abc import Callable
from itertools import permutations
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes
from stanchion_contracts.claim import Intent, Reference
from stanchion_contracts.codec import encode
from stanchion_contracts.command import EditProposal, PublishProposal, RejectProposal, Write
from stanchion_contracts.finding import Finding
from stanchion_contracts.heads import quote_digest
from stanchion_contracts.meta import Actor
from stanchion_contracts.observation import Resolution
from stanchion_contracts.policy import BeliefPolicy, PolicyChange
from stanchion_contracts.proposal import digest_of
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Value
from stanchion_validity.core.held import Held, in_force
from stanchion_validity.handler import State, evolver
from support.hash_seeds import digests_of
from support.validity import AGENT, BASE, CLAIM, DAY_US, MAYA, ROSA, UPSTREAM, Line, cite, ref, write

IDS = ["d1", "d2", "r1", "r2", "h1", "doc"]
KINDS = {"d": "decision", "r": "rule", "h": "hypothesis", "doc": "document"}
URIS = ["a/1-x.md", "a/2-y.md", "a/3-z.md"]
TEST: dict[str, Any] = {"claim": {"subject": CLAIM[0], "predicate": CLAIM[1]}, "condition": {"op": "true"}}
ACTORS = st.sampled_from([MAYA, AGENT, AGENT, UPSTREAM])
REVIEWERS = st.sampled_from([ROSA, ROSA, ROSA, AGENT])
REVIEWS = ["publish", "publish", "publish", "edit", "reject"]


FIVE = Value(type="number", text="5")
FOUND = Finding(kind="stale", subject=CLAIM[0], predicate=CLAIM[1], detail="its evidence is old")
FACTS: list[dict[str, Any]] = [
    {"resolution": Resolution(subject="a", predicate="b", value=FIVE)},
    {"resolution": Resolution(subject="a", predicate="b", value=None), "resolved_before": FIVE},
    {"policy": PolicyChange(before=BeliefPolicy(), after=BeliefPolicy(consensus=True)), "remaining": 3},
    {"estimates": (Estimate(name="crm", trust=0.3, accuracy=0.5, claims=2),)},
    {"findings": (FOUND,)},
    {"findings": (msgspec.structs.replace(FOUND, closed=True),)},
    {"intents": (Intent(kind="goal", gist="Win"), Intent(kind="constraint", holder="ada", gist="No debt"))},
    {"repeated": True},
]
"""What fusion passes on beside beliefs and texts."""


class Step(Struct, frozen=True):
    """One step of a story: what to call, and with what."""

    what: str
    parts: tuple[object, ...]


def begun() -> Line:
    """Give a workspace in which Maya wrote what there is, agents propose, and texts and evidence disagree."""
    line = Line()
    line.write(write("d1", "decision", owner="Ada", body="one"), write("d2", "decision", links={"refines": ["d1"]}))
    line.write(write("r1", "rule", owner="Ada", links={"based_on": ["d1"]}), write("h1", "hypothesis", **TEST))
    line.write(write("h1", status="supported"))
    line.write(write("d1", owner="Bo"), write("r1", owner="Bo"), write("r2", "rule"), actor=AGENT)
    line.write(write("d2", links={"replaces": ["d1"]}), write("d1", status="superseded"), actor=AGENT)
    line.revise(URIS[0])
    line.revise(URIS[1], references=(ref("replaces", URIS[0]),))
    line.believe(0.1)
    return line


def kind_of(record_id: str) -> str:
    """Give the kind an id of the stories has."""
    return KINDS.get(record_id, KINDS[record_id[0]])


@st.composite
def writes(draw: st.DrawFn, record_id: str) -> Write:
    """Give a write of a record, right or wrong."""
    if draw(st.integers(0, 9)) == 0:
        return Write(id=record_id, delete=True)
    kind = kind_of(record_id)
    parts = dict(TEST) if kind == "hypothesis" and draw(st.booleans()) else {}
    statuses = [status.name for status in BASE.kinds[kind].statuses]
    if bool(statuses) and draw(st.booleans()):
        parts["status"] = draw(st.sampled_from(statuses))
    if draw(st.booleans()):
        parts["body"] = draw(st.sampled_from(["", "one", "two"]))
    if kind != "document" and draw(st.booleans()):
        parts["owner"] = draw(st.sampled_from([None, "Ada", "Bo"]))
    if draw(st.integers(0, 3)) == 0:
        sources = draw(st.lists(st.sampled_from(["u", "doc", "d1"]), max_size=2))
        parts["evidence"] = tuple(cite(uri, draw(st.sampled_from(["", "q"]))) for uri in sources)
    names = [link.name for link in BASE.links.values() if kind in link.from_kinds or not link.from_kinds]
    links = {
        name: draw(st.lists(st.sampled_from(IDS), max_size=2, unique=True))
        for name in draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    }
    return write(record_id, kind if draw(st.integers(0, 3)) else "", links=links, **parts)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """Give one step of a story."""
    what = draw(st.sampled_from(["write", "write", "believe", "revise", "affirm", "report", "tick", "facts", *REVIEWS]))
    if what in REVIEWS:
        edited = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=2, unique=True))
        writes_of = tuple(draw(writes(one)) for one in edited)
        return Step(what, (draw(st.integers(0, 5)), draw(st.integers(0, 3)), writes_of, draw(REVIEWERS)))
    if what == "write":
        ids = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True))
        return Step(what, (tuple(draw(writes(one)) for one in ids), draw(ACTORS)))
    if what == "believe":
        return Step(what, (draw(st.sampled_from([0.05, 0.3, 0.5, 0.7, 0.95])),))
    if what == "revise":
        return Step(what, draw(revisions()))
    if what in {"affirm", "facts"}:
        first, second = (IDS, st.integers(0, 30)) if what == "affirm" else (range(len(FACTS)), ACTORS)
        return Step(what, (draw(st.sampled_from(first)), draw(second)))
    return Step(what, (draw(st.sampled_from(["present", "absent"])),) if what == "report" else ())


@st.composite
def revisions(draw: st.DrawFn) -> tuple[object, ...]:
    """Give one revision of a document: where it lives and lived, its text, its status and its references."""
    uri = draw(st.sampled_from(URIS))
    names = st.sampled_from(["replaces", "amends", "depends_on"])
    targets = st.sampled_from([*URIS, "a/#1", "a/#2", "id:d1"])
    references = draw(st.lists(st.tuples(names, targets, st.sampled_from(["out", "in"])), max_size=3))
    return (
        uri,
        draw(st.sampled_from(["one", "two"])),
        draw(st.sampled_from(["active", "superseded", "draft"])),
        tuple(ref(*reference) for reference in references),
        draw(st.sampled_from(["", "", "", *URIS])),
        draw(st.sampled_from(["", "ada"])),
        draw(st.integers(0, 7)) == 0,
    )


def tell(line: Line, step: Step) -> Changes:
    """Let one step happen."""
    return TOLD[step.what](line, *step.parts)


def affirm(line: Line, record_id: str, through: int) -> Changes:
    """Affirm a record, as of a seq that there is."""
    return line.affirm(record_id, min(through, line.workspace.seq))


def pass_on(line: Line, which: int, actor: Actor) -> Changes:
    """Let fusion pass something on; told again at once, what it says stands already."""
    first = line.feed(Beliefs(meta=line.meta(actor, "observation"), **FACTS[which]))
    once = FACTS[which].keys() & {"resolution", "findings", "intents"}
    again = line.feed(Beliefs(meta=line.meta(actor, "observation"), **FACTS[which])) if once else None
    assert again is None or () == again.changes
    return first


def wait(line: Line) -> Changes:
    """Let a day pass."""
    line.now_us += DAY_US
    return line.tick()


def revise(  # noqa: PLR0913, PLR0917 - a revision's parts
    line: Line,
    uri: str,
    text: str,
    status: str,
    references: tuple[Reference, ...],
    former: str,
    author: str,
    deleted: bool,  # noqa: FBT001 - as they were drawn
) -> Changes:
    """Let a document change."""
    return line.revise(
        uri, text, status=status, references=references, former_uri=former, author=author, deleted=deleted
    )


def review(what: str) -> Callable[..., Changes]:
    """Publish, edit or reject one of the proposals there have been, open or closed, whole or in part."""

    def tell(line: Line, which: int, chosen: int, writes: tuple[Write, ...], actor: Actor) -> Changes:
        """Ask for it as it was shown."""
        asked = [change.proposal for output in line.outputs for change in output.changes if change.proposal is not None]
        shown = [*line.proposals(), *asked[-1:]]
        if not shown:
            return line.tick()
        proposal = shown[which % len(shown)]
        told: dict[str, Any] = {"proposal_id": proposal.id, "digest": digest_of(proposal)}
        part: dict[str, object] = {
            "publish": PublishProposal(**told, record_ids=tuple(one.id for one in proposal.batch.writes)[:chosen]),
            "edit": EditProposal(**told, writes=writes),
            "reject": RejectProposal(**told, reason="no"),
        }
        return line.command(actor, key="", **{what: part[what]})

    return tell


TOLD: dict[str, Callable[..., Changes]] = {
    "write": lambda line, written, actor: line.write(*written, actor=actor),
    "believe": Line.believe,
    "affirm": affirm,
    "report": lambda line, word: line.report("u", **{word: "q"}),
    "tick": wait,
    "revise": revise,
    "facts": pass_on,
    **{what: review(what) for what in ("publish", "edit", "reject")},
}
"""How each kind of step happens."""


def check_heads(line: Line) -> None:
    """Heads say what records say, and the indexes what heads say."""
    heads, held = line.workspace.heads, line.workspace.held
    assert held.keys() == heads.records.keys()
    for record_id, head in heads.records.items():
        record = held[record_id]
        links = [(link.name, link.to) for link in record.links if link.state == "confirmed"]
        assert [one for one in links if BASE.links[one[0]].rests] == [(one.name, one.to) for one in head.grounds]
        assert [one for one in links if not BASE.links[one[0]].rests] == [(one.name, one.to) for one in head.others]
        assert [(one.uri, quote_digest(one.quote)) for one in record.resting] == [
            (one.uri, one.quote) for one in head.citations
        ]
        assert (record.status, record.version, record.deleted) == (head.status, head.version, head.deleted)
        assert list(head.moves) == sorted(head.moves, key=lambda move: move.seq)
    linked = {(ground.to, head.id) for head in heads.records.values() for ground in head.grounds + head.others}
    assert linked == {(to, record_id) for to, ids in heads.linked_from.items() for record_id in ids}
    citing = {(one.uri, head.id) for head in heads.records.values() for one in head.citations}
    assert citing == {(uri, record_id) for uri, ids in heads.citing.items() for record_id in ids}


def check_reversals(line: Line) -> None:
    """Nothing in force replaces something in force."""
    held = line.workspace.held
    for record in held.values():
        for link in record.links if in_force(BASE, record) else ():
            assert not (BASE.links[link.name].supersedes and in_force(BASE, held.get(link.to))), (record.id, link)


def check_person_set(before: dict[str, Held], line: Line, output: Changes) -> None:
    """What a person set no agent, service or evidence changes."""
    written = [(change, change.record) for change in output.changes if change.record is not None]
    persons = {record.id for _, record in written if (record.by or output.meta.actor).kind == "person"}
    for change, record in written:
        if record.id in persons or record.id not in before:
            continue
        old, new = before[record.id], line.workspace.held[record.id]
        if change.action == "record.deleted":
            assert frozenset() == old.person_set
            continue
        for field in record.after.fields:
            if f"field:{field.name}" in old.person_set and not old.deleted:
                assert old.fields.get(field.name) == new.fields.get(field.name)
        if not old.deleted and "label" in old.person_set:
            assert old.label == new.label


def check_proposals(line: Line) -> None:
    """Open proposals and who claims what in them are indexed as they stand."""
    heads = line.workspace.heads
    on = {(one.id, proposal.id) for proposal in heads.proposals.values() for one in proposal.batch.writes}
    assert on == {(record, one) for record, ids in line.workspace.proposals_on.items() for one in ids}
    claimed = {
        (link.to, proposal.id, one.id)
        for proposal in heads.proposals.values()
        for one in proposal.batch.writes
        for links in one.links
        for link in links.links
        if BASE.links[links.name].supersedes
    }
    assert {one[:2] for one in claimed} == {(to, one) for to, ids in heads.claimed.items() for one in ids}
    assert claimed >= {(to, one, by) for to, ids in heads.claimed.items() for one, by in ids.items()}
    for proposal in heads.proposals.values():
        assert ("open", False) == (proposal.state, proposal.by is None)
        assert sorted(one.id for one in proposal.batch.writes) == [base.record_id for base in proposal.base]
        if proposal.why == "evidence_disagrees" and proposal.edited_by is None:
            assert f'"{line.held(proposal.record_id).status}"' != proposal.batch.writes[0].fields[0].value


def check_review(line: Line, step: Step, output: Changes) -> None:
    """What was published stands as its publisher's; what is closed stays closed and says how."""
    for change in output.changes:
        record, proposal = change.record, change.proposal
        if record is not None and record.proposal_id:
            deleted = change.action == "record.deleted"
            assert ("publish", not deleted, None) == (step.what, record.baseline, record.by)
            assert "given" == record.confirmation or deleted
        if proposal is not None and change.action == "proposal.closed":
            assert (proposal.state, change.seq) == (
                line.workspace.reviewed.closed[proposal.id].state,
                line.workspace.reviewed.closed[proposal.id].seq,
            )
            assert proposal.id not in line.workspace.heads.proposals


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([Line, begun]), st.lists(steps(), max_size=25))
def test_what_always_holds(begin: Callable[[], Line], story: list[Step]) -> None:
    """Heads, indexes, reversals and what persons set hold after every step, and seqs have no gaps."""
    line = begin()
    for step in story:
        before = dict(line.workspace.held)
        output = tell(line, step)
        check_heads(line)
        check_reversals(line)
        check_person_set(before, line, output)
        check_proposals(line)
        check_review(line, step, output)
        assert output.refusal is None or () == output.changes
    seqs = [change.seq for output in line.outputs for change in output.changes]
    assert list(range(1, len(seqs) + 1)) == seqs
    for record_id in line.workspace.held:
        line.read(record_id)


@settings(max_examples=25, deadline=None)
@given(st.lists(steps(), max_size=20), st.integers(0, 20))
def test_halves_fold_to_the_whole(story: list[Step], cut: int) -> None:
    """Folding all outputs, or half of them and then the rest, gives the live state."""
    line = begun()
    for step in story:
        tell(line, step)
    evolve, state = evolver(BASE), State()
    for output in line.outputs[:cut]:
        evolve(state, output)
    for output in line.outputs[cut:]:
        evolve(state, output)
    assert line.state == state


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_documents_come_in_any_order(data: st.DataObject) -> None:
    """Texts that agree state the same links, statuses and open ends in whatever order they are first seen."""
    ways = st.sampled_from([("amends", "out"), ("amends", "in"), ("depends_on", "out")])
    targets = st.sampled_from([*URIS, "a/#1", "a/#9", "a/gone.md"])
    stated = st.lists(st.tuples(ways, targets), max_size=3)
    references = {
        uri: tuple(ref(name, target, direction) for (name, direction), target in data.draw(stated)) for uri in URIS
    }
    seen = []
    for order in permutations(URIS):
        line = Line()
        for uri in order:
            line.revise(uri, references=references[uri])
        records = sorted(line.workspace.held.items())
        links = [(one, sorted(line.linked(one)), held.status) for one, held in records]
        loose = [set(held.upstream.unresolved) for _, held in records if held.upstream is not None]
        seen.append((links, loose, {line.read(one).state for one, _ in records}))
    assert all(one == seen[0] for one in seen)
    assert {"current"} == seen[0][2]


@settings(max_examples=6, deadline=None)
@given(st.permutations(["old", "new", "rest"]))
def test_supersession_comes_in_any_order(order: list[str]) -> None:
    """An old text that names its successor, and a new one that does not: the link is there, whichever came first."""
    line = Line()
    for which in order:
        if which == "old":
            line.revise(URIS[0], status="superseded", references=(ref("replaces", URIS[1], "in"),))
        elif which == "new":
            line.revise(URIS[1])
        else:
            line.revise(URIS[2], references=(ref("depends_on", URIS[1]),))
    assert [("replaces", "1-x", "to")] == line.linked("2-y")
    assert [("depends_on", "2-y", "from")] == line.linked("3-z")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95]), max_size=12))
def test_status_follows_the_thresholds(probabilities: list[float]) -> None:
    """A status by evidence is what the thresholds make of the beliefs so far; one that a person set stays."""
    line = Line()
    line.write(write("h", "hypothesis", **TEST), write("p", "hypothesis", status="supported", **TEST))
    status = "open"
    for probability in probabilities:
        line.believe(probability, mass=200.0)
        falls = {"supported": probability < 0.6, "refuted": probability > 0.4, "open": False}[status]
        status = "supported" if probability > 0.8 else "refuted" if probability < 0.2 else "open" if falls else status
        assert (status, "supported") == (line.held("h").status, line.held("p").status)


def digest() -> str:
    """Give the digest of the outputs of one long story."""
    line = Line()
    for number in range(3):
        line.write(write(f"d{number}", "decision"), write(f"h{number}", "hypothesis", **TEST))
        line.write(write(f"r{number}", "rule", links={"based_on": [f"d{number}"], "relates_to": ["h0", "d0"]}))
        line.believe(0.1 + 0.4 * number)
        line.revise(URIS[number], references=tuple(ref("amends", uri, "in") for uri in URIS if uri != URIS[number]))
        line.revise(URIS[number], "two", references=(ref("replaces", "a/#1"),))
        line.write(write(f"d{number}", status="withdrawn", owner="Ada"), actor=AGENT)
        line.report("u", absent="q")
        for which in range(len(FACTS)):
            pass_on(line, which, AGENT)
    first, second, *_ = line.proposals()
    line.publish(first)
    line.edit(second, write("d0", owner="Cy"), write("n", "decision", links={"replaces": ["1-x", "d1"]}))
    line.reject(line.proposals()[-1])
    return hashlib.sha256(b"".join(encode(output) for output in line.outputs)).hexdigest()


def test_same_bytes_under_two_hash_seeds() -> None:
    """Outputs do not depend on the order of sets."""
    assert {digest()} == digests_of(__file__)
