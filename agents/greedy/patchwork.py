"""The greedy player of Patchwork: what a patch brings until the end less what it costs, sewn on where it fits best.

All worths are points of the final score. A quilt is judged by its empty cells as bit boards: those that lie together
can still be filled, nooks by few patches, single holes only by leather. The constants were found by playing variants
against each other.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.patchwork.components import (
    ALL_HIGH,
    ALL_LOW,
    AREA,
    CELLS,
    CHOICES,
    COST,
    FIRST_INCOME,
    HOME,
    INCOME,
    INCOME_STEP,
    LEATHER_SPACES,
    LEATHERS,
    LOW_CELLS,
    NEW,
    OFFSETS,
    ORIENTATIONS,
    SIDE,
    SQUARES,
    TIME,
    UNMIRRORED,
)
from parlour.envs.patchwork.rules import (
    ADVANCE,
    BUY_FROM,
    LEATHER_FROM,
    NUM_ACTIONS,
    PER_CHOICE,
    can_pay,
    fitting_corners,
    free_high,
    free_low,
    incomes_up_to,
)

INCOMES = (HOME - FIRST_INCOME) // INCOME_STEP + 1
"""Income spaces on the track."""
SHAPES = np.array(
    [[sum(1 << int(cell) for cell in OFFSETS[patch, k, : AREA[patch]]) for k in range(ORIENTATIONS)]
     for patch in range(len(AREA))],
    np.int64,
)  # fmt: skip
"""The cells of each patch and orientation in the quilt's top left corner, as bits of rows 0 to 6."""
NOT_FIRST = sum(0b111111110 << row for row in range(0, LOW_CELLS, SIDE))
NOT_LAST = NOT_FIRST >> 1
"""Rows 0 to 6 without their first or their last column."""

# --- Constants, in points

CELL = 2.0
EARLY_CELL = 0.045
"""A filled cell, and what it is worth less for each income ahead: there is time to fill it later."""
BUTTON = 1.0
EARLY_BUTTON = 0.135
"""A button, and what it is worth more for each income ahead: it buys patches that bring more."""
INCOME_BUTTON = 1.25
"""A button that an income will bring."""
SPACE = 3.0
EARLY_SPACE = 0.055
"""A space of the time track, and what it is worth more for each income ahead."""
LEATHER = 3.5
"""A leather patch reached."""
AGAIN = 0.2
"""To be on turn again."""
TOGETHER = 0.215
"""Two empty cells side by side."""
NOOK = 0.065
"""An empty cell with one empty neighbour."""
HOLE = 0.35
"""An empty cell with none."""
SQUARE = 0.12
"""A cell filled in the 7x7 square that lacks least, while the tile is to be had."""


@kernel
def weigh(s: State, mask: Numbers, worth: Numbers) -> None:
    square = nearest_square(s)
    if s.leather_in_hand:
        weigh_board(s, 1, free_low(s), free_high(s), square, 0.0, worth[LEATHER_FROM : LEATHER_FROM + CELLS])
        return
    worth[ADVANCE] = advance_points(s) + quilt_points(s, free_low(s), free_high(s), square)
    for choice in range(CHOICES):
        if can_pay(s, choice):
            weigh_patch(s, choice, square, worth[BUY_FROM + choice * PER_CHOICE :])


@kernel
def weigh_patch(s: State, choice: int, square: int, worth: Numbers) -> None:
    """Every placement of one of the next patches."""
    patch = int(s.circle[choice])
    points = patch_points(s, patch)
    for orientation in range(ORIENTATIONS if s.mirror else UNMIRRORED):
        if NEW[patch, orientation]:
            low, high = fitting_corners(free_low(s), free_high(s), patch, orientation)
            place = worth[orientation * CELLS : (orientation + 1) * CELLS]
            weigh_board(s, int(SHAPES[patch, orientation]), low, high, square, points, place)


@kernel
def weigh_board(s: State, shape: int, low: int, high: int, square: int, points: float, worth: Numbers) -> None:
    """A shape with its corner on each of the cells given as bits."""
    free = free_low(s), free_high(s)
    while low:
        corner = ones((low & -low) - 1)
        low &= low - 1
        rest = free[0] & ~(shape << corner), free[1] & ~(shape >> (LOW_CELLS - corner))
        worth[corner] = points + quilt_points(s, rest[0], rest[1], square)
    while high:
        corner = ones((high & -high) - 1)
        high &= high - 1
        worth[LOW_CELLS + corner] = points + quilt_points(s, free[0], free[1] & ~(shape << corner), square)


