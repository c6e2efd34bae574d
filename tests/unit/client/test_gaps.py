from io import StringIO

from rich.console import Console
from rich.text import Text

from stanchion.gaps import Gaps, find
from stanchion.importer import Import
from stanchion.results import Record, Upstream
from stanchion.show import imported


def record(
    number: str, *, said: str = "Accepted", left_out: tuple[str, ...] = (), lost: tuple[str, ...] = ()
) -> Record:
    """Give an imported decision."""
    upstream = Upstream(uri=f"d/{number}-a.md", status=said, left_out=left_out, unresolved=lost)
    return Record(id=f"{number}-a", kind="decision", fields={"status": "active"}, upstream=upstream)


def text(parts: list[Text]) -> str:
    """Give lines as a terminal without colours shows them."""
    out = StringIO()
    Console(file=out, width=120, highlight=False).print(*parts, sep="\n", no_wrap=True)
    return out.getvalue()


def test_what_an_import_lacks() -> None:
    """Links to nowhere, texts without a status, parts left out and files of no record; other documents do not count."""
    records = [
        record("0001", lost=("depends_on d/0009.md", "amends d/0008.md")),
        record("0002", said=""),
        record("0003", left_out=("Deciders: 3 names",)),
        record("0004", said="", lost=("x y",)),
        Record(id="0005-b", kind="decision"),
    ]
    uris = frozenset({"d/0001-a.md", "d/0002-a.md", "d/0003-a.md", "d/README.md"})
    gaps = find(records, uris)
    expected = Gaps(unresolved=("0001",), links=2, no_status=("0002",), left_out=("0003",), no_record=("d/README.md",))
    assert expected == gaps
    lines = """\
2 links not landed yet: 0001  stanchion show 0001 -w docs
no status in the text: 0002  stanchion show 0002 -w docs
parts left out of: 0003  stanchion show 0003 -w docs
no decision found in: d/README.md
"""
    assert lines == text(imported.lacking(gaps, " -w docs"))


def test_nothing_lacking_says_nothing() -> None:
    """A whole import with its history has no word of warning."""
    whole = Import(source="s", events=(), commits=1, files=1)
    assert ([], []) == (imported.lacking(Gaps(), ""), imported.beware(whole))


def test_a_lack_of_history_is_said() -> None:
    """What moved before the first commit that is there cannot be seen, and that is said."""
    shallow = Import(source="s", events=(), commits=1, files=1, history="shallow")
    plain = Import(source="s", events=(), commits=0, files=1, history="none")
    expected = "the clone is shallow: what moved before cannot be seen; `git fetch --unshallow`, then import again\n"
    assert expected == text(imported.beware(shallow))
    assert "no git history: what moved before cannot be seen\n" == text(imported.beware(plain))
