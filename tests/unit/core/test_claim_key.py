"""A visually equal subject or predicate is an equal one."""

import pytest

from stanchion_core.claim_key import claim_key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (" Tank   7\n", "tank 7"),
        ("\uff34\uff21\uff2d", "tam"),
        ("cafe\u0301", "café"),
        ("Straße", "strasse"),
        ("co\u00adoperate", "cooperate"),
        ("tank\u200b7", "tank7"),
        ("\ufefftank 7\u2060", "tank 7"),
        ("e\u200d\u0301", "é"),
        ("\u200b\u200d", ""),
    ],
)
def test_what_looks_the_same_is_the_same(text: str, key: str) -> None:
    """Width, case, composition, space and characters that nobody sees make no difference."""
    assert key == claim_key(text)
