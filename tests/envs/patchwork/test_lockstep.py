"""Patchwork's kernels against the independent implementation in `tests/reference/patchwork.py`."""

import random
from collections import Counter
from typing import Any

import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.patchwork.build import refresh
from tests.lockstep import Reference, anything, play_in_lockstep
from tests.reference.patchwork import Patchwork, placements

OPTIONS: list[dict[str, Any]] = [
    {},
    {"leather": "revised", "first_player": 0},
    {"mirror": False},
    {"reward": "margin", "leather": "revised", "mirror": False},
]


def reference(batch: Batch, row: int) -> Patchwork:
    told, config = batch.describe(row), batch.game.config
    return Patchwork(
        circle=told["circle"],
        first_player=told["player"],
        leather=config["leather"],
        mirror=config["mirror"],
        reward=config["reward"],
    )


def rich_reference(batch: Batch, row: int) -> Patchwork:
    """Buttons for every patch one wants, so that quilts fill up; in every second row a circle of eight patches."""
    game = reference(batch, row)
    s = batch._states[row]
    for seat in range(2):
        s.buttons[seat] = game.buttons[seat] = 200
    if row % 2:
        game.circle = game.circle[:8]
        s.patches_left = 8
    if row == batch.size - 1:
        refresh(batch)
    return game


def packer(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Buys whenever it can, and sews on where the patch touches most of what is there: no gaps, full quilts."""
    assert isinstance(reference, Patchwork)
    filled = set(reference.quilts[reference.player])
    options = [a for a in legal if a != 0] or legal
    return max(rng.sample(options, min(len(options), 60)), key=lambda a: _touching(reference, a, filled))


def _touching(game: Patchwork, action: int, filled: set[tuple[int, int]]) -> int:
    verb, *where = game.action_meaning(action)
    if verb == "advance":
        return 0
    choice, *place = where if verb == "buy" else (None, *where)
    cells = placements(game.circle[choice], game.mirror)[tuple(place)] if verb == "buy" else {tuple(place)}
    score = 0
    for r, c in cells:
        for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            score += near not in cells and (near in filled or not (0 <= near[0] < 9 and 0 <= near[1] < 9))
    return score


@pytest.mark.parametrize("options", OPTIONS, ids=["default", "revised", "no mirror", "margin"])
def test_kernels_and_reference_agree(options: dict[str, Any]) -> None:
    assert play_in_lockstep(parlour.batch("patchwork", size=60, seed=5, **options), reference, every=5) > 20


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "revised", "no mirror", "margin"])
def test_kernels_and_reference_agree_over_thousands_of_games(options: dict[str, Any]) -> None:
    play_in_lockstep(parlour.batch("patchwork", size=2000, seed=11, **options), reference, anything, seed=1, every=9)


def test_kernels_and_reference_agree_in_the_rare_states() -> None:
    seen: Counter[str] = Counter()

    def watch(game: Reference) -> None:
        told = game.describe()
        seen["bonus tile"] += told["bonus"] is not None
        seen["full quilt"] += any("." not in "".join(seat["quilt"]) for seat in told["seats"])
        seen["fewer than three patches"] += len(told["circle"]) < 3
        seen["tie"] += told["phase"] == "over" and told["scores"][0] == told["scores"][1]

    play_in_lockstep(parlour.batch("patchwork", size=120, seed=3), rich_reference, packer, every=5, watch=watch)
    play_in_lockstep(parlour.batch("patchwork", size=150, seed=4), reference, anything, every=60, watch=watch)
    assert all(seen[state] for state in ("bonus tile", "full quilt", "fewer than three patches", "tie")), seen
