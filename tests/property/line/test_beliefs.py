"""From what is said upstream to what a rule two links away reads, through all stages of the line."""

from collections import Counter

import msgspec
import pytest

from stanchion_contracts.change import Changes
from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.finding import Finding
from stanchion_contracts.observation import Body, Resolution, StatedClaim, Tick, TrustSetting
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.record import FieldValue, Link
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Value
from stanchion_core.walk import Step
from support.believing import number
from support.story import HOUR_US, Story
from support.validity import json_fields

SHARE = {"subject": "annual plan", "predicate": "share of revenue"}
AT_LEAST_HALF = {"op": "at least", "value": {"type": "percent", "text": "50", "unit": "%"}}
MANY = 450


def record(record_id: str, kind: str, links: dict[str, str] | None = None, /, **fields: object) -> Write:
    """Give a write of a record."""
    sets = [LinkSet(name=name, links=(Link(name=name, to=to),)) for name, to in (links or {}).items()]
    return Write(id=record_id, kind=kind, label=record_id, fields=json_fields(**fields), links=tuple(sets))


def pricing(story: Story, **fields: object) -> None:
    """Let a rule rest on a decision that assumes a hypothesis about a share of revenue."""
    hypothesis = {"status": "open", "claim": SHARE, "condition": AT_LEAST_HALF} | fields
    story.write(record("annual-sells", "hypothesis", {}, **hypothesis))
    story.write(record("annual-only", "decision", {"assumes": "annual-sells"}, status="active"))
    story.write(record("no-monthly", "rule", {"based_on": "annual-only"}, status="active"))


def measured(story: Story, share: int, *sources: str) -> list[Changes]:
    """Let systems measure the share of revenue."""
    return [story.measure(source, "Annual plan", "share of revenue", share, "%") for source in sources]


def moved(changes: Changes) -> set[str]:
    """Name the beliefs that moved."""
    return {change.subject_id for change in changes.changes if change.action == "belief.moved"}


def speak(story: Story, source: str, value: str, count: int = MANY) -> None:
    """Let a source speak on many claims, as many in a message as one may have."""
    claims = [StatedClaim(subject=f"s{n:03}", predicate="p", value=number(value)) for n in range(count)]
    for start in range(0, count, 200):
        story.ask(Body(claims=tuple(claims[start : start + 200])), source=source, path="tool-result")


def check_rest(story: Story, first: Changes, touched: int, gateways: int = 1) -> None:
    """Check that claims were re-evaluated, each once, at most two hundred a message, until nothing remained."""
    answers = story.reassess(first, gateways)
    names = [moved(changes) for changes in (first, *answers)]
    assert touched == sum(map(len, names)) == len(set[str]().union(*names))
    assert all(len(each) <= 200 for each in names)
    left = [changes.remaining for changes in (first, *answers)]
    assert left == sorted(left, reverse=True)
    assert (0, touched) == (left[-1], left[0] + len(names[0]))


def test_an_event_refutes_a_hypothesis_and_a_rule_two_links_away_says_so() -> None:
    """A number moves upstream: the belief moves, the hypothesis flips, decision and rule read it, by its path."""
    story = Story(twice=True)
    pricing(story)
    outputs = measured(story, 12, "/billing", "/ledger", "/survey")
    crossed = [change for changes in outputs for change in changes.changes if change.action == "record.written"]
    (flip,) = crossed
    assert flip.record is not None
    assert (FieldValue(name="status", value='"refuted"'),) == flip.record.after.fields
    (near,), (far,) = story.read("annual-only").reasons, story.read("no-monthly").reasons
    assert ("input_changed", "upstream_changed", flip.seq) == (near.kind, far.kind, far.seq)
    assert (Step("based_on", "annual-only"), Step("assumes", "annual-sells")) == far.path
    assert ("field", "status", "refuted") == (far.change.kind, far.change.name, far.change.to)
    story.chain.check()


