"""The reader process: a ledger in a log, AuditService over gRPC, a real client, an independent verifier."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pymerkle
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from stanchion_audit.core.checkpoint import read_checkpoint
from stanchion_audit.core.note import open_note, read_key
from stanchion_audit.follower import TOPIC
from stanchion_audit.keys import verify_ed25519
from stanchion_audit.reader import Reader
from stanchion_audit.rpc import AuditServicer
from stanchion_audit.settings import ReaderServerSettings, ReaderSettings
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2 as pb
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2_grpc
from stanchion_contracts.ledger import Ledger
from stanchion_core.ids import partition_of
from stanchion_core.merkle import InvalidProof, leaf_hash, verify_consistency, verify_inclusion
from stanchion_runtime import rpc
from stanchion_runtime.memory import MemoryLog
from support.changes import CLAIM_RECORD, changes, notarised, on_the_ledger, receipt, record_written
from support.tokens import Issuer

PARTITIONS = 2
HOME = partition_of("docs", PARTITIONS)


class Bench:
    """A running reader, its log, and a client of it."""

    def __init__(self, reader: Reader, log: MemoryLog, issuer: Issuer) -> None:
        self.reader, self.log, self.issuer = reader, log, issuer
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{reader.server.port}")
        self.stub: Any = audit_pb2_grpc.AuditServiceStub(self.channel)
        self.metadata = (("authorization", f"Bearer {issuer.token(workspaces=['docs'], capabilities=['read'])}"),)
        self.cause = 0

    def write(self, outputs: list[Ledger]) -> None:
        """Append outputs to the ledger."""
        self.log.write(TOPIC, HOME, on_the_ledger(outputs, partition=HOME, cause=self.cause))
        self.cause += len(outputs)

    async def trace(self, **request: Any) -> pb.TraceResponse:  # noqa: ANN401 - a request's fields
        """Call Trace."""
        call = self.stub.Trace(pb.TraceRequest(**{"workspace": "docs", **request}), metadata=self.metadata, timeout=5)
        answer: pb.TraceResponse = await call
        return answer

    async def checkpoint(self, tree: "pb.Tree.ValueType" = pb.TREE_UNSPECIFIED) -> pb.GetCheckpointResponse:
        """Call GetCheckpoint."""
        call = self.stub.GetCheckpoint(pb.GetCheckpointRequest(workspace="docs", tree=tree), metadata=self.metadata)
        answer: pb.GetCheckpointResponse = await call
        return answer


@asynccontextmanager
async def running(folder: Path, log: MemoryLog, partitions: str = "") -> AsyncIterator[Bench]:
    """Run a reader on a folder."""
    key = folder / "checkpoint.pem"
    private = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    key.chmod(0o600)
    settings = ReaderSettings(database=folder / "audit.duckdb", checkpoint_key=key, partitions=partitions)
    server = ReaderServerSettings(port=0, http_port=0, drain_s=1.0)
    issuer = Issuer(folder)
    reader = Reader(settings, server, rpc.Authenticator.of(issuer.settings()), log, PARTITIONS)
    stop = asyncio.Event()
    task = asyncio.create_task(reader.run(stop))
    async with asyncio.timeout(10):
        await reader.ready.wait()
    bench = Bench(reader, log, issuer)
    try:
        yield bench
    finally:
        await bench.channel.close()
        stop.set()
        await task


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    """Give a reader over an empty, claimed ledger."""
    log = MemoryLog(partitions=PARTITIONS)
    log.write(TOPIC, HOME, [CLAIM_RECORD])
    async with running(tmp_path, log) as made:
        yield made


def outputs(count: int) -> list[Ledger]:
    """Give outputs of one entry each, on ten subjects."""
    return notarised(*(changes(seq, record_written(seq, f"adr-{seq % 10}")) for seq in range(1, count + 1)))


async def reason_of(call: Any) -> tuple[str, str]:  # noqa: ANN401 - a call in flight
    """Give code and reason of a call that must fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    found = error_details_pb2.ErrorInfo()
    assert rpc_status.from_call(caught.value).details[0].Unpack(found)
    return caught.value.code().name, found.reason


