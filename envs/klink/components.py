"""The cards of Klink: numbers, abilities, the default tables, and the check of tables that replace them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.options import read_whole

LOWEST, HIGHEST = -5, 20
VALUES = HIGHEST - LOWEST + 1
"""A value is stored as its distance from the lowest one: 0 to 25."""

KINDS = ("SWAP", "DRAW_ALL", "HIGH_LOW")
SWAP, DRAW_ALL, HIGH_LOW = range(3)
ABILITIES = len(KINDS)
VISIBLE = 3
"""Abilities that lie side by side [KLI-10]."""

MIN_PLAYERS, MAX_PLAYERS = 2, 6
MAX_NUMBERS = 126
MAX_ABILITIES = 24
"""Twice the default decks."""
MAX_TARGET = 1000

DEFAULT_NUMBERS = tuple((value, 3 if 0 <= value <= 10 else 2) for value in range(LOWEST, HIGHEST + 1))
"""[KLI-1]: reconstructed, but for the number of cards and the range of their values."""
DEFAULT_ABILITIES = tuple((kind, 4) for kind in KINDS)
"""[KLI-2]: reconstructed, but for the number of cards and the three kinds."""

Table = Mapping[Any, int] | Iterable[Any]
"""How many cards of each value or kind: a mapping, or pairs such as (7, 3)."""


@dataclass(frozen=True)
class Cards:
    """Checked tables: how many number cards of each value, from the lowest, and ability cards of each kind."""

    numbers: tuple[int, ...]
    abilities: tuple[int, ...]

    @property
    def number_rows(self) -> list[list[int]]:
        """The table of numbers as plain JSON values, in ascending order."""
        return [[LOWEST + i, count] for i, count in enumerate(self.numbers) if count]

    @property
    def ability_rows(self) -> list[list[Any]]:
        return [[KINDS[i], count] for i, count in enumerate(self.abilities) if count]

    @property
    def deck(self) -> list[int]:
        """Every number card as its stored value, in order."""
        return [value for value, count in enumerate(self.numbers) for _ in range(count)]


def read_cards(numbers: Table, abilities: Table, players: int) -> Cards:
    """The cards that two tables describe, or a `ConfigError` that says what is wrong [KLI-1, KLI-2]."""
    cards = Cards(
        _counts("number", numbers, tuple(range(LOWEST, HIGHEST + 1)), MAX_NUMBERS),
        _counts("ability", abilities, KINDS, MAX_ABILITIES),
    )
    if sum(cards.numbers) < most_drawn(players):
        raise ConfigError(
            f"{players} players may draw {most_drawn(players)} number cards in a round, got {sum(cards.numbers)} cards"
        )
    if sum(cards.abilities) < VISIBLE:
        raise ConfigError(f"{VISIBLE} abilities lie open, got {sum(cards.abilities)} ability cards")
    return cards


def most_drawn(players: int) -> int:
    """The number cards that one round can need: 9 for each player, two more, and one each [KLI-1, KLI-33]."""
    return 10 * players + 2


def read_target(target: int) -> int:
    """The total that ends the game [KLI-31]."""
    if not 1 <= (whole := read_whole("target", target)) <= MAX_TARGET:
        raise ConfigError(f"target must be a whole number from 1 to {MAX_TARGET}, got {target!r}")
    return whole


def _counts(what: str, table: Table, faces: tuple[Any, ...], most: int) -> tuple[int, ...]:
    if not isinstance(table, Iterable):
        raise ConfigError(f"the {what} cards are a table of (card, count), got {table!r}")
    counts = [0] * len(faces)
    for row in table.items() if isinstance(table, Mapping) else table:
        face, count = _read_row(what, row, faces, most)
        counts[faces.index(face)] += count
    if sum(counts) > most:
        raise ConfigError(f"there can be {most} {what} cards, got {sum(counts)}")
    return tuple(counts)


def _read_row(what: str, row: Any, faces: tuple[Any, ...], most: int) -> tuple[Any, int]:
    try:
        face, count = row
    except (TypeError, ValueError):
        raise ConfigError(f"a row of the {what} cards is (card, count), got {row!r}") from None
    if isinstance(face, bool) or face not in faces:
        raise ConfigError(f"no {what} card {face!r}; there are {_choices(faces)}")
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= most:
        raise ConfigError(f"the count of the {what} card {face!r} must be from 0 to {most}, got {count!r}")
    return face, count


def _choices(faces: tuple[Any, ...]) -> str:
    return ", ".join(faces) if isinstance(faces[0], str) else f"{faces[0]} to {faces[-1]}"
