"""Patches as sets of cells, worked out apart from the package: what the rules page lists, and how it can lie."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

Cells = frozenset[tuple[int, int]]
RULES_PAGE = Path(__file__).parents[3] / "envs" / "patchwork" / "RULES.md"


class Listed(NamedTuple):
    """A row of the table of patches in RULES.md."""

    name: str
    shape: tuple[str, ...]
    cost: int
    time: int
    income: int


def listed() -> list[Listed]:
    """The patches as the rules page lists them."""
    rows = re.findall(r"^\| (\w) +\| `([X./]+)` *\| +(\d+) \| +(\d+) \| +(\d+) \|$", RULES_PAGE.read_text(), re.M)
    return [Listed(name, tuple(shape.split("/")), int(c), int(t), int(i)) for name, shape, c, t, i in rows]


def cells_of(shape: tuple[str, ...]) -> Cells:
    return frozenset((r, c) for r, row in enumerate(shape) for c, mark in enumerate(row) if mark == "X")


def turned(cells: Cells) -> Cells:
    """A quarter turn clockwise: what was on top is on the right."""
    height = 1 + max(r for r, _ in cells)
    return frozenset((c, height - 1 - r) for r, c in cells)


def mirrored(cells: Cells) -> Cells:
    """Left and right exchanged."""
    width = 1 + max(c for _, c in cells)
    return frozenset((r, width - 1 - c) for r, c in cells)


@cache
def orientations(shape: tuple[str, ...]) -> tuple[Cells, ...]:
    """The eight orientations of PAT-30, in order, repetitions included."""
    found = []
    for cells in (cells_of(shape), mirrored(cells_of(shape))):
        for _ in range(4):
            found.append(cells)
            cells = turned(cells)
    return tuple(found)


def new_orientations(shape: tuple[str, ...]) -> list[int]:
    """The orientations that do not look like an earlier one."""
    every = orientations(shape)
    return [k for k in range(8) if every[k] not in every[:k]]


def placed(shape: tuple[str, ...], orientation: int, row: int, column: int) -> Cells:
    return frozenset((r + row, c + column) for r, c in orientations(shape)[orientation])


def placements(shape: tuple[str, ...], free: Cells) -> set[tuple[int, int]]:
    """(orientation, cell) of every way in which a patch fits on these free cells."""
    return {
        (k, row * 9 + column)
        for k in new_orientations(shape)
        for row in range(9)
        for column in range(9)
        if placed(shape, k, row, column) <= free
    }


EMPTY_QUILT: Cells = frozenset((r, c) for r in range(9) for c in range(9))
