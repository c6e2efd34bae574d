"""Receipts: who was served what, in which state."""

from typing import Literal

from msgspec import Struct

from stanchion_contracts.meta import Meta


class Served(Struct, frozen=True, kw_only=True):
    """One record as it was served."""

    record_id: str
    version: int
    validity: Literal["current", "needs_review", "monitoring_incomplete", ""] = ""


class Receipt(Struct, frozen=True, kw_only=True):
    """One read on behalf of an agent.

    Attributes:
        meta: whose, when, who read; `meta.id` is the receipt's id.
        method: the read's name.
        as_of_seq: the position it was answered from.
        served: in the order served.
    """

    meta: Meta
    method: str
    as_of_seq: int
    served: tuple[Served, ...]
