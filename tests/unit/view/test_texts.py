"""What reads ask of the file again and again."""

from hypothesis import given
from hypothesis import strategies as st

from stanchion_view.core.texts import Texts

BODIES = st.lists(st.tuples(st.integers(1, 9), st.text(max_size=20)), max_size=40)


@given(BODIES, st.integers(0, 60))
def test_bodies_are_those_kept_and_never_too_many(kept: list[tuple[int, str]], most: int) -> None:
    """A body that is here is the one that was kept, and together they stay within the bound."""
    texts = Texts(most_bytes=most)
    first: dict[tuple[str, int], str] = {}
    for seq, body in kept:
        key = ("docs", seq)
        first.setdefault(key, body)
        texts.keep_bodies({key: first[key]})
        held = texts.bodies(first)
        assert {moment: first[moment] for moment in held} == held
        assert sum(map(len, held.values())) <= most


def test_body_asked_for_last_stays() -> None:
    """Of two bodies the one that was asked for stays when a third needs room."""
    texts = Texts(most_bytes=2)
    texts.keep_bodies({("docs", 1): "x", ("docs", 2): "y"})
    texts.bodies([("docs", 1)])
    texts.keep_bodies({("docs", 3): "z"})
    assert {1, 3} == {seq for _, seq in texts.bodies([("docs", seq) for seq in (1, 2, 3)])}


def test_times_are_bounded() -> None:
    """The oldest times go."""
    texts = Texts(most_times=2)
    texts.keep_times({("docs", seq): seq * 10 for seq in (1, 2, 3)})
    assert {("docs", 2): 20, ("docs", 3): 30} == texts.times([("docs", seq) for seq in (1, 2, 3)])
