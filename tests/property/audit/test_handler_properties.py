"""What holds of audit's handler whatever comes."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from stanchion_audit.handler import State, decide, evolve
from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.receipt import Receipt
from support.changes import belief_moved, changes, receipt, record_written

WORKSPACES = ("docs", "ops", "a/receipts")
STEPS = st.lists(st.tuples(st.sampled_from(WORKSPACES), st.integers(-1, 3)), max_size=30)
"""Of each message its workspace and its number of changes; -1 is a receipt."""


def messages(steps: list[tuple[str, int]]) -> list[Changes | Receipt]:
    """Give messages whose seqs follow each other in each workspace."""
    last = dict.fromkeys(WORKSPACES, 0)
    made: list[Changes | Receipt] = []
    for number, (workspace, count) in enumerate(steps, 1):
        if count < 0:
            made.append(receipt(number, workspace))
            continue
        seqs = range(last[workspace] + 1, last[workspace] + count + 1)
        parts = [record_written(seq) if seq % 2 else belief_moved(seq) for seq in seqs]
        last[workspace] += count
        made.append(changes(number, *parts, last_seq=last[workspace], workspace=workspace))
    return made


def run(state: State, inputs: list[Changes | Receipt]) -> list[Ledger]:
    """Give the outputs, as the runtime makes them."""
    outputs = []
    for message in inputs:
        output = decide(state, message)
        if output is not None:
            evolve(state, output)
            outputs.append(output)
    return outputs


@given(STEPS)
def test_the_fold_of_the_outputs_is_the_live_state(steps: list[tuple[str, int]]) -> None:
    """A process that folds what was written stands exactly where the one that wrote it stood."""
    live = State()
    written = [codec.encode(output) for output in run(live, messages(steps))]
    folded = State()
    for data in written:
        evolve(folded, codec.decode(data, Ledger))
    assert live.heads == folded.heads


@given(STEPS)
def test_the_same_messages_give_the_same_bytes(steps: list[tuple[str, int]]) -> None:
    """Two runs over the same messages write the same ledger, byte for byte."""
    first, second = ([codec.encode(output) for output in run(State(), messages(steps))] for _ in range(2))
    assert first == second


@given(STEPS, st.randoms(use_true_random=False))
def test_order_between_trees_is_free(steps: list[tuple[str, int]], random: Random) -> None:
    """Messages of different trees may come in any order: each tree's entries are the same, byte for byte."""
    inputs = messages(steps)
    queues: dict[tuple[str, type], list[Changes | Receipt]] = {}
    for message in inputs:
        queues.setdefault((message.meta.workspace, type(message)), []).append(message)
    shuffled = []
    while queues:
        key = random.choice(sorted(queues, key=str))
        shuffled.append(queues[key].pop(0))
        if not queues[key]:
            del queues[key]

    def by_tree(order: list[Changes | Receipt]) -> dict[tuple[str, str], list[bytes]]:
        trees: dict[tuple[str, str], list[bytes]] = {}
        for output in run(State(), order):
            trees.setdefault((output.meta.workspace, output.tree), []).append(codec.encode(output))
        return trees

    assert by_tree(inputs) == by_tree(shuffled)


@given(STEPS)
def test_seqs_have_no_gap_and_times_never_fall(steps: list[tuple[str, int]]) -> None:
    """Each tree's entries are 1, 2, 3 … and none is recorded before the one before it."""
    seen: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for output in run(State(), messages(steps)):
        places = [(entry.seq, entry.recorded_at_us) for entry in output.entries]
        seen.setdefault((output.meta.workspace, output.tree), []).extend(places)
    for places in seen.values():
        assert list(range(1, len(places) + 1)) == [seq for seq, _ in places]
        assert sorted(time for _, time in places) == [time for _, time in places]
