"""What a field may hold: a JSON text checked against the field's type and written in its one canonical form."""

import datetime as dt
import functools
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from stanchion_contracts.value import Value, ValueType
from stanchion_core.claim_key import claim_key
from stanchion_core.condition import Condition, Operator, satisfies
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.limits import FIELD_VALUE_BYTES, NAME_CHARS
from stanchion_core.text import canonical_json, parse_json
from stanchion_core.vocabulary import Field

_PRINCIPAL: Final = re.compile(r"person:[\w.@-]+|model:[^/\s]+/[^@\s]+@\S+|system:\S+")
_PREFIXES: Final = ("person:", "model:", "system:")
_DATE_CHARS: Final = 10
_OPS: Final = ", ".join(get_args(Operator))
_TYPES: Final = ", ".join(get_args(ValueType))


class _ClaimField(Struct, frozen=True, forbid_unknown_fields=True):
    """A claim by its two names."""

    subject: str
    predicate: str


class _ConditionField(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition on a claim's value; a plain value stands for one without unit."""

    op: Operator
    value: bool | int | float | str | Value | None = None


def checked_value(field: Field, text: str) -> str:
    """Give a field's JSON text in canonical form, empty where it clears the field.

    Args:
        field: as the vocabulary declares it.
        text: as it was written.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`, the field named.
    """
    if not text:
        return ""
    plain = parse_json(text, field.name, utf8_bytes=FIELD_VALUE_BYTES)
    if plain is None:
        return ""
    return canonical_json(_CHECKS[field.type](field, plain))


@functools.lru_cache(maxsize=16_384)  # each belief asks it of every hypothesis on its claim
def condition_of(text: str) -> Condition:
    """Read a condition field.

    Args:
        text: what `checked_value` gave.
    """
    plain = msgspec.json.decode(text, type=_ConditionField)
    return Condition(op=plain.op, value=None if plain.value is None else _value(plain.value))


def checked_moment(text: str, field: str) -> str:
    """Give a date or a time with offset, empty for not set.

    Raises:
        InvalidMessage: `FIELD_VALUE`: it is neither, or a time without offset.
    """
    if not text:
        return ""
    try:
        if len(text) == _DATE_CHARS:
            return dt.date.fromisoformat(text).isoformat()
        time = dt.datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidMessage(FIELD_VALUE, f"{field} is neither a date nor a time: {text!r}", field) from error
    if time.tzinfo is None:
        raise InvalidMessage(FIELD_VALUE, f"{field} is a time without offset: {text!r}", field)
    return text


def moment_us(date: str) -> int:
    """Give a date (its first moment in UTC) or a time with offset in microseconds since the epoch."""
    time = dt.datetime.fromisoformat(date)
    time = time if time.tzinfo is not None else time.replace(tzinfo=dt.UTC)
    return (time - dt.datetime(1970, 1, 1, tzinfo=dt.UTC)) // dt.timedelta(microseconds=1)


def principal_of(name: str) -> str:
    """Give who decided as `person:<slug>`, `model:<provider>/<model>@<version>` or `system:<name>`.

    Args:
        name: one of these, or a person's plain name.

    Raises:
        InvalidMessage: `FIELD_VALUE`: it begins like a principal and is none, or no name is left.
    """
    stored = name.strip()
    if stored.startswith(_PREFIXES):
        if _PRINCIPAL.fullmatch(stored) is None:
            raise InvalidMessage(
                FIELD_VALUE, f"{name!r} is neither person:<slug>, model:<provider>/<model>@<version> nor system:<name>"
            )
        return stored
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", stored) if not unicodedata.combining(mark))
    slug = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", plain).casefold()).strip("-")
    if not slug:
        raise InvalidMessage(FIELD_VALUE, f"{name!r} names nobody")
    return f"person:{slug}"


def _text(field: Field, plain: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give a text.

    Raises:
        InvalidMessage: it is none.
    """
    if not isinstance(plain, str):
        raise InvalidMessage(FIELD_VALUE, f"{field.name} takes a text, not {plain!r:.80}", field.name)
    return plain


def _word(field: Field, plain: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give one of the closed words.

    Raises:
        InvalidMessage: it is none of them.
    """
    if plain not in field.words:
        raise InvalidMessage(
            FIELD_VALUE, f"{field.name} takes one of {', '.join(field.words)}, not {plain!r:.80}", field.name
        )
    return str(plain)


def _list(field: Field, plain: Any) -> list[str]:  # noqa: ANN401 - any JSON value
    """Give a list of texts; one text is a list of one.

    Raises:
        InvalidMessage: it is neither.
    """
    items = [plain] if isinstance(plain, str) else plain
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise InvalidMessage(FIELD_VALUE, f"{field.name} takes a list of texts, not {plain!r:.80}", field.name)
    return items


def _date(field: Field, plain: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give a date or a time with offset.

    Raises:
        InvalidMessage: it is neither.
    """
    return checked_moment(_text(field, plain), field.name)


def _principal(field: Field, plain: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give who decided.

    Raises:
        InvalidMessage: it is no name.
    """
    return principal_of(_text(field, plain))


def _claim(field: Field, plain: Any) -> Mapping[str, str]:  # noqa: ANN401 - any JSON value
    """Give a claim by its keys.

    Raises:
        InvalidMessage: it is not `{"subject": …, "predicate": …}` with both named.
    """
    try:
        claim = msgspec.convert(plain, _ClaimField)
    except msgspec.ValidationError as error:
        raise InvalidMessage(
            FIELD_VALUE, f"{field.name} takes a subject and a predicate: {error}", field.name
        ) from error
    subject, predicate = claim_key(claim.subject), claim_key(claim.predicate)
    if not subject or not predicate or max(len(subject), len(predicate)) > NAME_CHARS:
        raise InvalidMessage(
            FIELD_VALUE, f"{field.name} names a subject and a predicate of up to {NAME_CHARS} characters"
        )
    return {"subject": subject, "predicate": predicate}


def _condition(field: Field, plain: Any) -> Mapping[str, Any]:  # noqa: ANN401 - any JSON value
    """Give a condition, its value in full.

    Raises:
        InvalidMessage: it is not `{"op": …, "value": …}`, or lacks a value.
    """
    try:
        condition = msgspec.convert(plain, _ConditionField)
    except msgspec.ValidationError as error:
        raise InvalidMessage(
            FIELD_VALUE,
            f"{field.name} takes an op ({_OPS}) and a value (plain, or of type {_TYPES}, with text and unit): {error}",
            field.name,
        ) from error
    if condition.op == "true":
        return {"op": "true"}
    if condition.value is None:
        raise InvalidMessage(FIELD_VALUE, f"{field.name} `{condition.op}` needs a value", field.name)
    value = _value(condition.value)
    if not _can_be_met(Condition(op=condition.op, value=value)):
        raise InvalidMessage(
            FIELD_VALUE, f"{field.name}: no value is `{condition.op}` {value.type} {value.text!r:.80}", field.name
        )
    return {"op": condition.op, "value": msgspec.to_builtins(value)}


def _can_be_met(condition: Condition) -> bool:
    """Tell whether a claim can have a value that meets a condition: its own one does where it is read at all.

    A text has no order, a number that is none equals nothing, and nothing is at most `> 5`.
    """
    value = condition.value
    if value is None:
        return False
    if condition.op != "equals":
        return satisfies(value, condition)
    if value.type == "boolean":
        return value.text.casefold() in {"true", "false"}
    bounds: tuple[Operator, ...] = ("at least", "at most")
    return value.type == "string" or any(satisfies(value, Condition(op=op, value=value)) for op in bounds)


def _value(plain: bool | float | str | Value) -> Value:  # noqa: FBT001 - a value, not a switch
    """Give a typed value; a plain one is a boolean, a number or a string."""
    if isinstance(plain, Value):
        return plain
    if isinstance(plain, bool):
        return Value(type="boolean", text="true" if plain else "false")
    if isinstance(plain, str):
        return Value(type="string", text=plain)
    return Value(type="number", text=str(int(plain) if plain == int(plain) else plain))


_CHECKS: Final[Mapping[str, Callable[[Field, Any], Any]]] = {
    "text": _text,
    "word": _word,
    "list": _list,
    "date": _date,
    "principal": _principal,
    "claim": _claim,
    "condition": _condition,
}
