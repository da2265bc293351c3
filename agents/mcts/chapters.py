"""Where a playout may stop: games that are played in rounds begin anew, and what follows is luck for all alike."""

from collections.abc import Callable

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import State


@kernel
def whole_game(s: State) -> int:
    return 0


@kernel
def round_of_klink(s: State) -> int:
    return int(s.round_number)


@kernel
def rounds_of_kitsu(s: State) -> int:
    return int(s.rounds_won[0]) + int(s.rounds_won[1])


CHAPTERS: dict[str, Callable[[State], int]] = {"klink": round_of_klink, "kitsu": rounds_of_kitsu}
"""By the owner of the rules: a number that changes with every chapter."""
