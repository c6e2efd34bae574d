import pytest

from stanchion_runtime import tracing

GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_caller_s_trace_goes_on() -> None:
    """A valid traceparent is taken over, and gone afterwards."""
    token = tracing.enter(GIVEN)
    assert GIVEN == tracing.current()
    tracing.leave(token)
    assert "" == tracing.current()


@pytest.mark.parametrize(
    "given",
    [
        "",
        "nonsense",
        GIVEN.upper(),
        "ff" + GIVEN[2:],
        "00-" + "0" * 32 + "-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-" + "0" * 16 + "-01",
        GIVEN + "-" + "x" * 300,
        GIVEN + "\n",
    ],
)
def test_what_is_no_traceparent_is_made_anew(given: str) -> None:
    """A malformed or missing one is replaced by a new, valid one."""
    token = tracing.enter(given)
    made = tracing.current()
    tracing.leave(token)
    assert made != given
    assert tracing.valid(made)


def test_new_ones_differ() -> None:
    """No two requests share a trace by accident."""
    assert 100 == len({tracing.new() for _ in range(100)})
