"""`greedy` in Klink: points count as they would if the round ended soon, and what others lose is a small gain.

A card costs its value, or wins it back if it makes a pair. The cards not looked at cost what the unseen cards cost on
average. Having the most or the fewest cards counts the more, the nearer the round is to its end.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers, State
from parlour.envs.klink.components import DRAW_ALL, HIGH_LOW, LOWEST, SWAP, VALUES
from parlour.envs.klink.rules import (
    ABILITY,
    BONUS,
    FIRST_ABILITY,
    FIRST_PLAYER,
    FIRST_VALUE,
    FULL_COLLECTION,
    HIGH_LOW_PLAYER,
    KEEP,
    KEEP_OR_PASS,
    LOOK,
    SWAP_OWN,
    SWAP_PLAYER,
    chosen_seat,
    drawn,
    fewest_cards,
    most_cards,
)
from parlour.envs.klink.value_sets import has_triad, highest, lowest

TRIAD = 6.0
"""Points that the ability of a triad is worth."""
TURN = 5.0
"""Points that it is worth to keep cards and so to take the next turn."""
MORE_CARDS = 14.0
"""Points that two cards more are worth, divided by the players, towards having the most of them."""
DOUBT = 8.0
"""Points of damage that make it three times as likely that the next player passes the cards on, too."""


@kernel
def weigh(s: State, mask: Numbers, worth: Numbers) -> None:
    """What every legal choice is worth, in points."""
    if s.phase == LOOK:
        weigh_looks(s, worth)
    elif s.phase == KEEP_OR_PASS:
        weigh_keeping(s, mask, worth)
    elif s.phase == ABILITY:
        weigh_abilities(s, mask, worth)
    elif s.phase == HIGH_LOW_PLAYER:
        weigh_players(s, mask, worth)
    else:
        weigh_swap(s, mask, worth)


# --- Keep or pass


@kernel
def weigh_looks(s: State, worth: Numbers) -> None:
    """What another player has looked at and passed on is the card to beware of."""
    for slot in range(2):
        worth[slot] = 1.0 if refused(s, slot) else 0.0


@kernel
def refused(s: State, slot: int) -> bool:
    """Whether another player looked at this slot, and passed the cards on."""
    for seat in range(s.players):
        if seat != s.player and s.looked[seat] == slot:
            return True
    return False


@kernel
def weigh_keeping(s: State, mask: Numbers, worth: Numbers) -> None:
    """Keep both cards, or pass them to one who may pass them on; the last one has to keep them [KLI-12, KLI-13]."""
    damage = np.zeros(s.players)
    left = 0.0
    waiting = 0
    for seat in range(s.players):
        if seat == s.player or s.offered[seat] == 0:
            damage[seat] = keeping_costs(s, seat)
        if s.offered[seat] == 0:
            left += damage[seat]
            waiting += 1
    rivals = int(s.players) - 1
    worth[KEEP] = -damage[s.player]
    for choice in range(FIRST_PLAYER, FIRST_PLAYER + rivals):
        if mask[choice]:
            here = damage[chosen_seat(s, choice)]
            elsewhere = (left - here) / (waiting - 1) if waiting > 1 else here
            keeps = 1 / (1 + 3 ** (here / DOUBT))
            worth[choice] = (keeps * here + (1 - keeps) * elsewhere) / rivals


@kernel
def keeping_costs(s: State, seat: int) -> float:
    """Points that the two cards cost a seat, as far as the player to move knows them."""
    up = int(s.face_up[seat])
    known = int(s.looked[s.player])
    first = drawn(s, known)
    s.unseen[first] -= 1
    cost = (
        cost_of(up, first)
        - bonus_for_cards(s, seat, 2)
        + bonus_for_cards(s, seat, 0)
        - TURN
        - MORE_CARDS / int(s.players)
    )
    cost += cost_of_unseen(s, up ^ (1 << first), first)
    s.unseen[first] += 1
    return cost


@kernel
def cost_of(up: int, value: int) -> float:
    """A card costs its points; if it makes a pair, both turn face down [KLI-15]."""
    points = value + LOWEST
    return -float(points) if (up >> value) & 1 else float(points)


@kernel
def cost_of_unseen(s: State, up: int, first: int) -> float:
    """The mean cost of an unseen card kept along with the first one, what a triad is worth taken off [KLI-16]."""
    cost = 0.0
    cards = 0.0
    for value in range(VALUES):
        likely = float(s.unseen[value])
        now = up ^ (1 << value)
        triad = TRIAD if has_triad(now, now & (1 << first | 1 << value)) else 0.0
        cost += likely * (cost_of(up, value) - triad)
        cards += likely
    return cost / cards


@kernel
def bonus_for_cards(s: State, seat: int, more: int) -> float:
    """Points for having the most or the fewest cards with so many more [KLI-30]: all at the end, fewer before."""
    s.collected[seat] += more
    cards, most = int(s.collected[seat]), most_cards(s)
    bonus = 0.0
    if cards == most:
        bonus += BONUS
    if cards == fewest_cards(s):
        bonus -= BONUS
    s.collected[seat] -= more
    return bonus * min(most / FULL_COLLECTION, 1.0) ** 2


# --- Abilities


@kernel
def weigh_abilities(s: State, mask: Numbers, worth: Numbers) -> None:
    """Each ability as it is used best."""
    if mask[FIRST_ABILITY + SWAP]:
        worth[FIRST_ABILITY + SWAP] = best_swap(s, int(s.face_up[s.player]))
    if mask[FIRST_ABILITY + HIGH_LOW]:
        worth[FIRST_ABILITY + HIGH_LOW] = best_high_low(s)
    if mask[FIRST_ABILITY + DRAW_ALL]:
        worth[FIRST_ABILITY + DRAW_ALL] = gain_of_draw(s)


@kernel
def gain_of_draw(s: State) -> float:
    """Everyone gets an unseen card [KLI-21]."""
    gain = 0.0
    for seat in range(s.players):
        up = int(s.face_up[seat])
        cost = 0.0
        cards = 0
        for value in range(VALUES):
            cost += int(s.unseen[value]) * cost_of(up, value)
            cards += int(s.unseen[value])
        gain += for_mover(s, seat, cost / cards)
    return gain


@kernel
def for_mover(s: State, seat: int, cost: float) -> float:
    """What points for a seat are worth to the player to move."""
    return -cost if seat == s.player else cost / (int(s.players) - 1)


@kernel
def gain_of_exchange(s: State, own: int, other: int, their: int) -> float:
    """An own card for another player's, with the pairs that follow [KLI-18, KLI-20]."""
    mine = int(s.face_up[s.player]) ^ (1 << own)
    theirs = int(s.face_up[other]) ^ (1 << their)
    gain = for_mover(s, int(s.player), cost_of(mine, their) - (own + LOWEST))
    return gain + for_mover(s, other, cost_of(theirs, own) - (their + LOWEST))


