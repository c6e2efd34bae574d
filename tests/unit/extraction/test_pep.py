"""Python enhancement proposals: RFC-822 style headers before the text."""

import pytest

from stanchion_contracts.claim import Import, Reference
from stanchion_contracts.observation import Document
from stanchion_contracts.record import FieldValue
from stanchion_contracts.relation import Entity, Relation
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.record import Read

FORMS = mappings_of(None).forms
URI = "peps/pep-3156.rst"
HEADERS = """PEP: 3156
Title: Asynchronous IO Support Rebooted:
       the "asyncio" Module
Author: Ann Ash <ann@example.org>,
        Bo Birch <bo@example.org>
PEP-Delegate: Cy Cole <cy at example.org>
Status: Final
Type: Standards Track
Created: 12-Dec-2012
Requires: 380, 255
Replaces: 3153
Superseded-By: 9999
Resolution: `03-Nov-2013 <https://example.org/resolution>`__
"""
TEXT = "\nAbstract\n========\n\nAn event loop. [[specifies::asyncio]]\n\n::\n\n    [[no::code]]\n"


def read(text: str = HEADERS + TEXT, uri: str = URI) -> Read:
    """Read one revision."""
    return read_document(FORMS, Document(uri=uri, text=text, revision="abc", author="ann"))


def fields(text: str) -> dict[str, str]:
    """Give a record's fields, as JSON."""
    record = read(text).record
    assert record is not None
    return {field.name: field.value for field in record.fields}


def test_the_whole() -> None:
    """Headers become status, day, delegate and links by number; the other headers stay in the body, as written."""

    def reference(name: str, number: int, text: str, direction: str = "out") -> Reference:
        return Reference(name=name, target=f"peps/#{number}", direction=direction, text=text)  # type: ignore[arg-type]

    kept = HEADERS.splitlines(keepends=True)
    body = "```\n" + "".join([kept[0], *kept[3:5], *kept[7:9], kept[12]]) + "```\n" + TEXT
    record = Import(
        uri=URI,
        record_id="pep-3156",
        kind="decision",
        label='Asynchronous IO Support Rebooted: the "asyncio" Module',
        body=body,
        fields=(
            FieldValue(name="decided_by", value='"Cy Cole"'),
            FieldValue(name="decided_on", value='"2013-11-03"'),
            FieldValue(name="status", value='"active"'),
            FieldValue(name="upstream_status", value='"Final"'),
        ),
        references=(
            reference("replaces", 3153, "Replaces: 3153"),
            reference("replaces", 9999, "Superseded-By: 9999", "in"),
            reference("depends_on", 380, "Requires: 380, 255"),
            reference("depends_on", 255, "Requires: 380, 255"),
        ),
        revision="abc",
        author="ann",
        names=("peps/#3156",),
    )
    assert Read(record, (), (Relation(name="specifies", to_entity=Entity(name="asyncio")),)) == read()


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("Draft", "draft"),
        ("Provisional", "draft"),
        ("Accepted", "active"),
        ("Final", "active"),
        ("Active", "active"),
        ("Rejected", "rejected"),
        ("Withdrawn", "withdrawn"),
        ("Superseded", "superseded"),
        ("Deferred", "draft"),
        ("April Fool!", "draft"),
    ],
)
def test_statuses(word: str, ours: str) -> None:
    """The words of PEP 1, kept as written; one that means none of ours makes a draft, and is told."""
    text = HEADERS.replace("Final", word)
    assert (f'"{ours}"', f'"{word}"') == (fields(text)["status"], fields(text)["upstream_status"])
    assert (word in {"Deferred", "April Fool!"}) == bool(read(text).left_out)


@pytest.mark.parametrize(
    ("resolution", "day"),
    [
        ("https://example.org/message", ""),
        ("14-Jan-2021", '"2021-01-14"'),
        ("`14-Jan-2021 <https://example.org>`__", '"2021-01-14"'),
        ("", ""),
    ],
)
def test_resolutions(resolution: str, day: str) -> None:
    """A resolution says the day, or where to read about it; either way it stays in the body."""
    text = HEADERS[: HEADERS.index("Resolution")] + f"Resolution: {resolution}\n"
    found = read(text)
    assert found.record is not None
    assert (day, ()) == (fields(text).get("decided_on", ""), found.left_out)
    assert f"Resolution: {resolution}".strip() in found.record.body


@pytest.mark.parametrize(
    ("text", "uri", "why"),
    [
        ("Abstract\n========\n", URI, "the text does not begin with headers"),
        ("PEP: 8\nno header\nTitle: T\nStatus: Final\n", URI, "the headers hold a line that is none"),
        ("Title: T\nStatus: Final\n\ntext", URI, "it does not have the number, title and status of a PEP"),
        (HEADERS, "peps/pep-0012/pep-NNNN.rst", "it is a template"),
        (HEADERS, "peps/conf.rst", "no mapping is for a file of this name"),
    ],
)
def test_no_peps(text: str, uri: str, why: str) -> None:
    """What is none is left out with the reason."""
    assert [(uri, why)] == [(left.what, left.why) for left in read(text, uri).left_out]


def test_a_header_that_stands_twice() -> None:
    """The first one counts, and it is told."""
    found = read(HEADERS + "Status: Draft\n" + TEXT)
    assert [("Status", "it stands twice; the first one counts")] == [(left.what, left.why) for left in found.left_out]
