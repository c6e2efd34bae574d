from datetime import UTC, datetime
from io import StringIO

from msgspec import structs
from rich.console import Console
from rich.text import Text

from stanchion.proposals import Proposal
from stanchion.results import (
    Actor,
    Answer,
    ChangeEvent,
    Citation,
    EvidenceDisagrees,
    GroundNotInForce,
    LandedRecord,
    LastAffirmed,
    LastConfirmed,
    LedgerEntry,
    Link,
    Monitored,
    Moved,
    Page,
    Published,
    Reason,
    Record,
    Step,
    Upstream,
    Validity,
)
from stanchion.show import imported as show_imported
from stanchion.show import record as show_record
from stanchion.show import tables

AT = datetime(2026, 11, 30, 13, 5, 7, tzinfo=UTC)
MAYA = Actor(kind="person", id="maya")


def text(shown: Text, width: int = 110) -> str:
    """Give a text as a terminal without colours shows it."""
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(shown, no_wrap=True, crop=False)
    return out.getvalue()


DECISION = Record(
    workspace="docs",
    id="0007-tail-the-ledger",
    kind="decision",
    label="Tail the ledger from the view",
    body="# Tail the ledger\n\nReaders follow it.\n",
    fields={"status": "active", "area": "reads", "decided_by": "person:maya", "scopes": ["a", "b"]},
    links=(
        Link(name="relates_to", to="0008-gone", note="see there"),
        Link(name="depends_on", to="0004-one-topic"),
    ),
    evidence=(Citation(uri="https://example.org/a", quote="Tail it.", version_token="v3", last_observed=AT),),  # noqa: S106
    tags=("kafka",),
    version=3,
    written_by=MAYA,
    written_at=AT,
    origin="observation:obs_1",
    seq=12,
    upstream=Upstream(
        uri="docs/decisions/0007-tail.md",
        revision="0123456789abcdef",
        status="Accepted",
        left_out=("Deciders: 3 names",),
    ),
    validity=Validity(
        state="needs_review",
        reasons=(
            Reason(
                kind="input_changed",
                record_id="0004-one-topic",
                path=(Step(link="depends_on", record_id="0004-one-topic"),),
                change=Moved(kind="field", name="status", to="superseded"),
                seq=58,
            ),
        ),
        monitored=Monitored(records=4, links=5, citations=1),
        observed_through=61,
        grounds_not_in_force=(GroundNotInForce(record_id="0004-one-topic", status="superseded"),),
    ),
    last_confirmed=LastConfirmed(by=MAYA, at=AT, how="affirmed", seq=41),
    last_affirmed=LastAffirmed(by=MAYA, at=AT, note="0011 keeps one topic for reads", seq=41, version=2),
)
TOPIC = Record(
    id="0004-one-topic",
    kind="decision",
    label="One topic per service",
    fields={"status": "superseded"},
    superseded_by=("0011-two",),
)


AROUND = show_record.Around(known={TOPIC.id: TOPIC})


def test_a_record_with_everything() -> None:
    """Name, state, the way to what moved, grounds, citations, fields, upstream and author, in that order."""
    expected = """\
0007  Tail the ledger from the view
decision · active · version 3 · workspace docs · id 0007-tail-the-ledger

needs review   since seq 58 · checked through seq 61 · 4 records, 5 links looked at
               depends on  0004  One topic per service    superseded by 0011
not in force   0004 is superseded
confirmed      no longer; affirmed by person maya on 2026-11-30, seq 41
affirmed       by person maya on 2026-11-30, seq 41, of version 2
               “0011 keeps one topic for reads”

rests on       depends on  0004  One topic per service                                          superseded
links          relates to  0008  see there                                                      not there

cites          https://example.org/a @ v3  last observed 2026-11-30 13:05:07
                 “Tail it.”

area           reads
decided by     person:maya
scopes         a, b
tags           kafka

upstream       docs/decisions/0007-tail.md @ 0123456789ab
               says “Accepted”
               left out: Deciders: 3 names

written by     person maya · 2026-11-30 13:05:07 · seq 12 · observation:obs_1

# Tail the ledger

Readers follow it.
"""
    shown = text(show_record.render(DECISION, AROUND, 110))
    assert expected.splitlines() == [each.rstrip() for each in shown.splitlines()]