# --- What buttons, time and income are worth


@kernel
def patch_points(s: State, patch: int) -> float:
    """What a patch brings less what it costs, wherever it is sewn on."""
    ahead = incomes_ahead(s)
    cells = (CELL - EARLY_CELL * ahead) * int(AREA[patch])
    income = INCOME_BUTTON * int(INCOME[patch]) * ahead
    return cells + income - button_points(ahead) * int(COST[patch]) + move_points(s, int(TIME[patch]))


@kernel
def advance_points(s: State) -> float:
    """A button for every space up to just past the other token."""
    seat = int(s.player)
    before = int(s.time[seat])
    moved = min(int(s.time[1 - seat]) + 1, HOME) - before
    return button_points(incomes_ahead(s)) * moved + move_points(s, moved)


@kernel
def incomes_ahead(s: State) -> int:
    return INCOMES - incomes_up_to(int(s.time[s.player]))


@kernel
def button_points(ahead: int) -> float:
    return BUTTON + EARLY_BUTTON * ahead


@kernel
def move_points(s: State, spaces: int) -> float:
    """The time that a move takes, less what lies on the way."""
    seat = int(s.player)
    before = int(s.time[seat])
    after = min(before + spaces, HOME)
    points = -(SPACE + EARLY_SPACE * incomes_ahead(s)) * (after - before)
    if after <= s.time[1 - seat]:
        points += AGAIN
    for i in range(LEATHERS):
        if before < LEATHER_SPACES[s.layout, i] <= after and (int(s.leather_left) >> i) & 1:
            points += LEATHER
    return points


# --- What a quilt is worth


@kernel
def quilt_points(s: State, low: int, high: int, square: int) -> float:
    """How well the empty cells given as bits lie, for filling them later."""
    pairs, nooks, holes = empty_shapes(low, high)
    points = TOGETHER * pairs - NOOK * nooks - HOLE * holes
    if s.bonus == NOBODY:
        points -= SQUARE * missing(low, high, square)
    return points


@kernel
def nearest_square(s: State) -> int:
    """The 7x7 square that lacks the fewest cells."""
    nearest = 0
    fewest = CELLS
    for square in range(len(SQUARES)):
        lacking = missing(free_low(s), free_high(s), square)
        if lacking < fewest:
            nearest, fewest = square, lacking
    return nearest


@kernel
def missing(low: int, high: int, square: int) -> int:
    return ones(low & int(SQUARES[square, 0])) + ones(high & int(SQUARES[square, 1]))


@kernel
def empty_shapes(low: int, high: int) -> tuple[int, int, int]:
    """Pairs of empty cells side by side, empty cells with one empty neighbour, and with none."""
    below = (low >> SIDE) | ((high << (LOW_CELLS - SIDE)) & ALL_LOW)
    pairs, nooks, holes = neighbours(low, (low << SIDE) & ALL_LOW, below)
    more = neighbours(high, ((high << SIDE) & ALL_HIGH) | (low >> (LOW_CELLS - SIDE)), high >> SIDE)
    return pairs + more[0], nooks + more[1], holes + more[2]


@kernel
def neighbours(empty: int, above: int, below: int) -> tuple[int, int, int]:
    """The counts of `empty_shapes` in some rows, of which each cell's neighbours above and below are given."""
    left, right = (empty << 1) & NOT_FIRST, (empty >> 1) & NOT_LAST
    some = left | right | above | below
    several = (left & right) | (above & below) | ((left | right) & (above | below))
    pairs = ones(empty & right) + ones(empty & below)
    return pairs, ones(empty & some & ~several), ones(empty & ~some)


@kernel
def ones(bits: int) -> int:
    """How many of 63 bits are set."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((bits * 0x0101010101010101) >> 56) & 0x7F


# --- Kinds of actions

KINDS = np.zeros(NUM_ACTIONS, np.int64)
KINDS[LEATHER_FROM:BUY_FROM] = 1
KINDS[BUY_FROM:] = 2 + np.arange(CHOICES).repeat(PER_CHOICE)
"""0 to advance, 1 to place a leather patch, 2 to 4 to buy one of the next patches, wherever it is sewn on."""
