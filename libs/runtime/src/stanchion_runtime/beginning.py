"""Where a consumer group begins that never read: said once, before its first record."""

from collections.abc import Mapping
from typing import Any, Literal

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from stanchion_contracts.topics import topic_name
from stanchion_runtime.errors import Inconsistent
from stanchion_runtime.kafka import KafkaLog, connection, let_go, transient
from stanchion_runtime.log import Bounds
from stanchion_runtime.logs import logger


async def begin_group(log: KafkaLog, group: str, topic: str, begin: Literal["now", "first"]) -> None:
    """Commit where a group begins in each partition for which it never committed.

    Said before the first record is read: else a process that ended before its first commit would begin anew at what is
    `now` by then.

    Raises:
        Denied: the cluster does not let us.
        Inconsistent: it committed what the topic does not have yet.
        Transient: the cluster could not do it.
    """
    kafka = log.settings
    bounds = await log.bounds(topic, range(kafka.partitions))
    consumer = AIOKafkaConsumer(group_id=group, enable_auto_commit=False, **connection(kafka))
    try:
        with transient(f"asking where {group} stands"):
            await consumer.start()
            places = {
                TopicPartition(topic_name(topic, kafka.topic_prefix), number): at for number, at in bounds.items()
            }
            consumer.assign(list(places))
            committed = {place: await consumer.committed(place) for place in places}
            new = {
                place: at.end if begin == "now" else at.begin
                for place, at in places.items()
                if committed[place] is None
            }
            _check_topic(group, committed, places)
            if new:
                await _commit_first(consumer, new)
                logger().info("group begins", group=group, at=begin, partitions=len(new))
    finally:
        await let_go(consumer)


def _check_topic(group: str, committed: Mapping[Any, int | None], places: Mapping[Any, Bounds]) -> None:
    """See that the topic is the one that the group read.

    Raises:
        Inconsistent: a partition ends before what was committed of it; all up to there would be passed over.
    """
    for place, at in places.items():
        done = committed[place]
        if done is not None and done > at.end:
            raise Inconsistent(
                f"{place.topic}:{place.partition} ends at {at.end}, but {group} is done with all up to {done}: was the "
                "topic created anew? Then move the group's offset"
            )


async def _commit_first(consumer: Any, offsets: Mapping[Any, int]) -> None:  # noqa: ANN401 - aiokafka ships no types
    """Commit the beginning, or find that another copy has.

    Raises:
        KafkaError: neither.
    """
    try:
        await consumer.commit(dict(offsets))
    except KafkaError:  # a group with members takes no commit from outside; they have committed before they joined
        if any([await consumer.committed(place) is None for place in offsets]):
            raise
