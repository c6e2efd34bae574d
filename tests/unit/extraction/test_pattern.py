"""Patterns of paths and addresses."""

import pytest

from stanchion_extraction.core.pattern import address_pattern, path_matcher


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("**/*.md", "a.md", True),
        ("**/*.md", "x/y/a.md", True),
        ("**/*.md", "/x/a.MD", True),
        ("**/*.md", "https://example.org/x/a.md", True),
        ("**/*.md", "a.mdx", False),
        ("docs/*.md", "docs/a.md", True),
        ("docs/*.md", "docs/x/a.md", False),
        ("docs/**", "docs/x/a.md", True),
        ("docs/**", "docs", True),
        ("docs/**", "doc/a.md", False),
        ("**/keps/**/kep.yaml", "keps/kep.yaml", True),
        ("**/keps/**/kep.yaml", "a/keps/b/c/kep.yaml", True),
        ("**/keps/**/kep.yaml", "a/kep/b/kep.yaml", False),
        ("**/template[-_. ]*", "x/Template-1.md", True),
        ("a?c", "abc", True),
        ("a?c", "a/c", False),
    ],
)
def test_paths(pattern: str, path: str, fits: bool) -> None:  # noqa: FBT001 - a row of the table
    """Two stars are any folders, one star is what is in one name; capitals do not count."""
    assert fits == path_matcher([pattern])(path)


def test_paths_cost_little() -> None:
    """No path makes a pattern busy, however many stars it has."""
    assert not path_matcher(["**/" * 10 + "*a*a*a*a*b"])("/".join(["a" * 50] * 40))


def test_addresses() -> None:
    """An address begins so, with one part for a star and a number for a hash."""
    pattern = address_pattern("https://example.org/*/issues/#")
    found = pattern.match("https://example.org/team/issues/0042#why")
    assert found is not None
    assert "42" == found[1]
    assert pattern.match("https://example.org/a/b/issues/42") is None
    assert pattern.match("https://example_org/team/issues/42") is None
