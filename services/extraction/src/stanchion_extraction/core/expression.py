"""Expressions of a mapping: JMESPath (jmespath.org) over an event's data, or over a document as it was parsed.

Plain paths, literal texts, tests for null and alternatives of these, which is what mappings are made of, are read
without the interpreter: the same result, some twenty times faster. What the interpreter does is bounded in steps, in
the length of a list, in the size of a text and in how much it puts together, so that no expression over any document
keeps the process busy.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import jmespath
from jmespath.exceptions import JMESPathError, JMESPathTypeError
from jmespath.functions import Functions, signature
from jmespath.visitor import Options, TreeInterpreter

Scope = Mapping[str, Any]
Expression = Callable[[Scope], Any]

EVENT_ROOTS: Final = ("data", "item", "event")
"""What an event's expressions begin with."""

EXPRESSION_CHARS: Final = 1_000
"""The longest expression."""
MOST_STEPS: Final = 100_000
"""Nodes of an expression looked at in one evaluation, once for each item."""
MOST_ITEMS: Final = 10_000
"""Items of a list that an expression makes."""
MOST_CHARS: Final = 1_000_000
"""Characters of a text that an expression makes."""
MOST_VALUES: Final = 100_000
"""Values in one list or object that an expression puts together, each counted wherever it stands.

Forty times `[@, @]` is a small thing in memory, and comparing two of them takes for ever.
"""
_VALUES_A_STEP: Final = 100  # so that large things are not put together again and again
_MAKES: Final = frozenset({"multi_select_list", "multi_select_dict"})
"""Nodes by which an expression puts values together; the others take from what there is."""

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_PATH: Final = re.compile(rf"{_NAME}(?:\.{_NAME})*", re.ASCII)
_LITERAL: Final = re.compile(r"'([^'\\]*)'")
_IS_NULL: Final = " == `null`"
_FAILS: Final = (JMESPathError, ArithmeticError, LookupError, RecursionError, TypeError, ValueError)
"""What the interpreter raises: its own errors, and Python's (`ceil(to_number('inf'))`, `sort_by` over unlike keys)."""
_TOLD_CHARS: Final = 200


class ExpressionFailed(Exception):
    """An expression does not apply to what it was given, or does too much with it."""


def is_nothing(value: object) -> bool:
    """Tell what counts as false in JMESPath."""
    return value is None or value is False or (not isinstance(value, int | float) and not value)


class _Functions(Functions):  # type: ignore[misc]  # jmespath has no types
    """JMESPath's functions; the two that make long texts of small things are bounded."""

    @signature({"types": ["string"]}, {"types": ["array-string"]})  # type: ignore[untyped-decorator]
    def _func_join(self, separator: str, parts: list[str]) -> str:
        """Give the parts joined.

        Raises:
            ValueError: that would be too long.
        """
        if len(separator) * len(parts) + sum(map(len, parts)) > MOST_CHARS:
            raise ValueError(f"join makes more than {MOST_CHARS} characters")
        return separator.join(parts)

    @signature({"types": ["string", "number", "boolean", "null"]})  # type: ignore[untyped-decorator]
    def _func_to_string(self, value: Any) -> str:  # noqa: ANN401 - one of four types
        """Give a plain value as text; lists and objects have no text here."""
        return value if isinstance(value, str) else str(super()._func_to_string(value))


_OPTIONS: Final = Options(custom_functions=_Functions())


class _Interpreter(TreeInterpreter):  # type: ignore[misc]  # jmespath has no types
    """JMESPath's interpreter with a budget; one for each evaluation."""

    def __init__(self) -> None:
        super().__init__(_OPTIONS)
        self._steps = 0
        self._weights: dict[int, tuple[object, int]] = {}  # by identity, which the object kept beside it keeps its own

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - jmespath has no types
        """Evaluate a node.

        Raises:
            ValueError: the budget is spent.
        """
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise ValueError(f"it takes more than {MOST_STEPS} steps")
        found = super().visit(node, *args, **kwargs)
        if type(found) is list and len(found) > MOST_ITEMS:
            raise ValueError(f"it makes a list of more than {MOST_ITEMS} items")
        if node["type"] in _MAKES and (weight := self._weight(found)) > _VALUES_A_STEP:
            self._steps += weight // _VALUES_A_STEP
            if weight > MOST_VALUES:
                raise ValueError(f"it puts more than {MOST_VALUES} values together")
        return found

    def _weight(self, value: Any) -> int:  # noqa: ANN401 - any JSON value
        """Count the values in a value, itself among them; what it shares with others was counted already."""
        if not isinstance(value, list | dict):
            return 1
        known = self._weights.get(id(value))
        if known is None:
            inner = value.values() if isinstance(value, dict) else value
            known = (value, 1 + sum(map(self._weight, inner)))
            self._weights[id(value)] = known
        return known[1]


