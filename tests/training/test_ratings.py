"""The statistics of the arena, against known mathematics and simulated players."""

import numpy as np
import pytest

from parlour.training import ratings
from parlour.training.ratings import Floats


def simulated(strengths: Floats, blocks: int, experiments: int, rng: np.random.Generator) -> Floats:
    """Results [experiments, blocks, pairings] of a round robin of Bradley-Terry players, two games a block."""
    first, second = np.triu_indices(strengths.size, 1)
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    return rng.binomial(2, chance, size=(experiments, blocks, chance.size)) / 2


def pairs_of(agents: int) -> list[tuple[int, int]]:
    return list(zip(*np.triu_indices(agents, 1), strict=True))


class TestBradleyTerry:
    def test_two_agents_differ_by_the_logarithm_of_their_odds(self) -> None:
        found = ratings.bradley_terry(np.array([[0.0, 10.0], [1.0, 0.0]]))
        assert found == pytest.approx([200.0, -200.0])

    def test_wins_by_the_model_give_back_its_ratings(self) -> None:
        truth = np.array([310.0, 40.0, -50.0, -300.0])
        chance = 1 / (1 + 10 ** ((truth - truth[:, None]) / 400))
        np.fill_diagonal(chance, 0)
        games = np.array([[0, 3, 8, 1], [3, 0, 2, 9], [8, 2, 0, 5], [1, 9, 5, 0]])
        assert ratings.bradley_terry(games * chance) == pytest.approx(truth)

    def test_ties_are_half_a_win_for_both(self) -> None:
        all_tied = np.array([[0.0, 7.5, 2.5], [7.5, 0.0, 4.0], [2.5, 4.0, 0.0]])
        assert ratings.bradley_terry(all_tied) == pytest.approx([0, 0, 0])

    def test_many_tables_are_fitted_at_once(self) -> None:
        wins = np.random.default_rng(0).uniform(0.1, 9, size=(5, 3, 4, 4)) * (1 - np.eye(4))
        found = ratings.bradley_terry(wins)
        assert found.shape == (5, 3, 4)
        assert found[3, 1] == pytest.approx(ratings.bradley_terry(wins[3, 1]))

    def test_lopsided_tables_are_fitted_too(self) -> None:
        wins = np.array([[0, 1e5, 1e5], [1e-3, 0, 1e5], [1e-3, 1e-3, 0]])
        chance = 1 / (1 + 10 ** ((lambda r: r - r[:, None])(ratings.bradley_terry(wins)) / 400))
        assert (wins.sum(axis=1) - ((wins + wins.T) * chance).sum(axis=1)) == pytest.approx(np.zeros(3), abs=1e-4)

    def test_it_agrees_with_choix(self) -> None:
        choix = pytest.importorskip("choix")
        wins = np.random.default_rng(1).uniform(0.5, 30, size=(6, 6)) * (1 - np.eye(6))
        assert ratings.bradley_terry(wins) == pytest.approx(choix.ilsr_pairwise_dense(wins) * ratings.ELO, abs=1e-4)


