"""Writes: merged, checked, refused with the reason and what mends it."""

from typing import Any

import pytest

from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.record import FieldValue, Link
from support.validity import AGENT, CLAIM, MAYA, OLGA, UPSTREAM, Line, actions, cite, json_fields, refused, write


@pytest.fixture
def line() -> Line:
    """Give a workspace with a decision and a rule by a person."""
    one = Line()
    one.write(write("d", "decision", label="D", area="api", tags=("a",)), write("r", "rule", links={"based_on": ["d"]}))
    return one


def many_links(count: int) -> tuple[LinkSet, ...]:
    """Give that many links."""
    return (LinkSet(name="relates_to", links=tuple(Link(name="relates_to", to=f"x{n}") for n in range(count))),)


@pytest.mark.parametrize(
    ("reason", "field", "bad"),
    [
        ("UNKNOWN_KIND", "kind", write("x")),
        ("UNKNOWN_KIND", "kind", write("x", "nonsense")),
        ("UNKNOWN_FIELD", "colour", write("d", colour="red")),
        ("UNKNOWN_FIELD", "befriends", write("d", links={"befriends": ["r"]})),
        ("FIELD_VALUE", "status", write("d", status="asleep")),
        ("FIELD_VALUE", "status", write("d", status=None)),
        ("FIELD_VALUE", "owner", write("d", owner=5)),
        ("FIELD_VALUE", "owner", Write(id="d", fields=(FieldValue(name="owner", value="{"),))),
        ("FIELD_VALUE", "owner", Write(id="d", fields=json_fields(owner="a") + json_fields(owner="b"))),
        ("FIELD_VALUE", "decided_on", write("d", decided_on="yesterday")),
        ("FIELD_VALUE", "decided_on", write("d", decided_on="2026-03-01T10:00:00")),
        ("FIELD_VALUE", "decided_by", write("d", decided_by="model:gpt")),
        ("FIELD_VALUE", "valid_from", write("d", valid_from="2026-03-01T10:00:00")),
        ("FIELD_VALUE", "valid_to", write("d", valid_to="tomorrow")),
        ("FIELD_VALUE", "label", write("d", label="a\x00b")),
        ("FIELD_VALUE", "kind", write("d", "rule")),
        ("FIELD_VALUE", "room", write("d", room="elsewhere")),
        ("FIELD_VALUE", "id", write("Upper Case", "rule")),
        ("FIELD_VALUE", "delete", write("d", delete=True, label="gone")),
        ("FIELD_VALUE", "evidence", write("d", evidence=(cite(" "),))),
        ("NOT_FOUND", "", write("x", delete=True)),
        ("LINK_SELF", "refines", write("d", links={"refines": ["d"]})),
        ("LINK_TARGET_MISSING", "refines x", write("d", links={"refines": ["x"]})),
        ("LINK_END_KIND", "refines r", write("d", links={"refines": ["r"]})),
        ("TOO_LARGE", "label", write("d", label="x" * 301)),
        ("TOO_LARGE", "body", write("d", body="é" * (128 * 1024 + 1))),
        ("TOO_LARGE", "quote", write("d", evidence=(cite("a", "q" * 2_001),))),
        ("TOO_MANY", "links", Write(id="d", links=many_links(65))),
        ("TOO_MANY", "evidence", write("d", evidence=tuple(cite(f"u{n}") for n in range(65)))),
        ("TOO_MANY", "tags", write("d", tags=tuple(f"t{n}" for n in range(65)))),
        ("VERSION_CONFLICT", "", write("d", label="E", if_match=7)),
        ("VERSION_CONFLICT", "", write("x", "rule", if_match=1)),
    ],
)
def test_wrong_writes_are_refused(line: Line, reason: str, field: str, bad: Write) -> None:
    """A write that is wrong as it stands is refused whole: the reason, the record and the field are named."""
    output = line.write(write("fine", "rule"), bad)
    assert output.refusal is not None
    assert (reason, field, bad.id) == (output.refusal.reason, output.refusal.field, output.refusal.record_id)
    assert () == output.changes
    assert 2 == output.last_seq


def test_conflict_carries_the_version_that_stands(line: Line) -> None:
    """VERSION_CONFLICT says which version stands; the right one passes."""
    output = line.write(write("d", label="E", if_match=3))
    assert output.refusal is not None
    assert 1 == output.refusal.current_version
    assert "" == refused(line.write(write("d", label="E", if_match=1)))


