"""The stable-baselines3 door."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stable_baselines3.common.evaluation as plain_evaluation
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

import parlour
from parlour.agents import wrap
from parlour.training import PackedMaskableRolloutBuffer, Pool, SelfPlayVecEnv
from tests.envs.core.play import first_legal, python

MANY = 16


def play(env: Any, steps: int, seed: int = 0) -> Iterator[tuple[Any, ...]]:
    """Uniform play; yields what each step gives."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        masks = get_action_masks(env)
        yield env.step((rng.random(masks.shape) * masks).argmax(axis=1))


def learner(env: Any, **options: Any) -> MaskablePPO:
    return MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=64, n_epochs=1, seed=0, device="cpu", **options)


class TestSteps:
    def test_observations_and_masks_are_the_learners(self) -> None:
        env = SelfPlayVecEnv("klink", MANY, seed=1, players=3)
        seen = env.reset()
        batch, seats = env.solo.batch, env.solo.seats
        np.testing.assert_array_equal(seen, batch.observe(seats))
        for seen, *_ in play(env, 40):
            np.testing.assert_array_equal(batch.current_player, seats)
            np.testing.assert_array_equal(seen, batch.observe(seats))
            np.testing.assert_array_equal(get_action_masks(env), batch.legal)

    def test_a_memory_can_be_seen_instead(self) -> None:
        env = SelfPlayVecEnv("klink", MANY, seed=1, observation="remember")
        seen = env.reset()
        assert env.observation_space == env.game.memory.space
        np.testing.assert_array_equal(seen, env.solo.batch.remember())

    def test_ends_are_told_and_nothing_else(self) -> None:
        env = SelfPlayVecEnv("kintsugi", MANY, seed=1)
        env.reset()
        lengths, ends = np.zeros(MANY, int), 0
        for _, rewards, dones, infos in play(env, 60):
            lengths += 1
            assert [bool(info) for info in infos] == dones.tolist()
            for i in np.flatnonzero(dones):
                told = infos[i]
                assert told["episode"]["r"] == rewards[i]
                assert told["episode"]["l"] == lengths[i]
                assert told["TimeLimit.truncated"] is False
                assert told["terminal_observation"].shape == env.observation_space.shape
            lengths[dones] = 0
            ends += int(dones.sum())
        assert ends > MANY

    def test_nothing_handed_out_changes_later(self) -> None:
        env = SelfPlayVecEnv("kintsugi", MANY, seed=1)
        env.reset()
        told: list[tuple[NDArray[Any], NDArray[Any]]] = []
        for seen, rewards, dones, infos in play(env, 60):
            given = [seen, rewards, dones, env.env_method("action_masks")]
            given += [info["terminal_observation"] for info in infos if info]
            told += [(array, array.copy()) for array in given]
        for now, then in told:
            np.testing.assert_array_equal(now, then)

    def test_infos_can_be_written_to(self) -> None:
        env = SelfPlayVecEnv("kintsugi", 2, seed=1)
        env.reset()
        _, _, _, infos = next(play(env, 1))
        infos[0]["mine"] = 1
        assert "mine" not in infos[1]

    def test_an_illegal_action_loses_or_raises(self) -> None:
        env = SelfPlayVecEnv("kintsugi", 2, seed=1)
        env.reset()
        _, rewards, dones, _ = env.step(env.action_masks().argmin(axis=1))
        assert rewards.tolist() == [-1, -1]
        assert dones.all()
        strict = SelfPlayVecEnv("kintsugi", 2, on_illegal="raise")
        with pytest.raises(parlour.IllegalAction):
            strict.step(strict.action_masks().argmin(axis=1))


