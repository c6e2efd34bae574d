"""Whether a ledger is whole: leaves, order, payloads, roots and signatures, from what anybody may hold.

Pure: for the reader's own check, and for an export in a third party's hands. The first fault is named by seq.
"""

import hashlib
from collections.abc import Iterable, Sequence

from msgspec import Struct

from stanchion_audit.core.checkpoint import Checkpoint, read_checkpoint
from stanchion_audit.core.note import InvalidNote, NoteKey, Verify, open_note
from stanchion_contracts.ledger import Entry
from stanchion_core.merkle import CompactRange, leaf_hash


class Item(Struct, frozen=True, kw_only=True):
    """One entry as it is handed over.

    Attributes:
        leaf: what the tree commits to: the entry's Avro body.
        entry: what is claimed to be in the leaf.
        leaf_again: the entry's bytes, made again from `entry`.
        payload: what the entry commits to, single-object encoded; None when it was erased.
    """

    leaf: bytes
    entry: Entry
    leaf_again: bytes
    payload: bytes | None


class Fault(Struct, frozen=True, kw_only=True):
    """What is wrong first.

    Attributes:
        seq: of the entry it shows at; 0 for a checkpoint that is not to be believed.
        what: one sentence.
    """

    seq: int
    what: str


def find_fault(
    items: Iterable[Item], *, workspace: str, notes: Sequence[bytes], key: NoteKey, verify: Verify
) -> Fault | None:
    """Give the first fault of a ledger, or None: it is whole, and no earlier checkpoint speaks against it.

    Args:
        items: all entries from seq 1 on.
        workspace: whose they are.
        notes: checkpoints as they were signed, at least one; the largest must be of all the entries, and smaller ones
            that a verifier kept show a rewritten or truncated past.
        key: the one key that is trusted; its name is the tree's origin.
        verify: verifies with a public key.
    """
    checkpoints, fault = _read_notes(notes, key, verify)
    if fault is not None:
        return fault
    roots: dict[int, bytes] = {}
    for checkpoint in checkpoints:
        if roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
            return Fault(seq=checkpoint.size, what=f"two checkpoints of size {checkpoint.size} have different roots")
    return _walk(items, workspace, roots)


def _read_notes(notes: Sequence[bytes], key: NoteKey, verify: Verify) -> tuple[list[Checkpoint], Fault | None]:
    """Open every checkpoint."""
    checkpoints = []
    for note in notes:
        try:
            checkpoint = read_checkpoint(open_note(note, key, verify))
        except InvalidNote as error:
            return [], Fault(seq=0, what=f"a checkpoint is not to be believed: {error}")
        if checkpoint.origin != key.name:
            return [], Fault(seq=0, what=f"a checkpoint is of {checkpoint.origin!r}, not of {key.name!r}")
        checkpoints.append(checkpoint)
    return checkpoints, None if checkpoints else Fault(seq=0, what="there is no checkpoint")


def _walk(items: Iterable[Item], workspace: str, roots: dict[int, bytes]) -> Fault | None:
    """Check every entry in order, and the root wherever a checkpoint says what it was."""
    tree = CompactRange()
    recorded_at_us = 0
    largest = max(roots)
    for item in items:
        seq = tree.size + 1
        what = _wrong(item, seq, workspace, recorded_at_us)
        if what:
            return Fault(seq=seq, what=what)
        recorded_at_us = item.entry.recorded_at_us
        tree = tree.extend([leaf_hash(item.leaf)])
        signed = roots.get(tree.size)
        if signed is not None and signed != tree.root():
            return Fault(seq=seq, what=f"the {tree.size} entries do not have the root that was signed for them")
    if tree.size != largest:
        return Fault(
            seq=min(tree.size, largest) + 1, what=f"there are {tree.size} entries; a checkpoint is of {largest}"
        )
    if 0 in roots and roots[0] != CompactRange().root():
        return Fault(seq=0, what="the checkpoint of size 0 has another root than the empty tree")
    return None


def _wrong(item: Item, seq: int, workspace: str, not_before_us: int) -> str:
    """Say what is wrong with one entry, empty text for nothing."""
    entry = item.entry
    if item.leaf_again != item.leaf:
        return "the leaf is not what its entry makes"
    if entry.seq != seq:
        return f"the entry has seq {entry.seq}"
    if entry.workspace != workspace:
        return f"the entry is of workspace {entry.workspace!r}"
    if entry.recorded_at_us < not_before_us:
        return "the entry was recorded before the one before it"
    if item.payload is not None and hashlib.sha256(item.payload).digest() != entry.payload_digest:
        return "the payload is not the one that the entry commits to"
    return ""
