"""Running a stage over recorded partitions: the same inputs give the same outputs, byte for byte.

A recording is what the line had: the inputs, and the outputs whose causes say in which order the inputs were taken.
Regression tests keep such recordings; an operator checks with one what a new version would answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from stanchion_core.cause import Cause
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, UP, Headers, Record, header
from stanchion_runtime.partition import AnyStage, Aside, Partition
from stanchion_runtime.reader_rule import ReaderRule, Verdict


class Replayed(Struct, frozen=True, kw_only=True):
    """What one input gave.

    Attributes:
        cause: the input.
        value: the output's bytes, empty for an empty output.
        headers: the output's headers, without those that name its owner (`epoch`, `up`).
        code: why the input was set aside, empty when it was not.
    """

    cause: Cause
    value: bytes
    headers: Headers
    code: str = ""


class Difference(Struct, frozen=True, kw_only=True):
    """An input that gives another output than the recorded one."""

    cause: Cause
    recorded: bytes
    replayed: bytes


def replay(stage: AnyStage, inputs: Iterable[Record], partitions: int) -> Iterator[Replayed]:
    """Answer inputs of any partitions in the order given, each partition from its empty state.

    Args:
        stage: what answers.
        inputs: from offset 0 of each of the stage's input partitions on.
        partitions: how many every topic has.

    Raises:
        Unanswerable: an input past the edge cannot be answered.
        Inconsistent: inputs are missing.
    """
    owned: dict[int, Partition] = {}
    for record in inputs:
        number = record.partition
        if number not in owned:
            owned[number] = _begin(stage, number, partitions)
        aside = Aside()
        outgoing = owned[number].answer(record, aside)
        if outgoing is not None:
            yield Replayed(
                cause=Cause(topic=record.topic, partition=number, offset=record.offset),
                value=outgoing.value,
                headers=tuple(pair for pair in outgoing.headers if pair[0] not in {EPOCH, UP}),
                code=aside.letters[0].error.code if aside.letters else "",
            )


def in_recorded_order(inputs: Iterable[Record], outputs: Iterable[Record]) -> Iterator[tuple[Record, Record]]:
    """Give each answered input with the output that counts, partition by partition, in the order they were answered.

    Args:
        inputs: of the stage, all of them.
        outputs: its output partitions from offset 0 on, in order within each.

    Raises:
        LookupError: an output answers an input that is not in the recording.
    """
    by_cause = {(record.topic, record.partition, record.offset): record for record in inputs}
    rules: dict[int, ReaderRule] = {}
    for output in outputs:
        rule = rules.setdefault(output.partition, ReaderRule())
        if rule.judge(output) is Verdict.ACCEPTED:
            cause = Cause.decode(header(output, CAUSE) or b"")
            place = (cause.topic, cause.partition, cause.offset)
            if place not in by_cause:
                raise LookupError(f"the recording has the answer to {cause.encode().decode()} and not the input")
            yield by_cause[place], output


def differences(
    stage: AnyStage, inputs: Iterable[Record], outputs: Iterable[Record], partitions: int
) -> Iterator[Difference]:
    """Replay a recording and give every input whose output is another one now.

    Raises:
        LookupError: an output answers an input that is not in the recording.
        Unanswerable: an input past the edge cannot be answered.
        Inconsistent: inputs are missing.
    """
    pairs = list(in_recorded_order(inputs, outputs))
    answers = replay(stage, (record for record, _ in pairs), partitions)
    for (_, recorded), replayed in zip(pairs, answers, strict=True):
        if recorded.value != replayed.value:
            yield Difference(cause=replayed.cause, recorded=recorded.value, replayed=replayed.value)


def write(path: Path, partitions: Mapping[str, Iterable[Record]]) -> None:
    """Keep recorded partitions of several topics in a file, in MessagePack.

    Raises:
        OSError: the file could not be written.
    """
    path.write_bytes(msgspec.msgpack.encode({topic: tuple(records) for topic, records in partitions.items()}))


def read(path: Path) -> dict[str, tuple[Record, ...]]:
    """Read what `write` kept.

    Raises:
        OSError: the file could not be read.
        ValueError: it is no recording.
    """
    return msgspec.msgpack.decode(path.read_bytes(), type=dict[str, tuple[Record, ...]])


def _begin(stage: AnyStage, number: int, partitions: int) -> Partition:
    """Give a partition whose one owner has just claimed it."""
    partition = Partition(stage, number, partitions)
    headers = ((CLAIM, b"replay"),)
    partition.fold(Record(topic=stage.output, partition=number, offset=0, timestamp_us=0, value=b"", headers=headers))
    partition.adopt(0)
    return partition
