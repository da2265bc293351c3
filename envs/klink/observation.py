"""What a seat of Klink sees, remembers and cannot know.

Hidden are the orders of the two decks and, while they lie face down, this turn's two cards [KLI-40]. `observe` shows
what lies on the table now, and the card that a seat has looked at while that seat holds it. It also shows what
everybody can count: which numbers and abilities are still unseen. `remember` adds what takes a memory: the card looked
at before passing it on, which values lie face down in which collection, and which visible ability is in which slot.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.layout import Entry, Layout
from parlour.envs.core.record import Numbers, State
from parlour.envs.core.rng import shuffle
from parlour.envs.core.seats import distance
from parlour.envs.klink.components import ABILITIES, MAX_ABILITIES, VALUES, VISIBLE, Cards
from parlour.envs.klink.rules import (
    BEST_ROUND,
    KEEP_OR_PASS,
    MAX_ROUNDS,
    MOST_CARDS,
    NOTHING,
    OVER,
    WORST_ROUND,
    drawn,
    face_down_drawn,
)
from parlour.envs.klink.value_sets import size

A_NUMBER, AN_ABILITY, A_VISIBLE = np.float32(1 / 3), np.float32(1 / 4), np.float32(1 / VISIBLE)
A_CARD, A_POINT, A_ROUND = np.float32(1 / 10), np.float32(1 / 100), np.float32(1 / 10)
ONE = np.float32(1)
"""What one of a thing adds to an observation. Bounds are multiples of these, so that they are exact in float32."""


def observation_layout(cards: Cards, players: int, target: int) -> Layout:
    """The entries that `observe` writes, in its order."""
    values, kinds = float(max(cards.numbers) * A_NUMBER), float(max(cards.abilities) * AN_ABILITY)
    size, rounds = float(MOST_CARDS * A_CARD), float(MAX_ROUNDS * A_ROUND)
    worst, best = float((target - 1 + WORST_ROUND) * A_POINT), float(MAX_ROUNDS * BEST_ROUND * A_POINT)
    return Layout(
        (
            Entry("face_up", (players, VALUES), 1, "has this value (-5 to 20) face up, by seat"),
            Entry("unseen", (VALUES,), values, "cards of each value in the deck or drawn and face down, / 3"),
            Entry("peek", (2, VALUES), 1, "slots 0, 1: value this seat looked at while it holds the cards, one-hot"),
            Entry("own_value", (VALUES,), 1, "own value chosen for a SWAP under way, one-hot"),
            Entry("visible", (ABILITIES,), 1, "visible abilities of each kind, / 3"),
            Entry("ability_discard", (ABILITIES,), kinds, "discarded abilities of each kind, / 4"),
            Entry("ability_unseen", (ABILITIES,), kinds, "abilities of each kind in the deck, / 4"),
            Entry("phase", (OVER,), 1, "look, keep or pass, ability, swap own, player, their, high low: one-hot"),
            Entry("deck_size", (1,), 1, "cards in the number deck / number cards in the game"),
            Entry("round", (1,), rounds, "number of this round, / 10"),
            Entry("cards", (players,), size, "cards of each collection, face-down ones too, by seat, / 10"),
            Entry("face_down", (players,), size, "face-down cards by seat, / 10"),
            Entry("total", (players,), worst, "total of the finished rounds by seat, / 100", best),
            Entry("offered", (players,), 1, "place among those offered this turn's cards, / players; 0: not offered"),
            Entry("turn_player", (players,), 1, "who drew this turn's cards, by seat, one-hot"),
            Entry("holder", (players,), 1, "who holds this turn's cards or has kept them, by seat, one-hot"),
            Entry("to_move", (players,), 1, "player to move by seat, one-hot"),
            Entry("looked", (2, players), 1, "slots 0, 1: who looked at it this turn, by seat"),
            Entry("target_seat", (players,), 1, "player chosen for a SWAP under way, by seat, one-hot"),
        )
    )


def memory_layout(cards: Cards, players: int, target: int) -> Layout:
    """The entries that `remember` writes."""
    seen = Entry("peeked", (2, VALUES), 1, "slots 0, 1: value this seat has looked at this turn, one-hot")
    return Layout((*observation_layout(cards, players, target).entries, *_recalled(players), seen))


def whole_layout(cards: Cards, players: int, target: int) -> Layout:
    """The entries that `reveal` writes."""
    numbers, abilities = sum(cards.numbers), sum(cards.abilities)
    return Layout(
        (
            *observation_layout(cards, players, target).entries,
            *_recalled(players),
            Entry("drawn", (2, VALUES), 1, "slots 0, 1: value of this turn's face-down cards, one-hot"),
            Entry("deck", (numbers,), 1, "the number deck from its top: (value + 6) / 26, 0 past its end"),
            Entry("ability_deck", (abilities,), 1, "the ability deck from its top: (kind + 1) / 3, 0 past its end"),
        )
    )


def _recalled(players: int) -> tuple[Entry, Entry]:
    """What everybody can recall but nobody sees."""
    most = float(MOST_CARDS // 2 * A_NUMBER)
    return (
        Entry("pairs", (players, VALUES), most, "face-down pairs of each value by seat, / 3"),
        Entry("visible_slots", (VISIBLE, ABILITIES), 1, "kind of the ability in visible slots 0, 1, 2, one-hot"),
    )


@kernel
def observe(s: State, seat: int, out: Numbers) -> int:
    out[:] = 0.0
    at = write_face_up(s, seat, out)
    at = write_unseen(s, out, at)
    at = write_choices(s, seat, out, at)
    at = write_abilities(s, out, at)
    at = write_progress(s, out, at)
    return write_seats(s, seat, out, at)


@kernel
def write_face_up(s: State, seat: int, out: Numbers) -> int:
    for owner in range(s.players):
        start = distance(s, seat, owner) * VALUES
        place = out[start : start + VALUES]
        up = s.face_up[owner]
        for value in range(VALUES):
            place[value] = (up >> value) & 1
    return int(s.players) * VALUES


@kernel
def write_unseen(s: State, out: Numbers, at: int) -> int:
    place = out[at : at + VALUES]
    for value in range(VALUES):
        place[value] = s.unseen[value] * A_NUMBER
    return at + VALUES


@kernel
def write_choices(s: State, seat: int, out: Numbers, at: int) -> int:
    """The card in this seat's hands that it has looked at, and the own card of a SWAP under way."""
    if s.phase == KEEP_OR_PASS and s.player == seat:
        slot = int(s.looked[seat])
        out[at + slot * VALUES + drawn(s, slot)] = ONE
    at += 2 * VALUES
    if s.own_value != NOTHING:
        out[at + int(s.own_value)] = ONE
    return at + VALUES


