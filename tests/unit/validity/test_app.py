"""Wiring."""

import msgspec
import pytest

from stanchion_contracts import codec
from stanchion_contracts.command import Command
from stanchion_contracts.meta import Actor, Meta
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_runtime.stage import Record
from stanchion_validity.app import build
from stanchion_validity.handler import State


def test_stage_is_the_lines() -> None:
    """Beliefs and commands in, changes out; only commands are dead-lettered."""
    stage = build()
    assert ("validity", ("beliefs", "commands"), "changes") == (stage.name, stage.inputs, stage.output)
    assert (False, True) == (stage.dead_letters_of("beliefs"), stage.dead_letters_of("commands"))
    assert State() == stage.initial()


def test_base_vocabulary_ships() -> None:
    """The vocabulary is read from the package."""
    assert "base" == base_vocabulary().name


def test_a_command_on_a_wrong_partition_is_set_aside() -> None:
    """Decided there, it would begin the workspace's seqs anew, and nothing behind validity could go on."""
    meta = Meta(
        id="cmd_1",
        workspace="docs",
        time_us=1,
        seed=bytes(16),
        origin="command:cmd_1",
        actor=Actor(kind="person", id="maya"),
    )
    command = Command(meta=meta, digest=bytes(32))
    at = partition_of("docs", 12)
    record = Record(topic="commands", partition=at, offset=0, timestamp_us=1, value=codec.encode(command), headers=())
    decode = build(partitions=12).decode["commands"]
    assert command == decode(record)
    with pytest.raises(InvalidMessage, match="docs is not on partition"):
        decode(msgspec.structs.replace(record, partition=(at + 1) % 12))


@pytest.mark.parametrize("time_us", [2**62, -1])
def test_a_command_of_no_calendar_is_set_aside(time_us: int) -> None:
    """A stamp that no reader can show would stand in its workspace for good: recorded times never go back."""
    actor = Actor(kind="person", id="maya")
    meta = Meta(id="cmd_1", workspace="docs", time_us=time_us, seed=bytes(16), origin="command:cmd_1", actor=actor)
    value = codec.encode(Command(meta=meta, digest=bytes(32)))
    record = Record(topic="commands", partition=0, offset=0, timestamp_us=1, value=value, headers=())
    with pytest.raises(InvalidMessage, match="time"):
        build().decode["commands"](record)
