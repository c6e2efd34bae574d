from io import StringIO

from msgspec import structs
from rich.console import Console
from rich.text import Text

from stanchion.results import Actor, GroundNotInForce, LastAffirmed, Link, Moved, Reason, Record, Step, Validity
from stanchion.show import stale as show
from stanchion.stale import Asked, Stale, judge
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.vocabulary_text import read


def record(  # noqa: PLR0913 - what a test says about a record
    record_id: str,
    label: str,
    status: str = "active",
    *,
    kind: str = "decision",
    reasons: tuple[Reason, ...] = (),
    superseded_by: tuple[str, ...] = (),
    state: str = "current",
    links: tuple[Link, ...] = (),
    grounds: tuple[str, ...] = (),
) -> Record:
    """Give a record as the view serves it."""
    validity = Validity(
        state="needs_review" if reasons else state,  # type: ignore[arg-type]
        reasons=reasons,
        observed_through=61,
        grounds_not_in_force=tuple(
            GroundNotInForce(record_id=which, status=said) for which, said in map(str.split, grounds)
        ),
    )
    return Record(
        id=record_id,
        kind=kind,
        label=label,
        fields={"status": status},
        superseded_by=superseded_by,
        links=links,
        as_of_seq=61,
        validity=validity,
    )


def moved(seq: int, to: str, *way: tuple[str, str]) -> Reason:
    """Give a reason: a status that changed at the end of a way."""
    return Reason(
        kind="input_changed",
        record_id=way[-1][1],
        path=tuple(Step(link=link, record_id=to_id) for link, to_id in way),
        change=Moved(kind="field", name="status", to=to),
        seq=seq,
    )


DOCS = Asked(workspace="docs")
TOPIC = record("0004-one-topic", "One topic per service", "superseded", superseded_by=("0011-two-topics",))
TAIL = record(
    "0007-tail-the-ledger",
    "Tail the ledger from the view",
    reasons=(moved(58, "superseded", ("depends_on", "0004-one-topic")),),
)
REPLICA = record(
    "0009-full-replica",
    "A view is a full replica of the partitions it is given, and replicas are how reads scale",
    reasons=(
        moved(58, "superseded", ("depends_on", "0007-tail-the-ledger"), ("depends_on", "0004-one-topic")),
        moved(60, "refuted", ("assumes", "h-market")),
    ),
)
TWO = record("0011-two-topics", "Two topics per service")
MARKET = record("h-market", "The market is larger than 5 bn", "refuted", kind="hypothesis")
SIGNED = record("r-signed", "Every release is signed", kind="rule", state="monitoring_incomplete")


def text(answer: Stale, width: int) -> str:
    """Give an answer as a terminal without colours shows it."""
    out = StringIO()
    Console(file=out, width=width, highlight=False).print(show.render(answer, width), no_wrap=True, crop=False)
    return out.getvalue()


def styles(shown: Text) -> set[str]:
    """Give the styles of a text."""
    return {str(span.style) for span in shown.spans}


def test_what_no_longer_stands_and_why() -> None:
    """The headline counts, each record says since when, each cause shows the way and what happened."""
    answer = judge(DOCS, 61, [TOPIC, TAIL, REPLICA, TWO, SIGNED], [MARKET])
    expected = """\
2 of 3 decisions no longer stand                             workspace docs · checked through seq 61

needs review   0007  Tail the ledger from the view                                      since seq 58
                 depends on  0004  One topic per service    superseded by 0011
needs review   0009  A view is a full replica of the partitions it is given, and repl…  since seq 58
                 depends on 0007 → depends on  0004  One topic per service    superseded by 0011
                 assumes  h-market  The market is larger than 5 bn            refuted

incomplete     r-signed  Every release is signed

superseded     0004  One topic per service                                                   by 0011

Next: stanchion show 0007 · stanchion affirm 0007 --through 61
"""
    assert expected.splitlines() == text(answer, 100).splitlines()


def test_a_wide_terminal_cuts_nothing() -> None:
    """Where there is room for the longest label it stands there whole, and lines are no wider than that takes."""
    shown = text(judge(DOCS, 61, [TOPIC, TAIL, REPLICA, TWO, SIGNED], [MARKET]), 200)
    assert REPLICA.label in shown
    assert "…" not in shown
    assert 125 > max(map(len, shown.splitlines()))


REFUTED = Link(name="assumes", to="h-market")
DRAFT = record("0006-draft", "Write the topics down", "draft")
UNMOVED = record(
    "0008-cap",
    "Cap what a view holds",
    links=(Link(name="depends_on", to="0006-draft"), REFUTED),
    grounds=("0006-draft draft", "h-market refuted"),
)


