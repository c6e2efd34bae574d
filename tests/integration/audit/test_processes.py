"""Both processes of audit on a real broker: changes in, a ledger and a proof out, whatever is killed between."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc
import psutil
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from stanchion_broker.broker import Broker
from stanchion_contracts import codec
from stanchion_contracts.change import Changes
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2 as pb
from stanchion_contracts.generated.stanchion.audit.v1 import audit_pb2_grpc
from stanchion_core.ids import partition_of
from stanchion_core.merkle import leaf_hash, root_of
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import CAUSE, EPOCH, Outgoing
from stanchion_runtime.settings import KafkaSettings
from support.broker import free_ports
from support.changes import CLAIM_RECORD, belief_moved, changes, notarised, receipt, record_written
from support.kafka_logs import PARTITIONS, kafka_settings
from support.processes import ended, environment
from support.tokens import AUDIENCE, ISSUER, Issuer

HOME = partition_of("docs", PARTITIONS)
REST_MB = 250


class Line:
    """Audit's two processes, what feeds them, and a client."""

    def __init__(self, folder: Path, kafka: KafkaSettings, log: KafkaLog, stack: ExitStack) -> None:
        self.folder, self.log, self._stack = folder, log, stack
        self._port = free_ports(2)
        issuer = Issuer(folder)
        key = folder / "checkpoint.pem"
        private = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
        key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        key.chmod(0o600)
        self._env = environment(
            kafka,
            STANCHION_HOME=str(folder),
            STANCHION_AUDIT_HTTP_PORT="0",
            STANCHION_AUDIT_INSTANCE="one",
            STANCHION_AUDIT_READER_CHECKPOINT_KEY=str(key),
            STANCHION_SERVER_PORT=str(self._port),
            STANCHION_SERVER_HTTP_PORT="-1",
            STANCHION_AUTH_JWKS=str(issuer.jwks),
            STANCHION_AUTH_ISSUER=ISSUER,
            STANCHION_AUTH_AUDIENCE=AUDIENCE,
        )
        self.metadata = (("authorization", f"Bearer {issuer.token(capabilities=['read'])}"),)
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{self._port}")
        self.stub: Any = audit_pb2_grpc.AuditServiceStub(self.channel)
        self.epoch = 0
        self._written = 0

    def start(self, script: str) -> "subprocess.Popen[bytes]":
        """Start one of the two processes."""
        with (self.folder / f"{script}.log").open("ab") as out:
            command = [str(Path(sys.executable).with_name(script))]
            process = subprocess.Popen(command, env=self._env, stdout=out, stderr=out)  # noqa: S603 - our own script
        self._stack.enter_context(ended(process))
        return process

    def lose_key(self) -> None:
        """Take the checkpoint key away."""
        (self.folder / "checkpoint.pem").unlink()

    def log_of(self, script: str) -> str:
        """Give what a process has logged."""
        return (self.folder / f"{script}.log").read_text()

    async def write(self, messages: Sequence[Changes]) -> None:
        """Append as validity would."""
        batch = [
            Outgoing(
                value=codec.encode(message),
                headers=((CAUSE, f"beliefs:{HOME}:{self._written + at}".encode()), (EPOCH, b"%d" % self.epoch)),
            )
            for at, message in enumerate(messages)
        ]
        await self.log.append("changes", HOME, batch)
        self._written += len(messages)

    async def trace(self, min_seq: int, tree: "pb.Tree.ValueType" = pb.TREE_CHANGES) -> list[pb.LedgerEntry]:
        """Read a whole tree, once it has a seq."""
        entries: list[pb.LedgerEntry] = []
        cursor = ""
        while True:
            request = pb.TraceRequest(workspace="docs", limit=500, min_seq=min_seq, cursor=cursor, tree=tree)
            page = await self.stub.Trace(request, metadata=self.metadata, timeout=60, wait_for_ready=True)
            entries += page.entries
            cursor = page.next_cursor
            if not cursor:
                return entries


@pytest.fixture
async def line(broker: Broker, topic_prefix: str, tmp_path: Path) -> AsyncIterator[Line]:
    """Give a line whose changes have an owner."""
    kafka = kafka_settings(broker, topic_prefix)
    await create_topics(kafka)
    with ExitStack() as stack:
        async with KafkaLog(kafka, "test") as log:
            made = Line(tmp_path, kafka, log, stack)
            (made.epoch,) = await log.append("changes", HOME, [CLAIM_RECORD])
            yield made
            await made.channel.close()


def history(first: int, last: int) -> list[Changes]:
    """Give a message for each pair of seqs."""
    return [changes(seq, record_written(seq), belief_moved(seq + 1)) for seq in range(first, last, 2)]


async def test_what_is_killed_comes_back_to_the_same_ledger(line: Line) -> None:
    """Processor and reader killed in mid-stream, the ledger is the one an undisturbed run gives, and is proved."""
    processor, reader = line.start("stanchion-audit"), line.start("stanchion-audit-reader")
    await line.write(history(1, 200))
    await line.trace(1)
    processor.send_signal(signal.SIGKILL)
    reader.send_signal(signal.SIGKILL)
    await asyncio.to_thread(processor.wait)
    await asyncio.to_thread(reader.wait)
    await line.write(history(201, 400))
    await line.log.append("receipts", HOME, [Outgoing(value=codec.encode(receipt(7)))])
    processor, reader = line.start("stanchion-audit"), line.start("stanchion-audit-reader")
    entries = await line.trace(400)
    expected = [
        codec.encode_body(entry)
        for output in notarised(*history(1, 200), *history(201, 400))
        for entry in output.entries
    ]
    assert expected == [entry.leaf for entry in entries]
    assert 1 == len(await line.trace(1, pb.TREE_RECEIPTS))
    checkpoint = await line.stub.GetCheckpoint(pb.GetCheckpointRequest(workspace="docs"), metadata=line.metadata)
    assert root_of(leaf_hash(leaf) for leaf in expected) == checkpoint.root
    sizes = {process.pid: psutil.Process(process.pid).memory_info().rss >> 20 for process in (processor, reader)}
    assert all(size < REST_MB for size in sizes.values()), sizes
    for process in (reader, processor):
        process.send_signal(signal.SIGTERM)
    assert [0, 0] == [await asyncio.to_thread(process.wait, 30) for process in (reader, processor)]


async def test_what_keeps_the_reader_from_running_is_said(line: Line) -> None:
    """Without its key the reader ends at once with 78 and a line that names file and setting."""
    line.lose_key()
    reader = line.start("stanchion-audit-reader")
    assert 78 == await asyncio.to_thread(reader.wait, 60)
    assert "STANCHION_AUDIT_READER_CHECKPOINT_KEY" in line.log_of("stanchion-audit-reader")
