"""What a seat of Kitsu sees, what a perfect memory of it knows, and the whole state [KIT-45].

Seats are counted clockwise from the observer, colours from its clan [KIT-50].
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.layout import Entry, Layout
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.seats import distance, seat_after
from parlour.envs.kitsu.components import (
    AS_SEEN_BY,
    BLUE,
    CARD_TYPES,
    COPIES,
    HIDE,
    MAX_PLAYERS,
    MODE_AS_SEEN_BY,
    MODES,
    NO_CARD,
    NO_COLOUR,
    NO_TOKEN,
    PILE,
    PLAIN,
    ROUNDS_TO_WIN,
    TOKENS,
)
from parlour.envs.kitsu.rules import lead_of_blue
from parlour.envs.kitsu.state import (
    EXCHANGE,
    OVER,
    PICK,
    all_plays,
    clan_of,
    demanded,
    exchanged,
    giver_to,
    hand_count,
    is_hidden,
    last_trick,
    recovered_from,
    seat_at,
    seat_of_play,
    trick,
)

CARD = np.float32(1 / 4)
SIZE = np.float32(1 / 6)
STEP = np.float32(1 / 10)
LAID = MODES - 1
"""Modes with a token."""
DECISIONS = OVER
"""Kinds of decisions: the phases before the end."""


# --- Layouts


def observation_layout(players: int) -> Layout:
    """The entries that `observe` writes, in its order."""
    return Layout((*_own_cards(players), *_table(players), *_seats(players), *_progress(players)))


def _most_copies(players: int) -> float:
    return int(COPIES[players // MAX_PLAYERS].max()) * float(CARD)


def _own_cards(players: int) -> tuple[Entry, ...]:
    cards = (CARD_TYPES,)
    most = _most_copies(players)
    own = (
        Entry("hand", cards, most, "own cards of each type, / 4"),
        Entry("recoverable", cards, most, "last trick's cards, shown to the player recovering one, / 4"),
    )
    exchange = (
        Entry("given", cards, 1, "card put aside for the partner in this deal's exchange, one-hot"),
        Entry("received", cards, 1, "card received in this deal's exchange, one-hot"),
    )
    return own if players == 2 else own + exchange


def _table(players: int) -> tuple[Entry, ...]:
    six = players == MAX_PLAYERS
    size = 6 if six else 4
    most = (6 + 5 + 4 + 3 + 3 + 2 + 3 if six else 6 + 5 + 4 + 3 + 3) * float(STEP)
    lead = "own clan's sum minus the other's by what lies face up, inverted if need be, / 10"
    return (
        Entry("trick", (size, CARD_TYPES), 1, "card at each position of the trick, one-hot; 0 if hidden from here"),
        Entry("laid", (size, LAID), 1, "token on it: PLUS3 for own, for other, NO_ADVANCE, HIDE, RECOVER, INVERT"),
        Entry("destroyed", (size,), 1, "whether it is destroyed"),
        Entry("demand", (2,), 1, "colour asked of the next play by a Black Kitsune (own, other), one-hot"),
        Entry("lead", (1,), most, lead, -most),
    )


def _seats(players: int) -> tuple[Entry, ...]:
    largest = {2: 7, 4: 6, 6: 5}[players] * float(SIZE)
    seats = (
        Entry("hand_sizes", (players,), largest, "cards in hand by seat, / 6"),
        Entry("tokens", (players, len(TOKENS)), 1, "token held by seat, in the order of KIT-3, one-hot"),
        Entry("leader", (players,), 1, "leader of this trick, or of the next one between two, by seat, one-hot"),
        Entry("to_move", (players,), 1, "player to move by seat, one-hot"),
    )
    chosen = Entry("chosen", (players,), 1, "has put a card aside in a running exchange, by seat")
    return seats if players == 2 else (*seats, chosen)


def _progress(players: int) -> tuple[Entry, ...]:
    tricks = 5 * float(SIZE) if players == MAX_PLAYERS else 1
    progress = (
        Entry("pool", (len(TOKENS),), 1, "tokens in the pool"),
        Entry("pawns", (2,), 1, "pawns (own, other), / track length"),
        Entry("rounds_won", (2,), 1, "rounds won (own, other), / 2"),
        Entry("tricks", (1,), tricks, "tricks finished since the shuffle, / 6"),
        Entry("phase", (DECISIONS,), 1, "exchange, play, Katana's target, recover, take token, give token: one-hot"),
    )
    return (*progress, Entry("pile", (1,), 1, "cards in the pile, / 12")) if players == 2 else progress


def memory_layout(players: int) -> Layout:
    """The entries that `remember` writes: the observation, then what was seen since the shuffle.

    `plays`, whose rows belong to the seats that `leader` and `tricks` tell, with the cards given and recovered and the
    observation, is all that bears on where hidden cards may be; the other entries say parts of it more handily.
    Not in here, as it bears on nothing hidden: the tokens on cards of finished tricks and which of these cards were
    destroyed, who took and gave tokens when, a RECOVER that took nothing, and in which order the own cards came.
    """
    return Layout((*observation_layout(players).entries, *_seen(players), *_recovered(players), _plays(players)))


def _seen(players: int) -> tuple[Entry, ...]:
    most = _most_copies(players)
    again = most + float(CARD)
    seen = (
        Entry("played", (players, CARD_TYPES), again, "cards seen played by seat, / 4; a recovered one may be twice"),
        Entry("last_trick", (CARD_TYPES,), most, "cards of the last finished trick, / 4"),
        Entry("voids", (players,), 1, "shown to hold none of the other clan's colour and got no card since, by seat"),
    )
    gift = Entry("gift_kept", (1,), 1, "the partner has played no card of the type given, so still has it")
    return seen if players == 2 else (*seen, gift)


def _recovered(players: int) -> tuple[Entry, ...]:
    return (
        Entry("taker", (players,), 1, "who recovered a card since the shuffle, by seat, one-hot"),
        Entry("taken_when", (1,), 1, "cards played since the shuffle when it was recovered, / all cards"),
        Entry("taken_from", (CARD_TYPES,), _most_copies(players), "cards of the trick it was recovered from, / 4"),
        Entry("taken", (CARD_TYPES,), 1, "the card recovered, if by the observer, one-hot"),
    )


def _plays(players: int) -> Entry:
    cards = int(COPIES[players // MAX_PLAYERS].sum())
    meaning = "cards played since the shuffle in order, one-hot; 0 if hidden from here"
    return Entry("plays", (cards, CARD_TYPES), 1, meaning)


def whole_layout(players: int) -> Layout:
    """The entries that `reveal` writes: what the seat remembers, then all that is hidden."""
    pile = Entry("pile_cards", (PILE, CARD_TYPES), 1, "the pile from its top, one-hot")
    gifts = Entry("all_given", (players, CARD_TYPES), 1, "card put aside in this deal's exchange, by seat, one-hot")
    return Layout(
        (
            *memory_layout(players).entries,
            Entry("hands", (players, CARD_TYPES), _most_copies(players), "cards in every hand by seat, / 4"),
            Entry("hidden_card", (CARD_TYPES,), 1, "the hidden card of the trick, one-hot"),
            Entry("recovered_card", (CARD_TYPES,), 1, "the card recovered since the shuffle, one-hot"),
            pile if players == 2 else gifts,
        )
    )


# --- What a seat sees now


@kernel
def observe(s: State, seat: int, out: Numbers) -> int:
    out[:] = 0.0
    at = write_own_cards(s, seat, out)
    at = write_table(s, seat, out, at)
    at = write_seats(s, seat, out, at)
    return write_progress(s, seat, out, at)


@kernel
def write_own_cards(s: State, seat: int, out: Numbers) -> int:
    clan = clan_of(seat)
    write_hand(s, seat, clan, out)
    at = CARD_TYPES
    if s.phase == PICK and s.player == seat:
        write_cards(last_trick(s), clan, out, at)
    at += CARD_TYPES
    if s.players > 2:
        if s.given[seat] != NO_CARD:
            out[at + AS_SEEN_BY[clan, s.given[seat]]] = 1
        if exchanged(s):
            out[at + CARD_TYPES + AS_SEEN_BY[clan, s.given[giver_to(s, seat)]]] = 1
        at += 2 * CARD_TYPES
    return at


@kernel
def write_hand(s: State, owner: int, clan: int, place: Numbers) -> None:
    hand = s.hands[owner]
    seen_as = AS_SEEN_BY[clan]
    for card in range(CARD_TYPES):
        place[seen_as[card]] = hand[card] * CARD


@kernel
def write_cards(cards: Numbers, clan: int, out: Numbers, at: int) -> None:
    """Count these cards into the 15 entries from `at`."""
    for card in cards:
        out[at + AS_SEEN_BY[clan, card]] += CARD


@kernel
def write_table(s: State, seat: int, out: Numbers, at: int) -> int:
    clan = clan_of(seat)
    size = int(s.trick_size)
    laid = at + size * CARD_TYPES
    destroyed = laid + size * LAID
    cards = trick(s)
    for position in range(s.on_table):
        mode = int(s.laid[position])
        if mode != HIDE or seat_at(s, position) == seat:
            out[at + position * CARD_TYPES + AS_SEEN_BY[clan, cards[position]]] = 1
        if mode != PLAIN:
            out[laid + position * LAID + MODE_AS_SEEN_BY[clan, mode] - 1] = 1
        out[destroyed + position] = (int(s.destroyed) >> position) & 1
    at = destroyed + size
    colour = demanded(s, int(s.on_table))
    if colour != NO_COLOUR:
        out[at + (colour ^ clan)] = 1
    out[at + 2] = (lead_of_blue(s) if clan == BLUE else -lead_of_blue(s)) * STEP
    return at + 3


@kernel
def write_seats(s: State, seat: int, out: Numbers, at: int) -> int:
    n = int(s.players)
    kinds = len(TOKENS)
    for owner in range(n):
        there = distance(s, seat, owner)
        out[at + there] = hand_count(s, owner) * SIZE
        if s.held[owner] != NO_TOKEN:
            out[at + n + there * kinds + int(s.held[owner])] = 1
    at += n + n * kinds
    out[at + distance(s, seat, s.leader)] = 1
    if s.player != NOBODY:
        out[at + n + distance(s, seat, s.player)] = 1
    at += 2 * n
    if n == 2:
        return at
    if s.phase == EXCHANGE:
        for owner in range(n):
            out[at + distance(s, seat, owner)] = s.given[owner] != NO_CARD
    return at + n


@kernel
def write_progress(s: State, seat: int, out: Numbers, at: int) -> int:
    clan = clan_of(seat)
    for token in range(len(TOKENS)):
        out[at + token] = (int(s.pool) >> token) & 1
    at += len(TOKENS)
    for side in range(2):
        out[at + side] = s.pawns[side ^ clan] / np.float32(s.track_length)
        out[at + 2 + side] = s.rounds_won[side ^ clan] * np.float32(1 / ROUNDS_TO_WIN)
    out[at + 4] = s.tricks * SIZE
    at += 5
    if s.phase != OVER:
        out[at + int(s.phase)] = 1
    at += DECISIONS
    if s.players > 2:
        return at
    out[at] = s.pile_size * np.float32(1 / PILE)
    return at + 1


# --- What a perfect memory of a seat knows


@kernel
def remember(s: State, seat: int, out: Numbers) -> int:
    at = observe(s, seat, out)
    plays = write_digest(s, seat, out, at)
    write_plays(s, seat, out, at, plays)
    return plays + int(s.cards) * CARD_TYPES


@kernel
def write_plays(s: State, seat: int, out: Numbers, played: int, plays: int) -> None:
    """Every card seen, by who played it and in order."""
    clan = clan_of(seat)
    for k in range(all_plays(s)):
        owner = seat_of_play(s, k)
        if not is_hidden(s, k) or owner == seat:
            card = AS_SEEN_BY[clan, s.plays[k]]
            out[played + distance(s, seat, owner) * CARD_TYPES + card] += CARD
            out[plays + k * CARD_TYPES + card] = 1


@kernel
def write_digest(s: State, seat: int, out: Numbers, at: int) -> int:
    """Last trick, voids, the gift, the recovered card; they follow on `played`."""
    n = int(s.players)
    clan = clan_of(seat)
    at += n * CARD_TYPES
    if s.tricks > 0:
        write_cards(last_trick(s), clan, out, at)
    at += CARD_TYPES
    for owner in range(n):
        out[at + distance(s, seat, owner)] = s.voids[owner]
    at += n
    if n > 2:
        out[at] = gift_kept(s, seat)
        at += 1
    return write_recovery(s, seat, out, at)


@kernel
def gift_kept(s: State, seat: int) -> bool:
    """Whether the partner surely still has the card given: none of its type seen from there since [KIT-13]."""
    if s.player == NOBODY or not exchanged(s):
        return False
    partner = seat_after(s, seat, 2)
    for k in range(all_plays(s)):
        if s.plays[k] == s.given[seat] and seat_of_play(s, k) == partner and not is_hidden(s, k):
            return False
    return not hides_card(s, partner)


@kernel
def hides_card(s: State, seat: int) -> bool:
    """Whether a card of this seat lies face down."""
    for position in range(s.on_table):
        if s.laid[position] == HIDE and seat_at(s, position) == seat:
            return True
    return False


@kernel
def write_recovery(s: State, seat: int, out: Numbers, at: int) -> int:
    n = int(s.players)
    if s.taker != NOBODY:
        clan = clan_of(seat)
        out[at + distance(s, seat, s.taker)] = 1
        out[at + n] = s.taken_at / np.float32(s.cards)
        write_cards(recovered_from(s), clan, out, at + n + 1)
        if s.taker == seat:
            out[at + n + 1 + CARD_TYPES + AS_SEEN_BY[clan, s.taken]] = 1
    return at + n + 1 + 2 * CARD_TYPES


# --- The whole state


@kernel
def reveal(s: State, seat: int, out: Numbers) -> int:
    clan = clan_of(seat)
    at = remember(s, seat, out)
    for owner in range(s.players):
        start = at + distance(s, seat, owner) * CARD_TYPES
        write_hand(s, owner, clan, out[start : start + CARD_TYPES])
    at += int(s.players) * CARD_TYPES
    for position in range(s.on_table):
        if s.laid[position] == HIDE:
            out[at + AS_SEEN_BY[clan, trick(s)[position]]] = 1
    at += CARD_TYPES
    if s.taker != NOBODY:
        out[at + AS_SEEN_BY[clan, s.taken]] = 1
    return write_rest(s, seat, out, at + CARD_TYPES)


@kernel
def write_rest(s: State, seat: int, out: Numbers, at: int) -> int:
    """The pile of two players, the exchange of more."""
    clan = clan_of(seat)
    if s.players == 2:
        for depth in range(s.pile_size):
            out[at + depth * CARD_TYPES + AS_SEEN_BY[clan, s.pile[int(s.pile_size) - 1 - depth]]] = 1
        return at + PILE * CARD_TYPES
    for owner in range(s.players):
        if s.given[owner] != NO_CARD:
            out[at + distance(s, seat, owner) * CARD_TYPES + AS_SEEN_BY[clan, s.given[owner]]] = 1
    return at + int(s.players) * CARD_TYPES
