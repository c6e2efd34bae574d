"""What audit makes of changes and receipts."""

import hashlib
import hmac

import msgspec
import pytest

from stanchion_audit import handler
from stanchion_audit.handler import Head, SeqGap, State, decide, evolve, salt_of
from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.ledger import Entry, Ledger, Payload
from stanchion_contracts.receipt import Receipt
from stanchion_core.merkle import CompactRange, leaf_hash, root_of
from support.changes import TIME_US, belief_moved, changes, meta, receipt, record_written


def notarise(state: State, message: Changes | Receipt) -> Ledger:
    """Decide and evolve as the runtime does, for a message that must give entries."""
    output = decide(state, message)
    assert output is not None
    evolve(state, output)
    return output


def test_golden_entry_of_a_change() -> None:
    """One change becomes one entry that names it and commits to its payload, and to nothing that can be erased."""
    message = changes(5, record_written(1))
    payload = codec.encode(Payload(salt=salt_of(message.meta.seed, 1), change=message.changes[0]))
    expected = Ledger(
        meta=message.meta,
        tree="changes",
        size=1,
        entries=(
            Entry(
                workspace="docs",
                seq=1,
                recorded_at_us=TIME_US + 5,
                actor_kind="service",
                actor_id="collector",
                action="record.written",
                subject_kind="decision",
                subject_id="adr-7",
                origin="observation:obs_00000000000000000000000000000005",
                payload_digest=hashlib.sha256(payload).digest(),
            ),
        ),
        payloads=(payload,),
    )
    assert expected == decide(State(), message)


def test_golden_bytes_of_an_entry() -> None:
    """The leaf's bytes are pinned: Avro's own, field after field, so any Avro library can make them again."""
    entry = Entry(
        workspace="docs",
        seq=2,
        recorded_at_us=1_796_042_000_000_005,
        actor_kind="agent",
        actor_id="coder",
        on_behalf_of="ada",
        action="record.written",
        subject_kind="decision",
        subject_id="adr-7",
        origin="command:c1",
        payload_digest=bytes(range(32)),
    )
    body = b"".join((
        b"\x08docs",
        b"\x04",
        bytes.fromhex("8a90cbd6b3dfb006"),  # zigzag, then seven bits a byte
        b"\x0aagent",
        b"\x0acoder",
        b"\x06ada",
        b"\x1crecord.written",
        b"\x10decision",
        b"\x0aadr-7",
        b"\x14command:c1",
        b"\x40" + bytes(range(32)),
    ))
    assert body == codec.encode_body(entry)
    assert hashlib.sha256(b"\x00" + body).digest() == leaf_hash(codec.encode_body(entry))


def test_a_salt_is_of_its_seed_and_seq() -> None:
    """The salt is 16 bytes of HMAC-SHA-256 over the seq, so two entries of one message never share one."""
    seed = bytes(range(16))
    expected = hmac.new(seed, (7).to_bytes(8, "big"), hashlib.sha256).digest()[:16]
    assert expected == salt_of(seed, 7)
    assert salt_of(seed, 8) != salt_of(seed, 7)


def test_a_receipt_goes_into_a_tree_of_its_own() -> None:
    """Receipts take their own leaf numbers and leave the changes' tree alone."""
    state = State()
    notarise(state, changes(1, record_written(1)))
    output = notarise(state, receipt(2))
    assert ("receipts", 1) == (output.tree, output.size)
    (entry,) = output.entries
    assert ("receipt.issued", meta(2).id, "coder", "ada") == (
        entry.action,
        entry.subject_id,
        entry.actor_id,
        entry.on_behalf_of,
    )
    assert (hashlib.sha256(output.payloads[0]).digest(), receipt(2)) == (
        entry.payload_digest,
        codec.decode(output.payloads[0], Receipt),
    )
    assert 1 == state.heads["docs", "changes"].tree.size


