"""Kintsugi (FR) and Broken and Beautiful (EN), written plainly from the rules and nothing else.

This is the slow side of the comparison: lists, strings and counters, one paragraph of the rules per function. It shares
no code with the package. Every chance event is an argument: the shuffled deck and the first player.

Cards are named by kind: "cup blue", "tea jar white", "tray", "box", "gold".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

NOBODY = -1

POTTERY = ("cup", "saucer", "plate", "bowl", "tea jar", "vase", "teapot")
PLAIN = ("tray", "box", "gold")  # the types without a pattern
MOST_PATTERNS = 4
TOKENS = {"EN": 14, "FR": 18}
REPAIRED_VASE = {"EN": 1, "FR": 2}
MARGIN_SCALE = 20

TableRow = tuple[str, str | None, int, int]  # type, pattern or None, value, count

DEFAULT_DECK: tuple[TableRow, ...] = (  # KIN-4
    *(("cup", pattern, 1, 2) for pattern in ("blue", "brown", "white")),
    *(("saucer", pattern, 1, 2) for pattern in ("blue", "brown", "white")),
    *(("plate", pattern, 1, 2) for pattern in ("blue", "brown", "white")),
    *(("bowl", pattern, 1, 2) for pattern in ("blue", "brown", "white")),
    *(("tea jar", pattern, 1, 2) for pattern in ("blue", "brown", "white")),
    *(("vase", pattern, 2, 1) for pattern in ("blue", "brown", "white")),
    *(("teapot", pattern, 2, 2) for pattern in ("blue", "brown", "white")),
    ("tray", None, 1, 2),
    ("box", None, 1, 2),
    ("gold", None, 3, 3),
)


# Cards


def kind_of(card_type: str, pattern: str | None) -> str:
    return card_type if pattern is None else f"{card_type} {pattern}"


def type_of(kind: str) -> str:
    for card_type in POTTERY + PLAIN:
        if kind == card_type or kind.startswith(card_type + " "):
            return card_type
    raise ValueError(f"{kind!r} is not a card kind")


def pattern_of(kind: str) -> str | None:
    return kind[len(type_of(kind)) + 1 :] or None


def patterns_of(table: Sequence[TableRow]) -> list[str]:
    """The patterns in order of first appearance."""
    return list(dict.fromkeys(pattern for _, pattern, _, _ in table if pattern is not None))


def kinds_of(table: Sequence[TableRow]) -> list[str]:
    """All kinds in kind order (KIN-50), those that no card has included."""
    pottery = [kind_of(card_type, pattern) for card_type in POTTERY for pattern in patterns_of(table)]
    return pottery + list(PLAIN)


def full_deck(table: Sequence[TableRow] = DEFAULT_DECK) -> list[str]:
    """Every card of the table, unshuffled."""
    return [kind_of(card_type, pattern) for card_type, pattern, _, count in table for _ in range(count)]


def check_table(table: Sequence[TableRow]) -> None:
    """Refuse a table that KIN-4 does not allow."""
    values: dict[str, int] = {}
    for card_type, pattern, value, count in table:
        if card_type not in POTTERY + PLAIN:
            raise ValueError(f"unknown card type {card_type!r}: expected one of {POTTERY + PLAIN}")
        if card_type in POTTERY and not pattern:
            raise ValueError(f"a {card_type} needs a pattern")
        if card_type in PLAIN and pattern is not None:
            raise ValueError(f"a {card_type} has no pattern, got {pattern!r}")
        if value < 0 or count < 0:
            raise ValueError(f"value and count of {kind_of(card_type, pattern)!r} must not be negative")
        if values.setdefault(kind_of(card_type, pattern), value) != value:
            raise ValueError(f"{kind_of(card_type, pattern)!r} has two different values")
    if len(patterns_of(table)) > MOST_PATTERNS:
        raise ValueError(f"{len(patterns_of(table))} patterns: at most {MOST_PATTERNS} are possible")


def check_deck(deck: Sequence[str], table: Sequence[TableRow], players: int) -> None:
    """Refuse a deck that is not the table's, or that runs out in a break phase (KIN-4)."""
    if Counter(deck) != Counter(full_deck(table)):
        raise ValueError("the deck does not hold the cards of the table")
    dealt = 2 * players + 1
    if len(deck) < dealt:
        raise ValueError(f"{len(deck)} cards are not enough to deal {dealt}")
    if len(deck) % dealt == 0:
        raise ValueError(f"{len(deck)} cards, dealt {dealt} at a time, leave no card for the last break phase")


