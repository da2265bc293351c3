"""`mcts`: Monte Carlo tree search, for every game.

Every iteration redeals what the player to move cannot know with a chance of its own, follows the tree of action
sequences and of what the players see (information-set search with availability counts; plain UCT where nothing is
hidden), adds a node, plays on and credits each action with what came of it for the seat that chose it, whoever sits at
the table (max-n). The greedy player's worths say which actions to try first, one of each kind before others that are
much the same, more of them as a node is visited more often, and how playouts go on. `knowledge` says what else is known
of single games.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.agents.greedy import Greedy, weigher
from parlour.agents.mcts import loops
from parlour.agents.mcts.knowledge import Knowledge, knowledge_of
from parlour.agents.mcts.loops import Options
from parlour.agents.mcts.tree import NODE, choose
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game, Rules
from parlour.envs.core.jit import bind, kernel
from parlour.envs.core.record import NO_ACTION, Numbers, State

ITERATIONS = 1000
EXPLORE = 1.0
WIDTH = 0.3
GROWTH = 0.5
MEMORY = 256 * 2**20
"""Bytes that the trees of a search may take."""
SLICE = 0.02
"""Seconds after which a search with a time limit looks at the clock."""


@dataclass(frozen=True)
class Mcts:
    """Searches every row by itself, on all cores; the same seed gives the same moves for any number of them."""

    iterations: int | None = None
    """How many for a move, over all trees; 1,000 unless `seconds` is given."""
    seconds: float | None = None
    """How long for a move instead; then the moves depend on the machine."""
    trees: int = 2
    """How many trees a search has, each with its share of the iterations; their visits are added up."""
    prior: bool = True
    """Whether the greedy player guides the search; without it is plain UCT with random playouts."""
    points: bool = False
    """Whether it plays for its own points alone, and expects the same of everyone, instead of to win."""

    def __post_init__(self) -> None:
        if self.iterations is not None and self.seconds is not None:
            raise ConfigError("mcts takes iterations or seconds, not both")
        if self.iterations is not None and self.iterations < 1:
            raise ConfigError(f"iterations of mcts must be at least 1, got {self.iterations}")
        if self.seconds is not None and not 0 < self.seconds < np.inf:
            raise ConfigError(f"seconds of mcts must be more than 0, got {self.seconds}")
        if not 1 <= self.trees <= 1024:
            raise ConfigError(f"trees of mcts must be from 1 to 1024, got {self.trees}")

    def check(self, game: Game) -> None:
        if self.prior:
            weigher(game.rules)

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        legal = batch.legal[rows]
        choices = legal.sum(axis=1)
        chosen = np.where(choices > 0, legal.argmax(axis=1), NO_ACTION)
        bits = batch.draw_bits(rows)
        searched = choices > 1
        if self.prior:
            plain = searched & _obvious(batch, rows)
            chosen[plain] = Greedy().act(batch, rows[plain])
            searched &= ~plain
        for part in self._parts(np.flatnonzero(searched)):
            chosen[part] = self._search(batch, rows[part], bits[part])
        return chosen

    def _options(self, known: Knowledge) -> Options:
        return Options(self.prior, EXPLORE, known.margin, WIDTH, GROWTH, known.points if self.points else 0)

    @property
    def _budget(self) -> int:
        return self.iterations or ITERATIONS

    @property
    def _nodes(self) -> int:
        """Of one tree; one that is full grows no more."""
        most = MEMORY // (self.trees * NODE.itemsize)
        return most if self.seconds else min(most, -(-self._budget // self.trees) + 1)

    def _parts(self, searched: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """So many rows at a time as the memory takes; with a time limit every row has it to itself."""
        size = 1 if self.seconds else max(1, MEMORY // (self.trees * self._nodes * NODE.itemsize))
        return (searched[first : first + size] for first in range(0, searched.size, size))

    def _search(self, batch: Batch, rows: NDArray[np.int64], bits: NDArray[np.uint64]) -> NDArray[np.int64]:
        forest = np.empty((rows.size, self.trees, self._nodes), NODE)
        search = _searching(batch.game.rules, self.prior)
        actions, entries = batch.game.num_actions, batch.game.layout.size
        known = knowledge_of(batch.game.rules)
        kinds, options = known.kinds_of(actions), self._options(known)

        def run(start: int, stop: int) -> None:
            search(batch.states, rows, bits, kinds, entries, start, stop, options, forest)

        if self.seconds:
            run_for(self.seconds, self.trees, run)
        else:
            run(0, self._budget)
        chosen = np.empty(rows.size, np.int64)
        choose(forest, actions, chosen)
        return chosen


def run_for(seconds: float, step: int, run: Callable[[int, int], None]) -> int:
    """Run iterations for so many seconds, in slices that grow while they are short; returns how many it were."""
    end = time.perf_counter() + seconds
    done = 0
    while (begin := time.perf_counter()) < end:
        run(done, done + step)
        done += step
        if time.perf_counter() - begin < SLICE / 2:
            step *= 2
    return done


def _obvious(batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """bool [R]: where `greedy` decides without a search."""
    found = np.empty(rows.size, np.bool_)
    _judging(batch.game.rules)(batch.states, rows, found)
    return found


@cache
def _judging(rules: Rules) -> Callable[..., None]:
    return bind(loops.obvious_rows, rules.owner, {"obvious": knowledge_of(rules).obvious}, parallel=False)


@cache
def _searching(rules: Rules, prior: bool) -> Callable[..., None]:
    roles = ("observe", "legal", "apply", "redeal", "scores", "returns")
    functions: dict[str, Callable[..., Any]] = {role: getattr(rules, role) for role in roles}
    functions["weigh"] = weigher(rules) if prior else weigh_nothing
    known = knowledge_of(rules)
    functions |= {"clock": known.clock, "plausible": known.plausible}
    owner = f"{rules.owner}-{'prior' if prior else 'plain'}"
    for step in loops.STEPS:
        functions[step.__name__] = bind(step, owner, functions, parallel=False)
    return bind(loops.search_rows, owner, functions, parallel=True)


@kernel
def weigh_nothing(s: State, mask: Numbers, worth: Numbers) -> None:
    """Stands in for `weigh` where there is no prior."""
