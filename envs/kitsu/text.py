"""Kitsu in words: names of actions, the state as named values, the table as text."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from parlour.envs.core.jit import plain
from parlour.envs.core.record import NOBODY, State
from parlour.envs.kitsu import state
from parlour.envs.kitsu.components import (
    AS_SEEN_BY,
    BLACK,
    CARD_TYPES,
    CARDS,
    COLOURS,
    DESTROY_FROM,
    GIVE_FROM,
    HIDE,
    INVERT,
    KATANA,
    MODE_AS_SEEN_BY,
    NO_CARD,
    NO_COLOUR,
    NO_TOKEN,
    PICK_FROM,
    PICK_NONE,
    PLAIN,
    RECOVER,
    SPECIALS,
    TAKE_FROM,
    TOKENS,
    VALUES,
    WHITE,
)

PHASES = ("exchange", "play", "katana", "recover", "take token", "give token", "over")
ASKED = {
    "exchange": ("play", "put a card aside"),
    "play": ("play", "play a card"),
    "katana": ("destroy", "choose what the Katana destroys"),
    "recover": ("recover", "choose a card to recover"),
    "take token": ("take", "take a token"),
    "give token": ("give", "give the token"),
}
"""The verb of the actions of a phase, and what they are for."""
LAID = (None, "PLUS3 blue", "PLUS3 orange", "NO_ADVANCE", "HIDE", "RECOVER", "INVERT")
MODES = ("", *(f" with {token}" for token in ("PLUS3 for own", "PLUS3 for other", *TOKENS[1:])))
SEEN = (*(f"{whose} {value}" for whose in ("own", "other") for value in VALUES), *SPECIALS)
"""Card types as the acting player counts them [KIT-50]."""
POSITIONS = tuple(f"card {position} of the trick" for position in range(1, 7))
FAMILIES = {
    "play": 0,
    "destroy": DESTROY_FROM,
    "recover": PICK_FROM,
    "recover none": PICK_NONE,
    "take": TAKE_FROM,
    "give": GIVE_FROM,
}
"""The first action of each verb."""

clan_of, demanded = plain(state.clan_of), plain(state.demanded)
exchanged, giver_to, seat_of_play = plain(state.exchanged), plain(state.giver_to), plain(state.seat_of_play)
last_trick, seat_at, trick = plain(state.last_trick), plain(state.seat_at), plain(state.trick)


# --- Actions


def decode(action: int) -> tuple[str, int]:
    """(verb, number within its family) of an action id [KIT-50]."""
    verb = [verb for verb, first in FAMILIES.items() if first <= action][-1]
    return verb, action - FAMILIES[verb]


def action_text(action: int) -> str:
    """Colours are those of the acting player's clan; in the exchange, plain plays put the card aside."""
    verb, number = decode(action)
    if verb == "play":
        return f"play {SEEN[number % CARD_TYPES]}{MODES[number // CARD_TYPES]}"
    if verb == "give":
        return "keep the token" if number == 0 else f"give the token {number} seats on"
    if verb == "recover none":
        return verb
    objects = {"destroy": POSITIONS, "recover": SEEN, "take": TOKENS}[verb]
    return f"{verb} {objects[number]}"


def action_text_now(s: State, action: int) -> str:
    """An action in words, with printed colours and seats; in the exchange a card is put aside, not played."""
    verb, number = decode(action)
    text = action_text(action)
    if verb == "destroy" and number < int(s.on_table) and int(s.laid[number]) != HIDE:
        return f"destroy {CARDS[trick(s)[number]]} of player_{seat_at(s, number)}"
    if verb == "give" and number:
        return f"give the token to player_{(int(s.player) + number) % int(s.players)}"
    if verb == "play" and int(s.phase) == state.EXCHANGE:
        text = text.replace("play", "put aside")
    own = int(clan_of(int(s.player)))
    return text.replace("own", COLOURS[own]).replace("other", COLOURS[1 - own])


def overheard(s: State, action: int) -> str:
    """What the others learn of an action: no card that is put aside, hidden or recovered [KIT-13, KIT-32, KIT-33]."""
    verb, number = decode(action)
    if verb == "play" and int(s.phase) == state.EXCHANGE:
        return "put a card aside"
    if verb == "play" and number // CARD_TYPES == HIDE:
        return "play a hidden card with HIDE"
    return "recover a card" if verb == "recover" else action_text_now(s, action)


