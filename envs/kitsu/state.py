"""What the record of one game of Kitsu holds, and how to read it."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Field, Numbers, Record, State
from parlour.envs.core.seats import seat_after
from parlour.envs.kitsu.components import (
    ALL_TOKENS,
    BLACK,
    CARD_TYPES,
    HIDE,
    MAX_CARDS,
    MAX_COPIES,
    MAX_PLAYERS,
    MAX_TRACK,
    MAX_TRICK,
    MODES,
    MOST_DECISIONS,
    NO_CARD,
    NO_COLOUR,
    NO_TOKEN,
    PILE,
    ROUNDS_TO_WIN,
    TOKENS,
)

EXCHANGE, PLAY, STRIKE, PICK, TAKE, GIVE, OVER = range(7)
"""What the player to move decides: a card for the partner, a play, a Katana's target, the card to recover, a token, who
is to hold it; nothing more."""

_SEATS = (MAX_PLAYERS,)
_LAST_SEAT = MAX_PLAYERS - 1
_LAST_TYPE = CARD_TYPES - 1
_LAST_TOKEN = len(TOKENS) - 1

RECORD = Record.of(
    Field("track_length", "i1", 1, MAX_TRACK, "the last space of the track", fixed=True),
    Field("opener", "i1", NOBODY, _LAST_SEAT, "who leads the first round, -1: drawn", fixed=True),
    Field("hand_size", "i1", 5, 6, "cards dealt to a seat", fixed=True),
    Field("trick_size", "i1", 4, MAX_TRICK, "plays of a trick", fixed=True),
    Field("cards", "i1", 24, MAX_CARDS, "cards in the game", fixed=True),
    Field("decisions", "i2", 0, MOST_DECISIONS, "decisions taken in the game"),
    Field("phase", "i1", EXCHANGE, OVER, "0 exchange, 1 play, 2 Katana, 3 recover, 4 take token, 5 give token, 6 over"),
    Field("hands", "i1", 0, MAX_COPIES, "cards of each type in each hand", (MAX_PLAYERS, CARD_TYPES)),
    Field("pile", "i1", 0, _LAST_TYPE, "the pile of two players, top last; 0 past its end", (PILE,)),
    Field("pile_size", "i1", 0, PILE, "cards in the pile"),
    Field("plays", "i1", 0, _LAST_TYPE, "cards played since the shuffle in order, the trick's last", (MAX_CARDS,)),
    Field("tricks", "i1", 0, 6, "tricks finished since the shuffle"),
    Field("on_table", "i1", 0, MAX_TRICK, "cards of the present trick"),
    Field("laid", "i1", 0, MODES - 1, "mode of play of each card of the present trick", (MAX_TRICK,)),
    Field("destroyed", "i1", 0, 2**MAX_TRICK - 1, "bit mask of the destroyed cards of the present trick"),
    Field("leader", "i1", 0, _LAST_SEAT, "who leads the present trick, or the next one between two"),
    Field("given", "i1", NO_CARD, _LAST_TYPE, "card each seat put aside in this deal, -1: none", _SEATS),
    Field("voids", "i1", 0, 1, "whether each seat has shown to hold none of the other clan's colour", _SEATS),
    Field("taker", "i1", NOBODY, _LAST_SEAT, "who recovered a card since the shuffle, -1: nobody"),
    Field("taken", "i1", 0, _LAST_TYPE, "the card recovered"),
    Field("taken_at", "i1", 0, MAX_CARDS, "cards played since the shuffle when it was recovered"),
    Field("held", "i1", NO_TOKEN, _LAST_TOKEN, "token of each seat, -1: none", _SEATS),
    Field("pool", "i1", 0, ALL_TOKENS, "bit mask of the tokens in the pool"),
    Field("pawns", "i1", 0, MAX_TRACK, "space of each clan's pawn", (2,)),
    Field("rounds_won", "i1", 0, ROUNDS_TO_WIN, "rounds won by each clan", (2,)),
    Field("leftover", "i1", 0, MAX_COPIES, "cards of the hands discarded when the game was won", (CARD_TYPES,)),
)


@kernel
def clan_of(seat: int) -> int:
    """Neighbours are of different clans [KIT-4]."""
    return int(seat) & 1


@kernel
def large_deck(s: State) -> int:
    """Which row of the component tables this game plays with [KIT-1]."""
    return 1 if s.players == MAX_PLAYERS else 0


@kernel
def all_plays(s: State) -> int:
    """Cards played since the shuffle."""
    return trick_start(s) + int(s.on_table)


@kernel
def trick_start(s: State) -> int:
    """Where the present trick begins in `plays`."""
    return int(s.tricks) * int(s.trick_size)


@kernel
def trick(s: State) -> Numbers:
    """The cards of the present trick in order of play."""
    start = trick_start(s)
    cards: Numbers = s.plays[start : start + int(s.on_table)]
    return cards


@kernel
def last_trick(s: State) -> Numbers:
    """The cards of the last finished trick; there must be one since the shuffle."""
    start = trick_start(s)
    cards: Numbers = s.plays[start - int(s.trick_size) : start]
    return cards


@kernel
def clan_at(s: State, position: int) -> int:
    """The clan whose turn a position of the present trick is [KIT-14]."""
    return clan_of(int(s.leader) + position)


@kernel
def demanded(s: State, position: int) -> int:
    """The colour a Black Kitsune asks of this position of the present trick, or `NO_COLOUR` [KIT-23]."""
    if 0 < position < s.trick_size and s.plays[trick_start(s) + position - 1] == BLACK:
        return clan_at(s, position - 1)
    return NO_COLOUR


@kernel
def clan_holds_token(s: State, clan: int) -> bool:
    for seat in range(clan, s.players, 2):
        if s.held[seat] != NO_TOKEN:
            return True
    return False


@kernel
def hand_count(s: State, seat: int) -> int:
    """Cards in a hand."""
    hand = s.hands[seat]
    found = 0
    for card in range(CARD_TYPES):
        found += int(hand[card])
    return found


@kernel
def exchanged(s: State) -> bool:
    """Whether this deal's exchange is done; with 2 players there is none [KIT-13]."""
    if s.players == 2:
        return False
    for seat in range(s.players):
        if s.given[seat] == NO_CARD:
            return False
    return True


