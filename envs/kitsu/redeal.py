"""Dealing anew all that a seat cannot know, consistently with all that it does.

Every course of the deal that fits what the seat has seen is equally likely (see `courses`). First its outline is
drawn: what was recovered, what kind of card lies hidden, how much of what is known of the other hands is left in them.
Then the unseen cards are dealt to the places left, keeping colours from where they are barred. All this is exact: no
approximation, and no trial and error.
"""

import math

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.rng import below
from parlour.envs.core.seats import seat_after
from parlour.envs.kitsu.components import (
    BLUE,
    CARD_TYPES,
    COLOUR_OF,
    COPIES,
    HIDE,
    MAX_PLAYERS,
    NO_CARD,
    NO_COLOUR,
    ORANGE,
    WHITE,
)
from parlour.envs.kitsu.courses import (
    BARS,
    GIFT,
    HIDDEN,
    HIDDEN_GIFT,
    HIDDEN_LOOT,
    HIDDEN_WHITE,
    LOOT,
    LOTS,
    OUTLOOK,
    OUTLOOKS,
    TAKEN,
    barred_from,
    count_courses,
    is_partner,
    lots_to_tell_apart,
    of_lot,
    someone_else_took,
)
from parlour.envs.kitsu.state import (
    EXCHANGE,
    all_plays,
    hand_count,
    is_hidden,
    large_deck,
    recovered_from,
    seat_at,
    seat_of_play,
    trick_start,
)

FACTORIAL = np.array([math.factorial(n) for n in range(32)], np.float64)
KINDS = 3
"""Cards by colour, blue, orange and none; places by the colour barred from them, likewise."""


@kernel
def redeal(s: State, seat: int) -> None:
    """Deal all anew that this seat cannot know; a game that is over has nothing left to deal."""
    if s.player == NOBODY:
        return
    unseen = np.zeros(CARD_TYPES, np.int64)
    outline = np.zeros(BARS + 1, np.int64)
    places = np.zeros(KINDS, np.int64)
    count_unseen(s, seat, unseen)
    draw_outline(s, seat, unseen, outline, places)
    set_apart(s, seat, outline, unseen, 1)
    put_down_known(s, seat, outline, unseen)
    deal_hands(s, seat, outline, unseen, places)
    if s.players > 2:
        redeal_exchange(s, seat, unseen)


# --- What is unseen


@kernel
def count_unseen(s: State, seat: int, unseen: Numbers) -> None:
    """Cards of each type that lie, for all this seat has seen, in no place it knows.

    A card that was played, recovered and played again has been seen twice: a count can be -1 until it is settled what
    was recovered.
    """
    for card in range(CARD_TYPES):
        unseen[card] = int(COPIES[large_deck(s), card]) - int(s.hands[seat, card])
    if s.phase == EXCHANGE and s.given[seat] != NO_CARD:
        unseen[s.given[seat]] -= 1
    for k in range(all_plays(s)):
        if seat_of_play(s, k) == seat or not is_hidden(s, k):
            unseen[s.plays[k]] -= 1
    if s.taker == seat:
        unseen[s.taken] += 1


@kernel
def set_apart(s: State, seat: int, outline: Numbers, unseen: Numbers, sign: int) -> None:
    """Leave in `unseen` the cards whose place an outline does not give; `sign` -1 undoes it."""
    if someone_else_took(s, seat) and not outline[OUTLOOK] & LOOT and outline[HIDDEN] != HIDDEN_LOOT:
        unseen[outline[TAKEN]] += sign
    if outline[OUTLOOK] & GIFT or outline[HIDDEN] == HIDDEN_GIFT:
        unseen[s.given[seat]] -= sign


# --- The outline of a course


@kernel
def draw_outline(s: State, seat: int, unseen: Numbers, outline: Numbers, places: Numbers) -> None:
    """Draw one with the odds of all courses that fit: the outlines are gone through, and the last one liked stays."""
    tried = np.zeros(BARS + 1, np.int64)
    courses = np.zeros(OUTLOOKS[-1])
    tried[LOTS] = lots_to_tell_apart(s, seat)
    total = 0.0
    for loot in range(int(s.trick_size) if someone_else_took(s, seat) else 1):
        tried[TAKEN] = recovered_from(s)[loot] if someone_else_took(s, seat) else 0
        for kind in range(HIDDEN_LOOT + 1 if other_hides(s, seat) else 1):
            tried[HIDDEN] = kind
            count_courses(s, seat, tried, courses)
            for outlook in range(OUTLOOKS[tried[LOTS]]):
                if courses[outlook] > 0:
                    tried[OUTLOOK] = outlook
                    weight = courses[outlook] * deals(s, seat, tried, unseen, places)
                    total += weight
                    if chance(s) * total < weight:
                        copy_outline(tried, outline)


