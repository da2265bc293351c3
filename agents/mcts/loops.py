"""The search itself. Its functions call the rules of a game by global name and are bound to them one game at a time.

Every iteration redeals what the player to move cannot know, goes down the tree as far as it was explored, adds one
node, plays on, and credits the result. A node stands for a sequence of actions, whatever was dealt; its children for
what can be done next by a player who sees certain things, so that nobody in the tree acts on what it cannot see.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from parlour.agents.greedy.choice import most_worth
from parlour.agents.mcts.tree import NONE, ROOT, adopt, back_up, best_child, is_full, keep_one_kind, plant, spread
from parlour.envs.core.jit import unbound
from parlour.envs.core.loops import LINE, count_legal, next_bits, nth_legal
from parlour.envs.core.record import MARGIN, NOBODY, OUTCOME, Numbers, State
from parlour.envs.core.rng import hashed, mix, scaled

DEALS = 8
"""How often to deal at most for a plausible world."""


class Options(NamedTuple):
    """What a search is told."""

    prior: bool
    """Whether the worths of the greedy player say what to try first and how playouts go on."""
    explore: float
    """How much doubt counts, in units of the spread of all values."""
    margin: float
    """The share of the margin in the value of a finished game; the rest is the outcome."""
    width: float
    growth: float
    """With a prior, of n visits width * n ** growth went to actions not tried before."""
    points: int
    """1 plays for many points of one's own, -1 for few, 0 to be ahead of others."""


class Desk(NamedTuple):
    """What one search writes on."""

    world: Numbers
    """[1]: the game as it goes in this iteration."""
    trial: Numbers
    """[1]: a copy of it for the greedy player to try things on."""
    words: Numbers
    mask: Numbers
    """The legal actions, as words and one by one."""
    worth: Numbers
    values: Numbers
    """[2, seats]: outcomes, then values; margins."""
    scores: Numbers
    seen: Numbers
    """What the player to move sees."""
    stream: Numbers
    """The chance of this iteration."""
    kinds: Numbers
    """The kind of every action."""
    visited: Numbers
    """How often each kind was tried here."""


legal = apply = observe = redeal = scores = returns = weigh = clock = plausible = obvious = unbound


def obvious_rows(states: Numbers, rows: Numbers, out: Numbers) -> None:
    for k in range(rows.size):
        out[k] = obvious(states[rows[k]])


def search_rows(
    states: Numbers,
    rows: Numbers,
    bits: Numbers,
    kinds: Numbers,
    entries: int,
    start: int,
    stop: int,
    options: Options,
    forest: Numbers,
) -> None:
    """Iterations `start` to `stop` of these rows, dealt out among their trees in `forest` [rows, trees, nodes]."""
    trees = forest.shape[1]
    for task in prange(rows.size * trees):
        row, tree = task // trees, task % trees
        root = states[rows[row] : rows[row] + 1].copy()
        words = np.zeros(-(-kinds.size // LINE) * (LINE // 8), np.uint64)
        desk = Desk(
            root.copy(),
            root.copy(),
            words,
            words.view(np.bool_),
            np.zeros(8 * words.size, np.float32),
            np.zeros((2, 8), np.float32),
            np.zeros(8, np.int32),
            np.zeros(entries, np.float32),
            np.zeros(2, np.uint64),
            kinds,
            np.zeros(kinds.max() + 1, np.int64),
        )
        nodes = forest[row, tree]
        if start == 0:
            plant(nodes, root[0].player)
        for turn in range(start + (tree - start) % trees, stop, trees):
            desk.stream[0] = hashed(int(bits[row]), int(np.uint64(turn)))
            desk.stream[1] = 0
            deal(root[0], desk)
            leaf = play(desk, nodes, clock(root[0]), options)
            if options.points:
                count(desk, options.points)
            else:
                judge(desk, options.margin)
            back_up(nodes, leaf, desk.values[0])


def deal(root: State, desk: Desk) -> None:
    """Make a world that the player to move holds possible, and if one is soon found a plausible one."""
    for _ in range(DEALS):
        desk.world[0] = root
        desk.world[0].seed = next_bits(desk.stream)
        desk.world[0].counter = 0
        redeal(desk.world[0], root.player)
        desk.trial[0] = desk.world[0]
        if plausible(desk.trial[0]):
            return


def play(desk: Desk, nodes: Numbers, now: int, options: Options) -> int:
    """Play down the tree to a new leaf, and on until the game or the time is over; returns the leaf."""
    s = desk.world[0]
    leaf, inside = ROOT, True
    explore = options.explore * spread(nodes)
    while s.player != NOBODY and clock(s) == now:
        legal(s, desk.mask)
        child, action = NONE, NONE
        if inside:
            sight = look(desk)
            child, tried, visits = best_child(
                nodes, leaf, s.player, sight, explore, desk.mask, desk.kinds, desk.visited
            )
            if child == NONE or wants_child(nodes, tried, visits, options):
                action = untried(desk, options.prior, True)
            if action == NONE:
                leaf, action = child, int(nodes[child].action)
            else:
                leaf, inside = adopt(nodes, leaf, action, s.player, sight), False
        else:
            action = untried(desk, options.prior, False)
        apply(s, action)
    return leaf


def look(desk: Desk) -> int:
    """What the player to move sees, as a hash."""
    observe(desk.world[0], desk.world[0].player, desk.seen)
    entries = desk.seen.view(np.uint32)
    sight = int(np.uint64(0))
    for i in range(entries.size):
        sight = mix(sight ^ int(np.uint64(entries[i])))
    return sight


def wants_child(nodes: Numbers, tried: int, visits: int, options: Options) -> bool:
    """Whether something else may be tried: with a prior only as the visits grow, and nothing in a full tree."""
    if is_full(nodes):
        return False
    return not options.prior or tried < options.width * float(visits) ** options.growth


def untried(desk: Desk, prior: bool, inside: bool) -> int:
    """The most promising action that is left in the mask, or any; NONE if there is none.

    Inside the tree it is of a kind that was not tried yet, else of the kind that was tried most.
    """
    many = count_legal(desk.words)
    if many == 0:
        return NONE
    bits = next_bits(desk.stream)
    if prior and many > 1:
        desk.trial[0] = desk.world[0]
        weigh(desk.trial[0], desk.mask, desk.worth)
        if inside and desk.visited.size > 1:
            keep_one_kind(desk.mask, desk.kinds, desk.visited)
        return most_worth(desk.mask, desk.worth, bits)
    return nth_legal(desk.words, scaled(bits, many))


def judge(desk: Desk, margin: float) -> None:
    """What the world came to for every seat: the margin, and the outcome too once the game is over."""
    s = desk.world[0]
    if s.reward == OUTCOME and s.player == NOBODY:
        returns(s, desk.values[0])
    else:
        margin = 1.0
    s.reward = MARGIN
    returns(s, desk.values[1])
    for seat in range(s.players):
        desk.values[0, seat] += margin * (desk.values[1, seat] - desk.values[0, seat])


def count(desk: Desk, points: int) -> None:
    """What the world came to for every seat: its own points, whatever the others have."""
    scores(desk.world[0], desk.scores)
    for seat in range(desk.world[0].players):
        desk.values[0, seat] = points * desk.scores[seat]


STEPS = (deal, look, untried, wants_child, play, judge, count)
"""The parts of `search_rows`, each after those that it calls."""
