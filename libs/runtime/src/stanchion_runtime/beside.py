"""The process around work beside the line: Faust's group, agent, pages and signals.

Faust's own book of what is done is not used: it moves past records that an earlier assignment left in its buffers, and
past unfinished ones where work ends out of order. What is committed says `side.Worked`.
"""

import asyncio
import logging
from collections.abc import Iterable, Sized
from typing import Any, Final

import faust
from faust.transport.drivers import aiokafka as driver
from mode import Service

from stanchion_contracts.topics import topic_name
from stanchion_core.errors import Transient
from stanchion_runtime import clock, metrics, worker
from stanchion_runtime.admin import check_widths
from stanchion_runtime.beginning import begin_group
from stanchion_runtime.errors import Denied, Inconsistent
from stanchion_runtime.kafka import KafkaLog, reach
from stanchion_runtime.kafka import record as record_of
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import KafkaSettings, WorkerSettings
from stanchion_runtime.side import Side, Stall, Worked

_COMMIT_EVERY_S: Final = 1.0
_LAG_EVERY_S: Final = 5.0
_STALL_S: Final = 180.0  # longer than any rebalance takes
_BUFFERED: Final = 32
"""Records that wait in memory: of 8 MiB at most, and each may wait for minutes."""
_FOREVER_S: Final = 7 * 86_400.0
"""How long work may take before Kafka or Faust think that nobody reads any more."""


def run(side: Side, settings: WorkerSettings, kafka: KafkaSettings) -> None:
    """Run work beside the line until SIGTERM or SIGINT. Ends the process, as `worker.run` does.

    Args:
        side: what runs.
        settings: of this process.
        kafka: where the cluster is.
    """
    worker.host(side.name, lambda: _built(side, settings, kafka))


def _built(side: Side, settings: WorkerSettings, kafka: KafkaSettings) -> Any:  # noqa: ANN401 - Faust ships no types
    """Connect, see that the group has a beginning, and give the app; ends the process where that cannot be done."""
    log = KafkaLog(kafka, f"stanchion-{side.name}")
    try:
        asyncio.get_event_loop().run_until_complete(_prepare(side, log))
    except (Transient, Denied, Inconsistent) as error:
        worker.end(side.name, error)
    return _app(side, settings, kafka, log)


async def _prepare(side: Side, log: KafkaLog) -> None:
    """Connect, check the topics, and commit where the group begins.

    Raises:
        Denied: the cluster does not let us.
        Inconsistent: the topics are not as they must be.
        Transient: the cluster was not there.
    """
    await log.start()
    await check_widths(log, [side.topic, *side.outputs], log.settings.partitions)
    await reach(lambda: begin_group(log, _group(side, log.settings), side.topic, side.begin))


def _group(side: Side, kafka: KafkaSettings) -> str:
    """Give the name of the consumer group."""
    return f"{kafka.topic_prefix}.{side.group}"


class _Consumer(driver.Consumer):
    """Commits what is done, and tells from where each assignment is read."""

    logger = logging.getLogger("faust.consumer")

    def ack(self, message: Any) -> bool:  # noqa: ANN401 - Faust ships no types
        """Keep no book of what the stream lets go of."""
        message.acked = True
        self._unacked_messages.discard(message)
        return True

    def _filter_committable_offsets(self, _tps: Iterable[Any]) -> dict[Any, int]:
        """Give what is done and not committed yet."""
        done = _worked(self.app).committable()
        return {tp: done[tp.partition] for tp in self.assignment() if self._is_new(tp, done.get(tp.partition))}

    def _is_new(self, tp: Any, offset: int | None) -> bool:  # noqa: ANN401 - Faust ships no types
        """Tell whether an offset is past what is committed."""
        return offset is not None and offset > (self._committed_offset.get(tp) or 0)

    async def seek_to_committed(self) -> Any:  # noqa: ANN401 - Faust ships no types
        """Have every partition read from what is committed, by us, too."""
        _worked(self.app).release()
        offsets = await super().seek_to_committed()
        _worked(self.app).begin({place.partition: max(offset or 0, 0) for place, offset in offsets.items()})
        return offsets


class _Transport(driver.Transport):
    """Faust's transport with our consumer."""

    Consumer = _Consumer


class _App(faust.App):
    """Faust's app with our transport.

    Attributes:
        worked: what is worked on.
        side: what runs.
    """

    logger = logging.getLogger("faust.app")
    worked: Worked
    side: Side

    async def _on_agent_error(self, _agent: object, error: BaseException) -> None:
        """End the process: Faust would go on, past the record."""
        worker.end(self.side.name, error)

    def _new_transport(self) -> Any:  # noqa: ANN401 - Faust ships no types
        """Give our transport."""
        return _Transport(self.conf.broker_consumer, self)


def _worked(app: Any) -> Worked:  # noqa: ANN401 - Faust ships no types
    """Give what an app works on."""
    worked: Worked = app.worked
    return worked