def test_batch_limits(line: Line) -> None:
    """A record twice, more than 200 writes, none, or more than 2 MiB are refused."""
    assert "DUPLICATE_IN_BATCH" == refused(line.write(write("x", "rule"), write("x", label="again")))
    assert "TOO_MANY" == refused(line.write(*(write(f"x{n}", "rule") for n in range(201))))
    assert "FIELD_VALUE" == refused(line.write())
    big = [write(f"x{n}", "rule", body="b" * 250_000) for n in range(9)]
    assert "TOO_LARGE" == refused(line.write(*big))


def test_changes_that_would_not_fit_a_message_are_refused() -> None:
    """Clearing more than a message can carry is refused as too large, not attempted."""
    line = Line()
    words = [f"{'w' * 60_000}{n}" for n in range(2)]
    for number in range(60):
        line.write(write(f"r{number}", "rule", area=words[0], owner=words[1]))
    assert "TOO_LARGE" == refused(line.write(*(write(f"r{n}", area=None, owner=None) for n in range(60))))


def test_merge_replaces_what_is_present_and_leaves_the_rest(line: Line) -> None:
    """What is present replaces, an empty text or null clears, what is absent stays."""
    line.write(write("d", area=None, label="E"))
    held = line.held("d")
    assert ("E", {"status": '"active"'}, ("a",), 2) == (held.label, dict(held.fields), held.tags, held.version)
    line.write(Write(id="d", tags=()), Write(id="r", links=(LinkSet(name="based_on"),)))
    assert ((), ()) == (line.held("d").tags, line.held("r").links)


def test_since_and_until_when_a_record_is_valid(line: Line) -> None:
    """Each stays until it is written anew or cleared, by an empty text; neither moves anything nor confirms anew."""
    line.write(write("d", valid_from="2026-01-01", valid_to="2027-01-01T00:00:00+01:00"))
    line.write(write("d", valid_from="2026-02-01"), write("r", valid_to="2030-01-01"))
    line.write(write("d", valid_from=""), actor=UPSTREAM)
    assert ["person_set"] == [proposal.why for proposal in line.proposals()]
    assert ("2026-02-01", "2027-01-01T00:00:00+01:00") == (line.held("d").valid_from, line.held("d").valid_to)
    (change,) = line.write(write("d", valid_from=""), write("r", label="R"), actor=OLGA).changes[:1]
    assert change.record is not None
    assert ((), False, "kept") == (change.record.moves, change.record.baseline, change.record.confirmation)
    assert ("", "2027-01-01T00:00:00+01:00") == (line.held("d").valid_from, line.held("d").valid_to)
    assert ("", "2030-01-01") == (line.held("r").valid_from, line.held("r").valid_to)


def test_said_twice_counts_once(line: Line) -> None:
    """Of a link said twice the first counts; a tag or a citation said twice is there once."""
    twice = tuple(Link(name="relates_to", to="r", note=note) for note in ("first", "second"))
    line.write(
        Write(
            id="d",
            links=(LinkSet(name="relates_to", links=twice),),
            tags=("b", "a", "b"),
            evidence=(cite("u"), cite("v"), cite("u")),
        )
    )
    held = line.held("d")
    assert ["first"] == [link.note for link in held.links]
    assert (("b", "a"), ["u", "v"]) == (held.tags, [citation.uri for citation in held.evidence])


def test_same_batch_may_write_the_target() -> None:
    """A link's target may stand anywhere in the same batch, and cycles are allowed."""
    line = Line()
    output = line.write(
        write("a", "rule", links={"exception_to": ["b"]}), write("b", "rule", links={"exception_to": ["a"]})
    )
    assert "" == refused(output)
    assert "LINK_TARGET_MISSING" == refused(
        line.write(write("b", delete=True), write("c", "rule", links={"exception_to": ["b"]}))
    )


def test_link_to_a_deleted_record_stays_but_is_not_made_anew(line: Line) -> None:
    """A list that keeps a link to a tombstone and adds another is fine; a new link to it is refused."""
    line.write(write("d2", "decision"), write("d", delete=True))
    assert "" == refused(line.write(write("r", links={"based_on": ["d", "d2"]})))
    assert "LINK_TARGET_MISSING" == refused(line.write(write("r2", "rule", links={"based_on": ["d"]})))


