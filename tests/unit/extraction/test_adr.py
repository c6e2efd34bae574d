"""Decision records as people write them."""

import json
from pathlib import Path

import pytest

from stanchion_contracts.claim import Import, LeftOut
from stanchion_contracts.observation import Document
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.record import Read

FORMS = mappings_of(None).forms
URI = "docs/adr/0007-x.md"


def read(text: str, uri: str = URI, form: str = "auto") -> Read:
    """Read one revision."""
    return read_document(FORMS, Document(uri=uri, text=text, format=form, revision="abc", author="jane"))


def record_of(text: str) -> Import:
    """Give the record a text makes."""
    record = read(text).record
    assert record is not None
    return record


def fields(text: str) -> dict[str, str]:
    """Give a text's fields."""
    return {field.name: json.loads(field.value) for field in record_of(text).fields}


def references(text: str) -> list[tuple[str, str, str, bool]]:
    """Give a text's references."""
    return [(ref.name, ref.direction, ref.target, ref.partial) for ref in record_of(text).references]


def nygard(status: str, context: str = "x") -> str:
    """Give a record in Nygard's form."""
    return f"# 7. Use X\n\nDate: 2020-01-02\n\n## Status\n\n{status}\n\n## Context\n\n{context}\n"


def test_nygard() -> None:
    """The whole record, as it goes down the line."""
    text = nygard("Accepted\n\nSupersedes [3. Old](0003-old.md)")
    record = record_of(text)
    body = "# 7. Use X\n\nDate: 2020-01-02\n\n## Context\n\nx\n"
    assert (URI, "0007-x", "decision", "Use X", body, "abc", "jane") == (
        record.uri,
        record.record_id,
        record.kind,
        record.label,
        record.body,
        record.revision,
        record.author,
    )
    assert {"decided_on": "2020-01-02", "status": "active", "upstream_status": "Accepted"} == fields(text)
    assert ("replaces", "out", "docs/adr/0003-old.md", "Supersedes 3. Old") == (
        record.references[0].name,
        record.references[0].direction,
        record.references[0].target,
        record.references[0].text,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (nygard("Accepted"), nygard("Superseded by [9. New](0009-new.md)")),
        ("---\nstatus: accepted\n---\n# Use X\n\nx\n", "---\nstatus: superseded by ADR-9\n---\n# Use X\n\nx\n"),
    ],
)
def test_status_alone_changes_no_body(before: str, after: str) -> None:
    """What stands in fields and links is not in the body, so a changed status is one move, not two."""
    assert record_of(before).body == record_of(after).body
    assert record_of(before).fields != record_of(after).fields


def test_status_section_that_says_more_stays() -> None:
    """A section with a sentence that nothing took stays in the body: no word of a text is lost."""
    text = nygard("Accepted\n\nBut talk to Ann before the next migration of the shared tables.")
    assert "talk to Ann" in record_of(text).body


def test_madr_front_matter() -> None:
    """MADR 4: front matter; numbers keep their zeros, ids of records are ids, what has no field is reported."""
    text = (
        "---\nstatus: superseded by ADR-0123\ndate: 2024-05-06\ndecision-makers: [Ann]\nconsulted: [Bob]\n"
        "depends-on: [0002, 0010, 8]\nrefines: 0004-foo.md\nassumes: hyp-latency\n"
        "conflicts with: ../rules/a.md\n---\n\n# Use X\n\n## Context and Problem Statement\n\nx\n"
    )
    expected = {
        "decided_by": "Ann",
        "decided_on": "2024-05-06",
        "status": "superseded",
        "upstream_status": "superseded",
    }
    assert expected == fields(text)
    assert [
        ("replaces", "in", "docs/adr/#123", False),
        ("depends_on", "out", "docs/adr/#2", False),
        ("depends_on", "out", "docs/adr/#10", False),
        ("depends_on", "out", "docs/adr/#8", False),
        ("refines", "out", "docs/adr/0004-foo.md", False),
        ("assumes", "out", "id:hyp-latency", False),
        ("conflicts_with", "out", "docs/rules/a.md", False),
    ] == references(text)
    assert (LeftOut(what="consulted: Bob", why="no field of a decision takes this key"),) == read(text).left_out


