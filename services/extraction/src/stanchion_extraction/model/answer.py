"""What an endpoint answers: the claims a model names, or why it is no answer."""

from typing import Final, Literal, TypeVar

import msgspec
from msgspec import Struct

from stanchion_contracts.value import ValueType

REFUSED: Final = "MODEL_REFUSED"
"""The model will not read this text."""
NO_ANSWER: Final = "MODEL_ANSWER"
"""What came is none: no JSON, another form, cut off, too long."""


class BadAnswer(Exception):
    """An answer that holds no claims to look at.

    Attributes:
        code: `MODEL_REFUSED` or `MODEL_ANSWER`.
        again: whether another attempt may do better.
    """

    def __init__(self, code: str, detail: str, *, again: bool) -> None:
        super().__init__(detail)
        self.code = code
        self.again = again


class NamedValue(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value as a model writes it; not yet checked."""

    type: ValueType
    text: str
    unit: str
    op: Literal["", "~", "<", "<=", ">", ">="]


class NamedClaim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A claim as a model writes it; field by field as `answer.schema.json`."""

    subject: str
    predicate: str
    value: NamedValue
    positive: bool
    source: str
    quote: str


class Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a model names in one text."""

    claims: tuple[NamedClaim, ...]


class _Message(Struct, frozen=True):
    """What the model says; whatever else stands there is of no interest."""

    content: str | None = None
    refusal: str | None = None


class _Choice(Struct, frozen=True):
    """One answer of possibly several."""

    message: _Message
    finish_reason: str | None = None


class _Completion(Struct, frozen=True):
    """The endpoint's frame."""

    choices: tuple[_Choice, ...]


def claims_in(body: bytes) -> tuple[NamedClaim, ...]:
    """Give the claims of a chat completion.

    Args:
        body: of the response, a chat completion in JSON.

    Raises:
        BadAnswer: it is none, or what the model says has not the form that was asked for.
    """
    completion = _read(body, _Completion, "chat completion")
    if not completion.choices:
        raise BadAnswer(NO_ANSWER, "the chat completion has no choices", again=True)
    choice = completion.choices[0]
    if choice.message.refusal:
        raise BadAnswer(REFUSED, "the model refuses", again=False)
    if choice.finish_reason == "content_filter":
        raise BadAnswer(REFUSED, "the endpoint's filter stopped the answer", again=False)
    if choice.finish_reason == "length":
        detail = "the answer was cut off at its most tokens; set STANCHION_EXTRACTION_MODEL_MAX_TOKENS higher"
        raise BadAnswer(NO_ANSWER, detail, again=False)
    content = (choice.message.content or "").encode("utf-8", "surrogatepass")
    return _read(content, Answer, "answer").claims


_Form = TypeVar("_Form", _Completion, Answer)


def _read(data: bytes, kind: type[_Form], what: str) -> _Form:
    """Read JSON as one of the forms above.

    Raises:
        BadAnswer: it is none.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadAnswer(NO_ANSWER, f"the {what} is not of its form: {error}"[:400], again=True) from None