async def test_a_trace_waits_and_reads_before_and_after(bench: Bench) -> None:
    """A caller who asks for a seq waits until it is stored, and reads what changed, why, and who did it."""
    waiting = asyncio.create_task(bench.trace(min_seq=3))
    bench.write(outputs(3))
    answer = await waiting
    assert ([1, 2, 3], 3, "") == ([entry.seq for entry in answer.entries], answer.through_seq, answer.next_cursor)
    entry = answer.entries[2]
    assert ("record.written", "adr-3", "status is now accepted", "collector") == (
        entry.action,
        entry.subject_id,
        entry.reason,
        entry.actor.id,
    )
    assert ("proposed", "accepted") == (
        json.loads(entry.before_json)["fields"]["status"],
        json.loads(entry.after_json)["fields"]["status"],
    )
    assert "2026-11-30" == entry.recorded_at.ToJsonString()[:10]


async def test_pages_have_every_entry_once(bench: Bench) -> None:
    """Following the cursors gives every entry in order, also while more is written, of a workspace or a subject."""
    written = outputs(30)
    bench.write(written[:25])
    for subject, expected in (("", list(range(1, 26))), ("adr-4", [4, 14, 24])):
        seqs: list[int] = []
        cursor = ""
        while True:
            page = await bench.trace(limit=2, cursor=cursor, subject_id=subject, min_seq=25)
            seqs += [entry.seq for entry in page.entries]
            cursor = page.next_cursor
            if not cursor:
                break
        assert expected == seqs[: len(expected)]
        bench.write(written[25:] if subject == "" else [])


async def test_a_third_party_verifies_with_the_public_key_alone(bench: Bench) -> None:
    """From leaves, proofs, a checkpoint and its verifier key, with an independent library, everything holds."""
    bench.write(outputs(20))
    earlier = await bench.checkpoint() if (await bench.trace(min_seq=20)).through_seq == 20 else None
    assert earlier is not None
    written = outputs(33)
    bench.write(written[20:])
    page = await bench.trace(min_seq=33, limit=500)
    signed = await bench.checkpoint()
    key = read_key(signed.verifier_key)
    head = read_checkpoint(open_note(signed.checkpoint.encode(), key, verify_ed25519))
    assert ("stanchion/docs", 33, signed.root) == (head.origin, head.size, head.root)
    other = pymerkle.InmemoryTree(algorithm="sha256")
    for entry in page.entries:
        other.append_entry(entry.leaf)
    assert other.get_root() == head.root
    assert other.get_root(20) == earlier.root
    request = pb.GetInclusionProofRequest(workspace="docs", seq=7, size=20)
    proof = await bench.stub.GetInclusionProof(request, metadata=bench.metadata)
    assert leaf_hash(page.entries[6].leaf) == proof.leaf_hash
    verify_inclusion(index=6, size=20, leaf=proof.leaf_hash, proof=list(proof.hashes), root=earlier.root)
    link = await bench.stub.GetConsistencyProof(
        pb.GetConsistencyProofRequest(workspace="docs", size_1=20), metadata=bench.metadata
    )
    verify_consistency(size_1=20, size_2=33, root_1=earlier.root, root_2=head.root, proof=list(link.hashes))
    with pytest.raises(InvalidProof):
        verify_consistency(size_1=20, size_2=33, root_1=head.root, root_2=head.root, proof=list(link.hashes))


async def test_receipts_have_a_tree_that_can_be_asked_for(bench: Bench) -> None:
    """What was served is traced and signed for under its own origin."""
    bench.write(notarised(receipt(1), receipt(2)))
    page = await bench.trace(tree=pb.TREE_RECEIPTS, min_seq=2)
    assert ["receipt.issued", "receipt.issued"] == [entry.action for entry in page.entries]
    assert [{"record_id": "adr-7", "version": 2, "validity": "current"}] == json.loads(page.entries[0].after_json)[
        "served"
    ]
    signed = await bench.checkpoint(pb.TREE_RECEIPTS)
    assert ["stanchion/docs/receipts", "2"] == signed.checkpoint.split("\n")[:2]
    assert 0 == (await bench.trace()).through_seq


async def test_an_empty_ledger_has_a_checkpoint(bench: Bench) -> None:
    """A workspace without changes is signed for at size 0, and nothing can be proved of it."""
    assert 0 == (await bench.checkpoint()).size
    request = pb.GetInclusionProofRequest(workspace="docs", seq=1)
    assert ("OUT_OF_RANGE", "OUT_OF_RANGE") == await reason_of(
        bench.stub.GetInclusionProof(request, metadata=bench.metadata)
    )


