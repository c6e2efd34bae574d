"""What happens to a message: an upstream event or a gateway's request becomes an observation, once."""

import functools
from collections import deque
from typing import Any, Final

from msgspec import Struct, field

from stanchion_contracts import codec
from stanchion_contracts.meta import OURSELVES, Actor, Meta
from stanchion_contracts.observation import Body, Observation, Request
from stanchion_core.errors import EVENT_ID_REUSED, FIELD_VALUE, InvalidMessage
from stanchion_core.ids import content_digest, observation_id, partition_of
from stanchion_core.limits import EVENT_ID_CHARS, NAME_CHARS
from stanchion_core.rerouted import Rerouted
from stanchion_core.text import required
from stanchion_ingest.core.asked import OURS, asked_content
from stanchion_ingest.core.content import Content, event_content
from stanchion_ingest.core.name import publisher_name, room_name, workspace_name
from stanchion_ingest.upstream import EVENT_ID_HEADER, read_inbox

REMEMBERED_US: Final = 24 * 3_600 * 1_000_000
"""How long an event id is remembered, microseconds of message time."""
REMEMBERED: Final = 100_000
"""How many event ids one partition remembers."""

REPLY_TO: Final = "reply_to"
"""The Kafka header that says a caller waits."""

_ID_HEAD: Final = len("obs_")
_DIGEST_BYTES: Final = 16
_partition_of: Final = functools.lru_cache(maxsize=65_536)(partition_of)


class Arrival(Struct, frozen=True, kw_only=True):
    """One record as it reached ingest, stamped; the one place where time and chance enter the observation line.

    Attributes:
        topic: `inbox` or `requests`.
        partition: where it stood.
        offset: where it stood.
        value: as it came.
        headers: as they came.
        received_at_us: the stamp, microseconds since the epoch.
        seed: 16 random bytes.
    """

    topic: str
    partition: int
    offset: int
    value: bytes
    headers: tuple[tuple[str, bytes], ...]
    received_at_us: int
    seed: bytes

    @property
    def place(self) -> str:
        """Give `topic:partition:offset`."""
        return f"{self.topic}:{self.partition}:{self.offset}"


class State(Struct, kw_only=True):
    """What one partition remembers: which event ids it has seen lately, and with what content.

    Attributes:
        seen: 16 bytes of observation id, which stands for (workspace, publisher, event id) → 16 bytes of the content's
            digest and 8 bytes of time.
        order: the same ids, oldest first.
        latest_us: the latest stamp seen.
    """

    seen: dict[bytes, bytes] = field(default_factory=dict)
    order: deque[bytes] = field(default_factory=deque)
    latest_us: int = 0


def decide(state: State, arrival: Arrival, *, partitions: int) -> Observation | Rerouted | None:
    """Give the observation a record makes.

    None for a repeat; the record again where another partition must handle it. Where a caller waits, a refusal or the
    word that it is a repeat.

    Args:
        state: of the record's partition.
        arrival: the record.
        partitions: how many the topic has.

    Raises:
        InvalidMessage: the record can never be processed, and nobody waits for its answer.
    """
    if arrival.topic == "inbox":
        return _decide_event(state, arrival, partitions)
    return _decide_request(state, arrival, partitions)


def evolve(state: State, output: Observation) -> None:
    """Remember an observation's event id, and forget what is too old or too much; mere answers are not remembered."""
    if output.refusal_code or output.repeated:
        return
    key = _key(output.meta.id)
    if key in state.seen:  # known, but too old to count: it came again before its turn to be forgotten
        state.order.remove(key)
    state.seen[key] = output.digest[:_DIGEST_BYTES] + output.meta.time_us.to_bytes(8, "big", signed=True)
    state.order.append(key)
    state.latest_us = max(state.latest_us, output.meta.time_us)
    horizon_us = state.latest_us - REMEMBERED_US
    while len(state.order) > REMEMBERED or _time_us(state.seen[state.order[0]]) < horizon_us:
        del state.seen[state.order.popleft()]


def _decide_event(state: State, arrival: Arrival, partitions: int) -> Observation | Rerouted | None:
    """Decide on a record of the inbox.

    Raises:
        InvalidMessage: as `decide`.
    """
    read = read_inbox(arrival.value, arrival.headers, arrival.place)
    event = read.event
    if _partition_of(event.workspace, partitions) != arrival.partition:
        place = () if read.named else ((EVENT_ID_HEADER, arrival.place.encode()),)
        return Rerouted(workspace=event.workspace, value=arrival.value, headers=arrival.headers + place)
    return _once(
        state,
        _observation(
            arrival,
            workspace=event.workspace,
            room=event.room,
            publisher=event.source,
            event_id=event.id,
            source=event.source,
            actor=Actor(kind="service", id=event.source),
            content=event_content(event, event.room, arrival.received_at_us),
        ),
    )


