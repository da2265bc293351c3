"""Sets of card values as bit masks: bit 0 is the lowest value, -5, and bit 25 the highest, 20."""

from parlour.envs.core.jit import kernel
from parlour.envs.klink.components import LOWEST, VALUES


@kernel
def has_triad(up: int, new: int) -> bool:
    """Whether three consecutive values lie face up, a new card among them [KLI-16]."""
    first = up & (up >> 1) & (up >> 2)
    return (first | (first << 1) | (first << 2)) & new != 0


@kernel
def highest(up: int) -> int:
    """The highest value of a set that has one, counted from the lowest there is."""
    value = VALUES - 1
    while not (up >> value) & 1:
        value -= 1
    return value


@kernel
def lowest(up: int) -> int:
    value = 0
    while not (up >> value) & 1:
        value += 1
    return value


@kernel
def total(up: int) -> int:
    """The sum of the values as printed on the cards."""
    points = 0
    for value in range(VALUES):
        points += ((up >> value) & 1) * (value + LOWEST)
    return points


@kernel
def size(up: int) -> int:
    """How many values: adds neighbouring bits, then pairs of them, and so on, since a loop would cost more."""
    up -= (up >> 1) & 0x1555555
    up = (up & 0x3333333) + ((up >> 2) & 0x3333333)
    up = (up + (up >> 4)) & 0xF0F0F0F
    return ((up * 0x1010101) >> 24) & 0xFF
