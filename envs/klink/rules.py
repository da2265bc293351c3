"""The rules of Klink. Clauses in brackets are those of RULES.md.

At every decision no value lies face up twice in a collection, because pairs turn face down at once [KLI-15, KLI-18].
So the face-up cards of a seat are one bit mask, with a bit for each value.
"""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, Field, Numbers, Record, State
from parlour.envs.core.rewards import pay_margin, share_win, wants_margin
from parlour.envs.core.rng import below, shuffle
from parlour.envs.core.seats import clockwise, seat_after
from parlour.envs.klink.components import (
    ABILITIES,
    DRAW_ALL,
    HIGH_LOW,
    MAX_ABILITIES,
    MAX_NUMBERS,
    MAX_PLAYERS,
    MAX_TARGET,
    SWAP,
    VALUES,
    VISIBLE,
)
from parlour.envs.klink.value_sets import has_triad, highest, lowest, total

# --- State

LOOK, KEEP_OR_PASS, ABILITY, SWAP_OWN, SWAP_PLAYER, SWAP_THEIR, HIGH_LOW_PLAYER, OVER = range(8)
NOTHING = -1
"""No slot looked at, no value or player chosen yet."""
FULL_COLLECTION = 10
MOST_CARDS = 12
"""Nine before the turn, two kept, one by DRAW_ALL."""
BONUS = 10
MAX_ROUNDS = 50
BEST_ROUND, WORST_ROUND = -25, 165
"""-5 to -1 with the most cards; ten cards, 20 to 11, with the fewest."""
MARGIN_SCALE = 100.0

