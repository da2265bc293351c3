"""Going round the table. No division: these are on the hot path of every observation."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import State


@kernel
def clockwise(s: State, seat: int) -> int:
    """The next seat."""
    following = int(seat) + 1
    return following if following < s.players else 0


@kernel
def seat_after(s: State, seat: int, steps: int) -> int:
    """The seat some steps clockwise, fewer than there are players."""
    there = int(seat) + int(steps)
    return there if there < s.players else there - int(s.players)


@kernel
def distance(s: State, observer: int, seat: int) -> int:
    """How many steps clockwise of the observer a seat is."""
    steps = int(seat) - int(observer)
    return steps if steps >= 0 else steps + int(s.players)
