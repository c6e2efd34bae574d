"""Break the real thing while it works, then prove that nothing came of it.

Two processes of each processor on a real broker; events of every kind in the inbox while processes are killed, paused
for longer than their session, joined by others, and the broker goes away. `make chaos` repeats it for as long as told.
"""

import asyncio
import json
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from stanchion_audit.app import build as audit
from stanchion_broker.broker import Broker
from stanchion_contracts.codec import decode
from stanchion_contracts.deadletter import DeadLetter
from stanchion_contracts.observation import Observation
from stanchion_contracts.topics import PARTITIONS
from stanchion_core.ids import partition_of
from stanchion_extraction.app import build as extraction
from stanchion_extraction.settings import ExtractionSettings
from stanchion_fusion.app import build as fusion
from stanchion_fusion.settings import FusionSettings
from stanchion_ingest.app import build as ingest
from stanchion_runtime import clock
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log, Outgoing
from stanchion_runtime.settings import KafkaSettings
from stanchion_validity.app import build as validity
from support import proof
from support.fleet import SESSION_MS, Fleet, fleet

WORKSPACES: Final = tuple(f"team-{number}" for number in range(18))
TOPICS: Final = ("inbox", "requests", "observations", "claims", "beliefs", "commands", "changes", "receipts", "ledger")


class Sent(Struct, frozen=True, kw_only=True):
    """One event for the inbox, and what is to become of it.

    Attributes:
        partition: where it is put.
        record: its bytes and headers.
        fate: `observed`, `absorbed` (a repeat), `refused` (a dead letter) or `rerouted` (observed after a detour).
        key: workspace and event id.
    """

    partition: int
    record: Outgoing
    fate: str
    key: tuple[str, str]


def events(count: int, seed: int) -> list[Sent]:
    """Give events of every kind, in the order of sending."""
    dice = random.Random(seed)  # noqa: S311 - a schedule, no secret
    made: list[Sent] = []
    plain: list[Sent] = []
    for number in range(count):
        throw = dice.random()
        if throw < 0.02 and plain:
            again = dice.choice(plain)
            made.append(Sent(partition=again.partition, record=again.record, fate="absorbed", key=again.key))
            continue
        event = _event(number, dice)
        if throw < 0.03:
            event = Sent(
                partition=event.partition,
                record=Outgoing(value=b"\xc3\x01 no such schema", headers=()),
                fate="refused",
                key=event.key,
            )
        elif throw < 0.04:
            event = Sent(
                partition=(event.partition + 1) % PARTITIONS, record=event.record, fate="rerouted", key=event.key
            )
        else:
            plain.append(event)
        made.append(event)
    return made


def _event(number: int, dice: random.Random) -> Sent:
    """Give one event: mostly measurements of up to three claims, some revisions of documents."""
    workspace = dice.choice(WORKSPACES)
    if dice.random() < 0.1:
        kind, data = "stanchion.document.revised.v1", _document(number, dice)
    else:
        kind, data = "stanchion.measurement.v1", _measurement(dice)
    headers = {
        "ce_specversion": "1.0",
        "ce_id": f"e-{number}",
        "ce_source": dice.choice(["crm", "billing", "probe"]),
        "ce_type": kind,
        "ce_workspace": workspace,
        "content-type": "application/json",
    }
    record = Outgoing(
        value=json.dumps(data).encode(), headers=tuple((name, value.encode()) for name, value in headers.items())
    )
    place = partition_of(workspace, PARTITIONS)
    return Sent(partition=place, record=record, fate="observed", key=(workspace, f"e-{number}"))


def _measurement(dice: random.Random) -> object:
    """Give a measurement of one to three claims."""
    claims = [
        {"subject": f"service {dice.randrange(40)}", "predicate": name, "value": dice.randrange(5), "unit": "ms"}
        for name in ("latency", "errors", "saturation")[: dice.randint(1, 3)]
    ]
    return {"claims": claims}


def _document(number: int, dice: random.Random) -> object:
    """Give a revision of a decision, which may supersede or rest on another."""
    here, there = dice.randint(1, 30), dice.randint(1, 30)
    status = dice.choice(["Accepted", "Proposed", f"Superseded by [another]({there:04d}-it.md)"])
    text = f"# {here}. Decide it\n\nDate: 2026-11-30\n\n## Status\n\n{status}\n\n## Context\n\nRevision {number}.\n"
    if dice.random() < 0.5:
        text += f"\nDepends on: {there:04d}-it.md\n"
    return {"uri": f"docs/{here:04d}-it.md", "text": text, "revision": f"r{number}", "author": "maya"}