def test_what_rests_on_what_is_not_in_force() -> None:
    """What never was in force has not moved: the record is named and counted all the same."""
    idle = record("0012-idle", "Perhaps", "draft", grounds=("0006-draft draft",))
    answer = judge(DOCS, 61, [DRAFT, TOPIC, UNMOVED, TWO, idle], [MARKET])
    expected = """\
1 of 2 decisions no longer stands                            workspace docs · checked through seq 61

rests on what is not in force   0008  Cap what a view holds
                 depends on  0006  Write the topics down              draft
                 assumes  h-market  The market is larger than 5 bn    refuted

superseded     0004  One topic per service                                                   by 0011

Next: stanchion show 0008 · stanchion affirm 0008 --through 61
"""
    assert expected.splitlines() == [each.rstrip() for each in text(answer, 100).splitlines()]
    assert answer.found


def test_what_a_person_affirmed_all_the_same() -> None:
    """A record that was affirmed as it was last written stands, and what it rests on stays in sight."""
    affirmed = structs.replace(UNMOVED, version=2, last_affirmed=LastAffirmed(version=2))
    written_since = structs.replace(affirmed, version=3)
    answer = judge(DOCS, 61, [DRAFT, affirmed], [MARKET])
    assert "affirmed, though it rests on what is not in force   0008  Cap" in text(answer, 100)
    assert (False, True) == (answer.found, judge(DOCS, 61, [DRAFT, written_since], [MARKET]).found)


def test_each_record_counts_once() -> None:
    """A record that needs review and rests on something else that is not in force is named once, with both."""
    both = record(
        "0008-cap",
        "Cap",
        reasons=TAIL.validity.reasons if TAIL.validity else (),
        grounds=("0004-one-topic superseded", "0006-draft draft"),
    )
    answer = judge(DOCS, 61, [TOPIC, DRAFT, both], [])
    assert (1, ()) == (answer.counts[0].fallen, answer.resting)
    assert ["0006"] == [each.name for each in answer.fallen[0].grounds]
    assert "0006  Write the topics down    draft" in text(answer, 100)


def test_sixty_columns() -> None:
    """At 60 columns the position stands under the headline, and no line is wider."""
    shown = text(judge(DOCS, 61, [TOPIC, TAIL, UNMOVED, DRAFT, TWO], [MARKET]), 60).splitlines()
    assert ["2 of 3 decisions no longer stand", "workspace docs · checked through seq 61"] == shown[:2]
    assert [] == [each for each in shown if len(each) > 60 and not each.startswith("Next")]


def test_who_should_look() -> None:
    """A record's owner should, else who decided, stood behind or wrote it; whoever has most to look at comes first."""
    maya, jo = Actor(kind="person", id="maya"), Actor(kind="person", id="jo")
    given = {
        "0001-a": structs.replace(TAIL, fields={**TAIL.fields, "owner": "team:pricing"}, written_by=maya),
        "0002-b": structs.replace(TAIL, fields={**TAIL.fields, "decided_by": "person:jo"}, written_by=maya),
        "0003-c": structs.replace(TAIL, last_affirmed=LastAffirmed(by=jo), written_by=maya),
        "0005-d": structs.replace(TAIL, written_by=maya),
        "0006-e": structs.replace(TAIL, written_by=maya),
        "0008-f": TAIL,
    }
    answer = judge(DOCS, 61, [TOPIC, *(structs.replace(each, id=name) for name, each in given.items())], [])
    assert ["team:pricing", "person:jo", "person:jo", "person:maya", "person:maya", ""] == [
        each.look.who for each in answer.fallen
    ]
    shown = text(answer, 100)
    expected = """\
who should look  person:maya wrote      0005, 0006
                 person:jo affirmed     0003
                 person:jo decided      0002
                 team:pricing owns      0001
                 nobody known:          0008
"""
    told = shown[shown.index("who should look") : shown.index("\nsuperseded")]
    assert [each.split() for each in expected.splitlines()] == [each.split() for each in told.splitlines()]
    assert text(judge(DOCS, 61, [TOPIC, TAIL], []), 100).count("who should look") == 0


