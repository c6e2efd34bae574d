"""The process around a processor. Only this module knows Faust: it hosts, the line itself is a service inside.

Faust gives lifecycle, signals, the web pages, timers, and real agents for work that may run twice. The line does not
run as an agent: an aiokafka loop is about three times as fast, and the agent path can stall without a sign.
"""

import asyncio
import logging
import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

import faust
import uvloop
from faust.app.base import BootStrategy
from mode import Service
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from stanchion_contracts.topics import topic_name
from stanchion_core.errors import Transient
from stanchion_runtime import collector, deadletter, logs, metrics
from stanchion_runtime.admin import check_widths
from stanchion_runtime.errors import (
    EXIT_SUPERSEDED,
    EXIT_TRANSIENT,
    EXIT_UNKNOWN,
    EXIT_UNUSABLE,
    Denied,
    Inconsistent,
    Superseded,
)
from stanchion_runtime.group import Member
from stanchion_runtime.kafka import KafkaLog, connection
from stanchion_runtime.logs import logger
from stanchion_runtime.partition import AnyStage
from stanchion_runtime.processor import Options, Processor
from stanchion_runtime.settings import KafkaSettings, WorkerSettings, read
from stanchion_runtime.state_digest import state_digest

_LAG_EVERY_S: Final = 1.0
_UNUSED_PORT: Final = 1  # Faust takes no 0, even when it serves nothing


@contextmanager
def prepared(name: str) -> Iterator[None]:
    """Set up the logs, and end the process with 78 when what is done inside finds a setting that cannot be used.

    Args:
        name: of the process.
    """
    logs.configure(name)
    try:
        yield
    except (ValueError, OSError) as error:
        logger().critical("cannot run", detail=str(error))
        _leave(EXIT_UNUSABLE)


def run(stage: AnyStage, settings: WorkerSettings, kafka: KafkaSettings | None = None) -> None:
    """Run a stage until SIGTERM or SIGINT. Ends the process: 0 after a signal, else one of the exit codes above.

    Args:
        stage: what to run.
        settings: of this process.
        kafka: where the cluster is; read from the environment when not given.
    """
    host(stage.name, lambda: build(stage, settings, kafka or read(KafkaSettings)))


def host(name: str, make: Callable[[], Any]) -> None:
    """Run a Faust app until SIGTERM or SIGINT. Ends the process.

    Args:
        name: of the process.
        make: gives the app; a setting that it finds wrong ends the process with 78.
    """
    collector.relax()
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    with prepared(name):
        app = make()
    worker = _Worker(app, loop=loop, quiet=True, override_logging=False, redirect_stdouts=False, loglevel="WARNING")
    worker.spinner = None
    try:
        worker.execute_from_commandline()
    except SystemExit as ended:
        _leave(ended.code if isinstance(ended.code, int) else int(ended.code is not None))


def build(stage: AnyStage, settings: WorkerSettings, kafka: KafkaSettings) -> Any:  # noqa: ANN401 - Faust ships no types
    """Make the Faust app that hosts a stage.

    Args:
        stage: what to run.
        settings: of this process.
        kafka: where the cluster is.
    """
    app = application(f"{kafka.topic_prefix}.{stage.name}.side", settings, kafka)
    app.producer_only = not settings.watch_dead_letters
    app.boot_strategy = Boot(app, enable_kafka_producer=settings.watch_dead_letters)
    line = Line(stage, settings, kafka)
    app.service(_hosted(line))
    serve_pages(app, line.health)
    _serve_states(app, line)
    if settings.watch_dead_letters:
        _watch_dead_letters(app, kafka)
    return app


def application(
    group: str,
    settings: WorkerSettings,
    kafka: KafkaSettings,
    kind: type[Any] = faust.App,
    **more: Any,  # noqa: ANN401 - Faust ships no types
) -> Any:  # noqa: ANN401 - the same
    """Make a Faust app with nothing in it but its pages' address and its way to Kafka.

    Args:
        group: of its agents.
        settings: of this process.
        kafka: where the cluster is.
        kind: the app's class.
        more: further settings of Faust's, or others in place of those here.
    """
    ours = {
        "broker": [f"kafka://{server.strip()}" for server in kafka.bootstrap.split(",")],
        "broker_credentials": _credentials(kafka),
        "broker_session_timeout": kafka.session_timeout_ms / 1000,
        "broker_request_timeout": max(90.0, kafka.session_timeout_ms / 1000),
        "broker_max_poll_records": 500,
        "datadir": Path(
            tempfile.gettempdir(), f"stanchion-faust-{os.getuid()}"
        ),  # without tables it keeps nothing there
        "store": "memory://",
        "topic_allow_declare": False,
        "topic_disable_leader": True,
        "key_serializer": "raw",
        "value_serializer": "raw",
        "web_enabled": settings.http_port > 0,
        "web_bind": settings.http_host,
        "web_host": settings.http_host,
        "web_port": settings.http_port or _UNUSED_PORT,
        "autodiscover": False,
    }
    return kind(group, **{**ours, **more})


