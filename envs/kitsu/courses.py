"""How many courses of the deal fit what a seat has seen. This is what makes a redeal fair.

A *course* says, card by card and copies of a type told apart, how the cards lay after the shuffle and which of their
cards the players gave away, played and recovered. The observer takes all courses that fit as equally likely, so
others' choices tell it only what the rules make them tell.

To the observer another player's cards differ in what is known of them:

- the *gift* is the card that the observer gave to the partner;
- the *loot* is the card that someone else recovered, of a type that is assumed while courses are counted;
- the other cards are told apart by their *lot*: lot 0 was dealt, lots 1 to 3 are the pairs that an only opponent
  drew from the pile. A demand not met bars the colour asked for, always the other clan's as a demand comes from a
  neighbour, from the lots held then, not from those that come later.

An *outlook* is how much of this may still be in hand, gift + 2 x loot + 4 x pairs, where pairs counts the cards left of
lots 1, 2, 3 in base 3. Going through the plays in order, `count_courses` finds the number of courses for every outlook.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.seats import clockwise, seat_after
from parlour.envs.kitsu.components import BLACK, COLOUR_OF, NO_CARD, NO_COLOUR, PILE
from parlour.envs.kitsu.state import clan_of, exchanged, is_hidden, plays_of_trick, position_of_play, seat_of_play

GIFT, LOOT, FROM_LOTS = 1, 2, 4
LOTS_OF_SEAT = 4
LOT_UNIT = np.array([0, 4, 12, 36], np.int64)
"""What one card of each lot adds to the number of an outlook."""
OUTLOOKS = np.array([4, 12, 36, 108], np.int64)
"""How many outlooks there are, by the number of pairs drawn."""
OF_LOT = np.array([[0, *(pairs // 3**lot % 3 for lot in range(3))] for pairs in range(27)], np.int64)
"""Cards left of each lot but lot 0, by the pairs of an outlook."""
NEWER = OF_LOT.sum(axis=1)

TAKEN, HIDDEN, OUTLOOK, LOTS, BARS = range(5)
"""What the *outline* of a course holds: the type recovered by someone else, the kind of another player's hidden card,
the outlook, how many drawn lots there are to tell apart, and a bit for every lot barred from a colour."""
HIDDEN_BLUE, HIDDEN_ORANGE, HIDDEN_WHITE, HIDDEN_GIFT, HIDDEN_LOOT = range(5)
"""Kinds of hidden cards: a card of some lot by its colour (a White Kitsune has none), the gift, the loot."""


@kernel
def count_courses(s: State, observer: int, outline: Numbers, courses: Numbers) -> None:
    """Write the number of courses with this outline for every outlook, and the bars into the outline."""
    courses[: OUTLOOKS[outline[LOTS]]] = 0.0
    courses[GIFT if exchanged(s) else 0] = 1.0
    outline[BARS] = 0
    for number in range(int(s.tricks) + 1):
        if 0 < number <= outline[LOTS]:
            take_in(courses, outline, 2 * LOT_UNIT[number])
        first = number * int(s.trick_size)
        seat = seat_of_play(s, first)
        for position in range(plays_of_trick(s, number)):
            if seat != observer:
                count_play(s, observer, seat, number, position, outline, courses)
                if s.taker == seat and s.taken_at == first + position + 1:
                    take_in(courses, outline, LOOT)
            seat = clockwise(s, seat)


@kernel
def lots_to_tell_apart(s: State, observer: int) -> int:
    """Pairs drawn by an only opponent, if a colour may be barred from some of its cards but not from others."""
    if s.players > 2:
        return 0
    for number in range(int(s.tricks) + 1):
        for position in range(1, plays_of_trick(s, number)):
            k = number * int(s.trick_size) + position
            asked = asked_of_play(s, k)
            if (
                asked != NO_COLOUR
                and clan_of(observer) == asked
                and (is_hidden(s, k) or COLOUR_OF[s.plays[k]] != asked)
            ):
                return lots_drawn(s)
    return 0


@kernel
def lots_drawn(s: State) -> int:
    """Pairs that each of two players has drawn since the shuffle [KIT-17]."""
    return (PILE - int(s.pile_size)) >> 2 if s.players == 2 else 0


@kernel
def someone_else_took(s: State, observer: int) -> bool:
    return int(s.taker) != NOBODY and int(s.taker) != observer


@kernel
def take_in(courses: Numbers, outline: Numbers, cards: int) -> None:
    """Cards come into another hand: every outlook becomes the one with them."""
    for outlook in range(OUTLOOKS[outline[LOTS]] - 1, cards - 1, -1):
        courses[outlook] = courses[outlook - cards]
    courses[:cards] = 0.0


@kernel
def count_play(
    s: State, observer: int, seat: int, number: int, position: int, outline: Numbers, courses: Numbers
) -> None:
    """Go on from before a play to after it: from which of the player's cards can it have come?"""
    k = number * int(s.trick_size) + position
    gift = int(s.given[observer]) if is_partner(s, observer, seat) else NO_CARD
    loot = int(outline[TAKEN]) if s.taker == seat else NO_CARD
    colour = colour_of_play(s, k, gift, loot, outline)
    sources = sources_of_play(s, k, gift, loot, outline)
    cards = hand_before(s, seat, number, position)
    for outlook in range(OUTLOOKS[outline[LOTS]]):
        ways = 0.0
        if sources & FROM_LOTS:
            ways = ways_from_lots(s, observer, seat, cards, outlook, colour, outline, courses)
        if sources & GIFT and not outlook & GIFT:
            ways += courses[outlook + GIFT]
        if sources & LOOT and not outlook & LOOT:
            ways += courses[outlook + LOOT]
        courses[outlook] = ways
    asked = asked_of_play(s, k)
    if asked != NO_COLOUR and asked != colour:
        bar_colour(seat, min(number, int(outline[LOTS])), asked, gift, loot, outline, courses)


