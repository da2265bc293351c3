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
def hashed(seed: int, counter: int) -> int:
    """Random number `counter` of the stream of a seed: 64 bits. Both must be unsigned where compiled."""
    return mix((mix(seed) + int(counter) * _GAMMA) & _ALL)


@kernel
def offshoot(seed: int, index: int) -> int:
    """The seed of game `index` of a batch seeded with `seed`; game 0 has the batch's own."""
    if index == 0:
        return int(seed)
    return hashed(seed, index)


@kernel
def scaled(bits: int, n: int) -> int:
    """64 random bits as a whole number from 0 to n - 1; n is small, so the bias is below 2**-20."""
    return int((bits >> 33) * int(n) >> 31)


@kernel
def below(s: State, n: int) -> int:
    """A random whole number from 0 to n - 1, the next of this game's."""
    s.counter = int(s.counter) + 1
    return scaled(hashed(s.seed, s.counter), n)


@kernel
def shuffle(s: State, cards: Numbers, first: int, stop: int) -> None:
    """Put cards[first:stop] into random order."""
    for last in range(stop - 1, first, -1):
        other = first + below(s, last - first + 1)
        held = cards[last]
        cards[last] = cards[other]
        cards[other] = held
