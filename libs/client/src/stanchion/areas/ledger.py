"""The ledger: changes as they come, as they came, and the signed head."""

from collections.abc import AsyncIterator
from time import monotonic
from typing import Final

import grpc

from stanchion.areas.area import PAGE, Area
from stanchion.errors import StanchionError, Unreachable, from_rpc
from stanchion.results import Checkpoint, LedgerEntry, Watched
from stanchion.wire import result
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2
from stanchion_contracts.generated.stanchion.view.v1 import view_pb2

_STOOD_S: Final = 1.0  # a silent watch that stood as long as that had begun


class Ledger(Area):
    """Watches changes, and reads the ledger."""

    async def watch(self, *, workspace: str = "", from_seq: int = 0) -> AsyncIterator[Watched]:
        """Give the changes of a workspace, in order, none twice, none missing, for as long as they are asked for.

        A stream that breaks is opened again after the last seq that was given.

        Args:
            workspace: whose.
            from_seq: the first seq wanted; 0 means from now on.

        Raises:
            StanchionError: it was refused, or nobody has answered for a while.
        """
        request = view_pb2.WatchRequest(workspace=self._calls.workspace(workspace), from_seq=from_seq)
        attempt, begun = 0, False
        while True:
            opened = monotonic()
            try:
                async for message in self._calls.view.Watch(request, metadata=self._calls.connection.metadata):
                    attempt, begun = 0, True
                    request.from_seq = max(request.from_seq, message.through_seq + 1)
                    yield result(message, Watched)
                ended: StanchionError = Unreachable("STREAM_ENDED", "the view ended the watch without a word")
            except grpc.aio.AioRpcError as error:
                ended = from_rpc(error, read=True)
            attempt += 1
            begun = begun or monotonic() - opened > _STOOD_S
            await self._calls.connection.wait(attempt, ended, stream=begun)

    async def trace(
        self, subject_id: str = "", *, workspace: str = "", receipts: bool = False, min_seq: int | None = None
    ) -> AsyncIterator[LedgerEntry]:
        """Give the ledger's entries of one subject, or of the whole workspace, oldest first.

        Args:
            subject_id: of a record or another subject; empty for all.
            workspace: whose.
            receipts: of the tree of receipts (who was served what) instead of the tree of changes.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        cursor = ""
        while True:
            response = await self._calls.read(
                self._calls.audit.Trace,
                audit_pb2.TraceRequest(
                    workspace=whose,
                    subject_id=subject_id,
                    limit=PAGE,
                    cursor=cursor,
                    min_seq=0 if receipts else self._calls.min_seq(whose, min_seq),
                    tree=_tree(receipts=receipts),
                ),
            )
            for entry in response.entries:
                yield result(entry, LedgerEntry)
            if not (cursor := response.next_cursor):
                return

    async def checkpoint(self, *, workspace: str = "", receipts: bool = False) -> Checkpoint:
        """Give the signed head of a workspace's tree of changes, or of receipts.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        request = audit_pb2.GetCheckpointRequest(
            workspace=self._calls.workspace(workspace), tree=_tree(receipts=receipts)
        )
        return result(await self._calls.read(self._calls.audit.GetCheckpoint, request), Checkpoint)


def _tree(*, receipts: bool) -> audit_pb2.Tree.ValueType:
    """Give which of a workspace's trees."""
    return audit_pb2.TREE_RECEIPTS if receipts else audit_pb2.TREE_CHANGES
