"""Patchwork, the slow and plain way: the reference that the fast kernels are tested against.

Written from the rules alone (`envs/patchwork/RULES.md`, clauses PAT-*), sharing no code with the package. A quilt is a
dictionary from the covered cells to what covers them. Whatever can be worked out from the state is worked out each time
and never stored, so a test may set any attribute and go on playing from there.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

Cell = tuple[int, int]  # (row, column), from the top left corner
Drawing = tuple[str, ...]  # rows of "X" and "."

NOBODY = -1
SIZE = 9
CELLS = SIZE * SIZE
LAST_SPACE = 53  # PAT-2
INCOME_SPACES = [5, 11, 17, 23, 29, 35, 41, 47, 53]  # PAT-2
LEATHER_SPACES = {"first": [20, 26, 32, 44, 50], "revised": [26, 32, 38, 44, 50]}  # PAT-2
FIRST_BUTTONS = 5  # PAT-3
CHOICES = 3  # PAT-12
ORIENTATIONS = 8  # PAT-30
BONUS_SQUARE = 7  # PAT-15
BONUS_POINTS = 7  # PAT-15
POINTS_PER_EMPTY_SPACE = -2  # PAT-20
MARGIN_UNIT = 30
LEATHER = "*"
ADVANCE = 0  # PAT-30: the three families of actions start here
FIRST_LEATHER = 1
FIRST_BUY = FIRST_LEATHER + CELLS
ACTIONS = FIRST_BUY + CHOICES * ORIENTATIONS * CELLS

PATCHES_FILE = Path(__file__).resolve().parents[2] / "envs" / "patchwork" / "patches.json"


class Patch(NamedTuple):
    """One patch of the circle (PAT-1)."""

    name: str
    shape: Drawing
    cost: int
    time: int
    income: int


def read_patches() -> dict[str, Patch]:
    """The 33 patches by name, in the order of the file."""
    rows = json.loads(PATCHES_FILE.read_text(encoding="utf-8"))
    return {r["name"]: Patch(r["name"], tuple(r["shape"]), r["cost"], r["time"], r["income"]) for r in rows}


PATCHES = read_patches()


def cells_of(drawing: Drawing) -> list[Cell]:
    """The cells drawn with an X."""
    return [(row, column) for row, line in enumerate(drawing) for column, mark in enumerate(line) if mark == "X"]


def starter() -> str:
    """The patch of two cells, the only one (PAT-1)."""
    (name,) = [name for name, patch in PATCHES.items() if len(cells_of(patch.shape)) == 2]
    return name


def turned_clockwise(drawing: Drawing) -> Drawing:
    """A quarter turn clockwise: the left column, read upwards, becomes the top row."""
    return tuple("".join(line[column] for line in reversed(drawing)) for column in range(len(drawing[0])))


def mirrored(drawing: Drawing) -> Drawing:
    """Left and right exchanged."""
    return tuple("".join(reversed(line)) for line in drawing)


@cache
def orientations(name: str, mirror: bool) -> dict[int, Drawing]:
    """The patch as it lies in each orientation number, without those that repeat an earlier one (PAT-30)."""
    distinct: dict[int, Drawing] = {}
    shape = PATCHES[name].shape
    for first_number, drawing in [(0, shape), (4, mirrored(shape))] if mirror else [(0, shape)]:
        for turns in range(4):
            if drawing not in distinct.values():
                distinct[first_number + turns] = drawing
            drawing = turned_clockwise(drawing)
    return distinct


@cache
def placements(name: str, mirror: bool) -> dict[tuple[int, int, int], frozenset[Cell]]:
    """The cells covered on the quilt, by orientation and by row and column of the bounding box's top left corner."""
    covered: dict[tuple[int, int, int], frozenset[Cell]] = {}
    for orientation, drawing in orientations(name, mirror).items():
        for top in range(SIZE - len(drawing) + 1):
            for left in range(SIZE - len(drawing[0]) + 1):
                cells = frozenset((top + row, left + column) for row, column in cells_of(drawing))
                covered[orientation, top, left] = cells
    return covered


def leather_action(row: int, column: int) -> int:
    """The action that puts a leather patch on a cell (PAT-30)."""
    return FIRST_LEATHER + row * SIZE + column


def buy_action(choice: int, orientation: int, row: int, column: int) -> int:
    """The action that buys one of the next patches and places it (PAT-30)."""
    return FIRST_BUY + (choice * ORIENTATIONS + orientation) * CELLS + row * SIZE + column


