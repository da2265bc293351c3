"""What one game's record holds: a table of fields, with the header that every game shares."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.errors import ConfigError, SnapshotError

State: TypeAlias = Any
"""One record: `np.record` uncompiled, a numba record compiled."""
Numbers: TypeAlias = NDArray[Any]

NOBODY = -1
"""The player to move when the game is over."""
NO_ACTION = -1
"""What a row whose game is over takes as its action."""

OUTCOME, MARGIN = 0, 1
REWARDS = ("outcome", "margin")


@dataclass(frozen=True)
class Field:
    """One named part of the state, with the range that any reachable state keeps to."""

    name: str
    type: str
    low: int
    high: int
    meaning: str
    shape: tuple[int, ...] = ()
    fixed: bool = False
    """Whether it belongs to the configuration, so never changes."""


HEADER = (
    Field("seed", "u8", 0, 2**64 - 1, "seed of this game's chance"),
    Field("counter", "u4", 0, 2**32 - 1, "random numbers drawn so far"),
    Field("player", "i1", NOBODY, 5, "seat to move, -1 when the game is over"),
    Field("players", "i1", 2, 6, "number of seats", fixed=True),
    Field("teams", "i1", 2, 6, "number of sides; the side of a seat is seat mod teams", fixed=True),
    Field("reward", "i1", OUTCOME, MARGIN, "which reward is paid at the end", fixed=True),
    Field("offender", "i1", NOBODY, 5, "seat that ended the game by an illegal action, else -1"),
    Field("truncated", "i1", 0, 1, "whether the game was cut short by its safety limit"),
)


@dataclass(frozen=True)
class Record:
    """The state table of a game and the numpy dtype made from it."""

    fields: tuple[Field, ...]

    @classmethod
    def of(cls, *fields: Field) -> "Record":
        """The header and these fields."""
        taken = [f.name for f in fields if hasattr(np.record, f.name)]
        if taken:
            raise ConfigError(f"a numpy record has an attribute {taken[0]!r} of its own: name the field otherwise")
        return cls(HEADER + fields)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """Wide fields come first and the end is filled up, so that no byte is left undefined.

        Made once: numba knows a dtype object that it has seen, and compares any other field by field in every call.
        """
        columns: list[Any] = [(f.name, f.type, f.shape) for f in self.fields]
        columns.sort(key=lambda column: -np.dtype(column[1]).itemsize)
        gap = np.dtype(columns, align=True).itemsize - np.dtype(columns).itemsize
        return np.dtype((np.record, np.dtype([*columns, ("filler", "u1", (gap,))] if gap else columns, align=True)))

    def blank(self, **values: Any) -> NDArray[Any]:
        """One record with these values, the header's defaults and zeros elsewhere."""
        state = np.zeros(1, self.dtype)
        defaults = {"player": NOBODY, "offender": NOBODY, "teams": values.get("players", 2)}
        for name, value in {**defaults, **values}.items():
            state[name] = value
        return state

    def refuse_impossible(self, states: NDArray[Any]) -> None:
        """Raise `SnapshotError` where a value lies outside its field's range: kernels trust what they index with."""
        for field in self.fields:
            column = states[field.name]
            if column.size and (column.min() < field.low or column.max() > field.high):
                raise SnapshotError(
                    f"{field.name} must be within {field.low}..{field.high}, got {column.min()}..{column.max()}"
                )

    def refuse_foreign(self, states: NDArray[Any], blank: NDArray[Any]) -> None:
        """Raise `SnapshotError` where a game is not of the configuration of `blank`."""
        for field in self.fields:
            if field.fixed and (states[field.name] != blank[field.name]).any():
                raise SnapshotError(f"{field.name} is not what the configuration says")
        for seat in ("player", "offender"):
            if states[seat].max() >= int(blank["players"][0]):
                raise SnapshotError(f"{seat} is a seat that this table does not have")
