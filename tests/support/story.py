"""A workspace's story told to the whole line without a broker: what callers and systems say goes through ingest."""

from typing import Any

from stanchion_contracts import codec
from stanchion_contracts.belief import Beliefs
from stanchion_contracts.change import Changes, Proposal
from stanchion_contracts.command import Command, Write, WriteBatch
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Body, Observation, Reassess, Request, Tick, own_request
from stanchion_core.walk import Validity, validity
from stanchion_fusion.reassessment.handler import State as Beside
from stanchion_fusion.reassessment.handler import evolve as see
from stanchion_fusion.reassessment.handler import look
from stanchion_ingest.errands import BRINGING_WORK
from stanchion_ingest.handler import Arrival, State
from stanchion_validity.core.workspace import Workspace
from stanchion_validity.handler import State as Kept
from support.arrivals import ANNOUNCED, NOW_US, arrival, asked, cloud_event, request, run
from support.chain import Chain

MAYA = Actor(kind="person", id="maya", capabilities=("approve", "calibrate", "read", "reject", "write"))
BOT = Actor(kind="agent", id="bot", on_behalf_of="maya", capabilities=("read", "write"))
HOUR_US = 3_600_000_000
_FUSION, _VALIDITY = 1, 2


class Story:
    """What is said and written in workspace acme, a second after what was before it.

    Attributes:
        chain: the stages behind ingest.
        now_us: the time of the last thing.
        told: every observation that went down the line.
    """

    def __init__(self, *, twice: bool = False) -> None:
        """Begin with nothing.

        Args:
            twice: everything reaches extraction twice, as when ingest has forgotten it; the second time is to change
                nothing.
        """
        self.chain = Chain()
        self.now_us = NOW_US
        self.told: list[Observation] = []
        self._twice = twice
        self._ingest = State()
        self._number = 0

    @property
    def workspace(self) -> Workspace:
        """The workspace as validity keeps it."""
        kept = self.chain.states[_VALIDITY]
        assert isinstance(kept, Kept)
        return kept.workspaces["acme"]

    def event(self, **members: object) -> Changes:
        """Let an upstream system publish an event."""
        return self._observe(arrival(cloud_event(id=self._next(), **members), ANNOUNCED, at_us=self.now_us))

    def measure(self, source: str, subject: str, predicate: str, value: object, unit: str = "") -> Changes:
        """Let an upstream system publish a measurement."""
        data = {"subject": subject, "predicate": predicate, "value": value, "unit": unit}
        return self.event(type="stanchion.measurement.v1", source=source, data=data)

    def ask(self, body: Body, *, source: str = "", **parts: Any) -> Changes:  # noqa: ANN401 - parts of a request
        """Let Maya ask for something through a gateway."""
        return self._request(request(body, event_id=self._next(), publisher="maya", source=source or "maya", **parts))

    def own(self, body: Body, event_id: str = "") -> Changes:
        """Let Stanchion itself say something."""
        return self._request(own_request("acme", event_id or self._next(), body, self.now_us))

    def write(self, *writes: Write, actor: Actor = MAYA, **parts: Any) -> Changes:  # noqa: ANN401 - another part of a command
        """Write records, or give another command."""
        name = f"cmd_{self._next()}"
        meta = Meta(
            id=name, workspace="acme", time_us=self.now_us, seed=bytes(16), origin=f"command:{name}", actor=actor
        )
        part = parts or {"write_batch": WriteBatch(writes=writes)}
        return self._told(lambda: self.chain.command(Command(meta=meta, key="", digest=b"", **part)))

    def reassess(self, first: Changes, gateways: int = 1) -> list[Changes]:
        """Ask for more work as a gateway's errand does, until nothing remains; of several each asks under one id."""
        answers, number = [first], 0
        seq = next(change.seq for change in first.changes if change.action in BRINGING_WORK)
        while answers[-1].remaining:
            number += 1
            body, event_id = Body(reassess=Reassess(trust_seq=seq, n=number)), f"reassess:{seq}:{number}"
            answers += [self.own(body, event_id) for _ in range(gateways)]
        return answers[1:]

    def look(self) -> list[Changes]:
        """Let an hour come, and what runs beside the line look over all beliefs and say what it found."""
        self.now_us += HOUR_US
        self.own(Body(tick=Tick(hour=self.now_us // HOUR_US)))
        beside = Beside()
        for value in self.chain.outputs[_FUSION]:
            see(beside, codec.decode_folded(value, Beliefs))
        return [self.own(one.body, one.event_id) for one in look(beside, "acme")]

    def read(self, record_id: str) -> Validity:
        """Read whether a record still holds."""
        workspace = self.workspace
        return validity(workspace.heads.records.get, record_id, self.now_us, workspace.seq)

    def proposals(self) -> tuple[Proposal, ...]:
        """Give what waits for a person."""
        return tuple(self.workspace.heads.proposals.values())

    def _next(self) -> str:
        self._number += 1
        self.now_us += 1_000_000
        return f"s-{self._number}"

    def _request(self, message: Request) -> Changes:
        return self._observe(asked(message, waiting=True, at_us=self.now_us))

    def _observe(self, record: Arrival) -> Changes:
        (observation,) = run(self._ingest, record)
        assert isinstance(observation, Observation), observation
        self.told.append(observation)
        changes = self._told(lambda: self.chain.observe(observation))
        if self._twice and not changes.remaining:  # while work remains, any message does some
            assert () == self._told(lambda: self.chain.observe(observation)).changes
        return changes

    def _told(self, tell: Any) -> Changes:  # noqa: ANN401 - a function without arguments
        before = len(self.chain.outputs[_VALIDITY])
        tell()
        (value,) = self.chain.outputs[_VALIDITY][before:]
        return codec.decode(value, Changes)
