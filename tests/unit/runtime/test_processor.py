import pytest
from msgspec import structs

from stanchion_contracts.observation import Observation
from stanchion_core.decided import Decided
from stanchion_runtime.errors import Inconsistent, Superseded
from stanchion_runtime.log import Log, Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.processor import Options, Processor
from support.processor_suite import PARTITIONS, ProcessorSuite, processor, publish, records
from support.stages import Chain, back, front


class TestProcessorOnMemory(ProcessorSuite):
    """The processor keeps its promises on the memory log."""

    @pytest.fixture
    def log(self) -> Log:
        """A log of its own for each test."""
        return MemoryLog(partitions=PARTITIONS)


async def test_expired_inputs_of_an_open_topic_are_passed_over() -> None:
    """Retention may take inputs before they were read; the line goes on with the first one there is."""
    log = MemoryLog(partitions=1)
    await publish(log, "inbox", b"a", b"b", b"c")
    log.expire("inbox", 0, 2)
    owner = processor(log, front())
    assert 2 == (await owner.adopt([0]))["inbox", 0]
    await owner.process(log.records("inbox", 0))
    assert 3 == owner.places()["inbox", 0]


async def test_a_process_that_was_replaced_under_its_name_does_not_come_back() -> None:
    """It slept, its namesake claimed what it had; woken, it is given the name again: it ends and claims nothing."""
    log = MemoryLog(partitions=2)
    old, new, other = (
        Processor(front(), log, Options(partitions=2, owner=owner, name=owner.rpartition(" ")[0]), Metrics())
        for owner in ("front 1 a", "front 1 b", "front 2 c")
    )
    await old.adopt([0])
    await old.adopt([0, 1])  # its own claims are no namesake's
    await other.adopt([1])
    await old.adopt([0, 1])  # nor are those of another name
    await new.adopt([0])
    written = len(log.records("observations", 0))
    with pytest.raises(Superseded, match="front 1 b claimed it at 3"):
        await old.adopt([1])
    assert written == len(log.records("observations", 0))
    assert 0 == (await new.adopt([0]))["inbox", 0]


async def test_an_owned_input_must_be_whole() -> None:
    """A missing record of an owned topic would be lost for good: the process stops, whenever it notices."""
    log = MemoryLog(partitions=1)
    log.write("observations", 0, [Outgoing(value=b"") for _ in range(5)])
    owner = processor(log, back())
    await owner.adopt([0])
    with pytest.raises(Inconsistent, match="expected offset 0, was given 2"):
        await owner.process(log.records("observations", 0, 2))
    log.expire("observations", 0, 2)
    with pytest.raises(Inconsistent, match="begins at 2"):
        await owner.adopt([0])


async def test_the_own_output_must_be_whole() -> None:
    """A state cannot be folded from an output that has lost its beginning."""
    log = MemoryLog(partitions=1)
    log.write("observations", 0, [Outgoing(value=b"")])
    log.expire("observations", 0, 1)
    with pytest.raises(Inconsistent, match="retention"):
        await processor(log, front()).adopt([0])


async def test_a_halt_leaves_the_rest_unanswered() -> None:
    """A process that is told to stop acknowledges what it has decided and answers the rest after its next start."""
    log = MemoryLog(partitions=1)
    await publish(log, "inbox", *[b"%d" % n for n in range(10)])
    owner = processor(log, front())
    await owner.adopt([0])
    owner._options = type(owner._options)(partitions=1, owner="one", monotonic_s=iter(range(100)).__next__)
    owner.halt()
    await owner.process(await records(log, "inbox"))
    assert 1 == owner.places()["inbox", 0]
    assert 2 == len(await records(log, "observations"))


async def test_a_fold_that_deciding_worked_out_is_used_once() -> None:
    """The owner that decided folds what it has worked out; whoever reads the output folds it with `evolve`."""
    plain = front()

    def decide(state: Chain, text: str) -> Decided[Chain, Observation]:
        output = plain.decide(state, text)
        assert isinstance(output, Observation)
        return Decided(output=output, fold=lambda state: state.fold("worked out", ""))

    log, stage = MemoryLog(partitions=1), structs.replace(plain, decide=decide)
    await publish(log, "inbox", b"a")
    live, expected, recovered = processor(log, stage), Chain(), Chain()
    expected.fold("worked out", "")
    recovered.fold("a", "")
    await live.adopt([0])
    await live.process(await records(log, "inbox"))
    assert expected.digest == live.owned[0].state.digest
    await live.adopt([0])
    assert recovered.digest == live.owned[0].state.digest
