"""What happens to an observation."""

import msgspec
import pytest

from stanchion_contracts import codec
from stanchion_contracts.deadletter import DeadLetter
from stanchion_contracts.observation import (
    Body,
    Document,
    Event,
    Observation,
    Request,
    StatedClaim,
    Tick,
    TrustSetting,
)
from stanchion_contracts.value import Value
from stanchion_extraction.model.answer import NamedClaim, NamedValue
from stanchion_extraction.model.endpoint import Unanswered
from stanchion_extraction.model.extractor import Extractor
from stanchion_extraction.model.settings import ModelSettings
from stanchion_runtime.log import Record
from stanchion_runtime.metrics import Metrics
from stanchion_runtime.side import Addressed
from support.observations import NOW_US, observation

TEXT = "Gartner says the TAM is $5B. Churn is 4%."
TRACE = ("traceparent", b"00-1-2-01")


class Named:
    """A model that names what it is told to, or says why not."""

    def __init__(self, *claims: NamedClaim, error: Unanswered | None = None) -> None:
        self.claims = claims
        self.error = error
        self.texts: list[str] = []

    async def ask(self, text: str) -> tuple[NamedClaim, ...]:
        """Give the claims."""
        self.texts.append(text)
        if self.error is not None:
            raise self.error
        return self.claims


def tam(source: str = "", quote: str = "the TAM is $5B") -> NamedClaim:
    """Give a claim of the text."""
    value = NamedValue(type="money", text="5e9", unit="usd", op="")
    return NamedClaim(subject="TAM", predicate="is", value=value, positive=True, source=source, quote=quote)


CHURN = NamedClaim(
    subject="Churn",
    predicate="is",
    value=NamedValue(type="percent", text="4", unit="%", op=""),
    positive=True,
    source="",
    quote="Churn is 4%.",
)


def extractor(model: Named, **more: object) -> Extractor:
    """Give an extractor under test."""
    settings = ModelSettings(url="http://127.0.0.1:1", model="small", **more)  # type: ignore[arg-type] # pydantic checks
    return Extractor(settings, model, Metrics(), lambda: NOW_US + 7)


def record(message: Observation, offset: int = 5) -> Record:
    """Give an observation as it stands in the topic."""
    value = codec.encode(message)
    return Record(topic="observations", partition=3, offset=offset, timestamp_us=0, value=value, headers=(TRACE,))


def said(text: str = TEXT, **parts: object) -> Observation:
    """Give the observation of what a user said."""
    made = observation(Body(text=text), path="user-message", source="ann", agent="ann")
    meta = msgspec.structs.replace(made.meta, room="sales")
    return msgspec.structs.replace(made, meta=meta, **parts)


def requests(made: tuple[Addressed, ...]) -> list[Request]:
    """Give what is submitted."""
    assert ["requests"] * len(made) == [topic for topic, _ in made]
    return [codec.decode(outgoing.value, Request) for _, outgoing in made]


async def test_claims_are_submitted_as_the_models() -> None:
    """One request for each source, whose ids name observation and model; room, time and trace are the observation's."""
    made = await extractor(Named(tam("Gartner"), CHURN)).work(record(said()))
    own, gartner = requests(made)
    assert ("obs_1:small", "obs_1:small:2") == (own.event_id, gartner.event_id)
    assert ("ann", "Gartner") == (own.source, gartner.source)
    for request in (own, gartner):
        assert ("model:small", "agent-output", NOW_US - 1) == (request.publisher, request.path, request.observed_at_us)
        assert ("agent", "model:small") == (request.meta.actor.kind, request.meta.actor.id)
        assert ("docs", "sales", NOW_US + 7) == (request.meta.workspace, request.meta.room, request.meta.time_us)
    value = Value(type="money", text="5000000000", unit="USD")
    quote = "Gartner says the TAM is $5B."
    assert Body(claims=(StatedClaim(subject="TAM", predicate="is", value=value, quote=quote),)) == gartner.body
    assert [(TRACE,), (TRACE,)] == [outgoing.headers for _, outgoing in made]


async def test_again_is_the_same_again() -> None:
    """Two copies of the process submit the same bytes but for the stamp, which ingest makes anew."""
    first, second = [await extractor(Named(tam("Gartner"), CHURN)).work(record(said())) for _ in range(2)]
    assert first == second
    (other,) = requests(await extractor(Named(CHURN), name="acme/small").work(record(said())))
    assert ("obs_1:acme/small", "model:acme/small") == (other.event_id, other.publisher)


