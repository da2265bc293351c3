"""`greedy`: a rule-based player for every game.

Each game has a module here, named as the owner of its rules, with one kernel `weigh(s, mask, worth)`: it writes what
each legal action is worth to the player to move, in any unit, judged only by what that player may see. The record it
gets is its own to try things on. The player takes the action worth most; search uses the same numbers as a prior.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numba import prange
from numpy.typing import NDArray

from parlour.agents.greedy.ahead import foresight, looking_ahead
from parlour.agents.greedy.choice import most_worth
from parlour.envs.core.batch import PARALLEL_FROM, Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game, Rules
from parlour.envs.core.jit import bind, tied, unbound
from parlour.envs.core.loops import next_bits
from parlour.envs.core.record import Numbers

OWNERS = ("kintsugi", "patchwork", "kitsu", "klink")
"""The rules that have a greedy player."""


@dataclass(frozen=True)
class Greedy:
    """Plays what its rules of thumb value most; ties are drawn."""

    def check(self, game: Game) -> None:
        weigher(game.rules)

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        chosen = np.empty(rows.size, np.int64)
        choose = _bound(batch.game.rules, choose_rows, rows.size >= PARALLEL_FROM)
        choose(batch.states, rows, batch.game.num_actions, batch.draw_bits(rows), chosen)
        return chosen

    def picker(self, game: Game) -> Callable[..., int]:
        return _picker(game.rules)


def weigher(rules: Rules) -> Callable[..., None]:
    """The kernel `weigh` for these rules."""
    if rules.owner not in OWNERS:
        raise ConfigError(f"greedy cannot play {rules.owner}; it knows {', '.join(OWNERS)}")
    found: Callable[..., None] = import_module(f"parlour.agents.greedy.{rules.owner}").weigh
    return found


def worths(batch: Batch, rows: NDArray[np.int64], *, ahead: bool = False) -> NDArray[np.float32]:
    """float32 [R, A]: what each action is worth to the player to move, -inf where it is illegal.

    With `ahead`, the points that the player will be ahead by in the end, if `greedy` plays on for everyone.
    """
    rules, out = batch.game.rules, np.empty((rows.size, batch.game.num_actions), np.float32)
    if ahead:
        known = foresight(rules)
        looking_ahead(rules, weigher(rules))(batch.states, rows, known.kinds, known.scale, out)
    else:
        _bound(rules, weigh_rows, rows.size >= PARALLEL_FROM)(batch.states, rows, out)
    return out


@cache
def _bound(rules: Rules, loop: Callable[..., Any], parallel: bool) -> Callable[..., Any]:
    functions = {"legal": rules.legal, "weigh": weigher(rules)}
    return bind(loop, rules.owner, functions, parallel=parallel)


@cache
def _picker(rules: Rules) -> Callable[..., int]:
    return tied(pick_most_worth, {"weigh": weigher(rules)})


legal = weigh = unbound


def choose_rows(states: Numbers, rows: Numbers, actions: int, bits: Numbers, chosen: Numbers) -> None:
    for k in prange(rows.size):
        own = states[rows[k] : rows[k] + 1].copy()
        mask = np.zeros(actions, np.bool_)
        worth = np.zeros(actions, np.float32)
        legal(own[0], mask)
        weigh(own[0], mask, worth)
        chosen[k] = most_worth(mask, worth, bits[k])


def pick_most_worth(states: Numbers, row: int, masks: Numbers, actions: int, sampler: Numbers) -> int:
    """What `choose_rows` would choose."""
    own = states[row : row + 1].copy()
    mask = masks[row, :actions].copy()
    worth = np.zeros(actions, np.float32)
    weigh(own[0], mask, worth)
    return most_worth(mask, worth, next_bits(sampler[row]))


def weigh_rows(states: Numbers, rows: Numbers, out: Numbers) -> None:
    for k in prange(rows.size):
        own = states[rows[k] : rows[k] + 1].copy()
        mask = np.zeros(out.shape[1], np.bool_)
        legal(own[0], mask)
        weigh(own[0], mask, out[k])
        for action in range(mask.size):
            if not mask[action]:
                out[k, action] = -np.inf
