import secrets
from collections.abc import AsyncIterator

import pytest

from stanchion_broker.broker import Broker
from stanchion_runtime.admin import create_topics
from stanchion_runtime.kafka import KafkaLog
from stanchion_runtime.log import Log
from stanchion_runtime.settings import KafkaSettings
from support.processor_suite import PARTITIONS, ProcessorSuite


class TestProcessorOnKafka(ProcessorSuite):
    """The processor keeps its promises on a real broker."""

    @pytest.fixture
    async def log(self, broker: Broker) -> AsyncIterator[Log]:
        """Topics of its own for each test."""
        prefix = f"test-{secrets.token_hex(4)}"
        settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=prefix, partitions=PARTITIONS)
        await create_topics(settings)
        async with KafkaLog(settings, "test") as log:
            yield log
