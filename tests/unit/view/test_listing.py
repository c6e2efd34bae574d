from typing import Any

import pytest

from stanchion_contracts.belief import Belief, ValueState
from stanchion_contracts.value import Value
from stanchion_view.core.listing import Asked, Listing, Wanted, listing, place_of, place_text, words_of
from stanchion_view.core.state import Claim, Held

DAY_US = 86_400_000_000


def held(subject: str, predicate: str = "tam", text: str = "5", **parts: Any) -> Held:  # noqa: ANN401 - the belief's own
    """A belief of one value, at day 0."""
    plain: dict[str, Any] = {
        "values": (ValueState(value=Value(type="string", text=text), evidence=5.6, millionths=868_421),),
        "unnamed": 0.0,
        "undecayed": 5.6,
        "vacuity_millionths": 263_158,
        "dissonance_millionths": 0,
        "half_life_s": 90 * 86_400,
        "time_us": 0,
        "contributions": 1,
    }
    belief = Belief(subject=subject, predicate=predicate, **{**plain, **parts})
    return Held(belief=belief, seq=1)


def names(found: Listing) -> list[str]:
    """The subjects on a page."""
    return [kept.belief.subject for _, kept in found.found]


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ("What is the TAM of Acme, in 2026?", {"tam", "acme", "2026"}),
        ("who are you", {"who", "are", "you"}),
        ("  \uff30rice price PRICE ", {"price"}),
        ("?! a", {"a"}),
        ("…", set()),
        ("7 b", {"7", "b"}),
        ("Größe 大きさ", {"grösse", "大きさ"}),
        ("the plan's price isn't it", {"plan", "price", "isn"}),
    ],
)
def test_words_are_those_that_tell(about: str, words: set[str]) -> None:
    """Normalised as claims are, each once, common ones only where there are no others."""
    assert words == words_of(about)


def test_the_best_match_comes_first() -> None:
    """A word in the subject counts for more than one in the predicate, that for more than one in the value."""
    beliefs = [
        held("rest", text="annual"),
        held("plan", "annual share"),
        held("annual plan"),
        held("plan"),
        held("none"),
        held("annual", text="annual annual"),
    ]
    asked = Asked(wanted=Wanted(words=words_of("the annual plan")), now_us=0, limit=10)
    found = listing(beliefs, (), asked)
    assert ["annual plan", "plan", "annual", "plan", "rest"] == names(found)
    assert (5, False) == (found.total, found.more)


def test_pages_follow_each_other() -> None:
    """A place from a cursor is where the next page goes on, and every page counts all."""
    beliefs = [held(f"s{at}", predicate) for at in range(3) for predicate in ("b", "a")]
    seen: list[Claim] = []
    after = None
    while True:
        page = listing(beliefs, (), Asked(wanted=Wanted(), now_us=0, after=after, limit=4))
        seen += [(kept.belief.subject, kept.belief.predicate) for _, kept in page.found]
        assert 6 == page.total
        if not page.more:
            break
        after = place_of(place_text(page.found[-1][0]))
    assert sorted((kept.belief.subject, kept.belief.predicate) for kept in beliefs) == seen


def test_filters_narrow_each_other() -> None:
    """Staleness and contradiction go by the reader's now; a claim that contradicted itself may have faded."""
    rivals = tuple(
        ValueState(value=Value(type="number", text=text), evidence=2.8, millionths=456_140) for text in ("5", "7")
    )
    torn: dict[str, Any] = {"values": rivals, "dissonance_millionths": 736_842}
    beliefs = [held("fresh", half_life_s=0), held("old"), held("torn", **torn), held("tears", half_life_s=0, **torn)]

    def at(days: int, **wanted: Any) -> list[str]:  # noqa: ANN401 - as `Wanted` takes them
        asked = Asked(wanted=Wanted(**wanted), now_us=days * DAY_US, limit=10)
        return names(listing(beliefs, {("old", "tam"), ("tears", "tam")}, asked))

    assert ["tears", "torn"] == at(0, contradicted=True)
    assert [] == at(180, stale=True)
    assert ["old", "torn"] == at(181, stale=True)
    assert ["tears", "torn"] == at(181, contradicted=True)  # two likely values still contradict each other
    assert ["tears"] == at(181, contradicted=True, resolved=True)
    assert ["old"] == at(181, stale=True, resolved=True)
    assert [] == at(181, stale=True, resolved=True, subject="fresh")
    assert ["fresh", "old", "tears", "torn"] == at(0, predicate="tam")


def test_dissonance_fades_with_the_evidence() -> None:
    """Of several values that may be true at once, each by its own masses; else the stored one, scaled."""
    apart = (ValueState(value=Value(type="string", text="x"), evidence=4.0, millionths=500_000, against=4.0),)
    beliefs = [
        held("many", values=apart, multi_valued=True, dissonance_millionths=800_000),
        held("one", values=(), unnamed=8.0, dissonance_millionths=800_000),
    ]
    for days, wanted in ((0, ["many", "one"]), (91, ["many", "one"]), (180, []), (200, [])):
        asked = Asked(wanted=Wanted(contradicted=True), now_us=days * DAY_US, limit=10)
        assert wanted == names(listing(beliefs, (), asked)), days


def test_a_boolean_that_hardly_anybody_speaks_for_contradicts_nothing() -> None:
    """Its other value is likely for want of evidence; that is no contradiction until somebody speaks for it."""
    true, false = (Value(type="boolean", text=text) for text in ("true", "false"))
    states = (
        ValueState(value=true, evidence=0.7, millionths=629_630),
        ValueState(value=false, evidence=0.0, millionths=370_370),
    )
    torn = (states[0], ValueState(value=false, evidence=0.5, millionths=468_750))
    beliefs = [held("weak", values=states), held("torn", values=torn, dissonance_millionths=312_500)]
    found = listing(beliefs, (), Asked(wanted=Wanted(contradicted=True), now_us=0, limit=10))
    assert ["torn"] == names(found)


def test_a_page_of_much_evidence_is_shorter() -> None:
    """What a page works out is bounded: the rest comes with the next ones, and one belief always does."""
    beliefs = [held(f"s{at}", contributions=15_000) for at in range(3)]
    found = listing(beliefs, (), Asked(wanted=Wanted(), now_us=0, limit=3))
    assert (["s0"], True, 3) == (names(found), found.more, found.total)


@pytest.mark.parametrize("text", ["x", "[1]", '["a","b","c"]', '[0,"a"]', "{}"])
def test_what_is_no_place_is_said(text: str) -> None:
    """A cursor of another call does not pass for a place."""
    with pytest.raises(ValueError, match=r"."):
        place_of(text)
