"""How a mapping of documents is written down; `docs/mappings.md` says what each key means."""

from typing import Literal

from msgspec import Struct, field

Parser = Literal["markdown", "front_matter", "yaml", "rfc822"]
Texts = str | list[str]
"""One expression, or several whose texts stand one after the other."""


class LeaveOut(Struct, frozen=True, forbid_unknown_fields=True):
    """Files that are no records."""

    paths: list[str]
    why: str


class StatusSource(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the status is said, and how."""

    texts: Texts = field(name="from")
    read: Literal["word", "line"] = "word"
    words: dict[str, str] = {}


class FieldSource(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a field's value is said, and how."""

    texts: Texts = field(name="from")
    read: Literal["text", "list", "date", "name"] = "text"


class LinkSource(Struct, frozen=True, forbid_unknown_fields=True):
    """Where links are said, and how."""

    texts: Texts = field(name="from")
    name: str = ""
    direction: Literal["out", "in"] = "out"
    partial: bool = False
    read: Literal["values", "keys", "statements"] = "values"


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """The link that a phrase means."""

    name: str
    direction: Literal["out", "in"] = "out"
    partial: bool = False


class References(Struct, frozen=True, forbid_unknown_fields=True):
    """How documents of the mapping are named by others; see `core/place.py`."""

    prefixes: list[str] = []
    folder_files: list[str] = []
    collection: str = ""
    addresses: list[str] = []
    numbered: list[str] = []
    nothing: list[str] = []
    examples: list[str] = []


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """One mapping of documents."""

    paths: dict[str, Parser]
    kind: str
    leave_out: list[LeaveOut] = []
    when: str = ""
    why_not: str = "it does not look like one"
    id: str = "place.stem"
    label: Texts = "title"
    status: StatusSource | None = None
    fields: dict[str, FieldSource | Texts] = {}
    links: list[LinkSource] = []
    phrases: dict[str, Phrase] = {}
    references: References = References()
    author: str = "document.author"
    folded: list[str] = []
    body: Literal["text", "rest"] = "rest"
    claims: bool = False


class Own(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of a workspace's own vocabulary that a file's mappings use."""

    kinds: list[str] = []
    fields: list[str] = []
    links: list[str] = []
    statuses: list[str] = []