def test_a_receipt_that_comes_again_has_one_entry() -> None:
    """A view that does not know whether its receipts arrived appends them again; each is notarised once."""
    state = State()
    written = [notarise(state, receipt(number)) for number in (1, 2)]
    assert [None, None] == [decide(state, receipt(number)) for number in (1, 2)]
    again = State()
    for output in written:
        evolve(again, codec.decode(codec.encode(output), Ledger))
    assert (None, state) == (decide(again, receipt(2)), again)
    assert ("receipts", 1) == (notarise(state, receipt(1, "other")).tree, state.heads["other", "receipts"].tree.size)


def test_receipts_are_remembered_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is remembered of receipts does not grow for ever."""
    monkeypatch.setattr(handler, "RECEIPTS_KEPT", 3)
    state = State()
    for number in range(9):
        notarise(state, receipt(number))
    assert 3 == len(state.receipts)
    assert (None, 10) == (decide(state, receipt(8)), notarise(state, receipt(1)).size)


def test_receipts_never_go_back_in_time() -> None:
    """A view whose clock is behind does not make a receipt older than the one before it."""
    state = State()
    notarise(state, receipt(9))
    assert TIME_US + 9 == notarise(state, receipt(4)).entries[0].recorded_at_us


def test_no_change_gives_no_entry() -> None:
    """A refusal, a repeat or a write that changed nothing leaves the ledger as it is."""
    state = State()
    notarise(state, changes(1, record_written(1)))
    assert decide(state, changes(2, last_seq=1)) is None


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (changes(3, record_written(3)), "seqs 3 to 3"),
        (changes(3, record_written(1)), "seqs 1 to 1"),
        (changes(3, record_written(2), record_written(4)), "seqs 2 to 4"),
        (changes(3, record_written(2), last_seq=3), "last seq 3"),
        (changes(3, last_seq=2), "no changes with last seq 2"),
    ],
    ids=["skipped", "doubled", "hole", "last-seq", "empty"],
)
def test_a_gap_stops_the_line(message: Changes, words: str) -> None:
    """A change that does not follow its tree stops the process and says which workspace, origin and seq."""
    state = State()
    notarise(state, changes(1, record_written(1)))
    with pytest.raises(SeqGap, match=words) as caught:
        decide(state, message)
    assert "'docs'" in str(caught.value)
    assert message.meta.origin in str(caught.value)


def test_delivered_twice() -> None:
    """The same changes a second time are never notarised twice: the runtime drops them, and here they are a gap."""
    state = State()
    message = changes(1, record_written(1))
    notarise(state, message)
    before = msgspec.msgpack.encode(state.heads["docs", "changes"])
    with pytest.raises(SeqGap):
        decide(state, message)
    assert before == msgspec.msgpack.encode(state.heads["docs", "changes"])


def test_decide_leaves_the_state_alone() -> None:
    """Deciding reads: the state is the same before and after, however often."""
    state = State()
    notarise(state, changes(1, record_written(1)))
    before = dict(state.heads)
    outputs = [decide(state, changes(2, record_written(2), belief_moved(3))) for _ in range(2)]
    assert before == state.heads
    assert codec.encode(outputs[0]) == codec.encode(outputs[1])  # type: ignore[arg-type]  # not None: it has changes


def test_a_foreign_output_is_noticed_by_the_fold() -> None:
    """An output that does not continue the tree stops the recovery, for somebody else wrote to our partition."""
    output = decide(State(), changes(1, record_written(1)))
    assert output is not None
    with pytest.raises(SeqGap, match="the output says 5"):
        evolve(State(), msgspec.structs.replace(output, size=5))


def test_the_state_is_only_the_compact_range() -> None:
    """After three entries a tree is kept as two hashes and a size, with the root of all three."""
    state = State()
    leaves = []
    for number in (1, 2, 3):
        output = notarise(state, changes(number, record_written(number)))
        leaves += [leaf_hash(codec.encode_body(entry)) for entry in output.entries]
    head = state.heads["docs", "changes"]
    assert Head(tree=CompactRange().extend(leaves), recorded_at_us=TIME_US + 3) == head
    assert (2, root_of(leaves)) == (len(head.tree.hashes), head.tree.root())
