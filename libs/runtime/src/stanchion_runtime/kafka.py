"""The log on Kafka. Only this module, `group.py`, `header_names.py` and `admin.py` know aiokafka.

Only here topics have their names.

Appending goes through one idempotent producer with acks=all and no linger; a batch travels as one Kafka batch, so that
its offsets need no bookkeeping per record. Each reading has a consumer of its own, without a group.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.errors import (
    AuthenticationFailedError,
    AuthenticationMethodNotSupported,
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    KafkaError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
    UnsupportedSaslMechanismError,
    UnsupportedVersionError,
)
from aiokafka.helpers import create_ssl_context

from stanchion_contracts.topics import MAX_MESSAGE_BYTES, REGISTER, topic_name
from stanchion_core.errors import Transient
from stanchion_runtime.deadletter import HEADROOM_BYTES
from stanchion_runtime.errors import Denied
from stanchion_runtime.log import Bounds, Outgoing, Record, Span
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import KafkaSettings

DENIALS: Final = (
    AuthenticationFailedError,
    AuthenticationMethodNotSupported,
    ClusterAuthorizationFailedError,
    GroupAuthorizationFailedError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
    UnsupportedSaslMechanismError,
    UnsupportedVersionError,
)
"""What no retry mends."""

FETCH_MS: Final = 500
"""How long a broker holds a fetch that finds nothing; data that comes ends it at once."""

MAX_FETCH_BYTES: Final = 16 * 1024 * 1024
_BATCH_BYTES: Final = 1024 * 1024  # of one Kafka batch; a longer record has a batch of its own
_REQUEST_BYTES: Final = MAX_MESSAGE_BYTES + HEADROOM_BYTES
_READ: Final = 1000  # records in one batch
_LET_GO_S: Final = 10.0  # what was handed over has been awaited by then; the rest is only politeness
_START_S: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)  # waits between attempts to reach a cluster at start


def connection(settings: KafkaSettings) -> dict[str, Any]:
    """Give what every aiokafka client is told about the cluster."""
    ssl = None
    if "SSL" in settings.security_protocol.split("_"):
        ssl = create_ssl_context(
            cafile=settings.ssl_cafile or None,
            certfile=settings.ssl_certfile or None,
            keyfile=settings.ssl_keyfile or None,
        )
    return {
        "bootstrap_servers": settings.bootstrap,
        "security_protocol": settings.security_protocol,
        "sasl_mechanism": settings.sasl_mechanism or "PLAIN",
        "sasl_plain_username": settings.sasl_username or None,
        "sasl_plain_password": settings.sasl_password.get_secret_value() or None,
        "ssl_context": ssl,
        "request_timeout_ms": settings.request_timeout_ms,
    }


@contextmanager
def transient(doing: str) -> Iterator[None]:
    """Turn what Kafka raises into `Transient`, or into `Denied` where trying again cannot help.

    A client whose connection breaks may cancel what it waits for itself. Let out, that would look like a stop of ours:
    the task would end without a word, and the process would live on and do nothing.

    Raises:
        Denied: the cluster does not let us.
        Transient: the cluster could not do it within aiokafka's own retries.
        CancelledError: the task itself was cancelled.
    """
    try:
        yield
    except DENIALS as error:
        raise Denied(f"Kafka refuses, while {doing}: {error!r}; see the ACLs in docs/operations.md") from error
    except KafkaError as error:
        raise Transient(f"Kafka, while {doing}: {error!r}") from error
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise Transient(f"Kafka, while {doing}: the client gave up") from error


async def let_go(client: Any) -> None:  # noqa: ANN401 - aiokafka ships no types
    """Stop an aiokafka client, within a time: with the broker away, its own waiting may have no end."""
    stopping = asyncio.ensure_future(client.stop())
    done, _ = await asyncio.wait({stopping}, timeout=_LET_GO_S)
    if not done:
        stopping.cancel()
        logger().warning("left a Kafka client behind that does not stop", client=type(client).__name__)
    elif not stopping.cancelled() and stopping.exception() is not None:
        logger().warning("a Kafka client stopped badly", error=repr(stopping.exception()))


class Names:
    """The names of the topics on one cluster, both ways."""

    def __init__(self, prefix: str) -> None:
        self.name_of = {key: topic_name(key, prefix) for key in REGISTER}
        self.key_of = {name: key for key, name in self.name_of.items()}


def record(key: str, raw: Any) -> Record:  # noqa: ANN401 - aiokafka ships no types
    """Give a record as the line knows it. Null values and header values become empty."""
    headers = raw.headers
    return Record(
        topic=key,
        partition=raw.partition,
        offset=raw.offset,
        timestamp_us=raw.timestamp * 1000,
        value=raw.value or b"",
        headers=tuple([(name, value or b"") for name, value in headers]) if headers else (),
    )


class KafkaLog:
    """The log of one cluster.

    Attributes:
        names: of its topics.
        settings: where it is.
    """

    def __init__(self, settings: KafkaSettings, client_id: str) -> None:
        """Connect to nothing yet.

        Args:
            settings: where the cluster is.
            client_id: names us in the broker's logs and quotas.
        """
        self.settings = settings
        self.names = Names(settings.topic_prefix)
        self._client_id = client_id
        self._producer: Any = None
        self._asker: Any = None  # a consumer that only answers questions

    async def start(self) -> None:
        """Connect, within 16 seconds of trying.

        Raises:
            Transient: the cluster was not there.
        """
        await reach(self._start)

    async def _start(self) -> None:
        """Connect once; leave nothing open when that fails.

        Raises:
            Transient: the cluster was not there.
        """
        self._producer = AIOKafkaProducer(
            client_id=self._client_id,
            acks="all",
            enable_idempotence=True,
            linger_ms=0,
            max_batch_size=_BATCH_BYTES,
            max_request_size=_REQUEST_BYTES,
            **connection(self.settings),
        )
        self._asker = self._consumer()
        with transient(f"connecting to {self.settings.bootstrap}"):
            try:
                await self._producer.start()
                await self._asker.start()
            except BaseException:
                await self.stop()
                raise

    async def stop(self) -> None:
        """Let go of the cluster; what was handed over is sent."""
        producer, self._producer = self._producer, None
        asker, self._asker = self._asker, None
        if producer is not None:
            await let_go(producer)
        if asker is not None:
            await let_go(asker)

    async def __aenter__(self) -> Self:
        """Connect."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let go."""
        await self.stop()

    async def partitions(self, topic: str) -> int:
        """Give how many partitions a topic has, 0 when it does not exist.

        Raises:
            Transient: the cluster could not say.
        """
        with transient(f"asking for the partitions of {topic}"):
            metadata = await self._asker._client.fetch_all_metadata()  # noqa: SLF001 - the only uncached way
        return len(metadata.partitions_for_topic(self.names.name_of[topic]) or ())

    async def bounds(self, topic: str, partitions: Iterable[int]) -> dict[int, Bounds]:
        """Give what each of these partitions of a topic holds now.

        Raises:
            Transient: the cluster could not say.
        """
        places = [TopicPartition(self.names.name_of[topic], partition) for partition in partitions]
        if not places:
            return {}
        with transient(f"asking for the ends of {topic}"):
            begins, ends = await asyncio.gather(self._asker.beginning_offsets(places), self._asker.end_offsets(places))
        return {place.partition: Bounds(begin=begins[place], end=ends[place]) for place in places}

    async def append(self, topic: str, partition: int, batch: Sequence[Outgoing]) -> Sequence[int]:
        """Append in order and give the offset of each, once all in-sync replicas have them.

        Raises:
            Transient: that could not be known. The records may be there or not: only a fold tells.
        """
        name = self.names.name_of[topic]
        with transient(f"appending to {topic}:{partition}"):
            if len(batch) == 1:
                one = batch[0]
                sent = await self._producer.send(name, one.value, partition=partition, headers=[*one.headers])
                return _offsets(await sent, 1)
            waiting = [
                (await self._producer.send_batch(builder, name, partition=partition), builder)
                for builder in self._builders(batch)
            ]
            offsets = [_offsets(await sent, builder.record_count()) for sent, builder in waiting]
        return offsets[0] if len(offsets) == 1 else [offset for part in offsets for offset in part]

    def _builders(self, batch: Sequence[Outgoing]) -> Iterator[Any]:
        """Give the records as Kafka batches, closed, so that nothing else gets in."""
        builder = self._producer.create_batch()
        for outgoing in batch:
            entry = {"timestamp": None, "key": None, "value": outgoing.value, "headers": [*outgoing.headers]}
            if builder.append(**entry) is None:
                yield builder
                builder = self._producer.create_batch()
                builder.append(**entry)
        builder.close()
        yield builder

    async def read(self, spans: Sequence[Span]) -> AsyncGenerator[Sequence[Record], None]:
        """Give every record of the spans, in batches of one partition, interleaved.

        Raises:
            LookupError: a span starts before the partition's begin or stops after its end.
            Transient: the cluster could not be reached.
        """
        await self._check(spans)
        stops = {self._place(span.topic, span.partition): span.stop for span in spans if span.start < span.stop}
        starts = {self._place(span.topic, span.partition): span.start for span in spans if span.start < span.stop}
        if not stops:
            return
        async with self._reading(starts) as consumer:
            while stops:
                with transient("reading"):
                    found = await consumer.getmany(*stops, timeout_ms=FETCH_MS, max_records=_READ)
                for place, raws in found.items():
                    stop, key = stops[place], self.names.key_of[place.topic]
                    records = [record(key, raw) for raw in raws if raw.offset < stop]
                    if records:
                        yield records
                for place in list(stops):
                    if await consumer.position(place) >= stops[place]:
                        consumer.pause(place)
                        del stops[place]

    async def _check(self, spans: Sequence[Span]) -> None:
        """See that a partition has what is to be read.

        Raises:
            LookupError: a span starts before the partition's begin or stops after its end.
            Transient: the cluster could not say.
        """
        for topic in {span.topic for span in spans}:
            bounds = await self.bounds(topic, {span.partition for span in spans if span.topic == topic})
            for span in spans:
                if span.topic == topic and (
                    span.start < bounds[span.partition].begin or span.stop > bounds[span.partition].end
                ):
                    raise LookupError(f"{span} is not within {bounds[span.partition]}")

    async def follow(self, topic: str, starts: Mapping[int, int]) -> AsyncGenerator[Sequence[Record], None]:
        """Give the records of a topic's partitions from these offsets on, as they come.

        Raises:
            LookupError: an offset is before the partition's begin or after its end.
            Transient: the cluster could not be reached.
        """
        for partition, bounds in (await self.bounds(topic, starts)).items():
            if not bounds.begin <= starts[partition] <= bounds.end:
                raise LookupError(f"{topic}:{partition}: {starts[partition]} is not within {bounds}")
        async with self._reading({self._place(topic, partition): at for partition, at in starts.items()}) as consumer:
            while True:
                with transient(f"following {topic}"):
                    found = await consumer.getmany(timeout_ms=60_000, max_records=_READ)
                for raws in found.values():
                    yield [record(topic, raw) for raw in raws]

    def _place(self, topic: str, partition: int) -> Any:  # noqa: ANN401 - aiokafka ships no types
        """Give a partition as aiokafka names it."""
        return TopicPartition(self.names.name_of[topic], partition)

    def _consumer(self) -> Any:  # noqa: ANN401 - aiokafka ships no types
        """Make a consumer without a group."""
        return AIOKafkaConsumer(
            client_id=self._client_id,
            enable_auto_commit=False,
            auto_offset_reset="none",
            fetch_max_wait_ms=FETCH_MS,
            fetch_max_bytes=MAX_FETCH_BYTES,
            max_partition_fetch_bytes=4 * 1024 * 1024,
            check_crcs=False,
            **connection(self.settings),
        )

    @asynccontextmanager
    async def _reading(self, starts: Mapping[Any, int]) -> AsyncIterator[Any]:
        """Give a consumer that stands at these places."""
        consumer = self._consumer()
        try:  # from before the start: a reader that is cancelled while it connects must not leave its sockets
            with transient("connecting to read"):
                await consumer.start()
            consumer.assign(list(starts))
            for place, offset in starts.items():
                consumer.seek(place, offset)
            yield consumer
        finally:
            await let_go(consumer)


def _offsets(sent: Any, count: int) -> range:  # noqa: ANN401 - aiokafka ships no types
    """Give the offsets of a batch from its acknowledgement.

    Raises:
        Transient: the broker no longer knows them (it took a retry for a duplicate of long ago).
    """
    if sent.offset < 0:
        raise Transient(f"{sent.topic}:{sent.partition}: acknowledged without an offset; only a fold tells where it is")
    return range(sent.offset, sent.offset + count)


async def reach(attempt: Callable[[], Awaitable[None]]) -> None:
    """Call what reaches out to a cluster until it is there, waiting a little longer each time.

    Raises:
        Transient: it was not there within about 16 seconds.
    """
    for wait_s in _START_S:
        try:
            await attempt()
        except Transient:
            await asyncio.sleep(wait_s)
        else:
            return
    await attempt()
