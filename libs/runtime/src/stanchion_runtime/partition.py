"""One partition of a stage: its state, its two reader rules, and what it answers to an input. Pure; no log, no clock.

`processor.py` moves the records; `replay.py` runs the same object over recorded ones.
"""

from typing import Any, Final

from msgspec import Struct

from stanchion_contracts import codec
from stanchion_contracts.topics import MAX_MESSAGE_BYTES, REGISTER, is_owned
from stanchion_core.decided import Decided
from stanchion_core.errors import TOO_LARGE, InvalidMessage
from stanchion_core.ids import partition_of
from stanchion_core.rerouted import Rerouted
from stanchion_runtime.errors import Inconsistent, Unanswerable
from stanchion_runtime.log import (
    CAUSE,
    CORRELATION_ID,
    DEAD_LETTER,
    EPOCH,
    REPLY_TO,
    REROUTED,
    TRACEPARENT,
    UP,
    Headers,
    Outgoing,
    Record,
    header,
)
from stanchion_runtime.reader_rule import ReaderRule, Verdict
from stanchion_runtime.stage import Stage

AnyStage = Stage[Any, Any, Any]

MAX_VALUE_BYTES: Final = MAX_MESSAGE_BYTES - 4096
"""The longest value of an output; the rest of a message is its headers."""

MAX_LETTERS_IN_A_ROW: Final = 1000
"""Dead letters of an input that only our own services write, without one good message between: something is broken."""

_PASSED: Final = frozenset({CORRELATION_ID, DEAD_LETTER, REPLY_TO, TRACEPARENT})
_PASSED_OF_OTHERS: Final = frozenset({TRACEPARENT})
_PASSED_BYTES: Final = 256  # what is longer is not passed down
_RECORD_BYTES: Final = 128  # what Kafka adds to a record that travels alone
_HEADER_BYTES: Final = 10  # and to each header


class Letter(Struct, frozen=True, kw_only=True):
    """An input to set aside, and why."""

    record: Record
    error: InvalidMessage


class Move(Struct, frozen=True, kw_only=True):
    """An input to republish where it belongs."""

    record: Record
    to: Rerouted
    partition: int


class Aside:
    """What must be written before the answers of a batch: dead letters and republished inputs; and what was dropped.

    Attributes:
        letters: in order of the inputs.
        moves: in order of the inputs.
        dropped: how many records of the owned input the reader rule dropped, by verdict.
    """

    __slots__ = ("dropped", "letters", "moves")

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.moves: list[Move] = []
        self.dropped: dict[Verdict, int] = {}


