"""Dead letters: inputs that could not be processed, kept whole with their reason."""

from msgspec import Struct


class DeadLetterHeader(Struct, frozen=True, kw_only=True):
    """One Kafka header of the raw message."""

    name: str
    value: bytes


class DeadLetter(Struct, frozen=True, kw_only=True):
    """One message nobody could process, as it came.

    Attributes:
        stage: which service refused it.
        cause: `topic:partition:offset`; identifies the dead letter, which is delivered at least once.
        code: stable UPPER_SNAKE reason.
        detail: one sentence.
        workspace: empty when it could not be told.
        time_us: when it was refused, microseconds since the epoch.
        raw: the message's value, unchanged.
        headers: the message's headers, in order.
    """

    stage: str
    cause: str
    code: str
    detail: str
    workspace: str = ""
    time_us: int
    raw: bytes
    headers: tuple[DeadLetterHeader, ...] = ()
