"""Mappings of documents: refused at the start when they are wrong, and what each of their keys does."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stanchion_contracts.observation import Document
from stanchion_core.base_vocabulary import base_vocabulary
from stanchion_extraction.app import build, mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.mapping import parse_mappings
from stanchion_extraction.core.record import Read
from stanchion_extraction.settings import ExtractionSettings

SHIPPED = mappings_of(None).forms
BASIC: dict[str, Any] = {
    "kind": "decision",
    "paths": {"**/*.md": "markdown"},
    "when": "head.state",
    "status": {"from": "head.state"},
}


def read(text: str, uri: str = "x/a.md", form: str = "auto", *, own: dict[str, Any] | None = None, **more: Any) -> Read:  # noqa: ANN401 - keys of a mapping
    """Read a document by a mapping of its own."""
    file = {"documents": {"mine": {**BASIC, **more}}} | ({"own": own} if own else {})
    forms = parse_mappings(yaml.safe_dump(file), "t", base_vocabulary()).forms
    return read_document(forms, Document(uri=uri, text=text, format=form, author="ann", revision="r1"))


def fields(read: Read) -> dict[str, str]:
    """Give a record's fields, as JSON."""
    assert read.record is not None
    return {field.name: field.value for field in read.record.fields}


def whys(read: Read) -> list[tuple[str, str]]:
    """Give what was left out."""
    return [(left.what, left.why) for left in read.left_out]


def targets(read: Read) -> list[tuple[str, str, str]]:
    """Give the references of a record."""
    assert read.record is not None
    return [(each.name, each.direction, each.target) for each in read.record.references]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "policy"}, "there is no kind called policy; there are decision, document, hypothesis"),
        ({"links": [{"name": "obeys", "from": "head.x"}]}, "there is no link called obeys; there are amends,"),
        ({"phrases": {"obeys": {"name": "obeys"}}}, "there is no link called obeys"),
        ({"fields": {"risk": "head.risk"}}, "there is no field of a decision called risk; there are area,"),
        ({"fields": {"status": "head.x"}}, "`status` is said by the key `status` of the mapping"),
        ({"status": {"from": "head.x", "words": {"on": "enforced"}}}, "no status of a decision called enforced"),
        ({"colour": "red"}, "Object contains unknown field `colour`"),
        ({"status": {"from": "head.x", "colour": "red"}}, "Object contains unknown field `colour` - at `$.status`"),
        ({"links": [{"from": "head.x", "name": "amends", "direction": "up"}]}, "Invalid enum value 'up' - at `$.links"),
        ({"paths": {"**/*.md": "docx"}}, "Invalid enum value 'docx' - at `$.paths"),
        ({"paths": {}}, "paths: it is for no file at all"),
        ({"paths": {"a//b": "yaml"}}, "'a//b' is no pattern of paths"),
        ({"kind": None}, "there is no kind called "),
        ({"label": "head["}, "label: 'head[' is no JMESPath expression"),
        ({"label": "(" * 990}, "is no JMESPath expression"),
        ({"label": "headline"}, "label: 'headline' begins with headline; a document has place, document, title, head"),
        ({"when": "head.a && status"}, "when: 'head.a && status' begins with status"),
        ({"label": "join('', [head.a, other])"}, "begins with other"),
        ({"label": "x" * 1_001}, "has 1001 characters; the limit is 1000"),
        ({"label": ["head.x"] * 200}, "204 expressions; the limit is 200 a mapping"),
        (
            {"links": [{"from": "prose", "read": "statements", "name": "amends"}]},
            "link 1: `read: values` takes a `name`",
        ),
        ({"links": [{"from": "head.x"}]}, "link 1: `read: values` takes a `name`, the others find it in the text"),
        ({"folded": ["status"]}, "folded: `status` must read sections.status.lines with `read: line`"),
    ],
)
def test_wrong_mappings_refuse_to_start(tmp_path: Path, change: dict[str, Any], why: str) -> None:
    """A wrong mapping stops the start with file, name, place and reason."""
    (tmp_path / "t.yaml").write_text(yaml.safe_dump({"documents": {"mine": {**BASIC, **change}}}))
    with pytest.raises(ValueError, match="mapping ") as error:
        build(ExtractionSettings(mappings=tmp_path))
    assert f"mapping {tmp_path / 't.yaml'}, mine: " in str(error.value)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("documents: {mine: 5}", "t, mine: Expected `object`"),
        ("documents: {mine: {kind: decision}}", "t, mine: Object missing required field `paths`"),
        ("documents: []", "t: `documents` maps names to what is declared of them"),
        ("own: {kind: x}", "t, own: Object contains unknown field `kind`"),
    ],
)
def test_wrong_files(text: str, why: str) -> None:
    """A file of another shape is refused with the place."""
    with pytest.raises(ValueError, match="mapping t") as error:
        parse_mappings(text, "t", base_vocabulary())
    assert why in str(error.value)


