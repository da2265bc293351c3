"""Six cards: a game that compiles in a moment, for tests that need rules of their own.

The cards 1 to 6 lie in a row, the first one open. Whoever is to move takes the open card or, once a game, leaves it;
then the next card is opened and the other player moves. After the last card the higher sum wins.
"""

from dataclasses import replace
from typing import Any

from parlour.envs.core.game import Game, Rules
from parlour.envs.core.jit import kernel
from parlour.envs.core.layout import Actions, Entry, Family, Layout
from parlour.envs.core.record import NOBODY, Field, Numbers, Record, State
from parlour.envs.core.registry import Door
from parlour.envs.core.rewards import share_win
from parlour.envs.core.rng import below, shuffle

CARDS = 6
TAKE, LEAVE = 0, 1

RECORD = Record.of(
    Field("deck", "i1", 1, CARDS, "the cards, first to last", (CARDS,)),
    Field("top", "i1", 0, CARDS, "where the open card lies"),
    Field("points", "i1", 0, 21, "sum of each seat's cards", (2,)),
    Field("has_left", "i1", 0, 1, "whether each seat has left a card", (2,)),
)
ENTRIES = (
    Entry("open_card", (1,), 1, "the open card, / 6"),
    Entry("unseen", (CARDS,), 1, "cards that are still face down"),
    Entry("points", (2,), 3.5, "sums by seat, / 6"),
    Entry("has_left", (2,), 1, "who has left a card, by seat"),
)
LAYOUT = Layout(ENTRIES)
WHOLE = Layout((*ENTRIES, Entry("deck", (CARDS,), 1, "the cards, first to last, / 6")))
ACTIONS = Actions((Family("take", 1, "take the open card"), Family("leave", 1, "leave it")))


@kernel
def setup(s: State) -> None:
    for i in range(CARDS):
        s.deck[i] = i + 1
    shuffle(s, s.deck, 0, CARDS)
    s.player = below(s, 2)


@kernel
def legal(s: State, mask: Numbers) -> None:
    mask[:] = False
    mask[TAKE] = True
    mask[LEAVE] = s.has_left[s.player] == 0


@kernel
def apply(s: State, action: int) -> None:
    seat = int(s.player)
    if action == TAKE:
        s.points[seat] += s.deck[s.top]
    else:
        s.has_left[seat] = 1
    s.top += 1
    s.player = 1 - seat if s.top < CARDS else NOBODY


@kernel
def observe(s: State, seat: int, out: Numbers) -> int:
    out[:] = 0.0
    if s.top < CARDS:
        out[0] = s.deck[s.top] / CARDS
    for i in range(int(s.top) + 1, CARDS):
        out[int(s.deck[i])] = 1
    for owner in range(2):
        place = CARDS + 1 + (owner + int(seat)) % 2
        out[place] = s.points[owner] / CARDS
        out[place + 2] = s.has_left[owner]
    return CARDS + 5


@kernel
def reveal(s: State, seat: int, out: Numbers) -> int:
    at = observe(s, seat, out)
    for i in range(CARDS):
        out[at + i] = s.deck[i] / CARDS
    return at + CARDS


@kernel
def redeal(s: State, seat: int) -> None:
    shuffle(s, s.deck, min(int(s.top) + 1, CARDS), CARDS)


@kernel
def scores(s: State, out: Numbers) -> None:
    for seat in range(2):
        out[seat] = s.points[seat]


@kernel
def returns(s: State, out: Numbers) -> None:
    lead = int(s.points[0]) - int(s.points[1])
    share_win(s, 3 if lead == 0 else 1 if lead > 0 else 2, out)


RULES = Rules("toy", RECORD, setup, legal, apply, observe, observe, reveal, redeal, scores, returns)


def describe(state: State) -> dict[str, Any]:
    return {"deck": state.deck.tolist(), "top": int(state.top), "points": state.points.tolist()}


def why_not(state: State, action: int) -> str:
    return "they have left a card before"


def components(state: State) -> dict[str, int]:
    return {f"card {card}": 1 for card in state.deck.tolist()}


GAME = Game(
    name="toy",
    title="Six cards",
    version=0,
    config={},
    players=2,
    teams=2,
    rules=RULES,
    blank=RECORD.blank(players=2),
    actions=ACTIONS,
    layout=LAYOUT,
    memory=LAYOUT,
    whole=WHOLE,
    action_text=("take", "leave").__getitem__,
    describe=describe,
    board=lambda state: repr(describe(state)),
    why_not=why_not,
    components=components,
)


def game(owner: str, record: Record = RECORD, **changed: Any) -> Game:
    """The game with other rules, which `owner` names; what is no rule is changed in the `Game`."""
    rules = {role: changed.pop(role) for role in list(changed) if role in RULES.functions()}
    blank = record.blank(players=2)
    return replace(GAME, rules=replace(RULES, owner=owner, record=record, **rules), blank=blank, **changed)


DOOR = Door("toy", "Six cards", 0, __name__, {})


def make(door: Door) -> Game:
    """What the registry calls, for tests that register the game."""
    return GAME