def test_the_vocabulary_says_what_stands() -> None:
    """What is in force, what is rested on and what is past is the workspace's own word, not that of what ships."""
    own = read(
        """
name: legal
kinds:
  clause: {statuses: [binding, struck, idea], in_force: [binding], moves_into: [struck]}
  memo: {statuses: [open], in_force: [open]}
links:
  derives_from: {from: [clause], to: [clause], rests: true}
  strikes: {from: [clause], to: [clause], supersedes: struck}
"""
    )
    link = Link(name="derives_from", to="c1", state="confirmed")
    clauses = [
        record("c1", "Old", "struck", kind="clause"),
        record("c2", "New", "binding", kind="clause", links=(link,), grounds=("c1 struck",)),
        record("c3", "Perhaps", "idea", kind="clause", reasons=(moved(5, "struck", ("derives_from", "c1")),)),
    ]
    asked = Asked(workspace="legal", vocabulary=own)
    answer = judge(asked, 61, clauses, [])
    assert (("clause",), (1, 1)) == (asked.about, (answer.counts[0].in_force, answer.counts[0].fallen))
    assert [("derives from", "c1", "struck")] == [
        (each.link, each.record_id, each.status) for each in answer.resting[0].grounds
    ]
    assert ["c1"] == [each.id for each in answer.past]
    assert not judge(structs.replace(asked, vocabulary=base_vocabulary()), 61, clauses, []).found


def test_a_narrow_terminal_loses_labels_first() -> None:
    """Where it is narrow the way and what happened stay, labels give way; no line is wider than the terminal."""
    shown = text(judge(DOCS, 61, [TOPIC, TAIL, REPLICA, TWO], [MARKET]), 80).splitlines()
    assert [80] >= [max(map(len, shown))]
    assert any("depends on 0007 → depends on  0004" in each and "superseded by 0011" in each for each in shown)


def test_all_is_well() -> None:
    """Nothing to do is one quiet line, and where to look next."""
    expected = """\
The only decision still stands                               workspace docs · checked through seq 61

Next: stanchion query --kind decision · stanchion watch --from-seq 62
"""
    assert expected == text(judge(DOCS, 61, [TWO], []), 120)


def test_all_of_several_kinds() -> None:
    """Kinds that are there are counted, the others left out."""
    rule = record("r-signed", "Every release is signed", kind="rule")
    shown = text(judge(DOCS, 61, [TWO, rule], []), 120)
    assert shown.startswith("All 1 decision and 1 rule still stand  ")


def test_nothing_there() -> None:
    """An empty workspace says how to fill it."""
    shown = text(judge(DOCS, 0, [], []), 120)
    assert shown.startswith("No decision or rule in force")
    assert "stanchion import git . --dir docs/decisions" in shown


def test_what_was_asked_for_is_said() -> None:
    """An answer about some records says about which: a filter that fits nothing must not read as all being well."""
    asked = Asked(workspace="docs", kinds=("decision",), area="reads", owner="person:maya")
    shown = text(judge(asked, 61, [], []), 120)
    assert shown.startswith("No decision in force")
    assert "workspace docs · area reads · owner person:maya · checked through seq 61" in shown
    assert "Next: stanchion stale\n" in shown


def test_a_quote_that_is_gone() -> None:
    """A record whose own citation is at risk says which source."""
    gone = Reason(
        kind="support_at_risk", record_id="0011-two-topics", change=Moved(kind="citation", name="https://a.test")
    )
    shown = text(judge(DOCS, 61, [record("0011-two-topics", "Two topics per service", reasons=(gone,))], []), 120)
    assert "its own citation    quote no longer in https://a.test" in shown


def test_drafts_do_not_count() -> None:
    """What was never in force cannot fall."""
    draft = record(
        "0012-draft", "Perhaps", "draft", reasons=(moved(58, "superseded", ("depends_on", "0004-one-topic")),)
    )
    answer = judge(DOCS, 61, [TOPIC, draft, TWO], [])
    assert ((), 1) == (answer.fallen, answer.counts[0].in_force)


def test_a_label_cannot_steer_the_terminal() -> None:
    """Control and bidi characters of a stored text never reach the terminal."""
    evil = record(
        "0001-evil", "red \x1b[31m \u202e back\nnew line", reasons=(moved(5, "deleted", ("assumes", "h\x07x")),)
    )
    shown = text(judge(DOCS, 61, [evil], []), 120)
    assert not {"\x1b", "\u202e", "\x07"} & set(shown)
    assert "red [31m  back new line" in shown


def test_colour_only_where_it_means_something() -> None:
    """Green is for all is well, red for what fell; nothing else is coloured."""
    fallen = show.render(judge(DOCS, 61, [TOPIC, TAIL, TWO], []), 100)
    well = show.render(judge(DOCS, 61, [TWO], []), 100)
    assert {"bold red", "bold", "dim"} == styles(fallen)
    assert {"bold green", "dim"} == styles(well)


def test_numbers_are_names_only_where_they_tell() -> None:
    """Two records with one number are named by their whole ids."""
    twins = [record("0015-dns", "DNS", "active"), record("0015-terraform", "Terraform", "superseded")]
    answer = judge(DOCS, 61, twins, [])
    assert "0015-terraform" == answer.past[0].name
