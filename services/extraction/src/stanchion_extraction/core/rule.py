"""Declared rules for events: which claims an event of a type makes."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from stanchion_extraction.core.expression import Expression, Scope, compiled

_PARTS: Final = (
    "predicate",
    "subject",
    "value",
    "when",
    "type",
    "unit",
    "op",
    "positive",
    "evidence",
    "sample",
    "strength",
    "source",
)
_FIELD: Final = re.compile(r"item\.([A-Za-z_][A-Za-z0-9_]*)", re.ASCII)
_REQUIRED: Final = frozenset({"subject", "predicate", "value"})


class Rule(Struct, frozen=True):
    """One rule: for each item, the parts of a claim.

    Attributes:
        each: gives the items; None for the data as a whole.
        when: whether the rule is for an item; None for any.
        parts: gives the parts by name; one that an item does not have may be left out.
    """

    each: Expression | None
    when: Expression | None
    parts: Callable[[Scope], dict[str, Any]]


Rules = tuple[Rule, ...]


def rules_of(plain: object, where: str) -> Rules:
    """Read the rules of one event type.

    Args:
        plain: as YAML has it: a list of rules; a rule's parts are JMESPath expressions.
        where: file and type, for the message.

    Raises:
        ValueError: they are none; the message says where and why.
    """
    if not isinstance(plain, list) or not plain:
        raise ValueError(f"{where}: it takes a list of rules")
    return tuple(_rule(rule, f"{where}, rule {place}") for place, rule in enumerate(plain, start=1))


def _rule(plain: object, where: str) -> Rule:
    """Read one rule.

    Raises:
        ValueError: a part is missing, unknown or no expression.
    """
    if not isinstance(plain, dict):
        raise ValueError(f"{where}: it maps the parts of a claim to expressions")  # noqa: TRY004 - the file is wrong, not the call
    unknown = set(map(str, plain)) - {*_PARTS, "each"}
    missing = _REQUIRED - set(plain)
    if unknown or missing:
        what = f"unknown {', '.join(sorted(unknown))}" if unknown else f"{', '.join(sorted(missing))} missing"
        raise ValueError(f"{where}: {what}; the parts are each, {', '.join(_PARTS)}")
    expressions = {str(part): _compiled(value, f"{where}, {part}") for part, value in plain.items()}
    each, when = expressions.pop("each", None), expressions.pop("when", None)
    return Rule(each, when, _parts({part: str(plain[part]) for part in expressions}, expressions))


def _parts(texts: Mapping[str, str], expressions: Mapping[str, Expression]) -> Callable[[Scope], dict[str, Any]]:
    """Give what reads the parts of a claim: fields of the item, which most are, without a call for each."""
    fields = tuple((part, found[1]) for part, text in texts.items() if (found := _FIELD.fullmatch(text)) is not None)
    others = tuple((part, expressions[part]) for part in texts if part not in dict(fields))

    def parts(scope: Scope) -> dict[str, Any]:
        item = scope["item"]
        found = {part: item[field] for part, field in fields if field in item} if isinstance(item, dict) else {}
        for part, expression in others:
            found[part] = expression(scope)
        return found

    return parts


def _compiled(text: object, where: str) -> Expression:
    """Read one expression.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(text, str):
        raise ValueError(f"{where}: it takes one expression, not {text!r}")  # noqa: TRY004 - the file is wrong
    try:
        return compiled(text)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
