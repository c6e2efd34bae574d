import pytest

from stanchion.cli import terminal


def test_no_colour_means_no_style_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR drops bold and dim, too, on answers and beside them."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for console in (terminal.console(), terminal.beside()):
        with console.capture() as said:
            console.print("[bold]x", style="bold red")
        assert "\x1b" not in said.get()
