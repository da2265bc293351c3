"""The cards of Kintsugi: kinds, the default deck, and the check of a deck that replaces it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from parlour.envs.core.errors import ConfigError

POTTERY = ("cup", "saucer", "plate", "bowl", "tea jar", "vase", "teapot")
CUP, SAUCER, PLATE, BOWL, TEA_JAR, VASE, TEAPOT = range(7)
OTHERS = ("tray", "box", "gold")
TRAY, BOX, GOLD = 7, 8, 9
TYPES = POTTERY + OTHERS

EDITIONS = ("EN", "FR")
EN, FR = range(2)
TOKENS = (14, 18)
"""Tokens in the box, by edition [KIN-5]."""

MAX_PATTERNS = 4
MAX_KINDS = len(POTTERY) * MAX_PATTERNS + len(OTHERS)
MAX_CARDS = 92
"""Twice the default deck."""
MAX_VALUE = 20
MAX_PLAYERS = 4

Row = tuple[str, str | None, int, int]
"""(type, pattern or None, value, count)"""

DEFAULT_DECK: tuple[Row, ...] = (
    *(
        (type, pattern, 2 if type in ("vase", "teapot") else 1, 1 if type == "vase" else 2)
        for type in POTTERY
        for pattern in ("blue", "brown", "white")
    ),
    ("tray", None, 1, 2),
    ("box", None, 1, 2),
    ("gold", None, 3, 3),
)
"""[KIN-4]: reconstructed, but for the numbers the rulebooks name."""


@dataclass(frozen=True)
class Deck:
    """A checked deck: its patterns, and value and count of every kind."""

    patterns: tuple[str, ...]
    values: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds in the order of the action ids [KIN-50]."""
        return tuple(f"{type} {pattern}" for type in POTTERY for pattern in self.patterns) + OTHERS

    @property
    def cards(self) -> list[int]:
        """Every card of the deck as its kind, in order."""
        return [kind for kind, count in enumerate(self.counts) for _ in range(count)]

    @property
    def rows(self) -> list[list[Any]]:
        """The deck as a table of plain JSON values, which reads back as this deck: patterns in their order."""
        named = [[type, pattern] for pattern in self.patterns for type in POTTERY] + [[type, None] for type in OTHERS]
        kinds = [self.kinds.index(type if pattern is None else f"{type} {pattern}") for type, pattern in named]
        rows = zip(named, kinds, strict=True)
        return [[*name, self.values[kind], self.counts[kind]] for name, kind in rows if self.counts[kind]]


def read_deck(table: Iterable[Any], players: int) -> Deck:
    """The deck that `table` describes, or a `ConfigError` that says what is wrong with it [KIN-4]."""
    rows = [_read_row(row) for row in table]
    patterns = tuple(dict.fromkeys(pattern for _, pattern, _, _ in rows if pattern is not None))
    if not 1 <= len(patterns) <= MAX_PATTERNS:
        raise ConfigError(f"a deck has 1 to {MAX_PATTERNS} patterns, got {len(patterns)}: {', '.join(patterns)}")
    names = Deck(patterns, (), ()).kinds
    values, counts = [0] * len(names), [0] * len(names)
    for type, pattern, value, count in rows:
        kind = names.index(type if pattern is None else f"{type} {pattern}")
        if counts[kind] and values[kind] != value:
            raise ConfigError(f"{names[kind]} has the values {values[kind]} and {value}: a kind has one value")
        values[kind] = value
        counts[kind] += count
    _check_size(sum(counts), players)
    return Deck(patterns, tuple(values), tuple(counts))


def _read_row(row: Any) -> Row:
    try:
        type, pattern, value, count = row
    except (TypeError, ValueError):
        raise ConfigError(f"a row of the deck is (type, pattern or None, value, count), got {row!r}") from None
    if type not in TYPES:
        raise ConfigError(f"no card type {type!r}; the types are {', '.join(TYPES)}")
    if (type in POTTERY) != (isinstance(pattern, str) and pattern != ""):
        need = "a pattern" if type in POTTERY else "no pattern (None)"
        raise ConfigError(f"a {type} has {need}, got {pattern!r}")
    for name, number, low, high in (("value", value, 0, MAX_VALUE), ("count", count, 1, MAX_CARDS)):
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ConfigError(f"the {name} of a {type} must be from {low} to {high}, got {number!r}")
    return type, pattern, value, count


def _check_size(cards: int, players: int) -> None:
    dealt = 2 * players + 1
    if cards > MAX_CARDS:
        raise ConfigError(f"a deck has at most {MAX_CARDS} cards, got {cards}")
    if cards <= dealt or cards % dealt == 0:
        raise ConfigError(
            f"{cards} cards do not leave one on the deck in every break phase: "
            f"{players} players are dealt {dealt} a round"
        )