def _decide_request(state: State, arrival: Arrival, partitions: int) -> Observation | None:
    """Decide on a gateway's request.

    Raises:
        InvalidMessage: as `decide`; always for bytes, names and partitions that no gateway of ours writes.
    """
    request = codec.decode(arrival.value, Request)
    workspace, room = workspace_name(request.meta.workspace), room_name(request.meta.room)
    if _partition_of(workspace, partitions) != arrival.partition:
        where = f"partition {arrival.partition} of {partitions}"
        raise InvalidMessage(
            FIELD_VALUE, f"workspace {workspace} is not on {where}; check what the gateway runs against"
        )
    waiting = any(name == REPLY_TO for name, _ in arrival.headers)
    try:
        observation = _once(state, _asked(arrival, request, workspace, room))
    except InvalidMessage as error:
        if not waiting:
            raise
        return _answer(arrival, request, "refused", refusal_code=error.code, refusal_detail=error.detail)
    if observation is None and waiting:
        return _answer(arrival, request, "repeated", repeated=True)
    return observation


def _asked(arrival: Arrival, request: Request, workspace: str, room: str) -> Observation:
    """Give the observation a request makes.

    Raises:
        InvalidMessage: as `decide`.
    """
    event, received_at_us = request.event, arrival.received_at_us
    if event is not None:
        publisher = source = publisher_name(event.source, "source")
        content = event_content(event, room, received_at_us)
    else:
        content = asked_content(request, received_at_us)
        source = required(request.source or request.meta.actor.id, "source", chars=NAME_CHARS)
        ours = any(getattr(content.body, part) for part in OURS)
        publisher = OURSELVES if ours else publisher_name(request.publisher, "publisher")
    return _observation(
        arrival,
        workspace=workspace,
        room=room,
        publisher=publisher,
        event_id=required(request.event_id, "event id", chars=EVENT_ID_CHARS),
        source=source,
        actor=request.meta.actor,
        content=content,
    )


def _observation(  # noqa: PLR0913 - the parts of one value
    arrival: Arrival,
    *,
    workspace: str,
    room: str,
    publisher: str,
    event_id: str,
    source: str,
    actor: Actor,
    content: Content,
) -> Observation:
    """Give the stamped observation of screened parts."""
    identity = observation_id(workspace, publisher, event_id)
    return Observation(
        meta=Meta(
            id=identity,
            workspace=workspace,
            room=room,
            time_us=arrival.received_at_us,
            seed=arrival.seed,
            origin=f"observation:{identity}",
            actor=actor,
        ),
        publisher=publisher,
        event_id=event_id,
        digest=content.digest,
        source=source,
        agent=actor.id,
        path=content.path,
        observed_at_us=content.observed_at_us,
        body=content.body,
    )


def _once(state: State, observation: Observation) -> Observation | None:
    """Give the observation when its event id is new, None when it repeats.

    Raises:
        InvalidMessage: `EVENT_ID_REUSED` when the id came with other content within the last 24 hours.
    """
    seen = state.seen.get(_key(observation.meta.id))
    if seen is None or _time_us(seen) < observation.meta.time_us - REMEMBERED_US:
        return observation
    if seen[:_DIGEST_BYTES] == observation.digest[:_DIGEST_BYTES]:
        return None
    raise InvalidMessage(
        EVENT_ID_REUSED,
        f"{observation.publisher} gave event id {observation.event_id} to other content before; use a new id",
    )


def _answer(arrival: Arrival, request: Request, word: str, **parts: Any) -> Observation:  # noqa: ANN401 - further fields
    """Give what answers a waiting caller down the line; it names the request's own workspace, nothing else of it."""
    identity = observation_id(request.meta.workspace, request.publisher, f"{request.event_id} {word} {arrival.place}")
    return Observation(
        meta=Meta(
            id=identity,
            workspace=request.meta.workspace,
            room=request.meta.room,
            time_us=arrival.received_at_us,
            seed=arrival.seed,
            origin=f"observation:{identity}",
            actor=request.meta.actor,
        ),
        publisher=request.publisher,
        event_id=request.event_id,
        digest=content_digest((arrival.value,)),
        source=request.source,
        agent=request.meta.actor.id,
        path=request.path,
        observed_at_us=arrival.received_at_us,
        body=Body(),
        **parts,
    )


def _key(identity: str) -> bytes:
    """Give the 16 bytes that an observation's id is derived to."""
    return bytes.fromhex(identity[_ID_HEAD:])


def _time_us(seen: bytes) -> int:
    """Give when an id was seen."""
    return int.from_bytes(seen[_DIGEST_BYTES:], "big", signed=True)