class TestSeats:
    def test_the_seat_is_drawn_anew_for_every_game(self) -> None:
        env = SelfPlayVecEnv("klink", MANY, seed=1, players=3)
        env.reset()
        seats = [info["seat"] for *_, infos in play(env, 60) for info in infos if info]
        assert set(seats) == {0, 1, 2}

    def test_a_seat_can_be_kept(self) -> None:
        env = SelfPlayVecEnv("kintsugi", MANY, seat=1, seed=1)
        env.reset()
        assert {info["seat"] for *_, infos in play(env, 60) for info in infos if info} == {1}

    def test_a_whole_clan_is_played_from_the_seat_to_move(self) -> None:
        env = SelfPlayVecEnv("kitsu", MANY, first_legal, seed=1, whole_clan=True)
        env.reset()
        movers = set()
        for seen, *_ in play(env, 30):
            player = env.solo.batch.current_player
            assert ((player - env.solo.seats) % 2 == 0).all()
            np.testing.assert_array_equal(seen, env.solo.batch.observe(player))
            movers |= set((player - env.solo.seats).tolist())
        assert movers == {-2, 0, 2}

    def test_opponents_of_a_clan_are_counted_without_its_seats(self) -> None:
        seen: list[set[int]] = [set(), set()]

        def noting(k: int) -> Any:
            def act(batch: Any, rows: NDArray[np.int64]) -> NDArray[np.int64]:
                seen[k] |= set(((batch.current_player[rows] - env.solo.seats[rows]) % 4).tolist())
                return first_legal(batch, rows)

            return act

        env: Any = None
        env = SelfPlayVecEnv("kitsu", MANY, first_legal, seed=1, whole_clan=True)
        env = SelfPlayVecEnv("kitsu", MANY, [noting(0), noting(1)], seed=1, whole_clan=True)
        seen[:] = [set(), set()]
        env.reset()
        list(play(env, 20))
        assert seen == [{1}, {3}]
        with pytest.raises(parlour.ConfigError, match="2 of them"):
            SelfPlayVecEnv("kitsu", MANY, ["random"] * 3, whole_clan=True)


class TestSeeds:
    def test_the_same_seed_gives_the_same_games(self) -> None:
        def told(seed: int) -> list[Any]:
            pool = Pool({"random": ("random", 1), "first": (first_legal, 1)})
            env = SelfPlayVecEnv("kintsugi", MANY, pool, seed=seed)
            return [env.reset(), *(array for step in play(env, 60) for array in step[:3])]

        for one, other in zip(told(3), told(3), strict=True):
            np.testing.assert_array_equal(one, other)
        assert not np.array_equal(told(3)[0], told(4)[0])

    def test_seeding_counts_from_the_next_reset(self) -> None:
        env = SelfPlayVecEnv("kintsugi", MANY)
        env.seed(5)
        first = env.reset()
        assert not np.array_equal(env.reset(), first)
        env.seed(5)
        np.testing.assert_array_equal(env.reset(), first)


class TestPools:
    def test_each_opponent_is_called_once_for_all_its_rows(self) -> None:
        calls: list[list[int]] = []

        def noting(batch: Any, rows: NDArray[np.int64]) -> NDArray[np.int64]:
            calls.append(rows.tolist())
            return first_legal(batch, rows)

        pool = Pool({"first": (first_legal, 1), "noting": (noting, 1)})
        env = SelfPlayVecEnv("patchwork", MANY, pool, seed=1)
        env.reset()
        mine = np.flatnonzero(env.solo._numbers[:, 1] == pool["noting"].number)
        calls.clear()
        next(play(env, 1))
        assert 0 < mine.size < MANY
        assert {row for rows in calls for row in rows} <= set(mine.tolist())
        assert len(calls) < sum(map(len, calls))

    def test_results_are_noted(self) -> None:
        pool = Pool({"random": ("random", 1), "first": (first_legal, 1)})
        env = SelfPlayVecEnv("kintsugi", MANY, pool, seed=1)
        env.reset()
        ends = [info["episode"]["r"] for *_, infos in play(env, 60) for info in infos if info]
        assert sum(member.games for member in pool.members) == pytest.approx(len(ends), rel=0.1)

    def test_members_may_come_and_go_while_they_play(self) -> None:
        pool = Pool({"first": (first_legal, 1)})
        env = SelfPlayVecEnv("kintsugi", MANY, pool, seed=1)
        env.reset()
        pool.add("random", "random")
        pool.remove("first")
        list(play(env, 60))
        assert pool["random"].games > 8


