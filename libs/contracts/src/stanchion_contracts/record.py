"""Records as they are written and kept."""

from typing import Literal

from msgspec import Struct


class FieldValue(Struct, frozen=True, kw_only=True, order=True):
    """One field.

    Attributes:
        name: declared by the vocabulary.
        value: canonical JSON text (sorted keys, no spaces, NFC); empty clears the field in a write.
    """

    name: str
    value: str


class Link(Struct, frozen=True, kw_only=True):
    """One link of a record; its from end is the record that carries it.

    Attributes:
        name: declared by the vocabulary.
        to: id of the record at the other end.
        state: only `confirmed` links rest, bind or are walked.
        mandatory: of `depends_on`.
        priority: 0 unless set.
        priority_source: `set` or `observed`, empty while priority is 0.
        proposal_confidence: 0 to 1, of a proposed link.
        stated_by: which end's record states it: `from`, `to` or `both`.
        note: the words it was written in, may be empty.
    """

    name: str
    to: str
    state: Literal["confirmed", "proposed", "revoked"] = "confirmed"
    mandatory: bool = True
    priority: int = 0
    priority_source: Literal["", "set", "observed"] = ""
    proposal_confidence: float = 0.0
    stated_by: Literal["from", "to", "both"] = "from"
    note: str = ""


class Citation(Struct, frozen=True, kw_only=True, order=True):
    """A source in its place, and the words that were cited; the source itself is never fetched.

    Attributes:
        uri: where the source lives, or the id of a document the workspace holds.
        quote: at most 2,000 characters.
        version_token: the version read, opaque.
    """

    uri: str
    quote: str = ""
    version_token: str = ""
