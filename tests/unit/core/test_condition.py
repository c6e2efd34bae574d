"""Conditions of hypotheses, worked out from the last belief alone."""

import pytest
from msgspec import Struct

from stanchion_core.condition import Condition, Outlook, outlook, satisfies, verdict

DAY_US = 86_400 * 1_000_000


class Said(Struct, frozen=True, kw_only=True):
    """A value."""

    type: str = "number"
    text: str
    unit: str = ""
    op: str = ""


class State(Struct, frozen=True, kw_only=True):
    """One candidate of a belief."""

    value: Said
    evidence: float
    against: float = 0.0


class Stored(Struct, frozen=True, kw_only=True):
    """A stored belief."""

    values: tuple[State, ...]
    unnamed: float = 0.0
    unlisted: float = 0.0
    unlisted_values: int = 0
    undecayed: float
    half_life_s: int = 90 * 86_400
    time_us: int = 0
    multi_valued: bool = False
    tolerance: float = 0.0


FIVE = Stored(values=(State(value=Said(text="5"), evidence=5.6),), undecayed=5.6)
MONEY = Said(type="money", text="5000000000", unit="USD")


@pytest.mark.parametrize(
    ("value", "op", "asked", "expected"),
    [
        (Said(text="5"), "equals", Said(text="5.0"), True),
        (Said(text="5"), "at least", Said(text="5"), True),
        (Said(text="5"), "at least", Said(text="6"), False),
        (Said(text="5"), "at most", Said(text="6"), True),
        (Said(text="5", op=">="), "at least", Said(text="4"), True),
        (Said(text="5", op=">="), "at most", Said(text="9"), False),
        (Said(text="5", op="<"), "at most", Said(text="5"), True),
        (Said(type="range", text="3..5"), "at least", Said(text="4"), False),
        (Said(type="range", text="3..5"), "at least", Said(type="range", text="3..4"), True),
        (Said(text="4"), "equals", Said(type="range", text="3..5"), True),
        (Said(type="duration", text="2", unit="h"), "at least", Said(type="duration", text="90", unit="min"), True),
        (Said(type="duration", text="2", unit="h"), "at least", Said(text="1"), False),
        (Said(type="percent", text="5"), "equals", Said(text="0.05"), True),
        (MONEY, "at least", Said(type="money", text="4e9", unit="usd"), True),
        (MONEY, "at least", Said(type="money", text="1", unit="EUR"), False),
        (Said(type="date", text="2026-03-09"), "equals", Said(type="date", text="2026-03"), True),
        (Said(type="date", text="2026-03"), "equals", Said(type="date", text="2026-03-09"), False),
        (Said(type="date", text="2026-03"), "at most", Said(type="date", text="2026"), True),
        (Said(type="date", text="2026-02-30"), "at most", Said(type="date", text="2026"), False),
        (Said(type="string", text="red"), "equals", Said(type="string", text="red"), True),
        (Said(type="string", text="red"), "at least", Said(type="string", text="blue"), False),
        (Said(text="many"), "at least", Said(text="1"), False),
        (Said(type="boolean", text="true"), "true", None, True),
        (Said(type="boolean", text="false"), "true", None, False),
        (Said(text="5"), "equals", None, False),
    ],
)
def test_satisfies(value: Said, op: str, asked: Said | None, *, expected: bool) -> None:
    """A value meets a condition only when all it can be does."""
    assert expected == satisfies(value, Condition(op=op, value=asked))  # type: ignore[arg-type] # literals by the table


def test_outlook_at_once_is_the_belief() -> None:
    """At the belief's own time the probability is the belief's."""
    seen = outlook(Condition(op="equals", value=Said(text="5")), FIVE, 0)
    assert ("0.868421", "0.263158", False) == (f"{seen.probability:.6f}", f"{seen.vacuity:.6f}", seen.stale)


def test_outlook_decays() -> None:
    """180 days later it is what fusion would say then, from the stored belief alone."""
    seen = outlook(Condition(op="at most", value=Said(text="6")), FIVE, 181 * DAY_US)
    assert ("0.705", "0.590", True) == (f"{seen.probability:.3f}", f"{seen.vacuity:.3f}", seen.stale)


def test_outlook_counts_what_is_not_listed() -> None:
    """Values that are not listed keep their share of the prior and of the mass."""
    crowded = Stored(values=FIVE.values, unlisted=5.6, unlisted_values=3, undecayed=11.2)
    seen = outlook(Condition(op="equals", value=Said(text="5")), crowded, 0)
    assert (5.6 + 2 / 5) / 13.2 == pytest.approx(seen.probability)


