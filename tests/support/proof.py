"""What must hold of the topics after a run, whatever happened in it; worked out from the topics alone."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from stanchion_contracts.codec import MESSAGE_OF, decode, encode
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.topics import is_owned
from stanchion_core.decided import Decided
from stanchion_core.errors import InvalidMessage
from stanchion_runtime.log import CLAIM, Log, Record, Span, header
from stanchion_runtime.reader_rule import ReaderRule, Verdict
from stanchion_runtime.stage import Stage
from stanchion_runtime.state_digest import state_digest

AnyStage = Stage[Any, Any, Any]

LINE: Final = ("observations", "claims", "beliefs", "changes", "ledger")


class Topic(Struct, frozen=True, kw_only=True):
    """One partition of a topic, read whole.

    Attributes:
        raw: every record.
        accepted: those that count by the reader rule; of an open topic, all.
        gaps: offsets behind a hole in the causes.
    """

    raw: tuple[Record, ...]
    accepted: tuple[Record, ...]
    gaps: tuple[int, ...]


async def read_topic(log: Log, key: str, partitions: int) -> dict[int, Topic]:
    """Read a topic whole and apply the reader rule to it."""
    bounds = await log.bounds(key, range(partitions))
    spans = [Span(topic=key, partition=n, start=b.begin, stop=b.end) for n, b in bounds.items()]
    raw: dict[int, list[Record]] = {number: [] for number in range(partitions)}
    async for records in log.read(spans):
        raw[records[0].partition].extend(records)
    return {number: _judged(key, records) for number, records in raw.items()}


def _judged(key: str, records: Sequence[Record]) -> Topic:
    """Apply the reader rule to one partition."""
    if not is_owned(key):
        return Topic(raw=tuple(records), accepted=tuple(records), gaps=())
    rule, accepted, gaps = ReaderRule(), [], []
    for record in records:
        verdict = rule.judge(record)
        if verdict is Verdict.ACCEPTED:
            accepted.append(record)
        elif verdict is Verdict.GAP:
            gaps.append(record.offset)
    return Topic(raw=tuple(records), accepted=tuple(accepted), gaps=tuple(gaps))


def unanswered(stage: AnyStage, topics: Mapping[str, Mapping[int, Topic]]) -> list[str]:
    """Say where a stage did not answer each record of each input exactly once and in order."""
    found = []
    for number, output in topics[stage.output].items():
        causes: dict[str, list[int]] = {topic: [] for topic in stage.inputs}
        for record in output.accepted:
            topic, _, offset = (header(record, "cause") or b"").decode().split(":")
            causes[topic].append(int(offset))
        for topic in stage.inputs:
            expected = [record.offset for record in topics[topic][number].raw]
            if causes[topic] != expected:
                found.append(f"{stage.output}:{number} answers {len(causes[topic])} of {len(expected)} of {topic}")
        found += [f"{stage.output}:{number} has a gap before {offset}" for offset in output.gaps]
    return found


def folded(stage: AnyStage, topic: Topic) -> str:
    """Give the digest of the state that a stage's accepted outputs fold to."""
    state, cls = stage.initial(), MESSAGE_OF[stage.output]
    for record in topic.accepted:
        if record.value:
            stage.evolve(state, decode(record.value, cls))
    return state_digest(state)


def undisturbed(stages: Sequence[AnyStage], records: Sequence[Record]) -> list[bytes]:
    """Run stages one after the other over accepted records of one partition, as if nothing ever went wrong.

    Args:
        stages: each reads the one before; the first reads the records.
        records: of the first stage's owned input.

    Returns:
        The last stage's outputs that are not empty.
    """
    values = [record.value for record in records]
    for stage in stages:
        topic = stage.owned_input or ""
        state, given = stage.initial(), []
        for offset, value in enumerate(values):
            if not value:
                continue
            record = Record(topic=topic, partition=0, offset=offset, timestamp_us=0, value=value, headers=())
            answer = _decided(stage, state, record)
            given.append(answer)
        values = [value for value in given if value]
    return values


def _decided(stage: AnyStage, state: Any, record: Record) -> bytes:  # noqa: ANN401 - a stage's own state
    """Decide one record and fold the answer, as the runtime does."""
    try:
        decided = stage.decide(state, stage.decode[record.topic](record))
    except InvalidMessage:
        return b""
    output = decided.output if isinstance(decided, Decided) else decided
    if output is None:
        return b""
    stage.evolve(state, output)
    return encode(output)


def ledger_faults(topic: Topic) -> list[str]:
    """Say where a partition's ledger has a hole, a repeat or another order."""
    found, last = [], dict[tuple[str, str], int]()
    for record in topic.accepted:
        if not record.value:
            continue
        message = decode(record.value, Ledger)
        tree = (message.meta.workspace, message.tree)
        for entry in message.entries:
            if entry.seq != last.get(tree, 0) + 1:
                found.append(f"{record.partition}: {tree} goes from seq {last.get(tree, 0)} to {entry.seq}")
            last[tree] = entry.seq
    return found


def claims(topic: Topic) -> int:
    """Count the claims of a partition."""
    return sum(header(record, CLAIM) is not None for record in topic.raw)
