"""Vocabularies as texts: YAML as people write them, JSON as they travel and are kept; both say the same.

```yaml
name: base
kinds:
  decision:
    statuses: [draft, active, superseded]   # the first is what a record is created with
    in_force: [active]
    moves_into: [superseded]
    moves_back: [{from: active, to: draft}]
    fields:
      owner: text                           # a type
      origin: {words: [deliberate, recurring]}
      review_by: {type: date, reminds: true}
links:
  replaces: {from: [decision], to: [decision], supersedes: superseded}
```

Kinds, fields and links keep the order in which they are written.
"""

from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from stanchion_core.errors import TOO_LARGE
from stanchion_core.limits import VOCABULARY_BYTES
from stanchion_core.text import parse_json
from stanchion_core.vocabulary import STATUS, ByEvidence, Field, FieldType, Kind, LinkType, Status, Turn, Vocabulary
from stanchion_core.vocabulary_check import Place, WrongVocabulary, check
from stanchion_core.yaml_text import parse_yaml

_WHOLE: Final = Place()
_STORED_BYTES: Final = 8 * 1024 * 1024  # what a message holds

Part = TypeVar("Part")


class _Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"before": "from", "after": "to"}):
    """A change of one word into another."""

    before: str
    after: str


class _Field(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A field; its type is `word` where it has words and says no other."""

    type: FieldType | None = None
    words: tuple[str, ...] = ()
    moves: bool = False
    moves_into: tuple[str, ...] = ()
    moves_back: tuple[_Turn, ...] = ()
    reminds: bool = False


class _Kind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind, its fields as they come."""

    statuses: tuple[str, ...] = ()
    in_force: tuple[str, ...] = ()
    moves_into: tuple[str, ...] = ()
    moves_back: tuple[_Turn, ...] = ()
    by_evidence: ByEvidence | None = None
    consequence: bool = False
    fields: dict[str, Any] = {}


class _Link(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"from_kinds": "from", "to_kinds": "to"},
):
    """A link."""

    from_kinds: tuple[str, ...] = ()
    to_kinds: tuple[str, ...] = ()
    rests: bool = False
    supersedes: str = ""
    by_itself: bool = False