@pytest.mark.parametrize(
    "message",
    [
        said(refusal_code="FIELD_VALUE"),
        said(repeated=True),
        said("  \n"),
        said(publisher="model:other"),
        said(agent="model:small"),
        observation(Body(tick=Tick(hour=1))),
        observation(Body(trust=TrustSetting(name="ann", value=0.5))),
        observation(Body(event=Event(type="t", data=b"{}"))),
        observation(Body(claims=(StatedClaim(subject="a", predicate="b", value=Value(type="number", text="1")),))),
        observation(Body(document=Document(uri="a.md", text=TEXT))),
    ],
)
async def test_what_no_model_reads(message: Observation) -> None:
    """Not what a model said, nor refusals, repeats, settings, ticks, events, claims; nor documents unless told."""
    model = Named(tam())
    assert () == await extractor(model).work(record(message))
    assert [] == model.texts


async def test_documents_and_workspaces_as_told() -> None:
    """Documents are read where that is set; of the workspaces, only those that are named."""
    document = observation(Body(document=Document(uri="a.md", text=TEXT)))
    gone = observation(Body(document=Document(uri="a.md", deleted=True)))
    model = Named(tam())
    assert 1 == len(await extractor(model, documents=True).work(record(document)))
    assert () == await extractor(model, documents=True).work(record(gone))
    assert () == await extractor(model, workspaces="ops").work(record(said()))
    assert 1 == len(await extractor(model, workspaces="ops,docs").work(record(said())))


async def test_an_empty_output_is_nothing() -> None:
    """An input that ingest made nothing of has an output all the same."""
    empty = Record(topic="observations", partition=3, offset=1, timestamp_us=0, value=b"", headers=())
    reading = extractor(Named(tam()))
    reading.ahead(empty)
    assert () == await reading.work(empty)


async def test_no_claims_are_nothing_to_submit() -> None:
    """A text that states nothing, or of whose claims none stands, gives no request and no dead letter."""
    assert () == await extractor(Named()).work(record(said()))
    assert () == await extractor(Named(tam(quote="The TAM is $6B."))).work(record(said()))


async def test_what_failed_becomes_a_dead_letter() -> None:
    """It holds the observation, its place, the reason, and what was answered."""
    error = Unanswered("MODEL_ANSWER", "no JSON (attempt 5)", b"I think so")
    ((topic, outgoing),) = await extractor(Named(error=error)).work(record(said()))
    letter = codec.decode(outgoing.value, DeadLetter)
    assert ("deadletters", "extraction-model", "MODEL_ANSWER") == (topic, letter.stage, letter.code)
    assert ("observations:3:5", "no JSON (attempt 5)") == (letter.cause, letter.detail)
    assert said() == codec.decode(letter.raw, Observation)
    assert [("traceparent", TRACE[1]), ("model_answer", b"I think so")] == [
        (header.name, header.value) for header in letter.headers
    ]


async def test_a_text_that_is_too_long() -> None:
    """It is not cut in silence: it goes to the dead letters, and nowhere else."""
    model = Named(tam())
    ((_, outgoing),) = await extractor(model, text_bytes=40).work(record(said()))
    letter = codec.decode(outgoing.value, DeadLetter)
    assert ("TOO_LARGE", "the text has 41 bytes; a model is given at most 40") == (letter.code, letter.detail)
    assert [] == model.texts


def submitted(identity: str = "obs_1", publisher: str = "model:small", number: int = 1) -> Observation:
    """Give the observation of a model's claims."""
    stated = StatedClaim(subject="a", predicate="b", value=Value(type="number", text="1"))
    made = observation(Body(claims=(stated,)), path="agent-output", source="ann", agent=publisher)
    event_id = f"{identity}:{publisher.removeprefix('model:')}" + (f":{number}" if number > 1 else "")
    return msgspec.structs.replace(made, publisher=publisher, event_id=event_id)


@pytest.mark.parametrize("number", [1, 2])
async def test_what_was_submitted_before_is_not_asked_again(number: int) -> None:
    """After a kill between publishing and committing, the log itself says so: a model may answer otherwise today."""
    model = Named(tam())
    reading = extractor(model)
    reading.adopted(3)
    for each in (said(), submitted("obs_9"), submitted(number=number)):
        reading.ahead(record(each))
    assert () == await reading.work(record(said()))
    assert [] == model.texts
    assert 1 == len(await reading.work(record(said())))  # known no more: the memory is bounded by what is open


async def test_what_another_model_submitted_is_no_answer_of_ours() -> None:
    """Two models read the same text, each for itself."""
    reading = extractor(Named(tam()))
    reading.adopted(3)
    for each in (said(), submitted(publisher="model:other"), submitted("obs_2")):
        reading.ahead(record(each))
    assert 1 == len(await reading.work(record(said())))


async def test_a_copy_that_was_faster() -> None:
    """Claims that arrive while the same text is with the model are the answer; ours are let go."""
    model = Named(tam())
    reading = extractor(model)
    reading.ahead(record(said()))

    class Slow(Named):
        async def ask(self, text: str) -> tuple[NamedClaim, ...]:
            reading.ahead(record(submitted()))
            return await super().ask(text)

    reading._model = slow = Slow(tam())
    assert ((), [TEXT]) == (await reading.work(record(said())), slow.texts)
