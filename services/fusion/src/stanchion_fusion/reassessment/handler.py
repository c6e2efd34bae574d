"""What happens to an output of fusion: it is folded, and a tick's look gives what is asked of ingest."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from msgspec import Struct, field

from stanchion_contracts.belief import Beliefs
from stanchion_contracts.finding import Finding
from stanchion_contracts.meta import OURSELVES
from stanchion_contracts.observation import HOUR_US, Body
from stanchion_core.ids import observation_id
from stanchion_core.limits import ESTIMATES, FINDINGS
from stanchion_core.trust import DEFAULT_TRUST
from stanchion_fusion.core.workspace import Workspace
from stanchion_fusion.handler import State as Fused
from stanchion_fusion.handler import evolve as fold
from stanchion_fusion.reassessment.estimates import moved_estimates
from stanchion_fusion.reassessment.findings import FindingKey, key_of, moved_findings

MOST_MESSAGES: Final = 10
"""Messages of each kind that one look publishes; what is left is found again at the next."""

T = TypeVar("T")


class Seen(Struct, kw_only=True):
    """What is kept of one workspace beside what fusion keeps.

    Attributes:
        findings: what is open, as it was told.
        told: by name of source, its trust when it was last told that it moved.
        hour: of the last tick; -1 before the first.
        time_us: of the last tick.
        looked: the last tick's look is done, here or elsewhere.
        grown: claims or voices came since the last look.
        moved: anything that consensus goes by came since the last look.
    """

    findings: dict[FindingKey, Finding] = field(default_factory=dict)
    told: dict[str, float] = field(default_factory=dict)
    hour: int = -1
    time_us: int = 0
    looked: bool = True
    grown: bool = True
    moved: bool = True


class State(Struct, kw_only=True):
    """What the process keeps.

    Attributes:
        fused: as fusion keeps it.
        seen: by workspace, what is kept beside it.
    """

    fused: Fused = field(default_factory=Fused)
    seen: dict[str, Seen] = field(default_factory=dict)


class Asked(Struct, frozen=True, kw_only=True):
    """One request to publish; the same event id everywhere, so that doubles vanish.

    Attributes:
        event_id: `consensus:<hour>:<n>` or `findings:<hour>:<n>`, n from 1.
        body: estimates or findings.
    """

    event_id: str
    body: Body


def evolve(state: State, output: Beliefs) -> None:
    """Fold an output of fusion.

    Args:
        state: of the process.
        output: read back.
    """
    fold(state.fused, output)
    name = output.meta.workspace
    seen = state.seen.setdefault(name, Seen())
    if any(update.added for update in output.updates):
        seen.grown = seen.moved = True
    if output.policy is not None or output.trust is not None or output.resolution is not None:
        seen.moved = True
    if output.findings:
        _take_in(seen, output.findings, state.fused.workspaces[name])
    if output.tick is not None and (output.tick.hour > seen.hour or _ran_ahead(seen, output.meta.time_us)):
        seen.hour, seen.time_us, seen.looked = output.tick.hour, output.meta.time_us, False
    if not seen.looked and (output.estimates or output.findings):
        first = {observation_id(name, OURSELVES, f"{kind}:{seen.hour}:1") for kind in ("consensus", "findings")}
        seen.looked = output.meta.id in first


def _ran_ahead(seen: Seen, time_us: int) -> bool:
    """Tell whether the last tick's hour lies ahead: a gateway's clock was wrong, and ticks behind it are not old."""
    return seen.hour > time_us // HOUR_US + 1


def look(state: State, name: str) -> tuple[Asked, ...]:
    """Look over a workspace for its last tick: a function of what was folded up to there.

    Args:
        state: of the process; only what says that the look is done is written.
        name: of the workspace.
    """
    seen, workspace = state.seen[name], state.fused.workspaces[name]
    estimates = moved_estimates(workspace) if seen.moved and workspace.terms.consensus else ()
    findings = moved_findings(workspace, seen.findings, seen.told, now_us=seen.time_us, grown=seen.grown)
    seen.looked = True
    seen.moved = len(estimates) > ESTIMATES * MOST_MESSAGES
    seen.grown = len(findings) > FINDINGS * MOST_MESSAGES
    asked = [
        Asked(event_id=f"consensus:{seen.hour}:{number}", body=Body(estimates=part))
        for number, part in _parts(estimates, ESTIMATES)
    ]
    asked += [
        Asked(event_id=f"findings:{seen.hour}:{number}", body=Body(findings=part))
        for number, part in _parts(findings, FINDINGS)
    ]
    return tuple(asked)


def _take_in(seen: Seen, findings: Sequence[Finding], workspace: Workspace) -> None:
    """Keep what is open now, and how far sources are trusted of which it was told."""
    for one in findings:
        if one.closed:
            seen.findings.pop(key_of(one), None)
            continue
        seen.findings[key_of(one)] = one
        if one.kind == "trust_moved":
            seen.told[one.subject] = workspace.terms.trust.get(one.subject, DEFAULT_TRUST)


def _parts(whole: Sequence[T], size: int) -> Iterator[tuple[int, tuple[T, ...]]]:
    """Give what fits into the messages of one look, numbered from 1."""
    for number in range(min(MOST_MESSAGES, -(-len(whole) // size))):
        yield number + 1, tuple(whole[number * size : (number + 1) * size])
