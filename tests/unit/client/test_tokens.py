from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from stanchion.cli.app import build
from stanchion.show import tokens
from stanchion_local import keys


def stanchion(home: Path, *arguments: str) -> Result:
    """Run a command of tokens."""
    return CliRunner().invoke(build(), ["token", *arguments], env={"STANCHION_HOME": str(home)})


def test_a_name_that_is_taken_stays(tmp_path: Path) -> None:
    """A token that is there goes only when told: minting `person` again does not take the person's own away."""
    keys.ensure(tmp_path)
    minted = stanchion(tmp_path, "mint", "person", "--kind", "person")
    before = stanchion(tmp_path, "show", "person").output
    assert (0, True) == (minted.exit_code, before.startswith("ey"))
    refused = stanchion(tmp_path, "mint", "person")
    assert (3, True) == (refused.exit_code, "there is a token person already" in refused.output)
    assert before == stanchion(tmp_path, "show", "person").output
    assert 0 == stanchion(tmp_path, "mint", "person", "--replace", "--sub", "jo").exit_code
    (now,) = tokens.read(tmp_path / "tokens")
    assert ("person", "agent", "jo") == (now.name, now.kind, now.sub)


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".", "..", "/tmp/x", "a\nb", "a" * 65])  # noqa: S108 - no file
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    """What could lead out of the folder is no name, neither to mint nor to show."""
    keys.ensure(tmp_path)
    (tmp_path / "x.jwt").write_text("secret")
    for command in ("mint", "show"):
        ran = stanchion(tmp_path, command, name)
        assert (2, True, False) == (ran.exit_code, "is no name of a token" in ran.output, "secret" in ran.output)
    assert [] == tokens.read(tmp_path / "tokens")
