"""The worked example of docs/mappings.md, as it stands there."""

import re
from pathlib import Path

from stanchion_contracts.claim import Import, LeftOut, Reference
from stanchion_contracts.observation import Document
from stanchion_contracts.record import FieldValue
from stanchion_contracts.relation import Entity, Relation
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.record import Read

PAGE = Path(__file__).parents[3] / "docs" / "mappings.md"
URI = "rfcs/0042-use-feature-flags.md"


def blocks() -> list[str]:
    """Give the fenced texts of the page: the document, its mapping, a command, an event's mapping."""
    return re.findall(r"^```\w*\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def read(folder: Path, text: str, uri: str = URI) -> Read:
    """Read a document by the page's mapping."""
    _, mapping, _, report, events = blocks()
    (folder / "report.yaml").write_text(report)
    (folder / "rfc.yaml").write_text(mapping)
    (folder / "deploy.yaml").write_text(events)
    mappings = mappings_of(folder)
    assert "com.example.deploy.finished" in mappings.events
    assert mappings.rules_for("debezium.sales.accounts.updated") is not None
    assert mappings.forms["report"].claims
    return read_document(mappings.forms, Document(uri=uri, text=text, revision="abc", author="ann"))


def test_the_example_is_true(tmp_path: Path) -> None:
    """The document and the mapping of the page make the record that the page says."""

    def reference(name: str, target: str, text: str, *, partial: bool = False) -> Reference:
        return Reference(name=name, target=target, text=text, partial=partial)

    body = (
        "```yaml\nrfc: 42\nreviewers: [ann, bob]\n```\n\n"
        "# Use feature flags\n\nReleases and deployments part. [[maintained_by::Platform team]]\n"
    )
    record = Import(
        uri=URI,
        record_id="0042-use-feature-flags",
        kind="decision",
        label="Use feature flags",
        body=body,
        fields=(
            FieldValue(name="decided_on", value='"2026-03-02"'),
            FieldValue(name="owner", value='"Platform"'),
            FieldValue(name="status", value='"active"'),
            FieldValue(name="upstream_status", value='"Ratified"'),
        ),
        references=(
            reference("depends_on", "rfcs/#17", "needs: 17"),
            reference("depends_on", "rfcs/0031-audit-log.md", "needs: 0031-audit-log.md"),
            reference("replaces", "rfcs/#12", "supplants: RFC-12"),
            reference("amends", "rfcs/#9", "partly-supplants: 9", partial=True),
        ),
        revision="abc",
        author="ann",
    )
    relation = Relation(name="maintained_by", to_entity=Entity(name="Platform team"))
    assert Read(record, (), (relation,)) == read(tmp_path, blocks()[0])


def test_a_word_that_the_example_does_not_know(tmp_path: Path) -> None:
    """As the page says: a draft, and it is told."""
    parked = read(tmp_path, blocks()[0].replace("Ratified", "Parked"))
    assert parked.record is not None
    assert [("status", '"draft"'), ("upstream_status", '"Parked"')] == [
        (field.name, field.value) for field in parked.record.fields[2:]
    ]
    assert (LeftOut(what="status: Parked", why="it is no word we know, so the decision is a draft"),) == parked.left_out


def test_what_the_example_leaves_out(tmp_path: Path) -> None:
    """The template is none, and a text without `rfc` is read by the mappings that ship, where it fits one."""
    assert ["it is a template"] == [left.why for left in read(tmp_path, blocks()[0], "rfcs/0000-template.md").left_out]
    adr = read(tmp_path, "# 1. X\n\n## Status\n\nAccepted\n")
    assert adr.record is not None
    assert "X" == adr.record.label
