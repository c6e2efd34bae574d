"""Kubernetes enhancement proposals: kep.yaml, and the markdown with front matter before it."""

import json

import pytest

from stanchion_contracts.claim import Import, Reference
from stanchion_contracts.observation import Document
from stanchion_contracts.record import FieldValue
from stanchion_extraction.app import mappings_of
from stanchion_extraction.core.document import read_document
from stanchion_extraction.core.record import Read
from support.keps import proposals, rows, text_of

FORMS = mappings_of(None).forms
FOLDER = "keps/sig-node/3570-cpumanager"
URI = f"{FOLDER}/kep.yaml"
YAML = """title: CPU Manager
kep-number: 3570
authors:
  - "@ann"
owning-sig: sig-node
# the usual words
status: implemented # at last
see-also:
  - /keps/sig-node/693-topology-manager

## the target
stage: stable
replaces: []
"""


def read(text: str = YAML, uri: str = URI, former_uri: str = "") -> Read:
    """Read one revision."""
    return read_document(FORMS, Document(uri=uri, former_uri=former_uri, text=text, revision="abc", author="ann"))


def target(value: str) -> tuple[str, ...]:
    """Give what one value of see-also means: the target, and the names to try; nothing for no reference."""
    record = read(f"title: T\nkep-number: 1\nstatus: implemented\nsee-also: [{json.dumps(value)}]\n").record
    assert record is not None
    return tuple(name for each in record.references for name in (each.target, *each.otherwise))


def test_kep_yaml() -> None:
    """The whole record: named by its folder, what nothing was made of in its body, the status's comment told."""
    body = '```yaml\nkep-number: 3570\nauthors:\n  - "@ann"\n# the usual words\n\n## the target\nstage: stable\n```\n'
    record = Import(
        uri=URI,
        record_id="3570-cpumanager",
        kind="decision",
        label="CPU Manager",
        body=body,
        fields=(
            FieldValue(name="owner", value='"sig-node"'),
            FieldValue(name="status", value='"active"'),
            FieldValue(name="upstream_status", value='"implemented"'),
        ),
        references=(
            Reference(
                name="relates_to",
                target="keps/sig-node/693-topology-manager",
                otherwise=("keps/**/693-topology-manager", "keps/**/#693"),
                text="see-also: /keps/sig-node/693-topology-manager",
            ),
        ),
        revision="abc",
        author="ann",
        names=(FOLDER, "keps/**/3570-cpumanager", "keps/**/#3570"),
    )
    assert (record, [("status: # at last", "a comment is no value")]) == (
        read().record,
        [(left.what, left.why) for left in read().left_out],
    )


def test_a_status_alone_changes_no_body() -> None:
    """What became a status or a link is not in the body: a changed one is one move, not two."""
    withdrawn = read(
        YAML.replace("implemented # at last", "withdrawn").replace("replaces: []", "replaces: [/keps/a/1-b]")
    )
    assert withdrawn.record is not None
    before = read().record
    assert before is not None
    assert (before.body, '"withdrawn"') == (withdrawn.record.body, withdrawn.record.fields[1].value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("/keps/sig-a/12-x", ("keps/sig-a/12-x", "keps/**/12-x", "keps/**/#12")),
        ("keps/sig-a/0012-x/", ("keps/sig-a/0012-x", "keps/**/0012-x", "keps/**/#12")),
        ("/keps/sig-a/12-x/README.md", ("keps/sig-a/12-x", "keps/**/12-x", "keps/**/#12")),
        ('keps/sig-a/12-x"', ("keps/sig-a/12-x", "keps/**/12-x", "keps/**/#12")),
        ("../../sig-a/12-x/kep.yaml", ("sig-a/12-x/kep.yaml",)),
        ("/keps/sig-a/12", ("keps/sig-a/12", "keps/**/12")),
        ("/keps/sig-a/0006-apply.md", ("keps/sig-a/0006-apply.md", "keps/**/0006-apply.md")),
        ("/keps/a/2019-(Kustomize).md", ("keps/a/2019-(Kustomize).md", "keps/**/2019-(Kustomize).md")),
        ("0008-kustomize.md", ("keps/**/0008-kustomize.md",)),
        ("12-x", ("keps/**/12-x", "keps/**/#12")),
        ("KEP-32", ("keps/**/#32",)),
        ("KEP 0004", ("keps/**/#4",)),
        ("6090", ("keps/**/#6090",)),
        ("id:hyp-latency", ("id:hyp-latency",)),
        ("https://github.com/kubernetes/enhancements/issues/2896", ("keps/**/#2896",)),
        (
            "https://github.com/kubernetes/enhancements/pull/2896",
            ("https://github.com/kubernetes/enhancements/pull/2896",),
        ),
        (
            "[A](https://github.com/me/enhancements/tree/master/keps/sig-a/12-x)",
            ("keps/sig-a/12-x", "keps/**/12-x", "keps/**/#12"),
        ),
        ("https://goo.gl/x - a design", ("https://goo.gl/x",)),
        ("(https://example.org/keps/a.md)", ("https://example.org/keps/a.md",)),
        ("/kep/sig-a/12-x/", ("kep/sig-a/12-x",)),
        ("kubernetes/enhancements/keps/sig-a/12-x", ("keps/sig-a/12-x", "keps/**/12-x", "keps/**/#12")),
        ("n/a", ()),
        ("TBD", ()),
        ("null", ()),
        ("/keps/sig-ccc/3456-replaced-kep", ()),
        ("we should talk", ()),
        ("id:Not An Id", ()),
    ],
)
def test_references_as_people_write_them(value: str, expected: tuple[str, ...]) -> None:
    """A path from the root, a folder, a number, an address; what means nothing is none, what is outside stays."""
    assert expected == target(value)


