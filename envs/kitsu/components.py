"""The pieces of Kitsu: card types, the two decks, the power tokens, and the numbers of the actions."""

from collections.abc import Sequence

import numpy as np

COLOURS = ("blue", "orange")
BLUE, ORANGE, NO_COLOUR = 0, 1, 2
SPECIALS = ("white", "black", "katana")
VALUES = range(1, 7)
CARDS = (*(f"{colour} {value}" for colour in COLOURS for value in VALUES), *SPECIALS)
"""Names of the card types: blue 1 to 6, orange 1 to 6, the specials."""
CARD_TYPES = len(CARDS)
WHITE, BLACK, KATANA = 12, 13, 14
NO_CARD = -1

TOKENS = ("PLUS3", "NO_ADVANCE", "HIDE", "RECOVER", "INVERT")
"""The power tokens, one of each [KIT-3]."""
ALL_TOKENS = 2 ** len(TOKENS) - 1
NO_TOKEN = -1
PLUS3_TOKEN, RECOVER_TOKEN = 0, 3
MODES = 7
PLAIN, PLUS3_BLUE, PLUS3_ORANGE, NO_ADVANCE, HIDE, RECOVER, INVERT = range(MODES)
"""How a card is played: plain, or with a token; PLUS3 names the colour it adds to [KIT-50]."""

MAX_PLAYERS = 6
MAX_CARDS = 30
MAX_TRICK = 6
PILE = 12
"""Cards in the pile of two players [KIT-12]."""
MAX_COPIES = 4
ADVANCE_FOR_TOKEN = 4
ROUNDS_TO_WIN = 2
MAX_TRACK = 100
MOST_DECISIONS = 2000
"""Where a game is cut short [KIT-46]."""

DESTROY_FROM, PICK_FROM, PICK_NONE, TAKE_FROM, GIVE_FROM, ACTIONS = 105, 111, 126, 127, 132, 138
"""Where the families of actions begin, after the plays [KIT-50]."""


def _copies(numbers: Sequence[int]) -> list[int]:
    return [*numbers, *numbers, *(2 for _ in SPECIALS)]


COPIES = np.array([_copies((3, 2, 1, 1, 1, 1)), _copies((4, 3, 2, 1, 1, 1))], np.int64)
"""Cards of each type for 2 and 4 players, and for 6 [KIT-1]."""
DECKS = np.zeros((2, MAX_CARDS), np.int8)
"""The same as cards, in order of their types."""
for _size, _counts in enumerate(COPIES):
    DECKS[_size, : _counts.sum()] = np.repeat(np.arange(CARD_TYPES), _counts)

AS_SEEN_BY = np.array([range(CARD_TYPES), (*range(6, 12), *range(6), WHITE, BLACK, KATANA)], np.int64)
"""A card type as a clan counts it, own colour first; the same table leads back [KIT-50]."""
MODE_AS_SEEN_BY = np.array([range(MODES), (0, 2, 1, 3, 4, 5, 6)], np.int64)
"""The same for modes of play."""
COLOUR_OF = np.array([BLUE] * 6 + [ORANGE] * 6 + [NO_COLOUR] * 3, np.int64)
"""Printed colours; that of `NO_CARD` is `NO_COLOUR` too."""
FOR_BLUE = np.array([*VALUES, *(-value for value in VALUES), 0, 0, 0], np.int64)
"""What a number card adds to blue's lead over orange in a trick."""
