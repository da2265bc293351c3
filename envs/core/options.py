"""Options that several games share, checked in one way."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.record import NOBODY, REWARDS

T = TypeVar("T", int, str)


def read_players(players: int, allowed: Sequence[int]) -> int:
    return read_choice("players", players, allowed)


def read_reward(reward: str) -> int:
    return REWARDS.index(read_choice("reward", reward, REWARDS))


def read_opener(seat: int | None, players: int) -> int:
    """The seat that begins, or `NOBODY` where the seed draws it."""
    return NOBODY if seat is None else read_choice("first_player", seat, range(players))


def read_seats(option: str, seats: Iterable[int], players: int) -> list[int]:
    return sorted({read_choice(option, seat, range(players)) for seat in seats})


def read_choice(option: str, value: T, allowed: Sequence[T]) -> T:
    """The value, or a `ConfigError` that lists the choices."""
    if isinstance(value, bool) or value not in allowed:
        raise ConfigError(f"{option} must be one of {', '.join(map(str, allowed))}, got {value!r}")
    return value
