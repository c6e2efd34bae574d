"""What a person sees of a run: steps as they are done, then one quiet line. All on stderr; answers go to stdout."""

from typing import Final, Self

from rich.console import Console
from rich.live import Live
from rich.status import Status as Spinner
from rich.text import Text

from stanchion_local.status import Status
from stanchion_runtime import clock

_WIDTH: Final = 10
_EVERY: Final = 15  # where lines can't be drawn over, of what is counted only every 15th is told

_DOING: Final = {
    "jars": "fetching Kafka {done} of {total} jars (once)",
    "format": "making the broker's data folder (once)",
    "broker": "starting the broker",
    "topics": "checking the topics",
    "services": "starting the services {done} of {total}",
}
_DONE: Final = {
    "jars": ("broker", "Kafka fetched, {total} jars"),
    "broker": ("broker", "ready on {bootstrap}"),
    "cluster": ("broker", "the cluster at {bootstrap}"),
    "topics": ("topics", "as the register says"),
    "services": ("services", "{total} of {total} ready"),
}


class Steps:
    """Tells the steps of a start.

    Args:
        console: where to.
        bootstrap: the cluster's address.
    """

    def __init__(self, console: Console, bootstrap: str) -> None:
        self._console = console
        self._bootstrap = bootstrap
        self._spinner: Spinner | None = None
        self._last = ""
        self._began_s = clock.monotonic_s()
        self._step_s = self._began_s

    def told(self, step: str, done: int, total: int) -> None:
        """A step has moved; see `stack.Told`."""
        if step == "left":
            if done:
                self.line("cleanup", f"ended {done} processes that an earlier run had left")
        elif step in _DONE and done == total:
            name, text = _DONE[step]
            self.done(name, text.format(total=total, bootstrap=self._bootstrap))
        elif step in _DOING:
            self.doing(_DOING[step].format(done=done, total=total), often=done % _EVERY != 0)

    def doing(self, text: str, *, often: bool = False) -> None:
        """Something is under way; where lines can't be drawn over, what comes often is left out."""
        if self._console.is_terminal:
            if self._spinner is None:
                self._spinner = self._console.status(text)
                self._spinner.start()
            self._spinner.update(text)
        elif not often and text != self._last:
            self._console.print(f"  … {text}", highlight=False)
            self._last = text

    def done(self, name: str, text: str) -> None:
        """Something is done; says how long it took."""
        now_s = clock.monotonic_s()
        self.line(name, text, f"{now_s - self._step_s:.1f} s")
        self._step_s = now_s

    def line(self, name: str, text: str, took: str = "") -> None:
        """One line of its own."""
        self.quiet()
        self._console.print(Text(f"  {name:<{_WIDTH}}", style="bold") + Text(f"{text:<50} {took:>8}".rstrip()))

    def total_s(self) -> float:
        """Seconds since the start."""
        return clock.monotonic_s() - self._began_s

    def quiet(self) -> None:
        """Takes the spinner away."""
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None


class StatusLine:
    """The quiet line under a run; where lines can't be drawn over, it is told when something has changed for long.

    Args:
        console: where to.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(Text(""), console=console, auto_refresh=False, transient=True)
        self._last = ""

    def __enter__(self) -> Self:
        """Starts drawing."""
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Takes the line away."""
        if self._console.is_terminal:
            self._live.stop()

    def show(self, status: Status) -> None:
        """Draws the line anew."""
        text = line_of(status)
        if self._console.is_terminal:
            self._live.update(
                Text(text, style="dim" if status.ready == len(status.processes) else "yellow"), refresh=True
            )
        elif (processes := text.split(" · ", 1)[0]) != self._last:
            self._last = processes
            self._console.print(text, highlight=False)


def line_of(status: Status) -> str:
    """The line: processes ready (and those that are not), last seq by workspace, what waits."""
    parts = [f"{status.ready} of {len(status.processes)} up"]
    parts += [f"{each.name} {each.state}" for each in status.processes if each.state != "ready"]
    parts += [f"{workspace} seq {seq}" for workspace, seq in sorted(status.seqs.items())[:3] if workspace]
    parts.append(f"lag {status.lag}")
    if letters := sum(each.dead_letters for each in status.processes):
        parts.append(f"dead letters {letters}")
    return " · ".join([*parts, "Ctrl-C ends everything"])
