"""Whatever comes in, extraction gives an answer, the same each time, within bounds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stanchion_contracts.claim import Claims
from stanchion_contracts.codec import decode, encode
from stanchion_contracts.observation import Body, Document, StatedClaim
from stanchion_contracts.value import Value
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import InvalidMessage
from stanchion_core.ids import RECORD_ID
from stanchion_core.quantity import value_key
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.expression import beginnings, compiled, parsed
from stanchion_extraction.core.mapping import parse_mappings
from stanchion_extraction.core.parsed import ROOTS
from stanchion_extraction.core.record import Read
from stanchion_extraction.core.typed import checked
from stanchion_extraction.handler import decider
from support.observations import event, observation

MAPPINGS = mappings_of(None)
DECIDE, FORMS = decider(MAPPINGS), MAPPINGS.forms
PIECES = st.sampled_from([
    "# 7. Use X\n", "\n", "## Status\n", "---\n", "* Status: ", "status: ", "Superseded by ", "[15](0015-x.md)",
    "ADR-3", "* ", "Accepted", "Partly ", "Depends on: ", "date: 2020-01-01\n", "This ADR supersedes ", "[a][1]\n",
    "[1]: b.md\n", "`", "|", "<b>", "![x](y)", "> ", "    ", "\t", "\r\n", "\ufffc0\ufffc", "\ufffc9\ufffc",
    "not ", ", ", "and ", "7", "{", "~~", "**",
])  # fmt: skip
KEYS = st.sampled_from(["status", "depends-on", "superseded_by", "title", "date", "deciders", "x"])
HEADS = st.lists(st.tuples(KEYS, PIECES | st.text(max_size=8)), max_size=4).map(
    lambda keys: "---\n" + "".join(f"{key}: {value}\n" for key, value in keys) + "---\n" if keys else ""
)
TEXTS = st.tuples(HEADS, st.lists(PIECES | st.text(max_size=8), max_size=40)).map(
    lambda text: text[0] + "".join(text[1])
)
KEPT = st.sampled_from(["Status: Final", "PEP: 8", "Title: T", "title: T", "status: implemented", "kep-number: 7"])
HEADERS = st.lists(KEPT | PIECES | st.text(max_size=8), max_size=12).map("\n".join)
EXPRESSIONS = st.recursive(
    st.sampled_from([
        "head", "head.status", "title", "lines", "lines.status", "sections", "sections.status.lines", "prose", "place",
        "sections.status.keyed", "document.author", "sections.status.lines[].links[].href", "prose[].text", "'x'",
    ]),
    lambda inner: (
        st.tuples(inner, st.sampled_from([" || ", " && ", " | "]), inner).map("".join)
        | st.tuples(st.sampled_from(["to_string", "keys", "values", "length", "sort", "to_array"]), inner).map(
            lambda call: f"{call[0]}({call[1]})"
        )
        | st.tuples(inner, inner).map(lambda pair: f"[{pair[0]}, {pair[1]}]")
        | inner.map(lambda one: f"({one})[]")
        | st.tuples(inner, inner).map(
            lambda pair: f"{{text: {pair[0]}, links: {pair[1]}, marked: title, key: {pair[1]}, written: {pair[1]}}}"
        )
    ),
    max_leaves=6,
).filter(lambda text: not beginnings(parsed(text)) - set(ROOTS))  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["claims", "subject", "predicate", "value", "unit", "type", "strength"]), inner
        )
    ),
    max_leaves=20,
)


@given(TEXTS, st.sampled_from(["auto", "adr-madr", "other"]), st.text(max_size=10))
def test_any_text(text: str, form: str, name: str) -> None:
    """Any text of any name is a record within bounds, or is left out with a word."""
    read = read_document(FORMS, Document(uri=f"docs/{name}.md", text=text, format=form))
    assert read == read_document(FORMS, Document(uri=f"docs/{name}.md", text=text, format=form))
    within_bounds(read, text)
    if read.record is not None:
        assert set(read.record.body.split("\n")) <= {
            "",
            *(line.strip() for line in text.split("\n")),
            *text.split("\n"),
        }


@given(HEADERS | TEXTS, st.sampled_from(["keps/a/1-b/kep.yaml", "keps/a/1-b.md", "keps/a/1-b/README.md", "pep-1.rst"]))
def test_any_text_of_other_kinds(text: str, uri: str) -> None:
    """The same of the other mappings that ship; a body keeps lines of the text, and adds the fence around its head."""
    read = read_document(FORMS, Document(uri=uri, text=text))
    assert read == read_document(FORMS, Document(uri=uri, text=text))
    within_bounds(read, text)
    if read.record is not None and not read.record.unreadable:
        lines = {line.rstrip("\r") for line in text.split("\n")}
        assert {line.rstrip("\r") for line in read.record.body.split("\n")} <= lines | {"", "```", "```yaml"}


def within_bounds(read: Read, text: str) -> None:
    """Check what holds of anything that is read."""
    assert read.record is not None or read.left_out
    if read.record is None:
        return
    assert RECORD_ID.fullmatch(read.record.record_id)
    assert all(reference.target for reference in read.record.references)
    assert bool(read.record.unreadable) <= bool(read.left_out)
    claims = Claims(
        meta=observation(Body()).meta, imports=(read.record,), left_out=read.left_out, relations=read.relations
    )
    assert claims == decode(encode(claims), Claims) or "\ud800" <= max(text, default="") <= "\udfff"


@given(EXPRESSIONS, TEXTS)
def test_any_mapping(expression: str, text: str) -> None:
    """Whatever a mapping's expressions make of a text, it is read, the same each time, within bounds."""
    names = ("label", "id", "author")
    more = {
        "status": {"from": expression, "read": "line"},
        "fields": {"owner": expression, "decided_on": {"from": expression, "read": "date"}},
        "links": [
            {"name": "amends", "from": expression},
            {"from": expression, "read": "keys"},
            {"from": expression, "read": "statements"},
        ],
    }
    mapping = {"kind": "decision", "paths": {"*": "markdown"}, **dict.fromkeys(names, expression), **more}
    file = json.dumps({"documents": {"any": mapping}})
    forms = parse_mappings(file, "t", base_vocabulary()).forms
    read = read_document(forms, Document(uri="1-a.md", text=text))
    assert read == read_document(forms, Document(uri="1-a.md", text=text))
    within_bounds(read, text)