def test_one_measurement_is_enough_and_one_citation_is_not() -> None:
    """As docs/hypotheses.md says: nobody known, a single fresh measurement decides, a citation needs a second one."""
    story = Story(twice=True)
    claim = {"subject": "tam", "predicate": "size"}
    for op in ("at least", "at most"):
        story.write(record(op.replace(" ", "-"), "hypothesis", claim=claim, condition={"op": op, "value": 5}))
    stated = Body(claims=(StatedClaim(subject="tam", predicate="size", value=number("6")),))
    statuses = []
    for source in ("gartner", "idc"):
        story.ask(stated, source=source, path="explicit-add")
        statuses.append([story.workspace.held[each].status for each in ("at-least", "at-most")])
    assert [["open", "open"], ["supported", "refuted"]] == statuses
    pricing(story)
    measured(story, 12, "/billing")
    assert "refuted" == story.workspace.held["annual-sells"].status
    story.chain.check()


def test_age_alone_falls_back_to_open() -> None:
    """Ticks let a belief fade until the hypothesis is open again, which is no second move."""
    story = Story(twice=True)
    story.ask(Body(policy=PolicySetting(predicate="Share of Revenue", half_life="fast")))
    pricing(story, condition={"op": "true"})
    for source in ("/billing", "/ledger", "/survey"):
        story.measure(source, "Annual plan", "share of revenue", value=False)
    assert "refuted" == story.workspace.held["annual-sells"].status
    days = 0
    while story.workspace.held["annual-sells"].status == "refuted" and days < 400:
        days += 1
        story.now_us += 24 * HOUR_US
        story.own(Body(tick=Tick(hour=story.now_us // HOUR_US)))
    assert "open" == story.workspace.held["annual-sells"].status
    assert 14 < days < 140
    assert 1 == len(story.read("annual-only").reasons)
    story.chain.check()


def test_a_status_that_a_person_set_waits_for_a_person() -> None:
    """Evidence never overwrites it: the crossing is one proposal, however often said, and goes when it swings back."""
    story = Story(twice=True)
    pricing(story, status="supported")
    measured(story, 12, "/billing", "/ledger", "/survey", "/billing")
    (proposal,) = story.proposals()
    assert ("evidence_disagrees", "annual-sells", "supported") == (
        proposal.why,
        proposal.record_id,
        story.workspace.held["annual-sells"].status,
    )
    assert "current" == story.read("annual-only").state
    measured(story, 70, "/billing", "/ledger", "/survey")
    assert () == story.proposals()
    story.chain.check()


def test_a_resolution_weighs_everything_anew_two_hundred_at_a_time() -> None:
    """What one claim turned out to be moves trust in who spoke on it, and with it all else that they said."""
    story = Story(twice=True)
    speak(story, "crm", "5")
    speak(story, "erp", "7", count=100)
    first = story.ask(Body(resolution=Resolution(subject="s000", predicate="p", value=number("7"))))
    resolved = first.changes[0].resolution
    assert resolved is not None
    assert [("crm", False), ("erp", True)] == [(one.source, one.hit) for one in resolved.judged]
    assert "s000 p: resolved as 7; 1 of 2 who spoke on it were right" == first.changes[0].reason
    check_rest(story, first, MANY)
    assert 0 == len(story.ask(Body(resolution=Resolution(subject="s000", predicate="p", value=number("7")))).changes)
    again = story.ask(Body(resolution=Resolution(subject="s000", predicate="p", value=None)))
    check_rest(story, again, MANY)
    story.chain.check()


def test_gateways_that_ask_for_the_same_lose_nothing() -> None:
    """Every gateway runs the errand: what the second asks came before, and still does its share of the work."""
    story = Story()
    speak(story, "crm", "5")
    first = story.ask(Body(trust=TrustSetting(name="crm", value=0.1)))
    check_rest(story, first, MANY, gateways=2)
    assert {0.56} == {round(belief.values[0].evidence, 6) for belief in story.workspace.beliefs.values()}
    story.chain.check()


def test_what_a_resolution_makes_of_trust_refutes_a_hypothesis() -> None:
    """A source that was wrong weighs less: what it alone held up falls."""
    story = Story(twice=True)
    claims = tuple(StatedClaim(subject=f"s{n}", predicate="p", value=number("5")) for n in range(12))
    story.ask(Body(claims=claims), source="crm", path="tool-result")
    claim = {"subject": "s11", "predicate": "p"}
    story.write(record("h", "hypothesis", claim=claim, condition={"op": "equals", "value": 5}))
    assert "supported" == story.workspace.held["h"].status
    for wrong in range(11):
        answer = story.ask(Body(resolution=Resolution(subject=f"s{wrong}", predicate="p", value=number("9"))))
        story.reassess(answer)
    assert "supported" == story.workspace.held["h"].status  # above 0.60 still: nobody says otherwise
    story.ask(Body(trust=TrustSetting(name="crm", value=0.0)))
    assert "open" == story.workspace.held["h"].status
    story.chain.check()


@pytest.mark.parametrize(
    "setting",
    [
        PolicySetting(half_life="fast"),
        PolicySetting(predicate="P", tolerance=0.5),
        PolicySetting(predicate="p", multi_valued=True),
    ],
)
def test_a_policy_weighs_everything_anew_two_hundred_at_a_time(setting: PolicySetting) -> None:
    """However beliefs are to be worked out, all that it touches is, and the same setting again touches nothing."""
    story = Story(twice=True)
    speak(story, "crm", "5")
    speak(story, "erp", "7")
    first = story.ask(Body(policy=setting))
    assert ("policy.set", "p" if setting.predicate else "acme") == (
        first.changes[0].action,
        first.changes[0].subject_id,
    )
    check_rest(story, first, MANY)
    again = story.ask(Body(policy=setting))
    assert ((), 0) == (again.changes, again.remaining)
    story.chain.check()


def test_a_policy_decides_which_hypotheses_hold() -> None:
    """Numbers that are near are one value, values that may be true at once each stand alone: by policy, and back."""
    story = Story(twice=True)
    for source, latency, language in (
        ("a", "100", "python"),
        ("b", "102", "go"),
        ("c", "98", "python"),
        ("d", "97", "go"),
    ):
        stated = {"latency": number(latency), "language": Value(type="string", text=language)}
        claims = tuple(StatedClaim(subject="api", predicate=name, value=value) for name, value in stated.items())
        story.ask(Body(claims=claims), source=source, path="tool-result")
    for name, predicate, value in (
        ("near", "latency", 100),
        ("python", "language", "python"),
        ("go", "language", "go"),
    ):
        claim = {"subject": "api", "predicate": predicate}
        story.write(record(name, "hypothesis", claim=claim, condition={"op": "equals", "value": value}))

    def holding() -> set[str]:
        return {held.id for held in story.workspace.held.values() if held.status == "supported"}

    assert set() == holding()
    story.ask(Body(policy=PolicySetting(predicate="latency", tolerance=0.05)))
    assert {"near"} == holding()
    story.ask(Body(policy=PolicySetting(predicate="language", multi_valued=True)))
    assert {"near", "python", "go"} == holding()
    story.ask(Body(policy=PolicySetting(predicate="language", multi_valued=False)))
    story.ask(Body(policy=PolicySetting(predicate="latency", tolerance=0.0)))
    assert set() == holding()
    story.chain.check()


def test_estimates_count_while_the_workspace_wants_them() -> None:
    """Consensus moves beliefs only where a policy asks for it; what it says before is known when it does."""
    story = Story(twice=True)
    speak(story, "crm", "5")
    estimates = Body(estimates=(Estimate(name="crm", trust=0.2, accuracy=0.4, claims=MANY),))
    told = story.own(estimates)
    assert (["trust.estimated"], 0) == ([change.action for change in told.changes], told.remaining)
    check_rest(story, story.ask(Body(policy=PolicySetting(consensus=True))), MANY)
    check_rest(story, story.own(Body(estimates=(Estimate(name="crm", trust=0.5, accuracy=0.6, claims=MANY),))), MANY)
    check_rest(story, story.ask(Body(policy=PolicySetting(consensus=False))), MANY)
    story.chain.check()


def test_findings_open_and_close() -> None:
    """What a look over all beliefs found is told when it begins and when it ends, and never twice."""
    story = Story(twice=True)
    found = Finding(kind="contradiction", subject="tam", predicate="size", detail="5 and 7, 0.46 each")
    ended = msgspec.structs.replace(found, closed=True)
    outputs = [story.own(Body(findings=(one,))) for one in (found, found, ended, ended, found)]
    assert [["finding.opened"], [], ["finding.closed"], [], ["finding.opened"]] == [
        [change.action for change in changes.changes] for changes in outputs
    ]
    story.chain.check()


def test_what_the_look_beside_the_line_finds_is_taken() -> None:
    """Contradictions, relations and consensus come back through ingest: told once, and again only when they change."""
    story = Story(twice=True)
    story.ask(Body(policy=PolicySetting(consensus=True)))
    for source, value in (("crm", "5"), ("erp", "5"), ("blog", "7"), ("wiki", "5"), ("news", "7")):
        speak(story, source, value, count=20)
    first = story.look()
    actions = Counter(change.action for changes in first for change in changes.changes)
    assert {"trust.estimated", "finding.opened", "belief.moved"} == actions.keys()
    kinds = {change.finding.kind for changes in first for change in changes.changes if change.finding is not None}
    assert {"contradiction", "related"} == kinds
    told = [change for changes in first for change in changes.changes if change.action == "trust.estimated"]
    assert {"blog", "news"} < {one.name for change in told if change.estimated for one in change.estimated.estimates}
    later = Counter(change.action for changes in (*story.look(), *story.look()) for change in changes.changes)
    assert later.keys() <= {"finding.opened", "finding.closed"}  # trust that moved is news once, and then over
    assert [] == [change for changes in story.look() for change in changes.changes]
    story.chain.check()


def test_halves_make_the_whole() -> None:
    """Said in one message or in many, by whom in which order ever: the same beliefs to the bit, the same statuses."""
    stories = [Story(), Story()]
    claims = [
        StatedClaim(subject=f"s{n % 3}", predicate="p", value=number(str(n % 2)), sample=str(n)) for n in range(12)
    ]
    for story in stories:
        story.ask(Body(policy=PolicySetting(predicate="p", half_life="none")))
        claim = {"subject": "s0", "predicate": "p"}
        story.write(record("h", "hypothesis", claim=claim, condition={"op": "equals", "value": 0}))
    together, apart = stories
    together.ask(Body(claims=tuple(claims)), observed_at_us=5)
    for one in reversed(claims):
        apart.ask(Body(claims=(one,)), observed_at_us=5)
    beliefs = [
        [msgspec.structs.replace(belief, time_us=0) for _, belief in sorted(story.workspace.beliefs.items())]
        for story in stories
    ]
    assert beliefs[0] == beliefs[1]
    assert stories[0].workspace.held["h"].status == stories[1].workspace.held["h"].status


def test_a_wish_moves_no_belief() -> None:
    """A wish in a text is a record, told in the answer; a thousand of them leave each belief as it was, bit for bit."""
    story = Story()
    measured(story, 12, "/billing")
    before = msgspec.msgpack.encode(list(story.workspace.beliefs.values()))
    answers = [story.ask(Body(text="We want the annual plan to make 60% of revenue.")) for _ in range(1_000)]
    assert before == msgspec.msgpack.encode(list(story.workspace.beliefs.values()))
    (landed,) = answers[0].landed
    assert [(landed,)] * 1_000 == [answer.landed for answer in answers]
    assert ("intent", "standing") == (
        story.workspace.held[landed.record_id].kind,
        story.workspace.held[landed.record_id].status,
    )
    story.chain.check()