def test_deleted_record_comes_back_afresh(line: Line) -> None:
    """A tombstone stays where it is until its kind is written anew; then its versions count on."""
    line.write(write("d", delete=True))
    assert "UNKNOWN_KIND" == refused(line.write(write("d", label="back")))
    assert () == line.write(write("d", delete=True)).changes
    assert "VERSION_CONFLICT" == refused(line.write(write("d", delete=True, if_match=1)))
    output = line.write(write("d", "decision", label="back"))
    assert ["record.created"] == actions(output)
    held = line.held("d")
    assert (3, "back", (), {"status": '"active"'}) == (held.version, held.label, held.tags, dict(held.fields))
    assert not line.head("d").deleted


def test_plain_names_become_persons(line: Line) -> None:
    """Who decided is written as a principal, and the answer says how a plain name was written."""
    output = line.write(write("d", decided_by="Zoë Łukasz O'Neil"), write("r", area="x"))
    assert ["person:zoe-łukasz-o-neil", ""] == [landed.decided_by_normalized for landed in output.landed]
    output = line.write(write("d", decided_by="model:acme/large@2026-01"))
    assert [""] == [landed.decided_by_normalized for landed in output.landed]
    assert '"model:acme/large@2026-01"' == line.held("d").fields["decided_by"]


def test_text_is_stored_nfc_and_values_canonical(line: Line) -> None:
    """A text is kept NFC and a value in its one JSON form, so that equal is equal."""
    line.write(
        write("d", label="Cafe\u0301"), Write(id="r", fields=(FieldValue(name="applies_to", value='[ "b",  "a" ]'),))
    )
    assert "Café" == line.held("d").label
    assert '["b","a"]' == line.held("r").fields["applies_to"]
    assert () == line.write(Write(id="r", fields=(FieldValue(name="applies_to", value='["b","a"]'),))).changes


def test_agent_does_not_change_what_a_person_set(line: Line) -> None:
    """The whole batch becomes one proposal, which the answer names; what a person left unset an agent may set."""
    output = line.write(write("d", label="E"), write("new", "rule"), actor=AGENT)
    assert ["proposal.opened"] == actions(output)
    (change,) = output.changes
    assert change.proposal is not None
    assert output.proposals == (change.proposal.id,)
    assert ("person_set", "d") == (change.proposal.why, change.proposal.record_id)
    assert [("d", 1), ("new", 0)] == [(base.record_id, base.version) for base in change.proposal.base]
    assert "D" == line.held("d").label
    assert "new" not in line.workspace.held
    assert ["record.written"] == actions(line.write(write("d", owner="Ada"), actor=AGENT))
    assert ["proposal.opened"] == actions(line.write(write("r", delete=True), actor=UPSTREAM))


def test_agent_may_rewrite_what_agents_wrote() -> None:
    """Nothing is set by a person in a record that agents wrote, until a person writes it."""
    line = Line()
    line.write(write("r", "rule", label="one", area="x"), actor=AGENT)
    assert ["record.written"] == actions(line.write(write("r", label="two"), actor=AGENT))
    line.write(write("r", label="three"), actor=MAYA)
    assert ["proposal.opened"] == actions(line.write(write("r", label="four"), actor=AGENT))
    assert ["record.written"] == actions(line.write(write("r", area="y"), actor=AGENT))


def test_proposal_closes_when_its_content_comes_into_force(line: Line) -> None:
    """A person writes what an agent proposed: the proposal closes itself."""
    opened = line.write(write("d", label="E"), actor=AGENT).proposals
    output = line.write(write("d", label="E", owner="Ada"))
    assert ["record.written", "proposal.closed"] == actions(output)
    assert opened == tuple(change.subject_id for change in output.changes if change.proposal)
    assert {} == line.workspace.heads.proposals
    assert {} == line.workspace.proposals_on


def test_statement_supersedes_by_itself() -> None:
    """An accepted supersedes_statement link makes the older statement superseded in the same batch."""
    line = Line()
    line.write(write("s1", "statement"))
    output = line.write(write("s2", "statement", links={"supersedes_statement": ["s1"]}))
    assert ["record.created", "record.written"] == actions(output)
    assert "superseded" == line.held("s1").status


