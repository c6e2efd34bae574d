import asyncio
import os
from pathlib import Path

import pytest

from stanchion.cli import lines


async def test_a_line_is_given_before_the_next_one_comes() -> None:
    """Who follows a log sees each line when it is written, and the loop goes on in between."""
    reading, writing = os.pipe()
    found = lines.lines_of(reading)
    first = asyncio.ensure_future(anext(found))
    os.write(writing, b"one\ntw")
    assert "one" == await first
    second = asyncio.ensure_future(anext(found))
    os.write(writing, b"o")
    os.close(writing)
    assert ("two", []) == (await second, [line async for line in found])
    os.close(reading)


async def test_files_are_read_too(tmp_path: Path) -> None:
    """A file is read as it lies there, its last line with or without an end; an empty one has no lines."""
    path = tmp_path / "events.jsonl"
    for text, expected in (("a\n\nb", ["a", "", "b"]), ("ä\n", ["ä"]), ("", [])):
        path.write_text(text, encoding="utf-8")
        assert expected == [line async for line in lines.lines(str(path))]
    assert [] == [line async for line in lines.lines(os.devnull)]


async def test_an_endless_line_is_refused(tmp_path: Path) -> None:
    """What never ends a line does not fill the memory."""
    path = tmp_path / "endless"
    path.write_bytes(b"x" * (17 * 1024 * 1024))
    with pytest.raises(ValueError, match="more than"):
        [line async for line in lines.lines(str(path))]
