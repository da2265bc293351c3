"""The rules of Kitsu, from the deal to the rewards. Clauses in brackets are those of RULES.md."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.core.rewards import pay_margin, share_win, wants_margin
from parlour.envs.core.rng import below, shuffle
from parlour.envs.core.seats import clockwise, seat_after
from parlour.envs.kitsu.components import (
    ADVANCE_FOR_TOKEN,
    ALL_TOKENS,
    AS_SEEN_BY,
    BLUE,
    CARD_TYPES,
    COLOUR_OF,
    DECKS,
    DESTROY_FROM,
    FOR_BLUE,
    GIVE_FROM,
    HIDE,
    INVERT,
    KATANA,
    MODE_AS_SEEN_BY,
    MOST_DECISIONS,
    NO_ADVANCE,
    NO_CARD,
    NO_COLOUR,
    NO_TOKEN,
    ORANGE,
    PICK_FROM,
    PICK_NONE,
    PLAIN,
    PLUS3_BLUE,
    PLUS3_ORANGE,
    RECOVER,
    ROUNDS_TO_WIN,
    TAKE_FROM,
    WHITE,
)
from parlour.envs.kitsu.legal import has_target
from parlour.envs.kitsu.state import (
    EXCHANGE,
    GIVE,
    OVER,
    PICK,
    PLAY,
    STRIKE,
    TAKE,
    all_plays,
    clan_holds_token,
    clan_of,
    demanded,
    hand_count,
    large_deck,
    seat_at,
    trick,
    trick_start,
)

MARGIN_SCALE = 2.0

# --- The round


@kernel
def setup(s: State) -> None:
    """Draw the first leader, and begin [KIT-11]."""
    begin_round(s, below(s, s.players) if s.opener == NOBODY else int(s.opener))


@kernel
def begin_round(s: State, leader: int) -> None:
    """Pawns to the start, and to the pool every token that nobody holds [KIT-2, KIT-10]."""
    s.pawns[BLUE] = 0
    s.pawns[ORANGE] = 0
    s.pool = ALL_TOKENS
    for seat in range(s.players):
        if s.held[seat] != NO_TOKEN:
            s.pool &= ~(1 << int(s.held[seat]))
    s.leader = leader
    deal(s)


@kernel
def deal(s: State) -> None:
    """Shuffle all cards and deal them; with partners an exchange follows [KIT-12, KIT-13]."""
    forget_deal(s)
    cards = s.plays  # nothing is played yet: room for the deck
    deck = DECKS[large_deck(s)]
    for i in range(s.cards):
        cards[i] = deck[i]
    shuffle(s, cards, 0, s.cards)
    dealt = 0
    for seat in range(s.players):
        for _ in range(s.hand_size):
            s.hands[seat, cards[dealt]] += 1
            dealt += 1
    s.pile_size = int(s.cards) - dealt
    for i in range(s.pile_size):
        s.pile[i] = cards[int(s.cards) - 1 - i]
    cards[:] = 0
    s.phase = PLAY if s.players == 2 else EXCHANGE
    s.player = s.leader


@kernel
def forget_deal(s: State) -> None:
    """Clear the table and the hands of the deal before."""
    s.tricks = 0
    s.taker = NOBODY
    s.taken = 0
    s.taken_at = 0
    for seat in range(s.players):
        s.given[seat] = NO_CARD
        s.voids[seat] = 0
        s.hands[seat, :] = 0


@kernel
def win_round(s: State, clan: int) -> None:
    """Two rounds win the game; else the winners lead the next one [KIT-11, KIT-42]."""
    s.rounds_won[clan] += 1
    if s.rounds_won[clan] == ROUNDS_TO_WIN:
        discard_hands(s)
        s.phase = OVER
        s.player = NOBODY
    else:
        begin_round(s, 2 * below(s, int(s.players) >> 1) + clan)


@kernel
def discard_hands(s: State) -> None:
    for seat in range(s.players):
        for card in range(CARD_TYPES):
            s.leftover[card] += s.hands[seat, card]
            s.hands[seat, card] = 0


# --- Step


@kernel
def apply(s: State, action: int) -> None:
    """Play one action and what follows by itself; the last decision of a game too long ends it [KIT-46]."""
    s.decisions += 1
    if s.phase == PLAY:
        play(s, action)
    elif s.phase == EXCHANGE:
        put_aside(s, action)
    elif s.phase == STRIKE:
        destroy(s, action - DESTROY_FROM)
    elif s.phase == PICK:
        pick(s, action)
    elif s.phase == TAKE:
        take_token(s, action - TAKE_FROM)
    else:
        give_token(s, action - GIVE_FROM)
    if s.decisions == MOST_DECISIONS and s.player != NOBODY:
        s.truncated = 1
        s.phase = OVER
        s.player = NOBODY


@kernel
def put_aside(s: State, action: int) -> None:
    """Choose a card for the partner; when all have chosen, all take up theirs [KIT-13]."""
    card = AS_SEEN_BY[clan_of(s.player), action]
    s.hands[s.player, card] -= 1
    s.given[s.player] = card
    s.player = clockwise(s, s.player)
    if s.player == s.leader:
        for seat in range(s.players):
            s.hands[seat_after(s, seat, 2), s.given[seat]] += 1
        s.phase = PLAY


@kernel
def play(s: State, action: int) -> None:
    """Lay a card, with the token if the mode says so [KIT-15]. A Katana's target comes next [KIT-51]."""
    seat = int(s.player)
    mode = MODE_AS_SEEN_BY[clan_of(seat), action // CARD_TYPES]
    card = AS_SEEN_BY[clan_of(seat), action % CARD_TYPES]
    position = int(s.on_table)
    s.hands[seat, card] -= 1
    s.plays[trick_start(s) + position] = card
    s.laid[position] = mode
    s.on_table += 1
    if mode != PLAIN:
        s.held[seat] = NO_TOKEN
    if mode != HIDE:
        note_void(s, seat, position)
    if card == KATANA and has_target(s):
        s.phase = STRIKE
    else:
        after_target(s)


@kernel
def note_void(s: State, seat: int, position: int) -> None:
    """A card that does not meet a demand, always for the other clan's colour, shows a hand without it [KIT-23]."""
    colour = demanded(s, position)
    if colour != NO_COLOUR and COLOUR_OF[s.plays[trick_start(s) + position]] != colour:
        s.voids[seat] = 1


@kernel
def destroy(s: State, position: int) -> None:
    s.destroyed |= 1 << position
    after_target(s)


@kernel
def after_target(s: State) -> None:
    """RECOVER asks for a card; else the next player is on, or the trick is done [KIT-33, KIT-51]."""
    if s.laid[int(s.on_table) - 1] == RECOVER:
        s.phase = PICK
    else:
        go_on(s)


@kernel
def pick(s: State, action: int) -> None:
    """Take a card of the last trick into the hand, or none [KIT-33]."""
    if action != PICK_NONE:
        card = AS_SEEN_BY[clan_of(s.player), action - PICK_FROM]
        s.hands[s.player, card] += 1
        s.voids[s.player] = 0
        s.taker = s.player
        s.taken = card
        s.taken_at = all_plays(s)
    go_on(s)


@kernel
def go_on(s: State) -> None:
    """The next player of the trick, or the end of the trick [KIT-14]."""
    if s.on_table == s.trick_size:
        end_trick(s)
    else:
        s.phase = PLAY
        s.player = clockwise(s, s.player)


# --- The end of a trick


@kernel
def end_trick(s: State) -> None:
    """Turn up, count and move the pawn; then the round ends, a token is taken or the next trick begins.

    [KIT-40, KIT-41, KIT-42, KIT-43]
    """
    reveal_hidden(s)
    lead = lead_of_blue(s)
    winner = BLUE if lead > 0 else ORANGE
    steps = 0 if was_laid(s, NO_ADVANCE) else abs(lead)
    s.pawns[winner] = min(int(s.pawns[winner]) + steps, int(s.track_length))
    clear_table(s)
    if s.pawns[winner] == s.track_length:
        win_round(s, winner)
    elif steps >= ADVANCE_FOR_TOKEN and s.pool and not clan_holds_token(s, 1 - winner):
        s.phase = TAKE
        s.player = s.leader if clan_of(s.leader) != winner else clockwise(s, s.leader)
    else:
        next_trick(s)


@kernel
def reveal_hidden(s: State) -> None:
    """Turn hidden cards up; one may show, late, that a demand was not met [KIT-32]."""
    for position in range(s.trick_size):
        if s.laid[position] == HIDE:
            s.laid[position] = PLAIN
            note_void(s, seat_at(s, position), position)


@kernel
def lead_of_blue(s: State) -> int:
    """Blue's sum minus orange's by the cards face up, inverted if need be [KIT-40]."""
    lead = 0
    toggles = 0
    cards = trick(s)
    for position in range(s.on_table):
        mode = int(s.laid[position])
        if mode == INVERT:
            toggles += 1
        elif mode == PLUS3_BLUE:
            lead += 3
        elif mode == PLUS3_ORANGE:
            lead -= 3
        if mode != HIDE and not (int(s.destroyed) >> position) & 1:
            lead += int(FOR_BLUE[cards[position]])
            toggles += 1 if cards[position] == WHITE else 0
    return -lead if toggles & 1 else lead


@kernel
def was_laid(s: State, mode: int) -> bool:
    """Whether a card of the trick was played in this mode."""
    for position in range(s.on_table):
        if s.laid[position] == mode:
            return True
    return False


@kernel
def clear_table(s: State) -> None:
    """The trick goes to the discard, the leader marker one seat on [KIT-16]."""
    s.tricks += 1
    s.on_table = 0
    s.destroyed = 0
    for position in range(s.trick_size):
        s.laid[position] = PLAIN
    s.leader = clockwise(s, s.leader)


@kernel
def take_token(s: State, token: int) -> None:
    """With partners the taker then says who holds it [KIT-43]."""
    s.pool &= ~(1 << token)
    s.held[s.player] = token
    if s.players == 2:
        next_trick(s)
    else:
        s.phase = GIVE


@kernel
def give_token(s: State, steps: int) -> None:
    token = s.held[s.player]
    s.held[s.player] = NO_TOKEN
    s.held[seat_after(s, s.player, steps)] = token
    next_trick(s)


@kernel
def next_trick(s: State) -> None:
    """Draw from the pile; when a hand is empty all cards are dealt anew [KIT-17, KIT-18]."""
    for seat in range(2):
        if s.pile_size > 0:
            draw_two(s, seat)
    s.phase = PLAY
    s.player = s.leader
    if someone_is_out(s):
        deal(s)


@kernel
def draw_two(s: State, seat: int) -> None:
    for _ in range(2):
        s.pile_size -= 1
        s.hands[seat, s.pile[s.pile_size]] += 1
        s.pile[s.pile_size] = 0
    s.voids[seat] = 0


@kernel
def someone_is_out(s: State) -> bool:
    for seat in range(s.players):
        if hand_count(s, seat) == 0:
            return True
    return False


# --- Scoring


@kernel
def scores(s: State, out: Numbers) -> None:
    """Rounds won by the own clan."""
    for seat in range(s.players):
        out[seat] = s.rounds_won[clan_of(seat)]


@kernel
def returns(s: State, out: Numbers) -> None:
    """The clan with two rounds wins; a game cut short pays nothing [KIT-42, KIT-46]."""
    if s.truncated:
        out[:] = 0
    elif wants_margin(s):
        scores(s, out)
        pay_margin(s, MARGIN_SCALE, out)
    else:
        share_win(s, 1 if s.rounds_won[BLUE] == ROUNDS_TO_WIN else 2, out)