class Line:
    """The line of one stage in this process: log, processor and group member, from start to stop.

    Attributes:
        member: its place in the group, once Kafka was reached.
        processor: what answers, once Kafka was reached.
    """

    def __init__(self, stage: AnyStage, settings: WorkerSettings, kafka: KafkaSettings) -> None:
        """Connect to nothing yet."""
        self.member: Member | None = None
        self.processor: Processor | None = None
        self._stage = stage
        self._settings = settings
        self._kafka = kafka
        self._stopping = False
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Run the line until `stop`. An error ends the process; this is where every unknown one arrives.

        Raises:
            CancelledError: Faust stops, and so does the line.
        """
        try:
            await self._run()
            if not self._stopping:
                end(self._stage.name, RuntimeError("the line ended, though nobody stopped it"))
        except asyncio.CancelledError as error:
            if not self._stopping:  # a client of Kafka let a cancellation of its own out: nothing here will go on
                end(self._stage.name, error)
            raise
        except Exception as error:  # noqa: BLE001 - the one place: the process ends, its supervisor starts it again
            end(self._stage.name, error)
        finally:
            self._ended.set()

    async def stop(self) -> None:
        """Have the batch in hand acknowledged, then leave the group and the cluster."""
        self._stopping = True
        if self.member is not None:
            self.member.stop()
            try:
                async with asyncio.timeout(self._settings.stop_s):
                    await self._ended.wait()
            except TimeoutError as error:
                error.add_note(f"the batch in hand took more than {self._settings.stop_s} s")
                end(self._stage.name, error)

    async def _run(self) -> None:
        """Connect, check the topics, feed the processor."""
        name = f"stanchion-{self._stage.name}"
        instance = self._instance()
        async with KafkaLog(self._kafka, name) as log:
            keys = [*self._stage.inputs, self._stage.output]
            keys += [deadletter.TOPIC] if self._stage.dead_letters else []
            await check_widths(log, keys, self._kafka.partitions)
            known_as = f"{name} {instance or socket.gethostname()}"
            options = Options(
                partitions=self._kafka.partitions,
                owner=f"{known_as} {os.getpid()} {secrets.token_hex(4)}",  # in containers every process is number 1
                name=known_as if instance else "",
            )
            self.processor = Processor(self._stage, log, options, metrics.current())
            self.member = Member(
                self.processor,
                self._kafka,
                instance=f"{self._stage.name}-{instance}" if instance else "",
                client_id=name,
            )
            if not self._stopping:
                await self.member.run()

    def _instance(self) -> str:
        """Give what names this process after a restart too, empty when nothing does."""
        if self._settings.instance or not self._settings.http_port:
            return self._settings.instance
        return f"{socket.gethostname()}-{self._settings.http_port}"

    def health(self) -> dict[str, object]:
        """Give what `/healthz` shows. `ok` means that the line is up; `ready` that it has adopted what is assigned."""
        if self.member is None or self.processor is None:
            return {"ok": False, "ready": False, "stage": self._stage.name}
        lag = self.member.lag()
        return {
            "ok": not self._ended.is_set(),
            "ready": self.member.ready,
            "stage": self._stage.name,
            "partitions": sorted(self.processor.owned),
            "epochs": {str(number): partition.rule.epoch for number, partition in self.processor.owned.items()},
            "positions": {
                f"{topic}:{number}": offset for (topic, number), offset in sorted(self.processor.places().items())
            },
            "lag": sum(lag.values()),
        }

    def states(self) -> dict[str, str]:
        """Give the digest of each owned partition's state; `/state` shows it. It reads the whole state."""
        owned = {} if self.processor is None else self.processor.owned
        return {str(number): state_digest(partition.state) for number, partition in sorted(owned.items())}

    def observe(self) -> None:
        """Put the lag into the metrics."""
        if self.member is None or not self.member.ready:
            return
        for (topic, number), lag in self.member.lag().items():
            metrics.current().lag.labels(self._stage.name, topic, str(number)).set(lag)


