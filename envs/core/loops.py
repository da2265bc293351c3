"""The loops over a batch, written once. They call the rules of a game by global names that `Kernels` binds.

Each loop touches only the rows it is given, and each row only its own record, so any order and any number of
threads give the same result.
"""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from types import FunctionType
from typing import Any

import numpy as np
from numba import prange

from parlour.envs.core.jit import bind, entry, kernel, plain, unbound
from parlour.envs.core.record import NO_ACTION, NOBODY, Numbers, State
from parlour.envs.core.rewards import forfeit
from parlour.envs.core.rng import hashed, mix, offshoot, scaled

FORFEIT = -2
"""An action that never fits: it ends a game against the player to move (see `on_illegal`)."""
RUNNING, TERMINATED, TRUNCATED = 0, 1, 2


setup = legal = apply = observe = redeal = scores = returns = pick = unbound


def start_rows(states: Numbers, rows: Numbers, seeds: Numbers, blank: Numbers, masks: Numbers) -> None:
    for k in prange(rows.size):
        i = rows[k]
        states[i] = blank[0]
        states[i].seed = seeds[k]
        setup(states[i])
        legal(states[i], masks[i])


@kernel
def fits(s: State, action: int, mask: Numbers) -> bool:
    """Whether a row can take this action. A finished game takes only `NO_ACTION`."""
    if s.player == NOBODY:
        return bool(action == NO_ACTION)
    return bool(0 <= action < mask.size and mask[action])


def step_rows(
    states: Numbers,
    rows: Numbers,
    actions: Numbers,
    blank: Numbers,
    autoreset: bool,
    strict: bool,
    masks: Numbers,
    masks_after: Numbers,
    rewards: Numbers,
    ended: Numbers,
) -> int:
    """Play one action in each row. Returns -1, or the first place whose action does not fit.

    Where `strict`, nothing is played then; else an action that does not fit ends its game against the player to move.
    `masks` and `masks_after` may be the same. The check is a parallel loop too, not for its own sake: each row stays
    with the thread that has it in its cache.
    """
    wrong: Any = rows.size
    if strict:
        for k in prange(rows.size):
            if not fits(states[rows[k]], actions[k], masks[rows[k]]):
                wrong = min(wrong, np.int64(k))
    if wrong < rows.size:
        return int(wrong)
    for k in prange(rows.size):
        i = rows[k]
        s = states[i]
        rewards[k, :] = 0.0
        if s.player != NOBODY:
            if strict or fits(s, actions[k], masks[i]):
                apply(s, actions[k])
                if s.player == NOBODY:
                    returns(s, rewards[k])
            else:
                s.offender = s.player
                s.player = NOBODY
                forfeit(s, rewards[k])
        ended[k] = RUNNING
        if s.player == NOBODY:
            ended[k] = TRUNCATED if s.truncated else TERMINATED
            if autoreset:
                seed = mix(s.seed)
                states[i] = blank[0]
                s.seed = seed
                setup(s)
        if s.player == NOBODY:
            masks_after[i, :] = False
        else:
            legal(s, masks_after[i])
    return -1


def play_rows(
    states: Numbers,
    rows: Numbers,
    masks: Numbers,
    sampler: Numbers,
    actions: int,
    seats: Numbers,
    every: int,
    numbers: Numbers,
    number: int,
    own: Numbers,
    ended: Numbers,
) -> None:
    """Let the opponent with this number move on until another is to move, or the learner, or nobody.

    The learner has the seats that lie a multiple of `every` places from its own; `numbers` says who has the others.
    """
    for k in prange(rows.size):
        i = rows[k]
        s = states[i]
        seat = int(seats[i])
        while s.player != NOBODY:
            place = (int(s.player) - seat) % int(s.players)
            if place % every == 0 or numbers[i, place] != number:
                break
            apply(s, pick(states, i, masks, actions, sampler))
            if s.player != NOBODY:
                legal(s, masks[i])
        if s.player == NOBODY:
            paid = np.zeros(int(s.players), np.float32)
            returns(s, paid)
            own[i] = paid[seat]
            ended[i] = TRUNCATED if s.truncated else TERMINATED
            masks[i, :] = False


def mask_rows(states: Numbers, rows: Numbers, masks: Numbers) -> None:
    for k in prange(rows.size):
        if states[rows[k]].player == NOBODY:
            masks[k, :] = False
        else:
            legal(states[rows[k]], masks[k])


MOVERS = np.empty(0, np.int64)
"""Instead of a seat for each row: whoever is to move there."""


def observe_rows(states: Numbers, rows: Numbers, seats: Numbers, out: Numbers) -> None:
    for k in prange(rows.size):
        s = states[rows[k]]
        seat = seats[k] if seats.size else np.int64(s.player)
        if seat == NOBODY:
            out[k, :] = 0.0
        else:
            observe(s, seat, out[k])


def score_rows(states: Numbers, rows: Numbers, out: Numbers) -> None:
    for k in prange(rows.size):
        scores(states[rows[k]], out[k])


def determinize_rows(states: Numbers, seats: Numbers, seeds: Numbers) -> None:
    for i in prange(states.size):
        states[i].seed = seeds[i]
        states[i].counter = 0
        redeal(states[i], seats[i])


