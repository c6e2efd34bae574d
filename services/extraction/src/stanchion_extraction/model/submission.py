"""What is submitted: requests whose ids name observation and model, so that a repeat is the same again."""

from typing import Final

from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Observation, Request
from stanchion_core.ids import content_digest, observation_id
from stanchion_extraction.handler import MODEL
from stanchion_extraction.model.claim import Stated

_SEED_BYTES: Final = 16


def requests_of(observation: Observation, stated: Stated, *, called: str, now_us: int) -> tuple[Request, ...]:
    """Give the requests that submit a model's claims: one for each source, for a request has one.

    The first is `<observation id>:<model>`, further ones have their number behind it. So ids depend on nothing that a
    model may say otherwise the second time, and ingest takes each once.

    Args:
        observation: whose text was read.
        stated: what is submitted.
        called: `model:<name>`.
        now_us: microseconds since the epoch; ingest stamps anew.
    """
    return tuple(
        _request(
            observation,
            body=Body(claims=claims),
            source=source,
            identity=event_id(observation.meta.id, called, number),
            called=called,
            now_us=now_us,
        )
        for number, (source, claims) in enumerate(stated.by_source.items(), start=1)
    )


def event_id(identity: str, called: str, number: int = 1) -> str:
    """Give the event id of one submission.

    Args:
        identity: of the observation.
        called: `model:<name>`.
        number: of the submission, from 1.
    """
    whole = f"{identity}:{called.removeprefix(MODEL)}"
    return whole if number == 1 else f"{whole}:{number}"


def answered_by(observation: Observation, called: str) -> str:
    """Give the id of the observation that an observation submits this model's claims of; empty when it is no such."""
    if observation.publisher != called or observation.refusal_code or observation.repeated:
        return ""
    return observation.event_id.partition(":")[0]


def _request(  # noqa: PLR0913 - the parts of one value
    observation: Observation, *, body: Body, source: str, identity: str, called: str, now_us: int
) -> Request:
    """Give one request."""
    own = observation_id(observation.meta.workspace, called, identity)
    return Request(
        meta=Meta(
            id=own,
            workspace=observation.meta.workspace,
            room=observation.meta.room,
            time_us=now_us,
            seed=content_digest([own.encode()])[:_SEED_BYTES],
            origin=f"observation:{own}",
            actor=Actor(kind="agent", id=called),
        ),
        event_id=identity,
        publisher=called,
        source=source or observation.source,
        path="agent-output",
        observed_at_us=observation.observed_at_us,
        body=body,
    )
