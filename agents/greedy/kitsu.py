"""`greedy` in Kitsu: play for the trick with the partners in mind, and for what the cards may still be good for.

Every choice is worth the *outlook* of the trick after it, less what the spent card or token would be worth later. The
outlook of a lead is what the trick will bring the own clan, in spaces of the track, when everybody who is still to play
does what can be expected of a hand not seen. It is found backwards, from the last play of the trick to the next one.
"""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers, State
from parlour.envs.kitsu.components import (
    ADVANCE_FOR_TOKEN,
    AS_SEEN_BY,
    BLACK,
    BLUE,
    CARD_TYPES,
    COPIES,
    DESTROY_FROM,
    GIVE_FROM,
    HIDE,
    INVERT,
    KATANA,
    MODE_AS_SEEN_BY,
    NO_ADVANCE,
    PICK_FROM,
    PICK_NONE,
    PLAIN,
    RECOVER,
    TAKE_FROM,
    TOKENS,
    WHITE,
)
from parlour.envs.kitsu.legal import can_destroy
from parlour.envs.kitsu.rules import lead_of_blue, was_laid
from parlour.envs.kitsu.state import (
    EXCHANGE,
    PICK,
    PLAY,
    STRIKE,
    TAKE,
    all_plays,
    clan_at,
    clan_holds_token,
    clan_of,
    hand_count,
    is_hidden,
    large_deck,
    last_trick,
    seat_at,
    trick_start,
)

OWN_CARD, OTHER_CARD = 0.3, 0.05
"""What a number card in hand is worth for later, in spaces per point, by whose colour it has."""
SPECIAL = np.array([2.0, 0.5, 1.5])
"""What a White Kitsune, a Black Kitsune and a Katana in hand are worth for later."""
TOKEN = np.array([2.0, 1.5, 0.0, 0.5, 3.0])
"""What each token in hand is worth for later."""
AWARD = 2.0
"""What it is worth to take a token."""
FOR_ROUND = 6.0
"""What winning the round is worth beside the spaces."""
CHOICES = 1.75
"""Out of how many of its cards a player is expected to play the best one: some are kept for later."""
STRIKE_GAIN = 5.5
"""What a Katana is expected to bring."""
DEMANDED, DEMANDED_INVERTED = 6.0, -3.0
"""What the next play brings the own clan if a Black Kitsune asks for its colour."""
FURTHEST = 16
"""A lead larger than any that matters."""


@kernel
def weigh(s: State, mask: Numbers, worth: Numbers) -> None:
    """What every legal choice is worth, in spaces of the track."""
    if s.phase == PLAY:
        weigh_plays(s, mask, worth)
    elif s.phase == EXCHANGE:
        weigh_gifts(worth)
    elif s.phase == STRIKE:
        weigh_targets(s, mask, worth)
    elif s.phase == PICK:
        weigh_picks(worth)
    elif s.phase == TAKE:
        weigh_tokens(worth)
    else:
        weigh_holders(s, worth)


# --- The trick