# Players


@dataclass
class Seat:
    tokens: int = 0
    unbroken: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    repairs: int = 0  # made in this repair phase
    passed: bool = False

    def whole(self) -> list[str]:
        """The cards that count: broken ones count for nothing, anywhere."""
        return self.unbroken + self.repaired

    def all_cards(self) -> list[str]:
        return self.unbroken + self.broken + self.repaired


def of_type(cards: list[str], card_type: str) -> int:
    return sum(type_of(card) == card_type for card in cards)


# Scoring


def score_cups_and_saucers(seat: Seat) -> int:
    """KIN-20, KIN-21: the best cup goes with the best saucer, and so on down."""
    cups = [3] * of_type(seat.repaired, "cup") + [1] * of_type(seat.unbroken, "cup")
    saucers = [3] * of_type(seat.repaired, "saucer") + [2] * of_type(seat.unbroken, "saucer")
    score = 0
    for place, cup in enumerate(cups):
        score += cup * saucers[place] if place < len(saucers) else cup
    return score


def score_plates(seat: Seat) -> int:
    """KIN-22."""
    return of_type(seat.whole(), "plate") // 2 * 6 + 2 * of_type(seat.repaired, "plate")


def score_bowls(seat: Seat) -> int:
    """KIN-23."""
    return of_type(seat.whole(), "bowl") ** 2 + of_type(seat.repaired, "bowl")


def score_tea_jars(seat: Seat, seats: list[Seat]) -> int:
    """KIN-24."""
    mine = of_type(seat.whole(), "tea jar")
    most = max(of_type(other.whole(), "tea jar") for other in seats)
    majority = 6 if mine > 0 and mine == most else 0
    return majority + of_type(seat.repaired, "tea jar")


def score_vases(seat: Seat, edition: str) -> int:
    """KIN-25."""
    sets, rest = divmod(of_type(seat.whole(), "vase"), 3)
    return 15 * sets + {0: 0, 1: 1, 2: 5}[rest] + REPAIRED_VASE[edition] * of_type(seat.repaired, "vase")


def score_teapots(seat: Seat) -> int:
    """KIN-26."""
    matching = Counter(pattern_of(card) for card in seat.whole())
    unbroken = sum(matching[pattern_of(card)] for card in seat.unbroken if type_of(card) == "teapot")
    repaired = sum(matching[pattern_of(card)] for card in seat.repaired if type_of(card) == "teapot")
    return unbroken + 2 * repaired


def score_wood(seat: Seat) -> int:
    """KIN-27: every storage box counts the same tokens."""
    return 2 * of_type(seat.whole(), "tray") + min(seat.tokens, 4) * of_type(seat.whole(), "box")


def score(seat: Seat, seats: list[Seat], edition: str) -> int:
    """The points of one seat, if the game ended with these collections."""
    return (
        score_cups_and_saucers(seat)
        + score_plates(seat)
        + score_bowls(seat)
        + score_tea_jars(seat, seats)
        + score_vases(seat, edition)
        + score_teapots(seat)
        + score_wood(seat)
    )


def winners(seats: list[Seat], edition: str) -> list[int]:
    """KIN-28: points, then repaired cards, then (EN) all cards; whoever is still level shares the win."""
    ranks: list[tuple[int, ...]] = []
    for seat in seats:
        rank: tuple[int, ...] = (score(seat, seats, edition), len(seat.repaired))
        if edition == "EN":
            rank += (len(seat.all_cards()),)
        ranks.append(rank)
    return [number for number, rank in enumerate(ranks) if rank == max(ranks)]


def outcome_rewards(players: int, winning: list[int]) -> list[Fraction]:
    won = (Fraction(players, len(winning)) - 1) / (players - 1)
    lost = Fraction(-1, players - 1)
    return [won if number in winning else lost for number in range(players)]


def margin_rewards(points: list[int]) -> list[Fraction]:
    rewards = []
    for own in points:
        mean_of_others = Fraction(sum(points) - own, len(points) - 1)
        rewards.append((own - mean_of_others) / MARGIN_SCALE)
    return rewards


# The game


