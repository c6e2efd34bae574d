"""One turn of an agent, as a context manager."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from stanchion.believed import Learned
from stanchion.briefing import Briefing
from stanchion.results import MovedBelief


class Turn:
    """What an agent knows at the beginning of a turn, and what it learns in it.

        async with client.turn("Size the enterprise market") as turn:
            reply = await model(turn.briefing.text)
            await turn.after(tool_result=report, source="gartner")
            turn.say(reply)

    What was given to `say` is taken up as the agent's output when the block ends, and is not when it ends in an error.

    Args:
        before: briefs.
        after: takes up; with the arguments of `Turn.after`.
    """

    def __init__(self, before: Callable[[], Awaitable[Briefing]], after: Callable[..., Awaitable[Learned]]) -> None:
        self._before = before
        self._after = after
        self._briefing: Briefing | None = None
        self._learned: list[Learned] = []
        self._said = ""

    @property
    def briefing(self) -> Briefing:
        """What was known at the beginning, or at the last `refresh`.

        Raises:
            RuntimeError: the turn has not begun: it is entered by `async with` (or `with`).
        """
        if self._briefing is None:
            raise RuntimeError("the turn has not begun: enter it by `async with` (of a SyncClient by `with`)")
        return self._briefing

    @property
    def learned(self) -> tuple[Learned, ...]:
        """What became of everything that was taken up, in order."""
        return tuple(self._learned)

    @property
    def moved(self) -> tuple[MovedBelief, ...]:
        """The beliefs that moved in this turn, each from before its first move to after its last."""
        found: dict[tuple[str, str], MovedBelief] = {}
        for each in (moved for learned in self._learned for moved in learned.moved):
            key = (each.subject, each.predicate)
            first = found.get(key, each)
            found[key] = replace(each, value_before=first.value_before, probability_before=first.probability_before)
        return tuple(found.values())

    def say(self, text: str) -> None:
        """Keep what the agent says at the end of its turn; a later call takes the place of an earlier one."""
        self._said = text

    async def after(  # noqa: PLR0913 - what was said has these parts
        self,
        *,
        user_message: str | None = None,
        agent_output: str | None = None,
        tool_result: object = None,
        source: str = "",
        observed_at: datetime | None = None,
        idempotency_key: str = "",
    ) -> Learned:
        """Take up what was said or found in this turn, as `Client.after` does.

        Raises:
            TypeError: not exactly one of the three is given.
            StanchionError: it was refused, or nobody answers.
        """
        learned = await self._after(
            user_message=user_message,
            agent_output=agent_output,
            tool_result=tool_result,
            source=source,
            observed_at=observed_at,
            idempotency_key=idempotency_key,
        )
        self._learned.append(learned)
        return learned

    async def refresh(self) -> Briefing:
        """Brief anew, with what was learned so far.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        self._briefing = await self._before()
        return self._briefing

    async def __aenter__(self) -> Self:
        """Begin the turn with a briefing."""
        await self.refresh()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take up what was said, when the turn ends well."""
        if error is None and self._said:
            await self.after(agent_output=self._said)
