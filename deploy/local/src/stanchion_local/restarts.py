"""When a process that ended is started again, and when it is given up; pure."""

from typing import Final

from msgspec import Struct

FIRST_S: Final = 0.5
LONGEST_S: Final = 15.0
SETTLED_S: Final = 60.0
LIMIT: Final = 6
UNUSABLE: Final = 78
"""The exit code of a process that says itself that another start will not help (EX_CONFIG of sysexits.h)."""

_ADVICE: Final = {
    UNUSABLE: "Mend that, then start again; starting again alone does not help.",
    70: "Another process works on the same topics: end it, then start again.",
    75: "See that Kafka runs and can be reached, then start again.",
    -9: "The system may have run out of memory: see that there is more of it, then start again.",
}


class Restarts(Struct, kw_only=True):
    """One process's history of ends.

    Attributes:
        first_s: the wait before the first start anew.
        total: how often it was started again.
        in_a_row: how often it ended without having run for `SETTLED_S` in between.
    """

    first_s: float = FIRST_S
    total: int = 0
    in_a_row: int = 0

    def ended(self, ran_s: float, code: int = 1) -> float | None:
        """Counts an end.

        Args:
            ran_s: how long the process ran.
            code: its exit code.

        Returns:
            The seconds to wait before the next start: `first_s`, then twice the last each time, at most 15; None when
            it ended `LIMIT` times in a row, or says itself that another start would not help.
        """
        self.in_a_row = 1 if ran_s >= SETTLED_S else self.in_a_row + 1
        if self.in_a_row >= LIMIT or code == UNUSABLE:
            return None
        self.total += 1
        return float(min(self.first_s * 2 ** (self.in_a_row - 1), LONGEST_S))


def advice(code: int) -> str:
    """Says what to do about a process that is given up.

    Args:
        code: its last exit code; below 0 for a signal.
    """
    return _ADVICE.get(code, "Nothing is lost, the data stays; when it ends so again, that is a bug to report.")