class Partition:
    """What an owner holds of one partition.

    Attributes:
        number: from 0.
        state: the fold of the accepted outputs.
        rule: the reader rule over the own output; its epoch is ours and its causes say what is answered.
        upstream: the reader rule over the owned input.
        position: the offset that the next own output must get when nobody else writes.
        since_claim: outputs since the last claim.
    """

    def __init__(self, stage: AnyStage, number: int, partitions: int) -> None:
        """Begin empty; `fold` and `adopt` bring it to where its owner goes on.

        Args:
            stage: whose partition it is.
            number: from 0.
            partitions: how many every topic has.
        """
        self.number = number
        self.state = stage.initial()
        self.rule = ReaderRule()
        self.upstream = ReaderRule()
        self.position = 0
        self.since_claim = 0
        self._stage = stage
        self._partitions = partitions
        self._output = codec.MESSAGE_OF[stage.output]
        self._last: Record | None = None
        self._epoch = b""
        self._causes = {topic: b"%s:%d:%%d" % (topic.encode(), number) for topic in stage.inputs}
        self._owned = stage.owned_input
        self._ours = {topic: "upstream" not in REGISTER[topic].producers for topic in stage.inputs}
        self._letters_in_a_row = 0

    def fold(self, record: Record) -> None:
        """Take in one record of the own output, in order, on the way to the claim."""
        self.position = record.offset + 1
        if self.rule.judge(record) is Verdict.ACCEPTED:
            self._last = record
            if record.value:
                self._stage.evolve(self.state, codec.decode_folded(record.value, self._output))

    def adopt(self, claim: int) -> None:
        """Go on as the owner whose claim has this offset, once everything up to it is folded.

        Raises:
            Inconsistent: the claim is not the last record folded.
        """
        if self.rule.epoch != claim or self.position != claim + 1:
            raise Inconsistent(
                f"{self._stage.output}:{self.number}: claimed at {claim}, but the fold ends at {self.position} "
                f"with epoch {self.rule.epoch}"
            )
        if self._last is not None:
            self.upstream = ReaderRule.decode((header(self._last, UP) or b"").decode())
            self._last = None
        self._epoch = b"%d" % claim
        self.since_claim = 0

    def claimed(self, claim: int) -> None:
        """Go on under a new claim of the same owner; every output before it is acknowledged."""
        self.rule.claim(claim)
        self._epoch = b"%d" % claim
        self.since_claim = 0

    def answer(self, record: Record, aside: Aside) -> Outgoing | None:
        """Decide one input and fold the decision.

        Args:
            record: of one of the stage's inputs, in order within its topic.
            aside: takes what must be written before the answer.

        Returns:
            The one output, or None when the input had its answer before (it was delivered twice).

        Raises:
            Unanswerable: the input cannot be decoded or its answer is too large, and this is no edge stage for it.
            Inconsistent: inputs are missing before this one.
        """
        topic = record.topic
        if self._answered(record):
            return None
        if topic == self._owned:
            verdict = self.upstream.judge(record)
            if verdict is not Verdict.ACCEPTED:
                aside.dropped[verdict] = aside.dropped.get(verdict, 0) + 1
                return self._outgoing(record, b"", ())
            if not record.value:
                return self._outgoing(record, b"", self._passed(record))
        value, extra = self._decide(record, aside)
        return self._outgoing(record, value, self._passed(record) + extra)

    def _answered(self, record: Record) -> bool:
        """Tell whether an input has its output already.

        Raises:
            Inconsistent: inputs are missing before this one.
        """
        expected = self.rule.next_of(record.topic)
        if record.offset < expected:
            return True
        if record.offset > expected and is_owned(record.topic):
            raise Inconsistent(
                f"{record.topic}:{record.partition}: expected offset {expected}, was given {record.offset}; records "
                "between them are gone. An owned topic needs retention.ms=-1, cleanup.policy=delete and no transactions"
            )
        return False

    def _decide(self, record: Record, aside: Aside) -> tuple[bytes, Headers]:
        """Give an input's value and its further headers, with its effects on the state done."""
        stage = self._stage
        try:
            decided = stage.decide(self.state, stage.decode[record.topic](record))
            output = decided.output if isinstance(decided, Decided) else decided
            if isinstance(output, Rerouted):
                value, further = b"", self._move(record, output, aside)
            else:
                value, further = b"" if output is None else self._encode(output), ()
        except InvalidMessage as error:
            self._set_aside(record, error, aside)
            why = f"{error.code} {error.detail}".encode()[:_PASSED_BYTES].decode(errors="ignore")
            return b"", ((DEAD_LETTER, why.encode()),)
        self._letters_in_a_row = 0
        if isinstance(decided, Decided):
            decided.fold(self.state)
        elif value:
            stage.evolve(self.state, output)
        return value, further

    def _move(self, record: Record, to: Rerouted, aside: Aside) -> Headers:
        """Republish an input; give the header that says where.

        Raises:
            InvalidMessage: `TOO_LARGE`: it no longer fits, with the headers it gets on the way.
            Unanswerable: it stands where it belongs already, so it would come again and again.
        """
        size = len(to.value) + sum(len(name.encode()) + len(value) + _HEADER_BYTES for name, value in to.headers)
        if size > MAX_MESSAGE_BYTES - _RECORD_BYTES:
            raise InvalidMessage(TOO_LARGE, f"it takes {size} bytes to move it to where its workspace belongs")
        partition = partition_of(to.workspace, self._partitions)
        if partition == self.number:
            raise Unanswerable(
                f"{self._stage.name} reroutes {record.topic}:{record.partition}:{record.offset} of workspace "
                f"{to.workspace} to the partition it is on; this is a bug in the stage"
            )
        aside.moves.append(Move(record=record, to=to, partition=partition))
        return ((REROUTED, b"%d" % partition),)

    def _encode(self, output: Struct) -> bytes:
        """Give an output's bytes.

        Raises:
            InvalidMessage: `TOO_LARGE`.
        """
        value = codec.encode(output)
        if len(value) > MAX_VALUE_BYTES:
            raise InvalidMessage(
                TOO_LARGE, f"the answer on {self._stage.output} takes {len(value)} bytes, at most {MAX_VALUE_BYTES} fit"
            )
        return value

    def _set_aside(self, record: Record, error: InvalidMessage, aside: Aside) -> None:
        """Dead-letter an input of an edge stage.

        Raises:
            Unanswerable: this is no edge stage for the input, or too many in a row were set aside.
        """
        place = f"{record.topic}:{record.partition}:{record.offset}"
        if not self._stage.dead_letters_of(record.topic):
            raise Unanswerable(
                f"{self._stage.name} cannot answer {place}: {error}. It was written by a newer version, or this is a "
                "bug: run the version that can, nothing has been skipped"
            ) from error
        aside.letters.append(Letter(record=record, error=error))
        if self._ours[record.topic]:
            self._letters_in_a_row += 1
            if self._letters_in_a_row > MAX_LETTERS_IN_A_ROW:
                raise Unanswerable(
                    f"{self._stage.name}: more than {MAX_LETTERS_IN_A_ROW} dead letters in a row, up to {place}, of an "
                    f"input that only our own services write; the last: {error}"
                ) from error

    def _passed(self, record: Record) -> Headers:
        """Give the headers that go down the line, the first of each name.

        Whom to answer is ours to say, never an upstream publisher's.
        """
        headers = record.headers
        if not headers:
            return ()
        passed: dict[str, bytes] = {}
        names = _PASSED if self._ours[record.topic] else _PASSED_OF_OTHERS
        for name, value in headers:
            if name in names and len(value) <= _PASSED_BYTES:
                passed.setdefault(name, value)
        return tuple(passed.items())

    def _outgoing(self, record: Record, value: bytes, further: Headers) -> Outgoing:
        """Give the output and count it as written."""
        topic = record.topic
        self.rule.take(topic, record.offset)
        self.since_claim += 1
        cause = (CAUSE, self._causes[topic] % record.offset)
        if self._owned is None:
            return Outgoing(value=value, headers=(cause, (EPOCH, self._epoch), *further))
        up = (UP, self.upstream.encode().encode())
        return Outgoing(value=value, headers=(cause, (EPOCH, self._epoch), up, *further))