async def publish(log: Log, sent: Sequence[Sent], seconds: float) -> None:
    """Put the events into the inbox, evenly over so many seconds."""
    begun, step = clock.monotonic_s(), 100
    for start in range(0, len(sent), step):
        batches: dict[int, list[Outgoing]] = {}
        for event in sent[start : start + step]:
            batches.setdefault(event.partition, []).append(event.record)
        await asyncio.gather(*(log.append("inbox", number, batch) for number, batch in batches.items()))
        ahead = start / len(sent) * seconds - (clock.monotonic_s() - begun)
        await asyncio.sleep(max(0.0, ahead))


Disturb = Callable[[Fleet, Broker, random.Random], Awaitable[None]]


async def kill_one(running: Fleet, _broker: Broker, dice: random.Random) -> None:
    """Kill -9 one process."""
    running.kill(dice.choice(running.names))


async def pause_one(running: Fleet, _broker: Broker, dice: random.Random) -> None:
    """Stop one process for longer than its session lasts, then let it go on: a zombie."""
    name = dice.choice(running.names)
    running.pause(name)
    await asyncio.sleep(SESSION_MS / 1000 * 1.6)
    running.wake(name)


async def join_one(running: Fleet, _broker: Broker, dice: random.Random) -> None:
    """A third process of one service joins, and leaves again: two rebalances."""
    name = dice.choice(running.names).rpartition("-")[0] + "-3"
    if name in running.names:
        return
    running.start(name)
    await asyncio.sleep(5)
    await running.stop(name)


async def restart_broker(_running: Fleet, broker: Broker, _dice: random.Random) -> None:
    """The broker stops and comes back with its data."""
    await asyncio.to_thread(broker.stop)
    await asyncio.to_thread(broker.start)


EVERYTHING: Final[tuple[Disturb, ...]] = (kill_one, pause_one, join_one, restart_broker, kill_one)


class Outcome(Struct, frozen=True, kw_only=True):
    """What a run came to; `faults` is empty when nothing came of the disturbances."""

    seed: int
    events: int
    faults: tuple[str, ...]
    exits: Mapping[str, int]
    claims: int
    records: Mapping[str, int]
    drained_s: float


class Plan(Struct, frozen=True, kw_only=True):
    """What is done in a run.

    Attributes:
        count: events.
        seed: of events and disturbances.
        disturb: what happens, one after the other, evenly spread.
        seconds: how long publishing takes.
    """

    count: int
    seed: int
    disturb: tuple[Disturb, ...]
    seconds: float


async def run(broker: Broker, plan: Plan, logs: Path) -> Outcome:
    """Publish events under disturbances, drain, and prove.

    Args:
        broker: running.
        plan: what is done.
        logs: where the processes' logs go.
    """
    prefix = f"chaos-{secrets.token_hex(4)}"
    settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=prefix)
    await create_topics(settings)
    sent = events(plan.count, plan.seed)
    async with fleet(broker.bootstrap, prefix, logs, each=2) as running:
        publishing = asyncio.create_task(_publish_all(settings, sent, plan.seconds))
        await _disturb(running, broker, plan)
        await publishing
        begun = clock.monotonic_s()
        await drained(running, settings)
        drained_s = clock.monotonic_s() - begun
        live = await live_states(running)
    faults, facts = await prove(settings, sent, live)
    exits = Counter(f"{name.rpartition('-')[0]}:{code}" for name, code in running.ended)
    return Outcome(
        seed=plan.seed,
        events=plan.count,
        faults=tuple(faults),
        exits=dict(exits),
        claims=facts.pop("claims"),
        records=facts,
        drained_s=round(drained_s, 1),
    )


async def _publish_all(settings: KafkaSettings, sent: Sequence[Sent], seconds: float) -> None:
    """Publish with a connection of its own."""
    async with KafkaLog(settings, "chaos") as log:
        await publish(log, sent, seconds)


async def _disturb(running: Fleet, broker: Broker, plan: Plan) -> None:
    """Let everything happen that is planned, while events come in."""
    dice = random.Random(plan.seed)  # noqa: S311 - a schedule, no secret
    for step in plan.disturb:
        await asyncio.sleep(plan.seconds / (len(plan.disturb) + 1) * 0.7)
        await step(running, broker, dice)