@kernel
def sources_of_play(s: State, k: int, gift: int, loot: int, outline: Numbers) -> int:
    """What the card of play k may have been: gift, loot, from a lot. A hidden one is of the outline's kind [KIT-32]."""
    if not is_hidden(s, k):
        card = int(s.plays[k])
        return FROM_LOTS | (GIFT if card == gift else 0) | (LOOT if card == loot else 0)
    kind = outline[HIDDEN]
    if kind == HIDDEN_GIFT:
        return GIFT if 0 <= gift < BLACK else 0
    if kind == HIDDEN_LOOT:
        return LOOT if 0 <= loot < BLACK else 0
    return FROM_LOTS


@kernel
def colour_of_play(s: State, k: int, gift: int, loot: int, outline: Numbers) -> int:
    """The printed colour of the card of play k, `NO_COLOUR` for a special card."""
    if not is_hidden(s, k):
        return int(COLOUR_OF[s.plays[k]])
    kind = int(outline[HIDDEN])
    known = gift if kind == HIDDEN_GIFT else loot if kind == HIDDEN_LOOT else NO_CARD
    return int(COLOUR_OF[known]) if known != NO_CARD else min(kind, NO_COLOUR)


@kernel
def ways_from_lots(
    s: State, observer: int, seat: int, cards: int, outlook: int, colour: int, outline: Numbers, courses: Numbers
) -> float:
    """Courses that reach this outlook by a play, out of a hand of so many cards, that was neither gift nor loot."""
    ways = 0.0
    if may_be_from(outline, seat, 0, colour):
        ways += courses[outlook] * max(of_lot(s, observer, seat, cards, outlook, 0), 0)
    for lot in range(1, outline[LOTS] + 1):
        left = OF_LOT[outlook >> 2, lot]
        if left < 2 and may_be_from(outline, seat, lot, colour):
            ways += courses[outlook + LOT_UNIT[lot]] * (left + 1)
    return ways


@kernel
def of_lot(s: State, observer: int, seat: int, cards: int, outlook: int, lot: int) -> int:
    """How many cards of a lot are in a hand of so many cards."""
    if lot > 0:
        return int(OF_LOT[outlook >> 2, lot])
    gift = outlook & GIFT if is_partner(s, observer, seat) else 0
    loot = (outlook & LOOT) >> 1 if s.taker == seat else 0
    return cards - int(NEWER[outlook >> 2]) - gift - loot


@kernel
def is_partner(s: State, observer: int, seat: int) -> bool:
    """Whether this seat got the observer's card in the exchange [KIT-13]."""
    return s.players > 2 and seat_after(s, observer, 2) == seat


@kernel
def hand_before(s: State, seat: int, number: int, position: int) -> int:
    """Cards in the hand of the player of this position of this trick, just before the play."""
    loot = 1 if s.taker == seat and s.taken_at <= number * int(s.trick_size) + position else 0
    if s.players > 2:
        return int(s.hand_size) - number + loot
    return int(s.hand_size) - 2 * number - (position >> 1) + 2 * min(number, lots_drawn(s)) + loot


@kernel
def asked_of_play(s: State, k: int) -> int:
    """The colour a Black Kitsune asked of play k, or `NO_COLOUR` [KIT-23]."""
    if k > 0 and s.plays[k - 1] == BLACK and position_of_play(s, k) > 0:
        return clan_of(seat_of_play(s, k - 1))
    return NO_COLOUR


@kernel
def bar_of(seat: int, lot: int) -> int:
    """The bit of a lot among the bars."""
    return 1 << (LOTS_OF_SEAT * seat + lot)


@kernel
def barred_from(outline: Numbers, seat: int, lot: int) -> int:
    """The colour that no card of a lot can have, or `NO_COLOUR`."""
    return 1 - clan_of(seat) if int(outline[BARS]) & bar_of(seat, lot) else NO_COLOUR


@kernel
def may_be_from(outline: Numbers, seat: int, lot: int, colour: int) -> bool:
    """Whether a card of this colour, or of none, can be of a lot."""
    return colour == NO_COLOUR or barred_from(outline, seat, lot) != colour


@kernel
def bar_colour(seat: int, newest: int, colour: int, gift: int, loot: int, outline: Numbers, courses: Numbers) -> None:
    """A demand was not met: no card of that colour in any lot up to the newest one, nor as gift or loot in hand."""
    for lot in range(newest + 1):
        outline[BARS] |= bar_of(seat, lot)
    barred = (GIFT if COLOUR_OF[gift] == colour else 0) | (LOOT if COLOUR_OF[loot] == colour else 0)
    for outlook in range(OUTLOOKS[outline[LOTS]]):
        if outlook & barred:
            courses[outlook] = 0.0
