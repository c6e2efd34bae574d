"""What stands behind a gateway under test: answers each request and command, as the line down to validity would."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import aclosing

from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.command import Command
from stanchion_contracts.observation import Request
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Headers, Log, Outgoing, Record

Message = Request | Command
Decide = Callable[[Message, int], Changes | None]


def nothing_changed(message: Message, seq: int) -> Changes:
    """Say that a message changed nothing, as of the last seq."""
    return Changes(meta=message.meta, recorded_at_us=message.meta.time_us, last_seq=seq)


class Decider:
    """Answers what a gateway puts on the line, on `changes`, under the epochs it claims.

    Attributes:
        seen: every message, in the order of coming.
        headers: of each of them.
        decide: gives the answer to a message, given the workspace's last seq; None is the empty output.
    """

    def __init__(self, log: Log, partitions: int, decide: Decide = nothing_changed) -> None:
        """Claim nothing yet."""
        self.seen: list[Message] = []
        self.headers: list[Headers] = []
        self._log = log
        self._partitions = partitions
        self.decide = decide
        self._epochs: dict[int, int] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._causes: dict[int, int] = defaultdict(int)
        self._seqs: dict[str, int] = defaultdict(int)

    async def claim(self) -> None:
        """Claim every partition of `changes`, and note where requests and commands stand."""
        for partition in range(self._partitions):
            (epoch,) = await self._log.append("changes", partition, [Outgoing(value=b"", headers=((CLAIM, b"test"),))])
            self._epochs[partition] = epoch
        for topic in ("requests", "commands"):
            bounds = await self._log.bounds(topic, range(self._partitions))
            self._starts[topic] = {partition: each.end for partition, each in bounds.items()}

    async def run(self) -> None:
        """Answer for ever; call `claim` first."""
        await asyncio.gather(*[self._answer(topic, starts) for topic, starts in self._starts.items()])

    async def _answer(self, topic: str, starts: dict[int, int]) -> None:
        async with aclosing(self._log.follow(topic, starts)) as batches:
            async for records in batches:
                for record in records:
                    await self.answer(record)

    async def answer(self, record: Record) -> None:
        """Answer one record."""
        message: Message
        if record.topic == "requests":
            message = codec.decode(record.value, Request)
        else:
            message = codec.decode(record.value, Command)
        self.seen.append(message)
        self.headers.append(record.headers)
        seq = self._seqs[message.meta.workspace]
        changes = self.decide(message, seq)
        if changes is not None:
            self._seqs[message.meta.workspace] = changes.last_seq
        await self.write(record.partition, b"" if changes is None else codec.encode(changes), record.headers)

    async def write(self, partition: int, value: bytes, headers: Headers = ()) -> None:
        """Write one output with the next cause."""
        cause = f"beliefs:{partition}:{self._causes[partition]}".encode()
        self._causes[partition] += 1
        own = ((CAUSE, cause), (EPOCH, str(self._epochs[partition]).encode()))
        await self._log.append("changes", partition, [Outgoing(value=value, headers=own + headers)])
