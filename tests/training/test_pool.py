"""The opponent pool: who is drawn, what is noted, what is kept."""

import json

import numpy as np
import pytest

import parlour
from parlour.agents import Random
from parlour.training import Pool
from parlour.training.pool import MEMORY


def bits(many: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 2**64, many, np.uint64)


def won_against(pool: Pool, name: str, games: int, share: float) -> None:
    """Note games against a member of which the learner won a share."""
    rewards = np.where(np.arange(games) < share * games, 1.0, -1.0).astype(np.float32)
    pool.note(np.full((games, 1), pool[name].number), rewards)


class TestDraws:
    def test_members_come_as_often_as_they_weigh(self) -> None:
        pool = Pool({"a": ("random", 1), "b": ("random", 3), "never": ("random", 0)})
        drawn = pool.draw(bits(20_000).reshape(-1, 2))
        assert drawn.shape == (10_000, 2)
        np.testing.assert_allclose(np.bincount(drawn.ravel(), minlength=3) / 20_000, [0.25, 0.75, 0], atol=0.02)
        assert pool.chances == {"a": 0.25, "b": 0.75, "never": 0.0}

    def test_the_most_extreme_bits_draw_members_that_weigh_something(self) -> None:
        pool = Pool({"nobody": ("random", 0), "a": ("random", 1), "neither": ("random", 0)})
        assert pool.draw(np.array([0, 2**64 - 1], np.uint64)).tolist() == [1, 1]

    def test_the_same_bits_draw_the_same(self) -> None:
        pool = Pool({"a": ("random", 1), "b": ("random", 1)})
        np.testing.assert_array_equal(pool.draw(bits(100)), pool.draw(bits(100)))

    def test_an_empty_pool_is_told(self) -> None:
        with pytest.raises(parlour.ConfigError, match="nobody"):
            Pool().draw(bits(1))


class TestSnapshots:
    def test_together_they_weigh_what_the_pool_says(self) -> None:
        pool = Pool({"random": ("random", 1)}, snapshots=3)
        for k in range(5):
            pool.add_snapshot(f"past {k}", Random())
        assert pool.chances["random"] == pytest.approx(0.25)
        assert pool.chances["past 2"] == pytest.approx(0.15)

    def test_the_hard_ones_come_more_often(self) -> None:
        pool = Pool(power=1)
        for name, share in (("easy", 0.9), ("even", 0.5), ("hard", 0.1)):
            pool.add_snapshot(name, Random())
            won_against(pool, name, 900, share)
        chances = pool.chances
        assert chances["easy"] < chances["even"] < chances["hard"]
        expected = 1 - np.array([(0.9 * 900 + 5) / 910, 0.5, (0.1 * 900 + 5) / 910])
        np.testing.assert_allclose(list(chances.values()), expected / expected.sum())

    def test_even_the_easiest_comes_at_times(self) -> None:
        pool = Pool(floor=0.1, power=4)
        for name, share in (("easy", 1.0), ("hard", 0.0)):
            pool.add_snapshot(name, Random())
            won_against(pool, name, 100_000, share)
        assert pool.chances["easy"] == pytest.approx(0.1 / 1.1, rel=0.05)


class TestResults:
    def test_wins_count_one_draws_half(self) -> None:
        pool = Pool({"a": ("random", 1)})
        pool.note(np.zeros((4, 1), np.int64), np.array([1, 1, 0, -1], np.float32))
        assert (pool["a"].games, pool["a"].won) == (4, 2.5)

    def test_everyone_at_the_table_is_noted_once(self) -> None:
        pool = Pool({"a": ("random", 1), "b": ("random", 1)})
        pool.note(np.array([[0, 0, 1], [1, 1, 1]]), np.array([1, -1 / 3], np.float32))
        assert (pool["a"].games, pool["a"].won) == (1, 1)
        assert (pool["b"].games, pool["b"].won) == (2, 1)

    def test_old_games_are_forgotten(self) -> None:
        pool = Pool({"a": ("random", 1)})
        for _ in range(50):
            won_against(pool, "a", 100, 0.0)
        for _ in range(50):
            won_against(pool, "a", 100, 1.0)
        assert pool["a"].win_rate > 0.95
        assert pool["a"].games == pytest.approx(MEMORY, rel=0.01)

    def test_the_results_of_a_member_that_left_are_let_go(self) -> None:
        pool = Pool({"a": ("random", 1), "b": ("random", 1)})
        number = pool["a"].number
        pool.remove("a")
        pool.note(np.array([[number]]), np.ones(1, np.float32))
        pool.add("a", "random")
        assert pool["a"].games == 0
        assert pool["a"].number not in (number, pool["b"].number)


class TestMembers:
    def test_names_are_unique(self) -> None:
        pool = Pool({"a": ("random", 1)})
        with pytest.raises(parlour.ConfigError, match="already"):
            pool.add_snapshot("a", Random())

    def test_unknown_names_are_told_with_the_known(self) -> None:
        with pytest.raises(parlour.ConfigError, match="members are a"):
            Pool({"a": ("random", 1)}).remove("b")

    def test_weights_are_checked(self) -> None:
        with pytest.raises(parlour.ConfigError, match="negative"):
            Pool({"a": ("random", -1)})
        with pytest.raises(parlour.ConfigError, match="floor"):
            Pool(floor=0)


class TestCheckpoints:
    def test_a_state_is_plain_and_gives_the_pool_again(self) -> None:
        pool = Pool({"a": ("random", 1), "b": ("random", 2)}, snapshots=2, power=1, floor=0.1)
        pool.add_snapshot("past", Random())
        won_against(pool, "past", 30, 0.2)
        pool.remove("a")
        state = json.loads(json.dumps(pool.state()))
        twin = Pool.restored(state, {"b": "random", "past": Random()})
        assert twin.state() == pool.state()
        np.testing.assert_array_equal(twin.draw(bits(100)), pool.draw(bits(100)))
        assert "a" not in twin
        assert len(twin) == 2

    def test_a_missing_agent_is_named(self) -> None:
        with pytest.raises(parlour.ConfigError, match="'a'"):
            Pool.restored(Pool({"a": ("random", 1)}).state(), {})
