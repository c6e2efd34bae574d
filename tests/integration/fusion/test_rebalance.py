"""Two processes of fusion on a real broker, one killed, a third joining in mid-stream: beliefs as if all were quiet."""

import asyncio
import random
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from stanchion_broker.broker import Broker
from stanchion_contracts.belief import Beliefs, BeliefUpdate
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.codec import decode, encode
from stanchion_contracts.topics import PARTITIONS
from stanchion_core.ids import partition_of
from stanchion_fusion.app import build
from stanchion_fusion.settings import FusionSettings
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Outgoing, header
from stanchion_runtime.settings import KafkaSettings
from support import proof
from support.beliefs import NOW_US, claims, estimates, meta, policy, resolve, said, trust, value
from support.changes import CLAIM_RECORD
from support.fleet import Fleet
from support.fusing import believed

WORKSPACES: Final = tuple(f"team-{number}" for number in range(9))
MESSAGES: Final = 900


def message(number: int, dice: random.Random) -> Claims:
    """Give words, some of them again, or now and then other terms; of a workspace of nine."""
    throw, workspace = dice.random(), dice.choice(WORKSPACES)
    source = dice.choice("abcd")
    if throw < 0.02:
        made = trust(number, source, dice.choice([None, 0.2, 0.9]))
    elif throw < 0.04:
        made = policy(number, dice.choice(["", "temperature"]), tolerance=dice.choice([0.0, 0.1]), consensus=True)
    elif throw < 0.05:
        made = policy(number, "speed", multi_valued=dice.random() < 0.5, half_life=dice.choice(["", "fast", "none"]))
    elif throw < 0.07:
        made = estimates(number, **{source: dice.choice([None, 0.3, 0.8])})
    elif throw < 0.09:
        made = resolve(number, dice.choice([None, value("5"), value("7")]), dice.choice("xyz"))
    else:
        words = [
            said(
                dice.choice(["5", "5.2", "7", "9"]),
                subject=dice.choice("xyz"),
                predicate=dice.choice(["temperature", "speed"]),
                source=dice.choice("abcd"),
                positive=dice.random() < 0.9,
                at_us=NOW_US - dice.randrange(40) * 3_600_000_000,
            )
            for _ in range(dice.randint(1, 3))
        ]
        made = claims(number, *words)
    return msgspec.structs.replace(made, meta=meta(number, workspace))


async def write(log: KafkaLog, ends: dict[int, int], messages: Sequence[Claims]) -> None:
    """Append as extraction would."""
    for one in messages:
        number = partition_of(one.meta.workspace, PARTITIONS)
        headers = ((CAUSE, b"observations:%d:%d" % (number, ends[number])), (EPOCH, b"0"))
        await log.append("claims", number, [Outgoing(value=encode(one), headers=headers)])
        ends[number] += 1


async def answered(log: KafkaLog) -> dict[int, proof.Topic]:
    """Give the outputs once each message has one.

    Raises:
        TimeoutError: not within two minutes.
    """
    async with asyncio.timeout(120):
        while True:
            topics = await proof.read_topic(log, "beliefs", PARTITIONS)
            if sum(bool(record.value) for topic in topics.values() for record in topic.accepted) == MESSAGES:
                return topics
            await asyncio.sleep(0.5)


def changed_hands(topic: proof.Topic) -> bool:
    """Tell whether another owner went on where one had written."""
    owners = [header(record, CLAIM) for record in topic.raw]
    answers = [at for at, record in enumerate(topic.raw) if record.value and owners[at] is None]
    return any(answers[0] < at < answers[-1] for at, owner in enumerate(owners) if owner is not None and answers)


def by_workspace(messages: Sequence[Claims]) -> dict[str, dict[str, Contribution]]:
    """Give everything that was said in each workspace, by id."""
    found: dict[str, dict[str, Contribution]] = {}
    for one in messages:
        found.setdefault(one.meta.workspace, {}).update({word.id: word for word in one.contributions})
    return found


async def test_a_rebalance_moves_no_bit(broker: Broker, tmp_path: Path) -> None:
    """What was written, and what is believed in the end, is what one undisturbed pass over it all gives."""
    dice = random.Random(7)  # noqa: S311 - a story, no secret
    messages = [message(number, dice) for number in range(MESSAGES)]
    third = MESSAGES // 3
    settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=f"test-{secrets.token_hex(4)}")
    await create_topics(settings)
    running, ends = Fleet(broker.bootstrap, settings.topic_prefix, tmp_path), dict.fromkeys(range(PARTITIONS), 0)
    async with KafkaLog(settings, "test") as log:
        for number in range(PARTITIONS):
            await log.append("claims", number, [CLAIM_RECORD])
        try:
            running.start("fusion-1")
            running.start("fusion-2")
            await write(log, ends, messages[:third])
            await running.settled()
            running.kill("fusion-1")
            await write(log, ends, messages[third : 2 * third])
            running.start("fusion-3")
            await write(log, ends, messages[2 * third :])
            outputs = await answered(log)
        finally:
            await running.stop_all()
        inputs = await proof.read_topic(log, "claims", PARTITIONS)
    assert any(changed_hands(topic) for topic in outputs.values())
    stage, found = build(FusionSettings()), dict[str, list[Beliefs]]()
    for number, topic in outputs.items():
        written = [record.value for record in topic.accepted if record.value]
        assert proof.undisturbed([stage], inputs[number].accepted) == written
        for data in written:
            output = decode(data, Beliefs)
            found.setdefault(output.meta.workspace, []).append(output)
    for workspace, words in by_workspace(messages).items():
        last = {_claim(update): update.after for output in found[workspace] for update in output.updates}
        times = {key: belief.time_us for key, belief in last.items()}
        assert 0 == found[workspace][-1].remaining
        assert believed(found[workspace], words.values(), now_us=times.__getitem__) == last


def _claim(update: BeliefUpdate) -> tuple[str, str]:
    """Give the claim of an update."""
    return update.after.subject, update.after.predicate
