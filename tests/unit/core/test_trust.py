"""How far names are trusted: what goes before what."""

import pytest
from msgspec import Struct

from stanchion_core.trust import DEFAULT_TRUST, Outcome, Trusted, TrustTable, recount, tally


class Judged(Struct, frozen=True, kw_only=True):
    """A judgement as the tests state one."""

    source: str
    hit: bool


TABLE = TrustTable(
    settings={"all": 0.0, "set": 0.25},
    outcomes={"all": Outcome(hits=3, judged=3), "set": Outcome(hits=1, judged=1), "met": Outcome(hits=0, judged=4)},
    estimates={"all": 0.9, "met": 0.8, "agreed": 0.35},
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("all", Trusted(value=0.0, ground="setting")),
        ("set", Trusted(value=0.25, ground="setting")),
        ("met", Trusted(value=0.5, ground="outcomes")),
        ("agreed", Trusted(value=0.35, ground="consensus")),
        ("nobody", Trusted(value=DEFAULT_TRUST, ground="default")),
    ],
)
def test_precedence(name: str, expected: Trusted) -> None:
    """A setting goes before outcomes, those before consensus, that before the default; a setting of 0 is one, too."""
    assert expected == TABLE.of(name)


def test_effective() -> None:
    """The mapping names whoever is known otherwise than by default, and says of each what `of` says."""
    assert {"all": 0.0, "set": 0.25, "met": 0.5, "agreed": 0.35} == TABLE.effective()
    assert {"met": 0.5} == TABLE.effective(["met", "nobody"])


@pytest.mark.parametrize(
    ("hits", "judged", "expected"), [(0, 0, 0.7), (1, 1, 8 / 11), (0, 1, 7 / 11), (93, 100, 10 / 11)]
)
def test_outcomes(hits: int, judged: int, expected: float) -> None:
    """`(7 + hits) / (10 + judged)`, whatever it comes to: nothing judged is the default."""
    table = TrustTable(settings={}, outcomes={"lab": Outcome(hits=hits, judged=judged)}, estimates={})
    assert Trusted(value=expected, ground="outcomes") == table.of("lab")


def test_tally() -> None:
    """Judgements are counted by source, all of them and the hits."""
    judged = [Judged(source="lab", hit=True), Judged(source="crm", hit=False), Judged(source="lab", hit=False)]
    assert {"lab": Outcome(hits=1, judged=2), "crm": Outcome(hits=0, judged=1)} == tally(judged)


def test_one_claim_s_judgements_take_the_place_of_others() -> None:
    """Only whom it judges or judged is counted anew; who is judged by no claim any more has no outcome."""
    before, after = (
        {"met": Outcome(hits=0, judged=1), "set": Outcome(hits=1, judged=1)},
        {"met": Outcome(hits=1, judged=1)},
    )
    assert {"met": Outcome(hits=1, judged=4), "set": None} == recount(TABLE.outcomes, before, after)
    assert {"new": Outcome(hits=0, judged=2)} == recount(TABLE.outcomes, {}, {"new": Outcome(hits=0, judged=2)})
