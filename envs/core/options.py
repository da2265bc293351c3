"""Options that several games share, checked in one way."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar

import numpy as np

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.record import NOBODY, REWARDS

T = TypeVar("T", int, str)
Observing = Literal["observe", "remember"]
"""What a player is shown: what it sees now, or what a perfect memory of it knows."""
_NOT_COUNTED = (bool, np.bool_, np.timedelta64)


def read_players(players: int, allowed: Sequence[int]) -> int:
    return read_choice("players", players, allowed)


def read_reward(reward: str) -> int:
    return REWARDS.index(read_choice("reward", reward, REWARDS))


def read_opener(seat: int | None, players: int) -> int:
    """The seat that begins, or `NOBODY` where the seed draws it."""
    return NOBODY if seat is None else read_choice("first_player", seat, range(players))


def told_opener(opener: int) -> int | None:
    """The option again, as plain JSON has it."""
    return None if opener == NOBODY else opener


def read_seats(option: str, seats: Iterable[int], players: int) -> list[int]:
    return sorted({read_choice(option, seat, range(players)) for seat in seats})


def read_seed(seed: int) -> np.uint64:
    number = read_whole("seed", seed)
    if not 0 <= number < 2**64:
        raise ConfigError(f"seed must be from 0 to 2**64 - 1, got {seed}")
    return np.uint64(number)


def read_whole(what: str, value: Any) -> int:
    """A whole number of any integer type; truth values are none."""
    if isinstance(value, _NOT_COUNTED):
        raise ConfigError(f"{what} must be a whole number, got {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise ConfigError(f"{what} must be a whole number, got {value!r}") from None


def read_choice(option: str, value: T, allowed: Sequence[T]) -> T:
    """The choice that a value names, or a `ConfigError` that lists the choices."""
    if isinstance(value, bool | float) or value not in allowed:
        raise ConfigError(f"{option} must be one of {', '.join(map(str, allowed))}, got {value!r}")
    return allowed[allowed.index(value)]
