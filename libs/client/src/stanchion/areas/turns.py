"""One turn of an agent: what it should know before it acts, and what became of what it heard and said."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from stanchion.areas.area import PAGE
from stanchion.areas.beliefs import Beliefs
from stanchion.areas.noticed import INTENT, Noticed
from stanchion.areas.workspaces import Workspaces
from stanchion.believed import BeliefPage, Intent, Learned, learned_of
from stanchion.briefing import Briefing, briefing, doubtful
from stanchion.errors import NotFound
from stanchion.relevance import words_of
from stanchion.results import Record
from stanchion.turn import Turn
from stanchion.vocabularies import vocabulary_in
from stanchion_core.vocabulary import Vocabulary

TEXT_CHARS: Final = 4_000
"""Of a briefing's text, unless told otherwise."""

_INTENTS: Final = 1_000  # that are looked through
_AT_ONCE: Final = 16


class Turns(Beliefs, Noticed, Workspaces):
    """Briefs an agent, and takes up what it learned."""

    async def before(
        self,
        task: str,
        *,
        most: int = 20,
        max_chars: int = TEXT_CHARS,
        workspace: str = "",
        min_seq: int | None = None,
    ) -> Briefing:
        """Give what an agent should know before it acts.

        Args:
            task: what it is about to do, in words.
            most: beliefs, intents, and records that no longer hold: at most so many each, 1 to 200.
            max_chars: of `Briefing.text`, which is made to be put into a prompt.
            workspace: whose.
            min_seq: wait for this position; None for this client's own last write.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        words = words_of(task)
        settings = await self.workspace(workspace=whose, min_seq=min_seq)
        if not settings.as_of_seq:  # nothing was ever written here: every other read would say so
            return briefing(task, whose, page=BeliefPage(), intents=(), fallen=(), most=most, max_chars=max_chars)
        vocabulary = vocabulary_in(settings)
        page, intents, records = await asyncio.gather(
            self._about(words, most, whose, min_seq),
            self._standing(vocabulary, whose, min_seq),
            self._doubted(vocabulary, whose, min_seq),
        )
        fallen = doubtful(records, await self._around(records, whose), vocabulary, words)
        return briefing(task, whose, page=page, intents=intents, fallen=fallen, most=most, max_chars=max_chars)

    async def after(  # noqa: PLR0913 - what was said has these parts
        self,
        *,
        user_message: str | None = None,
        agent_output: str | None = None,
        tool_result: object = None,
        source: str = "",
        observed_at: datetime | None = None,
        room: str = "",
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Learned:
        """Take up what a user said, an agent put out, or a tool gave; exactly one of them.

        What it states moves beliefs; what it wants becomes an intent and moves none. The next read of this client sees
        it all.

        Args:
            user_message: of a person, or for one: the token says `on_behalf_of`.
            agent_output: counts as an inference, whatever it says.
            tool_result: of an API, a database, an instrument: a text, or anything that is JSON; a measurement.
            source: what it rests on; empty means the caller.
            observed_at: aware; None for now.
            room: inside the workspace.
            workspace: whose.
            idempotency_key: the same key with the same content is the same observation.

        Raises:
            TypeError: not exactly one of the three is given.
            StanchionError: it was refused, or nobody answers.
        """
        given = {"user-message": user_message, "agent-output": agent_output, "tool-result": tool_result}
        said = [(path, each) for path, each in given.items() if each is not None]
        if len(said) != 1:
            raise TypeError("after takes exactly one of user_message, agent_output and tool_result")
        ((path, what),) = said
        observed = await self.observe(
            path=path,
            text=what if isinstance(what, str) else json.dumps(what, ensure_ascii=False),
            source=source,
            observed_at=observed_at,
            room=room,
            workspace=workspace,
            idempotency_key=idempotency_key,
        )
        return learned_of(observed)

    def turn(
        self, task: str, *, most: int = 20, max_chars: int = TEXT_CHARS, room: str = "", workspace: str = ""
    ) -> Turn:
        """Give one turn: a context manager that briefs at its beginning and takes up what is learned in it.

        The arguments are those of `before` and `after`.
        """
        whose = self._calls.workspace(workspace)

        async def before() -> Briefing:
            return await self.before(task, most=most, max_chars=max_chars, workspace=whose)

        async def after(**said: Any) -> Learned:  # noqa: ANN401 - the arguments of `after`
            return await self.after(room=room, workspace=whose, **said)

        return Turn(before, after)

    async def _about(self, words: Sequence[str], most: int, workspace: str, min_seq: int | None) -> BeliefPage:
        """Give the beliefs about some words; about no word there is none."""
        if not words:
            seq = (await self.query_page(workspace=workspace, limit=1, min_seq=min_seq)).as_of_seq
            return BeliefPage(as_of_seq=seq)
        return await self.beliefs_page(about=" ".join(words), limit=most, workspace=workspace, min_seq=min_seq)

    async def _standing(self, vocabulary: Vocabulary, workspace: str, min_seq: int | None) -> list[Intent]:
        """Give the intents that stand; none where the workspace's own vocabulary has no such kind."""
        found: list[Intent] = []
        if INTENT not in vocabulary.kinds:
            return found
        async for each in self.intents(workspace=workspace, min_seq=min_seq):
            found.append(each)
            if len(found) == _INTENTS:
                break
        return found

    async def _doubted(self, vocabulary: Vocabulary, workspace: str, min_seq: int | None) -> list[Record]:
        """Give the records that need review, and those that evidence refuted; a page of each."""
        failing = {kind.by_evidence.fails for kind in vocabulary.kinds.values() if kind.by_evidence}
        kinds = [kind.name for kind in vocabulary.kinds.values() if kind.by_evidence]
        pages = await asyncio.gather(
            self.query_page(states=["needs_review"], limit=PAGE, workspace=workspace, min_seq=min_seq),
            *(
                self.query_page(kinds=kinds, fields={"status": word}, limit=PAGE, workspace=workspace, min_seq=min_seq)
                for word in sorted(failing)
            ),
        )
        return list({record.id: record for page in pages for record in page.records}.values())

    async def _around(self, records: Iterable[Record], workspace: str) -> dict[str, Record]:
        """Give the records on the ways to what moved, by id."""
        there = {record.id: record for record in records}
        ids = {
            step.record_id
            for record in there.values()
            for reason in (record.validity.reasons if record.validity else ())
            for step in reason.path
        }
        room = asyncio.Semaphore(_AT_ONCE)

        async def one(record_id: str) -> Record | None:
            async with room:
                try:
                    return await self.get_record(record_id, workspace=workspace)
                except NotFound:
                    return None

        found = await asyncio.gather(*(one(each) for each in sorted(ids - there.keys())))
        return there | {record.id: record for record in found if record is not None}
