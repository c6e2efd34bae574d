"""Any process may be killed at any time: it comes back, and nothing that was acknowledged is gone."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from stanchion import Client
from stanchion.errors import StanchionError
from stanchion.writes import Write
from stanchion_local.supervisor import Supervisor

Connect = Callable[..., Client]


async def write(client: Client, number: int) -> None:
    """Write a record, with the same key until it is acknowledged."""
    record = Write(id=f"d-{number}", kind="decision", label=f"Decision {number}", fields={"status": "active"})
    async with asyncio.timeout(90):
        while True:
            try:
                await client.write_batch([record], idempotency_key=f"key-{number}")
            except StanchionError:  # nobody there yet, or the outcome is unknown: once more, with the same key
                await asyncio.sleep(0.2)
            else:
                return


@pytest.mark.timeout(300)
@pytest.mark.asyncio(loop_scope="session")
async def test_every_process_may_be_killed_while_records_are_written(line: Supervisor, connect: Connect) -> None:
    """One after the other, each service dies with a write on its way; every write is there once, and reads agree."""
    names = [process.name for process in line.processes if process.name != "broker"]
    async with connect(workspace="killed") as client:
        await write(client, 0)
        for number, name in enumerate(names, start=1):
            (process,) = (process for process in line.processes if process.name == name)
            writing = asyncio.create_task(write(client, number))
            await asyncio.sleep(0)
            os.kill(process.pid, signal.SIGKILL)
            await writing
        last = len(names)
        async with asyncio.timeout(60):
            while True:
                try:
                    page = await client.query_page(kinds=["decision"], min_seq=last + 1)
                    entries = [entry async for entry in client.trace()]
                    break
                except StanchionError:  # the last one killed is still on its way up
                    await asyncio.sleep(0.2)
    assert {f"d-{number}": 1 for number in range(last + 1)} == {record.id: record.version for record in page.records}
    assert list(range(1, last + 2)) == [entry.seq for entry in entries]