def end(stage: str, error: BaseException) -> NoReturn:
    """Say why and end the process at once: whatever it still holds in memory is worth nothing.

    Args:
        stage: the process's name.
        error: why.
    """
    code = EXIT_UNKNOWN
    if isinstance(error, Superseded):
        code = EXIT_SUPERSEDED
        logger().warning("superseded", stage=stage, detail=str(error))
    elif isinstance(error, Transient):
        code = EXIT_TRANSIENT
        logger().error("kafka away", stage=stage, detail=str(error))
    elif isinstance(error, Denied | Inconsistent):
        code = EXIT_UNUSABLE
        logger().critical("cannot run", stage=stage, detail=str(error))
    else:
        notes = getattr(error, "__notes__", [])
        logger().critical("stopped", stage=stage, detail=str(error), notes=notes, exc_info=error)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process without taking its memory apart, which takes longer than all the rest of stopping."""
    logging.shutdown()
    os._exit(code)


class _Worker(faust.Worker):
    """Stops without the two seconds that mode waits in case something is left to do; the line has ended by then."""

    async def _sentinel_task(self) -> None:
        """Wait for nothing."""

    def _gather_all(self) -> None:
        """End what is left, instead of waiting for it and then ending it."""
        left = asyncio.all_tasks(loop=self.loop)
        for task in left:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))


class Boot(BootStrategy):
    """Starts no producer: ours is the line's own."""


def _hosted(line: Line) -> type[Service]:
    """Give the Faust service that runs a line."""

    class Hosted(Service):
        """Runs the line from start to stop."""

        logger = logging.getLogger("mode.line")

        @Service.task
        async def _line(self) -> None:
            await line.run()

        @Service.timer(_LAG_EVERY_S)
        async def _lag(self) -> None:
            line.observe()

        async def on_stop(self) -> None:
            """Let the batch in hand finish."""
            await line.stop()

    return Hosted


def serve_pages(app: Any, health: Callable[[], dict[str, object]]) -> None:  # noqa: ANN401 - Faust ships no types
    """Add the health and metrics pages.

    Args:
        app: what serves them.
        health: what `/healthz` shows; its `ok` decides between 200 and 503.
    """

    @app.page("/healthz")  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def healthz(web: Any, _request: Any) -> Any:  # noqa: ANN401 - Faust ships no types
        facts = health()
        return web.json(facts, status=200 if facts["ok"] else 503)

    @app.page("/metrics")  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def metrics_page(web: Any, _request: Any) -> Any:  # noqa: ANN401 - Faust ships no types
        return web.bytes(metrics.current().text(), content_type=CONTENT_TYPE_LATEST.split(";")[0])


def _serve_states(app: Any, line: Line) -> None:  # noqa: ANN401 - Faust ships no types
    """Add the page that shows the digests of the states."""

    @app.page("/state")  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def state(web: Any, _request: Any) -> Any:  # noqa: ANN401 - Faust ships no types
        return web.json(line.states())


def _watch_dead_letters(app: Any, kafka: KafkaSettings) -> None:  # noqa: ANN401 - Faust ships no types
    """Add the agent that counts dead letters; it may count one twice."""
    topic = app.topic(topic_name(deadletter.TOPIC, kafka.topic_prefix), value_type=bytes, key_type=bytes)

    @app.agent(topic)  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def watch(letters: Any) -> None:  # noqa: ANN401 - Faust ships no types
        async for values in letters.take(500, within=1.0):
            for (stage, code), count in deadletter.tally(values).items():
                metrics.current().dead_letters_seen.labels(stage, code).inc(count)
                logger().warning("dead letters seen", by=stage, code=code, n=count)


def _credentials(kafka: KafkaSettings) -> Any:  # noqa: ANN401 - Faust ships no types
    """Give the sign-in as Faust wants it, for its agents; None on a plain connection."""
    known = connection(kafka)
    if kafka.security_protocol.startswith("SASL"):
        return faust.SASLCredentials(
            username=known["sasl_plain_username"],
            password=known["sasl_plain_password"],
            mechanism=known["sasl_mechanism"],
            ssl_context=known["ssl_context"],
        )
    return faust.SSLCredentials(known["ssl_context"]) if known["ssl_context"] is not None else None
