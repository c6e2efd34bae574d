import secrets
from collections.abc import AsyncIterator

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition

from stanchion_broker.broker import Broker
from stanchion_runtime.admin import create_topics
from stanchion_runtime.beginning import begin_group
from stanchion_runtime.errors import Inconsistent
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Outgoing
from stanchion_runtime.settings import KafkaSettings


@pytest.fixture
async def log(broker: Broker) -> AsyncIterator[KafkaLog]:
    """Topics of its own for each test."""
    settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=f"test-{secrets.token_hex(4)}", partitions=2)
    await create_topics(settings)
    async with KafkaLog(settings, "test") as log:
        yield log


async def committed(log: KafkaLog, partition: int, offset: int | None = None) -> int | None:
    """Commit a group's offset where one is given, and give what is committed."""
    consumer = AIOKafkaConsumer(
        bootstrap_servers=log.settings.bootstrap, group_id=log.settings.topic_prefix, enable_auto_commit=False
    )
    place = TopicPartition(log.names.name_of["observations"], partition)
    await consumer.start()
    consumer.assign([place])
    if offset is not None:
        await consumer.commit({place: offset})
    found: int | None = await consumer.committed(place)
    await consumer.stop()
    return found


async def test_a_new_group_begins_where_it_is_told_and_an_old_one_where_it_was(log: KafkaLog) -> None:
    """What is committed once is never said again."""
    await log.append("observations", 0, [Outgoing(value=b"a"), Outgoing(value=b"b")])
    await committed(log, 1, 0)
    group = log.settings.topic_prefix
    await begin_group(log, group, "observations", "now")
    await log.append("observations", 0, [Outgoing(value=b"c")])
    await begin_group(log, group, "observations", "now")
    assert (2, 0) == (await committed(log, 0), await committed(log, 1))


async def test_a_topic_that_was_created_anew_is_noticed(log: KafkaLog) -> None:
    """A group that is done with more than there is would pass over all that comes, and look up to date."""
    await committed(log, 0, 5)
    with pytest.raises(Inconsistent, match=r"observations.v1:0 ends at 0, but .* is done with all up to 5"):
        await begin_group(log, log.settings.topic_prefix, "observations", "now")