def why_not(s: State, action: int) -> str:
    verb, number = decode(action)
    phase = PHASES[int(s.phase)]
    fitting, asked = ASKED[phase]
    if not verb.startswith(fitting):
        return f"they are to {asked}"
    if verb == "play":
        return _why_not_play(s, number // CARD_TYPES, number % CARD_TYPES)
    if verb == "destroy":
        return _why_not_destroy(s, number)
    if verb == "recover":
        return f"there is no {SEEN[number]} in the last trick"
    return f"{TOKENS[number]} is not in the pool" if verb == "take" else "no member of their clan sits there"


def _why_not_play(s: State, mode: int, seen: int) -> str:
    seat = int(s.player)
    clan = int(clan_of(seat))
    card, mode = int(AS_SEEN_BY[clan, seen]), int(MODE_AS_SEEN_BY[clan, mode])
    if not s.hands[seat, card]:
        return f"they have no {SEEN[seen]} ({CARDS[card]})"
    if mode != PLAIN and PHASES[int(s.phase)] == "exchange":
        return "no token is used in the exchange"
    if mode != PLAIN and int(s.held[seat]) != max(mode, 2) - 2:
        return f"they do not hold {TOKENS[max(mode, 2) - 2]}"
    if mode == HIDE and card in (BLACK, KATANA):
        return f"a {CARDS[card]} cannot be hidden"
    if mode == RECOVER and int(s.tricks) == 0:
        return "no trick has been finished since the shuffle"
    return f"a Black Kitsune asks for {COLOURS[int(demanded(s, int(s.on_table)))]}"


def _why_not_destroy(s: State, position: int) -> str:
    if position >= int(s.on_table):
        return f"the trick has {int(s.on_table)} cards"
    if int(seat_at(s, position)) == int(s.player):
        return "that card is their own"
    if int(s.laid[position]) == HIDE:
        return "that card is hidden"
    if int(s.destroyed) >> position & 1:
        return "that card is destroyed already"
    return "that is no number card"


# --- The state as named values


def describe(s: State) -> dict[str, Any]:
    """Every zone by name; cards in the order of their names, the pile top first."""
    seats = range(int(s.players))
    done = bool(exchanged(s))
    colour = int(demanded(s, int(s.on_table)))
    given = [_card(s.given[seat]) for seat in seats]
    return {
        "phase": PHASES[-1] if int(s.player) == NOBODY else PHASES[int(s.phase)],
        "player": None if int(s.player) == NOBODY else int(s.player),
        "truncated": bool(s.truncated),
        "hands": [_names(_spread(s.hands[seat])) for seat in seats],
        "pile": [CARDS[card] for card in s.pile[: int(s.pile_size)][::-1]],
        "trick": _trick(s),
        "last_trick": _names(_without_taken(s, last_trick(s)) if int(s.tricks) else []),
        "discard": _names(_discard(s)),
        "aside": [None] * len(seats) if done else given,
        "given": given if done else [None] * len(seats),
        "received": [given[giver_to(s, seat)] if done else None for seat in seats],
        "pawns": [int(space) for space in s.pawns],
        "rounds_won": [int(won) for won in s.rounds_won],
        "leader": int(s.leader),
        "tokens": [None if int(s.held[seat]) == NO_TOKEN else TOKENS[int(s.held[seat])] for seat in seats],
        "pool": [token for t, token in enumerate(TOKENS) if int(s.pool) >> t & 1],
        "out": [token for t, token in enumerate(TOKENS) if not int(s.pool) >> t & 1 and t not in s.held[: len(seats)]],
        "tricks": int(s.tricks),
        "decisions": int(s.decisions),
        "toggles": _toggles(s),
        "demand": None if colour == NO_COLOUR else COLOURS[colour],
        "voids": [[COLOURS[1 - int(clan_of(seat))]] if s.voids[seat] else [] for seat in seats],
        "scores": [int(s.rounds_won[int(clan_of(seat))]) for seat in seats],
    }


def _trick(s: State) -> list[dict[str, Any]]:
    return [
        {
            "seat": int(seat_at(s, position)),
            "card": CARDS[card],
            "destroyed": bool(int(s.destroyed) >> position & 1),
            "hidden": int(s.laid[position]) == HIDE,
            "token": LAID[int(s.laid[position])],
        }
        for position, card in enumerate(trick(s))
    ]


def _toggles(s: State) -> int:
    """Inversions in sight: White Kitsune face up, and INVERT."""
    modes = [int(s.laid[position]) for position in range(int(s.on_table))]
    white = sum(card == WHITE and mode != HIDE for card, mode in zip(trick(s), modes, strict=True))
    return int(white) + modes.count(INVERT)


def _without_taken(s: State, cards: Iterable[int]) -> list[int]:
    """The cards of the last trick that are still there."""
    left = [int(card) for card in cards]
    size = int(s.trick_size)
    if int(s.taker) != NOBODY and (int(s.taken_at) - 1) // size == int(s.tricks):
        left.remove(int(s.taken))
    return left


def _discard(s: State) -> list[int]:
    """The finished tricks but for a card recovered, and the hands left when the game was won."""
    cards = Counter(int(card) for card in s.plays[: int(s.tricks) * int(s.trick_size)])
    cards.update(_spread(s.leftover))
    if int(s.taker) != NOBODY:
        cards[int(s.taken)] -= 1
    return list(cards.elements())


def components(s: State) -> dict[str, int]:
    """Cards by type and tokens, wherever they lie."""
    cards = Counter(CARDS[card] for card in _discard(s) + [int(card) for card in trick(s)])
    cards.update(CARDS[card] for card in s.pile[: int(s.pile_size)])
    for seat in range(int(s.players)):
        cards.update(_names(_spread(s.hands[seat])))
    if not exchanged(s):
        cards.update(CARDS[card] for card in s.given[: int(s.players)] if card != NO_CARD)
    held = Counter(int(token) for token in s.held[: int(s.players)])
    tokens = {name: max(held[t] + (int(s.pool) >> t & 1), 1) for t, name in enumerate(TOKENS)}
    return dict(cards) | tokens


# --- The table as text


def board(s: State) -> str:
    """What lies open to everyone: no hands, no hidden cards, no discard."""
    told = describe(s)
    track = int(s.track_length)
    blue, orange = (
        f"{colour} {told['pawns'][i]}/{track}, {told['rounds_won'][i]} won" for i, colour in enumerate(COLOURS)
    )
    pile = f" Pile: {len(told['pile'])} cards." if int(s.players) == 2 else ""
    lines = [
        f"{told['phase'].capitalize()}. {blue}; {orange}. Tricks since the shuffle: {told['tricks']}.{pile}",
        f"Tokens in the pool: {', '.join(told['pool']) or '-'}. Used this round: {', '.join(told['out']) or '-'}.",
    ]
    for seat, hand in enumerate(told["hands"]):
        mover = ">" if told["player"] == seat else " "
        notes = [f"{len(hand)} cards"]
        notes += ["leader"] if told["leader"] == seat else []
        notes += ["has chosen"] if told["aside"][seat] else []
        notes += [f"holds {told['tokens'][seat]}"] if told["tokens"][seat] else []
        lines.append(f"{mover} player_{seat} ({COLOURS[seat % 2]}): {', '.join(notes)}")
    lines.append(f"Trick: {', '.join(map(_laid_card, told['trick'])) or '-'}{_standing(told)}")
    return "\n".join(lines)


def private(s: State, seat: int) -> list[str]:
    """A seat's hand, its part in the exchange, its hidden card, and the last trick, which it can recall [KIT-45]."""
    told, who = describe(s), f"player_{seat}"
    if told["player"] is None:
        return []
    lines = [f"{who} holds {', '.join(told['hands'][seat]) or 'no cards'}."]
    if told["aside"][seat]:
        lines.append(f"{who} has put {told['aside'][seat]} aside.")
    if told["given"][seat]:
        lines.append(f"{who} gave {told['given'][seat]} and got {told['received'][seat]} in the exchange.")
    hidden = [played["card"] for played in told["trick"] if played["hidden"] and played["seat"] == seat]
    lines += [f"{who} has hidden {card}." for card in hidden]
    return [*lines, *_recalled(s)]


def _recalled(s: State) -> list[str]:
    """The last trick, face up whoever recovered a card of it."""
    if not int(s.tricks):
        return []
    first = (int(s.tricks) - 1) * int(s.trick_size)
    cards = [f"player_{seat_of_play(s, first + i)} {CARDS[card]}" for i, card in enumerate(last_trick(s))]
    return [f"Last trick: {', '.join(cards)}."]


def _laid_card(played: dict[str, Any]) -> str:
    name = "a hidden card" if played["hidden"] else played["card"]
    token = f" with {played['token']}" if played["token"] and not played["hidden"] else ""
    return f"player_{played['seat']} {name}{token}{' (destroyed)' if played['destroyed'] else ''}"


def _standing(told: dict[str, Any]) -> str:
    """What the cards in sight do to the trick."""
    inverted = ". Inverted" if told["toggles"] % 2 else ""
    return inverted + (f". The next card must be {told['demand']} if possible" if told["demand"] else "")


def _card(card: int) -> str | None:
    return None if int(card) == NO_CARD else CARDS[int(card)]


def _names(cards: Iterable[int]) -> list[str]:
    return sorted(CARDS[card] for card in cards)


def _spread(counts: NDArray[Any]) -> list[int]:
    """[0, 2, 1] as [1, 1, 2]."""
    return [card for card, count in enumerate(counts) for _ in range(int(count))]
