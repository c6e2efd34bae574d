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


class PublishProposal(Struct, frozen=True, kw_only=True):
    """A person has a proposal come into force, all of it or a selection, exactly as it was shown.

    Attributes:
        proposal_id: which.
        digest: of the proposal as it was shown (`stanchion_contracts.proposal.digest_of`).
        record_ids: the writes to publish, by record; none means all.
        note: why, in the person's words, at most 500 characters.
    """

    proposal_id: str
    digest: bytes
    record_ids: tuple[str, ...] = ()
    note: str = ""


class RejectProposal(Struct, frozen=True, kw_only=True):
    """Somebody with the right says no to a proposal.

    Attributes:
        proposal_id: which.
        digest: of the proposal as it was shown.
        reason: why, at most 500 characters; needed.
    """

    proposal_id: str
    digest: bytes
    reason: str


class EditProposal(Struct, frozen=True, kw_only=True):
    """A person changes what a proposal would write, before anybody publishes it.

    Attributes:
        proposal_id: which.
        digest: of the proposal as it was shown.
        writes: what it would write from now on, whole.
    """

    proposal_id: str
    digest: bytes
    writes: tuple[Write, ...]


class SetWorkspace(Struct, frozen=True, kw_only=True):
    """A person changes how a workspace works.

    Attributes:
        approval_only: every write of an agent waits for a person; None leaves it.
        vocabulary: the JSON text of a vocabulary, empty for the base one; None leaves it.
        if_match: the version of the settings it is based on; None does not check.
    """

    approval_only: bool | None = None
    vocabulary: str | None = None
    if_match: int | None = None


class Command(Struct, frozen=True, kw_only=True):
    """One command of a caller; exactly one of the parts after `digest` is present.

    Attributes:
        meta: stamped by the gateway.
        key: the caller's idempotency key, at most 128 characters, empty for none.
        digest: SHA-256 of the content without `meta`.
        write_batch: writes.
        affirm: an affirmation.
        report: what a re-read source said.
        publish: a proposal comes into force.
        reject: a proposal does not.
        edit: a proposal changes.
        workspace: settings of the workspace.
    """

    meta: Meta
    key: str = ""
    digest: bytes
    write_batch: WriteBatch | None = None
    affirm: Affirm | None = None
    report: ReportObservations | None = None
    publish: PublishProposal | None = None
    reject: RejectProposal | None = None
    edit: EditProposal | None = None
    workspace: SetWorkspace | None = None
