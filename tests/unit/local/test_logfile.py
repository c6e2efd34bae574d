"""Log files of processes."""

from pathlib import Path

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
