"""Objects and arrays of JSON, read without recursion and with the place of each value."""

import json
import re
from typing import Final, NamedTuple

from stanchion_contracts.value import Value
from stanchion_core.limits import JSON_DEPTH
from stanchion_extraction.core.prose.cell import named_value, unit_word, value_of
from stanchion_extraction.core.prose.found import FoundClaim, FoundIntent
from stanchion_extraction.core.prose.label import is_goal, is_normative
from stanchion_extraction.core.prose.scene import TRUE

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<mark>[{}\[\],:])|(?P<text>\"(?:[^\"\\]|\\.)*+\")|"
    r"(?P<number>-?\d{1,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,3})?)|(?P<word>true|false|null))"
)
NAMES: Final = (
    "name",
    "service",
    "host",
    "hostname",
    "device",
    "component",
    "title",
    "key",
    "metric",
    "app",
    "node",
    "pod",
    "bucket",
    "database",
    "table",
    "customer",
    "project",
    "repo",
    "repository",
    "region",
    "sku",
    "product",
    "user",
    "account",
    "team",
    "warehouse",
    "site",
    "store",
    "station",
    "sensor",
    "machine",
    "location",
    "city",
    "country",
    "symbol",
    "ticker",
    "job",
    "pipeline",
    "queue",
    "cluster",
    "vehicle",
    "department",
    "supplier",
    "vendor",
    "campaign",
    "channel",
    "plan",
    "id",
)
_ENVELOPES: Final = frozenset({
    "data",
    "result",
    "results",
    "items",
    "rows",
    "records",
    "response",
    "payload",
    "body",
    "values",
    "entries",
    "list",
    "output",
    "metadata",
    "stats",
    "attributes",
})
_SKIPPED: Final = frozenset({
    "id",
    "uuid",
    "ts",
    "timestamp",
    "time",
    "etag",
    "hash",
    "sha",
    "digest",
    "url",
    "href",
    "link",
    "cursor",
    "page",
    "page_size",
    "next",
    "request_id",
    "trace_id",
    "span_id",
    "message",
    "msg",
    "description",
    "text",
    "content",
    "comment",
    "note",
    "prompt",
    "instructions",
    "system",
    "role",
    "type",
    "kind",
    "apiversion",
    "ok",
    "success",
    "code",
    "$schema",
})


class Leaf(NamedTuple):
    """One scalar of a JSON text: where it is in the tree, as written, where it stands, and a unit nobody knows."""

    path: tuple[str, ...]
    written: str
    is_text: bool
    start: int
    end: int
    unit: str = ""


def leaves_of(text: str, start: int, end: int) -> list[Leaf] | None:  # noqa: C901, PLR0912 - one case a form
    """Give all scalars of a JSON object or array; None where the piece is no JSON, or nested too deep."""
    stack: list[list[str]] = []  # of each open object or array: its mark, and the key or index in hand
    leaves: list[Leaf] = []
    at = start
    expects_key = False
    while at < end:
        token = _TOKEN.match(text, at, end)
        if token is None:
            return None if text[at:end].strip() or stack else leaves
        at = token.end()
        mark = token["mark"]
        if mark is None:
            if not stack:
                return None
            if stack[-1][0] == "{" and expects_key:
                stack[-1][1] = _text(token["text"] or "")
                expects_key = False
            else:
                leaves.append(_leaf(stack, token))
        elif mark in "{[":
            stack.append([mark, "" if mark == "{" else "0"])
            expects_key = mark == "{"
            if len(stack) > JSON_DEPTH:
                return None
        elif mark in "}]":
            if not stack:
                return None
            stack.pop()
            expects_key = False
        elif mark == ",":
            expects_key = bool(stack) and stack[-1][0] == "{"
            if stack and stack[-1][0] == "[":
                stack[-1][1] = str(int(stack[-1][1]) + 1)
        if not stack:
            return None if text[at:end].strip() else leaves
    return None


def _leaf(stack: list[list[str]], token: re.Match[str]) -> Leaf:
    """Give the scalar in hand."""
    path = tuple(key if mark == "{" else f"[{key}]" for mark, key in stack)
    written = token["text"] or token["number"] or token["word"]
    begin = token.end() - len(written)
    return Leaf(path, _text(written) if token["text"] else written, token["text"] is not None, begin, token.end())


def _text(quoted: str) -> str:
    """Give what a JSON string says, empty where it says nothing well."""
    try:
        return str(json.loads(quoted)) if len(quoted) < 400 else ""  # noqa: PLR2004 - a small bound
    except ValueError:
        return ""