def parsed(text: str) -> dict[str, Any]:
    """Give an expression's syntax tree.

    Raises:
        ValueError: it is no JMESPath, or too long.
    """
    if len(text) > EXPRESSION_CHARS:
        raise ValueError(f"{text[:40]!r}… has {len(text)} characters; the limit is {EXPRESSION_CHARS}")
    try:
        tree: dict[str, Any] = jmespath.compile(text).parsed
    except (JMESPathError, RecursionError) as error:
        raise ValueError(f"{text!r} is no JMESPath expression: {str(error).splitlines()[0]}") from error
    return tree


def compiled(text: str, roots: Iterable[str] = EVENT_ROOTS) -> Expression:
    """Give an expression ready to evaluate.

    Args:
        text: JMESPath.
        roots: what every scope it is evaluated in has.

    Raises:
        ValueError: it is no JMESPath.
    """
    plain = [_plain(part, roots) for part in text.split(" || ")]
    if None not in plain:
        return _first_of([part for part in plain if part is not None])
    tree = parsed(text)

    def search(scope: Scope) -> Any:  # noqa: ANN401 - any JSON value
        try:
            return _Interpreter().visit(tree, dict(scope))
        except _FAILS as error:
            raise ExpressionFailed(f"{text[:_TOLD_CHARS]}: {_told(error)}") from error

    return search


def _plain(text: str, roots: Iterable[str]) -> Expression | None:
    """Give a plain path, a literal text or a test of a path for null, ready to evaluate; None where it is none."""
    if (found := _LITERAL.fullmatch(text)) is not None:
        constant = found[1]
        return lambda _: constant
    path = text.removesuffix(_IS_NULL)
    if not _PATH.fullmatch(path) or path.partition(".")[0] not in roots:
        return None
    reading = _path(*path.split("."))
    return reading if path == text else lambda scope: reading(scope) is None


def _first_of(parts: Sequence[Expression]) -> Expression:
    """Give the first of some alternatives that is not nothing, or the last."""
    if len(parts) == 1:
        return parts[0]

    def first(scope: Scope) -> Any:  # noqa: ANN401 - any JSON value
        found = None
        for part in parts:
            found = part(scope)
            if not is_nothing(found):
                break
        return found

    return first


def _told(error: Exception) -> str:
    """Say why an expression does not apply, without what it was applied to."""
    if isinstance(error, JMESPathTypeError):
        return f"{error.function_name}() does not take {error.actual_type}"
    return str(error).partition("\n")[0][:_TOLD_CHARS]


def _path(root: str, *names: str) -> Expression:
    """Give a plain path; a step that is not there gives None, as in JMESPath."""
    if not names:
        return lambda scope: scope[root]
    if len(names) == 1:
        (name,) = names
        return lambda scope: inner.get(name) if isinstance(inner := scope[root], dict) else None

    def walk(scope: Scope) -> Any:  # noqa: ANN401 - any JSON value
        value = scope[root]
        for name in names:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    return walk


def beginnings(tree: Mapping[str, Any]) -> frozenset[str]:
    """Name the fields that an expression looks up in its scope itself."""
    if tree["type"] == "field":
        return frozenset({tree["value"]})
    return frozenset().union(*(beginnings(child) for child in _in_scope(tree)))


def fields_under(tree: Mapping[str, Any], root: str) -> frozenset[str] | None:
    """Name the fields that an expression takes straight from one root; None when it takes the root as a whole."""
    if tree["type"] == "subexpression":
        first, second, *_ = tree["children"]
        if first["type"] == "field" and first["value"] == root:
            while second["type"] == "index_expression":
                second = second["children"][0]
            return frozenset({second["value"]}) if second["type"] == "field" else None
    if tree["type"] == "field":
        return None if tree["value"] == root else frozenset()
    names: set[str] = set()
    for child in _in_scope(tree):
        found = fields_under(child, root)
        if found is None:
            return None
        names |= found
    return frozenset(names)


def fields_after(tree: Mapping[str, Any], name: str) -> frozenset[str]:
    """Name the fields that stand after a field of a name, wherever in an expression."""
    children = [child for child in tree["children"] if isinstance(child, dict)]
    found = {
        after["value"]
        for before, after in pairwise(children if tree["type"] == "subexpression" else ())
        if before["type"] == after["type"] == "field" and before["value"] == name
    }
    return frozenset(found.union(*(fields_after(child, name) for child in children)))


_FIRST_ONLY: Final = frozenset({
    "subexpression", "index_expression", "projection", "value_projection", "filter_projection", "flatten", "pipe",
})  # fmt: skip
"""Nodes whose first part alone is evaluated in the scope that the whole is evaluated in."""


def _in_scope(tree: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Give the parts of an expression that are evaluated in the scope that the whole is evaluated in."""
    children = [child for child in tree["children"] if isinstance(child, dict) and child["type"] != "expref"]
    return children[:1] if tree["type"] in _FIRST_ONLY else children
