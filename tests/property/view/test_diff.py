"""The diff of a proposed write is what comparing whole records gives."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from stanchion_contracts.command import LinkSet, Write
from stanchion_contracts.record import Citation, FieldValue, Link
from stanchion_view.core.card import Card
from stanchion_view.core.diff import parts
from support.ledgers import MAYA

texts = st.sampled_from(["", "a", "ä\n"])
values = st.sampled_from(["", '"x"', '"y"', '{"subject":"s"}', "[1]"])
names = st.sampled_from(["area", "owner", "status"])
citations = st.lists(st.builds(Citation, uri=st.sampled_from("uv"), quote=texts), max_size=2).map(tuple)
targets = st.lists(st.tuples(st.sampled_from("de"), st.booleans(), texts), max_size=2, unique_by=lambda each: each[0])
link_sets = st.dictionaries(st.sampled_from(["amends", "depends_on", "is_a"]), targets, max_size=3)


def links_of(plain: dict[str, list[tuple[str, bool, str]]]) -> list[LinkSet]:
    """Links by name, in the order of the dict."""
    return [
        LinkSet(name=name, links=tuple(Link(name=name, to=to, mandatory=must, note=note) for to, must, note in some))
        for name, some in plain.items()
    ]


cards = st.builds(
    Card,
    id=st.just("d"),
    kind=st.just("decision"),
    label=texts,
    fields=st.dictionaries(names, values.filter(bool)).map(
        lambda plain: tuple(FieldValue(name=name, value=value) for name, value in sorted(plain.items()))
    ),
    links=link_sets.map(lambda plain: tuple(link for some in links_of(plain) for link in some.links)),
    evidence=citations,
    tags=st.lists(st.sampled_from("tu"), max_size=2).map(tuple),
    valid_from=texts,
    valid_to=texts,
    deleted=st.booleans(),
    version=st.just(3),
    written_by=st.just(MAYA),
)
writes = st.builds(
    Write,
    id=st.just("d"),
    label=st.none() | texts,
    body=st.none() | texts,
    fields=st.dictionaries(names, values).map(
        lambda plain: tuple(FieldValue(name=name, value=value) for name, value in plain.items())
    ),
    links=link_sets.map(lambda plain: tuple(links_of(plain))),
    evidence=st.none() | citations,
    tags=st.none() | st.lists(st.sampled_from("tu"), max_size=2).map(tuple),
    valid_from=st.none() | texts,
    valid_to=st.none() | texts,
) | st.just(Write(id="d", delete=True))


def whole(card: Card | None, body: str) -> dict[str, Any]:
    """A record as one dict, without what it does not have."""
    if card is None:
        return {}
    if card.deleted:
        return {"deleted": True}
    record: dict[str, Any] = {name: getattr(card, name) for name in ("label", "tags", "valid_from", "valid_to")}
    record["body"], record["deleted"] = body, False
    record["evidence"] = card.evidence
    record |= {f"field:{field.name}": json.loads(field.value) for field in card.fields}
    for link in card.links:
        record.setdefault(f"link:{link.name}", []).append(link)
    return record


def written(record: dict[str, Any], write: Write) -> dict[str, Any]:
    """The record after the write: what is present replaces, what is empty clears, what is absent stays."""
    if write.delete:
        return {**record, "deleted": True}
    after = {"deleted": False} if record.get("deleted") else dict(record)
    for name in ("label", "body", "evidence", "tags", "valid_from", "valid_to"):
        if getattr(write, name) is not None:
            after[name] = getattr(write, name)
    after |= {f"field:{field.name}": json.loads(field.value) if field.value else None for field in write.fields}
    return after | {f"link:{some.name}": some.links for some in write.links}


def plain(value: Any) -> Any:  # noqa: ANN401 - any part of a record
    """A part as its JSON reads; None for nothing."""
    if isinstance(value, Citation):
        return {"uri": value.uri, **({"quote": value.quote} if value.quote else {})}
    if isinstance(value, Link):
        rest = {**({} if value.mandatory else {"mandatory": False}), **({"note": value.note} if value.note else {})}
        return {"to": value.to, **rest}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value] or None
    return None if value == "" else value


@given(st.none() | cards, texts, writes)
def test_a_diff_is_what_whole_records_differ_in(card: Card | None, body: str, write: Write) -> None:
    """Each part that differs between the record and the record after it, and explicit citations always; no other."""
    before = whole(card, body)
    after = written(before, write)
    expected = {
        name: (plain(before.get(name)), plain(after.get(name)))
        for name in {*before, *after}
        if plain(before.get(name)) != plain(after.get(name)) or (name == "evidence" and write.evidence is not None)
    }
    shown = {
        part.name: tuple(json.loads(text) if text else None for text in (part.before, part.after))
        for part in parts(card, body, write)
    }
    assert expected == shown


@given(cards, texts, writes)
def test_a_diff_does_not_depend_on_the_order_of_a_write(card: Card, body: str, write: Write) -> None:
    """Fields and links of a write may come in any order."""
    other = replace(write, fields=write.fields[::-1], links=write.links[::-1])
    assert parts(card, body, write) == parts(card, body, other)