def test_statement_that_comes_back_is_superseded_again() -> None:
    """An accepted link supersedes whichever was written last, unless that one supersedes the other itself."""
    line = Line()
    line.write(write("s1", "statement"), write("s2", "statement", links={"supersedes_statement": ["s1"]}))
    line.write(write("s1", status="accepted"))
    assert ["superseded", "accepted"] == [line.held(one).status for one in ("s1", "s2")]
    line.write(write("s1", status="accepted", links={"supersedes_statement": ["s2"]}))
    assert ["accepted", "superseded"] == [line.held(one).status for one in ("s1", "s2")]


def test_claim_is_kept_by_its_key() -> None:
    """A hypothesis names its claim by the key: folded, composed, its spaces collapsed."""
    line = Line()
    claim = {"subject": "  ﬁrst\u00a0 Subject ", "predicate": "SIZE"}
    line.write(write("h", "hypothesis", claim=claim, condition={"op": "at least", "value": 5}))
    assert ("first subject", "size") == line.head("h").claim
    assert (
        '{"op":"at least","value":{"op":"","text":"5","type":"number","unit":""}}' == line.held("h").fields["condition"]
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"claim": {"subject": "a"}},
        {"claim": {"subject": "a", "predicate": " "}},
        {"claim": "a/b"},
        {"condition": {"op": "about", "value": 5}},
        {"condition": {"op": "at least"}},
        {"condition": {"op": "equals", "value": {"type": "number"}}},
    ],
)
def test_malformed_claims_and_conditions_are_refused(fields: dict[str, Any]) -> None:
    """A claim has a subject and a predicate, a condition an operator and a value."""
    assert "FIELD_VALUE" == refused(Line().write(write("h", "hypothesis", **fields)))


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ({"op": "atleast", "value": 5}, "takes an op (equals, at least, at most, true) and a value"),
        ({"value": 5}, "takes an op (equals, at least, at most, true) and a value"),
        ({"op": "equals", "value": {"type": "percents", "text": "5"}}, "duration"),
        ({"op": "equals", "value": {"type": "percent", "text": 5}}, "$.value.text"),
    ],
)
def test_a_wrong_condition_is_told_what_there_is(condition: dict[str, Any], told: str) -> None:
    """The refusal lists the operators and the types of values, and says where the mistake is."""
    refusal = Line().write(write("h", "hypothesis", condition=condition)).refusal
    assert refusal is not None
    assert told in refusal.detail


def test_a_condition_on_no_number_there_is_is_refused() -> None:
    """A number that Python reads as an infinity is refused like any other wrong value; the process goes on."""
    line = Line()
    for text in ("1e999", "-1e999", "NaN"):
        fields = (FieldValue(name="condition", value=f'{{"op":"at least","value":{text}}}'),)
        assert "FIELD_VALUE" == refused(line.write(Write(id="h", kind="hypothesis", fields=fields)))


@pytest.mark.parametrize(
    ("op", "value", "met"),
    [
        ("at least", "blue", False),
        ("at most", True, False),
        ("at least", {"type": "number", "text": "five"}, False),
        ("equals", {"type": "number", "text": "five"}, False),
        ("equals", {"type": "date", "text": "2026-02-30"}, False),
        ("equals", {"type": "boolean", "text": "yes"}, False),
        ("at most", {"type": "number", "text": "5", "op": ">"}, False),
        ("at least", {"type": "number", "text": "5", "op": "<"}, False),
        ("at least", {"type": "number", "text": "5", "op": ">"}, True),
        ("at least", {"type": "date", "text": "2026"}, True),
        ("at most", {"type": "range", "text": "3..5", "unit": "month"}, True),
        ("equals", {"type": "number", "text": "5", "op": "<="}, True),
        ("equals", "blue", True),
        ("equals", False, True),
    ],
)
def test_a_condition_that_no_value_meets_is_refused(op: str, value: object, *, met: bool) -> None:
    """What could never be met is told at once, instead of never flipping anything."""
    refusal = Line().write(write("h", "hypothesis", condition={"op": op, "value": value})).refusal
    assert met == (refusal is None)
    if refusal is not None:
        assert ("FIELD_VALUE", "condition", "h") == (refusal.reason, refusal.field, refusal.record_id)


def test_condition_true_needs_no_value() -> None:
    """`true` asks for nothing but the claim."""
    line = Line()
    claim = {"subject": CLAIM[0], "predicate": CLAIM[1]}
    assert "" == refused(line.write(write("h", "hypothesis", claim=claim, condition={"op": "true", "value": True})))
    assert '{"op":"true"}' == line.held("h").fields["condition"]
