"""The command as an operator meets it: help, a try without Kafka, and what refuses to start."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.models import Reply, claim, model_server, names

SCRIPT = Path(sys.executable).with_name("stanchion-extraction-model")
TEXT = "Gartner reports that the TAM is $5B. We want 7B."
PREFIX = "STANCHION_EXTRACTION_MODEL_"


def run(*arguments: str, given: str | None = None, **knobs: str) -> tuple[int, str, str]:
    """Run the command; give its exit code, output and errors."""
    env = {
        "STANCHION_KAFKA_BOOTSTRAP": "127.0.0.1:1",
        **{f"{PREFIX}{name.upper()}": value for name, value in {"wait_s": "0.01", **knobs}.items()},
    }
    done = subprocess.run(  # noqa: S603 - our own script
        [SCRIPT, *arguments], env=env, input=given, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_help_teaches() -> None:
    """What it does, which settings it needs, and how to try it, without any of them."""
    code, out, err = run("--help")
    assert (0, "") == (code, err)
    assert [] == [word for word in (f"{PREFIX}URL", f"{PREFIX}MODEL", "_KEY_FILE", "--try FILE") if word not in out]


def test_a_try_prints_what_would_be_submitted(tmp_path: Path) -> None:
    """One claim a line; what would be dropped is counted. Kafka is not needed."""
    told = [claim(quote="the TAM is $5B", source="Gartner"), claim(quote="The TAM is $6B.")]
    file = tmp_path / "notes.md"
    file.write_text(TEXT)
    with model_server([names(*told)]) as server:
        for arguments, given in (([str(file)], None), (["-"], TEXT)):
            code, out, err = run("--try", *arguments, given=given, url=server.url, model="small")
            assert (0, "dropped: 1 (quote)\n") == (code, err)
            (line,) = map(json.loads, out.splitlines())
            assert ("Gartner", "TAM", "5000000000") == (line["source"], line["subject"], line["value"]["text"])
            assert "Gartner reports that the TAM is $5B." == line["quote"]
    assert [TEXT, TEXT] == server.texts()


def test_a_try_that_comes_to_nothing(tmp_path: Path) -> None:
    """An endpoint that does not answer, a file that is not there, settings that are missing: one line says which."""
    file = tmp_path / "notes.md"
    file.write_text(TEXT)
    with model_server([Reply(status=401, body=b"who?")]) as server:
        knobs = {"url": server.url, "model": "small"}
        code, out, err = run("--try", str(file), **knobs)
        assert (1, "", "the endpoint answers 401 (attempt 1): who?\n") == (code, out, err.split("MODEL_FAILED: ")[1])
        assert 78 == run("--try", str(tmp_path / "none"), **knobs)[0]
    code, _, err = run("--try", str(file))
    assert (78, 1, True) == (code, err.count("\n"), "nothing is sent anywhere unless told" in err)


@pytest.mark.parametrize(
    ("knobs", "told"),
    [
        ({}, "nothing is sent anywhere unless told"),
        ({"url": "http://models.example/v1", "model": "small"}, "is not https"),
        ({"url": "https://models.example/v1", "model": "small", "key_file": "/none"}, "cannot be read"),
    ],
)
def test_it_refuses_to_start(knobs: dict[str, str], told: str) -> None:
    """It ends at once with the reason in one line; it needs no broker for that."""
    code, out, err = run(**knobs)
    assert (78, "", 1) == (code, out, err.count("\n"))
    assert told in json.loads(err)["detail"]