def test_madr_list() -> None:
    """MADR 2 and 3: a list before the first section, in bold or not."""
    text = (
        "# Use X\n\n* Status: accepted\n* **Deciders:** Jane\n- **Date**: 2 January 2020\n"
        "* Depends on: [5](0005-a.md), ADR-6 and 8\n* Technical Story: #12\n\n## Context and Problem Statement\n\nx\n"
    )
    expected = {"decided_by": "Jane", "decided_on": "2020-01-02", "status": "active", "upstream_status": "accepted"}
    assert expected == fields(text)
    assert ["docs/adr/0005-a.md", "docs/adr/#6", "docs/adr/#8"] == [target for _, _, target, _ in references(text)]


@pytest.mark.parametrize(
    ("status", "ours", "upstream"),
    [
        ("Accepted", "active", "Accepted"),
        ("**Approved**", "active", "Approved"),
        ("Accepted by the board on 2020-05-05", "active", "Accepted"),
        ("~~Proposed~~ Accepted", "active", "Accepted"),
        ("✅ accepted", "active", "accepted"),
        ("![Accepted](https://img.example/x)", "active", "Accepted"),
        ("Pending", "draft", "Pending"),
        ("Deprecated (2020-01-01)", "withdrawn", "Deprecated"),
        ("Superseded", "superseded", "Superseded"),
        ("Rejected", "rejected", "Rejected"),
        ("Partly superseded", "active", "Partly superseded"),
        ("superseded in part", "active", "superseded in part"),
        ("* 2020-01-01: Proposed\n* 2020-02-01: Accepted", "active", "Accepted"),
        ("Accepted\n\nSuperseded by 15", "superseded", "Superseded"),
        ("Amended by 15\n\nAccepted", "active", "Accepted"),
        ("Not accepted", "draft", "Not accepted"),
        ("On hold (legal)", "draft", "On hold"),
        ("{proposed | accepted | superseded by ADR-0123}", "draft", "{proposed | accepted | superseded by ADR-0123}"),
    ],
)
def test_statuses(status: str, ours: str, upstream: str) -> None:
    """A status is the first word of its line; the text's own word is kept; one we do not know makes a draft."""
    found = fields(nygard(status))
    assert (ours, upstream.strip("{} ")) == (found["status"], found["upstream_status"].strip("{} "))


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("Superseded by [15](0015-dns.md)", [("replaces", "in", "docs/adr/0015-dns.md", False)]),
        ("Superseded by [15](../x/0015-dns.md#why)", [("replaces", "in", "docs/x/0015-dns.md", False)]),
        ("Superceded by 15", [("replaces", "in", "docs/adr/#15", False)]),
        ("Superseded by ADR 0015.", [("replaces", "in", "docs/adr/#15", False)]),
        ("Superseded by decision no. 15", [("replaces", "in", "docs/adr/#15", False)]),
        ("Superseded by 0015-dns.md", [("replaces", "in", "docs/adr/0015-dns.md", False)]),
        ("Superseded by [new][1]\n\n[1]: 0015-dns.md", [("replaces", "in", "docs/adr/0015-dns.md", False)]),
        ("Superseded by [15](https://example.org/15.md)", [("replaces", "in", "https://example.org/15.md", False)]),
        ("Partly superseded by [15](15.md)", [("amends", "in", "docs/adr/15.md", True)]),
        (
            "Accepted, supersedes ADR-3 and ADR-4, amends [5](5.md)",
            [
                ("replaces", "out", "docs/adr/#3", False),
                ("replaces", "out", "docs/adr/#4", False),
                ("amends", "out", "docs/adr/5.md", False),
            ],
        ),
        ("Accepted\n\nDepends on: 3, 4", [("depends_on", "out", f"docs/adr/#{n}", False) for n in (3, 4)]),
        ("Accepted\n\nDepends on: none", []),
        ("Superseded by the policy of 2019", []),
        ("Superseded on 2019-05-03", []),
        ("Superseded by [this](#below)", []),
    ],
)
def test_relations_in_the_status(status: str, expected: list[tuple[str, str, str, bool]]) -> None:
    """What a status says of other documents, by link, path or number; nothing is guessed."""
    assert expected == references(nygard(status))


