import importlib.resources

import msgspec
import pytest

from stanchion_core.vocabulary import BASE_FILE, Vocabulary, from_plain, parse

TEXT = importlib.resources.files("stanchion_core").joinpath(BASE_FILE).read_text()


@pytest.fixture
def base() -> Vocabulary:
    """Give the vocabulary that ships."""
    return parse(TEXT)


def test_base_declares_the_designs_kinds_and_links(base: Vocabulary) -> None:
    """The base vocabulary has the kinds and links of the records page, in its order."""
    assert ["decision", "rule", "hypothesis", "intent", "document", "statement"] == list(base.kinds)
    assert ["based_on", "exception_to", "assumes", "replaces", "depends_on", "refines"] == list(base.links)[:6]
    rests = {link.name for link in base.links.values() if link.rests}
    assert {"based_on", "exception_to", "assumes", "depends_on", "refines"} == rests
    assert list(range(len(base.links))) == [link.order for link in base.links.values()]


@pytest.mark.parametrize(
    ("kind", "before", "after", "moved"),
    [
        ("decision", "active", "superseded", True),
        ("decision", "active", "withdrawn", True),
        ("decision", "draft", "rejected", True),
        ("decision", "rejected", "archived", True),
        ("decision", "active", "draft", True),
        ("decision", "rejected", "draft", False),
        ("decision", "draft", "active", False),
        ("decision", "superseded", "active", False),
        ("hypothesis", "open", "refuted", True),
        ("hypothesis", "supported", "abandoned", True),
        ("hypothesis", "refuted", "open", False),
        ("hypothesis", "open", "supported", False),
        ("intent", "standing", "dropped", False),
    ],
)
def test_monitored_status(base: Vocabulary, kind: str, before: str, after: str, moved: bool) -> None:  # noqa: FBT001 - a table
    """Only the changes of status that the kind monitors are moves."""
    assert moved is base.kinds[kind].fields["status"].moved(before, after)


def test_only_applies_to_moves_on_a_rule(base: Vocabulary) -> None:
    """Of a rule's other fields only applies_to is monitored."""
    assert {"status", "applies_to"} == {field.name for field in base.kinds["rule"].fields.values() if field.monitored}


def test_in_force(base: Vocabulary) -> None:
    """A decision is in force while active; a document has no status and always is; an unknown kind never is."""
    assert base.in_force("decision", "active")
    assert not base.in_force("decision", "draft")
    assert base.in_force("document", "")
    assert not base.in_force("nonsense", "active")


def test_another_vocabulary_need_not_have_these_kinds() -> None:
    """A workspace's own vocabulary reads from plain data."""
    own = from_plain({"name": "own", "kinds": {"note": {}}, "links": {"cites": {"from": ["note"], "rests": True}}})
    assert ("note",) == own.links["cites"].from_kinds


@pytest.mark.parametrize(
    "plain",
    [
        {"name": "x", "kinds": {}, "links": {"l": {"from": ["ghost"]}}},
        {"name": "x", "kinds": {"k": {"moves_into": ["gone"]}}, "links": {}},
        {"name": "x", "kinds": {"k": {"fields": [{"name": "a"}, {"name": "a"}]}}, "links": {}},
        {"name": "x", "kinds": {"k": {"colour": "red"}}, "links": {}},
        {"name": "x", "kinds": {"k": {}}, "links": {"l": {"to": ["k"], "supersedes": "old"}}},
    ],
)
def test_a_vocabulary_that_contradicts_itself_is_refused(plain: dict[str, object]) -> None:
    """What is named must be declared, and unknown parts are an error."""
    with pytest.raises(ValueError, match=r"vocabulary|unknown field"):
        from_plain(plain)
    with pytest.raises(ValueError, match=r"vocabulary|unknown field"):
        parse(msgspec.json.encode(plain).decode())
