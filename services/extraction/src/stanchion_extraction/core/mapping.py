"""Mapping files: what a deployment declares of the events and documents that it reads."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
import yaml
from msgspec import Struct

from stanchion_core.vocabulary import Vocabulary
from stanchion_extraction.core.compiler import form_of
from stanchion_extraction.core.declared import Own
from stanchion_extraction.core.form import Form
from stanchion_extraction.core.rule import Rules, rules_of

_KEYS: Final = frozenset({"events", "documents", "own"})


class Mappings(Struct, frozen=True):
    """What is declared.

    Attributes:
        events: rules by event type; `debezium.public.accounts.*` is any type that begins so.
        forms: of documents, by name; a document is read by the first one that it fits.
    """

    events: Mapping[str, Rules] = {}
    forms: Mapping[str, Form] = {}

    def rules_for(self, kind: str) -> Rules | None:
        """Give the rules of an event type: its own, else those of the nearest `….*` above it, else None."""
        rules = self.events.get(kind)
        above = kind
        while rules is None and "." in above:
            above = above.rpartition(".")[0]
            rules = self.events.get(f"{above}.*")
        return rules

    @property
    def names(self) -> frozenset[str]:
        """Everything declared."""
        return frozenset([*self.events, *self.forms])

    def over(self, other: "Mappings") -> "Mappings":
        """Give both; what is declared here goes before what the other says, and stands in for what it names alike."""
        rest = {name: form for name, form in other.forms.items() if name not in self.forms}
        return Mappings({**other.events, **self.events}, {**self.forms, **rest})


def parse_mappings(text: str, name: str, vocabulary: Vocabulary) -> Mappings:
    """Read a mapping file.

    Args:
        text: YAML: `events`, rules by event type; `documents`, mappings by name; `own`, words of vocabularies that
            are not the base one.
        name: of the file, for the message.
        vocabulary: the base one.

    Raises:
        ValueError: it is no mapping file; the message says where and why.
    """
    try:
        plain = yaml.load(text, Loader=yaml.CBaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"mapping {name}: it is not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(plain, dict) or not plain or not set(plain) <= _KEYS:
        raise ValueError(f"mapping {name}: its keys are `events`, `documents` and `own`")
    where = f"mapping {name}"
    own = _own(plain.get("own", {}), where)
    events = _part(plain, "events", where)
    documents = _part(plain, "documents", where)
    return Mappings(
        events={str(kind): rules_of(rules, f"{where}, {kind}") for kind, rules in events.items()},
        forms={str(form): _form(form, what, own, vocabulary, where) for form, what in documents.items()},
    )


def _part(plain: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    """Give a part of a file, by name.

    Raises:
        ValueError: it is no such mapping.
    """
    part = plain.get(key, {})
    if not isinstance(part, dict):
        raise ValueError(f"{where}: `{key}` maps names to what is declared of them")  # noqa: TRY004 - the file is wrong
    return part


def _own(plain: object, where: str) -> Own:
    """Read the words of other vocabularies.

    Raises:
        ValueError: they are none.
    """
    try:
        return msgspec.convert(plain, Own, strict=False)
    except msgspec.ValidationError as error:
        raise ValueError(f"{where}, own: {error}") from error


def _form(name: str, plain: object, own: Own, vocabulary: Vocabulary, where: str) -> Form:
    """Read one mapping of documents.

    Raises:
        ValueError: it is none.
    """
    try:
        return form_of(name, plain, own, vocabulary)
    except ValueError as error:  # msgspec's is one, too
        raise ValueError(f"{where}, {name}: {error}") from error
