from collections.abc import AsyncIterator

import pytest

from stanchion_broker.broker import Broker
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log
from support.kafka_logs import kafka_settings
from support.log_suite import LogSuite


@pytest.fixture
async def log(broker: Broker, topic_prefix: str) -> AsyncIterator[Log]:
    """A connection to topics that the tests of this module share."""
    settings = kafka_settings(broker, topic_prefix)
    await create_topics(settings)
    async with KafkaLog(settings, "test") as log:
        yield log


class TestKafkaLog(LogSuite):
    """Kafka passes the suite of logs."""
