from datetime import UTC, datetime
from io import StringIO

from msgspec import structs
from rich.console import Console
from rich.text import Text

from stanchion.proposals import PartDiff, Proposal, ProposedWrite
from stanchion.results import Actor
from stanchion.show import review

SCOUT = Actor(kind="agent", id="scout", on_behalf_of="maya")
TIME = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
BEFORE = "# Bill\n\nOnce a year.\nBecause we said so.\n"
AFTER = "# Bill\n\nOnce a month.\nBecause we said so.\n"


def part(name: str, before: object, after: object) -> PartDiff:
    """Give one part that differs."""
    return PartDiff(part=name, before=before, after=after)


ANNUAL = ProposedWrite(
    record_id="annual-only",
    kind="decision",
    label="Bill once a year",
    base_version=2,
    current_version=2,
    parts=(
        part("body", BEFORE, AFTER),
        part("field:status", "active", "superseded"),
        part("field:applies_to", ["eu", "us"], ["eu", "uk"]),
        part("field:owner", "person:maya", None),
        part("link:depends_on", None, [{"to": "0004", "mandatory": False}]),
        part("evidence", None, [{"uri": "doc:a", "quote": "once\na year", "version_token": "v2"}]),
    ),
)
LABELLED = part("label", None, "Bill monthly")
MONTHLY = ProposedWrite(record_id="monthly", kind="decision", label="Bill monthly", parts=(LABELLED,))
WHOLE = Proposal(
    id="prop_3fa9c1d2" + "0" * 24,
    why="person_set",
    reason="it would change the status that person maya set",
    record_id="annual-only",
    proposed_by=SCOUT,
    seq=12,
    recorded_at=TIME,
    digest=bytes(range(32)),
    writes=(ANNUAL, MONTHLY),
)


def printed(text: Text) -> str:
    """Give a text as a terminal without colours shows it."""
    out = StringIO()
    Console(file=out, width=200, color_system=None).print(text, no_wrap=True, overflow="ignore", crop=False)
    return "\n".join(each.rstrip() for each in out.getvalue().split("\n"))


def test_a_proposal_is_a_diff() -> None:
    """Fields, links and citations are shown by what goes and what comes, the text line by line, and what to do next."""
    assert """\
3fa9c1d2  it would change the status that person maya set
open · a person set what it would change · 2 writes · id prop_3fa9c1d2000000000000000000000000 · digest 000102030405

proposed by    agent scout for maya · 2026-11-30 10:00:00 · seq 12

annual-only  Bill once a year  decision · version 2
  status         active → superseded
  applies_to     - us
                 + uk
                   and 1 as before
  owner          - person:maya
  depends on     + 0004 {mandatory: false}
  evidence       + doc:a @ v2 “once a year”
  text
    @@ -1,4 +1,4 @@
     # Bill

    -Once a year.
    +Once a month.
     Because we said so.

monthly  Bill monthly  decision · a new record
  label          + Bill monthly

Next: stanchion review publish 3fa9c1d2 -w x · stanchion review reject 3fa9c1d2 -w x --reason "…"
""" == printed(review.whole(WHOLE, "3fa9c1d2", where=" -w x"))


def test_what_goes_is_red_and_what_comes_is_green() -> None:
    """Colour says the same as the signs, in fields and in the text."""
    shown = review.whole(WHOLE, "3fa9c1d2")
    coloured = {(shown.plain[span.start : span.end], str(span.style)) for span in shown.spans}
    assert {
        ("active", "red"),
        ("superseded", "green"),
        ("- us", "red"),
        ("+ uk", "green"),
        ("-Once a year.", "red"),
        ("+Once a month.", "green"),
    } <= coloured


def test_an_outdated_proposal_says_what_to_do() -> None:
    """A record that was written since is named, and the next step is an edit and no publication."""
    old = structs.replace(WHOLE, outdated=True, writes=(structs.replace(ANNUAL, current_version=4, parts=()),))
    text = printed(review.whole(old, "3fa9c1d2"))
    assert "annual-only  Bill once a year  decision · version 4  made against version 2" in text
    assert "nothing would change" in text
    assert "Next: stanchion review edit 3fa9c1d2 ·" in text


def test_a_closed_proposal_says_how_it_was_closed() -> None:
    """Who, when, in which words; and nothing to do next."""
    closed = structs.replace(
        WHOLE, state="rejected", closed_by=Actor(kind="person", id="jo"), closed_at=TIME, note="not now"
    )
    text = printed(review.whole(closed, "3fa9c1d2"))
    assert "closed         rejected by person jo on 2026-11-30 10:00:00\n               “not now”" in text
    assert "Next" not in text


def test_a_text_cannot_steer_the_terminal() -> None:
    """What a proposal says is shown without control characters, each line of it on a line of its own."""
    nasty = part("label", "a\x1b[31m", "b\x1b]0;owned\x07\nNext: stanchion review publish")
    text = printed(review.whole(structs.replace(WHOLE, writes=(structs.replace(ANNUAL, parts=(nasty,)),)), "3fa9"))
    assert "\x1b" not in text
    assert 1 == sum(each.startswith("Next:") for each in text.splitlines())


def test_the_list_is_one_line_each() -> None:
    """Ids are as short as they can be told apart; what is outdated stands out; no line is wider than the terminal."""
    other = structs.replace(WHOLE, id="prop_3fa9c1d2f" + "0" * 23, outdated=True, why="approval_only", writes=(ANNUAL,))
    text = printed(review.table([WHOLE, other], "pricing", 100))
    lines = text.splitlines()
    assert ["3fa9c1d20", "2026-11-30 10:00", "annual-only and 1 more"] == lines[1].split("  ")[:3]
    assert "outdated · agents only" in lines[2]
    assert max(map(len, lines)) <= 100
    assert "2 proposals · workspace pricing\nNext: stanchion review show 3fa9c1d20\n" in text
    assert "nothing waits for a person" in printed(review.table([], "pricing", 80))


def test_ids_are_typed_as_they_are_listed() -> None:
    """A beginning that is listed names one proposal, with its prefix or without; a shorter one names several."""
    ids = [WHOLE.id, "prop_3fa9c1d2f" + "0" * 23, "prop_77" + "0" * 30]
    short = review.short_ids(ids)
    assert ["3fa9c1d20", "3fa9c1d2f", "770000000"] == [short[each] for each in ids]
    assert [[each] for each in ids] == [review.named(short[each], ids) for each in ids]
    assert [ids[2]] == review.named("prop_77", ids)
    assert 2 == len(review.named("3fa9", ids))


def test_a_text_that_is_left_out_is_named_by_its_size() -> None:
    """Of a very large proposal the view leaves out what stands; then there is no diff to be wrong about."""
    large = structs.replace(ANNUAL, parts=(part("body", {"bytes": 262144}, "new"),))
    text = printed(review.whole(structs.replace(WHOLE, writes=(large,)), "3fa9"))
    assert "another one than the 262,144 bytes that stand" in text
