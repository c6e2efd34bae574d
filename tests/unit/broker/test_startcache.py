"""The cache for a faster start: made once, kept only when it is whole."""

import os
from pathlib import Path

from stanchion_broker.startcache import OLD_S, StartCache


def made_by(cache: StartCache) -> Path:
    """Where Java would write its new cache."""
    (option,) = [each for each in cache.options() if "AOTCacheOutput" in each]
    return Path(option.partition("=")[2])


def test_made_by_a_first_run_used_by_the_next(tmp_path: Path) -> None:
    """A first run makes the cache aside; after its clean end it stands, and the next run uses it."""
    first = StartCache(tmp_path, "key")
    assert [] == first.use()
    made_by(first).write_bytes(b"cache")
    first.ended(143)
    second = StartCache(tmp_path, "key")
    assert f"-XX:AOTCache={second.file}" in second.options()
    assert second.options() == second.use()
    assert [second.file] == list(tmp_path.iterdir())


def test_a_killed_run_leaves_none(tmp_path: Path) -> None:
    """What a killed Java was writing is not used."""
    cache = StartCache(tmp_path, "key")
    made_by(cache).write_bytes(b"half")
    cache.ended(-9)
    assert [] == list(tmp_path.iterdir())


def test_other_jars_have_another(tmp_path: Path) -> None:
    """A cache is for one set of jars."""
    assert StartCache(tmp_path, "a").file != StartCache(tmp_path, "b").file


def test_leftovers_are_swept_after_a_day(tmp_path: Path) -> None:
    """What another run may still be writing stays; what lies for over a day goes."""
    old, new = (made_by(StartCache(tmp_path, "key")) for _ in range(2))
    for path in (old, new):
        path.write_bytes(b"half")
    past = new.stat().st_mtime - OLD_S - 60
    os.utime(old, (past, past))
    StartCache(tmp_path, "key").ended(0)
    assert [new] == list(tmp_path.iterdir())