def test_a_wide_terminal_cuts_no_title() -> None:
    """Where there is room a long title stands there whole."""
    long = structs.replace(DECISION, label="Tail the ledger from the view " * 5)
    assert long.label.strip() in text(show_record.render(long, AROUND, 180), 180)
    assert "…" in text(show_record.render(long, AROUND, 110)).splitlines()[0]


def test_a_record_without_its_text() -> None:
    """The text is left out when it is not wanted."""
    shown = text(show_record.render(DECISION, AROUND, 110, body=False))
    assert "Readers follow it." not in shown


def test_what_waits_about_a_record() -> None:
    """Open proposals with whose and why, evidence that says otherwise, and who claims to replace it, are told."""
    record = structs.replace(
        TOPIC,
        fields={"status": "open"},
        superseded_by=(),
        replacement_claimed_by=("0012-three",),
        proposals=("prop_3fa9c1d2f0", "prop_77aa", "prop_88", "prop_99"),
        evidence_disagrees=EvidenceDisagrees(status="refuted", proposal_id="prop_77aa", since_seq=9),
    )
    scout = Actor(kind="agent", id="scout", on_behalf_of="maya")
    proposals = [
        Proposal(id=each, why=why, proposed_by=scout)
        for each, why in zip(record.proposals, ("person_set", "evidence_disagrees", "import_refused"), strict=False)
    ]
    shown = text(show_record.render(record, show_record.Around(proposals=proposals, where=" -w docs"), 110))
    assert "claimed by     0012 says it replaces this\n" in shown
    expected = """\
in review      3fa9c1d2  agent scout for maya: a person set what it would change
               77aa  agent scout for maya: evidence says otherwise
               88  agent scout for maya: a rule refused it
               and 1 more: stanchion review --record 0004-one-topic -w docs
evidence       points to refuted since seq 9, and a person set open
               stanchion review show 3fa9c1d2 -w docs
"""
    assert expected in "\n".join(each.rstrip() for each in shown.split("\n"))


def test_a_list_of_records() -> None:
    """One line a record, with its validity in words; the count and the position at the end."""
    page = Page(records=(DECISION, TOPIC), total=9, as_of_seq=61)
    expected = """\
name  kind      status      validity      label
0007  decision  active      needs review  Tail the ledger from the view
0004  decision  superseded                One topic per service

2 of 9 records · workspace docs · as of seq 61 · --limit 9 for all of them
"""
    shown = text(tables.records(page, "docs", 110, more="--limit 9 for all of them"))
    assert expected.splitlines() == [each.rstrip() for each in shown.splitlines()]


def test_a_list_names_what_rests_on_nothing() -> None:
    """A record in force on a ground that is not says so beside its state; one that is not in force itself does not."""
    grounds = Validity(state="current", grounds_not_in_force=(GroundNotInForce(record_id="0001", status="draft"),))
    here = Record(id="0002-a", kind="decision", label="A", fields={"status": "active"}, validity=grounds)
    past = Record(id="0003-b", kind="decision", label="B", fields={"status": "draft"}, validity=grounds)
    shown = text(tables.records(Page(records=(here, past), total=2), "docs", 110)).splitlines()
    assert "0002  decision  active  current, ground not in force  A" == shown[1]
    assert "0003  decision  draft   unmoved                       B" == shown[2].rstrip()


def test_ledger_entries() -> None:
    """One line an entry: seq, time, who, what, and why."""
    entry = LedgerEntry(
        seq=58,
        recorded_at=AT,
        actor=MAYA,
        action="record.written",
        subject_id="0004-one-topic",
        reason="0011 replaces it",
    )
    expected = """\
seq  recorded (UTC)       who          what            subject         why
 58  2026-11-30 13:05:07  person maya  record.written  0004-one-topic  0011 replaces it
"""
    assert expected == text(tables.entries([entry], 110))