class Kintsugi:
    """One game, from the first deal to the end."""

    def __init__(
        self,
        *,
        edition: str = "FR",
        players: int = 2,
        deck: Sequence[str],
        first_player: int,
        table: Sequence[TableRow] = DEFAULT_DECK,
        unlimited_supply: bool = False,
        novices: tuple[int, ...] = (),
        reward: str = "outcome",
    ) -> None:
        if edition not in TOKENS:
            raise ValueError(f"edition {edition!r}: expected 'EN' or 'FR'")
        if players not in (2, 3, 4):
            raise ValueError(f"{players} players: expected 2, 3 or 4")
        if first_player not in range(players) or any(number not in range(players) for number in novices):
            raise ValueError(f"first player and novices must be seats 0 to {players - 1}")
        if reward not in ("outcome", "margin"):
            raise ValueError(f"reward {reward!r}: expected 'outcome' or 'margin'")
        check_table(table)
        check_deck(deck, table, players)

        self.edition = edition
        self.players = players
        self.reward = reward
        self.kinds = kinds_of(table)
        self.values = {kind_of(card_type, pattern): value for card_type, pattern, value, _ in table}
        self.actions = self._list_actions()

        self.deck = list(deck)  # top first
        self.draft: list[str] = []
        self.discard: list[str] = []
        self.supply: int | None = None if unlimited_supply else TOKENS[edition]
        self.seats = [Seat() for _ in range(players)]
        for number in sorted(set(novices)):  # KIN-19
            self._take_tokens(self.seats[number], 1)

        self.first_player = first_player
        self.round = 0
        self.phase = "draft"
        self.player = NOBODY
        self.turns: list[int] = []  # the draft turns still to come, this one first
        self.free_repairs = False  # a gold card was showing in this round's break phase
        self._start_round()

    # What the outside sees

    def legal(self) -> set[int]:
        return {number for number, meaning in enumerate(self.actions) if self._allowed(meaning)}

    def apply(self, action: int) -> None:
        if action not in self.legal():
            raise ValueError(f"player_{self.player} cannot play action {action}; legal: {sorted(self.legal())}")
        meaning = self.action_meaning(action)
        if meaning[0] == "keep":
            self._keep(meaning[1])
        elif meaning[0] == "sell":
            self._sell(meaning[1])
        elif meaning[0] == "repair":
            self._repair(meaning[1])
        else:
            self._pass()

        if self.phase == "draft":
            self._next_draft_turn()
        else:
            self._next_repair_turn(after=self.player)

    def scores(self) -> list[int]:
        return [score(seat, self.seats, self.edition) for seat in self.seats]

    def returns(self) -> list[Fraction]:
        if self.phase != "over":
            return [Fraction(0)] * self.players
        if self.reward == "margin":
            return margin_rewards(self.scores())
        return outcome_rewards(self.players, winners(self.seats, self.edition))

    def action_meaning(self, action: int) -> tuple[str, ...]:
        if action not in range(len(self.actions)):
            raise ValueError(f"action {action}: expected 0 to {len(self.actions) - 1}")
        return self.actions[action]

    def describe(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "round": self.round,
            "phase": self.phase,
            "player": None if self.player == NOBODY else self.player,
            "first_player": self.first_player,
            "draft": self._in_kind_order(self.draft),
            "deck": list(self.deck),
            "discard": self._in_kind_order(self.discard),
            "supply": self.supply,
            "seats": [self._describe_seat(seat) for seat in self.seats],
            "scores": self.scores(),
        }

    def _describe_seat(self, seat: Seat) -> dict[str, Any]:
        return {
            "tokens": seat.tokens,
            "unbroken": self._in_kind_order(seat.unbroken),
            "broken": self._in_kind_order(seat.broken),
            "repaired": self._in_kind_order(seat.repaired),
            "repairs": seat.repairs,
            "free_repair": self._next_repair_is_free(seat),
            "passed": seat.passed,
        }

    def _in_kind_order(self, cards: list[str]) -> list[str]:
        return sorted(cards, key=self.kinds.index)

    # Actions

    def _list_actions(self) -> list[tuple[str, ...]]:
        """KIN-50: the meaning of every action id, in order."""
        keep = [("keep", kind) for kind in self.kinds if kind != "gold"]
        sell = [("sell", kind) for kind in self.kinds]
        repair = [("repair", kind) for kind in self.kinds if type_of(kind) in POTTERY]
        return [*keep, *sell, *repair, ("pass",)]

    def _allowed(self, meaning: tuple[str, ...]) -> bool:
        if self.phase == "draft":
            return meaning[0] in ("keep", "sell") and meaning[1] in self.draft
        if self.phase == "repair":
            return meaning[0] == "pass" or (
                meaning[0] == "repair" and self._can_repair(self.seats[self.player], meaning[1])
            )
        return False

    # Tokens

    def _take_tokens(self, seat: Seat, wanted: int) -> None:
        """KIN-5: when the supply is short a player takes what is left."""
        if self.supply is not None:
            wanted = min(wanted, self.supply)
            self.supply -= wanted
        seat.tokens += wanted

    def _return_tokens(self, seat: Seat, paid: int) -> None:
        seat.tokens -= paid
        if self.supply is not None:
            self.supply += paid

    # Rounds

    def _start_round(self) -> None:
        """KIN-10 deals, KIN-12 sets the order: there and back again."""
        self.round += 1
        self.phase = "draft"
        dealt = 2 * self.players + 1
        self.draft, self.deck = self.deck[:dealt], self.deck[dealt:]
        there = [(self.first_player + place) % self.players for place in range(self.players)]
        self.turns = there + there[::-1]
        self.player = self.turns[0]

    def _end_round(self) -> None:
        """KIN-10, KIN-17: the next round, or the end of the game."""
        self.free_repairs = False
        for seat in self.seats:
            seat.repairs = 0
            seat.passed = False
        if len(self.deck) < 2 * self.players + 1:
            self.phase = "over"
            self.player = NOBODY
        else:
            self.first_player = (self.first_player + 1) % self.players
            self._start_round()

    # Draft

    def _keep(self, kind: str) -> None:
        self.draft.remove(kind)
        self.seats[self.player].unbroken.append(kind)

    def _sell(self, kind: str) -> None:
        self.draft.remove(kind)
        self.discard.append(kind)
        self._take_tokens(self.seats[self.player], self.values[kind])

    def _next_draft_turn(self) -> None:
        self.turns.pop(0)
        if self.turns:
            self.player = self.turns[0]
        else:
            self._break_pottery()
            self._start_repairs()

    # Break

    def _break_pottery(self) -> None:
        """KIN-13. The top card stays on the deck, the leftover is discarded."""
        leftover, top_card = self.draft.pop(), self.deck[0]
        showing = {type_of(leftover), type_of(top_card)}
        breaking = showing.intersection(POTTERY)
        for seat in self.seats:
            seat.broken += [card for card in seat.unbroken if type_of(card) in breaking]
            seat.unbroken = [card for card in seat.unbroken if type_of(card) not in breaking]
        self.free_repairs = "gold" in showing
        self.discard.append(leftover)

    # Repair

    def _next_repair_is_free(self, seat: Seat) -> bool:
        return self.free_repairs and seat.repairs == 0

    def _repair_cost(self, seat: Seat, kind: str) -> int:
        """KIN-14."""
        if self._next_repair_is_free(seat):
            return 0
        return self.values[kind] + seat.repairs

    def _can_repair(self, seat: Seat, kind: str) -> bool:
        return kind in seat.broken and self._repair_cost(seat, kind) <= seat.tokens

    def _repair(self, kind: str) -> None:
        seat = self.seats[self.player]
        self._return_tokens(seat, self._repair_cost(seat, kind))
        seat.broken.remove(kind)
        seat.repaired.append(kind)
        seat.repairs += 1
        if self.edition == "EN":  # KIN-15: the run of passes is broken, everyone may come back
            for other in self.seats:
                other.passed = False

    def _pass(self) -> None:
        self.seats[self.player].passed = True

    def _start_repairs(self) -> None:
        self.phase = "repair"
        self._next_repair_turn(after=self.first_player - 1)

    def _next_repair_turn(self, after: int) -> None:
        """KIN-15, KIN-16: on to the next player with a decision; the round ends when all have passed.

        "Next seat that has not passed" serves both editions: in EN the players who count as passed are those directly
        before the next seat, so nobody is skipped.
        """
        self.player = after % self.players
        while not all(seat.passed for seat in self.seats):
            self.player = (self.player + 1) % self.players
            seat = self.seats[self.player]
            if seat.passed:
                continue
            if any(self._can_repair(seat, kind) for kind in seat.broken):
                return
            self._pass()
        self._end_round()
