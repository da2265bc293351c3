"""Klink for the search: what others did with this turn's cards tells what these may be.

Whoever looks at a card and passes both on has a reason. Redealt at random, cards that were passed on seem better than
they are.
"""

import numpy as np

from parlour.agents.greedy.klink import weigh_keeping
from parlour.envs.core.jit import kernel
from parlour.envs.core.record import State
from parlour.envs.klink.rules import (
    FIRST_ABILITY,
    FIRST_PLAYER,
    KEEP,
    KEEP_OR_PASS,
    NOTHING,
    chosen_seat,
    face_down_drawn,
    legal,
)

TURN_ACTIONS = FIRST_ABILITY
"""The actions up to here look, keep and pass."""

CLEARLY = np.float32(1.0)
"""So many points better is clearly better."""


@kernel
def rounds_begun(s: State) -> int:
    """The clock: chance is the greater, the more rounds follow."""
    return int(s.round_number)


@kernel
def obvious(s: State) -> bool:
    """All but keeping or passing.

    Against `greedy` 1,000 iterations in wider trees won 0.57 [0.54, 0.60] so, 0.54 [0.51, 0.57] where abilities were
    searched too, and 0.53 [0.49, 0.56] where everything was.
    """
    return bool(s.phase != KEEP_OR_PASS)


@kernel
def plausible(s: State) -> bool:
    """Whether all who passed this turn's cards on would have done so, had they looked at these and played as greedy.

    Takes the cards back hand by hand.
    """
    if not face_down_drawn(s):
        return True
    for place in range(int(s.offers) - 1, 0, -1):
        taker = offered_at(s, place + 1)
        s.offers = place
        s.offered[taker] = 0
        s.looked[taker] = NOTHING
        s.player = offered_at(s, place)
        s.phase = KEEP_OR_PASS
        if not would_pass_to(s, taker):
            return False
    return True


@kernel
def offered_at(s: State, place: int) -> int:
    """The seat that this turn's cards came to at a place."""
    seat = 0
    while s.offered[seat] != place:
        seat += 1
    return seat


@kernel
def would_pass_to(s: State, taker: int) -> bool:
    """Whether nothing seems clearly better to the holder than to pass to this seat."""
    mask = np.zeros(TURN_ACTIONS, np.bool_)
    worth = np.zeros(TURN_ACTIONS, np.float32)
    legal(s, mask)
    weigh_keeping(s, mask, worth)
    passed = np.float32(0.0)
    best = worth[KEEP]
    for choice in range(FIRST_PLAYER, FIRST_PLAYER + int(s.players) - 1):
        if mask[choice]:
            best = max(best, worth[choice])
            if chosen_seat(s, choice) == taker:
                passed = worth[choice]
    return bool(passed >= best - CLEARLY)
