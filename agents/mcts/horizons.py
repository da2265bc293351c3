"""How far playouts go: to the end of the game, or of a stretch after which a guess is better than more chance."""

from collections.abc import Callable
from typing import NamedTuple

from parlour.agents.mcts import klink
from parlour.envs.core.game import Rules
from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers, State


@kernel
def no_time(s: State) -> int:
    """The clock of a game that is played to its end."""
    return 0


@kernel
def nothing_open(s: State, margins: Numbers) -> None:
    """The margins say all where a playout stops."""


@kernel
def rounds_of_kitsu(s: State) -> int:
    return int(s.rounds_won[0]) + int(s.rounds_won[1])


class Horizon(NamedTuple):
    """Where a playout stops, and what is still open there."""

    clock: Callable[[State], int] = no_time
    span: int = 1
    """A playout stops when its clock is so far ahead of the clock at the root."""
    appraise: Callable[[State, Numbers], None] = nothing_open
    """Adds to the margins what will probably come of all that the returns do not count yet."""


HORIZONS = {"kitsu": Horizon(rounds_of_kitsu), "klink": Horizon(klink.cards_drawn, klink.SPAN, klink.appraise)}
"""By the owner of the rules; other games are played out."""


def horizon_of(rules: Rules) -> Horizon:
    return HORIZONS.get(rules.owner, Horizon())
