"""Kafka's jars: fetched once, checked against the lock file, put into place one by one.

A jar stands in the folder under its own name only when it is whole and has the locked digest, so an interrupted first
run goes on where it stopped. jgo (a Maven client in Python) fetches; what to fetch is settled by `kafka.lock` rather
than resolved at run time, for resolving reads about a hundred project files and takes most of the time.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec
from jgo.maven import MavenContext, PythonResolver

from stanchion_broker.errors import JarsUnavailable

THREADS: Final = 6
TIMEOUT_S: Final = 30
ATTEMPTS: Final = 3

Progress = Callable[[str, int, int], None]
"""Told of each step: what it is ("jars", "format", "start"), how much is done, of how much."""


class Jar(msgspec.Struct, frozen=True, kw_only=True):
    """One locked jar: its Maven coordinate, its size in bytes, its SHA-256."""

    coordinate: str
    size: int
    sha256: str

    @property
    def filename(self) -> str:
        """The name of the file, as Maven gives it."""
        _, artifact, version = self.coordinate.split(":")
        return f"{artifact}-{version}.jar"


def locked() -> tuple[Jar, ...]:
    """The jars that `kafka.lock` names, in its order."""
    text = (files("stanchion_broker") / "kafka.lock").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(Jar(coordinate=coordinate, size=int(size), sha256=sha256) for coordinate, size, sha256 in rows)


def key(jars: tuple[Jar, ...]) -> str:
    """A short name for this set of jars."""
    return hashlib.sha256("".join(jar.sha256 for jar in jars).encode()).hexdigest()[:12]


def missing(folder: Path, jars: tuple[Jar, ...]) -> tuple[Jar, ...]:
    """The jars that are not in the folder, or not with their locked size."""

    def there(jar: Jar) -> bool:
        path = folder / jar.filename
        return path.is_file() and path.stat().st_size == jar.size

    return tuple(jar for jar in jars if not there(jar))


def classpath(folder: Path, jars: tuple[Jar, ...]) -> str:
    """Java's class path of the jars: by name, so that a stray jar in the folder changes nothing."""
    return os.pathsep.join(str(folder / jar.filename) for jar in jars)


def ensure(folder: Path, jars: tuple[Jar, ...], progress: Progress) -> None:
    """Fetches what is missing; two processes may call this at once, the second waits for the first.

    Raises:
        JarsUnavailable: a jar can't be fetched, or differs from the lock file.
    """
    if not missing(folder, jars):
        return
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        wanted = missing(folder, jars)
        staging = folder / "partial"
        shutil.rmtree(staging, ignore_errors=True)
        try:
            _fetch_all(
                wanted, folder, staging, lambda done: progress("jars", len(jars) - len(wanted) + done, len(jars))
            )
        finally:
            shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    with (folder / "lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _fetch_all(jars: tuple[Jar, ...], folder: Path, staging: Path, done: Callable[[int], None]) -> None:
    context = MavenContext(resolver=PythonResolver(), repo_cache=staging, timeout=TIMEOUT_S)
    done(0)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="jars") as pool:
        tasks = [pool.submit(_fetch, context, jar, folder) for jar in jars]
        try:
            for count, task in enumerate(as_completed(tasks), start=1):
                task.result()
                done(count)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _fetch(context: MavenContext, jar: Jar, folder: Path) -> None:
    trouble = ""
    for _ in range(ATTEMPTS):
        group, artifact, version = jar.coordinate.split(":")
        wanted = context.project(group, artifact).at_version(version).artifact("", "jar")
        try:
            path = Path(wanted.resolve())
        except (OSError, RuntimeError) as error:  # requests' errors are OSErrors; jgo's "not found" is a RuntimeError
            trouble = str(error)
            if staged := wanted.cached_path:
                Path(staged).unlink(missing_ok=True)
            continue
        if (digest := hashlib.sha256(path.read_bytes()).hexdigest()) == jar.sha256:
            _place(path, folder / jar.filename)
            return
        trouble = f"its SHA-256 is {digest}, locked is {jar.sha256}"
        path.unlink()
    raise JarsUnavailable(
        f"{jar.coordinate} could not be fetched in {ATTEMPTS} attempts: {trouble}. Kafka's jars come from Maven "
        f"Central; {advice(trouble)} and run the same command again: what is already in {folder} is kept."
    )


def advice(trouble: str) -> str:
    """What to do about a jar that can't be fetched, by what the attempt said."""
    if "certificate" in trouble.casefold():
        return (
            "its certificate is signed by nobody this machine trusts. Behind a company's certificate authority set "
            "REQUESTS_CA_BUNDLE (and SSL_CERT_FILE, for uv) to a PEM file that holds it"
        )
    return "check the network or its proxy"


def _place(source: Path, target: Path) -> None:
    with source.open("rb") as handle:
        os.fsync(handle.fileno())
    source.replace(target)
