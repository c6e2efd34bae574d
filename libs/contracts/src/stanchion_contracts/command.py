"""Commands: what a caller asks validity to decide."""

from typing import Literal

from msgspec import Struct

from stanchion_contracts.meta import Meta
from stanchion_contracts.record import Citation, FieldValue, Link


class LinkSet(Struct, frozen=True, kw_only=True):
    """All links of one name; they replace the record's links of that name, and none clears them."""

    name: str
    links: tuple[Link, ...] = ()


class Write(Struct, frozen=True, kw_only=True):
    """One write: what is present replaces, an empty text clears, what is absent stays.

    Attributes:
        id: of the record.
        kind: needed to create.
        room: needed to create in a room; empty means the workspace's root.
        label: at most 300 characters; None leaves it.
        body: markdown, at most 256 KiB; None leaves it.
        fields: to set; an empty value clears.
        links: to replace, by name.
        evidence: the explicit list of citations; None says nothing about them.
        tags: the whole list; None leaves it.
        valid_from: RFC 3339 date or time, empty clears; None leaves it.
        valid_to: likewise.
        delete: makes it a tombstone; nothing else may be present.
        if_match: the version the write is based on; None does not check.
    """

    id: str
    kind: str = ""
    room: str = ""
    label: str | None = None
    body: str | None = None
    fields: tuple[FieldValue, ...] = ()
    links: tuple[LinkSet, ...] = ()
    evidence: tuple[Citation, ...] | None = None
    tags: tuple[str, ...] | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    delete: bool = False
    if_match: int | None = None


class WriteBatch(Struct, frozen=True, kw_only=True):
    """All or nothing, at most 200 writes."""

    writes: tuple[Write, ...]


class Affirm(Struct, frozen=True, kw_only=True):
    """A person says that a record still holds.

    Attributes:
        record_id: which.
        observed_through: the seq of the validity the person read.
        if_match: the version; None does not check.
        note: at most 500 characters.
    """

    record_id: str
    observed_through: int
    if_match: int | None = None
    note: str = ""


class QuoteSeen(Struct, frozen=True, kw_only=True):
    """Whether a quote stands in the version of the source that was read."""

    quote: str
    seen: Literal["present", "absent"]


class ReportObservations(Struct, frozen=True, kw_only=True):
    """Somebody re-read a cited source."""

    uri: str
    version_token: str = ""
    quotes: tuple[QuoteSeen, ...]


class Command(Struct, frozen=True, kw_only=True):
    """One command of a caller; exactly one of write_batch, affirm and report is present.

    Attributes:
        meta: stamped by the gateway.
        key: the caller's idempotency key, at most 128 characters, empty for none.
        digest: SHA-256 of the content without `meta`.
        write_batch: writes.
        affirm: an affirmation.
        report: what a re-read source said.
    """

    meta: Meta
    key: str = ""
    digest: bytes
    write_batch: WriteBatch | None = None
    affirm: Affirm | None = None
    report: ReportObservations | None = None
