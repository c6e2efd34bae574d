"""Ledger: entries that commit to every change by salted digest, and their payloads beside them."""

from typing import Literal

from msgspec import Struct

from stanchion_contracts.change import Change
from stanchion_contracts.meta import ActorKind, Meta


class Entry(Struct, frozen=True, kw_only=True):
    """One entry; its Avro bytes (without marker) are the leaf of the workspace's Merkle tree.

    Its schema never changes: other bytes would be another leaf (decision 0011). What is new goes into the payload.

    Attributes:
        workspace: whose.
        seq: leaf index + 1.
        recorded_at_us: microseconds since the epoch, never earlier than the previous entry's.
        actor_kind: who acted.
        actor_id: who acted.
        on_behalf_of: for whom, empty for nobody.
        action: what happened.
        subject_kind: to what kind of thing.
        subject_id: to which.
        origin: observation or command.
        payload_digest: SHA-256 over the payload's bytes, whose first field is the salt.
    """

    workspace: str
    seq: int
    recorded_at_us: int
    actor_kind: ActorKind
    actor_id: str
    on_behalf_of: str = ""
    action: str
    subject_kind: str
    subject_id: str
    origin: str
    payload_digest: bytes


class Payload(Struct, frozen=True, kw_only=True):
    """What an entry commits to; erasable without breaking a proof.

    Attributes:
        salt: 16 bytes, derived from the message's seed and the seq.
        change: the whole change.
    """

    salt: bytes
    change: Change


class Ledger(Struct, frozen=True, kw_only=True):
    """The notarised entries of one changes or receipts message.

    Attributes:
        meta: as stamped.
        tree: which of the workspace's trees.
        size: the tree's size after these entries.
        entries: in seq order.
        payloads: one for each entry, single-object encoded `Payload` (or `Receipt`).
    """

    meta: Meta
    tree: Literal["changes", "receipts"] = "changes"
    size: int
    entries: tuple[Entry, ...]
    payloads: tuple[bytes, ...]
