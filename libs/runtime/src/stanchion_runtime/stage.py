"""A stage of the line, as a service's `app.py` wires it."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.topics import is_owned
from stanchion_core.decided import Decided
from stanchion_core.rerouted import Rerouted
from stanchion_runtime.log import Record

__all__ = ["Record", "Stage", "decoder"]

State = TypeVar("State")
Message = TypeVar("Message")
Output = TypeVar("Output", bound=Struct)
Decoded = TypeVar("Decoded", bound=Struct)


class Stage(Struct, Generic[State, Message, Output], frozen=True, kw_only=True):
    """What a processor runs: pure functions and the names of topics.

    For each input record the runtime decodes, calls `decide`, encodes, then `evolve` with what `decide` gave.
    After a restart the state is `evolve` folded over the stage's own output.

    Attributes:
        name: the service (`fusion`).
        inputs: register keys; at most one of them owned.
        output: register key, an owned topic; its message class is the register's.
        initial: gives the empty state of one partition, which holds many workspaces.
        decode: per input, the record's message. Raises `InvalidMessage`.
        decide: pure; None is the empty output. At an edge stage it may raise `InvalidMessage`: a dead letter and
            the empty output. `Decided` is an output with its fold worked out.
        evolve: folds an output into the state, in place; live and on recovery. Not called for an empty output.
        dead_letters: whether this is an edge stage. Its open inputs are dead-lettered; all of its inputs when
            it has no open one (extraction).
    """

    name: str
    inputs: tuple[str, ...]
    output: str
    initial: Callable[[], State]
    decode: Mapping[str, Callable[[Record], Message]]
    decide: Callable[[State, Message], Output | Decided[State, Output] | Rerouted | None]
    evolve: Callable[[State, Output], None]
    dead_letters: bool

    def __post_init__(self) -> None:
        """Check the wiring.

        Raises:
            ValueError: the output is not an owned topic, more than one input is owned, or an input has no decoder.
        """
        if not is_owned(self.output):
            raise ValueError(f"stage {self.name}: output {self.output} is not an owned topic")
        if sum(is_owned(topic) for topic in self.inputs) > 1:
            raise ValueError(f"stage {self.name}: more than one owned input in {self.inputs}")
        if set(self.decode) != set(self.inputs):
            raise ValueError(f"stage {self.name}: decoders for {sorted(self.decode)}, inputs {sorted(self.inputs)}")

    @property
    def owned_input(self) -> str | None:
        """The one input with a single writer a partition, None when all are open."""
        return next((topic for topic in self.inputs if is_owned(topic)), None)

    def dead_letters_of(self, topic: str) -> bool:
        """Tell whether an invalid record of this input is dead-lettered; otherwise it stops the process."""
        return self.dead_letters and (not is_owned(topic) or all(is_owned(other) for other in self.inputs))


def decoder(cls: type[Decoded]) -> Callable[[Record], Decoded]:
    """Give the decode function of a message class, which raises `InvalidMessage` on bytes that are not one."""

    def decode(record: Record) -> Decoded:
        return codec.decode(record.value, cls)

    return decode
