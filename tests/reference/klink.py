"""Klink, slowly and plainly: the rules again, written apart from the kernels, for tests to compare against.

Every rule cites its clause in RULES.md (KLI-...). All chance goes through one callable, so a test can deal to this
game exactly what another implementation dealt.
"""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

NOBODY = -1
LOWEST_VALUE, HIGHEST_VALUE = -5, 20
MIN_PLAYERS, MAX_PLAYERS = 2, 6
VISIBLE_ABILITIES = 3
CARDS_THAT_END_A_ROUND = 10
BONUS = 10  # taken off for the most cards, added for the fewest
MAX_ROUNDS = 50
MARGIN_UNIT = 100

SWAP, DRAW_ALL, HIGH_LOW = "SWAP", "DRAW_ALL", "HIGH_LOW"
KINDS = [SWAP, DRAW_ALL, HIGH_LOW]

DEFAULT_NUMBERS: dict[int, int] = {  # KLI-1: value -> count
    value: 3 if 0 <= value <= 10 else 2 for value in range(LOWEST_VALUE, HIGHEST_VALUE + 1)
}
DEFAULT_ABILITIES: dict[str, int] = {SWAP: 4, DRAW_ALL: 4, HIGH_LOW: 4}  # KLI-2: kind -> count

# The phases: what the player to move is asked (KLI-51).
LOOK = "look"
KEEP_OR_PASS = "keep or pass"
ABILITY = "ability"
SWAP_OWN = "swap own"
SWAP_PLAYER = "swap player"
SWAP_THEIR = "swap their"
HIGH_LOW_PLAYER = "high low player"
OVER = "over"

# The 37 actions (KLI-50).
FIRST_LOOK = 0
KEEP = 2
FIRST_PLAYER = 3  # clockwise distance 1
FIRST_ABILITY = 8
FIRST_VALUE = 11  # the value -5
ACTIONS = 37

T = TypeVar("T")
Chance = Callable[[str, list[Any]], Any]


class RandomChance:
    """Chance for self-play: a fair shuffle, a fair choice of the starter."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def __call__(self, purpose: str, options: list[T]) -> T | list[T]:
        """One of the options for "starter", all of them in a random order otherwise."""
        if purpose == "starter":
            return self.random.choice(options)
        return self.random.sample(options, len(options))


def encode_distance(distance: int) -> int:
    """The action that chooses the player so many seats clockwise of the actor."""
    return FIRST_PLAYER + distance - 1


def encode_ability(kind: str) -> int:
    """The action that uses a visible ability of this kind."""
    return FIRST_ABILITY + KINDS.index(kind)


def encode_value(value: int) -> int:
    """The action that names a card value."""
    return FIRST_VALUE + value - LOWEST_VALUE


def without_pairs(cards: list[int]) -> tuple[list[int], list[int]]:
    """Split face-up cards into those that stay face up and those that turn face down in pairs (KLI-15, KLI-18)."""
    stay: list[int] = []
    turned: list[int] = []
    for value, copies in sorted(Counter(cards).items()):
        stay += [value] * (copies % 2)
        turned += [value] * (copies - copies % 2)
    return stay, turned


def has_triad(face_up: list[int], new: list[int]) -> bool:
    """Whether three consecutive face-up values include a newly kept card that is still face up (KLI-16)."""
    for low in range(LOWEST_VALUE, HIGHEST_VALUE - 1):
        triad = [low, low + 1, low + 2]
        if all(value in face_up for value in triad) and any(value in new for value in triad):
            return True
    return False


def round_scores(face_up: list[list[int]], face_down: list[list[int]]) -> list[int]:
    """What each seat scores in a round that ends with these collections (KLI-30)."""
    sizes = [len(up) + len(down) for up, down in zip(face_up, face_down, strict=True)]
    most = max(sizes)
    fewest = min(size for size in sizes if size > 0)
    scores = []
    for up, size in zip(face_up, sizes, strict=True):
        score = sum(up)
        if size == most:
            score -= BONUS
        if size == fewest:
            score += BONUS
        scores.append(score if size > 0 else 0)
    return scores


def outcome_returns(totals: list[int]) -> list[Fraction]:
    """Rewards for winning: the lowest total wins, ties share (KLI-31)."""
    players = len(totals)
    winners = totals.count(min(totals))
    won = (Fraction(players, winners) - 1) / (players - 1)
    lost = Fraction(-1, players - 1)
    return [won if total == min(totals) else lost for total in totals]


def margin_returns(totals: list[int]) -> list[Fraction]:
    """Rewards by margin: own result minus the mean of the others' results, a result being minus the total."""
    results = [-total for total in totals]
    others = len(totals) - 1
    return [(result - Fraction(sum(results) - result, others)) / MARGIN_UNIT for result in results]