def test_what_means_nothing_is_not_told_and_what_is_none_is() -> None:
    """A word for nothing needs no report; a template's example and words that name no document do."""
    replaces = "n/a, we should talk, /keps/sig-ccc/3456-replaced-kep"
    text = f"title: T\nkep-number: 1\nstatus: implemented\nreplaces: [{replaces}]\n"
    assert [
        ("replaces: we should talk", "it is no number, path or id of a record"),
        ("replaces: /keps/sig-ccc/3456-replaced-kep", "it is the template's example"),
    ] == [(left.what, left.why) for left in read(text).left_out]


def test_markdown_with_front_matter() -> None:
    """The form before kep.yaml reads the same; it has no number of today's, and is called by its file's name."""
    found = read(f"---\n{YAML}---\n\n# CPU\n\nSee [[owned_by::sig-node]].\n", "keps/sig-node/0008-cpu.md")
    readme = read(f"---\n{YAML}---\n\n# CPU\n", f"{FOLDER}/README.md")
    assert found.record is not None
    assert readme.record is not None
    assert ("0008-cpu", ("keps/**/0008-cpu.md",), True) == (
        found.record.record_id,
        found.record.names,
        found.record.body.endswith("```\n\n# CPU\n\nSee [[owned_by::sig-node]].\n"),
    )
    assert ["owned_by"] == [relation.name for relation in found.relations]
    assert ("3570-cpumanager", found.record.fields) == (readme.record.record_id, readme.record.fields)


def test_a_readme_hands_over_what_it_was() -> None:
    """Without front matter the README is no record; what it was, or the file it was, lives on in the kep.yaml."""
    for former, lived in (("", f"{FOLDER}/README.md"), ("keps/0008-cpu.md", "keps/0008-cpu.md")):
        record = read("# CPU Manager\n", f"{FOLDER}/README.md", former).record
        assert record is not None
        assert (URI, lived, True) == (record.uri, record.former_uri, bool(record.unreadable))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("title: [", "the text is not YAML: "),
        ("- a", "the text is no mapping of keys to values"),
        ("title: T\n---\ntitle: U", "the text is not YAML: expected a single document"),
        ("a: &a [*a]", "the text is not YAML: it nests deeper than 32"),
        ("title: T\nstatus: implemented", "it does not have the title, status, and number or owner of a KEP"),
        ("", "it does not have the title, status, and number or owner of a KEP"),
    ],
)
def test_a_text_that_cannot_be_read(text: str, why: str) -> None:
    """A broken kep.yaml is told with the reason, to whoever waits and to the record it was."""
    found = read(text)
    assert found.record is not None
    assert found.record.unreadable.startswith(why)
    assert ([URI], ()) == ([left.what for left in found.left_out], found.record.fields)


def test_the_set() -> None:
    """Of the whole set, what is a proposal becomes a record that keeps every key nothing was made of; no other does."""
    reads = {row["path"]: read(text_of(row), row["path"]) for row in rows()}
    assert {row["path"] for row in proposals()} == {path for path, found in reads.items() if found.record}
    assert {"it is a template": 2, "it is test data": 23} == {
        why: sum(found.record is None and why in {left.why for left in found.left_out} for found in reads.values())
        for why in ("it is a template", "it is test data")
    }
    taken = {"title", "status", "owning-sig", "see-also", "replaces", "superseded-by"}
    added = {"path", "kind", "sig", "dir", "yaml_comments"}
    for row in proposals():
        record = reads[row["path"]].record
        assert record is not None
        assert all(f"\n{key}:" in record.body for key in row.keys() - taken - added)
        assert not any(f"\n{key}:" in record.body for key in taken)
