from io import StringIO

from rich.console import Console
from rich.text import Text

from stanchion.show import letters
from stanchion_contracts.deadletter import DeadLetter, DeadLetterHeader
from stanchion_local.deadletters import Letters

AT_US = 1_796_043_907_000_000


def letter(raw: bytes = b"", **more: object) -> DeadLetter:
    """Give a dead letter."""
    given = {
        "stage": "ingest",
        "cause": "inbox:3:41",
        "code": "WORKSPACE_MISSING",
        "detail": "no workspace is named: set the header ce_workspace",
        "time_us": AT_US,
        "raw": raw,
        **more,
    }
    return DeadLetter(**given)  # type: ignore[arg-type]  # what a test gives


def text(shown: Text, width: int = 110) -> str:
    """Give a text as a terminal without colours shows it."""
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(shown, no_wrap=True, crop=False)
    return out.getvalue()


def test_a_list_of_dead_letters() -> None:
    """One line each: when, by whom, why, and where the message is; then how to see one whole."""
    found = Letters(letters=(letter(), letter(cause="inbox:0:7", code="UNREADABLE", detail="no JSON")), total=7)
    expected = """\
refused (UTC)        stage   code               message     why
2026-11-30 13:05:07  ingest  WORKSPACE_MISSING  inbox:3:41  no workspace is named: set the header ce_workspace
2026-11-30 13:05:07  ingest  UNREADABLE         inbox:0:7   no JSON

2 of 7 dead letters, newest first
Next: stanchion dead-letters --show inbox:3:41
"""
    assert expected == text(letters.render(found, 112), 112)


def test_a_narrow_list() -> None:
    """At 60 columns each takes two lines, none wider than the terminal."""
    shown = text(letters.render(Letters(letters=(letter(),), total=1), 60), 60).splitlines()
    assert "  no workspace is named: set the header ce_workspace" == shown[1]
    assert 60 >= max(map(len, shown))


def test_none() -> None:
    """No dead letters is said in words."""
    assert "no dead letters\n" == text(letters.render(Letters(letters=(), total=0), 80))


def test_one_of_them_whole() -> None:
    """Why, the headers, and a text as text, without what could steer the terminal."""
    headers = (DeadLetterHeader(name="ce_id", value=b"7\x1b[2J"), DeadLetterHeader(name="bin", value=b"\xff\x00"))
    shown = text(letters.whole(letter(b'{"a": 1}\n\x1b[31mred', headers=headers, workspace="docs")))
    expected = """\
inbox:3:41  WORKSPACE_MISSING
no workspace is named: set the header ce_workspace

refused        2026-11-30 13:05:07 by ingest
workspace      docs
headers        ce_id: 7[2J
               bin: ff 00
message        17 bytes

{"a": 1}
[31mred
"""
    assert expected == shown


def test_bytes_that_are_no_text() -> None:
    """What is no text is shown in hexadecimal, its beginning only."""
    shown = text(letters.whole(letter(b"\xff\x00ABC" + bytes(600)))).splitlines()
    assert "00000000  ff 00 41 42 43 00" == shown[6][:27]
    assert shown[6].endswith("..ABC...........")
    assert "and 93 bytes more: --json has them in base64" == shown[-1]
