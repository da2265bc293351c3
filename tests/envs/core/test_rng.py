"""Chance from a counter: known values, and no side is favoured."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core import rng
from parlour.envs.core.jit import plain
from parlour.envs.core.loops import following_seeds, spread_seeds
from parlour.envs.core.record import Field, Record

MASK = 2**64 - 1
SEEDS = (0, 1, 2, 77, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)


def splitmix64(state: int) -> int:
    """One output of Steele, Lea and Flood's generator, from its state before the step, in plain whole numbers."""
    state = (state + 0x9E3779B97F4A7C15) % 2**64
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) % 2**64
    return state ^ (state >> 31)


def stream(seed: int, counter: int) -> int:
    return splitmix64((splitmix64(seed) + counter * 0x9E3779B97F4A7C15) & MASK)


def deal(cards: int = 3, size: int = 1) -> Any:
    record = Record.of(Field("pile", "i1", 0, 99, "some cards", (cards,)))
    states = np.repeat(record.blank(players=2), size)
    states["pile"] = np.arange(cards)
    return states


BOTH = pytest.mark.parametrize("made", [lambda function: function, plain], ids=["compiled", "plain"])
Made = Callable[[Any], Callable[..., Any]]


def test_the_reference_gives_the_published_values() -> None:
    """The first outputs for seed 1234567, as every implementation of splitmix64 is tested against."""
    found = [splitmix64((1234567 + k * 0x9E3779B97F4A7C15) & MASK) for k in range(5)]
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


class TestKnownValues:
    def test_of_the_seeds_that_follow(self) -> None:
        found = following_seeds(np.array(SEEDS, np.uint64)).tolist()
        assert found == [splitmix64(seed) for seed in SEEDS]
        assert [plain(rng.mix)(seed) for seed in SEEDS] == found

    @pytest.mark.parametrize("seed", SEEDS)
    def test_of_the_seeds_of_a_batch(self, seed: int) -> None:
        rows = np.array([0, 1, 2, 255, 65_535, 10**9])
        found = np.empty(rows.size, np.uint64)
        spread_seeds(np.uint64(seed), rows, found)
        expected = [seed, *(stream(seed, int(row)) for row in rows[1:])]
        assert found.tolist() == expected
        assert [plain(rng.offshoot)(seed, int(row)) for row in rows] == expected

    @BOTH
    @pytest.mark.parametrize("seed", SEEDS)
    def test_of_the_numbers_drawn(self, made: Made, seed: int) -> None:
        states = deal()
        states["seed"] = seed
        drawn = [int(made(rng.below)(states[0], n)) for n in (2, 3, 7, 33, 92, 1000)]
        expected = [(stream(seed, k) >> 33) * n >> 31 for k, n in enumerate((2, 3, 7, 33, 92, 1000), 1)]
        assert drawn == expected
        assert int(states["counter"][0]) == 6

    @BOTH
    def test_of_numbers_far_into_a_stream(self, made: Made) -> None:
        states = deal()
        states["seed"], states["counter"] = 2**64 - 1, 2**31
        assert int(made(rng.below)(states[0], 100)) == (stream(2**64 - 1, 2**31 + 1) >> 33) * 100 >> 31

    def test_of_the_actions_sampled(self) -> None:
        """The sampler's stream is that of the seed that follows the game's."""
        batch = parlour.batch("kintsugi", 1, seed=9)
        legal = np.flatnonzero(batch.legal[0])
        expected = [(stream(splitmix64(9), k) >> 33) * legal.size >> 31 for k in range(1, 20)]
        assert [int(batch.sample_legal()[0]) for _ in range(19)] == legal[expected].tolist()


class TestNoSideIsFavoured:
    @pytest.mark.parametrize("n", [1, 2, 3, 5, 33])
    def test_numbers_are_uniform_over_seeds_and_along_a_stream(self, n: int) -> None:
        below = plain(rng.below)
        along, across = deal(), deal(size=6_000)
        across["seed"] = following_seeds(np.arange(6_000, dtype=np.uint64))
        for drawn in ([below(along[0], n) for _ in range(6_000)], [below(state, n) for state in across]):
            assert_uniform(drawn, list(range(n)))

    def test_shuffles_of_three_cards_are_uniform(self) -> None:
        orders = []
        for seed in range(6_000):
            states = deal(3)
            states["seed"] = seed
            plain(rng.shuffle)(states[0], states[0].pile, 0, 3)
            orders.append(tuple(states[0].pile.tolist()))
        assert_uniform(orders, list(itertools.permutations(range(3))))

    @BOTH
    @pytest.mark.parametrize(("first", "stop"), [(0, 20), (0, 1), (5, 5), (3, 17), (19, 20)])
    def test_a_shuffle_permutes_its_cards_and_leaves_the_others(self, made: Made, first: int, stop: int) -> None:
        states = deal(20)
        made(rng.shuffle)(states[0], states[0].pile, first, stop)
        cards = states[0].pile.tolist()
        assert sorted(cards[first:stop]) == list(range(first, stop))
        assert (cards[:first], cards[stop:]) == (list(range(first)), list(range(stop, 20)))
        assert (cards == list(range(20))) == (stop - first < 2)
        assert int(states["counter"][0]) == max(stop - first - 1, 0)

    def test_compiled_and_plain_shuffles_are_the_same(self) -> None:
        for seed in (0, 2**64 - 1):
            ours, theirs = deal(40), deal(40)
            ours["seed"] = theirs["seed"] = seed
            rng.shuffle(ours[0], ours[0].pile, 0, 40)
            plain(rng.shuffle)(theirs[0], theirs[0].pile, 0, 40)
            assert ours.tobytes() == theirs.tobytes()

    def test_first_players_are_drawn_evenly_and_deals_differ(self) -> None:
        batch = parlour.batch("kintsugi", 4_096, seed=1, players=4)
        assert_uniform(batch.current_player.tolist(), [0, 1, 2, 3])
        assert len(np.unique(batch.reveal(), axis=0)) == 4_096


def assert_uniform(drawn: list[Any], possible: list[Any]) -> None:
    counts = Counter(value if isinstance(value, tuple) else int(value) for value in drawn)
    assert set(counts) == set(possible)
    expected, freedom = len(drawn) / len(possible), len(possible) - 1
    assert sum((n - expected) ** 2 / expected for n in counts.values()) <= freedom + 5 * (2 * freedom) ** 0.5