class TestThroughOthersHands:
    def test_maskable_ppo_learns_saves_and_loads(self, tmp_path: Path) -> None:
        env = SelfPlayVecEnv("kintsugi", MANY, seed=1)
        model = learner(env, rollout_buffer_class=PackedMaskableRolloutBuffer)
        pool = Pool({"random": ("random", 1), "self": (wrap(model), 1)})
        model.learn(8 * MANY)
        model.set_env(SelfPlayVecEnv("kintsugi", MANY, pool, seed=1))
        model.learn(5 * 8 * MANY)
        assert len(model.ep_info_buffer or ()) > 0
        model.save(tmp_path / "model.zip")
        again = MaskablePPO.load(tmp_path / "model.zip", env=env, device="cpu")
        seen, masks = env.reset(), env.action_masks()
        one, other = (each.predict(seen, action_masks=masks, deterministic=True)[0] for each in (model, again))
        np.testing.assert_array_equal(one, other)
        again.learn(8 * MANY)

    def test_both_evaluations_work(self) -> None:
        env = SelfPlayVecEnv("kintsugi", MANY, seed=1)
        model = learner(env)
        mean, _ = evaluate_policy(model, env, 20)
        assert -1 <= mean <= 1
        assert plain_evaluation.evaluate_policy(model, env, 20)[0] >= -1

    def test_callbacks_see_every_end(self) -> None:
        ends: list[float] = []

        class Noting(BaseCallback):
            def _on_step(self) -> bool:
                ends.extend(info["episode"]["r"] for info in self.locals["infos"] if info)
                return True

        model = learner(SelfPlayVecEnv("kintsugi", MANY, seed=1))
        model.learn(5 * 8 * MANY, callback=Noting())
        assert [told["r"] for told in model.ep_info_buffer or ()] == ends[-100:]

    def test_a_monitor_agrees(self, tmp_path: Path) -> None:
        bare, env = (SelfPlayVecEnv("kintsugi", MANY, seed=1) for _ in range(2))
        with pytest.warns(UserWarning, match="already wrapped"):
            monitored = VecMonitor(env, str(tmp_path / "monitor.csv"), info_keywords=("seat",))
        bare.reset()
        monitored.reset()
        for ours, theirs in zip(play(bare, 40), play(monitored, 40), strict=True):
            for one, other in zip(ours[3], theirs[3], strict=True):
                assert ("episode" in one) == ("episode" in other)
                if one:
                    assert (one["episode"]["r"], one["episode"]["l"]) == (other["episode"]["r"], other["episode"]["l"])
        monitored.close()
        assert "seat" in (tmp_path / "monitor.csv").read_text()

    def test_rows_answer_as_environments_would(self) -> None:
        env = SelfPlayVecEnv("kintsugi", 4, seed=1)
        assert env.has_attr("action_masks")
        assert not env.has_attr("nothing")
        assert env.get_attr("game", [0, 2]) == [env.game, env.game]
        assert env.env_is_wrapped(Monitor, 1) == [True]
        assert env.env_is_wrapped(VecMonitor) == [False] * 4
        np.testing.assert_array_equal(env.env_method("action_masks", indices=2)[0], env.action_masks()[2])
        env.set_attr("mine", 3)
        assert env.get_attr("mine") == [3] * 4
        with pytest.raises(parlour.ConfigError, match="all rows"):
            env.set_attr("mine", 4, [0])
        with pytest.raises(AttributeError, match="action_masks"):
            env.env_method("fly")


def test_options_of_a_game_are_not_given_twice() -> None:
    with pytest.raises(parlour.ConfigError, match="already"):
        SelfPlayVecEnv(parlour.make_game("klink"), 2, players=3)


class TestMissingExtra:
    def test_it_is_told_with_the_command_that_installs_it(self) -> None:
        python(
            "import sys; sys.modules['stable_baselines3'] = None\n"
            "import parlour.envs.core.errors as errors, parlour.training\n"
            "try: parlour.training.SelfPlayVecEnv\n"
            "except errors.MissingExtra as told: assert str(told).endswith(\"pip install 'parlour[train]'\"), told\n"
            "else: raise AssertionError"
        )

    def test_importing_the_package_brings_no_torch(self) -> None:
        python("import sys, parlour.training; assert not {'torch', 'stable_baselines3'} & set(sys.modules)")
