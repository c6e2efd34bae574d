"""AuditService over gRPC: who may ask, what fits, and the answer from the store, read in a thread.

Every answer is of one position, the tree's size when the call began, and says which.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Final, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from stanchion_audit.core.before_after import as_served, before_after
from stanchion_audit.core.checkpoint import Checkpoint, Tree, origin_of
from stanchion_audit.core.cursor import decode_cursor, encode_cursor
from stanchion_audit.core.proof import Consistency, Inclusion
from stanchion_audit.follower import Follower
from stanchion_audit.keys import CheckpointKey
from stanchion_audit.store import Head, Page, Stored
from stanchion_contracts import codec
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2 as pb
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2_grpc
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.ledger import Payload
from stanchion_contracts.receipt import Receipt
from stanchion_core.errors import InvalidMessage
from stanchion_core.limits import URI_CHARS
from stanchion_core.merkle import CompactRange
from stanchion_runtime.rpc import refuse, remaining_s, require

SERVICE: Final = "stanchion.audit.v1.AuditService"
DEFAULT_LIMIT: Final = 100
MAX_LIMIT: Final = 500
PAGE_BYTES: Final = 1024 * 1024
"""Payload bytes on one page: a page always has an entry, and ends before it gets larger than this."""

_ANSWER_S: Final = 0.1  # of the deadline, what it takes to say that it was not reached

_TREES: Final[dict[int, Tree]] = {
    pb.TREE_UNSPECIFIED: "changes",
    pb.TREE_CHANGES: "changes",
    pb.TREE_RECEIPTS: "receipts",
}
_KINDS: Final = {
    "person": types_pb2.ACTOR_KIND_PERSON,
    "agent": types_pb2.ACTOR_KIND_AGENT,
    "service": types_pb2.ACTOR_KIND_SERVICE,
    "system": types_pb2.ACTOR_KIND_SYSTEM,
}
_EMPTY: Final = Head(id=0, tree=CompactRange())

Answer = TypeVar("Answer")


class AuditServicer(audit_pb2_grpc.AuditServiceServicer):
    """Answers from the store."""

    def __init__(self, follower: Follower, key: CheckpointKey, readers: Executor) -> None:
        """Serve what is stored.

        Args:
            follower: has the store, and tells when it moved.
            key: signs checkpoints.
            readers: threads that read the store.
        """
        self._follower = follower
        self._key = key
        self._readers = readers

    async def Trace(self, request: pb.TraceRequest, context: object) -> pb.TraceResponse:  # noqa: N802 - gRPC's name
        """Give a page of entries."""
        del context
        tree = self._admit(request.workspace, request.tree)
        after_seq = _after(request)
        limit = _limit(request.limit)
        head = await self._reached(request.workspace, tree, request.min_seq)
        page = Page(subject_id=request.subject_id, after_seq=after_seq, limit=limit, max_bytes=PAGE_BYTES)

        def read() -> pb.TraceResponse:
            stored, more = self._follower.store.entries(head, page)
            cursor = encode_cursor(request.workspace, request.subject_id, stored[-1].entry.seq) if more else ""
            entries = [_entry(one, tree) for one in stored]
            return pb.TraceResponse(entries=entries, next_cursor=cursor, through_seq=head.tree.size)

        return await self._read(read)

    async def GetCheckpoint(self, request: pb.GetCheckpointRequest, context: object) -> pb.GetCheckpointResponse:  # noqa: N802 - gRPC's name
        """Give the signed head of a tree."""
        del context
        tree = self._admit(request.workspace, request.tree)
        head = await self._reached(request.workspace, tree, 0)
        origin = origin_of(request.workspace, tree)
        checkpoint = Checkpoint(origin=origin, size=head.tree.size, root=head.tree.root())
        return pb.GetCheckpointResponse(
            checkpoint=self._key.sign_text(checkpoint.text(), origin),
            size=checkpoint.size,
            root=checkpoint.root,
            verifier_key=self._key.verifier(origin).text(),
        )

    async def GetInclusionProof(  # noqa: N802 - gRPC's name
        self, request: pb.GetInclusionProofRequest, context: object
    ) -> pb.GetInclusionProofResponse:
        """Prove that an entry is in a tree."""
        del context
        tree = self._admit(request.workspace, request.tree)
        head = await self._reached(request.workspace, tree, 0)
        size = request.size or head.tree.size
        _require_within("size", size, 1, head.tree.size)
        _require_within("seq", request.seq, 1, size)

        def prove() -> Inclusion:
            return self._follower.store.tree(head).inclusion(request.seq - 1, size)

        made = await self._read(prove)
        return pb.GetInclusionProofResponse(size=size, leaf_hash=made.leaf, hashes=made.proof, root=made.root)

    async def GetConsistencyProof(  # noqa: N802 - gRPC's name
        self, request: pb.GetConsistencyProofRequest, context: object
    ) -> pb.GetConsistencyProofResponse:
        """Prove that a tree begins with an earlier one."""
        del context
        tree = self._admit(request.workspace, request.tree)
        head = await self._reached(request.workspace, tree, 0)
        size_2 = request.size_2 or head.tree.size
        _require_within("size_2", size_2, 1, head.tree.size)
        _require_within("size_1", request.size_1, 1, size_2)

        def prove() -> Consistency:
            return self._follower.store.tree(head).consistency(request.size_1, size_2)

        made = await self._read(prove)
        return pb.GetConsistencyProofResponse(size_1=made.size_1, size_2=made.size_2, hashes=made.proof)

    def _admit(self, workspace: str, tree: int) -> Tree:
        """Give the tree that is asked for, if the caller may read it and it is here.

        Raises:
            Refused: the caller may not, there is no such tree, or another reader has it.
        """
        require("read", workspace)
        known = _TREES.get(tree)
        if known is None:
            refuse("FIELD_VALUE", f"tree {tree} is not known: ask for changes or receipts", field="tree")
        if not self._follower.holds(workspace):
            held = ", ".join(map(str, sorted(self._follower.held)))
            refuse(
                "NOT_FOUND", f"workspace {workspace} is not on this reader, which holds partitions {held}: ask another"
            )
        return known

    async def _reached(self, workspace: str, tree: Tree, min_seq: int) -> Head:
        """Give the tree once it has a seq.

        Raises:
            Refused: `NOT_YET_VISIBLE` with the position, when the deadline is near.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + remaining_s() - _ANSWER_S
        while True:
            moved = self._follower.next_move()
            head = await self._read(lambda: self._follower.store.head(workspace, tree)) or _EMPTY
            if head.tree.size >= min_seq:
                return head
            try:
                async with asyncio.timeout_at(until):
                    await moved.wait()
            except TimeoutError:
                refuse(
                    "NOT_YET_VISIBLE",
                    f"workspace {workspace} is stored through seq {head.tree.size}, not yet {min_seq}: ask again",
                    retry_after_s=_ANSWER_S,
                    through_seq=head.tree.size,
                )

    async def _read(self, work: Callable[[], Answer]) -> Answer:
        """Read the store in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)


def _after(request: pb.TraceRequest) -> int:
    """Give the seq after which a trace goes on.

    Raises:
        Refused: the cursor or the subject is not one.
    """
    if len(request.subject_id) > URI_CHARS:
        refuse(
            "TOO_LARGE", f"subject_id has {len(request.subject_id)} characters; at most {URI_CHARS}", field="subject_id"
        )
    try:
        return decode_cursor(request.workspace, request.subject_id, request.cursor)
    except InvalidMessage as error:
        refuse(error.code, error.detail, field="cursor")


def _limit(asked: int) -> int:
    """Give the number of entries for a page.

    Raises:
        Refused: more than a page has, or fewer than none.
    """
    if not 0 <= asked <= MAX_LIMIT:
        refuse("TOO_MANY", f"limit is {asked}; 1 to {MAX_LIMIT}, or 0 for {DEFAULT_LIMIT}", field="limit")
    return asked or DEFAULT_LIMIT


def _require_within(name: str, value: int, least: int, most: int) -> None:
    """Refuse a seq or size that the tree does not have.

    Raises:
        Refused: `OUT_OF_RANGE` with the size that there is.
    """
    if not least <= value <= most:
        there = f"the tree has {least} to {most}" if least <= most else "the tree is empty"
        refuse("OUT_OF_RANGE", f"{name} is {value}; {there}", field=name, through_seq=most)


def _entry(stored: Stored, tree: Tree) -> pb.LedgerEntry:
    """Give an entry with what its payload says, in words."""
    entry = stored.entry
    if tree == "receipts":
        receipt = codec.decode(stored.payload, Receipt)
        reason = f"{receipt.method} served {len(receipt.served)} records as of seq {receipt.as_of_seq}"
        before, after = "", as_served(receipt)
    else:
        change = codec.decode(stored.payload, Payload).change
        reason, (before, after) = change.reason, before_after(change)
    return pb.LedgerEntry(
        seq=entry.seq,
        recorded_at=Timestamp(
            seconds=entry.recorded_at_us // 1_000_000, nanos=entry.recorded_at_us % 1_000_000 * 1_000
        ),
        actor=types_pb2.Actor(kind=_KINDS[entry.actor_kind], id=entry.actor_id, on_behalf_of=entry.on_behalf_of),
        action=entry.action,
        subject_kind=entry.subject_kind,
        subject_id=entry.subject_id,
        origin=entry.origin,
        reason=reason,
        before_json=before,
        after_json=after,
        payload_digest=entry.payload_digest,
        leaf=stored.leaf,
    )
