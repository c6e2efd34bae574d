"""What the view takes: messages a second into the file, one message at a time, a restart, and its reads."""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stanchion_contracts.change import Change
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2 as pb
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.record import Link
from stanchion_runtime import clock
from stanchion_runtime.clock import monotonic_s
from stanchion_runtime.memory import MemoryLog
from stanchion_view.core.query import Asked, Filters, page
from stanchion_view.core.standing import Standings
from stanchion_view.replica import Replica
from support.ledgers import START_US, Scribe, said
from support.views import PARTITIONS, Serving, batch_of, replica_at, stream

MESSAGES = 5_000
SINGLE = 200
BATCH = 500
RECORDS = 2_000
READS = 50
BELIEFS = 100_000
VOICES = 10_000
CALLS = 5
DAY_US = 86_400_000_000


def measure() -> dict[str, Any]:
    """Give messages a second of one and three claims, milliseconds of one message, of a restart and of reads."""
    with tempfile.TemporaryDirectory(prefix="stanchion-bench-") as folder:
        results: dict[str, Any] = {}
        for claims in (1, 3):
            results[f"claims_{claims}"] = asyncio.run(_beliefs(Path(folder) / f"{claims}.duckdb", claims))
        results["records"] = asyncio.run(_records(Path(folder) / "records.duckdb"))
        results["beliefs"] = asyncio.run(_read_beliefs(Path(folder)))
        return results


async def _beliefs(path: Path, claims: int) -> dict[str, Any]:
    """Apply in batches, then one by one, then restart and read."""
    scribe = Scribe()
    messages = [_event(scribe, number, claims) for number in range(MESSAGES + SINGLE)]
    batches = [batch_of(messages[at : at + BATCH], first=1 + at) for at in range(0, MESSAGES, BATCH)]
    replica = replica_at(path)
    begun = monotonic_s()
    await replica.follow(stream(batches))
    many = monotonic_s() - begun
    singles = []
    for at in range(MESSAGES, MESSAGES + SINGLE):
        begun = monotonic_s()
        await replica.apply([batch_of(messages[at : at + 1], first=1 + at)])
        singles.append(monotonic_s() - begun)
    replica.close()
    begun = monotonic_s()
    replica = replica_at(path)
    reopened = monotonic_s() - begun
    result = {
        "message_bytes": len(batches[0].records[0].value),
        "messages_per_s": round(MESSAGES / many),
        "changes_per_s": round(MESSAGES * claims / many),
        **_spread("one_message_ms", singles),
        "restart_ms": round(reopened * 1e3, 1),
        "contributions_read_ms": _each(lambda: replica.store.contributions("acme", [("s1", "tam")], 1 << 40)),
        "changes_read_ms": _each(lambda: replica.store.changes("acme", (100, 0), 1 << 40, BATCH)),
    }
    replica.close()
    return result


async def _read_beliefs(folder: Path) -> dict[str, Any]:
    """Read over gRPC: a belief of very many voices, and pages of very many beliefs."""
    scribe = Scribe(now_us=clock.now_us() - 200 * DAY_US)
    old_us = scribe.now_us
    beliefs = [_believed(scribe, f"subject {at} of {at % 100}", at, old_us) for at in range(BELIEFS)]
    messages = [scribe.message(*beliefs[at : at + 50]) for at in range(0, BELIEFS, 50)]
    voices = [said(str(at % 7), source=f"crm{at}", at_us=old_us) for at in range(VOICES)]
    messages += [scribe.message(scribe.believe(*voices[at : at + 50])) for at in range(0, VOICES, 50)]
    async with Serving(folder, MemoryLog(partitions=PARTITIONS)) as serving:
        await serving.replica.follow(stream([batch_of(messages)]))

        async def of(**asked: Any) -> dict[str, Any]:  # noqa: ANN401 - as the message takes them
            request = pb.ListBeliefsRequest(workspace="acme", **asked)
            return await _called(lambda: serving.stub.ListBeliefs(request, metadata=serving.me))

        one = pb.GetBeliefRequest(workspace="acme", subject="acme", predicate="tam")
        return {
            "beliefs": BELIEFS,
            "get_of_10000_voices": await _called(lambda: serving.stub.GetBelief(one, metadata=serving.me)),
            "list": await of(),
            "list_of_200": await of(limit=200),
            "list_stale": await of(stale=True),
            "list_contradicted": await of(contradicted=True),
            "list_about": await of(about="what is subject 77 of the hundred worth?"),
        }


def _believed(scribe: Scribe, subject: str, number: int, at_us: int) -> Change:
    """Give a belief that is stale by now, or never will be."""
    half_life_s = (0, 90 * 86_400)[number % 2]
    return scribe.believe(said(str(number % 7), subject=subject, at_us=at_us), half_life_s=half_life_s)


async def _called(call: Callable[[], Any]) -> dict[str, float]:
    """Time a call a few times."""
    seconds = []
    for _ in range(CALLS):
        begun = monotonic_s()
        await call()
        seconds.append(monotonic_s() - begun)
    return _spread("ms", seconds)


async def _records(path: Path) -> dict[str, Any]:
    """Apply records that rest on each other, then query them."""
    scribe = Scribe()
    messages = [
        scribe.message(
            scribe.write(
                f"d{number}",
                label=f"Decision {number}",
                body="because " * 200,
                status="active",
                links=[Link(name="depends_on", to=f"d{number * 7 % max(1, number)}")] if number else [],
            )
        )
        for number in range(RECORDS)
    ]
    replica = replica_at(path)
    begun = monotonic_s()
    await replica.follow(stream([batch_of(messages[at : at + BATCH], first=1 + at) for at in range(0, RECORDS, BATCH)]))
    many = monotonic_s() - begun
    result = {"messages_per_s": round(RECORDS / many), **_queries(replica)}
    replica.close()
    return result


def _queries(replica: Replica) -> dict[str, Any]:
    """Time a page without and with a filter by state."""
    space, kept = replica.workspaces["acme"], Standings()
    plain = Asked(filters=Filters(), now_us=space.last_us, limit=50)
    stale = Asked(filters=Filters(states=frozenset({"needs_review"})), now_us=space.last_us, limit=50)

    def state_of(record: str) -> Any:  # noqa: ANN401 - as `page` takes it
        return kept.state(space, record, space.last_us)

    begun = monotonic_s()
    kept.learn(space, kept.missing(space))
    learned = monotonic_s() - begun
    return {
        "page_ms": _each(lambda: page(space, plain, state_of)),
        "learn_standing_us_per_record": round(learned / RECORDS * 1e6, 1),
        "page_by_state_ms": _each(lambda: page(space, stale, state_of)),
    }


def _event(scribe: Scribe, number: int, claims: int) -> Ledger:
    """Give a message that moves so many beliefs."""
    first = number * claims
    return scribe.message(
        *(
            scribe.believe(said(str(at % 7), subject=f"s{at % 2_000}", at_us=START_US + at))
            for at in range(first, first + claims)
        )
    )


def _spread(name: str, seconds: list[float]) -> dict[str, float]:
    """Give the middle and the slow end in milliseconds."""
    ordered = sorted(seconds)
    return {
        f"{name}_p50": round(ordered[len(ordered) // 2] * 1e3, 2),
        f"{name}_p99": round(ordered[len(ordered) * 99 // 100] * 1e3, 2),
    }


def _each(work: Callable[[], object]) -> float:
    """Give milliseconds for one of many."""
    begun = monotonic_s()
    for _ in range(READS):
        work()
    return round((monotonic_s() - begun) / READS * 1e3, 2)
