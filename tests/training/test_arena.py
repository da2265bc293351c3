"""The arena: fair seats, right results, the same for any batch size."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.agents.human import Human
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError, IllegalAction
from parlour.training import arena
from parlour.training.arena import ArenaResult, Contestant, Pairing, Watcher, arrangements
from parlour.training.standings import ahead
from tests.envs.core import toy


@dataclass(frozen=True)
class Taker:
    """Takes a card of the toy game from a value on, else leaves it if it may; a stronger player than chance."""

    least: int = 3

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        open_card = np.rint(batch.observe(None, rows)[:, 0] * toy.CARDS)
        leaves = (open_card < self.least) & batch.legal[rows, toy.LEAVE]
        return np.where(leaves, toy.LEAVE, toy.TAKE)


def without_times(result: ArenaResult) -> dict[str, Any]:
    told = result.report()
    for agent in told["agents"]:
        del agent["seconds_per_move"]
    return told


class TestSeats:
    def test_two_players_sit_both_ways_round(self) -> None:
        assert arrangements(2, 2).tolist() == [[0, 1], [1, 0]]

    def test_a_clan_is_played_by_one_agent(self) -> None:
        assert arrangements(6, 2).tolist() == [[0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0]]

    @pytest.mark.parametrize(("players", "tables"), [(3, 6), (4, 6), (5, 20), (6, 20)])
    def test_bigger_tables_are_balanced(self, players: int, tables: int) -> None:
        seated = arrangements(players, players)
        assert seated.shape == (tables, players)
        assert (seated.mean(axis=0) == 0.5).all(), "each agent sits equally often in each seat"
        assert len({tuple(row) for row in seated.tolist()}) == tables
        assert {tuple(row) for row in (1 - seated).tolist()} == {tuple(row) for row in seated.tolist()}
        for step in range(1, players):
            pairs = seated[:, 0] * 2 + seated[:, step]
            assert np.bincount(pairs)[[0, 3]].tolist() == [np.bincount(pairs)[0]] * 2

    def test_all_seatings_of_a_block_have_the_same_deal(self) -> None:
        deals: list[tuple[int, ...]] = []

        @dataclass(frozen=True)
        class Spy(Taker):
            def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
                if (batch.states["top"] == 0).all():
                    deals[:] = [tuple(deck) for deck in batch.states["deck"].tolist()]
                return super().act(batch, rows)

        arena(toy.GAME, [Spy(), "random"], games=40)
        assert deals[::2] == deals[1::2]
        assert len(set(deals)) > 10

    def test_the_luck_of_the_deal_cancels(self) -> None:
        seatings = arrangements(2, 2)
        agents = (Contestant("a", Taker().act), Contestant("b", Taker(least=5).act))
        pairing = Pairing(toy.GAME, agents, seatings, 0, 4_096, Watcher())
        paired = pairing._play_games(np.arange(4_000)).reshape(-1, 2).mean(axis=1)
        own_deals = np.arange(4_000) * 2 + np.arange(4_000) % 2  # one game of each block, seatings in turn
        unpaired = pairing._play_games(own_deals).reshape(-1, 2).mean(axis=1)
        assert paired.mean() == pytest.approx(unpaired.mean(), abs=0.05)
        assert paired.var() < 0.5 * unpaired.var()


class TestResults:
    def test_an_agent_without_chance_is_exactly_even_with_itself(self) -> None:
        (pair,) = arena(toy.GAME, [Taker(), Taker()], games=400).pairs
        assert pair.a_win_rate == 0.5
        assert 0.49 < pair.a_win_rate_low < 0.5 < pair.a_win_rate_high < 0.51

    def test_an_agent_is_even_with_itself_within_its_interval(self) -> None:
        pairs = [arena(toy.GAME, ["random", "random"], games=200, seed=seed).pairs[0] for seed in range(100)]
        assert len({pair.a_win_rate for pair in pairs}) > 10, "chance is not shared between seatings"
        assert 89 <= sum(pair.a_win_rate_low <= 0.5 <= pair.a_win_rate_high for pair in pairs) <= 99

    def test_a_better_agent_is_found_better(self) -> None:
        result = arena(toy.GAME, [Taker(), "random"], games=2_000)
        taker, chance = result.agents
        assert taker.win_rate_low > 0.5
        assert taker.win_rate + chance.win_rate == pytest.approx(1)
        assert taker.rating_low > 0 > chance.rating_high
        assert taker.rating + chance.rating == pytest.approx(0, abs=1e-6)
        assert taker.mean_score > chance.mean_score

    def test_they_are_what_plain_games_give(self) -> None:
        result = arena(toy.GAME, [Taker(), Taker(least=5)], games=60, seed=9)
        seeds = Batch(toy.GAME, 30, seed=9).seeds
        won, scores = 0.0, []
        for seed in seeds.tolist():
            for seats in ((Taker(), Taker(least=5)), (Taker(least=5), Taker())):
                batch = Batch(toy.GAME, 1)
                batch.reset(seed=[seed])
                while (player := int(batch.current_player[0])) >= 0:
                    rewards, _, _ = batch.step(seats[player].act(batch, np.array([0])))
                own = seats.index(Taker())
                won += (rewards[0, own] + 1) / 2
                scores.append(batch.scores()[0, own])
        assert result.pairs[0].a_win_rate == pytest.approx(won / 60)
        assert result.agents[0].mean_score == pytest.approx(np.mean(scores))

    @pytest.mark.parametrize("until_sure", [False, True])
    def test_they_do_not_depend_on_the_batch_size(self, until_sure: bool) -> None:
        agents = ["random", Taker(), Taker(least=6)]
        sizes = (1_000, 64, 7)
        told = [
            without_times(arena(toy.GAME, agents, 300, seed=3, batch_size=size, until_sure=until_sure))
            for size in sizes
        ]
        assert told[0] == told[1] == told[2]

    def test_they_follow_from_the_seed(self) -> None:
        first, again, other = (arena(toy.GAME, [Taker(), "random"], 200, seed) for seed in (1, 1, 2))
        assert without_times(first) == without_times(again)
        assert first.pairs != other.pairs

    def test_games_are_rounded_up_to_whole_blocks(self) -> None:
        result = arena(toy.GAME, ["random", Taker()], games=7)
        assert (result.games, result.pairs[0].games, result.agents[0].games) == (8, 8, 8)

    def test_every_pairing_plays(self) -> None:
        result = arena(toy.GAME, ["random", Taker(), Taker(least=6)], games=100)
        assert [(pair.a, pair.b) for pair in result.pairs] == [("random", "Taker")] * 2 + [("Taker", "Taker")]
        assert [agent.games for agent in result.agents] == [200, 200, 200]
        rates = [pair.a_win_rate for pair in result.pairs]
        assert result.agents[1].win_rate == pytest.approx((1 - rates[0] + rates[2]) / 2)
        assert all(agent.seconds_per_move > 0 for agent in result.agents)

    def test_the_report_has_the_fields_of_its_format(self) -> None:
        told = arena("kintsugi", ["random", "random"], games=10, players=3).report()
        assert list(told) == ["game", "config", "seed", "games", "agents", "pairs"]
        assert told["game"] == "kintsugi"
        assert told["config"]["players"] == 3
        assert told["games"] == 12
        interval = ["{}", "{}_low", "{}_high"]
        win_rate, rating, pair = ([form.format(of) for form in interval] for of in ("win_rate", "rating", "a_win_rate"))
        assert list(told["agents"][0]) == ["name", "games", *win_rate, *rating, "mean_score", "seconds_per_move"]
        assert list(told["pairs"][0]) == ["a", "b", "games", *pair]


class TestUntilSure:
    def test_a_decided_pairing_stops_early(self) -> None:
        result = arena(toy.GAME, [Taker(), Taker(least=7), Taker()], games=4_000, until_sure=True)
        decided, equal, _ = result.pairs[0], result.pairs[1], result.pairs[2]
        assert decided.games < 1_000
        assert decided.a_win_rate_low > 0.5
        assert equal.games == result.games == 4_000


class TestCircles:
    def test_agents_that_beat_each_other_in_a_circle_are_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        really_play = Pairing._play_games

        def as_fixed(self: Pairing, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
            really_play(self, numbers)
            a, b = (agent.act.__self__.least for agent in self.agents)  # type: ignore[attr-defined]
            return np.full(numbers.size, 0.9 if (b - a) % 3 == 1 else 0.1)

        monkeypatch.setattr(Pairing, "_play_games", as_fixed)
        result = arena(toy.GAME, [Taker(0), Taker(1), Taker(2)], games=200)
        assert result.circles == [(0, 1, 2)]
        assert [agent.win_rate for agent in result.agents] == pytest.approx([0.5, 0.5, 0.5])
        assert arena(toy.GAME, [Taker(0), Taker(1), Taker(2)], games=2).circles == [], "two games prove nothing"


def finished(name: str, size: int = 200, **config: Any) -> Batch:
    batch = parlour.batch(name, size, seed=1, **config)
    while (batch.current_player >= 0).any():
        batch.step(batch.sample_legal())
    return batch


class TestWhoIsAhead:
    def test_in_klink_few_points_are_good(self) -> None:
        batch = finished("klink")
        scores = batch.scores()
        assert np.array_equal(ahead(batch), (np.sign(scores[:, None, :] - scores[:, :, None]) + 1) / 2)

    def test_in_kintsugi_the_winner_is_ahead_by_its_tie_breaks_and_the_rest_by_points(self) -> None:
        batch = finished("kintsugi", 250, players=3)
        scores, found = batch.scores(), ahead(batch)
        more = scores[:, :, None] > scores[:, None, :]
        assert (found[more] == 1).all()
        level = (scores[:, :, None] == scores[:, None, :]) & ~np.eye(3, dtype=bool)
        assert (found[level] == 0.5).any(), "below the winner a tie is a tie"
        assert (found[level] == 1).any(), "a winner by repaired cards is ahead"
        assert np.array_equal(found, 1 - found.swapaxes(1, 2))

    @pytest.mark.parametrize("reward", ["outcome", "margin"])
    def test_it_is_the_same_for_either_reward(self, reward: str) -> None:
        assert np.array_equal(ahead(finished("kintsugi", reward=reward)), ahead(finished("kintsugi")))


class TestRefusals:
    @pytest.mark.parametrize(
        ("call", "told"),
        [
            (lambda: arena("chess", ["random", "random"]), "no game 'chess'; the games are kintsugi"),
            (lambda: arena(toy.GAME, ["random", "best"]), "no agent 'best'; the agents are random"),
            (lambda: arena(toy.GAME, ["random", "random:depth=3"]), "random has no option 'depth'"),
            (lambda: arena(toy.GAME, ["random", "greedy"]), "greedy cannot play toy; it knows kintsugi"),
            (lambda: arena(toy.GAME, ["random"]), r"two agents or more, got \['random'\]; the agents are random"),
            (lambda: arena(toy.GAME, []), "two agents or more, got none"),
            (lambda: arena(toy.GAME, "random"), "two agents or more, got 'random'"),
            (lambda: arena("klink", ["human", "random"]), "human cannot play in the arena: try `parlour play klink"),
            (lambda: arena("klink", ["random", Human()]), "human cannot play in the arena"),
            (lambda: arena(toy.GAME, ["random", 3]), r"an agent is a spec or has act\(batch, rows\), got 3"),
            (lambda: arena(toy.GAME, ["random", "random"], games=0), "games must be at least 1, got 0"),
            (lambda: arena(toy.GAME, ["random", "random"], games=1.5), "games must be a whole number"),
            (lambda: arena(toy.GAME, ["random", "random"], seed=-1), "seed must be from 0"),
            (lambda: arena(toy.GAME, ["random", "random"], batch_size=0), "batch_size must be at least 1"),
            (lambda: arena("patchwork", ["random", "random"], players=3), "players must be one of 2, got 3"),
            (lambda: arena("patchwork", ["random", "random"], size=3), "patchwork has no option 'size'"),
        ],
    )
    def test_what_does_not_fit_is_told_with_the_choices(self, call: Callable[[], object], told: str) -> None:
        with pytest.raises(ConfigError, match=told):
            call()

    def test_an_agent_that_gives_no_actions_is_named(self) -> None:
        class Lazy:
            def act(self, *_: object) -> NDArray[np.float64]:
                return np.zeros(1)

        with pytest.raises(ConfigError, match=r"Lazy must give 2 whole numbers, .* got float64 of shape \(1,\)"):
            arena(toy.GAME, [Lazy(), Lazy()], games=4)

    def test_an_illegal_action_stops_the_arena(self) -> None:
        class Leaver:
            def act(self, _: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
                return np.full(rows.size, toy.LEAVE)

        with pytest.raises(IllegalAction, match="they have left a card before"):
            arena(toy.GAME, [Leaver(), "random"], games=4)
