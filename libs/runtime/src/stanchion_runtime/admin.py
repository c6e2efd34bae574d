"""Making the topics, as the register states them, and holding a cluster to the register."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from stanchion_contracts.topics import MAX_MESSAGE_BYTES, REGISTER, Topic, topic_name
from stanchion_core.errors import Transient
from stanchion_runtime import logs
from stanchion_runtime.deadletter import HEADROOM_BYTES, TOPIC
from stanchion_runtime.errors import Inconsistent
from stanchion_runtime.kafka import connection, reach, transient
from stanchion_runtime.log import Log
from stanchion_runtime.logs import logger
from stanchion_runtime.settings import KafkaSettings

_COMPRESSION: Final = "compression.type"
_UNCOMPRESSED: Final = "uncompressed"
_ITS_OWN: Final = 1  # Kafka's DYNAMIC_TOPIC_CONFIG: a setting made for the topic itself
_EXISTS: Final = 36  # Kafka's error code TOPIC_ALREADY_EXISTS
_REPLICAS: Final = 3  # where a cluster has that many brokers
_DAY_MS: Final = 86_400_000
_USABLE_S: Final = 0.1
_TRIES: Final = 300


def configuration(topic: Topic) -> dict[str, str]:
    """Give the settings a topic is created with.

    Open topics are kept uncompressed: whatever a publisher compresses with, the broker unpacks and measures it, so a
    reader needs no codec and never gets more than a message may have.
    """
    retention = -1 if topic.retention_days is None else topic.retention_days * _DAY_MS
    largest = MAX_MESSAGE_BYTES + (HEADROOM_BYTES if topic.key == TOPIC else 0)
    made = {"cleanup.policy": "delete", "retention.ms": str(retention), "max.message.bytes": str(largest)}
    return made if topic.kind == "owned" else {**made, _COMPRESSION: _UNCOMPRESSED}


async def create_topics(settings: KafkaSettings) -> list[str]:
    """Make the topics that are not there, wait until all can be used, and check those that were there.

    Returns:
        The names of those it made.

    Raises:
        Inconsistent: a topic that was there has other settings than the line needs.
        Transient: the cluster was not there or did not get ready.
    """
    admin = AIOKafkaAdminClient(**connection_of_admin(settings))
    try:
        with transient(f"connecting to {settings.bootstrap}"):
            await reach(lambda: _connect(admin))
        with transient("making topics"):
            made = await _create(admin, settings)
            await _wait(admin, settings)
            await _check_settings(admin, settings)
    finally:
        await admin.close()
    return made


def connection_of_admin(settings: KafkaSettings) -> dict[str, Any]:
    """Give what aiokafka's admin client is told about the cluster."""
    return connection(settings)


async def _connect(admin: Any) -> None:  # noqa: ANN401 - aiokafka ships no types
    """Connect once."""
    with transient("connecting"):
        await admin.start()


async def _create(admin: Any, settings: KafkaSettings) -> list[str]:  # noqa: ANN401 - aiokafka ships no types
    """Make every topic that is missing; give their names.

    Raises:
        Transient: the cluster refused one.
    """
    there = set(await admin.list_topics())
    brokers = len((await admin.describe_cluster())["brokers"])
    missing = [
        NewTopic(
            name=topic_name(key, settings.topic_prefix),
            num_partitions=settings.partitions,
            replication_factor=min(_REPLICAS, brokers),
            topic_configs=configuration(topic),
        )
        for key, topic in REGISTER.items()
        if topic_name(key, settings.topic_prefix) not in there
    ]
    if not missing:
        return []
    response = await admin.create_topics(missing)
    for name, code, *detail in response.topic_errors:
        if code not in {0, _EXISTS}:
            raise Transient(f"topic {name} could not be made: error {code} {detail}")
    return [topic.name for topic in missing]


async def _wait(admin: Any, settings: KafkaSettings) -> None:  # noqa: ANN401 - aiokafka ships no types
    """Return once every partition of every topic has a leader.

    Raises:
        Transient: that took too long.
    """
    names = [topic_name(key, settings.topic_prefix) for key in REGISTER]
    for _ in range(_TRIES):
        topics = await admin.describe_topics(names)
        if all(
            topic["error_code"] == 0 and topic["partitions"] and all(p["leader"] >= 0 for p in topic["partitions"])
            for topic in topics
        ):
            return
        await asyncio.sleep(_USABLE_S)
    raise Transient(f"the topics of {settings.topic_prefix} have no leaders yet")


