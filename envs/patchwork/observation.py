"""What a seat of Patchwork sees: everything. The observer comes first, then the opponent."""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.layout import Entry, Layout
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.seats import distance
from parlour.envs.patchwork.components import (
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
    PATCHES,
    ROW_FLOATS,
    SIDE,
    TIME,
    TOTAL_INCOME,
)
from parlour.envs.patchwork.rules import MANY, MOST_BUTTONS, can_pay, score

UPCOMING = 6
"""How many of the next patches are told in numbers."""
SHAPE = (3, 5)
"""Rows and columns that hold every patch as listed."""
BUTTON_SCALE, INCOME_SCALE, SCORE_SCALE = 40.0, 20.0, 40.0
FEATURES = np.stack([AREA / 8, COST / 10, TIME / 6, INCOME / 3], axis=1).astype(np.float32)
SHAPES = np.zeros((len(PATCHES), SHAPE[0] * SHAPE[1]), np.float32)
for _i, _patch in enumerate(PATCHES):
    for _r, _row in enumerate(_patch.shape):
        SHAPES[_i, _r * SHAPE[1] : _r * SHAPE[1] + len(_row)] = [mark == "X" for mark in _row]

LAYOUT = Layout(
    (
        Entry("quilt", (2, SIDE, SIDE), 1, "filled cells of the own and the other quilt"),
        Entry("buttons", (2,), MOST_BUTTONS / BUTTON_SCALE, "buttons, own and other's, / 40"),
        Entry("income", (2,), TOTAL_INCOME / INCOME_SCALE, "buttons printed on the quilt, own and other's, / 20"),
        Entry("time", (2,), 1, "space of the time token, own and other's, / 53"),
        Entry("empty", (2,), 1, "empty cells, own and other's, / 81"),
        Entry("score", (2,), 11, "running score, own and other's, / 40", low=-2 * CELLS / SCORE_SCALE),
        Entry("to_next_income", (2,), 1, "spaces to the next income, own and other's, / 6; 0 at home"),
        Entry("to_next_leather", (2,), 1, "spaces to the next leather patch, own and other's, / 53; 1 if none"),
        Entry("bonus", (2,), 1, "has the 7x7 tile: self, other"),
        Entry("on_top", (2,), 1, "whose token moved last: self, other"),
        Entry("first_home", (2,), 1, "who reached space 53 first: self, other"),
        Entry("to_move", (2,), 1, "player to move: self, other"),
        Entry("leather_in_hand", (1,), 1, "whether a leather patch must be placed now"),
        Entry("leather_left", (LEATHERS,), 1, "which leather patches still lie on the track, first to last"),
        Entry("circle", (MANY,), 1, "place in the circle of each patch A to g: 1 next, then falling by 1/33; 0 gone"),
        Entry("upcoming", (UPCOMING, 4), 1, "next six patches: cells / 8, cost / 10, time / 6, income / 3"),
        Entry("shape", (CHOICES, *SHAPE), 1, "cells of the next three patches as listed, from the top left corner"),
        Entry("affordable", (CHOICES,), 1, "whether the player to move can pay for each of the next three"),
    )
)


@kernel
def observe(s: State, seat: int, out: Numbers) -> int:
    out[2 * CELLS :] = 0.0
    write_quilt(s, seat, out[:CELLS])
    write_quilt(s, 1 - int(seat), out[CELLS : 2 * CELLS])
    at = write_seats(s, seat, out, 2 * CELLS)
    at = write_leather(s, out, at)
    return write_circle(s, out, at)


@kernel
def write_quilt(s: State, seat: int, out: Numbers) -> None:
    low = int(s.quilt[seat, 0])
    high = int(s.quilt[seat, 1])
    for row in range(7):
        write_floats(low >> (row * SIDE), out[row * SIDE : (row + 1) * SIDE])
    for row in range(2):
        write_floats(high >> (row * SIDE), out[LOW_CELLS + row * SIDE : LOW_CELLS + (row + 1) * SIDE])


@kernel
def write_floats(bits: int, out: Numbers) -> None:
    cells = ROW_FLOATS[bits & 511]
    for column in range(SIDE):
        out[column] = cells[column]


@kernel
def write_seats(s: State, seat: int, out: Numbers, at: int) -> int:
    for owner in range(2):
        place = out[at + distance(s, seat, owner) :]
        place[0] = s.buttons[owner] / BUTTON_SCALE
        place[2] = s.income[owner] / INCOME_SCALE
        place[4] = s.time[owner] / HOME
        place[6] = s.empty[owner] / CELLS
        place[8] = score(s, owner) / SCORE_SCALE
        place[10] = to_next_income(s, owner) / INCOME_STEP
        place[12] = to_next_leather(s, owner) / HOME
        place[14] = s.bonus == owner
        place[16] = s.last_mover == owner
        place[18] = s.first_home == owner
        place[20] = s.player == owner
    return at + 22


@kernel
def to_next_income(s: State, seat: int) -> int:
    space = int(s.time[seat])
    ahead = INCOME_STEP - (space - FIRST_INCOME + INCOME_STEP) % INCOME_STEP
    return ahead if space < HOME else 0


@kernel
def to_next_leather(s: State, seat: int) -> int:
    for i in range(LEATHERS):
        ahead = int(LEATHER_SPACES[s.layout, i]) - int(s.time[seat])
        if ahead > 0 and (int(s.leather_left) >> i) & 1:
            return ahead
    return HOME


@kernel
def write_leather(s: State, out: Numbers, at: int) -> int:
    out[at] = s.leather_in_hand
    for i in range(LEATHERS):
        out[at + 1 + i] = (int(s.leather_left) >> i) & 1
    return at + 1 + LEATHERS


@kernel
def write_circle(s: State, out: Numbers, at: int) -> int:
    left = int(s.patches_left)
    for i in range(left):
        out[at + int(s.circle[i])] = (MANY - i) / MANY
    at += MANY
    for i in range(min(left, UPCOMING)):
        features = FEATURES[s.circle[i]]
        place = out[at + 4 * i : at + 4 * i + 4]
        for k in range(4):
            place[k] = features[k]
    at += 4 * UPCOMING
    for i in range(min(left, CHOICES)):
        shape = SHAPES[s.circle[i]]
        place = out[at + 15 * i : at + 15 * i + 15]
        for k in range(15):
            place[k] = shape[k]
    at += 15 * CHOICES
    if s.player != NOBODY and not s.leather_in_hand:
        for choice in range(CHOICES):
            out[at + choice] = can_pay(s, choice)
    return at + CHOICES


@kernel
def redeal(s: State, seat: int) -> None:
    """There is nothing that a seat cannot know."""
