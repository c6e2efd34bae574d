"""Wiring: `beliefs` and `commands` in, `changes` out."""

from collections.abc import Callable

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes
from stanchion_contracts.command import Command
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_core.limits import YEAR_10000_US
from stanchion_core.vocabulary import Vocabulary
from stanchion_runtime import worker
from stanchion_runtime.log import Record
from stanchion_runtime.settings import KafkaSettings, read
from stanchion_runtime.stage import Stage, decoder
from stanchion_validity.handler import Message, State, decider, evolver
from stanchion_validity.settings import ValiditySettings


def command_decoder(partitions: int) -> Callable[[Record], Command]:
    """Give the decode function of commands, which also raises `InvalidMessage` for a wrong partition or time.

    Args:
        partitions: how many the topic has; 0 takes any.
    """
    read = decoder(Command)

    def decode(record: Record) -> Command:
        command = read(record)
        if not 0 <= command.meta.time_us < YEAR_10000_US:
            raise InvalidMessage(FIELD_VALUE, f"meta.time_us is {command.meta.time_us}, which no calendar has")
        if partitions and partition_of(command.meta.workspace, partitions) != record.partition:
            where = f"partition {record.partition} of {partitions}"
            raise InvalidMessage(
                FIELD_VALUE,
                f"workspace {command.meta.workspace} is not on {where}; check what the gateway runs against",
            )
        return command

    return decode


def build(vocabulary: Vocabulary | None = None, *, partitions: int = 0) -> Stage[State, Message, Changes]:
    """Give the stage.

    Args:
        vocabulary: of all its workspaces; None for the base vocabulary.
        partitions: how many every topic has; 0 takes a command on any.
    """
    known = vocabulary or base_vocabulary()
    return Stage(
        name="validity",
        inputs=("beliefs", "commands"),
        output="changes",
        initial=State,
        decode={"beliefs": decoder(Beliefs), "commands": command_decoder(partitions)},
        decide=decider(known),
        evolve=evolver(known),
        dead_letters=True,
    )


def main() -> None:
    """Run until told to stop."""
    with worker.prepared("validity"):
        kafka, settings = read(KafkaSettings), read(ValiditySettings)
    worker.run(build(partitions=kafka.partitions), settings, kafka)
