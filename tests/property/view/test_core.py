import pytest
from hypothesis import given
from hypothesis import strategies as st

from stanchion_view.core import cursor
from stanchion_view.core.belief import claim_of
from stanchion_view.core.layer import CopyingLayer, Layer

operations = st.lists(st.tuples(st.sampled_from("pdg"), st.integers(0, 5), st.integers()), max_size=30)


@given(st.dictionaries(st.integers(0, 5), st.integers()), operations)
def test_a_layer_is_the_map_and_leaves_the_base_alone(base: dict[int, int], taken: list[tuple[str, int, int]]) -> None:
    """Reads, writes and removals through a layer are those of a plain map; the base changes only when it settles."""
    before, plain, layer = dict(base), dict(base), Layer(base)
    for what, key, value in taken:
        if what == "p":
            plain[key] = layer[key] = value
        elif what == "d":
            assert plain.pop(key, None) == layer.pop(key, None)
        assert plain.get(key) == layer.get(key)
        assert (key in plain, len(plain)) == (key in layer, len(layer))
        assert sorted(plain) == sorted(layer)
    assert before == base
    layer.settle(base)
    assert plain == base


@given(st.dictionaries(st.integers(0, 3), st.dictionaries(st.text(max_size=1), st.integers())), st.integers(0, 3))
def test_what_a_copying_layer_gives_may_change(base: dict[int, dict[str, int]], key: int) -> None:
    """A value changed in place is changed in the layer alone, until it settles."""
    before = {name: dict(value) for name, value in base.items()}
    layer = CopyingLayer(base)
    layer.setdefault(key, {})["x"] = 7
    assert before == base
    layer.settle(base)
    assert {**before.get(key, {}), "x": 7} == base[key]


@given(st.text(), st.integers(0, 1 << 60), st.lists(st.text()))
def test_cursors_come_back(after: str, seq: int, question: list[str]) -> None:
    """A cursor reads as it was written, for its own question only."""
    digest = cursor.question_of(*question)
    made = cursor.Cursor(after=after, as_of_seq=seq, question=digest)
    assert made == cursor.decode(cursor.encode(made), digest)
    with pytest.raises(cursor.CursorError):
        cursor.decode(cursor.encode(made), cursor.question_of(*question, "more"))


@given(st.integers(0, 40), st.sampled_from("Aaz9_-="))
def test_a_changed_cursor_is_refused(at: int, letter: str) -> None:
    """One letter changed or added and it is no cursor, or the very same one."""
    digest = cursor.question_of("acme")
    made = cursor.Cursor(after="d7", as_of_seq=9, question=digest)
    text = cursor.encode(made)
    changed = text[:at] + letter + text[at + 1 :]
    try:
        assert made == cursor.decode(changed, digest)
    except cursor.CursorError:
        assert changed != text


@given(st.text(), st.text())
def test_any_text_is_a_cursor_or_refused(text: str, other: str) -> None:
    """Nothing but CursorError comes of a text that is none."""
    with pytest.raises(cursor.CursorError):
        cursor.decode(text + other, b"12345678")


@given(st.text(), st.text())
def test_visually_equal_keys_are_equal(subject: str, predicate: str) -> None:
    """Normalising a claim's key again changes nothing, and space around or between does not matter."""
    claim = claim_of(subject, predicate)
    assert claim == claim_of(*claim)
    assert claim == claim_of(f"  {subject}\t", f"\n{predicate} ")
