import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import cast

import pytest

from stanchion.background import Background, iterating, waiting


class Inner:
    """Something asynchronous that notes what becomes of it."""

    def __init__(self) -> None:
        self.begun = Event()
        self.ended: list[str] = []

    async def double(self, number: int, *, plus: int = 0) -> int:
        """Give twice a number."""
        await asyncio.sleep(0)
        return 2 * number + plus

    async def hang(self) -> None:
        """Wait for what never comes."""
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.append("hang")

    async def drop(self, numbers: Iterator[int]) -> None:
        """End a generator where garbage may be collected, too: in the loop's thread."""
        cast("Generator[int, None, None]", numbers).close()

    async def nest(self, work: Callable[[], object]) -> None:
        """Call back, as a given `sleep` is."""
        work()

    async def count(self, most: int) -> AsyncIterator[int]:
        """Give numbers, as they are asked for."""
        try:
            for number in range(most):
                yield number
        finally:
            self.ended.append("count")


class Outer:
    """The same, waiting."""

    def __init__(self, inner: Inner, background: Background) -> None:
        self._inner = inner
        self._background = background

    double = waiting(Inner.double)
    hang = waiting(Inner.hang)
    count = iterating(Inner.count)
    drop = waiting(Inner.drop)
    nest = waiting(Inner.nest)


@pytest.fixture
def inner() -> Inner:
    """Give what is waited for."""
    return Inner()


@pytest.fixture
def background() -> Iterator[Background]:
    """Give a loop in a thread, ended at the end."""
    made = Background()
    yield made
    if not made.ended:
        made.end()


@pytest.fixture
def outer(inner: Inner, background: Background) -> Outer:
    """Give what waits."""
    return Outer(inner, background)


def test_a_method_that_waits_is_the_method(outer: Outer) -> None:
    """It takes the same arguments, gives the same result, and has the same docstring."""
    assert 7 == outer.double(3, plus=1)
    assert "Give twice a number." == Outer.double.__doc__


def test_a_generator_gives_what_is_asked_for(outer: Outer, inner: Inner) -> None:
    """Nothing is fetched ahead, and one that is left early is ended."""
    assert [0, 1, 2] == list(outer.count(3))
    endless = outer.count(1_000_000)
    assert (0, 1) == (next(endless), next(endless))
    endless.close()
    assert ["count", "count"] == inner.ended


def test_its_own_thread_never_waits_for_itself(outer: Outer, inner: Inner) -> None:
    """A generator that is collected there is ended, and a call from there is refused instead of waiting for ever."""
    endless = outer.count(1_000_000)
    next(endless)
    outer.drop(endless)
    assert 2 == outer.double(1)
    assert ["count"] == inner.ended
    with pytest.raises(RuntimeError, match="cannot wait"):
        outer.nest(lambda: outer.double(1))


def test_an_interrupt_comes_out_and_gives_the_call_up(outer: Outer, inner: Inner) -> None:
    """Ctrl-C ends the wait where it is, and the work behind it."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            outer.hang()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert 2 == outer.double(1)
    assert ["hang"] == inner.ended


def test_whoever_waits_when_it_ends_is_told(outer: Outer, inner: Inner, background: Background) -> None:
    """A call of another thread does not wait for ever; later ones, and a generator that is left, end at once."""
    numbers = outer.count(9)
    next(numbers)
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(outer.hang)
        assert inner.begun.wait(5)
        background.end()
        with pytest.raises(RuntimeError, match="closed meanwhile"):
            waits.result(5)
    with pytest.raises(RuntimeError, match="is closed"):
        outer.double(1)
    with pytest.raises(RuntimeError, match="is closed"):
        next(numbers)
    assert {"hang", "count"} == set(inner.ended)