@pytest.mark.parametrize(
    ("context", "expected"),
    [
        ("This ADR in part supersedes [3](0003-a.md).", [("amends", "out", "docs/adr/0003-a.md", True)]),
        (
            "This decision supersedes [3](3.md) and [4](4.md) because [5](5.md) says so.",
            [("replaces", "out", "docs/adr/3.md", False), ("replaces", "out", "docs/adr/4.md", False)],
        ),
        ("**These ranges have been superseded by [3](3.md).**", [("amends", "in", "docs/adr/3.md", True)]),
        ("This record was amended by ADR-9.", [("amends", "in", "docs/adr/#9", False)]),
        ("This ADR may be superseded by [3](3.md).", []),
        ("This ADR is not superseded by [3](3.md).", []),
        ("The old ADR was superseded by [6](6.md).", []),
        ("Postgres supersedes [Oracle](https://oracle.example).", []),
        ("We replaced [the tier](3.md).", []),
        ("This ADR supersedes 3 servers.", []),
        ("`This ADR supersedes` nothing: [3](3.txt)", []),
    ],
)
def test_relations_in_prose(context: str, expected: list[tuple[str, str, str, bool]]) -> None:
    """Running text counts only where it is a plain statement about this record, with the other document named."""
    assert expected == references(nygard("Accepted", context))


def test_what_could_not_be_placed() -> None:
    """A hedge, an unknown word, an unreadable date and a second decider are reported, each with its reason."""
    text = (
        "# X\n\nDate: 02/03/2020\nDeciders: a, b\n\n## Status\n\nOn hold\n\nClarifies [4](4.md)\n\n"
        "## Context\n\nThis may be superseded by [3](3.md).\n"
    )
    assert [
        ("decided_on: 02/03/2020", "it is no date that can be read in one way only"),
        ("decided_by: a, b", "decided_by takes one name"),
        ("This may be superseded by 3.", "`superseded by` here is no plain statement about this record"),
        ("status: On hold", "it is no word we know, so the decision is a draft"),
    ] == [(left.what, left.why) for left in read(text).left_out if "Clarifies" not in left.what]


def test_our_own_decisions() -> None:
    """Every decision of this repository is placed whole: a status we know, and nothing left out."""
    folder = Path(__file__).parents[3] / "docs" / "decisions"
    found = {path.name: read(path.read_text(), f"docs/decisions/{path.name}") for path in folder.glob("*.md")}
    assert len(found) >= 14
    assert {} == {name: each.left_out for name, each in found.items() if each.left_out}
    depends = found["0006-keep-field-values-as-canonical-json-text.md"].record
    assert depends is not None
    assert [("depends_on", "docs/decisions/#5")] == [(each.name, each.target) for each in depends.references]


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("# 7. Use X", "Use X"),
        ("# ADR-0007: Use X", "Use X"),
        ("# ADR 7 - Use X", "Use X"),
        ("# Use *X* and `Y` by [Z](z.md)", "Use X and Y by Z"),
        ("## 7. Use X", "Use X"),
        ("Use X\n=====", "Use X"),
        ("", "0007-x.md"),
        ("# 2020 was a year", "2020 was a year"),
        ("# 3.5 inch disks", "5 inch disks"),
    ],
)
def test_titles(title: str, label: str) -> None:
    """The title without its number says what the record says."""
    assert label == record_of(f"{title}\n\n## Status\n\nAccepted\n").label


def test_long_title() -> None:
    """A label has its limit, and what is cut is reported."""
    found = read(f"# {'x' * 301}\n\n## Status\n\nAccepted\n")
    assert found.record is not None
    assert (300, ["x"]) == (len(found.record.label), [left.what for left in found.left_out])


