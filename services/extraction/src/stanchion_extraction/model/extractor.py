"""What happens to an observation: its text goes to the model; what comes of it, to `requests` or the dead letters."""

import unicodedata
from collections.abc import Callable
from typing import Final, Protocol

from stanchion_contracts import codec
from stanchion_contracts.observation import Observation
from stanchion_core.errors import TOO_LARGE
from stanchion_extraction.model.answer import NamedClaim
from stanchion_extraction.model.claim import stated
from stanchion_extraction.model.eligible import text_of
from stanchion_extraction.model.endpoint import Unanswered
from stanchion_extraction.model.settings import ModelSettings
from stanchion_extraction.model.submission import answered_by, requests_of
from stanchion_runtime import deadletter
from stanchion_runtime.log import TRACEPARENT, Outgoing, Record, header
from stanchion_runtime.logs import logger
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.side import Addressed

NAME: Final = "extraction-model"
"""The process: its stage in dead letters, metrics and logs."""
ANSWER_HEADER: Final = "model_answer"
"""On a dead letter: what the endpoint answered last, cut."""


class Model(Protocol):
    """Names the claims of a text: an endpoint, or a test's own."""

    async def ask(self, text: str) -> tuple[NamedClaim, ...]:
        """Give the claims of a text.

        Raises:
            Unanswered: no claims came of it.
        """
        ...


class Extractor:
    """Reads observations, each once where that can be known."""

    def __init__(self, settings: ModelSettings, model: Model, metrics: Metrics, now_us: Callable[[], int]) -> None:
        """Begin with nothing known of any partition.

        Args:
            settings: what is read, and what the model is called.
            model: names the claims.
            metrics: what is counted.
            now_us: the wall clock, microseconds since the epoch.
        """
        self._settings = settings
        self._model = model
        self._metrics = metrics
        self._now_us = now_us
        self._only = settings.only
        self._open: dict[int, dict[str, bool]] = {}

    def adopted(self, partition: int) -> None:
        """A partition is read anew: forget what was known of it."""
        self._open[partition] = {}

    def ahead(self, record: Record) -> None:
        """See a record before its turn: a text that is to be read, or the claims of one that was read before.

        A process that ended between publishing and committing finds here what it, or another copy, had submitted.
        """
        observation = _observation(record)
        waiting = self._open.setdefault(record.partition, {})
        if observation is None:
            return
        answered = answered_by(observation, self._settings.called)
        if answered in waiting:
            waiting[answered] = True
        elif self._text(observation):
            waiting[observation.meta.id] = False

    async def work(self, record: Record) -> tuple[Addressed, ...]:
        """Give what is to be published of one observation; nothing where there is nothing to read or to submit."""
        observation = _observation(record)
        text = "" if observation is None else self._text(observation)
        if observation is None or not text:
            return ()
        waiting = self._open.setdefault(record.partition, {})
        try:
            if waiting.get(observation.meta.id):
                return ()
            made = await self._made(record, observation, text)
            return () if waiting.get(observation.meta.id) else made  # another copy was faster
        finally:
            waiting.pop(observation.meta.id, None)

    async def _made(self, record: Record, observation: Observation, text: str) -> tuple[Addressed, ...]:
        """Give the requests that submit a text's claims, or its dead letter."""
        size, most = len(text.encode()), self._settings.text_bytes
        if size > most:
            return self._letter(record, TOO_LARGE, f"the text has {size} bytes; a model is given at most {most}", b"")
        try:
            with self._metrics.model_in_flight.track_inprogress():
                named = await self._model.ask(text)
        except Unanswered as error:
            return self._letter(record, error.code, error.detail, error.answer)
        found = stated(named, unicodedata.normalize("NFC", text))
        self._metrics.model_claims.inc(found.count)
        for why, count in found.dropped.items():
            self._metrics.model_dropped.labels(why).inc(count)
        trace = header(record, TRACEPARENT)
        headers = () if trace is None else ((TRACEPARENT, trace),)
        requests = requests_of(observation, found, called=self._settings.called, now_us=self._now_us())
        return tuple(("requests", Outgoing(value=codec.encode(request), headers=headers)) for request in requests)

    def _letter(self, record: Record, code: str, detail: str, answer: bytes) -> tuple[Addressed, ...]:
        """Give an observation's dead letter."""
        self._metrics.dead_letters.labels(NAME, code).inc()
        place = f"{record.topic}:{record.partition}:{record.offset}"
        logger().warning("dead letter", cause=place, code=code)
        headers = (*record.headers, *(((ANSWER_HEADER, answer),) if answer else ()))
        kept = Record(
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            timestamp_us=record.timestamp_us,
            value=record.value,
            headers=headers,
        )
        return ((deadletter.TOPIC, deadletter.letter(NAME, kept, code, detail, self._now_us())),)

    def _text(self, observation: Observation) -> str:
        """Give the text that is to be read, empty for none."""
        return text_of(observation, documents=self._settings.documents, only=self._only)


def _observation(record: Record) -> Observation | None:
    """Read a record; None for an empty output. What a newer version wrote stops the process: skipped, it were lost."""
    return codec.decode(record.value, Observation) if record.value else None
