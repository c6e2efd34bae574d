"""A claim's key, for any text."""

from hypothesis import given
from hypothesis import strategies as st

from stanchion_core.claim_key import claim_key


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    """Normalising once is enough."""
    assert claim_key(text) == claim_key(claim_key(text))