class TestIntervals:
    def test_of_plain_wins_and_losses_are_those_of_jeffreys(self) -> None:
        results = np.repeat([1.0, 0.0], [7, 3])
        won, weight = ratings.resample([results], seed=0, resamples=200_000)
        low, high = np.quantile(won / weight, [0.025, 0.975])
        assert (low, high) == pytest.approx((0.3938, 0.9073), abs=0.004)  # quantiles of Beta(7.5, 3.5)

    def test_ten_wins_of_ten_leave_some_doubt(self) -> None:
        won, weight = ratings.resample([np.ones(10)], seed=0)
        low, high = ratings.interval(np.array([1.0]), won / weight)
        assert high == 1.0
        assert low[0] == pytest.approx(0.78, abs=0.02)  # quantile of Beta(10.5, 0.5)

    @pytest.mark.parametrize("strength", [0.0, 1.0, 3.0])
    def test_of_win_rates_cover_the_truth_at_about_their_level(self, strength: float) -> None:
        results = simulated(np.array([strength, 0.0]), 100, 1_000, np.random.default_rng(5))
        truth = 1 / (1 + np.exp(-strength))
        hits = 0
        for number, result in enumerate(results):
            won, weight = ratings.resample([result[:, 0]], seed=number, resamples=400)
            low, high = ratings.interval(np.atleast_1d(result.mean()), won / weight)
            hits += low[0] <= truth <= high[0]
        assert 0.925 <= hits / 1_000 <= 0.975

    def test_of_ratings_cover_the_truth_at_about_their_level(self) -> None:
        strengths = np.array([0.9, 0.2, -1.1])
        hits = np.zeros(3)
        for number, result in enumerate(simulated(strengths, 60, 400, np.random.default_rng(6))):
            won, weight = ratings.resample(list(result.T), seed=number, resamples=300)
            found = ratings.bradley_terry(ratings.tabulated(pairs_of(3), 3, won, weight))
            low, high = np.quantile(found, [0.025, 0.975], axis=0)
            hits += (low <= strengths * ratings.ELO) & (strengths * ratings.ELO <= high)
        assert ((hits / 400 >= 0.915) & (hits / 400 <= 0.98)).all()

    def test_follow_from_the_seed(self) -> None:
        results = [np.linspace(0, 1, 30), np.linspace(0.2, 0.7, 12)]
        assert np.array_equal(ratings.resample(results, 3)[0], ratings.resample(results, 3)[0])
        assert not np.array_equal(ratings.resample(results, 3)[0], ratings.resample(results, 4)[0])

    def test_a_deal_weighs_the_same_in_all_pairings(self) -> None:
        results = np.random.default_rng(0).random(5_000)
        won, weight = ratings.resample([results, 1 - results], seed=0)
        correlation = np.corrcoef((won / weight).T)[0, 1]
        assert correlation < -0.98


class TestWhenToStop:
    @pytest.mark.parametrize("kind", ["won or lost", "two games", "mostly tied"])
    def test_equal_agents_are_rarely_told_apart(self, kind: str) -> None:
        rng = np.random.default_rng(2)
        draws = {
            "won or lost": lambda size: rng.integers(0, 2, size).astype(float),
            "two games": lambda size: rng.binomial(2, 0.5, size) / 2,
            "mostly tied": lambda size: rng.choice([0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1], size),
        }[kind]
        wrong = sum(ratings.is_sure(draws(1_000)) for _ in range(1_000))
        assert wrong / 1_000 <= 0.05

    def test_a_better_agent_is_found_out_soon(self) -> None:
        rng = np.random.default_rng(3)
        found = [ratings.is_sure(rng.binomial(2, 0.6, 400) / 2) for _ in range(100)]
        assert sum(found) >= 95
        assert ratings.is_sure(np.ones(16))
        assert ratings.is_sure(np.zeros(16))

    def test_nothing_is_sure_before_the_first_block(self) -> None:
        assert not ratings.is_sure(np.empty(0))
        assert not ratings.is_sure(np.ones(3))

    def test_what_was_sure_once_stays_sure(self) -> None:
        assert ratings.is_sure(np.concatenate([np.ones(20), np.zeros(20)]))

    def test_endless_wins_do_not_overflow(self) -> None:
        assert ratings.is_sure(np.ones(5_000))


class TestCircles:
    def test_each_is_named_once(self) -> None:
        beats = np.zeros((4, 4), bool)
        beats[0, 1] = beats[1, 2] = beats[2, 0] = beats[0, 3] = True
        assert ratings.circles(beats) == [(0, 1, 2)]

    def test_an_order_has_none(self) -> None:
        assert ratings.circles(np.triu(np.ones((5, 5), bool), 1)) == []
