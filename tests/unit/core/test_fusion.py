"""The formula: every row of the table in the design, to the digits it prints."""

import math

import msgspec
import pytest
from msgspec import Struct

from stanchion_core.fusion import (
    HALF_LIVES_S,
    ClaimPolicy,
    Opinion,
    Spoken,
    dissonance,
    fuse,
    thin,
    weigh,
)

DAY_US = 86_400 * 1_000_000
NOW_US = 1_800_000_000_000_000


class Said(Struct, frozen=True, kw_only=True, order=True):
    """A value as the tests state one."""

    type: str = "number"
    text: str
    unit: str = ""
    op: str = ""


class Word(Struct, frozen=True, kw_only=True):
    """A contribution as the tests state one."""

    id: str
    value: Said
    positive: bool = True
    evidence: str = "citation"
    source: str = "s"
    agent: str = "s"
    sample: str = ""
    strength: float = 1.0
    observed_at_us: int = NOW_US


def number(text: str) -> Said:
    """Give a plain number."""
    return Said(text=text)


def truth(text: str) -> Said:
    """Give a boolean."""
    return Said(type="boolean", text=text)


def state(*words: Word, trust: dict[str, float] | None = None, half_life: str = "standard") -> Opinion[Said]:
    """Fuse the words at the tests' now."""
    return fuse(words, trust or {}, now_us=NOW_US, policy=ClaimPolicy(half_life_s=HALF_LIVES_S[half_life]))


def printed(opinion: Opinion[Said]) -> tuple[dict[str, str], str, str]:
    """Give an opinion as the design's table prints it."""
    return (
        {stance.value.text: f"{stance.probability:.6f}" for stance in opinion.values},
        f"{opinion.vacuity:.6f}",
        f"{opinion.dissonance:.6f}",
    )


