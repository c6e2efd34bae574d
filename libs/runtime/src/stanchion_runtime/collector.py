"""Python's cycle collector, told what kind of process this is."""

import gc
from typing import Final

_YOUNG: Final = 20_000  # new objects between two looks at the young ones; Python's own is 700


def relax() -> None:
    """Look for cycles less often: a state is many small objects without any, and looking through them finds nothing."""
    gc.freeze()
    gc.set_threshold(_YOUNG, 20, 20)
