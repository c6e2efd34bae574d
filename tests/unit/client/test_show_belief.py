import struct
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from stanchion.believed import (
    Belief,
    BeliefPage,
    Bin,
    Calibration,
    Calibrations,
    ClaimName,
    Contribution,
    Finding,
    Intent,
    Learned,
    Trust,
    ValueState,
)
from stanchion.diagram import CannotDraw, draw
from stanchion.results import Answer, BeliefPolicy, MovedBelief, Value
from stanchion.show import belief as show_belief
from stanchion.show import beliefs as show_beliefs
from stanchion.show import calibration as show_calibration

NOW = datetime(2026, 11, 30, 13, 5, 7, tzinfo=UTC)
FIVE = Value(type="money", text="5000000000", unit="USD")
SEVEN = Value(type="money", text="7000000000", unit="USD")


def lines(shown: Text, width: int = 160) -> list[str]:
    """Give a text as a terminal without colours shows it."""
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(shown, no_wrap=True, crop=False)
    return [each.rstrip() for each in out.getvalue().splitlines()]


def test_a_belief_says_why() -> None:
    """Each voice has what its weight is made of, the rule that read it and where; trust has what it rests on."""
    belief = Belief(
        workspace="docs",
        subject="tam",
        predicate="is",
        values=(
            ValueState(value=FIVE, probability=0.75, evidence=4.2),
            ValueState(value=SEVEN, probability=0.125, evidence=0.3),
        ),
        values_total=3,
        vacuity=0.25,
        dissonance=0.6,
        seq=9,
        as_of=NOW,
        half_life_days=90,
        contradicted=True,
        stale=True,
        resolved=FIVE,
        contributions=(
            Contribution(id="c2", value=SEVEN, evidence="inference", source="bot", agent="bot", displaced=True),
            Contribution(
                id="c1",
                value=FIVE,
                denial=True,
                evidence="measurement",
                source="crm",
                agent="bot",
                observed_at=NOW - timedelta(days=90),
                weight=2.25,
                strength=0.5,
                rule="level",
                begin=4,
                end=18,
            ),
        ),
        contributions_total=4,
        trust=(
            Trust(name="bot", value=0.7, basis="default"),
            Trust(name="crm", value=0.85, basis="outcomes", hits=10, judged=10),
        ),
    )
    assert (
        """\
tam · is
workspace docs · seq 9 · half-life 90 days

  5,000,000,000 USD  0.750  ██████████████████        evidence 4.200
  7,000,000,000 USD  0.125  ███                       evidence 0.300
  and 1 other value

turned out     5,000,000,000 USD
vacuity        0.250  how much no evidence backs
dissonance     0.600  how much is in conflict
contradicted   its values contradict each other: find out, then resolve
stale          its evidence is old: look again

weight     says                   evidence     base  · agent  · source  · strength  · age  source  agent  \
observed             found by
2.250      not 5,000,000,000 USD  measurement  8     0.70     0.85      0.5         0.5    crm     bot    \
2026-09-01 13:05:07  level at 4 to 18
displaced  7,000,000,000 USD      inference    1     0.70               1           1      bot     bot
and 2 older voices

weight = base · trust of agent and source · strength · age; P = (evidence + 2 · base rate) / (all + 2)

trust
0.700  bot  nobody said, and nothing is known
0.850  crm  right 10 of 10 times""".splitlines()
        == lines(show_belief.render(belief))
    )


def test_a_slip_in_a_resolution_is_seen() -> None:
    """What nobody had said is told with what there is."""
    slip = Belief(
        subject="tam", predicate="is", values=(ValueState(value=FIVE),), resolved=Value(type="string", text="5B")
    )
    assert ["turned out  5B  which nobody had said; there is 5,000,000,000 USD"] == lines(show_belief.outcome(slip))
    unheard = Belief(subject="nix", predicate="is", resolved=FIVE)
    assert ["turned out  5,000,000,000 USD  of which nobody had said anything"] == lines(show_belief.outcome(unheard))