def test_a_single_file_adds_to_what_ships(tmp_path: Path) -> None:
    """The setting may name one file; its mappings are tried first, and one of a shipped name takes that one's place."""
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump({"documents": {"mine": BASIC, "pep": BASIC}}))
    forms = mappings_of(file).forms
    assert ["mine", "pep", "kep", "adr"] == list(forms)
    assert (SHIPPED["kep"].kind, True) == (forms["kep"].kind, forms["pep"].why_not != SHIPPED["pep"].why_not)


def test_a_vocabulary_of_ones_own() -> None:
    """Kinds, fields, links and statuses that the base vocabulary does not have are named as the workspace's own."""
    own = {"kinds": ["policy"], "links": ["governs"], "fields": ["risk"], "statuses": ["enforced"]}
    text = "---\nstate: on\nrisk: high\ngoverns: 4\n---\n# P\n"
    found = read(
        text,
        own=own,
        kind="policy",
        status={"from": "head.state", "words": {"on": "enforced"}},
        fields={"risk": "head.risk"},
        links=[{"name": "governs", "from": "head.governs"}],
    )
    assert {"risk": '"high"', "status": '"enforced"', "upstream_status": '"on"'} == fields(found)
    assert [("governs", "out", "x/#4")] == targets(found)
    assert found.record is not None
    assert "policy" == found.record.kind
    assert '"draft"' == fields(read(text.replace("state: on", "state: final?"), own=own, kind="policy"))["status"]


def test_a_kind_without_drafts() -> None:
    """Where the kind has no status for what cannot be placed, the text states none, and it is told."""
    found = read("---\nstate: parked\n---\n# R\n", kind="rule")
    assert {"upstream_status": '"parked"'} == fields(found)
    assert [("status: parked", "it is no word we know")] == whys(found)
    assert '"active"' == fields(read("---\nstate: accepted\n---\n# R\n", kind="rule"))["status"]
    assert [("status: proposed", "it is no word we know")] == whys(
        read("---\nstate: proposed\n---\n# R\n", kind="rule")
    )


def test_fields_are_read_as_they_say() -> None:
    """A text, a list, a date or one person; what is none of these is told, and so is what is too large."""
    sources = {
        "area": {"from": "head.area"},
        "owner": {"from": ["head.owner", "lines.owner"], "read": "name"},
        "decided_on": {"from": "head.on", "read": "date"},
        "origin": "head.origin",
    }
    head = "state: final\narea: [a, b]\nowner: Ann Ash <ann@x.org>\non: 02/03/2020\norigin: {deep: x}\n"
    found = read(f"---\n{head}---\n# T\n\nOwner: Ann Ash\n", fields=sources)
    assert {"owner": '"Ann Ash"', "status": '"active"', "upstream_status": '"final"'} == fields(found)
    assert [
        ("area: a, b", "area takes one text"),
        ("decided_on: 02/03/2020", "it is no date that can be read in one way only"),
        ("origin", "it gives what is no text"),
    ] == whys(found)
    rule = read(
        "---\nstate: final\nto: [a, b, a]\n---\n# T\n",
        kind="rule",
        fields={"applies_to": {"from": "head.to", "read": "list"}},
    )
    assert '["a","b"]' == fields(rule)["applies_to"]
    large = read(f"---\nstate: final\narea: {'x' * 70_000}\n---\n# T\n", fields={"area": "head.area"})
    assert ([("area", "it has 70002 bytes; a field has at most 65536")], False) == (
        whys(large),
        "area" in fields(large),
    )


