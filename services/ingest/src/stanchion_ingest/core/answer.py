"""What was decided, as callers see it."""

import itertools

from stanchion_contracts.belief import BeliefUpdate, likeliest_state
from stanchion_contracts.change import Change, Changes
from stanchion_contracts.generated.stanchion.ingest.v1 import ingest_pb2 as pb
from stanchion_contracts.generated.stanchion.types.v1 import types_pb2
from stanchion_contracts.value import Value
from stanchion_core.limits import MOVED_BELIEFS

_OBSERVED = "observation:"
_MILLION = 1_000_000


def answer_of(changes: Changes, min_seq: int) -> pb.Answer:
    """Give the answer that changes are.

    Args:
        changes: without a refusal.
        min_seq: what a read must have seen to show them.
    """
    first, last = changes.first_seq, changes.last_seq_answered
    own = () if changes.repeated else changes.changes  # claims that were due move with whatever message comes next
    if own:
        first, last = own[0].seq, own[-1].seq
    return pb.Answer(
        first_seq=first,
        last_seq=last,
        min_seq=min_seq,
        records=[
            pb.LandedRecord(
                record_id=each.record_id, version=each.version, decided_by_normalized=each.decided_by_normalized
            )
            for each in changes.landed
        ],
        proposals=changes.proposals,
        repeated_command=changes.repeated,
        remaining=changes.remaining,
        left_out=changes.left_out,
        beliefs=_moved(own),
        intents=_intents(changes),
    )


def _intents(changes: Changes) -> list[str]:
    """Give the records that wishes became: what an observation landed, but for the document that it was."""
    if not changes.meta.origin.startswith(_OBSERVED):
        return []
    documents = {each.record_id for each in changes.imported}
    return [each.record_id for each in changes.landed if each.record_id not in documents]


def _moved(changes: tuple[Change, ...]) -> list[pb.MovedBelief]:
    """Give the beliefs that moved, as many as an answer tells of."""
    moved = (_belief(change, change.belief) for change in changes if change.belief is not None)
    return list(itertools.islice(moved, MOVED_BELIEFS))


def _belief(change: Change, update: BeliefUpdate) -> pb.MovedBelief:
    """Give what a belief held likeliest, before and after."""
    before, after = update.before, update.after
    first = likeliest_state(after)
    return pb.MovedBelief(
        subject=after.subject,
        predicate=after.predicate,
        seq=change.seq,
        value_before=None if before is None else _value(before.value),
        probability_before=0.0 if before is None else before.millionths / _MILLION,
        value=None if first is None else _value(first.value),
        probability=0.0 if first is None else first.millionths / _MILLION,
        vacuity=after.vacuity_millionths / _MILLION,
    )


def _value(value: Value | None) -> types_pb2.Value | None:
    """Give a value, None where there is none."""
    if value is None:
        return None
    return types_pb2.Value(type=value.type, text=value.text, unit=value.unit, op=value.op)
