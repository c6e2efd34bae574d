"""Messages as validity and the views emit them, made to measure."""

from collections.abc import Iterable

from stanchion_audit.handler import State, decide, evolve
from stanchion_contracts import codec
from stanchion_contracts.belief import Belief, BeliefUpdate, ValueState, likeliest
from stanchion_contracts.change import Change, Changes, RecordChange, RecordPart
from stanchion_contracts.claim import Contribution
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.meta import Actor, Meta
from stanchion_contracts.receipt import Receipt, Served
from stanchion_contracts.record import FieldValue
from stanchion_contracts.value import Value
from stanchion_runtime.log import CAUSE, CLAIM, EPOCH, Outgoing

TIME_US = 1_796_042_000_000_000
COLLECTOR = Actor(kind="service", id="collector")


def meta(number: int, workspace: str = "docs", actor: Actor = COLLECTOR) -> Meta:
    """Give the head of the message of one observation."""
    return Meta(
        id=f"obs_{number:032x}",
        workspace=workspace,
        room="platform",
        time_us=TIME_US + number,
        seed=number.to_bytes(16, "big"),
        origin=f"observation:obs_{number:032x}",
        actor=actor,
    )


def latency(millionths: int, time_us: int, contributions: int = 1) -> Belief:
    """Give a belief about a service's latency."""
    return Belief(
        subject="checkout",
        predicate="p99-latency",
        values=(ValueState(value=Value(type="number", text="500", unit="ms"), evidence=1.5, millionths=millionths),),
        unnamed=0.0,
        undecayed=1.5,
        vacuity_millionths=400_000,
        dissonance_millionths=0,
        half_life_s=604_800,
        time_us=time_us,
        contributions=contributions,
    )


def belief_moved(seq: int, before: Belief | None = None) -> Change:
    """Give a change that moves a belief by one contribution."""
    contribution = Contribution(
        id=f"con_{seq:032x}",
        subject="checkout",
        predicate="p99-latency",
        value=Value(type="number", text="500", unit="ms"),
        evidence="measurement",
        source="prometheus",
        agent="collector",
        observed_at_us=TIME_US + seq,
    )
    return Change(
        seq=seq,
        action="belief.moved",
        subject_kind="belief",
        subject_id="checkout/p99-latency",
        room="platform",
        reason="checkout p99-latency is 500 ms with probability 0.82",
        belief=BeliefUpdate(
            before=None if before is None else likeliest(before),
            after=latency(820_000, TIME_US + seq),
            added=(contribution,),
        ),
    )


def record_written(seq: int, record_id: str = "adr-7") -> Change:
    """Give a change that writes a new version of a record."""
    return Change(
        seq=seq,
        action="record.written",
        subject_kind="decision",
        subject_id=record_id,
        reason="status is now accepted",
        record=RecordChange(
            id=record_id,
            kind="decision",
            version=2,
            before=RecordPart(
                label="Tail the ledger",
                body_digest=b"\x01" * 32,
                fields=(FieldValue(name="status", value='"proposed"'),),
            ),
            after=RecordPart(
                label="Tail the ledger from the view",
                body="# Tail the ledger\n",
                fields=(FieldValue(name="status", value='"accepted"'),),
            ),
        ),
    )


def changes(number: int, *parts: Change, last_seq: int | None = None, workspace: str = "docs") -> Changes:
    """Give a message with these changes, or with none."""
    head = meta(number, workspace)
    return Changes(
        meta=head,
        recorded_at_us=head.time_us,
        last_seq=(parts[-1].seq if parts else 0) if last_seq is None else last_seq,
        changes=parts,
    )


def receipt(number: int, workspace: str = "docs") -> Receipt:
    """Give a receipt of one record served to an agent."""
    return Receipt(
        meta=meta(number, workspace, Actor(kind="agent", id="coder", on_behalf_of="ada")),
        method="GetRecord",
        as_of_seq=3,
        served=(Served(record_id="adr-7", version=2, validity="current"),),
    )


def notarised(*messages: Changes | Receipt) -> list[Ledger]:
    """Give the outputs of audit over these messages, from the start of a ledger."""
    state = State()
    outputs = []
    for message in messages:
        output = decide(state, message)
        if output is not None:
            evolve(state, output)
            outputs.append(output)
    return outputs


def on_the_ledger(outputs: Iterable[Ledger], *, partition: int, epoch: int = 0, cause: int = 0) -> list[Outgoing]:
    """Give the outputs as their owner appends them after its claim at `epoch`, the first in answer to `cause`."""
    return [
        Outgoing(
            value=codec.encode(output),
            headers=((CAUSE, f"changes:{partition}:{cause + at}".encode()), (EPOCH, str(epoch).encode())),
        )
        for at, output in enumerate(outputs)
    ]


CLAIM_RECORD = Outgoing(value=b"test", headers=((CLAIM, b"test"),))
"""What an owner appends first."""