async def _check_settings(admin: Any, settings: KafkaSettings) -> None:  # noqa: ANN401 - aiokafka ships no types
    """See that the topics have the settings that the line needs, and mend what can be mended on those that stand.

    Raises:
        Inconsistent: one has others, or a topic is not as wide as all must be.
    """
    wanted = {topic_name(key, settings.topic_prefix): topic for key, topic in REGISTER.items()}
    for topic in await admin.describe_topics(list(wanted)):
        check_width(wanted[topic["topic"]].key, len(topic["partitions"]), settings.partitions)
    resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in wanted]
    for response in await admin.describe_configs(resources):
        for _code, _message, _type, name, entries in response.resources:
            found = {entry[0]: entry[1] for entry in entries}
            check_settings(name, wanted[name], found)
            if wanted[name].kind == "open" and found.get(_COMPRESSION) != _UNCOMPRESSED:
                await _uncompress(admin, name, {entry[0]: entry[1] for entry in entries if entry[3] == _ITS_OWN})


def check_settings(name: str, topic: Topic, found: Mapping[str, str | None]) -> None:
    """See that a topic that stands keeps what it must, and takes what the line writes.

    How long an open topic keeps its records is its operator's to say.

    Raises:
        Inconsistent: it does not.
    """
    for setting, value in configuration(topic).items():
        has = found.get(setting)
        if setting == "max.message.bytes":
            fits = has is not None and int(has) >= int(value)
        elif topic.kind == "open":
            fits = setting != "cleanup.policy" or has == value
        else:
            fits = has == value
        if not fits:
            raise Inconsistent(f"topic {name} has {setting}={has}; it needs {value}")


async def _uncompress(admin: Any, name: str, its_own: Mapping[str, str]) -> None:  # noqa: ANN401 - aiokafka ships no types
    """Have the broker unpack what publishers compress, on a topic that was made before that was asked for.

    What is on the topic stays as it was sent, until it expires. Where altering is not allowed, the log says what to do.

    Args:
        admin: the client.
        name: of the topic.
        its_own: the settings made for this topic: Kafka takes them for lifted where they are not given again.
    """
    altered = ConfigResource(ConfigResourceType.TOPIC, name, configs={**its_own, _COMPRESSION: _UNCOMPRESSED})
    for response in await admin.alter_configs([altered]):
        for code, message, *_ in response.resources:
            if code == 0:
                logger().info("topic altered", topic=name, setting=f"{_COMPRESSION}={_UNCOMPRESSED}")
            else:
                why = f"refused to us, error {code} {message or ''}".rstrip()
                to_do = f"set {_COMPRESSION}={_UNCOMPRESSED} on it ({why}); records may unpack to more than we can take"
                logger().warning("topic takes compressed records", topic=name, detail=to_do)


def check_width(key: str, found: int, expected: int) -> None:
    """See that a topic has as many partitions as all have.

    Raises:
        Inconsistent: it is missing, or has more or fewer.
    """
    if found == 0:
        raise Inconsistent(f"topic {key} is missing; `make run` makes all of them, or stanchion_runtime.admin")
    if found != expected:
        raise Inconsistent(
            f"topic {key} has {found} partitions, the line has {expected} (STANCHION_KAFKA_PARTITIONS); a workspace "
            "would move between partitions. The number is fixed when topics are made"
        )


async def check_widths(log: Log, keys: list[str], expected: int) -> None:
    """See that these topics are there and as wide as all must be.

    Raises:
        Inconsistent: one is not.
        Transient: the log could not be reached.
    """
    for key in keys:
        check_width(key, await log.partitions(key), expected)


def main() -> None:
    """Make the topics of the cluster that the environment names, once: `python -m stanchion_runtime.admin`."""
    logs.configure("topics")
    settings = KafkaSettings()
    made = asyncio.run(create_topics(settings))
    logger().info("topics checked", bootstrap=settings.bootstrap, prefix=settings.topic_prefix, made=made)


if __name__ == "__main__":
    main()