def check_options(players: int, target: int, numbers: Mapping[int, int], abilities: Mapping[str, int]) -> None:
    """Refuse what KLI-1, KLI-2 and the player range do not allow."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"players is {players}, expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    if target < 1:
        raise ValueError(f"target is {target}, expected at least 1")
    if min(numbers.values(), default=0) < 0 or min(abilities.values(), default=0) < 0:
        raise ValueError("a card count is negative")
    if any(not LOWEST_VALUE <= value <= HIGHEST_VALUE for value in numbers):
        raise ValueError(f"number cards have values {sorted(numbers)}, expected {LOWEST_VALUE} to {HIGHEST_VALUE}")
    if sum(numbers.values()) < 10 * players + 2:
        raise ValueError(f"{sum(numbers.values())} number cards for {players} players, need {10 * players + 2}")
    if any(kind not in KINDS for kind in abilities):
        raise ValueError(f"ability kinds are {sorted(abilities)}, expected only {KINDS}")
    if sum(abilities.values()) < VISIBLE_ABILITIES:
        raise ValueError(f"{sum(abilities.values())} ability cards, need at least {VISIBLE_ABILITIES}")


class Klink:
    """One game of Klink, always stopped at a decision or over.

    `chance(purpose, options)` is asked, in this order: once "starter" (the seats; answer one of them), then in the
    set-up of every round "numbers" and "abilities" (all the cards; answer the same cards as a deck, top first; the
    first three abilities become visible slots 0, 1, 2), and "abilities" again with the discard alone when KLI-17
    reshuffles it (always fewer cards than the whole table, since two stay visible; the first one is revealed). The
    reshuffle is asked for even if the round, or the game, then ends in the same move: any order will do there.

    `describe()` returns the whole state, with these keys:

    - "round": int, the number of the round being played, from 1; when over, of the last one played.
    - "phase": "look", "keep or pass", "ability", "swap own", "swap player", "swap their", "high low player" or "over".
    - "player": seat to move, None when over.
    - "turn_player": seat that drew this turn's two cards.
    - "holder": seat that holds the two cards, or has kept them. Every decision is the holder's.
    - "offered": seats that have held this turn's two cards, in the order they got them: the turn's player first, the
      holder last.
    - "looked": per seat, the slot (0 or 1) it looked at this turn, or None. A forced keeper (KLI-13) looks at none.
    - "drawn": the values in slots 0 and 1 while face down; [None, None] once they are kept.
    - "number_deck": values, top first, without the drawn cards.
    - "ability_deck": kinds, top first.
    - "ability_discard": kinds in alphabetical order.
    - "visible": the kinds in visible slots 0, 1, 2. A new card takes the slot of the used one, which is the first
      slot with the kind used; the used card stays in its slot until its effect is complete.
    - "face_up": per seat, the face-up values in ascending order.
    - "face_down": per seat, the face-down values in ascending order (every value an even number of times).
    - "pending_own": the own value chosen for a SWAP under way, else None. The card is still in face_up.
    - "pending_target": the seat chosen for a SWAP under way, else None.
    - "scores": per seat, the total over the finished rounds.

    When over, the last round's table stays as it was scored, with the last turn's "turn_player", "holder", "offered"
    and "looked"; only "phase", "player" and "scores" tell the difference.

    `knows(seat)` returns that seat's information state (KLI-40): "round", "phase", "player", "turn_player", "holder",
    "offered", "looked", "ability_discard", "visible", "face_up", "face_down", "pending_own", "pending_target" and
    "scores" as in describe(), since these are public, and

    - "seat": the seat that knows this.
    - "peeked": for slots 0 and 1, the value of the drawn card if it is face down and this seat looked at it, else None.
    - "unseen_numbers": value -> how many cards of it this seat has not seen this round (in the deck, or drawn and face
      down and not peeked at by this seat); no zero counts. A perfect memory has no more than this: the drawn cards
      are shown to all when kept, and the orders of the decks are never seen.
    - "unseen_abilities": kind -> how many are in the ability deck; no zero counts.
    """

    phase: str
    player: int
    turn_player: int
    holder: int
    offered: list[int]
    looked: list[int | None]
    drawn: list[int | None]
    number_deck: list[int]
    ability_deck: list[str]
    ability_discard: list[str]
    visible: list[str]
    face_up: list[list[int]]
    face_down: list[list[int]]
    pending_own: int | None
    pending_target: int | None

    def __init__(
        self,
        *,
        players: int = 4,
        target: int = 77,
        numbers: Mapping[int, int] = DEFAULT_NUMBERS,
        abilities: Mapping[str, int] = DEFAULT_ABILITIES,
        reward: str = "outcome",
        chance: Chance,
    ) -> None:
        check_options(players, target, numbers, abilities)
        if reward not in ("outcome", "margin"):
            raise ValueError(f'reward is {reward!r}, expected "outcome" or "margin"')
        self.players = players
        self.target = target
        self.reward = reward
        self.chance = chance
        self.all_numbers = sorted(Counter(dict(numbers)).elements())
        self.all_abilities = sorted(Counter(dict(abilities)).elements())
        self.totals = [0] * players
        self.round = 0
        self.truncated = False
        starter = chance("starter", list(range(players)))
        if starter not in range(players):
            raise ValueError(f"chance made {starter!r} the starter, expected a seat below {players}")
        self._start_round(starter)

    # What a caller asks.

    def legal(self) -> set[int]:
        """The legal action ids (KLI-50); empty when over."""
        if self.phase == LOOK:
            return {FIRST_LOOK, FIRST_LOOK + 1}
        if self.phase == KEEP_OR_PASS:
            return {KEEP} | self._choices_of([seat for seat in self._others() if seat not in self.offered])
        if self.phase == ABILITY:
            usable = [kind for kind in self.visible if self._usable(kind)]
            return {encode_ability(kind) for kind in usable or self.visible}  # KLI-23
        if self.phase == SWAP_OWN:
            return {encode_value(value) for value in self.face_up[self.holder]}
        if self.phase in (SWAP_PLAYER, HIGH_LOW_PLAYER):
            return self._choices_of(self._targets())
        if self.phase == SWAP_THEIR:
            assert self.pending_target is not None
            return {encode_value(value) for value in self.face_up[self.pending_target]}
        return set()

    def apply(self, action: int) -> None:
        """Play a legal action, and everything after it up to the next decision."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal in phase {self.phase!r}: expected {sorted(self.legal())}")
        if self.phase == LOOK:
            self.looked[self.holder] = action - FIRST_LOOK
            self._ask(KEEP_OR_PASS)
        elif self.phase == KEEP_OR_PASS and action == KEEP:
            self._keep()
        elif self.phase == KEEP_OR_PASS:
            self._offer(self._chosen_seat(action))
        elif self.phase == ABILITY:
            self._use_ability(KINDS[action - FIRST_ABILITY])
        elif self.phase == SWAP_OWN:
            self.pending_own = action - FIRST_VALUE + LOWEST_VALUE
            self._ask(SWAP_PLAYER)
        elif self.phase == SWAP_PLAYER:
            self.pending_target = self._chosen_seat(action)
            self._ask(SWAP_THEIR)
        elif self.phase == SWAP_THEIR:
            self._swap(action - FIRST_VALUE + LOWEST_VALUE)
        else:
            self._high_low(self._chosen_seat(action))

    def scores(self) -> list[int]:
        """The totals over the finished rounds."""
        return list(self.totals)

    def returns(self) -> list[Fraction]:
        """The reward of each seat; zeros while the game goes on."""
        if self.phase != OVER:
            return [Fraction(0)] * self.players
        return outcome_returns(self.totals) if self.reward == "outcome" else margin_returns(self.totals)

    def describe(self) -> dict[str, Any]:
        """The whole state; see the class docstring."""
        return self._public() | {
            "drawn": list(self.drawn),
            "number_deck": list(self.number_deck),
            "ability_deck": list(self.ability_deck),
        }

    def knows(self, seat: int) -> dict[str, Any]:
        """The information state of a seat; see the class docstring."""
        peeked = [card if self.looked[seat] == slot else None for slot, card in enumerate(self.drawn)]
        hidden = [card for slot, card in enumerate(self.drawn) if card is not None and self.looked[seat] != slot]
        return self._public() | {
            "seat": seat,
            "peeked": peeked,
            "unseen_numbers": dict(sorted(Counter(self.number_deck + hidden).items())),
            "unseen_abilities": dict(sorted(Counter(self.ability_deck).items())),
        }

    def action_meaning(self, action: int) -> tuple[str, int] | tuple[str, str] | tuple[str]:
        """("look", slot), ("keep",), ("player", clockwise distance), ("ability", kind) or ("value", value)."""
        if not 0 <= action < ACTIONS:
            raise ValueError(f"action {action} does not exist, expected 0 to {ACTIONS - 1}")
        if action < KEEP:
            return ("look", action - FIRST_LOOK)
        if action == KEEP:
            return ("keep",)
        if action < FIRST_ABILITY:
            return ("player", action - FIRST_PLAYER + 1)
        if action < FIRST_VALUE:
            return ("ability", KINDS[action - FIRST_ABILITY])
        return ("value", action - FIRST_VALUE + LOWEST_VALUE)

    # Rounds and turns.

    def _start_round(self, starter: int) -> None:
        """KLI-10."""
        self.round += 1
        self.number_deck = self._shuffled("numbers", self.all_numbers)
        abilities = self._shuffled("abilities", self.all_abilities)
        self.visible = abilities[:VISIBLE_ABILITIES]
        self.ability_deck = abilities[VISIBLE_ABILITIES:]
        self.ability_discard = []
        self.face_up = [[] for _ in range(self.players)]
        self.face_down = [[] for _ in range(self.players)]
        self._start_turn(starter)

    def _start_turn(self, seat: int) -> None:
        """KLI-11."""
        self.turn_player = seat
        self.drawn = [self.number_deck.pop(0), self.number_deck.pop(0)]
        self.offered = []
        self.looked = [None] * self.players
        self.pending_own = None
        self.pending_target = None
        self._offer(seat)

    def _offer(self, seat: int) -> None:
        """Hand the two cards to a seat; the last one to get them must keep them, unasked (KLI-12, KLI-13)."""
        self.offered.append(seat)
        self.holder = seat
        if len(self.offered) == self.players:
            self._keep()
        else:
            self._ask(LOOK)

    def _keep(self) -> None:
        """KLI-14, then KLI-15, then KLI-16."""
        kept = [card for card in self.drawn if card is not None]
        self.drawn = [None, None]
        self.face_up[self.holder] += kept
        self._turn_pairs_down(self.holder)
        # No value is face up twice now, and of three equal cards a new one stays, so a kept value still seen is new.
        new = [value for value in kept if value in self.face_up[self.holder]]
        if has_triad(self.face_up[self.holder], new):
            self._ask(ABILITY)
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """KLI-19."""
        sizes = [len(self.face_up[seat]) + len(self.face_down[seat]) for seat in range(self.players)]
        if max(sizes) >= CARDS_THAT_END_A_ROUND:
            self._end_round()
        else:
            self._start_turn(self.holder)

    def _end_round(self) -> None:
        """KLI-30 to KLI-33."""
        gained = round_scores(self.face_up, self.face_down)
        self.totals = [total + points for total, points in zip(self.totals, gained, strict=True)]
        reached = max(self.totals) >= self.target
        if reached or self.round == MAX_ROUNDS:
            self.truncated = not reached
            self.phase = OVER
            self.player = NOBODY
        else:
            clockwise = [self.holder, *self._others()]
            self._start_round(next(seat for seat in clockwise if self.totals[seat] == max(self.totals)))

    # Abilities.

    def _usable(self, kind: str) -> bool:
        """KLI-23. The user has a triad, so always a face-up card of their own."""
        return kind == DRAW_ALL or len(self._targets()) > 0

    def _use_ability(self, kind: str) -> None:
        if not self._usable(kind):
            self._finish_ability(kind)
        elif kind == SWAP:
            self._ask(SWAP_OWN)
        elif kind == HIGH_LOW:
            self._ask(HIGH_LOW_PLAYER)
        else:
            self._draw_all()

    def _swap(self, their: int) -> None:
        """KLI-20."""
        assert self.pending_own is not None
        assert self.pending_target is not None
        self._exchange(self.pending_own, self.pending_target, their)
        self.pending_own = None
        self.pending_target = None
        self._finish_ability(SWAP)

    def _draw_all(self) -> None:
        """KLI-21."""
        for seat in [self.holder, *self._others()]:
            self.face_up[seat].append(self.number_deck.pop(0))
        self._finish_ability(DRAW_ALL)

    def _high_low(self, target: int) -> None:
        """KLI-22."""
        self._exchange(max(self.face_up[self.holder]), target, min(self.face_up[target]))
        self._finish_ability(HIGH_LOW)

    def _exchange(self, own: int, target: int, their: int) -> None:
        self.face_up[self.holder].remove(own)
        self.face_up[target].remove(their)
        self.face_up[self.holder].append(their)
        self.face_up[target].append(own)

    def _finish_ability(self, kind: str) -> None:
        """KLI-17, then KLI-18, then the end of the turn."""
        slot = self.visible.index(kind)
        self.ability_discard.append(kind)
        if not self.ability_deck:
            self.ability_deck = self._shuffled("abilities", sorted(self.ability_discard))
            self.ability_discard = []
        self.visible[slot] = self.ability_deck.pop(0)
        for seat in range(self.players):
            self._turn_pairs_down(seat)
        self._end_turn()

    # Small helpers.

    def _ask(self, phase: str) -> None:
        """Stop at a decision; every decision is the holder's."""
        self.phase = phase
        self.player = self.holder

    def _others(self) -> list[int]:
        """The other seats, clockwise from the holder."""
        return [(self.holder + distance) % self.players for distance in range(1, self.players)]

    def _targets(self) -> list[int]:
        """The other seats that have a face-up card."""
        return [seat for seat in self._others() if self.face_up[seat]]

    def _choices_of(self, seats: list[int]) -> set[int]:
        return {encode_distance((seat - self.holder) % self.players) for seat in seats}

    def _chosen_seat(self, action: int) -> int:
        return (self.holder + action - FIRST_PLAYER + 1) % self.players

    def _turn_pairs_down(self, seat: int) -> None:
        self.face_up[seat], turned = without_pairs(self.face_up[seat])
        self.face_down[seat] += turned

    def _shuffled(self, purpose: str, cards: list[T]) -> list[T]:
        """Ask chance for an order of these cards, and see that it is one."""
        deck: list[T] = list(self.chance(purpose, list(cards)))
        if Counter(deck) != Counter(cards):
            raise ValueError(f"chance({purpose!r}) answered {deck}, expected an order of {cards}")
        return deck

    def _public(self) -> dict[str, Any]:
        """The part of describe() that everyone knows."""
        return {
            "round": self.round,
            "phase": self.phase,
            "player": None if self.player == NOBODY else self.player,
            "turn_player": self.turn_player,
            "holder": self.holder,
            "offered": list(self.offered),
            "looked": list(self.looked),
            "ability_discard": sorted(self.ability_discard),
            "visible": list(self.visible),
            "face_up": [sorted(cards) for cards in self.face_up],
            "face_down": [sorted(cards) for cards in self.face_down],
            "pending_own": self.pending_own,
            "pending_target": self.pending_target,
            "scores": list(self.totals),
        }
