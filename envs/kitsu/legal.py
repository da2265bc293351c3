"""Which actions of Kitsu are legal. Clauses in brackets are those of RULES.md."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers, State
from parlour.envs.kitsu.components import (
    AS_SEEN_BY,
    BLACK,
    CARD_TYPES,
    DESTROY_FROM,
    GIVE_FROM,
    HIDE,
    KATANA,
    NO_COLOUR,
    NO_TOKEN,
    PICK_FROM,
    PICK_NONE,
    PLUS3_TOKEN,
    RECOVER_TOKEN,
    TAKE_FROM,
    TOKENS,
    WHITE,
)
from parlour.envs.kitsu.state import (
    EXCHANGE,
    PICK,
    PLAY,
    STRIKE,
    TAKE,
    clan_of,
    demanded,
    last_trick,
    trick,
)


@kernel
def legal(s: State, mask: Numbers) -> None:
    mask[:] = False
    if s.phase == PLAY:
        legal_plays(s, mask)
    elif s.phase == EXCHANGE:
        legal_cards(s, demanded(s, int(s.on_table)), mask)
    elif s.phase == STRIKE:
        legal_targets(s, mask)
    elif s.phase == PICK:
        legal_picks(s, mask)
    elif s.phase == TAKE:
        legal_takes(s, mask)
    else:
        legal_gifts(s, mask)


@kernel
def legal_cards(s: State, colour: int, mask: Numbers) -> None:
    """The cards in the hand of the player to move, only those of a colour if one is asked for [KIT-50]."""
    hand = s.hands[s.player]
    clan = clan_of(s.player)
    first, stop = (0, CARD_TYPES) if colour == NO_COLOUR else (6 * colour, 6 * colour + 6)
    for card in range(first, stop):
        mask[AS_SEEN_BY[clan, card]] = hand[card] > 0


@kernel
def holds_colour(s: State, seat: int, colour: int) -> bool:
    """Whether there is a number card of this colour in a hand."""
    found = 0
    for card in range(6 * colour, 6 * colour + 6):
        found += int(s.hands[seat, card])
    return found > 0


@kernel
def legal_plays(s: State, mask: Numbers) -> None:
    """Any card, or one of the colour a Black Kitsune asks for; with or without the own token [KIT-15, KIT-23]."""
    colour = demanded(s, int(s.on_table))
    if colour != NO_COLOUR and not holds_colour(s, s.player, colour):
        colour = NO_COLOUR
    legal_cards(s, colour, mask)
    token = int(s.held[s.player])
    if token != NO_TOKEN and not (token == RECOVER_TOKEN and s.tricks == 0):
        legal_with_token(token, mask)


@kernel
def legal_with_token(token: int, mask: Numbers) -> None:
    """What may be played plainly may be played with the token too, but HIDE does not fit all cards [KIT-32]."""
    mode = mode_of_token(token)
    copy_plain_plays(mask, mode)
    if token == PLUS3_TOKEN:
        copy_plain_plays(mask, mode - 1)
    elif mode == HIDE:
        mask[HIDE * CARD_TYPES + BLACK] = False
        mask[HIDE * CARD_TYPES + KATANA] = False


@kernel
def copy_plain_plays(mask: Numbers, mode: int) -> None:
    row = mask[mode * CARD_TYPES : (mode + 1) * CARD_TYPES]
    for card in range(CARD_TYPES):
        row[card] = mask[card]


@kernel
def mode_of_token(token: int) -> int:
    """The mode of play a token stands for; PLUS3 also for the mode before."""
    return token + 2


@kernel
def legal_targets(s: State, mask: Numbers) -> None:
    for position in range(s.on_table):
        mask[DESTROY_FROM + position] = can_destroy(s, position)


@kernel
def can_destroy(s: State, position: int) -> bool:
    """A Katana hits face-up, undestroyed number cards of other players [KIT-21]."""
    card = trick(s)[position]
    theirs = int(s.on_table) - 1 - position
    if s.players == 2:
        theirs &= 1  # every other card of the trick is the own one
    return card < WHITE and s.laid[position] != HIDE and not (int(s.destroyed) >> position) & 1 and theirs > 0


@kernel
def has_target(s: State) -> bool:
    for position in range(s.on_table):
        if can_destroy(s, position):
            return True
    return False


@kernel
def legal_picks(s: State, mask: Numbers) -> None:
    """Any card of the last trick, or none [KIT-33]."""
    mask[PICK_NONE] = True
    for card in last_trick(s):
        mask[PICK_FROM + AS_SEEN_BY[clan_of(s.player), card]] = True


@kernel
def legal_takes(s: State, mask: Numbers) -> None:
    for token in range(len(TOKENS)):
        mask[TAKE_FROM + token] = (int(s.pool) >> token) & 1


@kernel
def legal_gifts(s: State, mask: Numbers) -> None:
    """To any member of the own clan, the chooser included [KIT-43]."""
    for steps in range(0, s.players, 2):
        mask[GIVE_FROM + steps] = True
