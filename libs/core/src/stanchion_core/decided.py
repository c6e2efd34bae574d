"""An output that brings its own fold along: what deciding worked out need not be worked out again."""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct

State = TypeVar("State")
Output = TypeVar("Output")


class Decided(Struct, Generic[State, Output], frozen=True, kw_only=True, gc=False):
    """What a handler may return in place of its output.

    Only the owner that decided has it, and only for that moment. Whoever reads the output folds it with `evolve`, and
    must come to the same state: the property tests of such a stage hold the two together.

    Attributes:
        output: what is written.
        fold: does to the state what `evolve` does with the output.
    """

    output: Output
    fold: Callable[[State], None]
