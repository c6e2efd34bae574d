"""Finding the first fault of a ledger."""

import base64
from collections.abc import Callable

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stanchion_audit.core.checkpoint import Checkpoint, origin_of
from stanchion_audit.core.note import NoteKey, sign_note
from stanchion_audit.core.verification import Fault, Item, find_fault
from stanchion_audit.keys import verify_ed25519
from stanchion_contracts import codec
from stanchion_contracts.ledger import Entry
from stanchion_core.errors import InvalidMessage
from stanchion_core.merkle import EMPTY_ROOT, leaf_hash, root_of
from support.changes import belief_moved, changes, notarised, record_written

PRIVATE = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
KEY = NoteKey(name=origin_of("docs"), public_key=PRIVATE.public_key().public_bytes_raw())
HEAD = codec.encode(notarised(changes(1, record_written(1)))[0].entries[0])[:10]
Items = list[Item]


def whole() -> Items:
    """Give a ledger of five entries."""
    outputs = notarised(changes(1, record_written(1)), changes(2, belief_moved(2), record_written(3)))
    outputs += notarised(*(changes(seq, record_written(seq)) for seq in range(1, 6)))[3:]
    return [
        item_of(codec.encode_body(entry), payload)
        for output in outputs
        for entry, payload in zip(output.entries, output.payloads, strict=True)
    ]


def item_of(leaf: bytes, payload: bytes | None) -> Item:
    """Read a leaf as an export does."""
    entry = codec.decode(HEAD + leaf, Entry)
    return Item(leaf=leaf, entry=entry, leaf_again=codec.encode_body(entry), payload=payload)


def note(items: Items, size: int | None = None) -> bytes:
    """Sign for the first entries."""
    size = len(items) if size is None else size
    root = root_of(leaf_hash(item.leaf) for item in items[:size])
    return sign_note(Checkpoint(origin=KEY.name, size=size, root=root).text(), KEY, PRIVATE.sign).encode()


def fault(items: Items, *notes: bytes) -> Fault | None:
    """Find the first fault."""
    return find_fault(items, workspace="docs", notes=notes, key=KEY, verify=verify_ed25519)


def test_a_whole_ledger_has_no_fault() -> None:
    """With the current checkpoint and with every earlier one, nothing is wrong."""
    items = whole()
    assert fault(items, note(items)) is None
    assert fault(items, *(note(items, size) for size in range(len(items) + 1))) is None
    assert fault([], note([])) is None


def test_erased_payloads_break_nothing() -> None:
    """Payload and salt can go; the entries still prove that the changes were."""
    items = [msgspec.structs.replace(item, payload=None) for item in whole()]
    assert fault(items, note(items)) is None


def reordered(items: Items) -> Items:
    """Swap two entries."""
    return [items[0], items[2], items[1], *items[3:]]


def renumbered(items: Items) -> Items:
    """Swap two entries and give each the other's seq, so that they look in order."""
    one, two = (msgspec.structs.replace(items[at].entry, seq=items[other].entry.seq) for at, other in ((1, 2), (2, 1)))
    return [
        items[0],
        item_of(codec.encode_body(two), items[2].payload),
        item_of(codec.encode_body(one), items[1].payload),
        *items[3:],
    ]


def repaid(items: Items) -> Items:
    """Put one entry's payload under another."""
    return [items[0], msgspec.structs.replace(items[1], payload=items[2].payload), *items[2:]]


def older(items: Items) -> Items:
    """Give an entry an earlier time."""
    entry = msgspec.structs.replace(items[3].entry, recorded_at_us=1)
    return [*items[:3], item_of(codec.encode_body(entry), items[3].payload), *items[4:]]


def foreign(items: Items) -> Items:
    """Put in an entry of another workspace."""
    entry = msgspec.structs.replace(items[3].entry, workspace="ops")
    return [*items[:3], item_of(codec.encode_body(entry), items[3].payload), *items[4:]]


