"""Where documents live, and how one names another."""

import pytest

from stanchion_core.uri import file_of, folder_of, numbered, resolved

HERE = "docs/decisions/0004-dns.md"


@pytest.mark.parametrize(
    ("base", "target", "expected"),
    [
        (HERE, "0015-dns.md", "docs/decisions/0015-dns.md"),
        (HERE, "./0015-dns.md", "docs/decisions/0015-dns.md"),
        (HERE, "../rules/a.md#why", "docs/rules/a.md"),
        (HERE, "../../../../a.md", "a.md"),
        (HERE, "/docs/a.md", "docs/a.md"),
        (HERE, "a%20b.md?raw=1", "docs/decisions/a b.md"),
        (HERE, "#consequences", ""),
        (HERE, "https://example.org/a/../b.md", "https://example.org/a/../b.md"),
        ("a.md", "b.md", "b.md"),
        ("/srv/a.md", "b.md", "/srv/b.md"),
        ("https://example.org/adr/a.md", "b.md", "https://example.org/adr/b.md"),
        ("https://example.org/adr/a.md", "/b.md", "https://example.org/b.md"),
        ("git:repo/docs/a.md", "../b.md", "git:repo/b.md"),
        ("a/b/c.md", "..", "a"),
    ],
)
def test_resolved(base: str, target: str, expected: str) -> None:
    """A link resolves against the document it stands in and never climbs past the root."""
    assert expected == resolved(base, target)


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        (HERE, "docs/decisions/#4"),
        ("adr/ADR-0012-x.md", "adr/#12"),
        ("adr_7.md", "#7"),
        ("https://example.org/adr/012.md", "https://example.org/adr/#12"),
        ("docs/readme.md", ""),
        ("docs/2-/x.md", ""),
    ],
)
def test_numbered(uri: str, expected: str) -> None:
    """A document has the number its file name begins with, whatever its zeros."""
    assert expected == numbered(uri)


def test_folder_and_file() -> None:
    """The two parts of a uri's path."""
    assert ("docs/decisions/", "0004-dns.md") == (folder_of(HERE), file_of(HERE))
