"""Answers of commands that landed, kept for repeats: 24 hours of message time, at most 100,000 a partition."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from stanchion_contracts.change import Changes, Landed
from stanchion_contracts.command import Command
from stanchion_contracts.refusal import Refusal

KEPT_US: Final = 24 * 3_600 * 1_000_000
MOST_KEPT: Final = 100_000

Asked = tuple[str, str, str]
"""Workspace, principal, idempotency key."""


class Answer(Struct, frozen=True, kw_only=True):
    """What the first success of a command was answered.

    Attributes:
        digest: SHA-256 of the command's content.
        time_us: the command's time.
        landed: records touched.
        proposals: ids of proposals opened.
        first_seq: of its changes, 0 for none.
        last_seq: of its changes, 0 for none.
    """

    digest: bytes
    time_us: int
    landed: tuple[Landed, ...]
    proposals: tuple[str, ...]
    first_seq: int
    last_seq: int


class Answers(Struct, kw_only=True):
    """Answers in the order they were given."""

    kept: dict[Asked, Answer] = field(default_factory=dict)


def answered(answers: Answers, command: Command) -> Answer | None:
    """Give the answer of a command that landed before with the same key, None when there is none to remember."""
    if not command.key:
        return None
    found = answers.kept.get((command.meta.workspace, command.meta.actor.id, command.key))
    return found if found is not None and command.meta.time_us - found.time_us < KEPT_US else None


def refused_key(command: Command) -> Refusal:
    """Refuse a key that stands for another command."""
    detail = f"the key {command.key!r} was used for other content within 24 hours"
    return Refusal(reason="IDEMPOTENCY_KEY_REUSED", detail=detail, field="key")


def remember(answers: Answers, output: Changes) -> None:
    """Keep the answer of a command that landed, and let go of what is too old or too much."""
    asked = (output.meta.workspace, output.meta.actor.id, output.key)
    answers.kept.pop(asked, None)
    answers.kept[asked] = Answer(
        digest=output.digest,
        time_us=output.meta.time_us,
        landed=output.landed,
        proposals=output.proposals,
        first_seq=output.first_seq,
        last_seq=output.last_seq_answered,
    )
    for old in tuple(_leaving(answers, output.meta.time_us)):
        del answers.kept[old]


def _leaving(answers: Answers, now_us: int) -> Iterator[Asked]:
    """Name the answers that go, from the oldest given on."""
    surplus = len(answers.kept) - MOST_KEPT
    for place, (asked, answer) in enumerate(answers.kept.items()):
        if place >= surplus and now_us - answer.time_us < KEPT_US:
            return
        yield asked
