"""Declared mappings: read or refused at the start, and what they make of events."""

from pathlib import Path

import pytest

from stanchion_contracts.value import Value
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_core.errors import InvalidMessage
from stanchion_extraction.app import build, mappings_of
from stanchion_extraction.core.event import Mapped, mapped
from stanchion_extraction.core.mapping import parse_mappings
from stanchion_extraction.settings import ExtractionSettings
from support.observations import event

SHIPPED = mappings_of(None)


def apply(kind: str, data: object, text: str = "") -> Mapped:
    """Map one event, by the mapping that ships or by another."""
    observed = event(kind, data)
    assert observed.body.event is not None
    return mapped(
        (parse_mappings(text, "t", base_vocabulary()) if text else SHIPPED).events[kind], observed, observed.body.event
    )


def test_measurement() -> None:
    """One measurement, its names normalised, its source the system's."""
    found = apply("stanchion.measurement.v1", {"subject": " Pump  7", "predicate": "TEMP", "value": 71.50, "unit": "C"})
    (made,) = found.contributions
    assert ("pump 7", "temp", Value(type="number", text="71.5", unit="C"), "measurement", "urn:plant", "urn:plant") == (
        made.subject,
        made.predicate,
        made.value,
        made.evidence,
        made.source,
        made.agent,
    )


def test_many_claims() -> None:
    """A list of claims makes one contribution each, in order."""
    claims = [{"subject": f"s{n}", "predicate": "p", "value": n} for n in range(200)]
    found = apply("stanchion.measurement.v1", {"claims": claims})
    assert [f"s{n}" for n in range(200)] == [made.subject for made in found.contributions]


def test_stated_parts() -> None:
    """A claim may say how it is meant, and that it rests on less than a measurement."""
    claim = {
        "subject": "s",
        "predicate": "p",
        "value": "5",
        "type": "number",
        "op": ">=",
        "positive": False,
        "evidence": "assumption",
        "sample": "a",
        "strength": 0.5,
    }
    (made,) = apply("stanchion.claims.v1", {"claims": [claim]}).contributions
    assert (Value(type="number", text="5", op=">="), False, "assumption", "a", 0.5) == (
        made.value,
        made.positive,
        made.evidence,
        made.sample,
        made.strength,
    )


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ({"predicate": "p", "value": 1}, "subject is missing"),
        ({"subject": "s", "predicate": "", "value": 1}, "predicate is missing"),
        ({"subject": "s", "predicate": "p"}, "value is missing"),
        (
            {"subject": "s", "predicate": "p", "value": {}},
            "the value is no boolean, number, text or list of two numbers",
        ),
        ({"subject": ["s"], "predicate": "p", "value": 1}, "subject is no text"),
        ({"subject": "s", "predicate": "p", "value": 1, "unit": []}, "unit is no text"),
        ({"subject": "s", "predicate": "p", "value": 1, "strength": 2}, "strength 2 is no number from 0 to 1"),
        ({"subject": "s", "predicate": "p", "value": 1, "strength": True}, "strength True is no number from 0 to 1"),
        ({"subject": "s", "predicate": "p", "value": 1, "positive": 1}, "positive is neither true nor false"),
        ({"subject": "x" * 257, "predicate": "p", "value": 1}, "subject has 257 characters; the limit is 256"),
        ("s", "subject is missing"),
    ],
)
def test_wrong_claims_are_left_out(claim: object, why: str) -> None:
    """A claim that is none is left out with the reason; its neighbours count."""
    good = {"subject": "s", "predicate": "p", "value": 1}
    found = apply("stanchion.claims.v1", {"claims": [good, claim]})
    assert (1, [("claim 2 of stanchion.claims.v1", why)]) == (
        len(found.contributions),
        [(left.what, left.why) for left in found.left_out],
    )


OWN = """
events:
  com.example.deploy:
    - each: data.services[?ok]
      subject: item.name
      predicate: "'deployed version'"
      value: join('.', item.version)
      source: event.subject || 'bus'
    - when: data.window
      subject: "'window'"
      predicate: event.type
      value: data.window
      type: "'duration'"
      unit: "'min'"
"""


def test_own_mapping() -> None:
    """JMESPath filters, functions, literals and the event's own words."""
    data = {"services": [{"name": "a", "ok": True, "version": ["1", "2"]}, {"name": "b", "ok": False}], "window": 30}
    found = apply("com.example.deploy", data, OWN)
    assert [
        ("a", "deployed version", Value(type="string", text="1.2"), "bus"),
        ("window", "com.example.deploy", Value(type="duration", text="30", unit="min"), "urn:plant"),
    ] == [(made.subject, made.predicate, made.value, made.source) for made in found.contributions]


def test_expression_that_does_not_apply() -> None:
    """A function on what it cannot take leaves that claim out, not the event."""
    found = apply("com.example.deploy", {"services": [{"name": "a", "ok": True, "version": 7}]}, OWN)
    assert ((), 1) == (found.contributions, len(found.left_out))
    assert "join" in found.left_out[0].why


@pytest.mark.parametrize(
    "data", [b"{", b"\xff", b"NaN", b'{"a": NaN}', b'{"a": 1e999}', b"[" * 33 + b"]" * 33, b"[" * 100_000]
)
def test_unreadable_data(data: bytes) -> None:
    """What is no JSON, has numbers that are none, or nests too deeply goes to the dead letters."""
    with pytest.raises(InvalidMessage, match="FIELD_VALUE"):
        apply("stanchion.claims.v1", data)