@kernel
def copy_outline(tried: Numbers, outline: Numbers) -> None:
    for part in range(tried.size):
        outline[part] = tried[part]


@kernel
def chance(s: State) -> float:
    """A random number from 0 to 1, 1 excluded."""
    return below(s, 2**30) * 2.0**-30


@kernel
def other_hides(s: State, seat: int) -> bool:
    """Whether a hidden card of another seat is on the table."""
    return hidden_position(s) < s.on_table and seat_at(s, hidden_position(s)) != seat


@kernel
def hidden_position(s: State) -> int:
    """Where in the trick the hidden card is; past its end if there is none."""
    position = 0
    while position < s.on_table and s.laid[position] != HIDE:
        position += 1
    return position


@kernel
def deals(s: State, seat: int, outline: Numbers, unseen: Numbers, places: Numbers) -> float:
    """In how many ways the unseen cards can lie in the places an outline leaves."""
    set_apart(s, seat, outline, unseen, 1)
    count_places(s, seat, outline, places)
    kinds = np.zeros(KINDS, np.int64)
    count_kinds(unseen, kinds)
    ways = 1.0
    kind = outline[HIDDEN]
    if other_hides(s, seat) and kind <= HIDDEN_WHITE:
        ways = 1.0 * (unseen[WHITE] if kind == HIDDEN_WHITE else kinds[kind])
        kinds[kind] -= 1
    ways *= placings(places, kinds)
    for card in range(CARD_TYPES):
        ways = ways / FACTORIAL[unseen[card]] if unseen[card] >= 0 else 0.0
    set_apart(s, seat, outline, unseen, -1)
    return ways


@kernel
def count_kinds(unseen: Numbers, kinds: Numbers) -> None:
    """Count the unseen blue, orange and special cards."""
    for card in range(CARD_TYPES):
        kinds[COLOUR_OF[card]] += unseen[card]


@kernel
def count_places(s: State, seat: int, outline: Numbers, places: Numbers) -> None:
    """Count the places for unseen cards, by the colours barred from them."""
    places[:] = 0
    places[NO_COLOUR] = s.pile_size
    for other in range(s.players):
        if other != seat:
            if s.phase == EXCHANGE and s.given[other] != NO_CARD:
                places[NO_COLOUR] += 1
            cards = hand_count(s, other)
            for lot in range(outline[LOTS] + 1):
                places[barred_from(outline, other, lot)] += of_lot(s, seat, other, cards, outline[OUTLOOK], lot)


@kernel
def placings(places: Numbers, kinds: Numbers) -> float:
    """In how many ways so many cards of each kind, all told apart, can lie in these places."""
    ways = 0.0
    for no_blue in range(places[BLUE] + 1):
        for no_orange in range(places[ORANGE] + 1):
            ways += placings_with(places, kinds, no_blue, no_orange)
    return ways


@kernel
def placings_with(places: Numbers, kinds: Numbers, no_blue: int, no_orange: int) -> float:
    """The same, with so many cards of no colour in the places barred from blue and from orange."""
    special = kinds[NO_COLOUR]
    ways = choices(places[BLUE], no_blue) * orders(special, no_blue)
    ways *= choices(places[ORANGE], no_orange) * orders(special - no_blue, no_orange)
    ways *= orders(kinds[ORANGE], places[BLUE] - no_blue) * orders(kinds[BLUE], places[ORANGE] - no_orange)
    return ways * float(FACTORIAL[places[NO_COLOUR]])


@kernel
def orders(cards: int, places: int) -> float:
    """In how many ways so many places can be filled from so many cards."""
    return float(FACTORIAL[cards] / FACTORIAL[cards - places]) if 0 <= places <= cards else 0.0


@kernel
def choices(places: int, chosen: int) -> float:
    """In how many ways so many of the places can be chosen."""
    return orders(places, chosen) / float(FACTORIAL[chosen])


# --- Dealing


@kernel
def put_down_known(s: State, seat: int, outline: Numbers, unseen: Numbers) -> None:
    """The card recovered and the card hidden, as the outline has them."""
    if someone_else_took(s, seat):
        s.taken = outline[TAKEN]
    if other_hides(s, seat):
        kind = outline[HIDDEN]
        if kind == HIDDEN_GIFT:
            card = int(s.given[seat])
        elif kind == HIDDEN_LOOT:
            card = int(s.taken)
        else:
            card = draw_card(s, unseen, 6 * kind, WHITE + 1 if kind == HIDDEN_WHITE else 6 * kind + 6)
        s.plays[trick_start(s) + hidden_position(s)] = card