async def drained(running: Fleet, settings: KafkaSettings) -> None:
    """Wait until every stage has answered all of its inputs.

    Raises:
        TimeoutError: it has not within three minutes; the message says who is behind.
    """
    async with KafkaLog(settings, "drained") as log:
        for _ in range(600):
            await asyncio.sleep(0.3)
            ends = {
                f"{key}:{number}": bound.end
                for key in TOPICS
                for number, bound in (await log.bounds(key, range(PARTITIONS))).items()
            }
            facts = {name: await running.health(name) for name in running.names}
            if _all_answered(facts, ends):
                return
    raise TimeoutError(f"not drained: {facts}, ends {ends}, exits {running.ended}")


def _all_answered(facts: Mapping[str, Mapping[str, Any]], ends: Mapping[str, int]) -> bool:
    """Tell whether each service owns all partitions between its processes, and stands at the ends of its inputs."""
    owned: dict[str, list[int]] = {}
    for name, fact in facts.items():
        owned.setdefault(name.rpartition("-")[0], []).extend(fact.get("partitions", []))
        if not fact.get("ready") or any(ends[place] != at for place, at in fact["positions"].items()):
            return False
    return all(sorted(numbers) == list(range(PARTITIONS)) for numbers in owned.values())


async def live_states(running: Fleet) -> dict[str, dict[str, str]]:
    """Give the digest of each partition's live state, by service."""
    found: dict[str, dict[str, str]] = {}
    for name in running.names:
        found.setdefault(name.rpartition("-")[0], {}).update(await running.states(name))
    return found


def stages() -> dict[str, proof.AnyStage]:
    """Give the line's stages, as the processes build them."""
    return {
        "ingest": ingest(PARTITIONS),
        "extraction": extraction(ExtractionSettings()),
        "fusion": fusion(FusionSettings()),
        "validity": validity(),
        "audit": audit(),
    }


async def prove(
    settings: KafkaSettings, sent: Sequence[Sent], live: Mapping[str, Mapping[str, str]]
) -> tuple[list[str], dict[str, int]]:
    """Read the topics whole and say what is wrong, and how much there is."""
    async with KafkaLog(settings, "proof") as log:
        topics = {key: await proof.read_topic(log, key, PARTITIONS) for key in TOPICS}
        letters = await proof.read_topic(log, "deadletters", PARTITIONS)
    line = stages()
    faults = [fault for stage in line.values() for fault in proof.unanswered(stage, topics)]
    faults += _fates(sent, topics["observations"], letters)
    for number in range(PARTITIONS):
        faults += proof.ledger_faults(topics["ledger"][number])
        chain = [line[name] for name in ("extraction", "fusion", "validity", "audit")]
        expected = proof.undisturbed(chain, topics["observations"][number].accepted)
        found = [record.value for record in topics["ledger"][number].accepted if record.value]
        if expected != found:
            faults.append(
                f"ledger:{number} has {len(found)} messages, an undisturbed run {len(expected)}, not the same"
            )
        for name, stage in line.items():
            digest = proof.folded(stage, topics[stage.output][number])
            if live[name].get(str(number)) != digest:
                faults.append(f"{name}:{number} holds another state than its output folds to")
    facts = {key: sum(len(topic.raw) for topic in topics[key].values()) for key in TOPICS}
    facts["claims"] = sum(proof.claims(topic) for key in proof.LINE for topic in topics[key].values())
    return faults, facts


def _fates(
    sent: Sequence[Sent], observations: Mapping[int, proof.Topic], letters: Mapping[int, proof.Topic]
) -> list[str]:
    """Say whose fate was another than it should have been."""
    observed: dict[tuple[str, str], int] = {}
    for topic in observations.values():
        for record in topic.accepted:
            if record.value:
                message = decode(record.value, Observation)
                key = (message.meta.workspace, message.event_id)
                observed[key] = observed.get(key, 0) + 1
    wanted = {event.key for event in sent if event.fate in {"observed", "rerouted"}}
    faults = [f"{key} was not observed" for key in sorted(wanted - observed.keys())]
    faults += [f"{key} was observed {times} times" for key, times in observed.items() if times != 1]
    faults += [f"{key} was observed, though refused" for key in sorted(observed.keys() - wanted)]
    causes = {decode(record.value, DeadLetter).cause for topic in letters.values() for record in topic.raw}
    refused = sum(event.fate == "refused" for event in sent)
    if len(causes) != refused:
        faults.append(f"{len(causes)} dead letters for {refused} refused events")
    return faults
