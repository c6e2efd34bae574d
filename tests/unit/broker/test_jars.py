"""The lock file, and what is seen as missing."""

from pathlib import Path

import pytest

from stanchion_broker import jars


def test_lock_names_kafka_and_a_binding_for_its_logs() -> None:
    """The lock holds Kafka 4.4.0, one binding for its logs, no file name twice, and whole digests."""
    locked = jars.locked()
    names = [jar.filename for jar in locked]
    assert {"kafka_2.13-4.4.0.jar", "kafka-server-4.4.0.jar", "slf4j-simple-1.7.36.jar"} <= set(names)
    assert len(set(names)) == len(names)
    assert {64} == {len(jar.sha256) for jar in locked}


def test_missing_sees_absent_and_cut_files(tmp_path: Path) -> None:
    """A jar counts when it has its whole size; a cut one is fetched again."""
    whole, cut, absent = (jars.Jar(coordinate=f"g:{name}:1", size=3, sha256="") for name in ("whole", "cut", "absent"))
    (tmp_path / whole.filename).write_bytes(b"abc")
    (tmp_path / cut.filename).write_bytes(b"ab")
    assert (cut, absent) == jars.missing(tmp_path, (whole, cut, absent))


def test_nothing_is_fetched_when_all_are_there(tmp_path: Path) -> None:
    """With every jar in place nothing is told, locked or made."""
    jar = jars.Jar(coordinate="g:a:1", size=3, sha256="")
    (tmp_path / jar.filename).write_bytes(b"abc")
    jars.ensure(tmp_path, (jar,), lambda *_: pytest.fail("nothing is to be told"))
    assert [tmp_path / jar.filename] == list(tmp_path.iterdir())


def test_classpath_is_by_name(tmp_path: Path) -> None:
    """A stray jar in the folder does not come onto the class path."""
    (tmp_path / "stray.jar").write_bytes(b"")
    jar = jars.Jar(coordinate="g:a:1", size=3, sha256="")
    assert str(tmp_path / "a-1.jar") == jars.classpath(tmp_path, (jar,))


@pytest.mark.parametrize(
    ("trouble", "named"),
    [
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in chain", True),
        ("Name or service not known", False),
    ],
)
def test_a_certificate_is_told_from_a_network(trouble: str, *, named: bool) -> None:
    """Whoever sits behind an authority of their own is told the variables that name it."""
    said = jars.advice(trouble)
    assert (named, not named) == ("REQUESTS_CA_BUNDLE" in said and "SSL_CERT_FILE" in said, "network" in said)
