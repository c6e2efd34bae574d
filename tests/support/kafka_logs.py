"""Topics of a test's own on the shared broker."""

from stanchion_broker.broker import Broker
from stanchion_runtime.settings import KafkaSettings

PARTITIONS = 6


def kafka_settings(broker: Broker, topic_prefix: str) -> KafkaSettings:
    """Give settings for topics that nobody else uses."""
    return KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=topic_prefix, partitions=PARTITIONS)
