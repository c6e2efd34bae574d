"""Vocabularies as texts: what is read, what is refused, and where it says so."""

import json

import pytest

from stanchion_core.base_vocabulary import base_text, base_vocabulary
from stanchion_core.errors import InvalidMessage
from stanchion_core.vocabulary import ByEvidence, Field, Kind, LinkType, Status, Turn, Vocabulary
from stanchion_core.vocabulary_text import from_json, json_text, read, stored

OWN = """
name: platform          # a comment
kinds:
  control:
    statuses: [draft, in effect, retired]
    in_force: [in effect]
    moves_into: [retired]
    moves_back: [{from: in effect, to: draft}]
    consequence: true
    fields:
      owner:
      level: {words: [must, should], moves_into: [must], moves_back: [{from: must, to: should}]}
      applies_to: {type: list, moves: true}
      due: {type: date, reminds: true}
  guess:
    statuses: [open, holds, fails]
    in_force: [open]
    by_evidence: {open: open, holds: holds, fails: fails}
    fields: {claim: claim, condition: condition}
  note:
links:
  tracks: {from: [control], to: [guess, note], rests: true}
  retires: {to: [control], supersedes: retired, by_itself: true}
  see:
"""

BUILT = Vocabulary(
    name="platform",
    kinds={
        "control": Kind(
            name="control",
            statuses=(Status(name="draft"), Status(name="in effect", in_force=True), Status(name="retired")),
            fields={
                "status": Field(
                    name="status",
                    type="word",
                    words=("draft", "in effect", "retired"),
                    moves_into=("retired",),
                    moves_back=(Turn(before="in effect", after="draft"),),
                ),
                "owner": Field(name="owner"),
                "level": Field(
                    name="level",
                    type="word",
                    words=("must", "should"),
                    moves_into=("must",),
                    moves_back=(Turn(before="must", after="should"),),
                ),
                "applies_to": Field(name="applies_to", type="list", moves=True),
                "due": Field(name="due", type="date", reminds=True),
            },
            consequence=True,
        ),
        "guess": Kind(
            name="guess",
            statuses=(Status(name="open", in_force=True), Status(name="holds"), Status(name="fails")),
            fields={
                "status": Field(name="status", type="word", words=("open", "holds", "fails")),
                "claim": Field(name="claim", type="claim"),
                "condition": Field(name="condition", type="condition"),
            },
            by_evidence=ByEvidence(open="open", holds="holds", fails="fails"),
        ),
        "note": Kind(name="note", fields={}),
    },
    links={
        "tracks": LinkType(name="tracks", order=0, from_kinds=("control",), to_kinds=("guess", "note"), rests=True),
        "retires": LinkType(name="retires", order=1, to_kinds=("control",), supersedes="retired", by_itself=True),
        "see": LinkType(name="see", order=2),
    },
)


def test_a_vocabulary_reads_as_it_is_written() -> None:
    """Every part has its place, and empty ones mean what they seem to."""
    assert BUILT == read(OWN)
    assert list(BUILT.kinds["control"].fields) == list(read(OWN).kinds["control"].fields)


@pytest.mark.parametrize("vocabulary", [BUILT, base_vocabulary()])
def test_json_says_the_same(vocabulary: Vocabulary) -> None:
    """YAML becomes JSON text and comes back the same, kinds, fields and links in their order."""
    text = json_text(vocabulary)
    back = from_json(text)
    assert (vocabulary, vocabulary, text) == (back, read(text), json_text(back))
    assert [list(vocabulary.kinds), list(vocabulary.links)] == [list(back.kinds), list(back.links)]
    assert "null" not in text


def test_the_file_that_ships_says_what_it_means() -> None:
    """Whoever writes their own begins with a text in plain words."""
    lines = base_text().splitlines()
    assert len([line for line in lines if line.lstrip().startswith("#") or "  # " in line]) > len(lines) // 5
    assert base_vocabulary() == read(base_text())