RECORD = Record.of(
    Field("target", "i2", 1, MAX_TARGET, "total that ends the game", fixed=True),
    Field("opener", "i1", NOBODY, MAX_PLAYERS - 1, "who starts the first round, -1: drawn", fixed=True),
    Field("cards", "i1", 22, MAX_NUMBERS, "number cards in the game", fixed=True),
    Field("numbers", "i1", 0, MAX_NUMBERS, "number cards of each value in the game", (VALUES,), fixed=True),
    Field("abilities", "i1", 0, MAX_ABILITIES, "ability cards of each kind in the game", (ABILITIES,), fixed=True),
    Field("totals", "i2", MAX_ROUNDS * BEST_ROUND, MAX_TARGET + WORST_ROUND, "points of each seat", (MAX_PLAYERS,)),
    Field("round_number", "i1", 0, MAX_ROUNDS, "rounds begun"),
    Field("phase", "i1", LOOK, OVER, "the decision that is asked for, in the order of the constants"),
    Field("deck", "i1", 0, VALUES - 1, "number cards; just before `top` lie those drawn this turn", (MAX_NUMBERS,)),
    Field("top", "i1", 2, MAX_NUMBERS, "where the number deck's top card is"),
    Field("unseen", "i1", 0, MAX_NUMBERS, "cards of each value not yet shown to all this round", (VALUES,)),
    Field(
        "ability_deck", "i1", SWAP, HIGH_LOW, "ability cards; the deck is the end from `ability_top`", (MAX_ABILITIES,)
    ),
    Field("ability_top", "i1", 0, MAX_ABILITIES, "where the ability deck's top card is"),
    Field("visible", "i1", SWAP, HIGH_LOW, "kinds of the visible abilities", (VISIBLE,)),
    Field("discard", "i1", 0, MAX_ABILITIES, "discarded abilities of each kind", (ABILITIES,)),
    Field("face_up", "i4", 0, 2**VALUES - 1, "bit mask of the face-up values of each seat", (MAX_PLAYERS,)),
    Field("pairs", "i1", 0, MOST_CARDS // 2, "face-down pairs of each value by seat", (MAX_PLAYERS, VALUES)),
    Field("collected", "i1", 0, MOST_CARDS, "cards in each collection, face-down ones too", (MAX_PLAYERS,)),
    Field("offers", "i1", 1, MAX_PLAYERS, "how many seats have been offered this turn's cards"),
    Field("offered", "i1", 0, MAX_PLAYERS, "place of each seat among those, from 1; 0: not offered", (MAX_PLAYERS,)),
    Field("looked", "i1", NOTHING, 1, "slot each seat looked at this turn, else -1", (MAX_PLAYERS,)),
    Field("own_value", "i1", NOTHING, VALUES - 1, "own card chosen for a SWAP under way, else -1"),
    Field("target_seat", "i1", NOTHING, MAX_PLAYERS - 1, "player chosen for a SWAP under way, else -1"),
)


@kernel
def drawn(s: State, slot: int) -> int:
    """The card in a slot: slot 0 was on top of the deck [KLI-11]."""
    return int(s.deck[int(s.top) - 2 + slot])


@kernel
def face_down_drawn(s: State) -> bool:
    """Whether this turn's two cards still lie face down."""
    return int(s.phase) in (LOOK, KEEP_OR_PASS)


# --- Actions [KLI-50]: look at a slot, keep, choose a player, use an ability, name a value

KEEP = 2
FIRST_PLAYER = 3
FIRST_ABILITY = 8
FIRST_VALUE = 11


@kernel
def chosen_seat(s: State, action: int) -> int:
    """The player that an action chooses, counted clockwise from the actor."""
    return seat_after(s, s.player, action - FIRST_PLAYER + 1)


# --- Setup


@kernel
def setup(s: State) -> None:
    """The first round, started by a seat that is drawn or given [KLI-10]."""
    starter = below(s, s.players) if s.opener == NOBODY else int(s.opener)
    begin_round(s, starter)


@kernel
def begin_round(s: State, starter: int) -> None:
    """Empty collections, shuffled decks, three abilities side by side [KLI-10, KLI-32]."""
    s.round_number += 1
    for seat in range(s.players):
        s.face_up[seat] = 0
        s.collected[seat] = 0
        s.pairs[seat, :] = 0
    shuffle(s, s.deck, 0, int(s.cards))
    s.top = 0
    for value in range(VALUES):
        s.unseen[value] = s.numbers[value]
    s.discard[:] = 0
    stack_abilities(s, s.abilities)
    for slot in range(VISIBLE):
        reveal_ability(s, slot)
    begin_turn(s, starter)


@kernel
def stack_abilities(s: State, counts: Numbers) -> None:
    """Shuffle so many abilities of each kind into the ability deck."""
    top = MAX_ABILITIES
    for kind in range(ABILITIES):
        for _ in range(counts[kind]):
            top -= 1
            s.ability_deck[top] = kind
    s.ability_top = top
    shuffle(s, s.ability_deck, top, MAX_ABILITIES)


@kernel
def reveal_ability(s: State, slot: int) -> None:
    """Turn up the next ability; an empty deck is made anew from the discard first [KLI-17]."""
    if s.ability_top == MAX_ABILITIES:
        stack_abilities(s, s.discard)
        s.discard[:] = 0
    s.visible[slot] = s.ability_deck[s.ability_top]
    s.ability_top += 1


@kernel
def begin_turn(s: State, seat: int) -> None:
    """Draw two cards, both unseen [KLI-11]."""
    s.top += 2
    s.offers = 0
    s.offered[:] = 0
    s.looked[:] = NOTHING
    hand_to(s, seat)


@kernel
def hand_to(s: State, seat: int) -> None:
    """The two cards go to a seat, which has been offered them from now on [KLI-12]."""
    s.offers += 1
    s.offered[seat] = s.offers
    s.player = seat
    s.phase = LOOK


# --- Legal actions


@kernel
def legal(s: State, mask: Numbers) -> None:
    """The choices of the decision that is asked for [KLI-51]."""
    mask[:] = False
    if s.phase == LOOK:
        mask[0] = True
        mask[1] = True
    elif s.phase == KEEP_OR_PASS:
        mask[KEEP] = True
        legal_players(s, mask)
    elif s.phase == ABILITY:
        legal_abilities(s, mask)
    elif s.phase == SWAP_OWN:
        legal_values(s, int(s.player), mask)
    elif s.phase == SWAP_THEIR:
        legal_values(s, int(s.target_seat), mask)
    else:
        legal_players(s, mask)


@kernel
def legal_players(s: State, mask: Numbers) -> None:
    """To pass to: whoever has not been offered the cards [KLI-12]. As a target: whoever shows a card [KLI-23]."""
    passing = s.phase == KEEP_OR_PASS
    seat = int(s.player)
    for choice in range(FIRST_PLAYER, FIRST_PLAYER + int(s.players) - 1):
        seat = clockwise(s, seat)
        mask[choice] = s.offered[seat] == 0 if passing else s.face_up[seat] != 0


@kernel
def legal_abilities(s: State, mask: Numbers) -> None:
    """The visible abilities that can be used; all of them if none can [KLI-16, KLI-23]."""
    stuck = nothing_usable(s)
    for kind in s.visible:
        if stuck or can_use(s, kind):
            mask[FIRST_ABILITY + kind] = True


@kernel
def legal_values(s: State, seat: int, mask: Numbers) -> None:
    """The face-up cards of a seat [KLI-20]."""
    up = int(s.face_up[seat])
    for value in range(VALUES):
        mask[FIRST_VALUE + value] = (up >> value) & 1


@kernel
def can_use(s: State, kind: int) -> bool:
    """DRAW_ALL always; the others need another player with a face-up card [KLI-23]."""
    return kind == DRAW_ALL or another_shows_card(s)


@kernel
def another_shows_card(s: State) -> bool:
    shown = 0
    for seat in range(s.players):
        if seat != s.player:
            shown |= int(s.face_up[seat])
    return shown != 0


@kernel
def nothing_usable(s: State) -> bool:
    return not (can_use(s, s.visible[0]) or can_use(s, s.visible[1]) or can_use(s, s.visible[2]))


# --- Step


@kernel
def apply(s: State, action: int) -> None:
    if s.phase == LOOK:
        s.looked[s.player] = action
        s.phase = KEEP_OR_PASS
    elif s.phase == KEEP_OR_PASS:
        keep_or_pass(s, action)
    else:
        go_on_with_ability(s, action)


@kernel
def keep_or_pass(s: State, action: int) -> None:
    """Keep both cards or pass both; whoever gets them last has to keep them [KLI-12, KLI-13]."""
    if action != KEEP:
        hand_to(s, chosen_seat(s, action))
    if action == KEEP or s.offers == s.players:
        keep(s)


@kernel
def keep(s: State) -> None:
    """Both cards turn face up; then pairs, then triads [KLI-14, KLI-15, KLI-16]."""
    seat = int(s.player)
    first, second = drawn(s, 0), drawn(s, 1)
    take_card(s, seat, first)
    take_card(s, seat, second)
    up = int(s.face_up[seat])
    if has_triad(up, up & (1 << first | 1 << second)):
        s.phase = ABILITY
    else:
        end_turn(s)


@kernel
def take_card(s: State, seat: int, value: int) -> None:
    """A card from the number deck joins a collection, where all can see it."""
    s.unseen[value] -= 1
    s.collected[seat] += 1
    lay_face_up(s, seat, value)


@kernel
def lay_face_up(s: State, seat: int, value: int) -> None:
    """A card whose value already lies there makes a pair, which turns face down [KLI-15, KLI-18].

    Laid one after the other, the second of two equal new cards stays face up where an old one was [KLI-15].
    """
    up = int(s.face_up[seat])
    s.pairs[seat, value] += (up >> value) & 1
    s.face_up[seat] = up ^ (1 << value)


# --- Abilities


@kernel
def go_on_with_ability(s: State, action: int) -> None:
    """The next choice of an ability, or its effect when all is chosen [KLI-51]."""
    if s.phase == ABILITY:
        begin_ability(s, action - FIRST_ABILITY)
    elif s.phase == SWAP_OWN:
        s.own_value = action - FIRST_VALUE
        s.phase = SWAP_PLAYER
    elif s.phase == SWAP_PLAYER:
        s.target_seat = chosen_seat(s, action)
        s.phase = SWAP_THEIR
    else:
        exchange_cards(s, action)


@kernel
def begin_ability(s: State, kind: int) -> None:
    """DRAW_ALL happens at once, the others ask on; one that cannot be used has no effect [KLI-21, KLI-23]."""
    usable = can_use(s, kind)
    if usable and kind == SWAP:
        s.phase = SWAP_OWN
    elif usable and kind == HIGH_LOW:
        s.phase = HIGH_LOW_PLAYER
    else:
        if usable:
            draw_all(s)
        end_ability(s, kind)


@kernel
def draw_all(s: State) -> None:
    """Everyone takes the top card, the user first, then clockwise [KLI-21]."""
    seat = int(s.player)
    for _ in range(s.players):
        take_card(s, seat, int(s.deck[s.top]))
        s.top += 1
        seat = clockwise(s, seat)


@kernel
def exchange_cards(s: State, action: int) -> None:
    """The last choice of a SWAP or HIGH_LOW."""
    kind = SWAP if s.phase == SWAP_THEIR else HIGH_LOW
    if kind == SWAP:
        swap(s, action - FIRST_VALUE)
    else:
        high_low(s, chosen_seat(s, action))
    end_ability(s, kind)


@kernel
def swap(s: State, their_value: int) -> None:
    """One own face-up card for one of another player [KLI-20]."""
    exchange(s, int(s.own_value), int(s.target_seat), their_value)
    s.own_value = NOTHING
    s.target_seat = NOTHING


@kernel
def high_low(s: State, other: int) -> None:
    """The own highest face-up card for the lowest of another player [KLI-22]."""
    exchange(s, highest(int(s.face_up[s.player])), other, lowest(int(s.face_up[other])))


@kernel
def exchange(s: State, own_value: int, other: int, their_value: int) -> None:
    """Both cards leave before either arrives, so that equal values may be exchanged [KLI-23]."""
    seat = int(s.player)
    s.face_up[seat] ^= 1 << own_value
    s.face_up[other] ^= 1 << their_value
    lay_face_up(s, seat, their_value)
    lay_face_up(s, other, own_value)


@kernel
def end_ability(s: State, kind: int) -> None:
    """The used ability, in the first slot with its kind, is discarded and another revealed there [KLI-17]."""
    slot = 0
    while s.visible[slot] != kind:
        slot += 1
    s.discard[kind] += 1
    reveal_ability(s, slot)
    end_turn(s)


# --- The end of a turn, of a round, of the game


@kernel
def end_turn(s: State) -> None:
    """A collection of ten ends the round; else the keeper takes the next turn [KLI-19]."""
    if most_cards(s) >= FULL_COLLECTION:
        end_round(s)
    else:
        begin_turn(s, int(s.player))


@kernel
def end_round(s: State) -> None:
    """Score; the game ends at the target or at the safety limit, else a new round begins [KLI-31 to KLI-33]."""
    score_round(s)
    leader = highest_total(s)
    if leader < s.target and s.round_number < MAX_ROUNDS:
        begin_round(s, next_starter(s, leader))
    else:
        s.truncated = leader < s.target
        s.phase = OVER
        s.player = NOBODY


@kernel
def next_starter(s: State, leader: int) -> int:
    """Who has the highest total; ties: the nearest clockwise from the keeper, the keeper first [KLI-32]."""
    seat = int(s.player)
    while s.totals[seat] != leader:
        seat = clockwise(s, seat)
    return seat


# --- Scoring


@kernel
def most_cards(s: State) -> int:
    most = 0
    for seat in range(s.players):
        most = max(most, int(s.collected[seat]))
    return most


@kernel
def fewest_cards(s: State) -> int:
    """Among those who have a card."""
    fewest = MOST_CARDS
    for seat in range(s.players):
        if s.collected[seat] > 0:
            fewest = min(fewest, int(s.collected[seat]))
    return fewest


@kernel
def score_round(s: State) -> None:
    """The face-up cards; the most cards take 10 off, the fewest add 10, none at all score 0 [KLI-30]."""
    most, fewest = most_cards(s), fewest_cards(s)
    for seat in range(s.players):
        cards = int(s.collected[seat])
        bonus = (BONUS if cards == fewest else 0) - (BONUS if cards == most else 0)
        s.totals[seat] += total(int(s.face_up[seat])) + bonus


@kernel
def highest_total(s: State) -> int:
    leader = int(s.totals[0])
    for seat in range(1, s.players):
        leader = max(leader, int(s.totals[seat]))
    return leader


@kernel
def scores(s: State, out: Numbers) -> None:
    """The totals over the finished rounds; low is good [KLI-31]."""
    for seat in range(s.players):
        out[seat] = s.totals[seat]


@kernel
def winners(s: State) -> int:
    """Bit mask of the seats with the lowest total, who share the win [KLI-31]."""
    best = int(s.totals[0])
    found = 0
    for seat in range(s.players):
        here = int(s.totals[seat])
        if here < best:
            best = here
            found = 0
        if here == best:
            found |= 1 << seat
    return found


@kernel
def returns(s: State, out: Numbers) -> None:
    if wants_margin(s):
        for seat in range(s.players):
            out[seat] = -int(s.totals[seat])
        pay_margin(s, MARGIN_SCALE, out)
    else:
        share_win(s, winners(s), out)