def test_links_are_read_as_they_say() -> None:
    """By name and direction, in part, by keys that are phrases, by phrases of one's own, and out of sections."""
    text = (
        "---\nstate: final\nneeds: '3, 4'\nkills: [9]\nsupplants: 5\n---\n# T\n\nRefines: [6](6.md)\n\n"
        "## Links\n\n* see [seven](../y/7.md)\n* [8](8.md)\n"
    )
    links = [
        {"name": "assumes", "from": "['id:h', 'id:0007', 'h', 'id:No Id']"},
        {"name": "depends_on", "from": "head.needs"},
        {"name": "replaces", "from": "head.kills", "direction": "in", "partial": True},
        {"from": ["head", "lines"], "read": "keys"},
        {"name": "relates_to", "from": "sections.links.lines[].links[].href"},
    ]
    found = read(text, links=links, phrases={"supplants": {"name": "replaces"}}, body="text")
    assert [
        ("assumes", "out", "id:h"),
        ("assumes", "out", "id:0007"),
        ("depends_on", "out", "x/#3"),
        ("depends_on", "out", "x/#4"),
        ("amends", "in", "x/#9"),
        ("replaces", "out", "x/#5"),
        ("refines", "out", "x/6.md"),
        ("relates_to", "out", "y/7.md"),
        ("relates_to", "out", "x/8.md"),
    ] == targets(found)
    assert [("assumes: id:No Id", "it is no number, path or id of a record")] == whys(found)


def test_an_expression_that_does_not_apply_is_told() -> None:
    """One part that cannot be worked out leaves that part out, with the reason; the record stands."""
    found = read(
        "---\nstate: final\n---\n# T\n", label="title", id="to_number(title) || head", fields={"area": "abs(title)"}
    )
    assert found.record is not None
    assert ("a", "T") == (found.record.record_id, found.record.label)
    assert [
        ("area", "abs(title): abs() does not take string"),
        ("id", "it gives what is no text"),
    ] == whys(found)


def test_who_wrote_it() -> None:
    """A mapping may take the author from the text; without one a revision is nobody's."""
    text = "---\nstate: final\nby: Bo\n---\n# T\n"
    authors = [read(text).record, read(text, author="head.by").record, read(text, author="head.none").record]
    assert ["ann", "Bo", ""] == [record.author for record in authors if record]


def test_formats_name_mappings() -> None:
    """A format names a mapping, also with a word behind it; then neither path nor look is asked for."""
    plain = "# T\n\ntext\n"
    declared = read(plain, "x/a.txt", "mine-special")
    assert declared.record is not None
    assert ("T", [("status", "none is stated")]) == (declared.record.label, whys(declared))
    assert [("x/a.md", "no mapping is called yours; there are mine")] == whys(read(plain, form="yours"))
    assert [("x/a.txt", "no mapping is for a file of this name")] == whys(read(plain, "x/a.txt"))


def test_front_matter_before_a_text_of_any_kind() -> None:
    """Only the head is parsed; the text is kept as it is."""
    text = "---\nstate: Accepted\ntitle: T\n---\n= Title\n\n== Status\n\nno\n"
    found = read(text, "x/a.adoc", paths={"**/*.adoc": "front_matter"}, label="head.title")
    assert found.record is not None
    assert ("T", "```yaml\ntitle") != (found.record.label, found.record.body[:13])
    assert "= Title\n\n== Status\n\nno\n" == found.record.body.strip("\n") + "\n"


def test_folders_with_numbers() -> None:
    """A file that stands for its folder is named by that folder, and by the folder's number among its neighbours."""
    found = read(
        "---\nstate: final\nneeds: 2\n---\n# T\n",
        "rfcs/0007-x/README.md",
        references={"folder_files": ["README.md"]},
        links=[{"name": "depends_on", "from": "head.needs"}],
    )
    assert found.record is not None
    assert ("0007-x", ("rfcs/0007-x", "rfcs/#7")) == (found.record.record_id, found.record.names)
    assert [("depends_on", "out", "rfcs/#2")] == targets(found)
