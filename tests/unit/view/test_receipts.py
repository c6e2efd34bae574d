from collections.abc import Sequence

import pytest

from stanchion_contracts import codec
from stanchion_contracts.receipt import Receipt, Served
from stanchion_core.errors import Transient
from stanchion_core.ids import partition_of
from stanchion_runtime.auth import Principal
from stanchion_runtime.log import Outgoing
from stanchion_runtime.memory import MemoryLog
from stanchion_view import receipts
from stanchion_view.receipts import Receipts

BOT = Principal(sub="bot", kind="agent", on_behalf_of="maya")
SERVED = (Served(record_id="d", version=1, validity="current"),)


class Flaky(MemoryLog):
    """A log that is away for as many appends as it is told."""

    def __init__(self, away: int) -> None:
        super().__init__(partitions=4)
        self.away = away

    async def append(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
        """Append, or be away.

        Raises:
            Transient: away.
        """
        self.away -= 1
        if self.away >= 0:
            raise Transient("away")
        return await super().append(topic, partition, batch)


async def test_each_receipt_lies_with_its_workspace() -> None:
    """Receipts go to the partition of their workspace, in order."""
    log = Flaky(away=0)
    gathered = Receipts(log, 4)
    for seq in (1, 2):
        for workspace in ("acme", "docs"):
            gathered.give(BOT, workspace, "GetRecord", seq, SERVED)
    await gathered.flush()
    for workspace in ("acme", "docs"):
        found = [codec.decode(each.value, Receipt) for each in log.records("receipts", partition_of(workspace, 4))]
        assert [1, 2] == [receipt.as_of_seq for receipt in found if receipt.meta.workspace == workspace]


async def test_what_could_not_be_appended_waits() -> None:
    """A log that is away loses no receipt."""
    log = Flaky(away=1)
    gathered = Receipts(log, 4)
    gathered.give(BOT, "acme", "GetRecord", 1, SERVED)
    with pytest.raises(Transient):
        await gathered.flush()
    await gathered.flush()
    assert 1 == len(log.records("receipts", partition_of("acme", 4)))


def test_there_is_an_end_to_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """When so many wait, there is no room for another."""
    monkeypatch.setattr(receipts, "MOST", 2)
    gathered = Receipts(Flaky(away=0), 4)
    gathered.give(BOT, "acme", "GetRecord", 1, SERVED)
    assert not gathered.full
    gathered.give(BOT, "acme", "GetRecord", 1, SERVED)
    assert gathered.full
