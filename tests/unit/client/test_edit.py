import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from stanchion import edit
from stanchion.proposals import PartDiff, Proposal, ProposedWrite
from stanchion.results import Citation, Link

DIGEST = bytes(range(32))


def proposal(*writes: ProposedWrite) -> Proposal:
    """Give a proposal of these writes."""
    return Proposal(id="prop_1f", digest=DIGEST, writes=writes)


def part(name: str, before: object, after: object) -> PartDiff:
    """Give one part that differs."""
    return PartDiff(part=name, before=before, after=after)


WHOLE = ProposedWrite(
    record_id="annual-only",
    kind="decision",
    room="pricing",
    base_version=2,
    current_version=3,
    parts=(
        part("label", "Bill yearly", "Bill: once a year"),
        part("body", "Old.\nText.", "# Why\n\n- yearly\n"),
        part("evidence", None, [{"uri": "doc:a", "quote": "once"}, {"uri": "doc:b"}]),
        part("tags", ["a"], None),
        part("valid_from", "2026-01-01", None),
        part("field:status", "active", "superseded"),
        part("field:owner", "person:maya", None),
        part("link:replaces", [{"to": "a"}], [{"to": "b"}, {"to": "c", "mandatory": False, "note": "half"}]),
    ),
)
NEW = ProposedWrite(record_id="r2", kind="rule", room="pricing/eu", parts=(part("label", None, "New"),))
DELETED = PartDiff(part="deleted", before=False, after=True)
GONE = ProposedWrite(record_id="r3", kind="rule", base_version=1, current_version=1, parts=(DELETED,))


def test_an_edit_reads() -> None:
    """The text says what would be written, beside it what stands, and of a record that is new its kind and room."""
    assert """\
proposal: prop_1f
digest: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
writes:
  - id: annual-only
    label: "Bill: once a year"  # is Bill yearly
    body: |  # is a text of 2 lines
      # Why

      - yearly
    evidence: [{uri: doc:a, quote: once}, doc:b]
    tags: []  # is [a]
    valid_from:  # is 2026-01-01
    fields:
      status: superseded  # is active
      owner:  # is person:maya
    links:
      replaces: [b, {to: c, optional: true, note: half}]  # is [a]
  - id: r2
    kind: rule
    room: pricing/eu
    label: New
  - id: r3
    delete: true
""" == edit.text_of(proposal(WHOLE, NEW, GONE)).split("\n", 2)[2]


def test_what_was_left_alone_is_the_same_writes() -> None:
    """Read back, the text is what the proposal would write: lists whole, clearing what it clears, silent otherwise."""
    whole = proposal(WHOLE, NEW, GONE)
    made = edit.read(edit.text_of(whole), whole)
    first, second, third = made.writes
    assert ("prop_1f", DIGEST) == (made.proposal_id, made.digest)
    assert ("Bill: once a year", "# Why\n\n- yearly\n", (), "", UNSET) == (
        first.label,
        first.body,
        first.tags,
        first.valid_from,
        first.valid_to,
    )
    assert [Citation(uri="doc:a", quote="once"), Citation(uri="doc:b")] == first.evidence
    assert {"status": "superseded", "owner": None} == first.fields
    assert {
        "replaces": [Link(name="replaces", to="b"), Link(name="replaces", to="c", optional=True, note="half")]
    } == first.links
    assert ("", "", UNSET) == (first.kind, first.room, second.body)
    assert ("rule", "pricing/eu", "New", UNSET) == (second.kind, second.room, second.label, second.evidence)
    assert (False, True) == (second.delete, third.delete)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text("ab: #\n", max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text("ab", min_size=1), inner, max_size=3)),
    max_leaves=6,
)


@given(VALUES)
def test_a_value_that_was_left_alone_stays_what_it_is(value: object) -> None:
    """YAML makes texts of numbers and truths, and an edit of something else does not."""
    whole = proposal(ProposedWrite(record_id="r", current_version=1, parts=(part("field:x", None, value),)))
    assert {"x": value} == edit.read(edit.text_of(whole), whole).writes[0].fields


@pytest.mark.parametrize(
    ("wrong", "right", "said"),
    [
        ("label:", "lable:", "unknown field `lable` - at `writes[0]"),
        ("delete: true", "delete: maybe", "Expected `bool`, got `str` - at `writes[2].delete"),
        ("digest: 00", "digest: zz", "the edit's digest is none"),
        ("prop_1f", "prop_2", "the edit is of proposal prop_2, not of prop_1f"),
        ("  - id: r2", " - id: r2", "line 20, column 2"),
    ],
)
def test_a_slip_is_said_with_its_place(wrong: str, right: str, said: str) -> None:
    """What cannot be read is said with where it stands; nothing is guessed."""
    whole = proposal(WHOLE, NEW, GONE)
    with pytest.raises(ValueError, match=said.replace("[", r"\[")):
        edit.read(edit.text_of(whole).replace(wrong, right), whole)