def test_boolean_base_rate() -> None:
    """Of a boolean claim each value has a half of the prior."""
    values = (
        State(value=Said(type="boolean", text="true"), evidence=2.0),
        State(value=Said(type="boolean", text="false"), evidence=0.0),
    )
    seen = outlook(Condition(op="true"), Stored(values=values, undecayed=2.0), 0)
    assert Outlook(probability=0.75, vacuity=0.5, stale=False) == seen


@pytest.mark.parametrize(
    ("status", "probability", "vacuity", "expected"),
    [
        ("open", 0.80, 0.40, "supported"),
        ("open", 0.80, 0.41, "open"),
        ("open", 0.20, 0.40, "refuted"),
        ("open", 0.79, 0.10, "open"),
        ("supported", 0.60, 0.90, "supported"),
        ("supported", 0.59, 0.30, "open"),
        ("supported", 0.10, 0.30, "refuted"),
        ("refuted", 0.40, 0.30, "refuted"),
        ("refuted", 0.41, 0.30, "open"),
        ("abandoned", 0.50, 0.10, "abandoned"),
    ],
)
def test_verdict(status: str, probability: float, vacuity: float, expected: str) -> None:
    """Supported or refuted from 0.80 with little vacuity; open again only below 0.60."""
    assert expected == verdict(status, Outlook(probability=probability, vacuity=vacuity, stale=False))


RED = Said(type="string", text="red")
SEVERAL = Stored(
    values=(
        State(value=RED, evidence=5.6),
        State(value=Said(text="7"), evidence=2.0, against=2.0),
        State(value=Said(type="boolean", text="true"), evidence=2.0, against=1.0),
        State(value=Said(type="boolean", text="false"), evidence=1.0, against=2.0),
    ),
    undecayed=12.6,
    multi_valued=True,
)


@pytest.mark.parametrize(
    ("condition", "probability", "vacuity"),
    [
        (Condition(op="equals", value=RED), 6.6 / 7.6, 2 / 7.6),
        (Condition(op="equals", value=Said(text="7")), 0.5, 2 / 6),
        (Condition(op="at least", value=Said(text="6")), 0.5, 2 / 6),
        (Condition(op="true"), 3 / 5, 2 / 5),
        (Condition(op="equals", value=Said(text="8")), 0.5, 1.0),
    ],
)
def test_outlook_of_several_values(condition: Condition, probability: float, vacuity: float) -> None:
    """Of a multi-valued belief it asks the value that meets it, alone; of one nobody named nothing is known."""
    seen = outlook(condition, SEVERAL, 0)
    assert (f"{probability:.9f}", f"{vacuity:.9f}") == (f"{seen.probability:.9f}", f"{seen.vacuity:.9f}")


def test_several_values_age() -> None:
    """What is for a value and what is against it age alike, down to the prior; all of it says whether it is stale."""
    seen = outlook(Condition(op="equals", value=Said(text="7")), SEVERAL, 180 * DAY_US)
    assert (0.5, "0.667", False) == (seen.probability, f"{seen.vacuity:.3f}", seen.stale)
    assert outlook(Condition(op="true"), SEVERAL, 181 * DAY_US).stale


def test_likeliest_of_several_that_meet_it() -> None:
    """A condition that more than one value meets is as likely as the likeliest of them, at least."""
    values = tuple(State(value=Said(text=text), evidence=mass) for text, mass in (("7", 2.0), ("8", 5.6)))
    belief = Stored(values=values, undecayed=7.6, multi_valued=True)
    assert 6.6 / 7.6 == outlook(Condition(op="at least", value=Said(text="6")), belief, 0).probability


def test_equals_within_the_tolerance() -> None:
    """A number equals another that is near enough; a bound is no nearer for it."""
    near, far = Condition(op="equals", value=Said(text="5.2")), Condition(op="equals", value=Said(text="5.3"))
    tolerant = Stored(values=FIVE.values, undecayed=5.6, tolerance=0.04)
    assert ["0.868421", "0.000000"] == [f"{outlook(one, tolerant, 0).probability:.6f}" for one in (near, far)]
    assert (
        0.0
        == outlook(near, FIVE, 0).probability
        == outlook(Condition(op="at least", value=near.value), FIVE, 0).probability
    )
