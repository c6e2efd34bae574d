"""The line from fusion to the ledger without a broker: what is said of claims, as a view would read it."""

from typing import Any

from stanchion_contracts import codec
from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Resolution, TrustSetting
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.value import Evidence, Value
from stanchion_core.ids import derived_id
from stanchion_fusion.core.workspace import Workspace
from support.chain import Chain

DAY_US = 86_400_000_000
MAYA = Actor(kind="person", id="maya", capabilities=("admin", "approve", "calibrate", "read", "write"))


class Line:
    """One workspace's way from claims to the ledger; what a stage writes the next one reads, through the codec.

    Attributes:
        now_us: of the next message; stands still unless it is moved.
        chain: the stages, with their states.
    """

    def __init__(self, now_us: int, workspace: str = "acme") -> None:
        self.now_us = now_us
        self.chain = Chain()
        self._workspace = workspace
        self._count = 0

    @property
    def fusion(self) -> Workspace:
        """What fusion keeps."""
        state: Any = self.chain.states[1]
        found: Workspace = state.workspaces[self._workspace]
        return found

    def say(self, *contributions: Contribution, **parts: Any) -> Ledger:  # noqa: ANN401 - the message's own
        """Let a message go down the line, as extraction would write it; no entries where it changes nothing."""
        self._count += 1
        ledger = self.chain.outputs[-1]
        before = len(ledger)
        meta = Meta(
            id=f"obs_{self._count}",
            workspace=self._workspace,
            time_us=self.now_us,
            seed=bytes(16),
            origin=f"observation:obs_{self._count}",
            actor=MAYA,
        )
        self.chain.claims(Claims(meta=meta, contributions=contributions, **parts))
        if len(ledger) == before:
            return Ledger(meta=meta, size=0, entries=(), payloads=())
        return codec.decode(ledger[-1], Ledger)

    def trust(self, name: str, value: float | None) -> Ledger:
        """Set how far a name is trusted."""
        return self.say(trust=TrustSetting(name=name, value=value))

    def rule(self, **parts: Any) -> Ledger:  # noqa: ANN401 - the setting's own
        """Set how beliefs are worked out."""
        return self.say(policy=PolicySetting(**parts))

    def resolve(self, subject: str, predicate: str, value: Value | None) -> Ledger:
        """Say what turned out to be true."""
        return self.say(resolution=Resolution(subject=subject, predicate=predicate, value=value))


def voice(  # noqa: PLR0913 - a contribution has that many parts
    subject: str,
    value: Value,
    source: str = "crm",
    *,
    predicate: str = "tam",
    agent: str = "",
    evidence: Evidence = "measurement",
    positive: bool = True,
    at_us: int,
    **parts: Any,  # noqa: ANN401 - the contribution's own
) -> Contribution:
    """One voice on one claim."""
    said = (subject, predicate, value.text, value.unit, source, agent, evidence, str(positive), str(at_us))
    return Contribution(
        id=derived_id("con", *said),
        subject=subject,
        predicate=predicate,
        value=value,
        positive=positive,
        evidence=evidence,
        source=source,
        agent=agent or source,
        observed_at_us=at_us,
        **parts,
    )


def number(text: str, unit: str = "") -> Value:
    """A number."""
    return Value(type="number", text=text, unit=unit)
