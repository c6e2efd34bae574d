"""Log files of processes."""

from pathlib import Path

import pytest

from stanchion_local import logfile


def test_grown_file_moves_aside(tmp_path: Path) -> None:
    """A file over the cap becomes `.1`, and the one that was `.1` goes."""
    path = tmp_path / "logs" / "fusion.log"
    for text in (b"first", b"second", b"third"):
        with logfile.open_for_append(path, rotate_bytes=4) as log:
            log.write(text)
    assert (b"third", b"second") == (path.read_bytes(), path.with_name("fusion.log.1").read_bytes())


def test_small_file_is_continued(tmp_path: Path) -> None:
    """Below the cap the log goes on where it was."""
    path = tmp_path / "fusion.log"
    for text in (b"one\n", b"two\n"):
        with logfile.open_for_append(path) as log:
            log.write(text)
    assert "one\ntwo" == logfile.last_lines(path)


def test_last_lines(tmp_path: Path) -> None:
    """The end of a file that is larger than what is read, with bytes that are no text, and of none at all."""
    path = tmp_path / "fusion.log"
    path.write_bytes(b"\xff" * (2 * logfile.TAIL_BYTES) + b"\na\nb\nc\n")
    assert "b\nc" == logfile.last_lines(path, 2)
    assert "c" == logfile.last_lines(path, 2, path.stat().st_size - 2)
    assert not logfile.last_lines(tmp_path / "none.log")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            '{"level": "critical", "event": "cannot run", "detail": "topic claims is missing"}',
            "topic claims is missing",
        ),
        ('{"level": "error", "event": "kafka away", "detail": "refused"}', "kafka away: refused"),
        ('{"level": "critical", "event": "stopped", "exception": "Traceback …\\nKeyError: 7"}', "stopped: KeyError: 7"),
        ('{"level": "critical", "event": "stopped"}', "stopped"),
        ('{"level": "warning", "event": "dead letters"}', ""),
        ("Traceback (most recent call last):", ""),
    ],
)
def test_the_last_error_in_words(tmp_path: Path, line: str, words: str) -> None:
    """What a process logged of its end is a sentence, whatever came after it; what came before its start is not."""
    path = tmp_path / "fusion.log"
    before = '{"level": "error", "event": "of yesterday"}\n'
    path.write_text(f'{before}{line}\n{{"level": "info", "event": "ended"}}\n')
    assert words == logfile.last_error(path, len(before))