def test_ledger_entries_at_sixty_columns() -> None:
    """Where a table has no room an entry takes lines of its own, none wider than the terminal; nothing is cut."""
    affirmed = LedgerEntry(
        seq=61,
        recorded_at=AT,
        actor=MAYA,
        action="record.affirmed",
        subject_id="0007-tail-the-ledger",
        reason="decision 0007-tail-the-ledger still holds at version 3, seen to seq 60",
        after={"record_id": "0007-tail-the-ledger", "note": "0011 keeps one topic\nfor reads"},
    )
    expected = """\
61  2026-11-30 13:05:07  person maya
    record.affirmed  0007-tail-the-ledger
    decision 0007-tail-the-ledger still holds at version 3,
    seen to seq 60
    “0011 keeps one topic for reads”
"""
    assert expected == text(tables.entries([affirmed], 60), 60)
    wide = text(tables.entries([affirmed], 200), 200).splitlines()
    assert "“0011 keeps one topic for reads”" == wide[2].strip()


def test_why_an_entry_is_there_is_never_cut() -> None:
    """A reason goes on under its beginning: in a table there is no other explanation."""
    entry = LedgerEntry(seq=9, recorded_at=AT, actor=MAYA, action="record.written", subject_id="h", reason="word " * 30)
    shown = text(tables.entries([entry], 110), 110)
    assert (30, 110) == (shown.count("word"), max(110, *map(len, shown.splitlines())))


def test_what_evidence_decided_names_its_belief() -> None:
    """A hypothesis that evidence supported or refuted says where to see why; an open one has nothing to show yet."""
    claim = {"subject": "annual plan", "predicate": "share of revenue"}
    refuted = Record(id="h", kind="hypothesis", label="H", fields={"status": "refuted", "claim": claim})
    shown = text(show_record.render(refuted, show_record.Around(where=" -w docs"), 110))
    assert "belief         annual plan · share of revenue\n" in shown
    assert "stanchion believe show 'annual plan' 'share of revenue' -w docs\n" in shown
    still_open = structs.replace(refuted, fields={**refuted.fields, "status": "open"})
    assert "believe show" not in text(show_record.render(still_open, show_record.Around(), 110))


def test_changes_as_they_come() -> None:
    """What needs review names the records, and how many more there are."""
    event = ChangeEvent(
        seq=58, recorded_at=AT, kind="needs_review.opened", record_ids=("a", "b"), more=3, reason="0004 moved"
    )
    assert "    58  13:05:07  needs_review.opened   a, b and 3 more  0004 moved\n" == text(tables.change(event, 110))


def test_answers() -> None:
    """A write says its seqs and versions; one that changed nothing, or waits for a person, says so."""
    landed = Answer(first_seq=5, last_seq=6, min_seq=6, records=(LandedRecord(record_id="r1", version=2),))
    assert "landed  seq 5 to 6\n  r1  version 2\n" == text(tables.answer(landed))
    assert "nothing changed  everything is as it was\n" == text(tables.answer(Answer(min_seq=6)))
    same = text(tables.answer(Answer(min_seq=6, records=landed.records)))
    assert "nothing changed  everything is as it was\n  r1  version 2\n" == same
    odd = Answer(first_seq=5, last_seq=5, left_out=("a relation without an end",))
    assert "landed  seq 5\nleft out  a relation without an end\n" == text(tables.answer(odd))
    again = Answer(min_seq=5, repeated_command=True)
    assert "nothing changed  it had come before\n" == text(tables.answer(again))
    proposed = text(tables.answer(Answer(first_seq=7, last_seq=7, min_seq=7, proposals=("p1",)), " -w docs"))
    assert (
        "not written  it became proposal p1, which waits for a person\nNext: stanchion review show p1 -w docs\n"
        == proposed
    )


def test_what_was_published() -> None:
    """Publishing says how many, how many changed something, what waits for a person, and what was not taken, once."""
    expected = """\
published 110 events, 41 changed something  workspace docs
69 of them changed nothing: known before, or nothing in it that is kept; what could not be read: stanchion dead-letters
"""
    told = show_imported.Told(count=110, changed=41)
    assert expected == text(show_imported.published(told, "docs", 0.5), 120)
    expected = """\
published 2 events, 2 changed something  workspace docs
1 proposal waits for a person: stanchion review -w docs
left out:
  a relation without an end
"""
    left_out = Answer(first_seq=1, last_seq=1, proposals=("p1",), left_out=("a relation without an end",))
    told = show_imported.Told()
    for answer in (left_out, structs.replace(left_out, proposals=())):
        told = told.with_(Published(id="e", answer=answer))
    assert expected == text(show_imported.published(told, "docs", 0.5, where=" -w docs"))
