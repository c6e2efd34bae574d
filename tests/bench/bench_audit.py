"""What audit costs for an event of one and of three claims: through the handler, and in the reader's file."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stanchion_audit.handler import State, decide, evolve
from stanchion_audit.store import Applied, Page, Place, Store
from stanchion_contracts import codec
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.outline import read_outline
from stanchion_runtime.clock import monotonic_s
from stanchion_runtime.tail import Start
from support.changes import TIME_US, belief_moved, changes, latency

EVENTS = 2_000
BATCH = 200


def measure() -> dict[str, Any]:
    """Give events a second through the handler with its codec, for one and three claims, and what the reader does."""
    results: dict[str, Any] = {}
    for claims in (1, 3):
        inputs = [_event(number, claims) for number in range(EVENTS)]
        outputs, line = _timed(lambda inputs=inputs: _line(inputs))  # type: ignore[misc]  # a default in a lambda
        _, fold = _timed(lambda outputs=outputs: _fold(outputs))  # type: ignore[misc]  # the same
        results[f"claims_{claims}"] = {
            "input_bytes": len(inputs[0]),
            "output_bytes": len(outputs[0]),
            "line_events_per_s": round(EVENTS / line),
            "line_us_per_event": round(line / EVENTS * 1e6, 1),
            "fold_outputs_per_s": round(EVENTS / fold),
        }
    results["reader"] = _reader(outputs)
    return results


def _event(number: int, claims: int) -> bytes:
    """Give validity's output for one event; each claim moves a belief."""
    first = number * claims + 1
    parts = [belief_moved(seq, latency(600_000, TIME_US + number)) for seq in range(first, first + claims)]
    return codec.encode(changes(number, *parts))


def _line(inputs: list[bytes]) -> list[bytes]:
    """Do what the processor does between two logs."""
    state = State()
    outputs = []
    for data in inputs:
        output = decide(state, read_outline(data))
        if output is not None:
            outputs.append(codec.encode(output))
            evolve(state, output)
    return outputs


def _fold(outputs: list[bytes]) -> None:
    """Do what an owner does on adoption."""
    state = State()
    for data in outputs:
        evolve(state, codec.decode(data, Ledger))


def _reader(outputs: list[bytes]) -> dict[str, Any]:
    """Store the ledger in batches, then read a page and make proofs.

    Raises:
        RuntimeError: nothing was stored.
    """
    with tempfile.TemporaryDirectory(prefix="stanchion-bench-") as folder:
        store = Store(Path(folder) / "audit.duckdb", memory_mb=64)
        _, stored = _timed(lambda: _store(store, outputs))
        head = store.head("docs", "changes")
        if head is None:
            raise RuntimeError("nothing was stored")
        page = Page(after_seq=head.tree.size // 2, limit=100, max_bytes=1 << 20)
        result = {
            "entries": head.tree.size,
            "stored_entries_per_s": round(head.tree.size / stored),
            "page_of_100_ms": _best_ms(lambda: store.entries(head, page)),
            "inclusion_proof_ms": _best_ms(lambda: store.tree(head).inclusion(head.tree.size // 3, head.tree.size)),
            "consistency_proof_ms": _best_ms(lambda: store.tree(head).consistency(head.tree.size // 3, head.tree.size)),
        }
        store.close()
    return result


def _store(store: Store, outputs: list[bytes]) -> None:
    """Store outputs, a transaction for each batch."""
    for at in range(0, len(outputs), BATCH):
        ledgers = tuple(codec.decode(data, Ledger) for data in outputs[at : at + BATCH])
        place = Place(start=Start(position=at + BATCH), seen_offset=at, seen_digest=b"")
        store.apply([Applied(partition=0, place=place, ledgers=ledgers)])


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Give what work gives, and its seconds."""
    begun = monotonic_s()
    result = work()
    return result, monotonic_s() - begun


def _best_ms(work: Callable[[], Any]) -> float:
    """Give the milliseconds of the best of ten."""
    return round(min(_timed(work)[1] for _ in range(10)) * 1e3, 2)
