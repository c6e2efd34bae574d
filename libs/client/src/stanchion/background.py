"""Asynchronous methods made to wait: they run on an event loop in a thread of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from concurrent.futures import CancelledError
from functools import wraps
from threading import Thread, current_thread
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

Inner = TypeVar("Inner")
Inner_co = TypeVar("Inner_co", covariant=True)
Args = ParamSpec("Args")
Result = TypeVar("Result")

_END: Final = object()


class Background:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="stanchion", daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do some work there, and wait for what comes of it.

        Raises:
            BaseException: as the work did; interrupted, the work is given up.
            RuntimeError: the client is closed, or was while the work went on; or the thread would wait for itself.
        """
        if self.ended or self._is_here:
            work.close()
            raise RuntimeError("the client is closed" if self.ended else "the client's own thread cannot wait for it")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except CancelledError:
            raise RuntimeError("the client was closed meanwhile") from None
        except BaseException:
            future.cancel()
            raise

    def leave(self, work: Coroutine[Any, Any, object]) -> None:
        """Do some work there; wait for it unless this is its thread, where garbage is collected, too."""
        if self.ended:
            work.close()
        elif self._is_here:
            asyncio.run_coroutine_threadsafe(work, self._loop)
        else:
            self.call(work)

    @property
    def _is_here(self) -> bool:
        """Whether this is its thread."""
        return current_thread() is self._thread

    @property
    def ended(self) -> bool:
        """Whether it has ended."""
        return self._loop.is_closed()

    def end(self) -> None:
        """End the thread, and what goes on in it: whoever waits for it is told."""
        self.call(_give_up())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _give_up() -> None:
    """End all other work of this loop."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for each in others:
        each.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


class Outer(Protocol[Inner_co]):
    """What waits for the methods of something asynchronous."""

    @property
    def _inner(self) -> Inner_co:
        """Whose methods they are."""

    @property
    def _background(self) -> Background:
        """Where they run."""


def waiting(
    method: Callable[Concatenate[Inner, Args], Coroutine[Any, Any, Result]],
) -> Callable[Concatenate[Outer[Inner], Args], Result]:
    """Give an asynchronous method as one that waits."""

    @wraps(method)
    def wait(self: Outer[Inner], /, *args: Args.args, **kwargs: Args.kwargs) -> Result:
        return self._background.call(method(self._inner, *args, **kwargs))

    return wait


def iterating(
    method: Callable[Concatenate[Inner, Args], AsyncIterator[Result]],
) -> Callable[Concatenate[Outer[Inner], Args], Generator[Result, None, None]]:
    """Give an asynchronous generator method as a generator."""

    @wraps(method)
    def iterate(self: Outer[Inner], /, *args: Args.args, **kwargs: Args.kwargs) -> Generator[Result, None, None]:
        stream = method(self._inner, *args, **kwargs)
        try:
            while (each := self._background.call(_next(stream))) is not _END:
                yield each
        finally:
            self._background.leave(_close(stream))

    return iterate


async def _next(stream: AsyncIterator[Result]) -> Any:  # noqa: ANN401 - a result, or the end
    """Give what comes next."""
    return await anext(stream, _END)


async def _close(stream: AsyncIterator[Result]) -> None:
    """End a stream; one that has ended already stays so."""
    close = getattr(stream, "aclose", None)
    if close is not None:
        await close()
