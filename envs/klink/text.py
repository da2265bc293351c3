"""Klink in words: names of actions, the state as named values, the table as text."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from parlour.envs.core.jit import plain
from parlour.envs.core.record import NOBODY, State
from parlour.envs.klink import observation, rules
from parlour.envs.klink.components import KINDS, LOWEST, MAX_ABILITIES, VALUES
from parlour.envs.klink.rules import FIRST_ABILITY, FIRST_PLAYER, FIRST_VALUE, KEEP, NOTHING

PHASES = ("look", "keep or pass", "ability", "swap own", "swap player", "swap their", "high low player", "over")
ASKS = (
    "look at one of the two cards",
    "keep the two cards or pass them on",
    "use a visible ability",
    "choose an own card to SWAP",
    "choose a player to SWAP with",
    "choose a card of the other player",
    "choose a player for HIGH_LOW",
    "the game is over",
)

chosen_seat, can_use = plain(rules.chosen_seat), plain(rules.can_use)
face_down_drawn, drawn = plain(rules.face_down_drawn), plain(rules.drawn)
known_slot = plain(observation.known_slot)


def decode(action: int) -> tuple[str, int]:
    """(verb, what) of an action id [KLI-50]: slot, 0, clockwise distance, kind or value."""
    if action < KEEP:
        return "look", action
    if action == KEEP:
        return "keep", 0
    if action < FIRST_ABILITY:
        return "player", action - FIRST_PLAYER + 1
    if action < FIRST_VALUE:
        return "ability", action - FIRST_ABILITY
    return "value", action - FIRST_VALUE + LOWEST


def action_text(action: int) -> str:
    verb, what = decode(action)
    if verb == "look":
        return f"look at slot {what}"
    if verb == "player":
        return f"player {what} clockwise"
    if verb == "ability":
        return f"use {KINDS[what]}"
    return f"card {what}" if verb == "value" else "keep both"


def action_text_now(s: State, action: int) -> str:
    """An action in words, with the seat of the player chosen, and what a card is chosen for."""
    verb, what = decode(action)
    if verb == "value" and int(s.phase) in _SWAPPING:
        return f"{_SWAPPING[int(s.phase)]} {what}"
    if verb != "player" or what >= int(s.players):
        return action_text(action)
    seat = (int(s.player) + what) % int(s.players)
    return f"{_TOWARDS.get(int(s.phase), 'choose')} player_{seat}"


_SWAPPING = {rules.SWAP_OWN: "give the", rules.SWAP_THEIR: "take the"}
_TOWARDS = {
    rules.KEEP_OR_PASS: "pass both to",
    rules.SWAP_PLAYER: "SWAP with",
    rules.HIGH_LOW_PLAYER: "HIGH_LOW with",
}


def why_not(s: State, action: int) -> str:
    """Why the player to move cannot play this action."""
    verb, what = decode(action)
    if verb not in _EXPECTED[int(s.phase)]:
        return f"the decision is to {ASKS[int(s.phase)]}"
    if verb == "player":
        return _why_not_player(s, action, what)
    if verb == "ability":
        return _why_not_ability(s, what)
    whose = "they have" if int(s.phase) == rules.SWAP_OWN else f"player_{int(s.target_seat)} has"
    return f"{whose} no face-up {what}"


_EXPECTED = (("look",), ("keep", "player"), ("ability",), ("value",), ("player",), ("value",), ("player",), ())


def _why_not_player(s: State, action: int, steps: int) -> str:
    if steps >= int(s.players):
        return f"there are {int(s.players)} players"
    who = f"player_{chosen_seat(s, action)}"
    if int(s.phase) == rules.KEEP_OR_PASS:
        return f"{who} has been offered the cards already"
    return f"{who} has no face-up card"


def _why_not_ability(s: State, kind: int) -> str:
    if kind not in s.visible:
        return f"{KINDS[kind]} is not visible"
    return "no other player has a face-up card, and another visible ability can be used"


def face_up(s: State, seat: int) -> list[int]:
    """The face-up values of a seat, ascending."""
    return [value + LOWEST for value in range(VALUES) if int(s.face_up[seat]) >> value & 1]


def face_down(s: State, seat: int) -> list[int]:
    return [value + LOWEST for value in range(VALUES) for _ in range(2 * int(s.pairs[seat, value]))]


def number_deck(s: State) -> list[int]:
    """The number deck, top first."""
    return [int(value) + LOWEST for value in s.deck[int(s.top) : int(s.cards)]]


def slots(s: State) -> list[int]:
    """This turn's two cards while they lie face down."""
    return [int(drawn(s, slot)) + LOWEST for slot in (0, 1)] if face_down_drawn(s) else []