@pytest.mark.parametrize(
    ("values", "told", "multi_valued", "right"),
    [
        ((Value(type="duration", text="90", unit="min"),), Value(type="duration", text="1.5", unit="h"), False, True),
        ((Value(type="number", text="100"),), Value(type="number", text="101"), False, True),
        ((Value(type="number", text="100"),), Value(type="number", text="103"), False, False),
        ((FIVE, SEVEN), SEVEN, False, False),
        ((FIVE, SEVEN), SEVEN, True, True),
    ],
    ids=["unit", "tolerance", "beyond", "second", "several"],
)
def test_what_turned_out_is_seen_as_the_line_judges_it(
    values: tuple[Value, ...], told: Value, *, multi_valued: bool, right: bool
) -> None:
    """Units and tolerance are heeded in list and answer alike; the second likeliest is right where several are."""
    states = tuple(ValueState(value=each, probability=0.5) for each in values)
    belief = Belief(
        subject="x", predicate="is", values=states, resolved=told, tolerance=0.01, multi_valued=multi_valued
    )
    shown = lines(show_beliefs.table(BeliefPage(beliefs=(belief,), total=1), "docs", 110))[1]
    assert right == ("turned out so" in shown)
    assert (right or values[-1] == told) == ("held at P" in lines(show_belief.outcome(belief))[0])


def test_a_belief_of_several_values_says_so() -> None:
    """Each value has the evidence against it; how numbers go together, and that nothing ages, are told."""
    state = ValueState(value=Value(type="string", text="a\nb"), probability=0.5, evidence=1, against=1)
    belief = Belief(subject="t", predicate="tag", values=(state,), multi_valued=True, tolerance=0.01)
    shown = lines(show_belief.render(belief))
    assert "workspace  · seq 0 · no decay · several values may be true · numbers within 1.00% are one" == shown[1]
    assert "  a b  0.500  ████████████              evidence 1.000, against 1.000" == shown[3]


def test_a_list_of_beliefs() -> None:
    """One line a belief: how likely, what, how open, what is special about it."""
    page = BeliefPage(
        beliefs=(
            Belief(subject="tam", predicate="is", values=(ValueState(value=FIVE, probability=0.868),), vacuity=0.26),
            Belief(subject="x", predicate="is", stale=True, contradicted=True, vacuity=1),
            Belief(subject="y", predicate="is", values=(ValueState(value=FIVE, probability=0.9),), resolved=FIVE),
            Belief(subject="z", predicate="is", values=(ValueState(value=FIVE, probability=0.9),), resolved=SEVEN),
        ),
        as_of_seq=7,
        total=9,
    )
    assert (
        """\
P      value              open  state                         claim
0.868  5,000,000,000 USD  26%                                 tam · is
                          100%  contradicted, stale           x · is
0.900  5,000,000,000 USD  0%    turned out so                 y · is
0.900  5,000,000,000 USD  0%    turned out 7,000,000,000 USD  z · is

4 of 9 beliefs · workspace docs · as of seq 7 · --limit 9""".splitlines()
        == lines(show_beliefs.table(page, "docs", 110, "--limit 9"))
    )
    assert ["0 of 0 beliefs · workspace docs · as of seq 0"] == lines(show_beliefs.table(BeliefPage(), "docs", 110))


def test_what_was_learned() -> None:
    """What moved from what to what, what was noted, what waits and what was left out; or that nothing moved."""
    found = Learned(
        observation_id="o",
        moved=(
            MovedBelief(subject="tam", predicate="is", value=FIVE, probability=0.868, vacuity=0.26),
            MovedBelief(subject="tam", predicate="was", value_before=FIVE, probability_before=0.5),
        ),
        intents=("i1", "i2"),
        left_out=("“Is it?” asks",),
        answer=Answer(proposals=("prop_1",)),
    )
    assert (
        """\
moved  tam · is  nothing → 5,000,000,000 USD 0.868  26% open
moved  tam · was  5,000,000,000 USD 0.500 → nothing  0% open
noted  2 intents: never evidence; `stanchion intents -w x` lists them
waits  proposal prop_1: stanchion review -w x
left out  “Is it?” asks""".splitlines()
        == lines(show_beliefs.learned(found, " -w x"))
    )
    again = Learned(observation_id="o", answer=Answer(repeated_command=True))
    assert ["nothing moved  it had come before"] == lines(show_beliefs.learned(again))
    assert "counts for nothing" in lines(show_beliefs.learned(Learned(observation_id="o")))[0]