class _Whole(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vocabulary, its kinds and links as they come."""

    name: str
    kinds: dict[str, Any]
    links: dict[str, Any] = {}


def read(text: str) -> Vocabulary:
    """Read a vocabulary as a person hands it in: JSON where it begins with a brace, else YAML.

    Args:
        text: at most 64 KiB.

    Raises:
        InvalidMessage: it cannot be read, or breaks a rule of vocabularies: the kind, field or link is named.
    """
    if text.lstrip().startswith("{"):
        return from_json(text)
    return _checked(_built(parse_yaml(text, "vocabulary", utf8_bytes=VOCABULARY_BYTES)))


def from_json(text: str) -> Vocabulary:
    """Read a vocabulary from its JSON text.

    Args:
        text: at most 64 KiB.

    Raises:
        InvalidMessage: it cannot be read, or breaks a rule of vocabularies: the kind, field or link is named.
    """
    return _checked(_built(parse_json(text, "vocabulary", utf8_bytes=VOCABULARY_BYTES)))


def stored(text: str) -> Vocabulary:
    """Read a vocabulary that was checked when it was set: rules that came later do not make it unreadable.

    Raises:
        InvalidMessage: it is none.
    """
    return _built(parse_json(text, "vocabulary", utf8_bytes=_STORED_BYTES))


def json_text(vocabulary: Vocabulary) -> str:
    """Give a vocabulary's JSON text: the same for two that say the same, whatever they were read from.

    Its names are in the order of the vocabulary, which means something, not in that of the alphabet.
    """
    whole = _Whole(
        name=vocabulary.name,
        kinds={name: _plain_kind(kind) for name, kind in vocabulary.kinds.items()},
        links={
            link.name: _Link(
                from_kinds=link.from_kinds,
                to_kinds=link.to_kinds,
                rests=link.rests,
                supersedes=link.supersedes,
                by_itself=link.by_itself,
            )
            for link in vocabulary.links.values()
        },
    )
    return msgspec.json.encode(whole).decode()


def _checked(vocabulary: Vocabulary) -> Vocabulary:
    """Give a vocabulary that keeps the rules, and whose JSON text is not too large either.

    Raises:
        WrongVocabulary: it does not.
    """
    check(vocabulary)
    size = len(json_text(vocabulary).encode())
    if size > VOCABULARY_BYTES:
        raise WrongVocabulary(_WHOLE, f"its JSON text has {size} bytes; the limit is {VOCABULARY_BYTES}", TOO_LARGE)
    return vocabulary


def _built(plain: object) -> Vocabulary:
    """Make the vocabulary of plain values.

    Raises:
        WrongVocabulary: a part is unknown, missing, or not what it must be.
    """
    whole = _converted(plain, _Whole, _WHOLE)
    kinds = {name: _kind(name, part) for name, part in whole.kinds.items()}
    links = {name: _link(name, order, part) for order, (name, part) in enumerate(whole.links.items())}
    return Vocabulary(name=whole.name, kinds=kinds, links=links)


def _kind(name: str, plain: object) -> Kind:
    """Make one kind, its status a field like any other.

    Raises:
        WrongVocabulary: a part is not what it must be.
    """
    place = Place(kind=name)
    part = _converted(plain, _Kind, place)
    unknown = [word for word in part.in_force if word not in part.statuses]
    if unknown:
        raise WrongVocabulary(place, f"in_force names what is no status: {', '.join(unknown)}")
    if STATUS in part.fields:
        raise WrongVocabulary(Place(kind=name, field=STATUS), "a kind has it by its `statuses`; do not declare it")
    fields = {field: _field(name, field, inner) for field, inner in part.fields.items()}
    if part.statuses:
        status = Field(
            name=STATUS,
            type="word",
            words=part.statuses,
            moves_into=part.moves_into,
            moves_back=_turns(part.moves_back),
        )
        fields = {STATUS: status, **fields}
    elif part.moves_into or part.moves_back:
        raise WrongVocabulary(place, "moves_into and moves_back name statuses, and it has none")
    return Kind(
        name=name,
        statuses=tuple(Status(name=word, in_force=word in part.in_force) for word in part.statuses),
        fields=fields,
        by_evidence=part.by_evidence,
        consequence=part.consequence,
    )


def _field(kind: str, name: str, plain: object) -> Field:
    """Make one field, from its type alone or from its parts.

    Raises:
        WrongVocabulary: a part is not what it must be.
    """
    part = _converted({"type": plain} if isinstance(plain, str) else plain, _Field, Place(kind=kind, field=name))
    return Field(
        name=name,
        type=part.type or ("word" if part.words else "text"),
        words=part.words,
        moves=part.moves,
        moves_into=part.moves_into,
        moves_back=_turns(part.moves_back),
        reminds=part.reminds,
    )


def _link(name: str, order: int, plain: object) -> LinkType:
    """Make one type of link.

    Raises:
        WrongVocabulary: a part is not what it must be.
    """
    part = _converted(plain, _Link, Place(link=name))
    return LinkType(
        name=name,
        order=order,
        from_kinds=part.from_kinds,
        to_kinds=part.to_kinds,
        rests=part.rests,
        supersedes=part.supersedes,
        by_itself=part.by_itself,
    )


def _turns(turns: tuple[_Turn, ...]) -> tuple[Turn, ...]:
    """Make changes of words."""
    return tuple(Turn(before=turn.before, after=turn.after) for turn in turns)


def _converted(plain: object, part: type[Part], place: Place) -> Part:
    """Check plain values against the form of a part; an empty place is a part that says nothing.

    Raises:
        WrongVocabulary: they have another one.
    """
    try:
        return msgspec.convert({} if plain is None else plain, part, strict=False)  # YAML's `true` is a text here
    except msgspec.ValidationError as error:
        raise WrongVocabulary(place, str(error).replace(" - at `$", " - at `").replace("`.", "`")) from error


def _plain_kind(kind: Kind) -> _Kind:
    """Give a kind as a text has it."""
    status = kind.fields.get(STATUS)
    return _Kind(
        statuses=tuple(known.name for known in kind.statuses),
        in_force=tuple(known.name for known in kind.statuses if known.in_force),
        moves_into=status.moves_into if status is not None else (),
        moves_back=_plain_turns(status),
        by_evidence=kind.by_evidence,
        consequence=kind.consequence,
        fields={name: _plain_field(field) for name, field in kind.fields.items() if name != STATUS},
    )


def _plain_field(field: Field) -> _Field | str:
    """Give a field as a text has it: a type where there is nothing more to say."""
    bare = Field(name=field.name, type=field.type)
    if field == bare:
        return field.type
    return _Field(
        type=None if field.type == ("word" if field.words else "text") else field.type,
        words=field.words,
        moves=field.moves,
        moves_into=field.moves_into,
        moves_back=_plain_turns(field),
        reminds=field.reminds,
    )


def _plain_turns(field: Field | None) -> tuple[_Turn, ...]:
    """Give a field's changes of words as a text has them."""
    return tuple(_Turn(before=turn.before, after=turn.after) for turn in (field.moves_back if field else ()))