def read_fields(text: str, start: int, end: int) -> tuple[list[FoundClaim], list[FoundIntent]] | None:
    """Give what a JSON object or array states; None where the piece is no JSON.

    Each number, boolean and short name is a claim about the object it stands in, which is called by its `name`,
    `service`, `host` or the like. A key that names what is wanted makes a goal; running text is data and not read.
    """
    leaves = leaves_of(text, start, end)
    if leaves is None:
        return None
    leaves = _measured(leaves)
    names = _names(leaves)
    claims: list[FoundClaim] = []
    intents: list[FoundIntent] = []
    for leaf in leaves:
        key = leaf.path[-1]
        if (
            (names.get(leaf.path[:-1]) == leaf.written and key.lower() in NAMES)
            or not key.strip()
            or key.lower() in _SKIPPED
            or key.startswith("[")
        ):
            continue
        if any(is_normative(part) for part in leaf.path):
            if is_goal(key) and not leaf.is_text:
                gist = f"{_subject(leaf, names)} {leaf.written}"
                intents.append(FoundIntent(kind="goal", gist=gist, rule="field", start=leaf.start, end=leaf.end))
            continue
        made = _claim(leaf, names)
        if made is not None:
            claims.append(made)
    return claims, intents


_AMOUNTS: Final = frozenset({"amount", "value", "total", "price", "sum", "magnitude", "reading", "quantity"})
_COUNTED: Final = re.compile(r"[a-z]{4,}")  # `requests`: what was counted, no unit
_IN: Final = frozenset({"currency", "unit", "units", "currency_code", "currencycode", "uom"})


def _measured(leaves: list[Leaf]) -> list[Leaf]:
    """Give `{"amount": 5, "currency": "USD"}` as one scalar `5 USD`, called as the object is where that has a name."""
    units = {leaf.path[:-1]: leaf for leaf in leaves if leaf.path[-1].lower() in _IN and leaf.is_text}
    if not units:
        return leaves
    made: list[Leaf] = []
    for leaf in leaves:
        unit = units.get(leaf.path[:-1])
        if unit is leaf:
            continue
        if (
            unit is None
            or leaf.is_text
            or leaf.path[-1].lower() not in _AMOUNTS
            or leaf.written in {"null", "true", "false"}
        ):
            made.append(leaf)
            continue
        named = len(leaf.path) > 1 and not leaf.path[-2].startswith("[")
        path = leaf.path[:-1] if named and leaf.path[-2].lower() not in _ENVELOPES else leaf.path
        said = f"{leaf.written} {unit.written}"
        value = value_of(said, words=False)
        if value is None or (value.type == "number" and not value.unit):
            apart = "" if _COUNTED.fullmatch(unit.written) else unit.written  # `3 MUSD` is no 3
            made.append(leaf._replace(path=path, unit=apart[:64]))
        else:
            made.append(leaf._replace(path=path, written=said, is_text=True))
    return made


def _names(leaves: list[Leaf]) -> dict[tuple[str, ...], str]:
    """Give what each object is called, by its path."""
    names: dict[tuple[str, ...], tuple[int, str]] = {}
    for leaf in leaves:
        key = leaf.path[-1].lower()
        if key in NAMES and leaf.written and len(leaf.written) <= 80:  # noqa: PLR2004 - a small bound
            rank = NAMES.index(key)
            where = leaf.path[:-1]
            if where not in names or rank < names[where][0]:
                names[where] = (rank, leaf.written)
    return {where: name for where, (_, name) in names.items()}


def _subject(leaf: Leaf, names: dict[tuple[str, ...], str]) -> str:
    """Give what a scalar is of: the name of each object around it, or its key, and the scalar's own key."""
    parts: list[str] = []
    for depth in range(len(leaf.path)):
        part = leaf.path[depth]
        name = names.get(leaf.path[:depth])
        if name is not None:
            parts.append(name)
        if depth == len(leaf.path) - 1 and name is not None and part.lower() in _AMOUNTS - {"price", "total"}:
            continue
        if not part.startswith("[") and part.lower() not in _ENVELOPES:
            parts.append(unit_word(part) if depth == len(leaf.path) - 1 and not leaf.is_text else part)
    return " ".join(parts)


def _claim(leaf: Leaf, names: dict[tuple[str, ...], str]) -> FoundClaim | None:
    """Give the claim of one scalar."""
    key = leaf.path[-1]
    if leaf.written == "null":
        return None
    value: Value | None
    if leaf.is_text:
        value = value_of(leaf.written, words=len(leaf.written.split()) == 1)
    else:
        value = named_value(key, leaf.written, words=False)
    if value is None:
        return None
    if leaf.unit and value.type == "number" and not value.unit:
        value = Value(type="number", text=value.text, unit=leaf.unit)
    subject, predicate = _subject(leaf, names), "is"
    if value.type == "boolean":
        whole = subject.rpartition(key)[0].strip()
        subject, predicate = (whole, key) if whole else (key, "is")
        if value.text == "false":
            return FoundClaim(
                subject=subject,
                predicate=predicate,
                value=TRUE,
                positive=False,
                rule="field",
                start=leaf.start,
                end=leaf.end,
            )
    if not subject or len(subject) > 200:  # noqa: PLR2004 - a small bound
        return None
    return FoundClaim(subject=subject, predicate=predicate, value=value, rule="field", start=leaf.start, end=leaf.end)
