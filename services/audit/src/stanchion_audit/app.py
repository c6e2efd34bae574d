"""Wiring: `changes` and `receipts` in, `ledger` out."""

from stanchion_audit.handler import State, decide, evolve
from stanchion_audit.settings import AuditSettings
from stanchion_contracts.ledger import Ledger
from stanchion_contracts.outline import ChangesOutline, read_outline
from stanchion_contracts.receipt import Receipt
from stanchion_runtime import worker
from stanchion_runtime.settings import read
from stanchion_runtime.stage import Stage, decoder


def build() -> Stage[State, ChangesOutline | Receipt, Ledger]:
    """Give the stage."""
    return Stage(
        name="audit",
        inputs=("changes", "receipts"),
        output="ledger",
        initial=State,
        decode={"changes": lambda record: read_outline(record.value), "receipts": decoder(Receipt)},
        decide=decide,
        evolve=evolve,
        dead_letters=False,
    )


def main() -> None:
    """Run until told to stop."""
    with worker.prepared("audit"):
        settings = read(AuditSettings)
    worker.run(build(), settings)
