"""Events and observations: what is told from outside."""

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Sequence
from datetime import datetime
from typing import Final

from stanchion.areas.area import Area
from stanchion.calls import new_key
from stanchion.graph import Relation, relation_message
from stanchion.publishing import Publisher, Request
from stanchion.results import Answer, Observed, Published
from stanchion.wire import result
from stanchion.writes import Claim, Event, QuoteSeen, claim_message, event_message, timestamp
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2

WINDOW: Final = 256
"""Events that `publish` has on their way at a time."""


class Events(Area):
    """Publishes events, and submits observations."""

    async def publish(
        self,
        events: AsyncIterable[Event] | Iterable[Event],
        *,
        workspace: str = "",
        await_answer: bool = False,
        window: int = WINDOW,
    ) -> AsyncGenerator[Published, None]:
        """Publish events in order; give each acknowledgement as it comes.

        A stream that breaks is opened again and goes on with the oldest event without an acknowledgement: events carry
        their own ids, so none counts twice.

        Args:
            events: from anywhere; drawn no further than `window` ahead of the acknowledgements.
            workspace: for events that name none.
            await_answer: wait for what each event changed, instead of for its being durable.
            window: events on their way at a time, at least 1.

        Raises:
            StanchionError: the event in `metadata["event_id"]` was refused, or nobody answers.
        """
        whose = self._calls.own(workspace)
        publisher = Publisher(self._calls.connection, self._calls.ingest.Publish, window)
        async for published in publisher.run(_messages(events, whose, await_answer=await_answer)):
            if published.answer is not None and whose:
                self._calls.note(whose, published.answer)
            yield published

    async def observe(  # noqa: PLR0913 - an observation has these parts
        self,
        *,
        workspace: str = "",
        room: str = "",
        path: str = "explicit-add",
        text: str = "",
        claims: Sequence[Claim] = (),
        relations: Sequence[Relation] = (),
        evidence: str = "",
        sample: str = "",
        strength: float | None = None,
        source: str = "",
        observed_at: datetime | None = None,
        idempotency_key: str = "",
    ) -> Observed:
        """Submit one observation and wait for what it changed.

        Args:
            workspace: whose it is.
            room: inside it.
            path: `tool-result`, `user-message`, `agent-output` or `explicit-add`.
            text: free text; or
            claims: stated outright;
            relations: stated outright, too.
            evidence: how the claims in the text count, on an explicit add; each stated claim has its own.
            sample: likewise.
            strength: likewise, 0 to 1; None means 1.
            source: what it rests on; empty means the caller.
            observed_at: aware; None for now.
            idempotency_key: the same key with the same content is the same observation.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        whose = self._calls.workspace(workspace)
        response = await self._calls.write(
            self._calls.ingest.Observe,
            ingest_pb2.ObserveRequest(
                workspace=whose,
                room=room,
                idempotency_key=idempotency_key or new_key(),
                source=source,
                path=path,
                observed_at=timestamp(observed_at),
                text=text,
                claims=[claim_message(claim) for claim in claims],
                relations=[relation_message(relation) for relation in relations],
                evidence=evidence,
                sample=sample,
                strength=strength,
            ),
        )
        observed = result(response, Observed)
        self._calls.note(whose, observed.answer)
        return observed

    async def report_observations(
        self,
        uri: str,
        quotes: Sequence[QuoteSeen],
        *,
        version_token: str = "",
        workspace: str = "",
        idempotency_key: str = "",
    ) -> Answer:
        """Say which quotes a cited source was found to have, and which it has no longer.

        Raises:
            StanchionError: it was refused, or nobody answers.
        """
        return await self._calls.command(
            self._calls.ingest.ReportObservations,
            ingest_pb2.ReportObservationsRequest(
                workspace=self._calls.workspace(workspace),
                idempotency_key=idempotency_key or new_key(),
                uri=uri,
                version_token=version_token,
                quotes=[ingest_pb2.QuoteSeen(quote=each.quote, present=each.present) for each in quotes],
            ),
        )


async def _messages(
    events: AsyncIterable[Event] | Iterable[Event], workspace: str, *, await_answer: bool
) -> AsyncIterator[Request]:
    """Give events as they are sent."""
    if isinstance(events, AsyncIterable):
        async for event in events:
            yield event_message(event, workspace, await_answer=await_answer)
    else:
        for event in events:
            yield event_message(event, workspace, await_answer=await_answer)