def test_too_many_claims() -> None:
    """More claims than one observation may make go to the dead letters, with the limit."""
    with pytest.raises(InvalidMessage, match="201 claims; the limit is 200"):
        apply("stanchion.claims.v1", {"claims": [{}] * 201})


@pytest.mark.parametrize("event", ["stanchion.measurement.v1", "stanchion.claims.v1"])
@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"subject": "a"}, [(1, "predicate is missing")]),
        ({"subject": "a", "value": 5}, [(1, "predicate is missing")]),
        ({"predicate": "p", "value": 5}, [(1, "subject is missing")]),
        ({"subject": "a", "predicate": "p"}, [(1, "value is missing")]),
        ({"subject": "a", "predicate": " ", "value": 5}, [(1, "predicate is missing")]),
        ({"subject": "", "predicate": "p", "value": 5}, [(1, "subject is missing")]),
        ({"subject": {}, "predicate": "p", "value": 5}, [(1, "subject is no text")]),
        ({}, [(1, "subject is missing")]),
        (None, [(1, "subject is missing")]),
        ([], [(1, "subject is missing")]),
        ({"claims": None}, [(1, "subject is missing")]),
        (
            {"claims": [5, None, [], {"subject": "a"}]},
            [
                (1, "subject is missing"),
                (2, "subject is missing"),
                (3, "subject is missing"),
                (4, "predicate is missing"),
            ],
        ),
        ({"claims": []}, []),
    ],
)
def test_what_is_no_claim_is_told(event: str, data: object, told: list[tuple[int, str]]) -> None:
    """Whatever is missing, empty or of another shape, the event makes no claim of it and says which and why."""
    found = apply(event, data)
    assert () == found.contributions
    assert [(f"claim {place} of {event}", why) for place, why in told] == [
        (one.what, one.why) for one in found.left_out
    ]


@pytest.mark.parametrize("event", ["stanchion.measurement.v1", "stanchion.claims.v1"])
def test_one_claim_needs_no_list(event: str) -> None:
    """An event may state its one claim outright."""
    found = apply(event, {"subject": "a", "predicate": "p", "value": 5})
    assert (1, ()) == (len(found.contributions), found.left_out)


@pytest.mark.parametrize("data", [b"null", b"5", b'"x"', b"[]", b'{"claims": {}}', b'{"claims": null}'])
def test_other_shapes(data: bytes) -> None:
    """Data of another shape makes nothing, and says so where a list was expected."""
    assert () == apply("stanchion.claims.v1", data).contributions


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not YAML"),
        ("a: 1", "its keys are `events`, `documents` and `own`"),
        ("events: []", "`events` maps names to what is declared of them"),
        ("events: {x: {}}", "mapping t, x: it takes a list of rules"),
        ("events: {x: []}", "mapping t, x: it takes a list of rules"),
        ("events: {x: [5]}", "mapping t, x, rule 1: it maps the parts of a claim"),
        ("events: {x: [{subject: item.a}]}", "rule 1: predicate, value missing"),
        ("events: {x: [{subject: a, predicate: b, value: c, colour: d}]}", "rule 1: unknown colour"),
        ("events: {x: [{subject: a, predicate: b, value: [c]}]}", "rule 1, value: it takes one expression, not ['c']"),
        ("events: {x: [{subject: a, predicate: b, value: 5}]}", "rule 1, value: '5' is no JMESPath expression"),
        ("events: {x: [{subject: a, predicate: b, value: }]}", "rule 1, value: '' is no JMESPath expression"),
        ("events: {x: [{subject: 'a[', predicate: b, value: c}]}", "rule 1, subject: 'a[' is no JMESPath expression"),
    ],
)
def test_wrong_files_refuse_to_start(tmp_path: Path, text: str, why: str) -> None:
    """A wrong mapping stops the start with file, place and reason."""
    (tmp_path / "t.yaml").write_text(text)
    with pytest.raises(ValueError, match="mapping ") as error:
        build(ExtractionSettings(mappings=tmp_path))
    assert why in str(error.value).replace(str(tmp_path / "t.yaml"), "t")


def test_own_files_add_and_replace(tmp_path: Path) -> None:
    """A folder adds types and replaces those that ship; two files that declare one type refuse to start."""
    (tmp_path / "a.yaml").write_text("events: {stanchion.claims.v1: [{subject: a, predicate: b, value: c}]}")
    (tmp_path / "b.yml").write_text("events: {x: [{subject: a, predicate: b, value: c}]}")
    (tmp_path / "notes.txt").write_text("no mapping")
    found, shipped = mappings_of(tmp_path).events, SHIPPED.events
    assert ({*shipped, "x"}, True) == (set(found), found["stanchion.claims.v1"] != shipped["stanchion.claims.v1"])
    (tmp_path / "c.yaml").write_text("events: {x: [{subject: a, predicate: b, value: c}]}")
    with pytest.raises(ValueError, match="another file declares x already"):
        mappings_of(tmp_path)


def test_missing_folder(tmp_path: Path) -> None:
    """A folder that is not there refuses to start."""
    with pytest.raises(ValueError, match="STANCHION_EXTRACTION_MAPPINGS"):
        mappings_of(tmp_path / "none")
