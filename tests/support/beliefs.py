"""Claims messages for the tests of fusion."""

from stanchion_contracts.claim import Claims, Contribution
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.observation import TrustSetting
from stanchion_contracts.value import Evidence, Value

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


def said(  # noqa: PLR0913 - a contribution has that many parts
    text: str,
    *,
    id: str = "",  # noqa: A002 - the field's own name
    subject: str = "pump",
    source: str = "plant",
    agent: str = "",
    evidence: Evidence = "measurement",
    positive: bool = True,
    at_us: int = NOW_US,
) -> Contribution:
    """Give a contribution; its id follows from what it says unless told."""
    return Contribution(
        id=id or f"con_{subject}_{source}_{agent}_{evidence}_{text}_{positive}_{at_us}",
        subject=subject,
        predicate="temperature",
        value=Value(type="number", text=text),
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
