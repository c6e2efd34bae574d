"""What callers write over gRPC, as commands: screened, normalised, and with the digest that tells a retry."""

from typing import Final

import msgspec

from stanchion_contracts.command import (
    Affirm,
    Command,
    EditProposal,
    PublishProposal,
    QuoteSeen,
    RejectProposal,
    ReportObservations,
    SetWorkspace,
    WriteBatch,
)
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.meta import Meta
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.ids import content_digest
from stanchion_core.limits import (
    KEY_CHARS,
    NAME_CHARS,
    NOTE_CHARS,
    QUOTE_CHARS,
    QUOTES,
    URI_CHARS,
    VOCABULARY_BYTES,
    WRITES,
)
from stanchion_core.text import clean, required
from stanchion_core.vocabulary_text import json_text, read
from stanchion_ingest.core.name import record_id
from stanchion_ingest.core.write import check_count, screened_writes

_DIGEST_BYTES: Final = 32

Part = WriteBatch | Affirm | ReportObservations | PublishProposal | RejectProposal | EditProposal | SetWorkspace

_MEMBERS: Final[dict[type[Part], str]] = {
    WriteBatch: "write_batch",
    Affirm: "affirm",
    ReportObservations: "report",
    PublishProposal: "publish",
    RejectProposal: "reject",
    EditProposal: "edit",
    SetWorkspace: "workspace",
}
"""Which part of a command each is."""


def command_of(meta: Meta, key: str, part: Part) -> Command:
    """Give the command of a part.

    Args:
        meta: its head.
        key: the caller's idempotency key, may be empty.
        part: what is to be decided.

    Raises:
        InvalidMessage: the key is too long, or no text.
    """
    bare = Command(meta=meta, key=clean(key, "idempotency_key", chars=KEY_CHARS), digest=digest_of(part))
    return msgspec.structs.replace(bare, **{_MEMBERS[type(part)]: part})


def digest_of(part: Part) -> bytes:
    """Give the SHA-256 of a command's content, the same for the same call however it was written."""
    return content_digest((type(part).__name__.encode(), msgspec.json.encode(part)))


def write_batch(request: pb.WriteBatchRequest, mint_from: tuple[str, ...]) -> WriteBatch:
    """Give a batch of writes.

    Args:
        request: as it came.
        mint_from: what ids of records without one derive from, the same when the call is retried.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    return WriteBatch(writes=screened_writes(request, mint_from))


def affirm(request: pb.AffirmRequest) -> Affirm:
    """Give an affirmation.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    if request.observed_through < 0:
        raise InvalidMessage(
            FIELD_VALUE, f"observed_through is {request.observed_through}; a seq is never negative", "observed_through"
        )
    return Affirm(
        record_id=record_id(request.record_id, "record_id"),
        observed_through=request.observed_through,
        if_match=request.if_match if request.HasField("if_match") else None,
        note=clean(request.note, "note", chars=NOTE_CHARS),
    )


def report(request: pb.ReportObservationsRequest) -> ReportObservations:
    """Give what a source was found to say.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    check_count(len(request.quotes), QUOTES, "quotes", "a report")
    if not request.quotes:
        raise InvalidMessage(
            FIELD_VALUE, "quotes is empty; a report says of at least one quote whether it stands there", "quotes"
        )
    return ReportObservations(
        uri=required(request.uri, "uri", chars=URI_CHARS),
        version_token=clean(request.version_token, "version_token", chars=NAME_CHARS),
        quotes=tuple(
            QuoteSeen(
                quote=required(each.quote, f"quotes[{number}].quote", chars=QUOTE_CHARS),
                seen="present" if each.present else "absent",
            )
            for number, each in enumerate(request.quotes)
        ),
    )


def publish(request: pb.PublishProposalRequest) -> PublishProposal:
    """Give the publication of a proposal; a selection is a set, so order and repetition say nothing.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`.
    """
    check_count(len(request.record_ids), WRITES, "record_ids", "a proposal")
    chosen = {record_id(each, f"record_ids[{number}]") for number, each in enumerate(request.record_ids)}
    return PublishProposal(
        proposal_id=required(request.proposal_id, "proposal_id", chars=NAME_CHARS),
        digest=_shown(request.digest),
        record_ids=tuple(sorted(chosen)),
        note=clean(request.note, "note", chars=NOTE_CHARS),
    )


def reject(request: pb.RejectProposalRequest) -> RejectProposal:
    """Give the rejection of a proposal.

    Raises:
        InvalidMessage: `FIELD_VALUE` or `TOO_LARGE`.
    """
    return RejectProposal(
        proposal_id=required(request.proposal_id, "proposal_id", chars=NAME_CHARS),
        digest=_shown(request.digest),
        reason=required(request.reason, "reason", chars=NOTE_CHARS),
    )


def edit(request: pb.EditProposalRequest, mint_from: tuple[str, ...]) -> EditProposal:
    """Give what a proposal is to become.

    Args:
        request: as it came.
        mint_from: as in `write_batch`.

    Raises:
        InvalidMessage: `FIELD_VALUE`, `TOO_LARGE` or `TOO_MANY`, the field named.
    """
    return EditProposal(
        proposal_id=required(request.proposal_id, "proposal_id", chars=NAME_CHARS),
        digest=_shown(request.digest),
        writes=screened_writes(request, mint_from),
    )


def set_workspace(request: pb.SetWorkspaceRequest) -> SetWorkspace:
    """Give settings of a workspace, a vocabulary as canonical JSON text.

    Raises:
        InvalidMessage: `FIELD_VALUE` when nothing is set or the vocabulary is none, the place named; `TOO_LARGE`.
    """
    if not request.HasField("approval_only") and not request.HasField("vocabulary"):
        raise InvalidMessage(FIELD_VALUE, "neither approval_only nor vocabulary is present; nothing would be set")
    return SetWorkspace(
        approval_only=request.approval_only if request.HasField("approval_only") else None,
        vocabulary=_vocabulary(request.vocabulary) if request.HasField("vocabulary") else None,
        if_match=request.if_match if request.HasField("if_match") else None,
    )


def _vocabulary(text: str) -> str:
    """Give a vocabulary's JSON text; empty takes the base one back.

    Raises:
        InvalidMessage: `FIELD_VALUE`, the place named, or `TOO_LARGE`.
    """
    if not text:
        return ""
    kept = json_text(read(text))
    return clean(kept, "vocabulary", utf8_bytes=VOCABULARY_BYTES)  # YAML may be shorter than what it stands for


def _shown(digest: bytes) -> bytes:
    """Give the digest of what was shown.

    Raises:
        InvalidMessage: `FIELD_VALUE` when it has not the length of one.
    """
    if len(digest) != _DIGEST_BYTES:
        raise InvalidMessage(
            FIELD_VALUE,
            f"digest has {len(digest)} bytes; that of a proposal, as GetProposal gives it, has {_DIGEST_BYTES}",
            "digest",
        )
    return digest
