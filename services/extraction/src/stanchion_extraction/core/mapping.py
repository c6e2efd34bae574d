"""Declared mappings: which claims an event of a type makes. YAML, any number of event types a file and rules a type."""

from collections.abc import Mapping
from typing import Final

import yaml
from msgspec import Struct

from stanchion_extraction.core.expression import Expression, compiled

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
_REQUIRED: Final = frozenset({"subject", "predicate", "value"})


class Rule(Struct, frozen=True):
    """One rule: for each item, the parts of a claim."""

    each: Expression | None
    when: Expression | None
    parts: Mapping[str, Expression]


Rules = tuple[Rule, ...]


def parse_mappings(text: str, name: str) -> dict[str, Rules]:
    """Read a mapping file: rules by event type.

    Args:
        text: YAML, `events:` with a list of rules for each type; a rule's parts are JMESPath expressions.
        name: of the file, for the message.

    Raises:
        ValueError: it is no mapping file; the message says where and why.
    """
    try:
        plain = yaml.load(text, Loader=yaml.CBaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"mapping {name}: it is not YAML: {error}") from error
    if not isinstance(plain, dict) or set(plain) != {"events"} or not isinstance(plain["events"], dict):
        raise ValueError(f"mapping {name}: it has one key, `events`, with the rules of each event type")
    return {str(kind): _rules(rules, f"mapping {name}, {kind}") for kind, rules in plain["events"].items()}


def _rules(plain: object, where: str) -> Rules:
    """Read the rules of one event type.

    Raises:
        ValueError: they are none.
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
    return Rule(each, when, expressions)


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
