"""Why something was refused, in a form a caller can act on."""

from msgspec import Struct


class Refusal(Struct, frozen=True, kw_only=True):
    """A refusal: the reason, and what the caller needs to mend it.

    Attributes:
        reason: stable UPPER_SNAKE, as in the contracts' table of errors.
        detail: one sentence.
        record_id: the record it is about, may be empty.
        field: the field, link or missing write it is about, may be empty.
        current_version: the version that stands, for conflicts; 0 where it does not apply.
    """

    reason: str
    detail: str
    record_id: str = ""
    field: str = ""
    current_version: int = 0
