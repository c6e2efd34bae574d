"""Observations for the tests of extraction."""

import json

from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Event, Observation
from stanchion_contracts.value import Path

NOW_US = 1_800_000_000_000_000


def observation(
    body: Body, *, path: Path = "system-event", source: str = "urn:plant", agent: str = "urn:plant", refusal: str = ""
) -> Observation:
    """Give an observation as ingest stamps it."""
    return Observation(
        meta=Meta(
            id="obs_1",
            workspace="docs",
            time_us=NOW_US,
            seed=bytes(16),
            origin="observation:obs_1",
            actor=Actor(kind="service", id=agent),
        ),
        publisher=source,
        event_id="1",
        digest=bytes(32),
        source=source,
        agent=agent,
        path=path,
        observed_at_us=NOW_US - 1,
        body=body,
        refusal_code=refusal,
        refusal_detail="why" if refusal else "",
    )


def event(kind: str, data: object) -> Observation:
    """Give the observation of a structured event."""
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return observation(Body(event=Event(type=kind, data=raw)))
