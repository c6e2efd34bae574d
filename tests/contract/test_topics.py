"""The register of topics, and that everything made from it agrees."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from stanchion_contracts.codec import MESSAGE_OF
from stanchion_contracts.topics import MAX_MESSAGE_BYTES, PARTITIONS, REGISTER, is_owned, topic_name

ROOT = Path(__file__).resolve().parents[2]
PROCESSORS = {"ingest", "extraction", "fusion", "validity", "audit"}


def test_generated_register_is_that_of_the_file() -> None:
    """The baked register says what topics.yaml says."""
    register = YAML(typ="safe").load((ROOT / "schemas/topics.yaml").read_text())
    assert (register["partitions"], register["max_message_bytes"]) == (PARTITIONS, MAX_MESSAGE_BYTES)
    assert list(register["topics"]) == list(REGISTER)


@pytest.mark.parametrize("key", sorted(REGISTER))
def test_topic_names_its_own_schema_and_message(key: str) -> None:
    """A topic's schema folder is its key, and its message class is the folder's."""
    assert MESSAGE_OF[key].__name__ == REGISTER[key].message
    assert (ROOT / f"schemas/{key}/v{REGISTER[key].version}.avsc").exists()


@pytest.mark.parametrize("key", [key for key in REGISTER if is_owned(key)])
def test_owned_topics_have_one_writer_and_keep_everything(key: str) -> None:
    """The log is the state: one producer, no retention."""
    topic = REGISTER[key]
    assert (len(topic.producers), topic.retention_days) == (1, None)
    assert topic.producers[0] in PROCESSORS


def test_every_topic_has_both_ends() -> None:
    """Nothing is written that nobody reads."""
    assert [key for key, topic in REGISTER.items() if not topic.producers or not topic.consumers] == []


def test_topic_names_carry_prefix_and_version() -> None:
    """A name on a cluster is <prefix>.<key>.v<version>."""
    assert topic_name("changes", "stanchion") == "stanchion.changes.v1"
