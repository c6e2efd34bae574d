"""Claims messages for the tests of fusion."""

from typing import Any, cast

from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import Resolution, TrustSetting
from stanchion_contracts.policy import PolicySetting
from stanchion_contracts.trust import Estimate
from stanchion_contracts.value import Evidence, Value, ValueType

NOW_US = 1_800_000_000_000_000
HALF_LIFE_S = 90 * 86_400


def meta(n: int = 0, workspace: str = "docs") -> Meta:
    """Give the head of the n-th message; time passes with n."""
    return Meta(
        id=f"obs_{n}",
        workspace=workspace,
        time_us=NOW_US + n * 1_000_000,
        seed=bytes(16),
        origin=f"observation:obs_{n}",
        actor=Actor(kind="service", id="plant"),
    )


def value(text: str, *, kind: str = "number", unit: str = "", op: str = "") -> Value:
    """Give a value."""
    return Value(type=cast("ValueType", kind), text=text, unit=unit, op=op)


def said(  # noqa: PLR0913 - a contribution has that many parts
    text: str,
    *,
    id: str = "",  # noqa: A002 - the field's own name
    kind: str = "number",
    subject: str = "pump",
    predicate: str = "temperature",
    source: str = "plant",
    agent: str = "",
    evidence: Evidence = "measurement",
    positive: bool = True,
    at_us: int = NOW_US,
) -> Contribution:
    """Give a contribution; its id follows from what it says unless told."""
    return Contribution(
        id=id or f"con_{subject}_{predicate}_{source}_{agent}_{evidence}_{kind}{text}_{positive}_{at_us}",
        subject=subject,
        predicate=predicate,
        value=value(text, kind=kind),
        positive=positive,
        evidence=evidence,
        source=source,
        agent=agent or source,
        observed_at_us=at_us,
    )


def claims(n: int, *contributions: Contribution, workspace: str = "docs") -> Claims:
    """Give the n-th message with contributions."""
    return Claims(meta=meta(n, workspace), contributions=contributions)


def trust(n: int, name: str, value: float | None, workspace: str = "docs") -> Claims:
    """Give the n-th message with a trust setting."""
    return Claims(meta=meta(n, workspace), trust=TrustSetting(name=name, value=value))


def policy(n: int, predicate: str = "", workspace: str = "docs", **parts: Any) -> Claims:  # noqa: ANN401 - a part's own
    """Give the n-th message with a policy."""
    return Claims(meta=meta(n, workspace), policy=PolicySetting(predicate=predicate, **parts))


def estimates(n: int, **trusts: float | None) -> Claims:
    """Give the n-th message with estimates of consensus."""
    found = (Estimate(name=name, trust=trust, accuracy=0.5, claims=3) for name, trust in sorted(trusts.items()))
    return Claims(meta=meta(n), estimates=tuple(found))


def resolve(n: int, truth: Value | None, subject: str = "pump", predicate: str = "temperature") -> Claims:
    """Give the n-th message with a resolution; None reopens the claim."""
    return Claims(meta=meta(n), resolution=Resolution(subject=subject, predicate=predicate, value=truth))
