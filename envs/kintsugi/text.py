"""Kintsugi in words: names of actions, the state as named values, the table as text."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from parlour.envs.core.jit import plain
from parlour.envs.core.record import NOBODY, State
from parlour.envs.kintsugi import rules
from parlour.envs.kintsugi.components import EDITIONS, OTHERS, Deck

PHASES = ("draft", "repair", "over")
CONDITIONS = ("unbroken", "broken", "repaired")

draft_area, repair_cost, score = plain(rules.draft_area), plain(rules.repair_cost), plain(rules.score)


class Words:
    """The words of one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.kinds = deck.kinds
        self.pottery = len(self.kinds) - len(OTHERS)

    def decode(self, action: int) -> tuple[str, int]:
        """(verb, kind) of an action id [KIN-50]; a pass has the kind -1."""
        for verb, size in (("keep", self.pottery + 2), ("sell", self.pottery + 3), ("repair", self.pottery)):
            if action < size:
                return verb, action
            action -= size
        return "pass", -1

    def action_text(self, action: int) -> str:
        verb, kind = self.decode(action)
        return verb if verb == "pass" else f"{verb} {self.kinds[kind]}"

    def why_not(self, s: State, action: int) -> str:
        verb, kind = self.decode(action)
        seat = int(s.player)
        if int(s.phase) == rules.DRAFT and verb in ("keep", "sell"):
            return f"there is no {self.kinds[kind]} in the draft area"
        if int(s.phase) == rules.REPAIR and verb == "repair":
            if not s.broken[seat, kind]:
                return f"they have no broken {self.kinds[kind]}"
            return f"it costs {repair_cost(s, seat, kind)} and they have {int(s.tokens[seat])}"
        return f"it is the {PHASES[int(s.phase)]} phase"

    def collection(self, s: State, seat: int) -> dict[str, list[int]]:
        """The kinds of a seat's cards by condition, in order."""
        return {name: _spread(getattr(s, name)[seat]) for name in CONDITIONS}

    def names(self, kinds: Iterable[int]) -> list[str]:
        return [self.kinds[kind] for kind in kinds]

    def draft(self, s: State) -> list[int]:
        return sorted(int(kind) for kind in draft_area(s))

    def remaining(self, s: State) -> list[int]:
        """The deck, top first."""
        return [int(kind) for kind in s.deck[int(s.top) : int(s.cards)]]

    def discard(self, s: State) -> list[int]:
        """Sold cards and left-overs: whatever lies nowhere else."""
        return sorted((Counter(self.deck.cards) - Counter(self.in_play(s))).elements())

    def in_play(self, s: State) -> list[int]:
        """The cards of the draft area, the deck and all collections."""
        owned = [self.collection(s, seat)[name] for seat in range(int(s.players)) for name in CONDITIONS]
        return sum(owned, self.draft(s) + self.remaining(s))

    def describe(self, s: State) -> dict[str, Any]:
        seats = range(int(s.players))
        return {
            "players": int(s.players),
            "round": int(s.round_number),
            "phase": PHASES[int(s.phase)],
            "player": None if int(s.player) == NOBODY else int(s.player),
            "first_player": int(s.first_player),
            "draft": self.names(self.draft(s)),
            "deck": self.names(self.remaining(s)),
            "discard": self.names(self.discard(s)),
            "supply": None if s.unlimited else int(s.supply),
            "seats": [self._seat(s, seat) for seat in seats],
            "scores": [int(score(s, seat)) for seat in seats],
        }

    def _seat(self, s: State, seat: int) -> dict[str, Any]:
        cards = {name: self.names(kinds) for name, kinds in self.collection(s, seat).items()}
        return {
            "tokens": int(s.tokens[seat]),
            **cards,
            "repairs": int(s.repairs[seat]),
            "free_repair": bool(int(s.free_repair) >> seat & 1),
            "passed": bool(int(s.passed) >> seat & 1),
        }

    def board(self, s: State) -> str:
        """The public table; the deck shows its top card only."""
        told = self.describe(s)
        supply = "unlimited" if told["supply"] is None else told["supply"]
        lines = [
            f"Round {told['round']}, {told['phase']}. Edition {EDITIONS[int(s.edition)]}. Supply: {supply} tokens.",
            f"Deck: {len(told['deck'])} cards, {told['deck'][0]} on top.",
            f"Draft area: {_counted(told['draft'])}",
        ]
        for seat, zone in enumerate(told["seats"]):
            mover = ">" if told["player"] == seat else " "
            marker = " (first player)" if told["first_player"] == seat else ""
            lines.append(f"{mover} player_{seat}{marker}: {zone['tokens']} tokens, {told['scores'][seat]} points")
            lines += [f"    {name:8} {_counted(zone[name])}" for name in CONDITIONS if zone[name]]
        return "\n".join(lines)

    def components(self, s: State) -> dict[str, int]:
        """Cards by kind, and tokens where they are limited."""
        cards = Counter(self.in_play(s) + self.discard(s))
        held = {} if s.unlimited else {"tokens": int(s.supply) + int(s.tokens.sum())}
        return {self.kinds[kind]: count for kind, count in cards.items()} | held


def _spread(counts: NDArray[Any]) -> list[int]:
    """[0, 2, 1] as [1, 1, 2]."""
    return [kind for kind, count in enumerate(counts) for _ in range(int(count))]


def _counted(names: list[str]) -> str:
    counts = Counter(names)
    return ", ".join(name if count == 1 else f"{count} x {name}" for name, count in counts.items()) or "-"