WRONG = [
    ("name: x", "vocabulary: Object missing required field `kinds`", "vocabulary"),
    ("name: x\nkinds: {}", "vocabulary: it has no kinds", "vocabulary"),
    ("name: ''\nkinds: {k: {}}", "vocabulary.name is missing", "vocabulary.name"),
    ("name: x\nkinds: {k: {}}\ncolour: red", "vocabulary: .*unknown field `colour`", "vocabulary"),
    ("name: x\nkinds: {k: {colour: red}}", "vocabulary, kind k: .*unknown field `colour`", "vocabulary.kinds.k"),
    (
        "name: x\nkinds: {k: {fields: {f: txt}}}",
        "kind k, field f: Invalid enum value 'txt'",
        "vocabulary.kinds.k.fields.f",
    ),
    ("name: x\nkinds: {k: {consequence: perhaps}}", "kind k: Expected `bool`.*`consequence`", "vocabulary.kinds.k"),
    ("name: x\nkinds: {k: [a]}", "kind k: Expected `object`, got `array`", "vocabulary.kinds.k"),
    ("name: x\nkinds: {Big: {}}", "kind Big: 'Big' is no name", "vocabulary.kinds.Big"),
    (
        "name: x\nkinds: {k: {fields: {a-b: text}}}",
        "kind k, field a-b: 'a-b' is no name",
        "vocabulary.kinds.k.fields.a-b",
    ),
    (
        "name: x\nkinds: {%s: {}}" % ("k" * 65),
        "a name of 65 characters; the limit is 64",
        "vocabulary.kinds." + "k" * 65,
    ),
    ("name: x\nkinds: {proposal: {}}", "kind proposal: the ledger has other things", "vocabulary.kinds.proposal"),
    ("name: x\nkinds: {k: {statuses: [a, b]}}", "kind k: no status is in_force", "vocabulary.kinds.k"),
    (
        "name: x\nkinds: {k: {statuses: [a], in_force: [b]}}",
        "kind k: in_force names .* no status: b",
        "vocabulary.kinds.k",
    ),
    ("name: x\nkinds: {k: {statuses: [a, a], in_force: [a]}}", "kind k: status a stands twice", "vocabulary.kinds.k"),
    ("name: x\nkinds: {k: {moves_into: [a]}}", "kind k: moves_into .* it has none", "vocabulary.kinds.k"),
    (
        "name: x\nkinds: {k: {statuses: [a], in_force: [a], moves_into: [b]}}",
        "kind k, field status: moves_into .* not declared: b",
        "vocabulary.kinds.k.fields.status",
    ),
    (
        "name: x\nkinds: {k: {fields: {status: text}}}",
        "field status: a kind has it by",
        "vocabulary.kinds.k.fields.status",
    ),
    ("name: x\nkinds: {k: {fields: {f: word}}}", "field f: a field of type word", "vocabulary.kinds.k.fields.f"),
    (
        "name: x\nkinds: {k: {fields: {f: {type: text, words: [a]}}}}",
        "field f: a field of type word",
        "vocabulary.kinds.k.fields.f",
    ),
    (
        "name: x\nkinds: {k: {fields: {f: {words: [a, a]}}}}",
        "field f: word a stands twice",
        "vocabulary.kinds.k.fields.f",
    ),
    ("name: x\nkinds: {k: {fields: {f: {words: [' a']}}}}", "field f: ' a' is no word", "vocabulary.kinds.k.fields.f"),
    ('name: x\nkinds: {k: {fields: {f: {words: [""]}}}}', "field f: '' is no word", "vocabulary.kinds.k.fields.f"),
    (
        "name: x\nkinds: {k: {fields: {f: {reminds: true}}}}",
        "field f: only a date reminds",
        "vocabulary.kinds.k.fields.f",
    ),
    (
        "name: x\nkinds: {k: {fields: {claim: text}}}",
        "field claim: `claim` is a field's name",
        "vocabulary.kinds.k.fields.claim",
    ),
    ("name: x\nkinds: {k: {fields: {f: condition}}}", "field f: `condition` is", "vocabulary.kinds.k.fields.f"),
    (
        "name: x\nkinds: {k: {statuses: [a, b], in_force: [a], by_evidence: {open: a, holds: a, fails: b}}}",
        "kind k: by_evidence needs three",
        "vocabulary.kinds.k",
    ),
    (
        "name: x\nkinds: {k: {statuses: [a, b, c], in_force: [a], by_evidence: {open: a, holds: b, fails: c}}}",
        "kind k: by_evidence needs the fields",
        "vocabulary.kinds.k",
    ),
    ("name: x\nkinds: {k: {}}\nlinks: {l: {from: [ghost]}}", "link l: from names .* ghost", "vocabulary.links.l"),
    ("name: x\nkinds: {k: {}}\nlinks: {l: {to: [k, k]}}", "link l: kind k stands twice", "vocabulary.links.l"),
    ("name: x\nkinds: {k: {}}\nlinks: {l: {rests: 7}}", "link l: Expected `bool`.*`rests`", "vocabulary.links.l"),
    ("name: x\nkinds: {k: {}}\nlinks: {cites: {}}", "link cites: a path calls", "vocabulary.links.cites"),
    (
        "name: x\nkinds: {k: {}}\nlinks: {l: {to: [k], supersedes: old}}",
        "link l: supersedes, for a k, names .* old",
        "vocabulary.links.l",
    ),
    (
        "name: x\nkinds: {k: {}}\nlinks: {l: {supersedes: old}}",
        "link l: supersedes, for a k, names .* old",
        "vocabulary.links.l",
    ),
    (
        "name: x\nkinds: {k: {statuses: [a], in_force: [a]}}\nlinks: {l: {to: [k], supersedes: a}}",
        "link l: a k that is a is still in force",
        "vocabulary.links.l",
    ),
    (
        "name: x\nkinds: {k: {statuses: [a, b], in_force: [a]}}\nlinks: {l: {to: [k], supersedes: b, rests: true}}",
        "link l: it cannot both",
        "vocabulary.links.l",
    ),
    ("name: x\nkinds: {k: {}}\nlinks: {l: {by_itself: true}}", "link l: by_itself says how", "vocabulary.links.l"),
    ("name: x\nkinds: {k: {}}\nkinds: {k: {}}", "line 3 says 'kinds' a second time", "vocabulary"),
    ("just words", "vocabulary: Expected `object`, got `str`", "vocabulary"),
    ('{"name": "x", "kinds": {"k": {}, "k": {}}}', "name 'k' stands twice", "vocabulary"),
    ('{"name": "x"', "vocabulary is not JSON", "vocabulary"),
]