@pytest.mark.parametrize(
    ("broken", "seq", "what"),
    [
        (reordered, 2, "has seq 3"),
        (renumbered, 5, "do not have the root"),
        (repaid, 2, "payload is not the one"),
        (older, 4, "recorded before"),
        (foreign, 4, "of workspace 'ops'"),
        (lambda items: items[:-1], 5, "there are 4 entries; a checkpoint is of 5"),
        (lambda items: [*items, items[-1]], 6, "has seq 5"),
        (lambda items: [*items[:2], *items[3:]], 3, "has seq 4"),
    ],
)
def test_a_broken_ledger_is_named_by_its_first_fault(broken: Callable[[Items], Items], seq: int, what: str) -> None:
    """Reordered, changed, dropped or foreign entries are found, at the seq where it shows."""
    items = whole()
    found = fault(broken(items), note(items))
    assert found is not None
    assert (seq, True) == (found.seq, what in found.what), found


def test_an_entry_that_its_leaf_does_not_make_is_found() -> None:
    """What an export shows must be what the leaf has."""
    items = whole()
    shown = msgspec.structs.replace(items[0].entry, actor_id="eve")
    broken = [msgspec.structs.replace(items[0], entry=shown, leaf_again=codec.encode_body(shown)), *items[1:]]
    assert Fault(seq=1, what="the leaf is not what its entry makes") == fault(broken, note(items))


def test_a_dropped_tail_is_found_against_an_older_checkpoint() -> None:
    """An operator who drops the last entry and signs anew is caught by whoever kept the earlier checkpoint."""
    items = whole()
    kept = note(items)
    shorter = items[:-1]
    assert fault(shorter, note(shorter)) is None
    found = fault(shorter, note(shorter), kept)
    assert found is not None
    assert (5, "there are 4 entries; a checkpoint is of 5") == (found.seq, found.what)


def test_a_rewritten_past_is_found_against_an_older_checkpoint() -> None:
    """Rewriting an entry and signing anew is caught at the size of the checkpoint that was kept."""
    items = whole()
    kept = note(items, 3)
    entry = msgspec.structs.replace(items[1].entry, actor_id="eve")
    rewritten = [items[0], item_of(codec.encode_body(entry), items[1].payload), *items[2:]]
    assert fault(rewritten, note(rewritten)) is None
    found = fault(rewritten, note(rewritten), kept)
    assert found is not None
    assert (3, "the 3 entries do not have the root that was signed for them") == (found.seq, found.what)


def test_two_heads_of_one_size_are_found() -> None:
    """A log that signed two roots for one size is caught, whichever of them the entries have."""
    items = whole()
    found = fault(items, note(items), note(renumbered(items)))
    assert found is not None
    assert (5, "two checkpoints of size 5 have different roots") == (found.seq, found.what)


@pytest.mark.parametrize("notes", [(), (b"",), (b"garbage\n\n\xe2\x80\x94 x AAAA\n",)])
def test_without_a_believable_checkpoint_nothing_is_verified(notes: tuple[bytes, ...]) -> None:
    """No checkpoint, or a bad one, is itself the fault."""
    found = fault(whole(), *notes)
    assert found is not None
    assert 0 == found.seq


def test_a_checkpoint_of_another_tree_is_not_taken() -> None:
    """The same key signs for many trees; a checkpoint speaks for the one its origin names."""
    items = whole()
    root = base64.b64decode(note(items).split(b"\n")[2])
    text = Checkpoint(origin="stanchion/ops", size=5, root=root).text()
    found = fault(items, sign_note(text, KEY, PRIVATE.sign).encode())
    assert found is not None
    assert (0, True) == (found.seq, "is of 'stanchion/ops'" in found.what)
    assert EMPTY_ROOT != root


def test_every_flipped_bit_of_an_export_is_found() -> None:
    """In a leaf, a payload, or the signed note there is no bit that can be turned unseen."""
    items = whole()[:2]
    signed = note(items)
    unseen = []
    for bit in range(len(items[1].leaf) * 8):
        try:
            turned = item_of(flip(items[1].leaf, bit), items[1].payload)
        except InvalidMessage:
            continue  # reading refuses it
        if fault([items[0], turned], signed) is None:
            unseen.append(("leaf", bit))
    payload = items[0].payload
    assert payload is not None
    for bit in range(0, len(payload) * 8, 7):
        turned = msgspec.structs.replace(items[0], payload=flip(payload, bit))
        if fault([turned, items[1]], signed) is None:
            unseen.append(("payload", bit))
    assert [] == unseen


def flip(data: bytes, bit: int) -> bytes:
    """Turn one bit."""
    turned = bytearray(data)
    turned[bit // 8] ^= 1 << bit % 8
    return bytes(turned)
