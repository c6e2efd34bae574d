from pathlib import Path

import pytest
from structlog.testing import capture_logs

from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_runtime import logs
from stanchion_runtime.errors import EXIT_UNKNOWN
from stanchion_runtime.tail import Start
from stanchion_view import app
from stanchion_view.settings import ViewSettings
from support.views import PARTITIONS, store_at


def test_what_cannot_be_read_in_the_file_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary in the file that is none ends the process as a ledger that is none does, with its reason."""

    async def unreadable() -> None:
        raise InvalidMessage(FIELD_VALUE, "vocabulary: it has no kinds")

    monkeypatch.setattr(app, "run", unreadable)
    monkeypatch.setattr(logs, "configure", lambda _stage: None)
    with capture_logs() as logged, pytest.raises(SystemExit) as left:
        app.main()
    assert EXIT_UNKNOWN == left.value.code
    assert ["FIELD_VALUE: vocabulary: it has no kinds"] == [line["detail"] for line in logged]


def test_a_file_of_another_format_is_made_anew_and_said(tmp_path: Path) -> None:
    """What an older view left is emptied, and the log says that the ledger makes it anew."""
    settings = ViewSettings(STANCHION_HOME=tmp_path)  # type: ignore[call-arg]  # by its name in the environment
    old = store_at(settings.file)
    old._write.execute("UPDATE format SET version = 3")
    old.commit({"heads": [("acme", 1, "d", 1, "{}")]}, {0: Start(position=7, up="0|changes=6")})
    old.close()
    with capture_logs() as logged:
        made = app.replica(settings, PARTITIONS)
    assert ["it is made anew from the ledger"] == [line["detail"] for line in logged]
    assert ({0: Start()}, {}) == ({0: made.positions[0]}, made.workspaces)
    made.close()
    with capture_logs() as logged:
        app.replica(settings, PARTITIONS).close()
    assert [] == logged
