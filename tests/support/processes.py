"""Worker processes of the made-to-measure stages, each a real process under Faust."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stanchion_runtime.settings import KafkaSettings

TESTS = Path(__file__).resolve().parents[1]
PROGRAM = """
import sys
from stanchion_runtime.settings import WorkerSettings
from stanchion_runtime.worker import run
from support import stages
run(getattr(stages, sys.argv[1])(), WorkerSettings())
"""


def environment(settings: KafkaSettings, **more: str) -> dict[str, str]:
    """Give a process's environment for a cluster."""
    return {
        **os.environ,
        "PYTHONPATH": str(TESTS),
        "STANCHION_KAFKA_BOOTSTRAP": settings.bootstrap,
        "STANCHION_KAFKA_TOPIC_PREFIX": settings.topic_prefix,
        "STANCHION_KAFKA_PARTITIONS": str(settings.partitions),
        "STANCHION_KAFKA_SESSION_TIMEOUT_MS": str(settings.session_timeout_ms),
        **more,
    }


def start(
    stage: str, settings: KafkaSettings, log: Path, *, instance: str = "", port: int = 0, **more: str
) -> subprocess.Popen[bytes]:
    """Start a worker, with more of its environment; its log goes to a file."""
    env = environment(settings, STANCHION_WORKER_INSTANCE=instance, STANCHION_WORKER_HTTP_PORT=str(port), **more)
    with log.open("ab") as out:
        return subprocess.Popen([sys.executable, "-c", PROGRAM, stage], env=env, stdout=out, stderr=out)  # noqa: S603 - ours


@contextmanager
def ended(*processes: subprocess.Popen[bytes]) -> Iterator[None]:
    """End what still runs when the test leaves."""
    try:
        yield
    finally:
        for process in processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