@kernel
def draw_card(s: State, unseen: Numbers, first: int, stop: int) -> int:
    """Draw one of the unseen cards of the types from `first` to before `stop`."""
    cards = 0
    for card in range(first, stop):
        cards += unseen[card]
    n = below(s, cards)
    card = int(first)
    while n >= unseen[card]:
        n -= unseen[card]
        card += 1
    unseen[card] -= 1
    return card


@kernel
def deal_hands(s: State, seat: int, outline: Numbers, unseen: Numbers, places: Numbers) -> None:
    """Deal first the places from which a colour is barred, then all others."""
    count_places(s, seat, outline, places)
    specials = np.zeros(KINDS, np.int64)
    free = np.zeros(MAX_PLAYERS, np.int64)
    split_specials(s, places, unseen, specials)
    for other in range(s.players):
        if other != seat:
            free[other] = deal_barred(s, seat, other, outline, unseen, places, specials)
    for other in range(s.players):
        for _ in range(free[other]):
            s.hands[other, draw_card(s, unseen, 0, CARD_TYPES)] += 1
    for depth in range(s.pile_size):
        s.pile[depth] = draw_card(s, unseen, 0, CARD_TYPES)


@kernel
def split_specials(s: State, places: Numbers, unseen: Numbers, specials: Numbers) -> None:
    """Draw how many cards of no colour go to the places barred from blue and from orange."""
    kinds = np.zeros(KINDS, np.int64)
    count_kinds(unseen, kinds)
    total = 0.0
    for no_blue in range(places[BLUE] + 1):
        for no_orange in range(places[ORANGE] + 1):
            ways = placings_with(places, kinds, no_blue, no_orange)
            total += ways
            if chance(s) * total < ways:
                specials[BLUE] = no_blue
                specials[ORANGE] = no_orange


@kernel
def deal_barred(
    s: State, seat: int, other: int, outline: Numbers, unseen: Numbers, places: Numbers, specials: Numbers
) -> int:
    """Deal another hand what is known of it, and the lots from which a colour is barred; returns how many are left."""
    cards = hand_count(s, other)
    pick_up_known(s, seat, other, outline)
    free = 0
    for lot in range(outline[LOTS] + 1):
        many = of_lot(s, seat, other, cards, outline[OUTLOOK], lot)
        barred = barred_from(outline, other, lot)
        if barred == NO_COLOUR:
            free += many
        else:
            for _ in range(many):
                s.hands[other, draw_barred(s, barred, unseen, places, specials)] += 1
    return free


@kernel
def pick_up_known(s: State, seat: int, other: int, outline: Numbers) -> None:
    """A hand of no more than the gift and the loot, if they are still there."""
    s.hands[other, :] = 0
    if outline[OUTLOOK] & GIFT and is_partner(s, seat, other):
        s.hands[other, s.given[seat]] += 1
    if outline[OUTLOOK] & LOOT and s.taker == other:
        s.hands[other, s.taken] += 1


@kernel
def draw_barred(s: State, barred: int, unseen: Numbers, places: Numbers, specials: Numbers) -> int:
    """Draw for a place from which a colour is barred: a card of no colour, or of the other one."""
    kind = 1 - barred
    if below(s, places[barred]) < specials[barred]:
        kind = NO_COLOUR
        specials[barred] -= 1
    places[barred] -= 1
    return draw_card(s, unseen, 6 * kind, CARD_TYPES if kind == NO_COLOUR else 6 * kind + 6)


@kernel
def redeal_exchange(s: State, seat: int, unseen: Numbers) -> None:
    """The cards that others put aside: unseen ones while the exchange runs, later any that the receiver had then."""
    for giver in range(s.players):
        receiver = seat_after(s, giver, 2)
        if giver != seat and s.given[giver] != NO_CARD:
            if s.phase == EXCHANGE:
                s.given[giver] = draw_card(s, unseen, 0, CARD_TYPES)
            elif receiver != seat:
                s.given[giver] = card_had_after_exchange(s, receiver)


@kernel
def card_had_after_exchange(s: State, seat: int) -> int:
    """Any of the cards a seat took up after the exchange: those in hand or played, but for one recovered."""
    n = below(s, s.hand_size)
    left_out = int(s.taken) if s.taker == seat else NO_CARD
    for card in range(CARD_TYPES):
        had = int(s.hands[seat, card])
        if had > 0 and card == left_out:
            had -= 1
            left_out = NO_CARD
        if n < had:
            return card
        n -= had
    for k in range(all_plays(s)):
        if seat_of_play(s, k) == seat:
            if s.plays[k] == left_out:
                left_out = NO_CARD
            elif n == 0:
                return int(s.plays[k])
            else:
                n -= 1
    return NO_CARD