def test_findings_intents_trust_and_policies() -> None:
    """Each is a table, one a line; where there is none, that is said."""
    related = (ClaimName(subject="arr", predicate="is"),)
    found = [
        Finding(kind="contradiction", subject="tam", predicate="is", detail="5 and 7", found_at=NOW),
        Finding(kind="related", subject="tam", predicate="is", related=related, detail="share a source"),
        Finding(kind="trust_moved", subject="crm", detail="0.7 to 0.9"),
    ]
    assert (
        """\
what           found (UTC)          claim     why
contradiction  2026-11-30 13:05:07  tam · is  5 and 7
related                             tam · is  share a source (arr · is)
trust moved                         crm       0.7 to 0.9""".splitlines()
        == lines(show_beliefs.findings(found, 110))
    )
    wanted = [
        Intent(id="i", kind="goal", holder="maya", gist="target\nenterprise", last_said_on="2026-11-30"),
        Intent(id="j", kind="constraint", gist="no PII", status="dropped", noted_at=NOW),
    ]
    assert (
        """\
kind        of    last said   in their words     id
goal        maya  2026-11-30  target enterprise  i
constraint        2026-11-30  no PII (dropped)   j""".splitlines()
        == lines(show_beliefs.intents(wanted, 110))
    )
    trusted = [
        Trust(name="crm", value=0.9, basis="setting", setting=0.9, hits=1, judged=2),
        Trust(name="web", value=0.4, basis="consensus", consensus=0.4),
    ]
    assert (
        """\
trust  name  why                       right   agrees
0.900  crm   a person set it           1 of 2
0.400  web   as it agrees with others          0.400""".splitlines()
        == lines(show_beliefs.trust(trusted))
    )
    policies = [BeliefPolicy(half_life="fast", consensus=True), BeliefPolicy(predicate="tag", multi_valued=True)]
    assert (
        """\
predicate  half-life  values               tolerance  consensus
(all)      fast       one                             on
tag        as above   several may be true""".splitlines()
        == lines(show_beliefs.policies(policies))
    )
    for nothing, said in (
        (show_beliefs.findings([], 80), "nothing is found"),
        (show_beliefs.intents([], 80), "nobody has said"),
        (show_beliefs.trust([]), "default, 0.7"),
        (show_beliefs.policies([]), "nothing is set"),
    ):
        assert said in lines(nothing)[0]


def calibrations() -> Calibrations:
    """Give the calibration of a team that is too sure of itself."""
    bins = [Bin(begin=n / 10, end=(n + 1) / 10) for n in range(10)]
    bins[8] = Bin(begin=0.8, end=0.9, count=4, confidence=0.85, hits=0.5)
    told = Calibration(by="all", count=4, hits=2, brier=0.37, error=0.35, bins=tuple(bins))
    crm = Calibration(by="source", name="cr$m\x1b", count=4, hits=2, brier=0.37, error=0.35, bins=tuple(bins))
    return Calibrations(calibrations=(told, crm), resolved=4, as_of_seq=12)


def test_a_reliability_diagram_as_text() -> None:
    """The bar is how often it was right, the mark how often it should have been; the numbers stand below."""
    shown = lines(show_calibration.render(calibrations(), "docs"))
    assert f"0.8 to 0.9  {'█' * 20}{' ' * 14}┃{' ' * 7}50% of 4, stated 85%" == shown[9]
    assert (
        """\
by           name  judged  right  Brier  error
all beliefs        4       50%    0.370  0.350
source       cr$m  4       50%    0.370  0.350

4 claims resolved · workspace docs · as of seq 12""".splitlines()
        == shown[12:]
    )
    assert "stanchion resolve" in lines(show_calibration.render(Calibrations(), "docs"))[1]


def test_a_reliability_diagram_as_a_picture(tmp_path: Path) -> None:
    """It is a PNG of the size that it says, whatever sources are called; with nothing resolved it is empty axes."""
    for number, told in enumerate((calibrations().calibrations, ())):
        path = tmp_path / f"{number}.png"
        draw(told, path, "Reliability of $beliefs")
        raw = path.read_bytes()
        assert b"\x89PNG\r\n\x1a\n" == raw[:8]
        assert (900, 1_050) == struct.unpack(">II", raw[16:24])
        assert len(raw) > 5_000


def test_drawing_without_matplotlib_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is named, and no file is made."""
    for name in [each for each in sys.modules if each.split(".", maxsplit=1)[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(CannotDraw, match=r"stanchion\[plot\]"):
        draw((), tmp_path / "x.png", "x")
    assert [] == list(tmp_path.iterdir())
