import asyncio

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import MessageSizeTooLargeError

from stanchion_broker.broker import Broker
from stanchion_contracts.topics import MAX_MESSAGE_BYTES, REGISTER
from stanchion_runtime.admin import configuration, create_topics
from stanchion_runtime.errors import Inconsistent
from support.kafka_logs import kafka_settings


async def test_topics_are_made_once(broker: Broker, topic_prefix: str) -> None:
    """The first call makes every topic of the register, the second finds them as they should be."""
    prefix = f"{topic_prefix}-once"
    settings = kafka_settings(broker, prefix)
    made = await create_topics(settings)
    assert [f"{prefix}.{key}.v{topic.version}" for key, topic in REGISTER.items()] == made
    assert [] == await create_topics(settings)


async def test_other_widths_are_refused(broker: Broker, topic_prefix: str) -> None:
    """Topics that were made with another number of partitions do not fit, and the message names both numbers."""
    settings = kafka_settings(broker, topic_prefix + "-wide")
    await create_topics(settings)
    with pytest.raises(Inconsistent, match="has 6 partitions, the line has 5"):
        await create_topics(settings.model_copy(update={"partitions": 5}))


def test_owned_topics_keep_everything() -> None:
    """Retention and compaction would take state away; open topics keep for as long as the register says."""
    assert {"cleanup.policy": "delete", "retention.ms": "-1", "max.message.bytes": str(MAX_MESSAGE_BYTES)} == (
        configuration(REGISTER["ledger"])
    )
    assert str(30 * 86_400_000) == configuration(REGISTER["inbox"])["retention.ms"]
    assert int(configuration(REGISTER["deadletters"])["max.message.bytes"]) > MAX_MESSAGE_BYTES


async def test_what_unpacks_to_more_than_a_message_is_refused(broker: Broker, topic_prefix: str) -> None:
    """An upstream publisher may compress; the broker unpacks and measures, so no reader of ours is ever sent a bomb."""
    settings = kafka_settings(broker, topic_prefix)
    await create_topics(settings)
    inbox = f"{topic_prefix}.inbox.v1"
    async with AIOKafkaProducer(
        bootstrap_servers=broker.bootstrap, compression_type="gzip", max_request_size=64 * 1024 * 1024
    ) as upstream:
        await upstream.send_and_wait(inbox, b"small", partition=0)
        with pytest.raises(MessageSizeTooLargeError):
            await upstream.send_and_wait(inbox, bytes(4 * MAX_MESSAGE_BYTES), partition=0)


async def test_an_older_open_topic_is_mended(broker: Broker, topic_prefix: str) -> None:
    """An open topic that was made to keep what publishers compress is altered, and keeps what its operator set."""
    settings = kafka_settings(broker, topic_prefix + "-older")
    await create_topics(settings)
    inbox = f"{settings.topic_prefix}.inbox.v1"
    before = {"compression.type": "producer", "retention.ms": "123456000", "max.message.bytes": str(MAX_MESSAGE_BYTES)}
    admin = AIOKafkaAdminClient(bootstrap_servers=broker.bootstrap)
    await admin.start()
    try:
        await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, inbox, configs=before)])
        await _shown(admin, inbox, before)
        assert [] == await create_topics(settings)
        await _shown(admin, inbox, before | {"compression.type": "uncompressed"})
    finally:
        await admin.close()


async def _shown(admin: AIOKafkaAdminClient, topic: str, expected: dict[str, str]) -> None:
    """Wait, at most 10 s, until the broker shows these settings: it applies them a moment after it has taken them."""
    found: dict[str, str] = {}
    async with asyncio.timeout(10):
        while expected != found:
            await asyncio.sleep(0.05)
            (response,) = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
            found = {entry[0]: entry[1] for entry in response.resources[0][4] if entry[0] in expected}