@given(JSON, st.sampled_from(["stanchion.measurement.v1", "stanchion.claims.v1"]))
def test_any_data(data: object, kind: str) -> None:
    """Any JSON gives contributions with normalised names and ids of their own, or the dead letter."""
    try:
        found = DECIDE(None, event(kind, data))
    except InvalidMessage:
        return
    assert found == DECIDE(None, event(kind, data))
    for made in found.contributions:
        assert made.subject == " ".join(made.subject.split())
        assert made.value == checked(made.value)


@given(st.binary(max_size=40))
def test_any_bytes(data: bytes) -> None:
    """Bytes that are no JSON go to the dead letters, whatever they are."""
    try:
        json.loads(data)
    except ValueError:
        with pytest.raises(InvalidMessage, match="FIELD_VALUE"):
            DECIDE(None, event("stanchion.claims.v1", data))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9))
def test_canonical_numbers_keep_their_value(number: object) -> None:
    """Making a number canonical changes its text and nothing else, and once is enough."""
    value = Value(type="number", text=str(number))
    canonical = checked(value)
    assert value_key(value) == value_key(canonical)
    assert canonical == checked(canonical)


@given(st.lists(st.tuples(st.sampled_from(["a", "A ", "b"]), st.sampled_from(["1", "2"]), st.booleans()), max_size=6))
def test_ids_are_of_what_is_said(said: list[tuple[str, str, bool]]) -> None:
    """Two claims of one observation share an id exactly when they say the same."""
    claims = tuple(
        StatedClaim(subject=subject, predicate="p", value=Value(type="number", text=text), positive=positive)
        for subject, text, positive in said
    )
    made = DECIDE(None, observation(Body(claims=claims), path="tool-result")).contributions
    said_once = {(subject.strip().casefold(), text, positive) for subject, text, positive in said}
    assert len(said_once) == len({contribution.id for contribution in made})


@given(JSON, st.lists(st.sampled_from(["claims", "subject", "value"]), max_size=3))
def test_fast_paths_are_jmespath(data: object, names: list[str]) -> None:
    """A plain path read without the interpreter gives what the interpreter gives."""
    path = ".".join(["item", *names])
    scope = {"item": data, "data": None, "event": {}}
    assert compiled(f"{path} | @")(scope) == compiled(path)(scope)