LINE = 64
"""Masks are kept in rows of whole lines of 64 bytes, so that a line of actions can be counted at once."""
_WORDS = LINE // 8
_STRETCH = 31 * _WORDS
_EVERY_OTHER = 0x00FF00FF00FF00FF


@kernel
def bytes_summed(word: int) -> int:
    """The sum of the eight bytes of a word."""
    pairs = (word & _EVERY_OTHER) + ((word >> 8) & _EVERY_OTHER)
    fours = pairs + (pairs >> 32)
    return int((fours + (fours >> 16)) & 0xFFFF)


@kernel
def legal_among(words: Numbers) -> int:
    """How many actions are legal in a stretch of fewer than 256 words: their bytes add up without a carry."""
    total = np.uint64(0)
    for i in range(words.size):
        total += words[i]
    return bytes_summed(int(total))


@kernel
def count_legal(words: Numbers) -> int:
    many = 0
    for start in range(0, words.size, _STRETCH):
        many += legal_among(words[start : start + _STRETCH])
    return many


@kernel
def nth_legal(words: Numbers, n: int) -> int:
    """The id of legal action number n, counted from 0: first its line, then its word, then its byte."""
    at = 0
    inside = legal_among(words[:_WORDS])
    while inside <= n:
        n -= inside
        at += _WORDS
        inside = legal_among(words[at : at + _WORDS])
    inside = bytes_summed(int(words[at]))
    while inside <= n:
        n -= inside
        at += 1
        inside = bytes_summed(int(words[at]))
    action = 8 * at
    word = int(words[at])
    while n > 0 or not word & 1:
        n -= word & 1
        word >>= 8
        action += 1
    return action


@kernel
def next_bits(stream: Numbers) -> int:
    """The next 64 random bits of a row's stream, which is (seed, how many were drawn)."""
    stream[1] += np.uint64(1)
    return hashed(stream[0], stream[1])


def sample_rows(words: Numbers, rows: Numbers, sampler: Numbers, out: Numbers) -> None:
    for k in prange(rows.size):
        i = rows[k]
        many = count_legal(words[i])
        bits = next_bits(sampler[i])
        out[k] = nth_legal(words[i], scaled(bits, many)) if many else NO_ACTION


@entry
def draw_rows(rows: Numbers, sampler: Numbers, out: Numbers) -> None:
    for k in range(rows.size):
        out[k] = next_bits(sampler[rows[k]])


@entry
def spread_seeds(seed: np.uint64, rows: Numbers, out: Numbers) -> None:
    """The seeds of these rows of a batch seeded with `seed`."""
    for k in range(rows.size):
        out[k] = offshoot(int(seed), int(np.uint64(rows[k])))


@entry
def following_seeds(seeds: Numbers) -> Numbers:
    """The seeds of the games that follow upon games with these seeds."""
    out = np.empty_like(seeds)
    for k in range(seeds.size):
        out[k] = mix(seeds[k])
    return out


@cache
def sampling(*, parallel: bool) -> Callable[..., None]:
    """`sample_rows`, which needs no rules of any game."""
    return bind(sample_rows, "any", {}, parallel=parallel)


class Kernels:
    """The loops bound to the rules of one game, each compiled when it is first used."""

    def __init__(self, owner: str, rules: Mapping[str, Callable[..., Any]], *, parallel: bool, compiled: bool = True):
        self._owner, self._rules, self._parallel, self._compiled = owner, rules, parallel, compiled

    def _view(self, role: str) -> Callable[..., Any]:
        """`observe_rows` with another view, which may be the same function where there is nothing more to tell."""
        if self._rules[role] is self._rules["observe"]:
            return self.observe
        return self._bind(observe_rows, f"-{role}", observe=role)

    def _bind(self, loop: Callable[..., Any], tag: str = "", **renamed: str) -> Callable[..., Any]:
        functions = {name: self._rules[renamed.get(name, name)] for name in ROLES if name in loop.__code__.co_names}
        if self._compiled:
            return bind(loop, self._owner + tag, functions, parallel=self._parallel)
        twin = plain(loop)
        twins = {name: plain(function) for name, function in functions.items()}
        return FunctionType(twin.__code__, {**twin.__globals__, **twins})

    @cached_property
    def start(self) -> Callable[..., None]:
        return self._bind(start_rows)

    @cached_property
    def step(self) -> Callable[..., None]:
        return self._bind(step_rows)

    @cached_property
    def masks(self) -> Callable[..., None]:
        return self._bind(mask_rows)

    @cached_property
    def observe(self) -> Callable[..., None]:
        return self._bind(observe_rows)

    @cached_property
    def remember(self) -> Callable[..., None]:
        return self._view("remember")

    @cached_property
    def reveal(self) -> Callable[..., None]:
        return self._view("reveal")

    @cached_property
    def scores(self) -> Callable[..., None]:
        return self._bind(score_rows)

    @cached_property
    def determinize(self) -> Callable[..., None]:
        return self._bind(determinize_rows)


ROLES = ("setup", "legal", "apply", "observe", "redeal", "scores", "returns")