async def test_what_is_refused(bench: Bench) -> None:
    """Limits, foreign cursors, other workspaces, unknown trees and seqs that are not there are refused by name."""
    bench.write(outputs(4))
    cursor = (await bench.trace(limit=1, min_seq=4)).next_cursor
    assert ("INVALID_ARGUMENT", "TOO_MANY") == await reason_of(bench.trace(limit=501))
    assert ("INVALID_ARGUMENT", "TOO_MANY") == await reason_of(bench.trace(limit=-1))
    assert ("INVALID_ARGUMENT", "BAD_CURSOR") == await reason_of(bench.trace(cursor=cursor, subject_id="adr-1"))
    assert ("INVALID_ARGUMENT", "TOO_LARGE") == await reason_of(bench.trace(subject_id="x" * 3000))
    assert ("PERMISSION_DENIED", "WRONG_WORKSPACE") == await reason_of(bench.trace(workspace="ops"))
    assert ("INVALID_ARGUMENT", "FIELD_VALUE") == await reason_of(bench.trace(workspace=""))
    assert ("INVALID_ARGUMENT", "FIELD_VALUE") == await reason_of(bench.trace(tree=9))
    numbers: list[dict[str, Any]] = [{"seq": 5}, {"seq": 0}, {"seq": 1, "size": 5}, {"seq": 3, "size": 2}]
    for request in numbers:
        call = bench.stub.GetInclusionProof(
            pb.GetInclusionProofRequest(workspace="docs", **request), metadata=bench.metadata
        )
        assert ("OUT_OF_RANGE", "OUT_OF_RANGE") == await reason_of(call)
    pairs: list[dict[str, Any]] = [{"size_1": 0}, {"size_1": 5}, {"size_1": 3, "size_2": 2}, {"size_1": 1, "size_2": 9}]
    for sizes in pairs:
        call = bench.stub.GetConsistencyProof(
            pb.GetConsistencyProofRequest(workspace="docs", **sizes), metadata=bench.metadata
        )
        assert ("OUT_OF_RANGE", "OUT_OF_RANGE") == await reason_of(call)
    bench.metadata = (("authorization", f"Bearer {bench.issuer.token(capabilities=['write'])}"),)
    assert ("PERMISSION_DENIED", "MISSING_CAPABILITY") == await reason_of(bench.trace())


async def test_a_seq_that_does_not_come_is_said_so_in_time(bench: Bench) -> None:
    """Before the deadline the caller hears how far the ledger is, instead of nothing."""
    bench.write(outputs(2))
    await bench.trace(min_seq=2)
    request = pb.TraceRequest(workspace="docs", min_seq=3)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await bench.stub.Trace(request, metadata=bench.metadata, timeout=0.5)
    found = error_details_pb2.ErrorInfo()
    assert rpc_status.from_call(caught.value).details[0].Unpack(found)
    assert ("UNAVAILABLE", "NOT_YET_VISIBLE", "2") == (
        caught.value.code().name,
        found.reason,
        found.metadata["through_seq"],
    )


async def test_a_restart_answers_the_same(tmp_path: Path) -> None:
    """After a restart the checkpoint is the same note, and what was written meanwhile is there too."""
    log = MemoryLog(partitions=PARTITIONS)
    log.write(TOPIC, HOME, [CLAIM_RECORD])
    written = outputs(9)
    async with running(tmp_path, log) as bench:
        bench.write(written[:5])
        await bench.trace(min_seq=5)
        before = await bench.checkpoint()
    async with running(tmp_path, log) as bench:
        assert before == await bench.checkpoint()
        bench.cause = 5
        bench.write(written[5:])
        assert 9 == (await bench.trace(min_seq=9)).through_seq


async def test_a_reader_of_other_partitions_says_whose_it_is_not(tmp_path: Path) -> None:
    """A workspace of a partition that is not held here is refused, never answered as empty."""
    async with running(tmp_path, MemoryLog(partitions=PARTITIONS), partitions=str(1 - HOME)) as bench:
        assert ("NOT_FOUND", "NOT_FOUND") == await reason_of(bench.trace())


def test_every_method_is_ours() -> None:
    """Whatever the service offers is implemented."""
    offered = {method.name for method in pb.DESCRIPTOR.services_by_name["AuditService"].methods}
    assert offered <= set(vars(AuditServicer))