@pytest.mark.parametrize(
    ("uri", "text", "why"),
    [
        ("docs/adr/README.md", nygard("Accepted"), "it is about the folder, not a record"),
        ("docs/adr/index.md", nygard("Accepted"), "it is about the folder, not a record"),
        ("docs/adr/adr-template.md", nygard("Accepted"), "it is a template"),
        ("docs/adr/0001.adoc", nygard("Accepted"), "no mapping is for a file of this name"),
    ],
)
def test_no_records(uri: str, text: str, why: str) -> None:
    """What is no decision record is left out with the reason."""
    assert Read(None, (LeftOut(what=uri, why=why),)) == read(text, uri)


def test_no_status_is_no_decision() -> None:
    """A text that has no status is left out with the reason; should it have been a record, that one learns of it."""
    found = read("# Notes\n\nx\n", "docs/adr/notes.md")
    why = "it has no status: neither Nygard's form nor MADR's"
    assert found.record is not None
    assert ((LeftOut(what="docs/adr/notes.md", why=why),), why, "") == (
        found.left_out,
        found.record.unreadable,
        found.record.body,
    )


def test_declared_form() -> None:
    """A declared form is believed; an unknown one is named beside those there are."""
    found = read("# Notes\n\nx\n", form="adr-madr")
    assert found.record is not None
    assert read("# X\n", form="rfc").record is None
    assert ["no mapping is called rfc; there are adr, kep, pep"] == [
        left.why for left in read("# X\n", form="rfc").left_out
    ]


def test_status_in_code_is_no_status() -> None:
    """Fenced code is code."""
    assert "active" == fields("# X\n\n```\n## Status\n\nSuperseded\n```\n\n## Status\n\nAccepted\n")["status"]


@pytest.mark.parametrize("head", ["status: [unclosed", "- a\n- b", "a: &a [*a]", "[" * 3000])
def test_broken_front_matter(head: str) -> None:
    """A head that is no YAML mapping is reported; the rest is read."""
    found = read(f"---\n{head}\n---\n# X\n\n## Status\n\nAccepted\n")
    assert found.record is not None
    assert ["front matter"] == [left.what for left in found.left_out] or head.startswith("a:")


def test_windows_line_ends() -> None:
    """Carriage returns change nothing."""
    text = "---\nstatus: accepted\ndate: 2020-01-01\n---\n\n# X\n\n## Context\n"
    assert fields(text) == fields(text.replace("\n", "\r\n"))


def test_deleted_and_moved() -> None:
    """A deletion ends the record; a move keeps it; a move to what is no record ends it, too."""
    gone = read_document(FORMS, Document(uri=URI, deleted=True)).record
    moved = read_document(FORMS, Document(uri=URI, former_uri="doc/0007-x.md", text=nygard("Accepted"))).record
    shelved = read_document(FORMS, Document(uri="docs/README.md", former_uri=URI, text="# X")).record
    assert gone is not None
    assert moved is not None
    assert shelved is not None
    assert [(URI, "", True), (URI, "doc/0007-x.md", False), (URI, "", True)] == [
        (record.uri, record.former_uri, record.deleted) for record in (gone, moved, shelved)
    ]
    assert read_document(FORMS, Document(uri="docs/README.md", deleted=True)).record is None


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("docs/0004-DNS definitions.md", "0004-dns-definitions"),
        ("docs/Über_uns.markdown", "uber_uns"),
        ("docs/_x_.md", "x"),
        ("docs/" + "a" * 200 + ".md", "a" * 128),
        ("docs/決定.md", "doc_06c9946b7d1f406610e268bbd8f181c1"),
    ],
)
def test_record_ids(uri: str, expected: str) -> None:
    """An id can be typed by a person wherever the file's name can."""
    record = read(nygard("Accepted"), uri).record
    assert record is not None
    assert expected == record.record_id


def test_bounds() -> None:
    """However a text repeats itself, what is made of it stays within its limits."""
    found = read(nygard("Superseded by x " * 3000 + "\n" + "\n".join(f"Amends {n}\n" for n in range(3000))))
    assert found.record is not None
    assert (64, 51) == (len(found.record.references), len(found.left_out))
    assert max(len(left.what) for left in found.left_out) <= 500