def ability_deck(s: State) -> list[str]:
    return _kinds(s.ability_deck[int(s.ability_top) : MAX_ABILITIES])


def ability_discard(s: State) -> list[str]:
    """In alphabetical order: which came first does not matter."""
    return sorted(KINDS[kind] for kind, count in enumerate(s.discard) for _ in range(int(count)))


def offered(s: State) -> list[int]:
    """The seats that have held this turn's cards, in the order they got them."""
    return sorted((seat for seat in range(int(s.players)) if s.offered[seat]), key=lambda seat: int(s.offered[seat]))


def describe(s: State) -> dict[str, Any]:
    seats = range(int(s.players))
    held = offered(s)
    return {
        "round": int(s.round_number),
        "phase": PHASES[int(s.phase)],
        "player": None if int(s.player) == NOBODY else int(s.player),
        "turn_player": held[0],
        "holder": held[-1],
        "offered": held,
        "looked": [_chosen(s.looked[seat]) for seat in seats],
        "drawn": slots(s) or [None, None],
        "number_deck": number_deck(s),
        "ability_deck": ability_deck(s),
        "ability_discard": ability_discard(s),
        "visible": _kinds(s.visible),
        "face_up": [face_up(s, seat) for seat in seats],
        "face_down": [face_down(s, seat) for seat in seats],
        "pending_own": None if int(s.own_value) == NOTHING else int(s.own_value) + LOWEST,
        "pending_target": _chosen(s.target_seat),
        "scores": [int(s.totals[seat]) for seat in seats],
    }


def board(s: State) -> str:
    """The public table: neither the order of a deck nor a card that lies face down unseen."""
    told = describe(s)
    lines = [
        f"Round {told['round']}, {told['phase']}. The game ends at {int(s.target)} points, and the lowest total wins.",
        f"Numbers: {len(told['number_deck'])} in the deck.",
        f"Abilities: {_counted(told['visible'])} visible; {len(told['ability_deck'])} in the deck; "
        f"discarded: {_counted(told['ability_discard'])}.",
        _turn(s, told),
    ]
    for seat, total in enumerate(told["scores"]):
        mover = ">" if told["player"] == seat else " "
        lines.append(f"{mover} player_{seat}: {total} points, {int(s.collected[seat])} cards")
        lines += [f"    {name:9} {' '.join(map(str, cards))}" for name, cards in _zones(told, seat) if cards]
    return "\n".join(lines)


def private(s: State, seat: int) -> list[str]:
    """The card that a seat has looked at, as long as it lies face down [KLI-40]."""
    slot = int(known_slot(s, seat))
    return [] if slot == NOTHING else [f"player_{seat} knows: slot {slot} is {slots(s)[slot]}."]


def _turn(s: State, told: dict[str, Any]) -> str:
    """Who has what to do with this turn's cards, and who has looked at which."""
    verb = "holds" if face_down_drawn(s) else "has kept"
    looks = [f"player_{seat} looked at slot {told['looked'][seat]}" for seat in told["offered"] if s.looked[seat] >= 0]
    parts = [f"player_{told['holder']} {verb} the cards that player_{told['turn_player']} drew", *looks]
    if told["pending_own"] is not None:
        parts.append(f"SWAP gives the {told['pending_own']}")
    if told["pending_target"] is not None:
        parts.append(f"SWAP with player_{told['pending_target']}")
    return "; ".join(parts) + "."


def _zones(told: dict[str, Any], seat: int) -> tuple[tuple[str, list[int]], ...]:
    return ("face up", told["face_up"][seat]), ("face down", told["face_down"][seat])


def components(s: State) -> dict[str, int]:
    """Number cards by value and ability cards by kind, wherever they lie."""
    seats = range(int(s.players))
    numbers = number_deck(s) + slots(s)
    numbers += [value for seat in seats for value in face_up(s, seat) + face_down(s, seat)]
    abilities = ability_deck(s) + _kinds(s.visible) + ability_discard(s)
    return {str(card): count for card, count in Counter([*sorted(numbers), *sorted(abilities)]).items()}


def _kinds(kinds: Iterable[Any]) -> list[str]:
    return [KINDS[int(kind)] for kind in kinds]


def _chosen(number: Any) -> int | None:
    return None if int(number) == NOTHING else int(number)


def _counted(names: list[str]) -> str:
    counts = Counter(names)
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items()) or "-"
