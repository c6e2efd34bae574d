import unicodedata
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stanchion.yaml_lines import yaml_lines
from stanchion_core.yaml_text import parse_yaml

ODDITIES = st.sampled_from(["", "\n", " ", "- a", "#", ": ", "a: b", "yes", "null", "~", "|", "\t", "'", '"', "…", "é"])
PIECES = st.one_of(ODDITIES, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
TEXTS = st.lists(PIECES, max_size=6).map(lambda pieces: unicodedata.normalize("NFC", "".join(pieces)))
NAMES = st.text("abc_:. -", min_size=1, max_size=6)
PLAIN = st.recursive(
    st.one_of(st.none(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, PLAIN, min_size=1, max_size=4), st.integers(0, 4))
def test_what_is_written_is_read_back(value: dict[str, Any], flow_from: int) -> None:
    """Any plain value comes back from its YAML as it was, whatever its texts look like to a YAML reader."""
    text = "\n".join(yaml_lines(value, flow_from=flow_from)) + "\n"
    assert value == parse_yaml(text, "it", utf8_bytes=10**6)
