"""What comes of every action if `greedy` plays on for everyone, in games where nothing is hidden.

Of each kind of action the best one is played on to the end. The others of its kind are behind it by as much as `greedy`
thinks they are.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from parlour.agents.greedy import patchwork
from parlour.agents.greedy.choice import most_worth
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Rules
from parlour.envs.core.jit import bind, unbound
from parlour.envs.core.record import MARGIN, NO_ACTION, NOBODY, Numbers
from parlour.envs.patchwork.rules import MARGIN_SCALE


class Foresight(NamedTuple):
    """How to look ahead in a game."""

    kinds: NDArray[np.int64]
    """[A]: the kind of every action. Those of one kind lead to much the same game."""
    scale: float
    """Points of a margin of 1."""


FORESIGHT = {"patchwork": Foresight(patchwork.KINDS, MARGIN_SCALE)}
"""By the owner of the rules."""

legal = weigh = apply = returns = unbound


def foresight(rules: Rules) -> Foresight:
    """How to look ahead in the game with these rules; a `ConfigError` if that cannot be done."""
    if rules.owner not in FORESIGHT:
        raise ConfigError(f"greedy can look ahead only in {', '.join(FORESIGHT)}, not in {rules.owner}")
    return FORESIGHT[rules.owner]


@cache
def looking_ahead(rules: Rules, weigh: Callable[..., None]) -> Callable[..., None]:
    """`foresee_rows` for these rules."""
    rule: dict[str, Callable[..., Any]] = {"legal": rules.legal, "apply": rules.apply, "returns": rules.returns}
    functions = {**rule, "weigh": weigh}
    for step in (play_on, foresee):
        functions[step.__name__] = bind(step, rules.owner, functions, parallel=False)
    return bind(foresee_rows, rules.owner, functions, parallel=True)


def foresee_rows(states: Numbers, rows: Numbers, kinds: Numbers, scale: float, out: Numbers) -> None:
    """The points that the player to move will be ahead by after each action; -inf where it is illegal."""
    for k in prange(rows.size):
        root = states[rows[k] : rows[k] + 1].copy()
        root[0].reward = MARGIN
        foresee(root, kinds, scale, out[k])


def foresee(root: Numbers, kinds: Numbers, scale: float, worth: Numbers) -> None:
    mask = np.zeros(worth.size, np.bool_)
    legal(root[0], mask)
    desk = root.copy()
    weigh(desk[0], mask, worth)
    best = np.full(kinds.max() + 1, NO_ACTION)
    for action in range(mask.size):
        kind = kinds[action]
        if mask[action] and (best[kind] == NO_ACTION or worth[action] > worth[best[kind]]):
            best[kind] = action
    more = np.zeros(best.size)
    for kind in range(best.size):
        if best[kind] != NO_ACTION:
            more[kind] = scale * play_on(root, desk, best[kind], mask.size) - worth[best[kind]]
    for action in range(mask.size):
        worth[action] = worth[action] + more[kinds[action]] if mask[action] else -np.inf


def play_on(root: Numbers, desk: Numbers, action: int, actions: int) -> float:
    """The margin of the player to move in the end, when `greedy` has played on for everyone."""
    world = root.copy()
    s = world[0]
    mask = np.zeros(actions, np.bool_)
    worth = np.zeros(actions, np.float32)
    margins = np.zeros(int(s.players), np.float32)
    apply(s, action)
    while s.player != NOBODY:
        legal(s, mask)
        desk[0] = world[0]
        weigh(desk[0], mask, worth)
        apply(s, most_worth(mask, worth, 0))
    returns(s, margins)
    return float(margins[root[0].player])
