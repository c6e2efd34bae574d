"""`stanchion up`: everything started, a folder imported, the first answer shown; it stands until it is told to end."""

import asyncio
import signal
from pathlib import Path
from typing import Final

from rich.console import Console

from stanchion import StanchionError
from stanchion.cli.terminal import styles
from stanchion_broker.errors import BrokerError
from stanchion_core.errors import Transient
from stanchion_local import first, stack, status
from stanchion_local.errors import LocalError
from stanchion_local.settings import LocalSettings
from stanchion_local.show import StatusLine, Steps
from stanchion_local.supervisor import Supervisor
from stanchion_runtime.errors import Denied, Inconsistent

OK: Final = 0
FAILED: Final = 1
LOOK_S: Final = 2.0
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(home: Path, import_dir: Path | None = None, once: bool = False) -> int:  # noqa: FBT001, FBT002 - the CLI's call
    """Starts everything, shows the first answer, stands until SIGINT or SIGTERM, ends everything.

    Args:
        home: where everything lies.
        import_dir: a decision folder to import; None imports nothing.
        once: check the answer and end.

    Returns:
        0 when it ended as it was told to, 1 when something failed; what, was printed.
    """
    console = Console(stderr=True, color_system=styles())
    if import_dir is not None and not import_dir.is_dir():
        return _failed(console, f"there is no folder {import_dir} to import")
    return asyncio.run(_until_told(LocalSettings(home=home), import_dir, console, once=once))


async def _until_told(settings: LocalSettings, import_dir: Path | None, console: Console, *, once: bool) -> int:
    work = asyncio.create_task(_work(settings, import_dir, console, once=once))
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, _cancel_once, work)
    try:
        await work
    except asyncio.CancelledError:
        console.print("ended; the data stays")
    except (LocalError, BrokerError, StanchionError, Denied, Inconsistent, Transient) as error:
        return _failed(console, str(error))
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
    return OK


def _failed(console: Console, why: str) -> int:
    console.print(f"\nstanchion: {why}", style="red", highlight=False, markup=False)
    return FAILED


def _cancel_once(work: asyncio.Task[None]) -> None:
    # A terminal sends Ctrl-C to a whole group of processes, and a wrapper (uv run) may pass it on: it comes twice.
    if work.cancelling() == 0:
        work.cancel()


async def _work(settings: LocalSettings, import_dir: Path | None, console: Console, *, once: bool) -> None:
    console.print(f"Stanchion on {settings.home}", highlight=False)
    steps = Steps(console, settings.bootstrap)
    try:
        async with stack.running(settings, steps.told) as supervisor:
            if import_dir is not None:
                answer = await first.answer(settings, import_dir, steps)
                first.show(answer)
                if once:
                    first.check(answer)
            console.print(f"first answer after {steps.total_s():.0f} s", style="dim", highlight=False)
            if not once:
                await _stand(supervisor, settings.home.absolute(), console)
            console.print("ending …", style="dim")
    finally:
        steps.quiet()


async def _stand(supervisor: Supervisor, home: Path, console: Console) -> None:
    failed = asyncio.create_task(supervisor.failed())
    try:
        with StatusLine(console) as line:
            while not failed.done():
                line.show(await status.gather(home))
                await asyncio.wait([failed], timeout=LOOK_S)
        await failed
    except asyncio.CancelledError:
        console.print("ending …", style="dim")
        raise
    finally:
        failed.cancel()
