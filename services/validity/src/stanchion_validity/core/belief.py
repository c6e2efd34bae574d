"""What fusion passes on, as changes: beliefs that moved, trust that was set, claims that were resolved."""

from stanchion_contracts.belief import Belief, BeliefUpdate, Likeliest, likeliest
from stanchion_contracts.change import Change, ResolutionChange, TrustChange
from stanchion_contracts.observation import Resolution, TrustSetting
from stanchion_contracts.value import Value
from stanchion_validity.core.outcome import Outcome


def move_belief(outcome: Outcome, update: BeliefUpdate) -> None:
    """Add a belief that moved; a re-evaluation that moved nothing is no change."""
    after = update.after
    known = outcome.workspace.beliefs.get((after.subject, after.predicate))
    if not update.added and known is not None and _same(known, after):
        return
    outcome.beliefs[after.subject, after.predicate] = after
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="belief.moved",
            subject_kind="belief",
            subject_id=f"{after.subject}/{after.predicate}",
            room=outcome.meta.room,
            reason=_told(update),
            belief=update,
        )
    )


def set_trust(outcome: Outcome, setting: TrustSetting, before: float | None) -> None:
    """Add a trust setting."""
    value = "taken back" if setting.value is None else f"set to {setting.value:g}"
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="trust.set",
            subject_kind="trust",
            subject_id=setting.name,
            reason=f"trust in {setting.name} {value}" + ("" if before is None else f", was {before:g}"),
            trust=TrustChange(name=setting.name, before=before, after=setting.value),
        )
    )


def resolve(outcome: Outcome, resolution: Resolution) -> None:
    """Add what turned out to be true of a claim, or that it is open again; the same word twice is no change."""
    claim = (resolution.subject, resolution.predicate)
    if outcome.workspace.resolved.get(claim) == resolution.value:
        return
    what = "open again" if resolution.value is None else f"resolved: {_shown(resolution.value)}"
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="claim.resolved",
            subject_kind="belief",
            subject_id=f"{resolution.subject}/{resolution.predicate}",
            room=outcome.meta.room,
            reason=f"{resolution.subject} {resolution.predicate} is {what}",
            resolution=ResolutionChange(
                subject=resolution.subject, predicate=resolution.predicate, value=resolution.value
            ),
        )
    )


def _same(before: Belief, after: Belief) -> bool:
    """Tell whether two beliefs say the same, whenever they were worked out."""
    return (before.values, before.unnamed, before.undecayed, before.vacuity_millionths) == (
        after.values,
        after.unnamed,
        after.undecayed,
        after.vacuity_millionths,
    )


def _told(update: BeliefUpdate) -> str:
    """Say in a sentence what is held likeliest now, and was before."""
    after, before = update.after, update.before
    was = "" if before is None else f", was {_held(before)}"
    return f"{after.subject} {after.predicate}: {_held(likeliest(after))}{was}"


def _held(held: Likeliest) -> str:
    """Show the likeliest value and its probability."""
    return "nothing named" if held.value is None else f"{_shown(held.value)} at {held.millionths / 1_000_000:.2f}"


def _shown(value: Value) -> str:
    """Show a value in few words."""
    text = value.text if len(value.text) <= 80 else value.text[:79] + "…"  # noqa: PLR2004 - a sentence, not a page
    return f"{value.op}{text} {value.unit}".rstrip()