def _app(side: Side, settings: WorkerSettings, kafka: KafkaSettings, log: KafkaLog) -> Any:  # noqa: ANN401 - the same
    """Make the app: one agent, the pages, the lag, and what is let go of when."""
    app = _bare(side, settings, kafka)
    app.worked = worked = Worked(side, log, lambda error: worker.end(side.name, error))
    topic = app.topic(topic_name(side.topic, kafka.topic_prefix), value_type=bytes, key_type=bytes)
    pages = _Pages(side, app)
    worker.serve_pages(app, pages.health)
    app.service(_hosted(pages, log))

    @app.on_partitions_assigned.connect  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def assigned(_app: object, places: Sized, **_more: object) -> None:
        pages.assigned = len(places)

    @app.on_partitions_revoked.connect  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def revoked(*_: object, **_more: object) -> None:
        await app.consumer.commit()  # what is done is no work for whoever comes next
        worked.release()

    @app.on_before_shutdown.connect  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def stopping(*_: object, **_more: object) -> None:
        await worked.drain(settings.stop_s)

    @app.agent(topic, name=side.name)  # type: ignore[untyped-decorator] # Faust leaves these untyped
    async def take(stream: Any) -> None:  # noqa: ANN401 - Faust ships no types
        async for event in stream.noack().events():
            message = event.message
            again = await worked.take(record_of(side.topic, _Raw(message)))
            metrics.current().inputs.labels(side.name, side.topic, str(message.partition)).inc()
            if again is not None:
                await app.consumer.seek(message.tp, again)

    return app


def _bare(side: Side, settings: WorkerSettings, kafka: KafkaSettings) -> Any:  # noqa: ANN401 - the same
    """Make the app as it is told to Faust, with nothing in it."""
    app: Any = worker.application(
        _group(side, kafka),
        settings,
        kafka,
        kind=_App,
        broker_max_poll_records=_BUFFERED,
        broker_max_poll_interval=_FOREVER_S,
        broker_commit_interval=_COMMIT_EVERY_S,
        broker_commit_livelock_soft_timeout=_FOREVER_S,
        stream_buffer_maxsize=_BUFFERED,
        stream_processing_timeout=_FOREVER_S,
        stream_wait_empty=False,
        table_standby_replicas=0,  # else Faust's own assignor, which stops for good where an instance has moved
        consumer_group_instance_id=f"{side.name}-{settings.instance}" if settings.instance else None,
    )
    app.boot_strategy = worker.Boot(app, enable_kafka_producer=False)
    app.side = side
    return app


class _Raw:
    """A record of Faust's with aiokafka's timestamp, milliseconds."""

    __slots__ = ("headers", "offset", "partition", "timestamp", "value")

    def __init__(self, message: Any) -> None:  # noqa: ANN401 - Faust ships no types
        self.partition, self.offset = message.partition, message.offset
        self.timestamp = round(message.timestamp * 1000)
        self.value, self.headers = message.value, message.headers


class _Pages:
    """What the process says of itself.

    Attributes:
        lag: records behind what is done, as of late.
        assigned: how many partitions are; -1 before the first assignment.
    """

    def __init__(self, side: Side, app: Any) -> None:  # noqa: ANN401 - Faust ships no types
        self.lag = 0
        self.assigned = -1
        self._stall = Stall(_STALL_S)
        self._side = side
        self._app = app

    def health(self) -> dict[str, object]:
        """Give what `/healthz` shows. A failing endpoint is no fault of the process: it is told beside."""
        done = self._app.worked.committable()
        return {
            "ok": True,
            "ready": self.ready,
            "stage": self._side.name,
            "partitions": sorted(done),
            "positions": {f"{self._side.topic}:{number}": offset for number, offset in sorted(done.items())},
            "in_flight": self._app.worked.in_flight,
            "lag": self.lag,
            **self._side.facts(),
        }

    @property
    def ready(self) -> bool:
        """Whether what is assigned was begun."""
        return len(_worked(self._app).committable()) == self.assigned

    def end_a_stall(self) -> None:
        """End the process where nothing moves any more: its supervisor starts it again."""
        worked = _worked(self._app)
        done = worked.committable()
        why = self._stall.look(clock.monotonic_s(), ready=self.ready, busy=worked.busy, lag=self.lag, done=done)
        if why:
            worker.end(self._side.name, Transient(why))

    async def observe(self, log: KafkaLog) -> None:
        """Put the lag into the metrics.

        Raises:
            Transient: the cluster could not say.
        """
        done = self._app.worked.committable()
        bounds = await log.bounds(self._side.topic, done)
        behind = {number: max(0, bounds[number].end - offset) for number, offset in done.items()}
        self.lag = sum(behind.values())
        for number, lag in behind.items():
            metrics.current().lag.labels(self._side.name, self._side.topic, str(number)).set(lag)
        metrics.current().owned.labels(self._side.name).set(len(done))


def _hosted(pages: _Pages, log: KafkaLog) -> type[Service]:
    """Give the Faust service that looks after the lag and lets go of the log at the end."""

    class Hosted(Service):
        """Looks after what is not Faust's."""

        logger = logging.getLogger("mode.side")

        @Service.timer(_LAG_EVERY_S)
        async def _lag(self) -> None:
            try:
                await pages.observe(log)
            except Transient as error:
                logger().warning("lag unknown", detail=str(error))
            pages.end_a_stall()

        async def on_stop(self) -> None:
            """Let go of the cluster."""
            await log.stop()

    return Hosted