@kernel
def trick_of_play(s: State, k: int) -> int:
    """The number of the trick since the shuffle to which play k belongs."""
    return k // 6 if s.trick_size == 6 else k >> 2


@kernel
def position_of_play(s: State, k: int) -> int:
    """The place of play k in its trick."""
    return k - trick_of_play(s, k) * int(s.trick_size)


@kernel
def plays_of_trick(s: State, number: int) -> int:
    """How many cards a trick since the shuffle has so far."""
    return int(s.trick_size) if number < s.tricks else int(s.on_table)


@kernel
def seat_of_play(s: State, k: int) -> int:
    """Who made play k since the shuffle: each trick's leader sits one seat on from the last one's [KIT-14, KIT-16]."""
    turn = int(s.leader) - int(s.tricks) + trick_of_play(s, k) + position_of_play(s, k) + 12
    return turn % 6 if s.players == 6 else turn & (int(s.players) - 1)


@kernel
def seat_at(s: State, position: int) -> int:
    """Who plays at a position of the present trick [KIT-14]."""
    if s.players == 2:
        return (int(s.leader) + position) & 1
    return seat_after(s, s.leader, position)


@kernel
def giver_to(s: State, seat: int) -> int:
    """The partner two seats counter-clockwise, from whom a seat gets its card [KIT-13]."""
    return int(seat) - 2 if seat >= 2 else int(seat) - 2 + int(s.players)


@kernel
def is_hidden(s: State, k: int) -> bool:
    """Whether the card of play k lies face down [KIT-32]."""
    return k >= trick_start(s) and s.laid[k - trick_start(s)] == HIDE


@kernel
def recovered_from(s: State) -> Numbers:
    """The trick before the one in which the card was recovered [KIT-33]."""
    size = int(s.trick_size)
    first = ((int(s.taken_at) - 1) // size - 1) * size
    cards: Numbers = s.plays[first : first + size]
    return cards
