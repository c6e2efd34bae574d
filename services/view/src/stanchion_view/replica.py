"""Keeps one view up to date: takes what the ledger brings, commits it, and only then lets readers see it.

A batch is decoded, folded into drafts and committed in a thread of its own; hot state changes in the event loop alone,
between two awaits, so a read that does not await sees one position.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.ledger import Ledger
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_core.vocabulary import Vocabulary
from stanchion_runtime import clock
from stanchion_runtime.log import Record
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.tail import Batch, Start
from stanchion_view import handler
from stanchion_view.bell import Bell
from stanchion_view.core import restore
from stanchion_view.core.event import Event
from stanchion_view.core.output import Output, rows
from stanchion_view.core.recent import Recent
from stanchion_view.core.standing import Standings
from stanchion_view.core.state import Draft, Workspace
from stanchion_view.core.texts import Moment, Texts
from stanchion_view.store import Store

STAGE: Final = "view"
TOPIC: Final = "ledger"
_STRETCH: Final = 100  # records walked before others get their turn
_REMEMBERED: Final = 64  # workspaces with events in memory
_AHEAD: Final = 64  # batches read while one is committed


class _Folded(Struct, frozen=True, kw_only=True):
    """A batch that is in the file and not yet in hot state."""

    drafts: Mapping[str, Draft]
    events: Mapping[str, Sequence[Event]]
    positions: Mapping[int, Start]
    bodies: Mapping[Moment, str]
    times: Mapping[Moment, int]


class Replica:
    """Hot state of some partitions, and the file it goes with.

    Attributes:
        workspaces: by name; changed only between awaits of the event loop.
        positions: how far each partition is, in file and hot state alike.
        bell: rings for a workspace when it moved.
        texts: what reads ask of the file again and again.
        store: the file.
        base: the vocabulary of a workspace that has none of its own.
        partitions: which of the ledger are held here.
    """

    def __init__(  # noqa: PLR0913 - each a part that is chosen outside
        self,
        store: Store,
        base: Vocabulary,
        *,
        partitions: Sequence[int],
        partition_count: int,
        batch: int,
        recent: int,
        metrics: Metrics,
    ) -> None:
        """Rebuild hot state from the file.

        Args:
            store: the file.
            base: the vocabulary of a workspace that has none of its own.
            partitions: which of the ledger are held here.
            partition_count: how many the ledger has.
            batch: messages in one transaction, at most.
            recent: events of each workspace kept in memory for watchers.
            metrics: where to count.

        Raises:
            StoreError: the file cannot be read.
            InvalidMessage: a workspace's vocabulary in it cannot be read.
        """
        self.store = store
        self.base = base
        self.partitions = tuple(partitions)
        self.bell = Bell()
        self.texts = Texts()
        self._count = partition_count
        stored = store.positions()
        self.positions: dict[int, Start] = {partition: stored.get(partition, Start()) for partition in partitions}
        restored = _restored(store, base)  # the file may have more, of a time when this view held more
        self.workspaces = {name: space for name, space in restored.items() if self.holds(name)}
        for name, space in self.workspaces.items():
            metrics.applied_seq.labels(STAGE, name).set(space.last_seq)
        self._metrics = metrics
        self._batch = batch
        self._keep = recent
        self._recent: dict[str, Recent] = {}
        self._standings: dict[str, Standings] = {}
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="view-write")

    def holds(self, workspace: str) -> bool:
        """Tell whether a workspace belongs to a partition that is held here."""
        return partition_of(workspace, self._count) in self.partitions

    def last_seq(self, workspace: str) -> int:
        """Give the last seq of a workspace that readers see, 0 for none."""
        found = self.workspaces.get(workspace)
        return found.last_seq if found is not None else 0

    def recent(self, workspace: str, after: tuple[int, int]) -> Sequence[Event] | None:
        """Give the events after one, from memory; None when memory does not go back so far.

        Memory begins when somebody first asks, and holds the workspaces that were asked for last.

        Args:
            workspace: whose.
            after: seq and number within the seq of the last event already had.
        """
        found = self._recent.pop(workspace, None) or Recent(self.last_seq(workspace), self._keep)
        self._recent[workspace] = found
        if len(self._recent) > _REMEMBERED:
            del self._recent[next(iter(self._recent))]
        return found.after(after)

    async def reached(self, workspace: str, seq: int, timeout_s: float) -> bool:
        """Wait until readers see a seq; tell whether they do."""
        try:
            async with asyncio.timeout(timeout_s):
                while self.last_seq(workspace) < seq:
                    await self.bell.heard(workspace)
        except TimeoutError:
            return False
        return True

    async def standings(self, workspace: str) -> Standings:
        """Give how the records of a workspace stand; what is not known yet is worked out in short stretches.

        Raises:
            KeyError: there is no such workspace.
        """
        known = self._standings.setdefault(workspace, Standings())
        missing = known.missing(self.workspaces[workspace])
        for at in range(0, len(missing), _STRETCH):
            known.learn(self.workspaces[workspace], missing[at : at + _STRETCH])
            await asyncio.sleep(0)
        return known

    async def follow(self, batches: AsyncIterator[Batch]) -> None:
        """Apply batches until there are no more; those that wait for a commit go into the next one together.

        Raises:
            SeqGap: the ledger does not continue where this view stands.
            InvalidMessage: a message cannot be read: a bug, or an older version of ours.
        """
        waiting: asyncio.Queue[Batch | None] = asyncio.Queue(_AHEAD)
        pouring = asyncio.create_task(_pour(batches, waiting))
        try:
            while some := await self._taken(waiting):
                await self.apply(some)
            await pouring
        finally:
            pouring.cancel()
            await asyncio.gather(pouring, return_exceptions=True)

    async def _taken(self, waiting: "asyncio.Queue[Batch | None]") -> list[Batch]:
        """Take what waits, at least one batch and no more than one transaction's worth; nothing at the end."""
        taken: list[Batch] = []
        while not taken or (sum(len(batch.records) for batch in taken) < self._batch and not waiting.empty()):
            batch = await waiting.get()
            if batch is None:
                waiting.put_nowait(None)  # the next call sees the end again
                break
            taken.append(batch)
        return taken

    async def apply(self, batches: Sequence[Batch]) -> None:
        """Put batches into the file in one transaction, then into hot state, and wake who waits.

        Raises:
            SeqGap: the ledger does not continue where this view stands.
            InvalidMessage: a message cannot be read.
        """
        begun = clock.monotonic_s()
        folded = await asyncio.get_running_loop().run_in_executor(self._writer, self._commit, batches)
        self._swap(folded)
        self._metrics.batch_seconds.labels(STAGE).observe(clock.monotonic_s() - begun)
        self._metrics.batch_size.labels(STAGE).observe(sum(len(batch.records) for batch in batches))
        for batch in batches:
            where = (STAGE, TOPIC, str(batch.partition))
            self._metrics.inputs.labels(*where).inc(len(batch.records))
            self._metrics.position.labels(*where).set(batch.position)

    def close(self) -> None:
        """End the writing thread and let go of the file; call it when nothing is applied any more."""
        self._writer.shutdown(wait=True)
        self.store.close()

    def _commit(self, batches: Sequence[Batch]) -> _Folded:
        """Fold batches into drafts and write them; runs in the writing thread, which only reads hot state.

        Raises:
            SeqGap: the ledger does not continue where this view stands.
            InvalidMessage: a message cannot be read.
        """
        drafts: dict[str, Draft] = {}
        outputs: dict[str, Output] = {}
        for record in (record for batch in batches for record in batch.records):
            try:
                self._fold(drafts, outputs, record)
            except (InvalidMessage, handler.SeqGap) as error:
                error.add_note(f"at {record.topic}:{record.partition}:{record.offset}")
                raise
        positions = {batch.partition: Start(position=batch.position, up=batch.up) for batch in batches}
        self.store.commit(rows(drafts, outputs.values()), positions)
        events = {name: output.events for name, output in outputs.items()}
        return _Folded(
            drafts=drafts,
            events=events,
            positions=positions,
            bodies={moment: body for output in outputs.values() for moment, body in output.bodies.items()},
            times={moment: at for output in outputs.values() for moment, at in output.times.items()},
        )

    def _fold(self, drafts: dict[str, Draft], outputs: dict[str, Output], record: Record) -> None:
        """Fold one record; receipts' and empty outputs say nothing here."""
        message = codec.decode(record.value, Ledger) if record.value else None
        if message is None or message.tree != "changes":
            return
        name = message.meta.workspace
        if name not in drafts:
            drafts[name] = Draft(self.workspaces.get(name) or Workspace.empty(self.base))
            outputs[name] = Output()
        handler.apply(drafts[name], outputs[name], self.base, message)

    def _swap(self, folded: _Folded) -> None:
        """Let readers see a batch that is committed."""
        for name, draft in folded.drafts.items():
            draft.settle()
            self.workspaces[name] = draft.base
            if name in self._standings:
                self._standings[name].forget(draft.base.heads, draft.records.put)
            if name in self._recent:
                self._recent[name].add(folded.events[name])
            self._metrics.applied_seq.labels(STAGE, name).set(draft.base.last_seq)
        self.texts.keep_bodies(folded.bodies)
        self.texts.keep_times(folded.times)
        self.positions.update(folded.positions)
        for name in folded.drafts:
            self.bell.ring(name)


