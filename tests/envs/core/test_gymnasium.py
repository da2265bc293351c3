"""The Gymnasium door: one learner against given opponents, paid its own result exactly once."""

from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.core.jit import kernel
from parlour.envs.core.record import NOBODY, State
from parlour.envs.core.registry import door, games
from parlour.envs.core.solo import Solo
from parlour.envs.core.solo_envs import SoloEnv
from tests.envs.core import toy
from tests.envs.core.play import CASES, first_legal, python, watch_ends

Rows = NDArray[np.int64]


def make(name: str = "kintsugi", **options: Any) -> Any:
    return gymnasium.make(door(name).gymnasium_id, **options)


def play_one(env: Any, seed: int | None = None, rng: int = 0) -> list[Any]:
    """Play a game uniformly to its end; everything that was told on the way."""
    chooser = np.random.default_rng(rng)
    seen, info = env.reset(seed=seed)
    told = [(seen, info)]
    over = False
    while not over:
        step = env.step(int(chooser.choice(np.flatnonzero(info["action_mask"]))))
        info, over = step[4], step[2] or step[3]
        told.append(step)
    return told


class Recorder:
    """An agent that plays its first legal action and notes when it was asked, for whom."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.env: Any = None

    def act(self, batch: Batch, rows: Rows) -> Rows:
        seats = self.env.unwrapped.solo.seats if self.env else np.zeros(batch.size, np.int64)
        self.places += ((batch.current_player[rows] - seats[rows]) % batch.game.players).tolist()
        return first_legal(batch, rows)


class TestMaking:
    @pytest.mark.parametrize(("name", "config"), CASES)
    @pytest.mark.parametrize("observation", ["observe", "remember"])
    def test_the_checker_of_gymnasium_is_content(self, name: str, config: dict[str, Any], observation: str) -> None:
        check_env(make(name, observation=observation, render_mode="ansi", **config).unwrapped)

    @pytest.mark.parametrize("name", games())
    def test_every_game_has_an_id(self, name: str) -> None:
        camel = "".join(part.capitalize() for part in name.split("_"))
        env: Any = gymnasium.make(f"parlour/{camel}-v0")
        assert env.unwrapped.solo.game.name == name
        assert env.observation_space == env.unwrapped.solo.game.layout.space
        assert env.action_space == Discrete(env.unwrapped.solo.game.num_actions)
        seen, info = env.reset(seed=1)
        assert seen in env.observation_space
        assert info["action_mask"].any()

    def test_an_id_with_the_module_needs_no_import_first(self) -> None:
        source = """
