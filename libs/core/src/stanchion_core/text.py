"""Text from outside: made NFC, or refused with the field and the limit named."""

import json
import math
import re
import unicodedata
from collections import Counter
from typing import Any, Final

from stanchion_core.claim_key import claim_key
from stanchion_core.errors import FIELD_VALUE, TOO_LARGE, InvalidMessage
from stanchion_core.limits import JSON_DEPTH

_UNWANTED: Final = re.compile("[\x00\ud800-\udfff]")
_MARKS: Final = 30  # on one character: UAX #15, section 13 (Stream-Safe Text Format)
_PERHAPS_MARKS: Final = re.compile(rf"[^\x00-\x7f\w]{{{_MARKS + 1},}}")
# A string without its end is taken to the end of the text: looked for anew from each quote, it took minutes.
_STRUCTURE: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def clean(text: str, field: str, *, chars: int | None = None, utf8_bytes: int | None = None) -> str:
    """Give a text as it is stored: NFC, within its limit.

    Args:
        text: as it came.
        field: what to call it in a refusal.
        chars: most characters (code points after NFC), None for no such limit.
        utf8_bytes: most bytes in UTF-8, None for no such limit.

    Raises:
        InvalidMessage: `FIELD_VALUE` for NUL, a lone surrogate or a heap of marks, `TOO_LARGE` over the limit.
    """
    if text.isascii() and "\x00" not in text:  # most texts, and most short ones
        stored = text
    else:
        _refuse_unwanted(text, field)
        stored = nfc(text, field)
    if chars is not None and len(stored) > chars:
        raise InvalidMessage(TOO_LARGE, f"{field} has {len(stored)} characters; the limit is {chars}", field)
    if utf8_bytes is not None and (size := len(stored.encode())) > utf8_bytes:
        raise InvalidMessage(TOO_LARGE, f"{field} has {size} bytes; the limit is {utf8_bytes}", field)
    return stored


def _refuse_unwanted(text: str, field: str) -> None:
    """See that a text has no character that nothing stores.

    Raises:
        InvalidMessage: `FIELD_VALUE` for NUL or a lone surrogate.
    """
    if (found := _UNWANTED.search(text)) is not None:
        what = "a NUL" if found[0] == "\x00" else "a lone surrogate"
        raise InvalidMessage(FIELD_VALUE, f"{field} has {what} at character {found.start()}; remove it", field)


def nfc(text: str, field: str) -> str:
    """Give a text from outside in NFC.

    Args:
        text: as it came.
        field: what to call it in a refusal.

    Raises:
        InvalidMessage: `FIELD_VALUE` for more marks on one character than any language has: Python sorts them in a
            time that grows with their square, minutes for a body of nothing else.
    """
    for run in _PERHAPS_MARKS.finditer(text):
        marks = 0
        for at, character in enumerate(run[0], start=run.start()):
            marks = marks + 1 if unicodedata.combining(character) else 0
            if marks > _MARKS:
                raise InvalidMessage(
                    FIELD_VALUE, f"{field} has more than {_MARKS} marks on one character, before character {at}", field
                )
    return unicodedata.normalize("NFC", text)


def decode(data: bytes, field: str, *, chars: int | None = None, utf8_bytes: int | None = None) -> str:
    """Give bytes from outside as text, as `clean` does.

    Raises:
        InvalidMessage: `FIELD_VALUE` for what is not UTF-8; else as `clean`.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InvalidMessage(FIELD_VALUE, f"{field} is not UTF-8 at byte {error.start}", field) from error
    return clean(text, field, chars=chars, utf8_bytes=utf8_bytes)


def required(text: str, field: str, *, chars: int) -> str:
    """Give a text that must not be empty, as `clean` does.

    Raises:
        InvalidMessage: `FIELD_VALUE` when nothing of it can be seen; else as `clean`.
    """
    stored = clean(text, field, chars=chars)
    if not stored.strip() or not (stored.isascii() or claim_key(stored)):
        raise InvalidMessage(FIELD_VALUE, f"{field} is missing", field)
    return stored


def canonical_json(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give a value as canonical JSON text: sorted keys, no spaces, NFC, nothing escaped that need not be.

    Raises:
        ValueError: a number that JSON has no word for (NaN, an infinity).
    """
    text = _canonical(value)
    # Text by text: NFC of the whole would join a mark to the letter of an escape before it (`\n` and a tilde).
    return text if text.isascii() or unicodedata.is_normalized("NFC", text) else _canonical(_composed(value))


def _canonical(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Give a value as JSON text with sorted names and no spaces.

    Raises:
        ValueError: a number that JSON has no word for.
    """
    return _CANONICAL.encode(value)


def _composed(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Give the value with each text inside NFC."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", name): _composed(inner) for name, inner in value.items()}
    return [_composed(inner) for inner in value] if isinstance(value, list | tuple) else value


def parse_json(text: str | bytes, field: str, *, utf8_bytes: int) -> Any:  # noqa: ANN401 - any JSON value
    """Read JSON from outside.

    Args:
        text: as it came.
        field: what to call it in a refusal.
        utf8_bytes: most bytes.

    Raises:
        InvalidMessage: `TOO_LARGE` over the limit; `FIELD_VALUE` for what is not JSON, nests too deeply, repeats a name
            in one object, has a number JSON does not allow, NUL or lone surrogates.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if len(data) > utf8_bytes:
        raise InvalidMessage(TOO_LARGE, f"{field} has {len(data)} bytes; the limit is {utf8_bytes}", field)
    if json_depth(data) > JSON_DEPTH:
        raise InvalidMessage(FIELD_VALUE, f"{field} nests deeper than {JSON_DEPTH}", field)
    try:
        value = _READER.decode(data.decode(json.detect_encoding(data), "surrogatepass"))
    except ValueError as error:  # malformed, not UTF-8, or from the two hooks
        raise InvalidMessage(FIELD_VALUE, f"{field} is not JSON: {error}", field) from error
    clean(_WHOLE.encode(value), field)
    if b"\\u0000" in data and _has_nul(value):
        raise InvalidMessage(FIELD_VALUE, f"{field} has a NUL; remove it", field)
    return value


def json_depth(data: bytes) -> int:
    """Give how deeply objects and arrays nest, without parsing; brackets in strings do not count."""
    depth = deepest = 0
    for token in _STRUCTURE.finditer(data):
        if token[0] in {b"[", b"{"}:
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in {b"]", b"}"}:
            depth -= 1
    return deepest


def _no_constant(name: str) -> float:
    """Refuse NaN and the infinities.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    """Give a number with point or exponent; Python reads `1e999` as an infinity.

    Raises:
        ValueError: it is too large for a float.
    """
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is out of range")
    return number


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says one name twice.

    Raises:
        ValueError: a name is repeated.
    """
    whole = dict(pairs)
    if len(whole) != len(pairs):
        times = Counter(name for name, _ in pairs)
        raise ValueError(f"name {next(name for name in times if times[name] > 1)!r} stands twice in one object")
    return whole


def _has_nul(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Tell whether any text inside holds a NUL."""
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any("\x00" in name or _has_nul(inner) for name, inner in value.items())
    return isinstance(value, list) and any(map(_has_nul, value))


# Made once: `json.dumps` and `json.loads` make one for each call that asks for anything out of the ordinary.
_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_WHOLE: Final = json.JSONEncoder(ensure_ascii=False)
_READER: Final = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_repeats)