async def _pour(batches: AsyncIterator[Batch], waiting: "asyncio.Queue[Batch | None]") -> None:
    """Read ahead of the commits; say when there is no more, also when reading failed."""
    try:
        async for batch in batches:
            await waiting.put(batch)
    finally:
        task = asyncio.current_task()
        if task is None or not task.cancelling():  # nobody takes what a cancelled task puts
            await waiting.put(None)


def _restored(store: Store, base: Vocabulary) -> dict[str, Workspace]:
    """Rebuild hot state from the file.

    Raises:
        StoreError: the file cannot be read.
        InvalidMessage: a workspace's vocabulary in it cannot be read.
    """
    spaces = restore.workspaces(base, store.latest("changes", "workspace, seq, recorded_at_us"))
    restore.notes(spaces, store.latest("notes", "workspace, kind, id, state"))
    restore.heads(spaces, store.latest("heads", "workspace, head"))
    restore.cards(spaces, store.latest("versions", "workspace, card"))
    restore.beliefs(spaces, store.latest("beliefs", "workspace, seq, belief"))
    restore.resolutions(
        spaces, store.latest("resolutions", "workspace, subject, predicate, resolved", "resolved <> ''")
    )
    restore.findings(spaces, store.latest("findings", "workspace, finding", "NOT closed"))
    restore.proposals(spaces, store.latest("proposals", "workspace, opened_seq, filed, proposal", "closed_seq = 0"))
    restore.relations(spaces, store.latest("windows", restore.WINDOW_COLUMNS, "stated"))
    return spaces
