"""Options that several games share, checked in one way."""

import operator
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

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


def read_seed(seed: int) -> np.uint64:
    try:
        number = operator.index(seed)
    except TypeError:
        raise ConfigError(f"a seed is a whole number, got {seed!r}") from None
    if not 0 <= number < 2**64:
        raise ConfigError(f"a seed must be from 0 to 2**64 - 1, got {seed}")
    return np.uint64(number)


def read_choice(option: str, value: T, allowed: Sequence[T]) -> T:
    """The value, or a `ConfigError` that lists the choices."""
    if isinstance(value, bool) or value not in allowed:
        raise ConfigError(f"{option} must be one of {', '.join(map(str, allowed))}, got {value!r}")
    return value