@kernel
def weigh_plays(s: State, mask: Numbers, worth: Numbers) -> None:
    """Lay each card on the table, and see."""
    clan = clan_of(s.player)
    position = int(s.on_table)
    outlooks = outlook_of_leads(s, position + 1)
    s.on_table += 1
    for action in range(CARD_TYPES * (INVERT + 1)):
        if mask[action]:
            mode = int(MODE_AS_SEEN_BY[clan, action // CARD_TYPES])
            s.plays[trick_start(s) + position] = AS_SEEN_BY[clan, action % CARD_TYPES]
            s.laid[position] = PLAIN if mode == HIDE else mode
            worth[action] = outlook_of_play(s, outlooks) - later_worth(action % CARD_TYPES)
            if mode != PLAIN:
                worth[action] -= TOKEN[s.held[s.player]]
            if mode == RECOVER:
                worth[action] += best_recovery(s)


@kernel
def outlook_of_play(s: State, outlooks: Numbers) -> float:
    """What the trick will bring after the last play on the table."""
    if was_laid(s, NO_ADVANCE):
        return 0.0
    position = int(s.on_table) - 1
    card = int(s.plays[trick_start(s) + position])
    if card == KATANA:
        return best_strike(s, outlooks)
    lead = own_lead(s)
    if card == BLACK and s.on_table < s.trick_size:
        return at_lead(outlooks[1], lead + (DEMANDED_INVERTED if inverted(s) else DEMANDED))
    return at_lead(outlooks[0], lead)


@kernel
def own_lead(s: State) -> float:
    """The lead of the clan of the player to move by what lies face up."""
    lead = lead_of_blue(s)
    return float(lead if clan_of(s.player) == BLUE else -lead)


@kernel
def inverted(s: State) -> bool:
    toggles = 0
    for position in range(s.on_table):
        if s.laid[position] == INVERT:
            toggles += 1
        if s.laid[position] != HIDE and s.plays[trick_start(s) + position] == WHITE:
            toggles += 1
    return toggles & 1 == 1


@kernel
def best_strike(s: State, outlooks: Numbers) -> float:
    """The outlook with the best target of a Katana, or with none if there is no target [KIT-21]."""
    best = -np.inf
    for position in range(s.on_table):
        if can_destroy(s, position):
            best = max(best, after_strike(s, position, outlooks))
    return best if best > -np.inf else at_lead(outlooks[0], own_lead(s))


@kernel
def after_strike(s: State, position: int, outlooks: Numbers) -> float:
    s.destroyed ^= 1 << position
    lead = own_lead(s)
    s.destroyed ^= 1 << position
    return at_lead(outlooks[0], lead)


@kernel
def weigh_targets(s: State, mask: Numbers, worth: Numbers) -> None:
    outlooks = outlook_of_leads(s, int(s.on_table))
    for position in range(s.on_table):
        if mask[DESTROY_FROM + position]:
            worth[DESTROY_FROM + position] = after_strike(s, position, outlooks)


# --- The outlook


@kernel
def at_lead(outlooks: Numbers, lead: float) -> float:
    """The outlook at a lead, between those of the whole leads beside it."""
    place = min(max(lead + FURTHEST, 0.0), 2.0 * FURTHEST - 1)
    below = int(place)
    share = place - below
    return float(outlooks[below] * (1 - share) + outlooks[below + 1] * share)


@kernel
def outlook_of_leads(s: State, first: int) -> Numbers:
    """What each lead of the own clan will bring when all positions of the trick from `first` on have been played.

    Returns:
        float64 [2, L]: row 0 is the outlook before the play at `first`, row 1 the one after it.
    """
    outlooks = np.empty((2, 2 * FURTHEST + 1))
    before, ahead = outlooks[0], outlooks[1]
    for place in range(before.size):
        before[place] = brought_by(s, place - FURTHEST)
    unseen = np.empty(CARD_TYPES)
    hidden = count_unseen(s, unseen)
    turned = 1 if inverted(s) else 0
    for position in range(int(s.trick_size) - 1, first - 1, -1):
        ahead[:] = before
        cards = hand_count(s, seat_at(s, position))
        clan = clan_at(s, position)
        side = 1 if clan == clan_of(s.player) else -1
        gain = side * best_number(unseen, clan ^ turned, min(cards, CHOICES) / hidden)
        white, katana = unseen[WHITE] * cards / hidden, unseen[KATANA] * cards / hidden
        for place in range(before.size):
            before[place] = expected(ahead, place - FURTHEST, side, gain, white, katana)
    return outlooks


@kernel
def count_unseen(s: State, unseen: Numbers) -> int:
    """Write how many cards of each type may be in other hands or the pile; returns how many lie there in all."""
    for card in range(CARD_TYPES):
        unseen[card] = int(COPIES[large_deck(s), card]) - int(s.hands[s.player, card])
    for k in range(all_plays(s)):
        if not is_hidden(s, k):
            unseen[s.plays[k]] = max(unseen[s.plays[k]] - 1, 0)  # a recovered card may be played twice
    cards = int(s.pile_size)
    for seat in range(s.players):
        if seat != s.player:
            cards += hand_count(s, seat)
    return max(cards, 1)


@kernel
def best_number(unseen: Numbers, colour: int, share: float) -> float:
    """What the best card for a colour is expected to bring it, out of a hand with this share of the unseen cards."""
    brought = 0.0
    worse = 1.0
    for points in range(6, -7, -1):
        cards = unseen[WHITE] + unseen[BLACK] + unseen[KATANA]
        if points != 0:
            cards = unseen[6 * (colour if points > 0 else 1 - colour) + abs(points) - 1]
        has = 1 - (1 - min(share, 1.0)) ** cards
        brought += worse * has * points
        worse *= 1 - has
    return brought


@kernel
def expected(ahead: Numbers, lead: int, side: int, gain: float, white: float, katana: float) -> float:
    """The outlook before a play of a side, which inverts or strikes if it can and that is better for it."""
    number = at_lead(ahead, lead + gain)
    turned = at_lead(ahead, -lead)
    struck = at_lead(ahead, lead + side * STRIKE_GAIN)
    outlook = number
    if side * struck > side * number:
        outlook += min(katana, 1.0) * (struck - number)
    if side * turned > side * number:
        outlook += min(white, 1.0) * (turned - outlook)
    return outlook


@kernel
def brought_by(s: State, lead: int) -> float:
    """Spaces for the own clan by a final lead, the round and the token of the losers counted in [KIT-41 to KIT-43]."""
    winner = clan_of(s.player) if lead > 0 else 1 - clan_of(s.player)
    left = int(s.track_length) - int(s.pawns[winner])
    worth = float(min(abs(lead), left))
    if worth == left:
        worth += FOR_ROUND
    elif abs(lead) >= ADVANCE_FOR_TOKEN and s.pool and not clan_holds_token(s, 1 - winner):
        worth -= AWARD
    return worth if lead > 0 else -worth


# --- What cards and tokens may be good for later


@kernel
def later_worth(card: int) -> float:
    """What a card in hand is worth, its colour counted from the own clan."""
    if card >= WHITE:
        return float(SPECIAL[card - WHITE])
    return (card + 1) * OWN_CARD if card < 6 else (card - 5) * OTHER_CARD


@kernel
def best_recovery(s: State) -> float:
    best = 0.0
    for card in last_trick(s):
        best = max(best, later_worth(AS_SEEN_BY[clan_of(s.player), card]))
    return best


@kernel
def weigh_picks(worth: Numbers) -> None:
    worth[PICK_NONE] = 0.0
    for card in range(CARD_TYPES):
        worth[PICK_FROM + card] = later_worth(card)


@kernel
def weigh_gifts(worth: Numbers) -> None:
    """The best card for the partner, who gives its best one back."""
    for card in range(CARD_TYPES):
        worth[card] = later_worth(card)


@kernel
def weigh_tokens(worth: Numbers) -> None:
    for token in range(len(TOKENS)):
        worth[TAKE_FROM + token] = TOKEN[token]


@kernel
def weigh_holders(s: State, worth: Numbers) -> None:
    """The later a player comes in the next trick, the better it knows what a token does."""
    for steps in range(s.players):
        worth[GIVE_FROM + steps] = steps
