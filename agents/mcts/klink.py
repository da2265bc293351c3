"""Klink for the search: two turns are played out, then the collections are appraised.

What a seat will score is guessed at the beginning of a turn from what lies there. It was meant to take the luck of the
cards, by which margins of rounds spread by 19 points, out of the comparison of moves. Playouts are shorter for it; that
it makes the search stronger has not been shown.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.rewards import pay_margin
from parlour.envs.klink.components import LOWEST, MAX_NUMBERS, MAX_PLAYERS, VALUES
from parlour.envs.klink.rules import FULL_COLLECTION, MARGIN_SCALE, fewest_cards, most_cards
from parlour.envs.klink.value_sets import total

SPAN = 4
"""Cards drawn in the turns that are played out: two turns, or one with a DRAW_ALL."""

ANY_SEAT, POINT, MOST, FEWEST, NO_CARD, ON_TURN, BEHIND_MOST, ABOVE_FEWEST, PAIR_POINT, NEIGHBOURS = range(10)
GUESS = np.array(
    [
        [29.86, -31.63, 7.33],  # any seat
        [0.74, -0.05, 0.26],  # for each point face up
        [1.84, -2.68, -1.09],  # most cards, or as many
        [-3.83, 16.37, -7.26],  # fewest cards, or as many
        [-2.19, 26.15, -26.03],  # no card
        [-1.17, 2.38, -9.0],  # on turn
        [2.41, -3.05, 0.77],  # for each card less than the most
        [0.46, -0.84, 0.13],  # for each card more than the fewest
        [-16.86, 30.79, -14.68],  # for each point that the next card may be expected to turn face down
        [-2.36, 2.93, -0.47],  # for each two consecutive values
    ]
)
"""Points at the end of the round, by how full the fullest collection is: times 1, that share and its square.

Least squares over 480,000 turns of `greedy` at tables of four. At tables of 2, 3 and 6 the guess leaves no more of the
spread of margins (26.8, 19.5 and 15.2 points) than one that is fitted there (26.5, 19.4 and 15.2).
"""


@kernel
def cards_drawn(s: State) -> int:
    """The clock: it goes on with every turn, and leaps with every round."""
    return int(s.round_number) * 2 * MAX_NUMBERS + int(s.top)


@kernel
def appraise(s: State, margins: Numbers) -> None:
    """Add what the unfinished round will probably bring to the margins."""
    if s.player == NOBODY:
        return
    ahead = np.zeros(MAX_PLAYERS)
    for seat in range(s.players):
        ahead[seat] = -expected_points(s, seat)
    pay_margin(s, MARGIN_SCALE, ahead)
    for seat in range(s.players):
        margins[seat] += ahead[seat]


@kernel
def expected_points(s: State, seat: int) -> float:
    """What a seat will score in this round."""
    up = int(s.face_up[seat])
    most = most_cards(s)
    points = guess(ANY_SEAT, most) + guess(POINT, most) * total(up)
    points += guess(PAIR_POINT, most) * pair_points(s, up) + guess(NEIGHBOURS, most) * neighbours(up)
    if seat == s.player:
        points += guess(ON_TURN, most)
    return points + points_for_cards(int(s.collected[seat]), most, fewest_cards(s) if most else 0)


@kernel
def points_for_cards(cards: int, most: int, fewest: int) -> float:
    """What it means to have so many cards."""
    points = guess(BEHIND_MOST, most) * (most - cards) + guess(ABOVE_FEWEST, most) * (cards - fewest)
    if cards == most:
        points += guess(MOST, most)
    if cards == fewest and most:
        points += guess(FEWEST, most)
    if cards == 0:
        points += guess(NO_CARD, most)
    return points


@kernel
def guess(what: int, most: int) -> float:
    full = most / FULL_COLLECTION
    return float(GUESS[what, 0] + full * (GUESS[what, 1] + full * GUESS[what, 2]))


@kernel
def pair_points(s: State, up: int) -> float:
    """Points that the next unseen card may be expected to turn face down [KLI-15]."""
    points = 0.0
    cards = 0
    for value in range(VALUES):
        cards += int(s.unseen[value])
        if (up >> value) & 1:
            points += int(s.unseen[value]) * (value + LOWEST)
    return points / cards


@kernel
def neighbours(up: int) -> int:
    """How many times two consecutive values lie face up: a third makes a triad [KLI-16]."""
    many = 0
    both = up & (up >> 1)
    while both:
        both &= both - 1
        many += 1
    return many
