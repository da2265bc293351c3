"""The patches of Patchwork as tables that the kernels read, and the time track.

A quilt of 9x9 cells is two whole numbers: `low` holds the 63 cells of rows 0 to 6, `high` the 18 of rows 7 and 8.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

SIDE = 9
CELLS = SIDE * SIDE
LOW_CELLS = 7 * SIDE
ALL_LOW, ALL_HIGH = (1 << LOW_CELLS) - 1, (1 << (CELLS - LOW_CELLS)) - 1
WHOLE_ROW = (1 << SIDE) - 1
ORIENTATIONS = 8
UNMIRRORED = 4
CHOICES = 3
MOST_CELLS = 8

HOME = 53
"""The last space of the time track."""
FIRST_INCOME, INCOME_STEP = 5, 6
LEATHER_LAYOUTS = ("first", "revised")
LEATHER_SPACES = np.array([[20, 26, 32, 44, 50], [26, 32, 38, 44, 50]], np.int64)
"""Where the leather patches lie, by layout [PAT-2]."""
LEATHERS = 5


@dataclass(frozen=True)
class Patch:
    """One patch as listed: its shape in rows of "X" and ".", and its numbers."""

    name: str
    shape: tuple[str, ...]
    cost: int
    time: int
    income: int

    @property
    def cells(self) -> int:
        return sum(row.count("X") for row in self.shape)

    @cached_property
    def orientations(self) -> tuple[tuple[str, ...], ...]:
        """The eight drawings of PAT-30: k quarter turns clockwise, then the same of the mirrored shape."""
        mirrored = tuple(row[::-1] for row in self.shape)
        return tuple(_turned(shape, k) for shape in (self.shape, mirrored) for k in range(4))


def _turned(shape: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    for _ in range(quarters):
        shape = tuple("".join(column)[::-1] for column in zip(*shape, strict=True))
    return shape


def _read_patches() -> tuple[Patch, ...]:
    table = json.loads(files(__package__).joinpath("patches.json").read_text())
    return tuple(Patch(row["name"], tuple(row["shape"]), row["cost"], row["time"], row["income"]) for row in table)


PATCHES = _read_patches()
STARTER = next(i for i, patch in enumerate(PATCHES) if patch.cells == 2)
COST = np.array([patch.cost for patch in PATCHES], np.int64)
TIME = np.array([patch.time for patch in PATCHES], np.int64)
INCOME = np.array([patch.income for patch in PATCHES], np.int64)
AREA = np.array([patch.cells for patch in PATCHES], np.int64)
TOTAL_INCOME = int(INCOME.sum())


def _drawn(shape: tuple[str, ...]) -> list[int]:
    """The cells of a shape in the quilt's top left corner."""
    return [r * SIDE + c for r, row in enumerate(shape) for c, mark in enumerate(row) if mark == "X"]


def _split(cells: int) -> tuple[int, int]:
    return cells & ALL_LOW, cells >> LOW_CELLS


def _corners(shape: tuple[str, ...]) -> int:
    """The cells on which the top left corner of a shape can lie so that it stays on the quilt, as bits."""
    height, width = len(shape), len(shape[0])
    return sum(1 << (r * SIDE + c) for r in range(SIDE - height + 1) for c in range(SIDE - width + 1))


def _orientation_tables() -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """(is it new, its cells from the corner, where its corner can lie) for every patch and orientation."""
    new = np.zeros((len(PATCHES), ORIENTATIONS), np.bool_)
    offsets = np.zeros((len(PATCHES), ORIENTATIONS, MOST_CELLS), np.int64)
    corners = np.zeros((len(PATCHES), ORIENTATIONS, 2), np.int64)
    for i, patch in enumerate(PATCHES):
        for k, shape in enumerate(patch.orientations):
            new[i, k] = shape not in patch.orientations[:k]
            offsets[i, k, : patch.cells] = _drawn(shape)
            corners[i, k] = _split(_corners(shape))
    return new, offsets, corners


NEW, OFFSETS, CORNERS = _orientation_tables()

SQUARES = np.array(
    [_split(sum(1 << (r * SIDE + c) for r in range(top, top + 7) for c in range(left, left + 7)))
     for top in range(3) for left in range(3)],
    np.int64,
)  # fmt: skip
"""The nine 7x7 squares of a quilt [PAT-15]."""

ROW_FLOATS = np.array([[bits >> column & 1 for column in range(SIDE)] for bits in range(1 << SIDE)], np.float32)
"""The nine cells of a row, by the row's bits: turns bit boards into planes nine cells at a time."""
