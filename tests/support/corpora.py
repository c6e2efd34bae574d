"""Where the corpora of real data are: STANCHION_CORPORA, or `shared/data` beside the checkout."""

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


def corpus(name: str) -> Path:
    """Give a corpus's folder; without one the test is skipped with a word, or fails where CI is set.

    Args:
        name: of the folder, as `merkle-vectors`.
    """
    folder = Path(os.environ.get("STANCHION_CORPORA") or _BESIDE) / name
    if not folder.is_dir():
        word = f"no corpus at {folder}; set STANCHION_CORPORA to the folder that holds {name}"
        if os.environ.get("CI"):
            pytest.fail(word, pytrace=False)
        pytest.skip(word)
    return folder
