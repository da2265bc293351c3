"""Chance from a counter in the record: draw number k of a game is a hash of (seed, k), on any machine and thread."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers, State

_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_ALL = 0xFFFFFFFFFFFFFFFF


@kernel
def mix(x: int) -> int:
    """The splitmix64 hash of a 64-bit number."""
    z = (int(x) + _GAMMA) & _ALL
    z = ((z ^ (z >> 30)) * _FIRST) & _ALL
    z = ((z ^ (z >> 27)) * _SECOND) & _ALL
    return z ^ (z >> 31)


@kernel
def offshoot(seed: int, index: int) -> int:
    """The seed of game `index` of a batch seeded with `seed`; game 0 has the batch's own."""
    if index == 0:
        return int(seed)
    return mix((mix(seed) + int(index) * _GAMMA) & _ALL)


@kernel
def draw(s: State) -> int:
    """The next 64 random bits of this game."""
    s.counter = int(s.counter) + 1
    return mix((mix(s.seed) + int(s.counter) * _GAMMA) & _ALL)


@kernel
def below(s: State, n: int) -> int:
    """A random whole number from 0 to n - 1; n is small, so the bias is below 2**-24."""
    return int((draw(s) >> 33) * int(n) >> 31)


@kernel
def shuffle(s: State, cards: Numbers, first: int, stop: int) -> None:
    """Put cards[first:stop] into random order."""
    for last in range(stop - 1, first, -1):
        other = first + below(s, last - first + 1)
        held = cards[last]
        cards[last] = cards[other]
        cards[other] = held
