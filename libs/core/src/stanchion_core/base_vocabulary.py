"""The vocabulary that ships, of every workspace that has none of its own: `base_vocabulary.yaml` beside this module."""

import functools
from importlib.resources import files
from typing import Final

from stanchion_core.vocabulary import Vocabulary
from stanchion_core.vocabulary_text import read

_FILE: Final = "base_vocabulary.yaml"


def base_text() -> str:
    """Give its YAML, with its comments: what somebody who writes their own begins with."""
    return files("stanchion_core").joinpath(_FILE).read_text(encoding="utf-8")


@functools.cache
def base_vocabulary() -> Vocabulary:
    """Give the vocabulary: as constant as the code that it is installed with, and read once."""
    return read(base_text())
