"""Expressions: what they may do, and what is known of them before they run."""

import itertools
from typing import Final

import jmespath
import pytest

from stanchion_extraction.core.expression import (
    MOST_ITEMS,
    MOST_VALUES,
    ExpressionFailed,
    beginnings,
    compiled,
    fields_after,
    fields_under,
    parsed,
)
from stanchion_extraction.core.parsed import passages_of

ROOTS = ("head", "title")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("head.many[?length(x) > `0`] | [?length(x) > `0`] | [?length(x) > `0`]", "it takes more than 100000 steps"),
        ("head.many" + "|[@,@][]" * 20, f"it makes a list of more than {MOST_ITEMS} items"),
        ("join(title, head.few)", "join makes more than 1000000 characters"),
        ("to_string(head)", "to_string() does not take object"),
        ("title" + "|[@,@]" * 60, f"it puts more than {MOST_VALUES} values together"),
        ("title" + "|{a:@,b:@}" * 60, f"it puts more than {MOST_VALUES} values together"),
        (f"(title{'|[@,@]' * 40}) == (title{'|[@,@]' * 40})", f"it puts more than {MOST_VALUES} values together"),
        (f"head.many[?([x]{'|[@,@]' * 12}) == ([x]{'|[@,@]' * 12})]", "it takes more than 100000 steps"),
    ],
)
def test_what_takes_too_much_does_not_apply(text: str, why: str) -> None:
    """No expression over any document keeps the process busy or grows in its memory."""
    many = [{"x": ["y"]}] * MOST_ITEMS
    scope = {"title": "t" * 250_000, "head": {"many": many, "few": ["a"] * 100}}
    with pytest.raises(ExpressionFailed, match=r"^.") as error:
        compiled(text, ROOTS)(scope)
    assert why in str(error.value)
    assert len(str(error.value)) <= 500


def test_a_result_that_repeats_itself_is_bounded() -> None:
    """A list of lists that share what they hold is small, and has many texts: not all of them are read."""
    expression = compiled("title" + "|[@,@]" * 14, ROOTS)
    with pytest.raises(ValueError, match=f"more than {MOST_ITEMS} texts"):
        list(passages_of(expression({"title": "t", "head": {}})))


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("head.a", {"head"}),
        ("a.b[0].c", {"a"}),
        ("a || b && !c", {"a", "b", "c"}),
        ("join(', ', [a, b.c])", {"a", "b"}),
        ("sort_by(a, &b)", {"a"}),
        ("a[?b == c].d | [0]", {"a"}),
        ("{x: a, y: b}", {"a", "b"}),
        ("'a'", set()),
        ("a.*.b[].c", {"a"}),
    ],
)
def test_beginnings(text: str, roots: set[str]) -> None:
    """What an expression takes from the document itself is known before it runs."""
    assert roots == beginnings(parsed(text))


@pytest.mark.parametrize(
    ("text", "under", "after"),
    [
        ("head.a", ["a"], []),
        ("head.a[0].b", ["a"], []),
        ("[head.a, x.head.b] | head", ["a"], []),
        ("head", None, []),
        ("keys(head)", None, []),
        ("head.*", None, []),
        ("x.keyed.date", [], ["date"]),
        ("head.a.keyed.date || x[0].keyed.status", ["a"], ["date", "status"]),
    ],
)
def test_fields(text: str, under: list[str] | None, after: list[str]) -> None:
    """Which parts of the head or the sections are read is known as well, or that the whole is."""
    tree = parsed(text)
    found = fields_under(tree, "head")
    assert (under, after) == (found if found is None else sorted(found), sorted(fields_after(tree, "keyed")))


VALUES: Final[tuple[object, ...]] = (None, False, True, 0, 1.5, "", "x", [], [0], {}, {"b": None}, {"b": "y"})


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a.b",
        "'x'",
        "a == `null`",
        "a.b == `null`",
        "a || c",
        "a.b || c == `null`",
        "a || 'x'",
        "a || c || 'x || y'",
    ],
)
def test_what_is_read_without_the_interpreter(text: str) -> None:
    """Plain expressions give what JMESPath says they give, whatever they are applied to."""
    expression, interpreted = compiled(text, ("a", "c")), jmespath.compile(text)
    for a, c in itertools.product(VALUES, VALUES):
        scope = {"a": a, "c": c}
        assert repr(interpreted.search(scope)) == repr(expression(scope)), scope
