"""The reader rule: which records of an owned partition count. Owner, next stage and readers all apply the same one.

A claim sets the epoch to its own offset. A record of another epoch is dropped: its owner had been superseded. A cause
already seen is dropped. After a gap in the causes of an owned topic everything is dropped until the next claim (an
open topic's causes only grow). What counts depends on the log alone, so everybody who reads it agrees.
"""

import enum
from typing import Final

from stanchion_contracts.topics import REGISTER, is_owned
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Record

_NONE: Final = -1  # no epoch: before the first claim and after a gap, when nothing counts
_JOINED: Final = "~"


class Verdict(enum.Enum):
    """What the rule says of one record."""

    ACCEPTED = "accepted"
    CLAIM = "claim"
    STALE = "stale"
    SEEN = "seen"
    GAP = "gap"


class ReaderRule:
    """The rule's memory for one partition: the epoch and, for each topic, the next cause it expects.

    A *joined* rule began at a claim in the middle of the log: the first cause of each topic is taken as it comes.
    """

    __slots__ = ("_epoch", "_joined", "_known", "_next", "_topics", "epoch")

    def __init__(self, *, joined: bool = False) -> None:
        self.epoch = _NONE
        self._epoch: bytes | None = None  # as it stands in a header
        self._known: dict[bytes, str] = {}  # topics by what stands before the offset in a cause of this partition
        self._joined = joined
        self._next: dict[str, int] = {}
        self._topics: tuple[str, ...] = ()

    def next_of(self, topic: str) -> int:
        """Give the offset of the next input of a topic that the partition has no accepted output for."""
        return self._next.get(topic, 0)

    def judge(self, record: Record) -> Verdict:
        """Say whether a record counts, and remember it. Records come in order of their offsets.

        Raises:
            ValueError: a record of the current epoch has no readable cause on its own partition: no owner writes that.
        """
        epoch = cause = None
        for name, value in record.headers:
            if name == CAUSE:
                cause = value
            elif name == EPOCH:
                epoch = value
            elif name == CLAIM:
                self.claim(record.offset)
                return Verdict.CLAIM
        if epoch is None or epoch != self._epoch:
            return Verdict.STALE
        before, _, offset = (cause or b"").rpartition(b":")
        topic = self._known.get(before) or self._know(record, before)
        try:
            return self.take(topic, int(offset))
        except ValueError as error:
            raise ValueError(f"{_place(record)}: unreadable cause {cause!r}") from error

    def claim(self, epoch: int) -> None:
        """Go on under a claim with this offset."""
        self.epoch = epoch
        self._epoch = b"%d" % epoch

    def _know(self, record: Record, before: bytes) -> str:
        """Give the topic of a cause, from what stands before its offset, and remember it.

        Raises:
            ValueError: it is not of the form `topic:partition`, or of another partition.
        """
        topic, _, partition = before.decode(errors="replace").rpartition(":")
        if partition != str(record.partition) or topic not in REGISTER:
            raise ValueError(f"{_place(record)}: {before!r} is no topic we know and this partition")
        self._known[before] = topic
        return topic

    def take(self, topic: str, offset: int) -> Verdict:
        """Say whether an output of the current epoch with this cause counts, and remember it."""
        expected = self._next.get(topic)
        if expected is None:
            expected = offset if self._joined else 0
            self._topics = tuple(sorted((*self._topics, topic)))
            self._next[topic] = expected
        if offset < expected:
            return Verdict.SEEN
        if offset > expected and is_owned(topic):
            self.epoch = _NONE
            self._epoch = None
            return Verdict.GAP
        self._next[topic] = offset + 1
        return Verdict.ACCEPTED

    def encode(self) -> str:
        """Give the memory as short text, `epoch|topic=next,…`, behind `~` when joined."""
        causes = self._next
        text = f"{self.epoch}|" + ",".join([f"{topic}={causes[topic]}" for topic in self._topics])
        return _JOINED + text if self._joined else text

    @classmethod
    def decode(cls, text: str) -> "ReaderRule":
        """Read what `encode` gave; empty text is a rule at the start of a partition.

        Raises:
            ValueError: the text is not of that form.
        """
        rule = cls(joined=text.startswith(_JOINED))
        if not text:
            return rule
        epoch, _, causes = text.removeprefix(_JOINED).partition("|")
        if int(epoch) != _NONE:
            rule.claim(int(epoch))
        for cause in filter(None, causes.split(",")):
            topic, _, following = cause.partition("=")
            rule._next[topic] = int(following)
        rule._topics = tuple(sorted(rule._next))
        return rule


def _place(record: Record) -> str:
    """Give where a record stands, for a message."""
    return f"{record.topic}:{record.partition}:{record.offset}"