@kernel
def best_high_low(s: State) -> float:
    best = -np.inf
    for other in range(s.players):
        if other != s.player and s.face_up[other]:
            best = max(best, gain_of_high_low(s, other))
    return best if best > -np.inf else 0.0


@kernel
def gain_of_high_low(s: State, other: int) -> float:
    return gain_of_exchange(s, highest(int(s.face_up[s.player])), other, lowest(int(s.face_up[other])))


@kernel
def weigh_players(s: State, mask: Numbers, worth: Numbers) -> None:
    for choice in range(FIRST_PLAYER, FIRST_PLAYER + int(s.players) - 1):
        if mask[choice]:
            worth[choice] = gain_of_high_low(s, chosen_seat(s, choice))


@kernel
def weigh_swap(s: State, mask: Numbers, worth: Numbers) -> None:
    """The next choice of a SWAP: own card, player, their card; the rest as it is chosen best [KLI-51]."""
    own, other = int(s.own_value), int(s.target_seat)
    for choice in range(FIRST_PLAYER, mask.size):
        if mask[choice]:
            if s.phase == SWAP_OWN:
                worth[choice] = best_swap(s, 1 << (choice - FIRST_VALUE))
            elif s.phase == SWAP_PLAYER:
                worth[choice] = best_swap_with(s, 1 << own, chosen_seat(s, choice))
            else:
                worth[choice] = gain_of_exchange(s, own, other, choice - FIRST_VALUE)


@kernel
def best_swap(s: State, own_cards: int) -> float:
    """The best SWAP of one of these cards; 0 if nobody has one to give."""
    best = -np.inf
    for other in range(s.players):
        if other != s.player:
            best = max(best, best_swap_with(s, own_cards, other))
    return best if best > -np.inf else 0.0


@kernel
def best_swap_with(s: State, own_cards: int, other: int) -> float:
    best = -np.inf
    for own in range(VALUES):
        if (own_cards >> own) & 1:
            for their in range(VALUES):
                if (int(s.face_up[other]) >> their) & 1:
                    best = max(best, gain_of_exchange(s, own, other, their))
    return best
