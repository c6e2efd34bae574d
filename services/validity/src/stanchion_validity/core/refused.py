"""A refusal on its way from a rule to the answer: raised inside one decision, a value outside of it."""

from stanchion_contracts.refusal import Refusal
from stanchion_core.errors import InvalidMessage


class Refused(InvalidMessage):
    """A rule refuses; caught where the write, affirmation or report is decided, and given on as a `Refusal`.

    Attributes:
        version: the version that stands, for conflicts; 0 where it does not apply.
    """

    def __init__(self, code: str, detail: str, field: str = "", version: int = 0) -> None:
        super().__init__(code, detail, field)
        self.version = version


def refusal_of(error: InvalidMessage, record_id: str = "") -> Refusal:
    """Give what was raised as a value.

    Args:
        error: a `Refused`, or what a check of the core raised.
        record_id: the record it is about.
    """
    return Refusal(
        reason=error.code,
        detail=error.detail,
        record_id=record_id,
        field=error.field,
        current_version=error.version if isinstance(error, Refused) else 0,
    )
