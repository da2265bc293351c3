"""Builds states of Patchwork directly, in the words of the game."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.patchwork.components import LOW_CELLS, PATCHES
from parlour.envs.patchwork.text import action_text_now

NAMES = [patch.name for patch in PATCHES]


def table(
    *,
    circle: Sequence[str] = (),
    quilts: Sequence[Sequence[str]] = (),
    buttons: Sequence[int] = (),
    income: Sequence[int] = (),
    time: Sequence[int] = (),
    mover: int = 0,
    bonus: int | None = None,
    first_home: int | None = None,
    leather_in_hand: bool = False,
    patches_left: int | None = None,
    leather_left: Sequence[bool] | None = None,
    **config: Any,
) -> Batch:
    """A one-game batch.

    `circle` names the next patches; the others follow in the order of the list, the starter last. A quilt is nine rows
    of "." and "#"; rows left out are empty. `mover` is whose turn it is and, on a shared space, whose token is on top.
    `leather_left` says which of the five leather patches still lie on the track.
    """
    batch = parlour.batch("patchwork", seed=1, first_player=mover, **config)
    s = batch._states[0]
    order = [*circle, *(name for name in NAMES[1:] + NAMES[:1] if name not in circle)]
    s.circle[:] = [NAMES.index(name) for name in order]
    if patches_left is not None:
        s.patches_left = patches_left
    for field, values in (("buttons", buttons), ("income", income), ("time", time)):
        for seat, value in enumerate(values):
            getattr(s, field)[seat] = value
    for seat, rows in enumerate(quilts):
        sew_rows(s, seat, rows)
    s.bonus = -1 if bonus is None else bonus
    s.first_home = -1 if first_home is None else first_home
    s.leather_in_hand = leather_in_hand
    if leather_left is not None:
        s.leather_left = sum(1 << i for i, there in enumerate(leather_left) if there)
    refresh(batch)
    return batch


def sew_rows(s: Any, seat: int, rows: Sequence[str]) -> None:
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark == "#":
                cell = r * 9 + c
                part, bit = (0, cell) if cell < LOW_CELLS else (1, cell - LOW_CELLS)
                s.quilt[seat, part] = int(s.quilt[seat, part]) | (1 << bit)
                s.empty[seat] -= 1


def refresh(batch: Batch) -> None:
    batch._kernels.masks(batch._states, np.arange(batch.size), batch._masks)
    batch._seen_now = False


def legal(batch: Batch) -> set[str]:
    """The legal actions in words."""
    return {action_text_now(batch._states[0], int(a)) for a in np.flatnonzero(batch.legal[0])}


def play(batch: Batch, *actions: str) -> None:
    """Play actions given in words."""
    for action in actions:
        found = [int(a) for a in np.flatnonzero(batch.legal[0]) if action_text_now(batch._states[0], int(a)) == action]
        assert found, f"{action!r} is not legal"
        batch.step(found)


def seat(batch: Batch, number: int) -> dict[str, Any]:
    found: dict[str, Any] = batch.describe()["seats"][number]
    return found


def filled(*holes: str) -> list[str]:
    """A quilt that is full but for these cells, named as in "c4"."""
    return ["".join("." if f"{column}{row + 1}" in holes else "#" for column in "abcdefghi") for row in range(9)]


def mover(batch: Batch) -> int:
    """Whose turn it is, -1 when the game is over."""
    return int(batch.current_player[0])


def bought(batch: Batch) -> set[str]:
    """The names of the patches that can be bought now."""
    return {words.split()[1].rstrip(",") for words in legal(batch) if words.startswith("buy")}
