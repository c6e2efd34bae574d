import pytest
from structlog.testing import capture_logs

from stanchion_core.errors import FIELD_VALUE, InvalidMessage
from stanchion_runtime import logs
from stanchion_view import app


def test_what_cannot_be_read_in_the_file_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vocabulary in the file that is none ends the process as a ledger that is none does, with its reason."""

    async def unreadable() -> None:
        raise InvalidMessage(FIELD_VALUE, "vocabulary: it has no kinds")

    monkeypatch.setattr(app, "run", unreadable)
    monkeypatch.setattr(logs, "configure", lambda _stage: None)
    with capture_logs() as logged, pytest.raises(SystemExit) as left:
        app.main()
    assert app.EXIT_UNKNOWN == left.value.code
    assert ["FIELD_VALUE: vocabulary: it has no kinds"] == [line["detail"] for line in logged]
