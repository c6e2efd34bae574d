"""How the process ends: a setting that is wrong is said, a bug is not taken for one."""

import pytest

from stanchion_fusion.reassessment import app
from stanchion_runtime.errors import EXIT_UNUSABLE


@pytest.mark.parametrize(("name", "value"), [("PARTITIONS", "99"), ("PARTITIONS", "x"), ("HTTP_PORT", "x")])
def test_a_wrong_setting_ends_it_for_good(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    """Exit code 78, and the setting is named."""
    monkeypatch.setenv(f"STANCHION_REASSESSMENT_{name}", value)
    with pytest.raises(SystemExit) as caught:
        app.main()
    told = capsys.readouterr()
    assert (EXIT_UNUSABLE, True) == (caught.value.code, f"STANCHION_REASSESSMENT_{name}" in told.out + told.err)


def test_a_bug_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong while it looks comes out as it is, with its place, instead of as one more wrong setting."""

    async def broken(*_: object) -> None:
        raise ValueError("math domain error")

    monkeypatch.setattr(app, "serve", broken)
    with pytest.raises(ValueError, match="math domain error"):
        app.main()
