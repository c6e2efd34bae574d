"""What fusion passes on of claims, as changes: beliefs that moved, claims that were resolved."""

import msgspec

from stanchion_contracts.belief import Belief, Beliefs, BeliefUpdate, Likeliest, likeliest
from stanchion_contracts.change import Change, ResolutionChange
from stanchion_contracts.observation import Resolution
from stanchion_contracts.trust import Judgement
from stanchion_contracts.value import Value
from stanchion_core.quantity import in_words
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


def resolve(outcome: Outcome, message: Beliefs) -> None:
    """Add what turned out to be true of a claim, or that it is open again; the same word twice is no change.

    Args:
        outcome: of this input.
        message: with a resolution: what the claim was resolved to before, and who had said what of it.
    """
    resolution = message.resolution
    if resolution is None:
        return
    known = outcome.workspace.resolved.get((resolution.subject, resolution.predicate))
    if known == resolution.value:
        return
    before = message.resolved_before or known  # what an older fusion passed on does not say
    outcome.add(
        Change(
            seq=outcome.next_seq,
            action="claim.resolved",
            subject_kind="belief",
            subject_id=f"{resolution.subject}/{resolution.predicate}",
            room=outcome.meta.room,
            reason=_came_out(resolution, before, message.judged),
            resolution=ResolutionChange(
                subject=resolution.subject,
                predicate=resolution.predicate,
                value=resolution.value,
                before=before,
                judged=message.judged,
            ),
        )
    )


def _same(before: Belief, after: Belief) -> bool:
    """Tell whether two beliefs say the same, whenever they were worked out."""
    return msgspec.structs.replace(before, time_us=after.time_us) == after


def _came_out(resolution: Resolution, before: Value | None, judged: tuple[Judgement, ...]) -> str:
    """Say what a claim turned out to be, what it was taken for, and how many had been right."""
    claim = f"{resolution.subject} {resolution.predicate}"
    was = "" if before is None else f", was resolved as {in_words(before)}"
    if resolution.value is None:
        return f"{claim}: open again{was}"
    right = f"; {sum(one.hit for one in judged)} of {len(judged)} who spoke on it were right" if judged else ""
    return f"{claim}: resolved as {in_words(resolution.value)}{was}{right}"


def _told(update: BeliefUpdate) -> str:
    """Say in a sentence what is held likeliest now, and was before."""
    after, before = update.after, update.before
    was = "" if before is None else f", was {_held(before)}"
    return f"{after.subject} {after.predicate}: {_held(likeliest(after))}{was}"


def _held(held: Likeliest) -> str:
    """Show the likeliest value and its probability."""
    return "nothing named" if held.value is None else f"{in_words(held.value)} at {held.millionths / 1_000_000:.2f}"