@pytest.mark.parametrize(("text", "said", "field"), WRONG)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str, field: str) -> None:
    """Whoever wrote it reads which kind, field or link is wrong, and how."""
    with pytest.raises(InvalidMessage, match=said) as refused:
        read(text)
    assert ("FIELD_VALUE" if "limit" not in said else "TOO_LARGE", field) == (refused.value.code, refused.value.field)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"kinds": {f"k{number}": {} for number in range(65)}}, "65 kinds; the limit is 64"),
        ({"kinds": {"k": {}}, "links": {f"l{number}": {} for number in range(65)}}, "65 links; the limit is 64"),
        ({"kinds": {"k": {"fields": {f"f{number}": "text" for number in range(65)}}}}, "65 fields.*; the limit is 64"),
        ({"kinds": {"k": {"fields": {"f": {"words": [str(number) for number in range(257)]}}}}}, "257 words"),
    ],
)
def test_counts_are_bounded(plain: dict[str, object], said: str) -> None:
    """There are no more kinds, links, fields and words than anybody needs."""
    with pytest.raises(InvalidMessage, match=said) as refused:
        read(json.dumps({"name": "x", **plain}))
    assert "TOO_MANY" == refused.value.code


def test_size_is_bounded() -> None:
    """A text of more than 64 KiB is not looked at, in either form."""
    for text in ("name: x # " + "x" * 65536, '{"name": "' + "x" * 65536 + '"}'):
        with pytest.raises(InvalidMessage, match="the limit is 65536") as refused:
            read(text)
        assert "TOO_LARGE" == refused.value.code


def test_a_stored_text_is_read_whatever_rules_came_later() -> None:
    """A vocabulary that was set once reads for ever, though it would not be taken today."""
    text = '{"name":"x","kinds":{"Big":{"fields":{"a-b":"text"}}},"links":{}}'
    assert ["a-b"] == list(stored(text).kinds["Big"].fields)
    with pytest.raises(InvalidMessage, match="is no name"):
        from_json(text)


def test_what_grows_beyond_the_limit_in_json_is_refused() -> None:
    """What is kept is the JSON text: one that would be too large to be read again is not taken."""
    words = ", ".join(f"{number:03}" for number in range(250))
    text = "name: x\nkinds:\n  k:\n    fields:\n" + "".join(f"      f{n}: {{words: [{words}]}}\n" for n in range(46))
    assert len(text.encode()) < 65536
    with pytest.raises(InvalidMessage, match=r"its JSON text has \d+ bytes; the limit is 65536") as refused:
        read(text)
    assert "TOO_LARGE" == refused.value.code