def meaning_of(action: int) -> tuple[Any, ...]:
    """The action in words: ("advance",), ("leather", row, column) or ("buy", choice, orientation, row, column)."""
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}: actions are 0 to {ACTIONS - 1}")
    if action == ADVANCE:
        return ("advance",)
    if action < FIRST_BUY:
        return ("leather", *divmod(action - FIRST_LEATHER, SIZE))
    choice_and_orientation, cell = divmod(action - FIRST_BUY, CELLS)
    return ("buy", *divmod(choice_and_orientation, ORIENTATIONS), *divmod(cell, SIZE))


def has_full_square(covered: set[Cell]) -> bool:
    """Whether some 7x7 square of the quilt is covered without a gap (PAT-15)."""
    corners = range(SIZE - BONUS_SQUARE + 1)
    side = range(BONUS_SQUARE)
    return any(
        all((top + row, left + column) in covered for row in side for column in side)
        for top in corners
        for left in corners
    )


class Patchwork:
    """One game. `circle` names the patches clockwise from the neutral pawn, so its last is the starter (PAT-4)."""

    def __init__(
        self,
        *,
        circle: list[str],
        first_player: int,
        leather: str = "first",
        mirror: bool = True,
        reward: str = "outcome",
    ) -> None:
        """Set the game up (PAT-2 to PAT-4)."""
        if sorted(circle) != sorted(PATCHES) or circle[-1] != starter():
            raise ValueError(f"the circle must hold each of the 33 patches once and end with {starter()}, got {circle}")
        if first_player not in (0, 1):
            raise ValueError(f"first_player must be 0 or 1, got {first_player}")
        if leather not in LEATHER_SPACES:
            raise ValueError(f"leather must be one of {list(LEATHER_SPACES)}, got {leather!r}")
        if reward not in ("outcome", "margin"):
            raise ValueError(f'reward must be "outcome" or "margin", got {reward!r}')
        self.mirror = mirror
        self.reward = reward
        self.circle = list(circle)
        self.leather = list(LEATHER_SPACES[leather])
        self.buttons = [FIRST_BUTTONS, FIRST_BUTTONS]
        self.time = [0, 0]
        self.quilts: list[dict[Cell, str]] = [{}, {}]
        self.bonus = NOBODY
        self.first_home = NOBODY
        self.last_mover = first_player  # on a shared space this token is the one on top (PAT-10)
        self.leather_in_hand = False  # the last mover has a leather patch to place (PAT-14)

    @property
    def player(self) -> int:
        """Who decides now; NOBODY when the game is over (PAT-10, PAT-14, PAT-16)."""
        if self.leather_in_hand:
            return self.last_mover
        if self.time == [LAST_SPACE, LAST_SPACE]:
            return NOBODY
        if self.time[0] == self.time[1]:
            return self.last_mover
        return self.time.index(min(self.time))

    @property
    def phase(self) -> str:
        """What kind of decision comes next: "turn", "leather" or "over"."""
        if self.leather_in_hand:
            return "leather"
        return "over" if self.player == NOBODY else "turn"

    def legal(self) -> set[int]:
        """The ids of all legal actions (PAT-11, PAT-12, PAT-14, PAT-30)."""
        if self.phase == "over":
            return set()
        if self.phase == "leather":
            quilt = self.quilts[self.player]
            every_cell = [(row, column) for row in range(SIZE) for column in range(SIZE)]
            return {leather_action(row, column) for row, column in every_cell if (row, column) not in quilt}
        return {ADVANCE} | self.legal_buys()

    def legal_buys(self) -> set[int]:
        """Every way to buy and place one of the next three patches (PAT-12)."""
        covered = set(self.quilts[self.player])
        actions = set()
        for choice, name in enumerate(self.circle[:CHOICES]):
            if PATCHES[name].cost > self.buttons[self.player]:
                continue
            for (orientation, row, column), cells in placements(name, self.mirror).items():
                if cells.isdisjoint(covered):
                    actions.add(buy_action(choice, orientation, row, column))
        return actions

    def apply(self, action: int) -> None:
        """Play a legal action for the player to move."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal for player {self.player} in phase {self.phase!r}")
        kind, *details = meaning_of(action)
        if kind == "advance":
            self.advance()
        elif kind == "leather":
            self.place_leather(*details)
        else:
            self.buy(*details)

    def advance(self) -> None:
        """Move just past the other token, for one button per space (PAT-11)."""
        seat = self.player
        target = min(self.time[1 - seat] + 1, LAST_SPACE)
        spaces = target - self.time[seat]
        self.buttons[seat] += spaces
        self.move_token(seat, spaces)

    def buy(self, choice: int, orientation: int, row: int, column: int) -> None:
        """Take a patch, move the neutral pawn to its place, pay, place the patch, move the time token (PAT-12)."""
        seat = self.player
        patch = PATCHES[self.circle[choice]]
        self.circle = self.circle[choice + 1 :] + self.circle[:choice]
        self.buttons[seat] -= patch.cost
        self.cover(seat, placements(patch.name, self.mirror)[orientation, row, column], patch.name)
        self.move_token(seat, patch.time)

    def place_leather(self, row: int, column: int) -> None:
        """Put the leather patch in hand on an empty cell (PAT-14)."""
        self.cover(self.player, frozenset({(row, column)}), LEATHER)
        self.leather_in_hand = False

    def cover(self, seat: int, cells: frozenset[Cell], mark: str) -> None:
        """Lay a patch on the quilt, and take the bonus tile if this fills a square first (PAT-15)."""
        for cell in cells:
            self.quilts[seat][cell] = mark
        if self.bonus == NOBODY and has_full_square(set(self.quilts[seat])):
            self.bonus = seat

    def move_token(self, seat: int, spaces: int) -> None:
        """Move the time token, with all that lies on the way (PAT-12 to PAT-14)."""
        start = self.time[seat]
        end = min(start + spaces, LAST_SPACE)
        self.time[seat] = end
        self.last_mover = seat
        if end == LAST_SPACE and self.first_home == NOBODY:
            self.first_home = seat
        for space in range(start + 1, end + 1):
            if space in INCOME_SPACES:
                self.buttons[seat] += self.income(seat)
            if space in self.leather:
                self.leather.remove(space)
                self.leather_in_hand = len(self.quilts[seat]) < CELLS

    def patches_of(self, seat: int) -> list[str]:
        """The patches on a quilt, in the order of the patch table."""
        return [name for name in PATCHES if name in self.quilts[seat].values()]

    def income(self, seat: int) -> int:
        """The buttons printed on the patches of a quilt (PAT-13)."""
        return sum(PATCHES[name].income for name in self.patches_of(seat))

    def scores(self) -> list[int]:
        """Buttons, plus the bonus tile, minus two per empty space (PAT-20)."""
        scores = []
        for seat in (0, 1):
            empty_spaces = CELLS - len(self.quilts[seat])
            bonus = BONUS_POINTS if self.bonus == seat else 0
            scores.append(self.buttons[seat] + bonus + POINTS_PER_EMPTY_SPACE * empty_spaces)
        return scores

    def winner(self) -> int:
        """The higher score; on a tie, who reached the last space first (PAT-21). NOBODY before the end."""
        if self.phase != "over":
            return NOBODY
        scores = self.scores()
        return self.first_home if scores[0] == scores[1] else scores.index(max(scores))

    def returns(self) -> list[Fraction]:
        """The reward of each player at the end; zeros before it."""
        if self.phase != "over":
            return [Fraction(0), Fraction(0)]
        if self.reward == "margin":
            scores = self.scores()
            return [Fraction(scores[seat] - scores[1 - seat], MARGIN_UNIT) for seat in (0, 1)]
        return [Fraction(1) if seat == self.winner() else Fraction(-1) for seat in (0, 1)]

    def quilt_rows(self, seat: int) -> list[str]:
        """A quilt as nine strings: "." empty, "*" leather, else the letter of the patch."""
        quilt = self.quilts[seat]
        return ["".join(quilt.get((row, column), ".") for column in range(SIZE)) for row in range(SIZE)]

    def describe_seat(self, seat: int) -> dict[str, Any]:
        """What lies in front of one player."""
        return {
            "buttons": self.buttons[seat],
            "income": self.income(seat),
            "time": self.time[seat],
            "quilt": self.quilt_rows(seat),
            "patches": self.patches_of(seat),
        }

    def describe(self) -> dict[str, Any]:
        """The whole state in plain values, key by key as the package's `describe` gives it."""
        return {
            "players": 2,
            "phase": self.phase,
            "player": seat_or_none(self.player),
            "circle": list(self.circle),
            "leather": list(self.leather),
            "bonus": seat_or_none(self.bonus),
            "top": self.last_mover if self.time[0] == self.time[1] else None,
            "first_home": seat_or_none(self.first_home),
            "seats": [self.describe_seat(seat) for seat in (0, 1)],
            "scores": self.scores(),
        }

    def action_meaning(self, action: int) -> tuple[Any, ...]:
        """The action in words, as `meaning_of`."""
        return meaning_of(action)


def seat_or_none(seat: int) -> int | None:
    """The seat, or None for NOBODY."""
    return None if seat == NOBODY else seat
