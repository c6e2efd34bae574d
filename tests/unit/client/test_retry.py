import pytest

from stanchion.errors import OutcomeUnknown, StanchionError, Unreachable
from stanchion.retry import Retry


def waits(error: StanchionError, *, local: bool) -> list[float]:
    """Give every wait until a call is given up."""
    found: list[float] = []
    while (wait_s := Retry().wait_s(len(found) + 1, error, local=local)) is not None:
        found.append(wait_s)
    return found


def test_a_local_reader_has_time_to_restart() -> None:
    """Where nobody answers on this machine a call is tried for some three seconds; elsewhere for about one."""
    silent = Unreachable("UNAVAILABLE", "nobody there")
    assert 2.5 <= sum(waits(silent, local=True)) <= 5.2
    assert 1.6 >= sum(waits(silent, local=False))


@pytest.mark.parametrize("reason", ["OVERLOADED", "SHUTTING_DOWN"])
def test_a_server_that_answers_is_no_silent_one(reason: str) -> None:
    """What a server says of itself is waited for as before, on this machine, too."""
    assert 4 == len(waits(Unreachable(reason, "busy"), local=True))
    assert 4 == len(waits(OutcomeUnknown("DEADLINE_EXCEEDED", "late"), local=True))
