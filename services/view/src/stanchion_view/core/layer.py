"""A layer over a map: a batch is folded into it aside, and readers see the map unchanged until it is committed."""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
Inner = TypeVar("Inner")


class Layer(MutableMapping[K, V], Generic[K, V]):
    """Reads through to a base map; writes and removals stay here until `settle` puts them in.

    Attributes:
        put: what was written, by key.
        removed: the base's keys that were removed.
    """

    __slots__ = ("_base", "put", "removed")

    def __init__(self, base: Mapping[K, V]) -> None:
        self._base = base
        self.put: dict[K, V] = {}
        self.removed: set[K] = set()

    def __getitem__(self, key: K) -> V:
        """Give the value as the layer has it.

        Raises:
            KeyError: there is none.
        """
        if key in self.put:
            return self.put[key]
        if key in self.removed:
            raise KeyError(key)
        return self._base[key]

    def __setitem__(self, key: K, value: V) -> None:
        """Write into the layer."""
        self.put[key] = value
        self.removed.discard(key)

    def __delitem__(self, key: K) -> None:
        """Remove, in the layer.

        Raises:
            KeyError: there is none.
        """
        if key not in self:
            raise KeyError(key)
        self.put.pop(key, None)
        if key in self._base:
            self.removed.add(key)

    def __contains__(self, key: object) -> bool:
        """Tell whether the layer has the key."""
        return key in self.put or (key not in self.removed and key in self._base)

    def __iter__(self) -> Iterator[K]:
        """Give every key: the base's in its order, then new ones in theirs."""
        yield from (key for key in self._base if key not in self.removed)
        yield from (key for key in self.put if key not in self._base)

    def __len__(self) -> int:
        """Count the keys."""
        return len(self._base) - len(self.removed) + sum(key not in self._base for key in self.put)

    def settle(self, base: MutableMapping[K, V]) -> None:
        """Put everything into the base map."""
        for key in self.removed:
            del base[key]
        base.update(self.put)


class CopyingLayer(Layer[K, dict[Inner, V]], Generic[K, Inner, V]):
    """A layer over a map of maps: what it gives may be changed in place, for it gives copies of the base's."""

    __slots__ = ()

    def __getitem__(self, key: K) -> dict[Inner, V]:
        """Give the value as the layer has it, the layer's own.

        Raises:
            KeyError: there is none.
        """
        if key not in self.put:
            self.put[key] = dict(super().__getitem__(key))
        return self.put[key]