MEASURED = Word(id="m", value=number("5"), evidence="measurement")
ROWS = {
    "one measurement of 5": ([MEASURED], {}, {"5": "0.868421"}, "0.263158", "0.000000"),
    "boolean: one measurement true, five agents infer false": (
        [
            Word(id="m", value=truth("true"), evidence="measurement"),
            *(Word(id=f"i{n}", value=truth("false"), evidence="inference", source="", agent=f"a{n}") for n in range(5)),
        ],
        {},
        {"true": "0.594595", "false": "0.405405"},
        "0.180180",
        "0.630631",
    ),
    "two sources cite 5": (
        [
            Word(id="a", value=number("5"), source="a", agent="a"),
            Word(id="b", value=number("5"), source="b", agent="b"),
        ],
        {},
        {"5": "0.868421"},
        "0.263158",
        "0.000000",
    ),
    "one cites 5, one cites 7": (
        [
            Word(id="a", value=number("5"), source="a", agent="a"),
            Word(id="b", value=number("7"), source="b", agent="b"),
        ],
        {},
        {"5": "0.456140", "7": "0.456140"},
        "0.263158",
        "0.736842",
    ),
    "one source cites 5 ten times": (
        [Word(id=f"c{n}", value=number("5"), observed_at_us=NOW_US - n) for n in range(10)],
        {},
        {"5": "0.791667"},
        "0.416667",
        "0.000000",
    ),
    "one source cites 5, later 7": (
        [Word(id="a", value=number("5"), observed_at_us=NOW_US - 1), Word(id="b", value=number("7"))],
        {},
        {"7": "0.791667"},
        "0.416667",
        "0.000000",
    ),
    "one source measures 5, later infers 7": (
        [
            Word(id="a", value=number("5"), evidence="measurement", observed_at_us=NOW_US - 1),
            Word(id="b", value=number("7"), evidence="inference"),
        ],
        {},
        {"5": "0.755020", "7": "0.164659"},
        "0.240964",
        "0.168675",
    ),
    "source crm measures 5; later an agent at 0.01 says crm measures 7": (
        [
            Word(
                id="a", value=number("5"), evidence="measurement", source="crm", agent="crm", observed_at_us=NOW_US - 1
            ),
            Word(id="b", value=number("7"), evidence="measurement", source="crm", agent="agent"),
        ],
        {"agent": 0.01},
        {"5": "0.818530", "7": "0.094392"},
        "0.261233",
        "0.014629",
    ),
    "one source cites 5, another denies it": (
        [
            Word(id="a", value=number("5"), source="a", agent="a"),
            Word(id="b", value=number("5"), source="b", agent="b", positive=False),
        ],
        {},
        {"5": "0.500000"},
        "0.263158",
        "0.736842",
    ),
    "one source denies 5, nobody names a value": (
        [Word(id="a", value=number("5"), positive=False)],
        {},
        {"5": "0.208333"},
        "0.416667",
        "0.000000",
    ),
    "agent at 0.5 cites a source at 0.9, value 34": (
        [Word(id="a", value=number("34"), source="source", agent="agent")],
        {"agent": 0.5, "source": 0.9},
        {"34": "0.736842"},
        "0.526316",
        "0.000000",
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_table(case: str) -> None:
    """Each row of the design's table comes out to the printed digits."""
    words, trust, probabilities, vacuity, conflict = ROWS[case]
    assert (probabilities, vacuity, conflict) == printed(state(*words, trust=trust))


@pytest.mark.parametrize(
    ("evidence", "weight"),
    [
        ("measurement", 8.0),
        ("citation", 4.0),
        ("expert-judgment", 3.0),
        ("user-assertion", 2.0),
        ("inference", 1.0),
        ("assumption", 0.5),
    ],
)
def test_table_of_weights(evidence: str, weight: float) -> None:
    """Each type of evidence has its base weight, times trust in agent and source, times strength."""
    word = Word(id="a", value=number("5"), evidence=evidence, agent="a", strength=0.5)
    assert weight * 0.25 * 0.75 * 0.5 == weigh(word, {"a": 0.25, "s": 0.75}).weight


@pytest.mark.parametrize(
    ("half_life", "p", "vacuity"),
    [
        ("fast", "0.500189", "0.999623"),
        ("standard", "0.705882", "0.588235"),
        ("slow", "0.832738", "0.334524"),
        ("none", "0.868421", "0.263158"),
    ],
)
def test_table_of_decay(half_life: str, p: str, vacuity: str) -> None:
    """A measurement 180 days old, at each half-life."""
    old = Word(id="m", value=number("5"), evidence="measurement", observed_at_us=NOW_US - 180 * DAY_US)
    assert ({"5": p}, vacuity, "0.000000") == printed(state(old, half_life=half_life))


@pytest.mark.parametrize(("days", "stale"), [(0, False), (179, False), (181, True)])
def test_stale(days: int, *, stale: bool) -> None:
    """After two half-lives a quarter is left; below it a belief is stale."""
    assert stale == state(Word(id="m", value=number("5"), observed_at_us=NOW_US - days * DAY_US)).stale


def test_future_counts_as_now() -> None:
    """A clock that runs ahead adds no weight."""
    assert state(MEASURED) == state(
        Word(id="m", value=number("5"), evidence="measurement", observed_at_us=NOW_US + DAY_US)
    )


def test_halved_trust_halves_one_weight() -> None:
    """Halving one name's trust halves its weight exactly and leaves every other weight as it was, bit for bit."""
    words = [Word(id=f"c{n}", value=number("5"), source=f"s{n}", agent=f"a{n}", strength=0.3 + n / 7) for n in range(4)]
    before, after = {"s1": 0.62, "a2": 0.9}, {"s1": 0.31, "a2": 0.9}
    expected = [weigh(word, before).weight / (2.0 if word.source == "s1" else 1.0) for word in words]
    assert expected == [weigh(word, after).weight for word in words]


def test_samples_speak_for_themselves() -> None:
    """Independent readings of one instrument count each; without a sample the last stands."""
    readings = [Word(id=f"r{n}", value=number(str(n)), evidence="measurement", sample=f"r{n}") for n in range(3)]
    assert 3 == len(state(*readings).values)


def test_units_are_one_value() -> None:
    """90 minutes and an hour and a half are one value, shown as its heaviest mention wrote it."""
    opinion = state(
        Word(id="a", value=Said(type="duration", text="90", unit="min"), source="a", agent="a"),
        Word(id="b", value=Said(type="duration", text="1.5", unit="h"), source="b", agent="b", evidence="measurement"),
    )
    assert [("1.5", "h")] == [(stance.value.text, stance.value.unit) for stance in opinion.values]


def test_denial_of_a_boolean_is_its_other_value() -> None:
    """To deny `true` is to say `false`, and a boolean lists both."""
    denied = state(Word(id="a", value=truth("true"), positive=False))
    assert printed(state(Word(id="a", value=truth("false")))) == printed(denied)


def test_taking_a_word_back() -> None:
    """A source that later denies its own value no longer speaks for it; denying another value takes nothing back."""
    first = Word(id="a", value=number("5"), observed_at_us=NOW_US - 1)
    taken_back = state(first, Word(id="b", value=number("5"), positive=False))
    kept = state(first, Word(id="b", value=number("7"), positive=False))
    assert ["0.00", "2.80"] == [f"{opinion.values[0].evidence:.2f}" for opinion in (taken_back, kept)]


def test_denials_of_two_values_both_stand() -> None:
    """A source that denies 5 and later 7 names both, and its one voice counts once for neither."""
    denied = [Word(id=text, value=number(text), positive=False, observed_at_us=NOW_US - 9 + int(text)) for text in "57"]
    assert ({"5": "0.138889", "7": "0.138889"}, "0.416667", "0.000000") == printed(state(*denied))


def test_displaced_words_displace_too() -> None:
    """5 was displaced by 7, although 9 displaced 7 in turn, and a word too weak displaces nothing."""
    words = [
        Word(id="a", value=number("5"), observed_at_us=NOW_US - 3),
        Word(id="b", value=number("7"), observed_at_us=NOW_US - 2),
        Word(id="c", value=number("9"), observed_at_us=NOW_US - 1),
        Word(id="d", value=number("11"), evidence="inference"),
    ]
    assert ["9", "11"] == [stance.value.text for stance in state(*words).values]


def test_nothing_said() -> None:
    """Without contributions all is vacuous."""
    assert ((), 1.0, 0.0) == (state().values, state().vacuity, state().dissonance)


def test_many_values_stay_within_bounds() -> None:
    """A thousand values in conflict are worked out in reasonable time and stay between 0 and 1."""
    words = [Word(id=f"c{n}", value=number(str(n)), source=f"s{n}", agent=f"s{n}") for n in range(1000)]
    opinion = state(*words)
    assert 0.0 < opinion.dissonance < 1.0
    assert math.isclose(1.0 - 1 / 1001 * opinion.vacuity, math.fsum(stance.probability for stance in opinion.values))


def test_balance_of_two() -> None:
    """Equal masses are wholly in conflict, a lone one not at all."""
    assert [0.0, 0.5] == [dissonance([2.0], 2.0), dissonance([1.0, 1.0], 2.0)]


def test_thin_keeps_the_order_of_time() -> None:
    """What stands is oldest first, whatever order it came in."""
    words: list[Spoken[Said]] = [
        weigh(Word(id="b", value=number("7"), evidence="inference", observed_at_us=2), {}),
        weigh(Word(id="a", value=number("5"), observed_at_us=1), {}),
    ]
    assert [(1, "a"), (2, "b")] == [word.order for word in thin(words)]


class Counted(float):
    """A power that counts how often it is compared."""

    compared = 0

    def _one_more(self) -> float:
        Counted.compared += 1
        return float(self)

    def __gt__(self, other: float) -> bool:
        """Count, and compare."""
        return self._one_more() > float(other)

    def __le__(self, other: float) -> bool:
        """Count, and compare."""
        return self._one_more() <= float(other)


@pytest.mark.parametrize("positive", [True, False], ids=["each weaker than the one before", "denials"])
def test_a_voice_of_many_words_is_thinned_in_a_pass(positive: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Words that all stand are not held each against each other: four times as many take four times as long."""
    looks = []
    for count in (500, 2_000):
        words = [
            msgspec.structs.replace(
                weigh(Word(id=f"{n:05}", value=number(f"{n}"), positive=positive, observed_at_us=n), {}),
                power=Counted(1.0 - n / 10_000 if positive else 1.0),
            )
            for n in range(count)
        ]
        Counted.compared = 0
        assert count == len(thin(words))
        looks.append(Counted.compared)
    assert looks[1] <= 5 * looks[0]
