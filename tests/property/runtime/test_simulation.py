import os

import pytest

from stanchion_runtime import partition
from stanchion_runtime.log import CAUSE, CLAIM, Record, header
from stanchion_runtime.processor import Processor
from stanchion_runtime.reader_rule import ReaderRule, Verdict
from support.simulation import Simulation, WrongError

SCHEDULES = int(os.environ.get("SCHEDULES", "1000"))
SLICES = 10
GIVEN = os.environ.get("SEED", "")


def simulate(seed: int) -> int:
    """Run one schedule.

    Raises:
        AssertionError: it found something; the seed is named.
    """
    try:
        return Simulation(seed).run()
    except WrongError as error:
        raise AssertionError(f"schedule {seed}: {error}. Replay it with: make simulate SEED={seed}") from error


@pytest.mark.parametrize("part", range(SLICES) if not GIVEN else [0])
def test_every_input_is_answered_once_in_order_on_the_folded_state(part: int) -> None:
    """Whatever crashes, wakes up late or arrives twice, the outputs that count are those of one careful owner."""
    seeds = [int(GIVEN)] if GIVEN else range(part, SCHEDULES, SLICES)
    dropped = [simulate(seed) for seed in seeds]
    assert GIVEN or sum(dropped) > len(dropped), "the schedules were too kind to prove anything"


def test_a_schedule_is_the_same_every_time() -> None:
    """A seed alone decides what happens, so a failure can be replayed."""
    first, second = Simulation(5), Simulation(5)
    first.run()
    second.run()
    assert first.log._records == second.log._records


class Unfenced(ReaderRule):
    """Drops what it has seen and nothing else: no epochs."""

    def judge(self, record: Record) -> Verdict:
        """Go by the cause alone."""
        if header(record, CLAIM) is not None:
            self.epoch = record.offset
            return Verdict.CLAIM
        topic, _, offset = (header(record, CAUSE) or b"").decode().split(":")
        return self.take(topic, int(offset))


def test_without_the_fence_wrong_states_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation can fail: readers that ignore epochs accept decisions made on states that are no fold."""

    async def look_away(*_: object) -> None:
        """See no claim."""

    monkeypatch.setattr(partition, "ReaderRule", Unfenced)
    monkeypatch.setattr("stanchion_runtime.tail.ReaderRule", Unfenced)
    monkeypatch.setattr(Processor, "_look_into", look_away)
    wrong = 0
    for seed in range(20):
        try:
            Simulation(seed).run()
        except WrongError:
            wrong += 1
    assert wrong > 10
