"""Named layouts: the only source of the shapes, slices, bounds and docs of flat vectors and action ranges."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, cast

import numpy as np
from gymnasium.spaces import Box, Space
from numpy.typing import NDArray

from parlour.envs.core.errors import ConfigError


@dataclass(frozen=True)
class Entry:
    """A named block of a flat vector."""

    name: str
    shape: tuple[int, ...]
    high: float
    meaning: str
    low: float = 0.0

    @property
    def size(self) -> int:
        return prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """Named blocks, one after the other, that make up a float32 vector."""

    entries: tuple[Entry, ...]

    @cached_property
    def slices(self) -> dict[str, slice]:
        found, start = {}, 0
        for entry in self.entries:
            found[entry.name] = slice(start, start + entry.size)
            start += entry.size
        return found

    @cached_property
    def size(self) -> int:
        return sum(entry.size for entry in self.entries)

    @cached_property
    def space(self) -> Space[NDArray[np.float32]]:
        """The Gymnasium space of these vectors."""
        low = np.concatenate([np.full(entry.size, entry.low, np.float32) for entry in self.entries])
        high = np.concatenate([np.full(entry.size, entry.high, np.float32) for entry in self.entries])
        return cast(Space[NDArray[np.float32]], Box(low, high, dtype=np.float32))

    def view(self, vectors: NDArray[Any], name: str) -> NDArray[Any]:
        """The block `name` of one vector or of a batch of them, in its own shape and without a copy."""
        if name not in self.slices:
            raise ConfigError(f"no entry {name!r}; the entries are {', '.join(self.slices)}")
        shape = next(entry.shape for entry in self.entries if entry.name == name)
        return vectors[..., self.slices[name]].reshape((*vectors.shape[:-1], *shape))

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """(indices, name, shape, range, meaning) of every block, for the docs."""
        return [
            (_span(where.start, where.stop), e.name, _shape(e.shape), f"{e.low:g} to {e.high:g}", e.meaning)
            for e, where in zip(self.entries, self.slices.values(), strict=True)
        ]

    def digest(self) -> str:
        """A fingerprint: two layouts with the same digest mean the same vectors."""
        told = repr([(e.name, e.shape, e.low, e.high) for e in self.entries])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Family:
    """A named range of action ids."""

    name: str
    count: int
    meaning: str


@dataclass(frozen=True)
class Actions:
    """The action ids of a game as families, one after the other."""

    families: tuple[Family, ...]

    @cached_property
    def size(self) -> int:
        return sum(family.count for family in self.families)

    def rows(self) -> list[tuple[str, str, str]]:
        """(ids, name, meaning) of every family, for the docs."""
        found, start = [], 0
        for family in self.families:
            found.append((_span(start, start + family.count), family.name, family.meaning))
            start += family.count
        return found


def _span(start: int, stop: int) -> str:
    return str(start) if stop - start == 1 else f"{start}-{stop - 1}"


def _shape(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape))
