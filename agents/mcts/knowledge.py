"""What the search knows of a game beyond its rules: how far playouts go, and which deals to believe, what is alike."""

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
    """Where a playout stops, and which deals explain what others did."""

    clock: Callable[[State], int] = no_time
    """A playout stops when it is ahead of the clock at the root."""
    plausible: Callable[[State], bool] = all_alike
    """Whether others would have done what they did, had this been dealt. The record is its own to try things on."""
    obvious: Callable[[State], bool] = nothing_obvious
    """Whether `greedy` decides better than a search, which has its noise, because so little hangs on it."""
    kinds: NDArray[np.int64] | None = None
    """[A]: the kind of every action, where one should be tried of each before others that are much the same."""

    def kinds_of(self, actions: int) -> NDArray[np.int64]:
        """`kinds`, or one and the same kind for so many actions."""
        return np.zeros(actions, np.int64) if self.kinds is None else self.kinds


KNOWN = {
    "patchwork": Knowledge(kinds=patchwork.KINDS),
    "kitsu": Knowledge(rounds_of_kitsu),
    "klink": Knowledge(klink.rounds_begun, klink.plausible, klink.obvious),
}
"""By the owner of the rules; other games are played out, and all their deals are believed."""


def knowledge_of(rules: Rules) -> Knowledge:
    return KNOWN.get(rules.owner, Knowledge())
