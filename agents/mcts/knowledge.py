"""What the search knows of a game beyond its rules: how far to play on, what for, what to believe, what is alike."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.agents.greedy import patchwork
from parlour.agents.mcts import klink
from parlour.envs.core.game import Rules
from parlour.envs.core.jit import kernel
from parlour.envs.core.record import State


@kernel
def no_time(s: State) -> int:
    """The clock of a game that is played to its end."""
    return 0


@kernel
def all_alike(s: State) -> bool:
    """Every deal is as good as another."""
    return True


@kernel
def nothing_obvious(s: State) -> bool:
    """Every decision is worth a search."""
    return False


@kernel
def rounds_of_kitsu(s: State) -> int:
    return int(s.rounds_won[0]) + int(s.rounds_won[1])


class Knowledge(NamedTuple):
    """What suits a game better than what suits most."""

    clock: Callable[[State], int] = no_time
    """A playout stops when it is ahead of the clock at the root."""
    plausible: Callable[[State], bool] = all_alike
    """Whether others would have done what they did, had this been dealt. The record is its own to try things on."""
    obvious: Callable[[State], bool] = nothing_obvious
    """Whether `greedy` decides better than a search, which has its noise, because so little hangs on it."""
    margin: float = 0.5
    """The share of the margin in the value of a finished game; the rest is the outcome."""
    points: int = 1
    """1 where many points are good, -1 where few are."""
    kinds: NDArray[np.int64] | None = None
    """[A]: the kind of every action, where one should be tried of each before others that are much the same."""

    def kinds_of(self, actions: int) -> NDArray[np.int64]:
        """`kinds`, or one and the same kind for so many actions."""
        return np.zeros(actions, np.int64) if self.kinds is None else self.kinds


ALMOST_ALL = 0.99
"""Where nothing is left to chance, who plays for points wins too: the outcome is needed only to break ties.

With 1,000 iterations the margin alone won 0.65 [0.54, 0.74] against an equal share of both in Patchwork, and 0.41
[0.33, 0.50] in Kintsugi, where luck makes it worth while to play safe or to dare.
"""

KNOWN = {
    "patchwork": Knowledge(margin=ALMOST_ALL, kinds=patchwork.KINDS),
    "kitsu": Knowledge(rounds_of_kitsu),
    "klink": Knowledge(klink.rounds_begun, klink.plausible, klink.obvious, points=-1),
}
"""By the owner of the rules; other games are played out, and all their deals are believed."""


def knowledge_of(rules: Rules) -> Knowledge:
    return KNOWN.get(rules.owner, Knowledge())
