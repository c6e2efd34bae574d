"""The four stages of the observation line one after the other, as their services wire them, without a broker."""

from collections.abc import Sequence
from typing import Any

from stanchion_audit.app import build as audit
from stanchion_contracts.claim import Claims
from stanchion_contracts.codec import SCHEMA_OF, decode_folded, encode
from stanchion_contracts.command import Command
from stanchion_contracts.observation import Observation
from stanchion_contracts.receipt import Receipt
from stanchion_contracts.topics import MAX_MESSAGE_BYTES, REGISTER
from stanchion_core.decided import Decided
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.app import build as extraction
from stanchion_extraction.settings import ExtractionSettings
from stanchion_fusion.app import build as fusion
from stanchion_fusion.settings import FusionSettings
from stanchion_runtime.log import Record
from stanchion_runtime.stage import Stage
from stanchion_runtime.state_digest import state_digest
from stanchion_validity.app import build as validity


class Chain:
    """One partition of the line: what a stage writes the next one reads, through the codec.

    Attributes:
        stages: extraction, fusion, validity, audit.
        states: of each.
        outputs: the bytes each wrote, empty outputs left out.
        dead: the codes of what extraction would dead-letter.
    """

    def __init__(self) -> None:
        self.stages: tuple[Stage[Any, Any, Any], ...] = (
            extraction(ExtractionSettings()),
            fusion(FusionSettings()),
            validity(),
            audit(),
        )
        self.states = [stage.initial() for stage in self.stages]
        self.outputs: list[list[bytes]] = [[] for _ in self.stages]
        self.dead: list[str] = []

    def observe(self, observation: Observation) -> None:
        """Let an observation go down the line; only extraction may find it invalid."""
        try:
            value = self._step(0, "observations", encode(observation))
        except InvalidMessage as error:
            self.dead.append(error.code)
            return
        self._down(1, value)

    def claims(self, claims: Claims) -> None:
        """Let what extraction would write go down the rest of the line."""
        self._down(1, encode(claims))

    def command(self, command: Command) -> None:
        """Let a command go down the line; decoding alone may find it invalid, which is a dead letter."""
        try:
            self.stages[2].decode["commands"](_record("commands", encode(command)))
        except InvalidMessage as error:
            self.dead.append(error.code)
            return
        self._down(3, self._step(2, "commands", encode(command)))

    def receipt(self, receipt: Receipt) -> None:
        """Let a receipt come to audit."""
        self._step(3, "receipts", encode(receipt))

    def check(self, places: Sequence[int] = range(4)) -> None:
        """Check that what was written makes the live state of each stage anew."""
        for place in places:
            stage, again = self.stages[place], self.stages[place].initial()
            for value in self.outputs[place]:
                stage.evolve(again, decode_folded(value, _class_of(stage)))
            assert state_digest(again) == state_digest(self.states[place]), stage.name

    def _down(self, place: int, value: bytes) -> None:
        for later in range(place, len(self.stages)):
            if not value:
                return
            value = self._step(later, self.stages[later - 1].output, value)

    def _step(self, place: int, topic: str, value: bytes) -> bytes:
        """Decide and evolve one message; give the output's bytes, empty for an empty output."""
        stage = self.stages[place]
        decided = stage.decide(self.states[place], stage.decode[topic](_record(topic, value)))
        output = decided.output if isinstance(decided, Decided) else decided
        if output is None:
            return b""
        written = encode(output)
        assert len(written) < MAX_MESSAGE_BYTES - 4096, f"{stage.name}: {len(written)} bytes"
        if isinstance(decided, Decided):
            decided.fold(self.states[place])
        else:
            stage.evolve(self.states[place], output)
        self.outputs[place].append(written)
        return written


def _record(topic: str, value: bytes) -> Record:
    """Give a record of the one partition."""
    return Record(topic=topic, partition=0, offset=0, timestamp_us=0, value=value, headers=())


def _class_of(stage: Stage[Any, Any, Any]) -> Any:  # noqa: ANN401 - a message class
    """Give the message class of a stage's output."""
    return next(cls for cls in SCHEMA_OF if cls.__name__ == REGISTER[stage.output].message)