import gymnasium
env = gymnasium.make("parlour:parlour/Patchwork-v0")
print(env.unwrapped.solo.game.name, gymnasium.make_vec("parlour:parlour/Patchwork-v0", num_envs=3).num_envs)
"""
        assert python(source).stdout.split() == ["patchwork", "3"]

    def test_options_reach_the_game(self) -> None:
        env = make("kintsugi", players=4, novices=(1, 2), first_player=3, reward="margin", observation="remember")
        assert (
            dict(env.unwrapped.solo.game.config).items()
            >= {
                "players": 4,
                "novices": [1, 2],
                "first_player": 3,
                "reward": "margin",
            }.items()
        )
        with pytest.raises(parlour.ConfigError, match="has no option 'colour'"):
            make("kintsugi", colour="red")

    @pytest.mark.parametrize(("option", "value"), [("render_mode", "hologram"), ("observation", "peek")])
    def test_another_mode_is_refused(self, option: str, value: str) -> None:
        with pytest.raises(parlour.ConfigError, match=f"{option} must be one of .*got '{value}'"):
            SoloEnv("kintsugi", **{option: value})

    def test_rendering_shows_the_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        env = make("patchwork", render_mode="ansi", seat=0, first_player=0)
        env.reset(seed=1)
        batch = parlour.batch("patchwork", seed=1, first_player=0)
        assert env.render() == batch.board()
        env = make("patchwork", render_mode="human", seat=0, first_player=0)
        env.reset(seed=1)
        assert env.render() is None
        assert capsys.readouterr().out == f"{batch.board()}\n"
        with pytest.raises(parlour.ConfigError, match="to render it"):
            make("patchwork").unwrapped.render()


class TestEpisodes:
    @pytest.mark.parametrize("name", games())
    def test_the_same_seed_gives_the_same_episode(self, name: str) -> None:
        ours, theirs = (play_one(make(name), seed=5) for _ in range(2))
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_equal(one, other)
        assert not np.array_equal(ours[0][0], play_one(make(name), seed=6)[0][0])

    def test_without_a_seed_episodes_differ(self) -> None:
        env = make()
        first, second = play_one(env, seed=5), play_one(env)
        assert not np.array_equal(first[0][0], second[0][0])

    def test_the_learner_sees_what_its_seat_sees_at_its_own_decisions(self) -> None:
        env = make(players=3)
        chooser = np.random.default_rng(0)
        seen, info = env.reset(seed=5)
        for _ in range(12):
            batch, seat = env.unwrapped.solo.batch, info["seat"]
            assert batch.current_player[0] == seat
            np.testing.assert_array_equal(seen, batch.observe(seat)[0])
            np.testing.assert_array_equal(info["action_mask"], batch.legal[0])
            np.testing.assert_array_equal(env.get_wrapper_attr("action_masks")(), batch.legal[0])
            seen, _, terminated, _, info = env.step(int(chooser.choice(np.flatnonzero(info["action_mask"]))))
            assert not terminated

    def test_action_masks_are_bool_and_never_change_later(self) -> None:
        env = make()
        env.reset(seed=5)
        masks = env.get_wrapper_attr("action_masks")
        held = masks()
        kept = held.copy()
        assert (held.dtype, held.shape) == (np.bool_, (69,))
        env.step(int(held.argmax()))
        np.testing.assert_array_equal(held, kept)
        assert not np.array_equal(masks(), kept)

    def test_a_player_can_decide_several_times_in_a_row(self) -> None:
        asked = Recorder()
        env = make("patchwork", opponents=asked, seat=0)
        told = play_one(env, seed=1)
        assert len(told) > 5
        assert asked.places, "the opponent had turns of its own"

    def test_values_are_plain_python(self) -> None:
        for step in play_one(make(), seed=1)[1:]:
            assert [type(value) for value in step[1:4]] == [float, bool, bool]


class TestSeats:
    @pytest.mark.parametrize("seat", [0, 1, 2])
    def test_a_fixed_seat_is_kept(self, seat: int) -> None:
        env = make(players=3, seat=seat)
        for seed in (1, 2, None, None):
            told = play_one(env, seed=seed)
            assert {info["seat"] for info in [told[0][1], *(step[4] for step in told[1:])]} == {seat}

    def test_a_drawn_seat_is_each_as_often_whoever_begins(self) -> None:
        solo = Solo(parlour.make_game("kintsugi", players=3), 3_000, opponents=first_legal, seed=1)
        begins = Batch(solo.game, 3_000, 1).current_player
        found = np.array(
            [[((solo.seats == seat) & (begins == first)).sum() for seat in range(3)] for first in range(3)]
        )
        assert ((found - 333) ** 2 / 333).sum() < 8 + 5 * 4

    def test_a_drawn_seat_is_drawn_anew_for_every_game(self) -> None:
        env = make()
        env.reset(seed=1)
        seats = []
        for _ in range(30):
            env.reset()
            seats.append(env.unwrapped.solo.seats[0])
        assert len(set(seats)) == 2
        assert len({tuple(seats[k : k + 3]) for k in range(28)}) > 4, "in no regular order"

    @pytest.mark.parametrize("seat", [2, -1, "0", 0.5])
    def test_a_seat_that_does_not_exist_is_refused(self, seat: Any) -> None:
        with pytest.raises(parlour.ConfigError, match=r"seat must be from 0 to 1 or None, got"):
            make(seat=seat)


class TestOpponents:
    def test_can_be_named(self) -> None:
        assert play_one(make(opponents="random"), seed=1)[-1][2]
        with pytest.raises(parlour.ConfigError, match="no agent 'deep blue'; the agents are random"):
            make(opponents="deep blue")

    def test_can_be_a_function_or_an_agent(self) -> None:
        agent = Recorder()
        by_function = play_one(make(opponents=first_legal), seed=1)
        by_agent = play_one(make(opponents=agent), seed=1)
        np.testing.assert_equal(by_function, by_agent)
        assert agent.places
        loaded = play_one(make(opponents=parlour.agents.load("random")), seed=1)
        np.testing.assert_equal(loaded, play_one(make(opponents="random"), seed=1))

    def test_can_be_one_per_seat_clockwise_of_the_learner(self) -> None:
        agents = [Recorder(), Recorder(), Recorder()]
        env = make(players=4, opponents=agents)
        for agent in agents:
            agent.env, agent.places = env, []
        for seed in range(6):
            play_one(env, seed=seed)
        assert [set(agent.places) for agent in agents] == [{1}, {2}, {3}]

    def test_can_be_mixed(self) -> None:
        play_one(make(players=4, opponents=["random", first_legal, Recorder()]), seed=1)

    @pytest.mark.parametrize("opponents", [[], ["random"], ["random"] * 3])
    def test_must_be_one_or_one_per_seat(self, opponents: list[str]) -> None:
        with pytest.raises(
            parlour.ConfigError, match=rf"opponents must be one agent or 2 of them, got {len(opponents)}"
        ):
            make(players=3, opponents=opponents)

    @pytest.mark.parametrize("opponent", [7, None, [7]])
    def test_must_be_able_to_choose(self, opponent: Any) -> None:
        with pytest.raises(parlour.ConfigError, match="an opponent is a name, an agent or a function"):
            make(opponents=opponent)

    def test_see_only_rows_in_which_they_are_to_move(self) -> None:
        def choose(batch: Batch, rows: Rows) -> Rows:
            assert rows.size
            assert (batch.current_player[rows] >= 0).all()
            assert (batch.current_player[rows] != 1).all()
            return batch.sample_legal(rows)

        vector = gymnasium.make_vec("parlour/Kintsugi-v0", num_envs=50, players=3, opponents=choose, seat=1)
        _, infos = vector.reset(seed=1)
        for _ in range(60):
            *_, infos = vector.step(infos["action_mask"].argmax(axis=1))


class TestReturns:
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_a_learner_gets_the_result_of_its_seat_exactly_once(self, name: str, config: dict[str, Any]) -> None:
        """About a thousand games of every configuration: in all seats, won and lost, whoever moved last."""
        vector: Any = gymnasium.make_vec(door(name).gymnasium_id, num_envs=256, **config)
        solo = vector.unwrapped.solo
        ends = watch_ends(solo)
        vector.reset(seed=1)
        assert not ends
        results = Counter[tuple[int, bool]]()
        while results.total() < 1_000:
            _, rewards, terminated, truncated, _ = vector.step(solo.batch.sample_legal())
            over = terminated | truncated
            assert not rewards[~over].any(), "nothing is paid before the end"
            told = sorted((row, pay) for row, pay, _ in ends)
            assert told == [(int(row), float(rewards[row])) for row in np.flatnonzero(over)]
            results.update((seat, pay > 0) for _, pay, seat in ends)
            ends.clear()
        seats = range(solo.game.players)
        assert set(results) == {(seat, won) for seat in seats for won in (True, False)}

    def test_a_single_learner_is_paid_in_the_same_way(self) -> None:
        env = make("patchwork")
        ends = watch_ends(env.unwrapped.solo)
        for seed in range(20):
            told = play_one(env, seed=seed)
            assert [step[1] for step in told[1:-1]] == [0.0] * (len(told) - 2)
            assert [pay for _, pay, _ in ends] == [told[-1][1]]
            ends.clear()


@kernel
def last_move(s: State, action: int) -> None:
    s.points[s.player] = 1
    s.player = NOBODY


class TestShortGames:
    """A game of one move: the learner never decides where another seat begins."""

    @pytest.mark.parametrize("seat", [0, 1, None])
    def test_games_that_end_before_the_first_decision_are_begun_again(self, seat: int | None) -> None:
        solo = Solo(toy.game("sudden", apply=last_move), 64, opponents=first_legal, seat=seat, seed=1)
        for _ in range(4):
            np.testing.assert_array_equal(solo.batch.current_player, solo.seats)
            assert solo.batch.legal.any(axis=1).all()
            rewards, terminated, _ = solo.step(np.zeros(64, int))
            assert terminated.all()
            assert (rewards == 1).all()
            solo.reset()
