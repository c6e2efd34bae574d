"""JSON payloads."""

import pytest

from stanchion_core.errors import InvalidMessage
from stanchion_ingest.core.json import canonical


def test_heap_of_combining_marks_is_refused_at_once() -> None:
    """More marks on one character than any language has are refused: composing them takes minutes."""
    with pytest.raises(InvalidMessage, match="marks on one character"):
        canonical(('{"a": "e' + "\u0301" * 200_000 + '"}').encode(), "data")
