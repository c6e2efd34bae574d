"""What happens to a message: each change, and each receipt, becomes one entry of its workspace's ledger.

Nothing is judged here. The same input gives the same bytes on every machine: the salt comes from the seed that ingest
stamped, the time from the message, the position from the tree.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from stanchion_audit.core.checkpoint import Tree
from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.ledger import Entry, Ledger
from stanchion_contracts.meta import Meta
from stanchion_contracts.outline import ChangeOutline, ChangesOutline, encode_payload, outline_of
from stanchion_contracts.receipt import Receipt
from stanchion_core.ids import content_digest
from stanchion_core.merkle import CompactRange, leaf_hash

SALT_BYTES: Final = 16
_KEY_BYTES: Final = 16
RECEIPTS_KEPT: Final = 20_000
"""How many receipts' ids one partition remembers: twice as many as a view holds back and may append again."""
RECEIPT_ACTION: Final = "receipt.issued"


class SeqGap(Exception):
    """A change does not follow its tree: something upstream was lost or doubled, and we must not go on."""


class Head(Struct, frozen=True, kw_only=True):
    """Where one tree stands.

    Attributes:
        tree: what appends to it.
        recorded_at_us: of its last entry, 0 when it has none.
    """

    tree: CompactRange = CompactRange()
    recorded_at_us: int = 0


class State(Struct, kw_only=True):
    """What one partition keeps.

    Attributes:
        heads: of the trees of its workspaces, by workspace and tree.
        receipts: the receipts notarised last, oldest first, each by 16 bytes that stand for workspace and id.
    """

    heads: dict[tuple[str, Tree], Head] = field(default_factory=dict)
    receipts: dict[bytes, None] = field(default_factory=dict)


_EMPTY: Final = Head()


def decide(state: State, message: ChangesOutline | Changes | Receipt) -> Ledger | None:
    """Notarise one message.

    Args:
        state: of the partition.
        message: what validity emitted, whole or in outline, or what a view served.

    Returns:
        The entries, or None when nothing changed, or the receipt came again: views append them at least once.

    Raises:
        SeqGap: the changes do not continue the workspace's tree.
    """
    if isinstance(message, Receipt):
        known = _receipt_key(message.meta.workspace, message.meta.id) in state.receipts
        return None if known else _of_receipt(state.heads, message)
    return _of_changes(state.heads, outline_of(message) if isinstance(message, Changes) else message)


def evolve(state: State, output: Ledger) -> None:
    """Append the entries to their tree.

    Args:
        state: of the partition.
        output: what `decide` gave, live or read back.

    Raises:
        SeqGap: the output does not continue the tree that the outputs before it made.
    """
    key = (output.meta.workspace, output.tree)
    head = state.heads.get(key, _EMPTY)
    tree = head.tree.extend(leaf_hash(codec.encode_body(entry)) for entry in output.entries)
    if tree.size != output.size:
        raise SeqGap(
            f"ledger of workspace {key[0]!r}, tree {key[1]}: {len(output.entries)} entries on {head.tree.size} make "
            f"{tree.size}, the output says {output.size}; the ledger partition was changed by another hand"
        )
    state.heads[key] = Head(tree=tree, recorded_at_us=output.entries[-1].recorded_at_us)
    if output.tree == "receipts":
        state.receipts |= {_receipt_key(entry.workspace, entry.subject_id): None for entry in output.entries}
        while len(state.receipts) > RECEIPTS_KEPT:
            del state.receipts[next(iter(state.receipts))]


def salt_of(seed: bytes, seq: int) -> bytes:
    """Give the salt of an entry's payload: HMAC-SHA-256 of the seq (8 bytes, big endian) under the message's seed."""
    return hmac.digest(seed, seq.to_bytes(8, "big"), "sha256")[:SALT_BYTES]


def _receipt_key(workspace: str, receipt_id: str) -> bytes:
    """Give the 16 bytes that stand for a receipt."""
    return content_digest((workspace.encode(), receipt_id.encode()))[:_KEY_BYTES]


def _of_changes(heads: Mapping[tuple[str, Tree], Head], message: ChangesOutline) -> Ledger | None:
    """Give an entry for each change."""
    meta = message.meta
    size = heads.get((meta.workspace, "changes"), _EMPTY).tree.size
    _require_order(message, size)
    if not message.changes:
        return None
    payloads = tuple(encode_payload(salt_of(meta.seed, change.seq), change.data) for change in message.changes)
    entries = tuple(_entry(message, change, payload) for change, payload in zip(message.changes, payloads, strict=True))
    return Ledger(meta=meta, tree="changes", size=size + len(entries), entries=entries, payloads=payloads)


def _require_order(message: ChangesOutline, size: int) -> None:
    """Check that the changes are exactly those that come next.

    Raises:
        SeqGap: they are not.
    """
    seqs = [change.seq for change in message.changes]
    if seqs != list(range(size + 1, size + 1 + len(seqs))) or message.last_seq != size + len(seqs):
        shown = f"seqs {seqs[0]} to {seqs[-1]}" if seqs else "no changes"
        raise SeqGap(
            f"changes of workspace {message.meta.workspace!r}, origin {message.meta.origin!r}: {shown} with last seq "
            f"{message.last_seq}, but its tree has {size} leaves; what lies between was lost or doubled before audit"
        )


def _entry(message: ChangesOutline, change: ChangeOutline, payload: bytes) -> Entry:
    """Give the entry that commits to one change."""
    return Entry(
        workspace=message.meta.workspace,
        seq=change.seq,
        recorded_at_us=message.recorded_at_us,
        actor_kind=message.meta.actor.kind,
        actor_id=message.meta.actor.id,
        on_behalf_of=message.meta.actor.on_behalf_of,
        action=change.action,
        subject_kind=change.subject_kind,
        subject_id=change.subject_id,
        origin=message.meta.origin,
        payload_digest=hashlib.sha256(payload).digest(),
    )


def _of_receipt(heads: Mapping[tuple[str, Tree], Head], receipt: Receipt) -> Ledger:
    """Give the one entry of a receipt; its payload is salted by the seed in its own `meta`."""
    meta: Meta = receipt.meta
    head = heads.get((meta.workspace, "receipts"), _EMPTY)
    payload = codec.encode(receipt)
    entry = Entry(
        workspace=meta.workspace,
        seq=head.tree.size + 1,
        recorded_at_us=max(meta.time_us, head.recorded_at_us),  # many views, many clocks
        actor_kind=meta.actor.kind,
        actor_id=meta.actor.id,
        on_behalf_of=meta.actor.on_behalf_of,
        action=RECEIPT_ACTION,
        subject_kind="receipt",
        subject_id=meta.id,
        origin=meta.origin,
        payload_digest=hashlib.sha256(payload).digest(),
    )
    return Ledger(meta=meta, tree="receipts", size=entry.seq, entries=(entry,), payloads=(payload,))