@kernel
def write_abilities(s: State, out: Numbers, at: int) -> int:
    for kind in range(ABILITIES):
        shown = int(s.visible[0] == kind) + int(s.visible[1] == kind) + int(s.visible[2] == kind)
        discarded = int(s.discard[kind])
        out[at + kind] = shown * A_VISIBLE
        out[at + ABILITIES + kind] = discarded * AN_ABILITY
        out[at + 2 * ABILITIES + kind] = (int(s.abilities[kind]) - discarded - shown) * AN_ABILITY
    return at + 3 * ABILITIES


@kernel
def write_progress(s: State, out: Numbers, at: int) -> int:
    if s.phase != OVER:
        out[at + int(s.phase)] = ONE
    at += OVER
    out[at] = (int(s.cards) - int(s.top)) / int(s.cards)
    out[at + 1] = int(s.round_number) * A_ROUND
    return at + 2


@kernel
def write_seats(s: State, seat: int, out: Numbers, at: int) -> int:
    n = int(s.players)
    for other in range(n):
        place = at + distance(s, seat, other)
        cards, offered = int(s.collected[other]), int(s.offered[other])
        out[place] = cards * A_CARD
        out[place + n] = (cards - size(int(s.face_up[other]))) * A_CARD
        out[place + 2 * n] = s.totals[other] * A_POINT
        out[place + 3 * n] = offered / n
        out[place + 4 * n] = offered == 1
        out[place + 5 * n] = offered == s.offers
        out[place + 6 * n] = other == s.player
        out[place + 7 * n] = s.looked[other] == 0
        out[place + 8 * n] = s.looked[other] == 1
        out[place + 9 * n] = other == s.target_seat
    return at + 10 * n


@kernel
def remember(s: State, seat: int, out: Numbers) -> int:
    at = write_recalled(s, seat, out, observe(s, seat, out))
    slot = known_slot(s, seat)
    if slot != NOTHING:
        out[at + slot * VALUES + drawn(s, slot)] = ONE
    return at + 2 * VALUES


@kernel
def known_slot(s: State, seat: int) -> int:
    """The slot of this turn's face-down cards that a seat has looked at, passed on or not [KLI-40]."""
    return int(s.looked[seat]) if face_down_drawn(s) else NOTHING


@kernel
def write_recalled(s: State, seat: int, out: Numbers, at: int) -> int:
    for owner in range(s.players):
        start = at + distance(s, seat, owner) * VALUES
        place = out[start : start + VALUES]
        owned = s.pairs[owner]
        for value in range(VALUES):
            place[value] = owned[value] * A_NUMBER
    at += int(s.players) * VALUES
    for slot in range(VISIBLE):
        out[at + slot * ABILITIES + int(s.visible[slot])] = ONE
    return at + VISIBLE * ABILITIES


@kernel
def reveal(s: State, seat: int, out: Numbers) -> int:
    at = write_recalled(s, seat, out, observe(s, seat, out))
    if face_down_drawn(s):
        out[at + drawn(s, 0)] = ONE
        out[at + VALUES + drawn(s, 1)] = ONE
    at += 2 * VALUES
    for i in range(s.top, s.cards):
        out[at + i - int(s.top)] = (int(s.deck[i]) + 1) / VALUES
    at += int(s.cards)
    for i in range(s.ability_top, MAX_ABILITIES):
        out[at + i - int(s.ability_top)] = (int(s.ability_deck[i]) + 1) / ABILITIES
    return at + int(s.abilities.sum())


@kernel
def redeal(s: State, seat: int) -> None:
    """Shuffle the number cards that a seat has not seen, among the deck and the face-down slots, and the abilities.

    The slot that the seat has looked at steps aside: it lies before the cards that are shuffled [KLI-40].
    """
    known = known_slot(s, seat)
    hidden = (2 if face_down_drawn(s) else 0) - (1 if known != NOTHING else 0)
    if known == 1:
        exchange_slots(s)
    shuffle(s, s.deck, int(s.top) - hidden, int(s.cards))
    if known == 1:
        exchange_slots(s)
    shuffle(s, s.ability_deck, int(s.ability_top), MAX_ABILITIES)


@kernel
def exchange_slots(s: State) -> None:
    first = int(s.top) - 2
    held = s.deck[first]
    s.deck[first] = s.deck[first + 1]
    s.deck[first + 1] = held
