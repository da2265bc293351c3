"""The conformance of the native vector of Gymnasium, which has no checker for vectors of its own."""

import copy
import itertools
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

import parlour
from parlour.envs.core.batch import PARALLEL_FROM
from parlour.envs.core.registry import door, games
from tests.envs.core.play import CASES, first_legal, watch_ends

MANY = 16


def make(name: str = "kintsugi", num_envs: int = MANY, **options: Any) -> Any:
    return gymnasium.make_vec(door(name).gymnasium_id, num_envs=num_envs, **options)


def choices(infos: dict[str, Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """A uniform legal action for every learner."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])


def run(vector: Any, steps: int, seed: int = 1) -> list[Any]:
    """Everything that a vector tells over some steps of uniform play."""
    rng = np.random.default_rng(seed)
    told: list[Any] = [vector.reset(seed=seed)]
    for _ in range(steps):
        told.append(vector.step(choices(told[-1][-1], rng)))
    return told


class TestSpaces:
    @pytest.mark.parametrize(("name", "config"), CASES)
    @pytest.mark.parametrize("observation", ["observe", "remember"])
    def test_are_batched_rightly(self, name: str, config: dict[str, Any], observation: str) -> None:
        vector = make(name, observation=observation, **config)
        game = parlour.make_game(name, **config)
        layout = game.layout if observation == "observe" else game.memory
        assert isinstance(vector, VectorEnv)
        assert vector.num_envs == MANY
        assert vector.single_observation_space == layout.space
        assert vector.single_action_space == Discrete(game.num_actions)
        assert vector.observation_space == batch_space(layout.space, MANY)
        assert vector.action_space == batch_space(Discrete(game.num_actions), MANY)
        for told in run(vector, 3):
            assert told[0] in vector.observation_space

    def test_it_is_one_native_batch(self) -> None:
        vector = make(num_envs=1024)
        assert not isinstance(vector.unwrapped, SyncVectorEnv)
        assert vector.unwrapped.solo.batch.size == 1024

    def test_the_autoreset_mode_is_told(self) -> None:
        assert make().metadata["autoreset_mode"] is AutoresetMode.SAME_STEP

    def test_actions_of_the_space_can_be_played(self) -> None:
        vector = make()
        vector.reset(seed=1)
        vector.action_space.seed(1)
        for _ in range(5):
            assert vector.step(vector.action_space.sample())[0].shape == vector.observation_space.shape


@pytest.mark.parametrize("name", games())
class TestWhatIsTold:
    def test_has_the_right_types_and_shapes(self, name: str) -> None:
        vector = make(name)
        width, actions = vector.single_observation_space.shape[0], vector.single_action_space.n
        for told in run(vector, 120):
            assert (told[0].dtype, told[0].shape) == (np.float32, (MANY, width))
            mask = told[-1]["action_mask"]
            assert (mask.dtype, mask.shape) == (np.bool_, (MANY, actions))
            assert mask.any(axis=1).all()
            assert told[-1]["_action_mask"].all()
            if len(told) == 5:
                kinds = [(np.float64, (MANY,)), (np.bool_, (MANY,)), (np.bool_, (MANY,))]
                assert [(array.dtype, array.shape) for array in told[1:4]] == kinds

    def test_the_same_seed_tells_the_same_and_another_one_something_else(self, name: str) -> None:
        vector = make(name)
        first, again, fresh = run(vector, 40), run(vector, 40), run(make(name), 40)
        assert data_equivalence(first, again)
        assert data_equivalence(first, fresh)
        assert not np.array_equal(vector.reset(seed=2)[0], first[0][0])

    def test_nothing_handed_out_changes_later(self, name: str) -> None:
        told = []
        vector = make(name)
        rng = np.random.default_rng(1)
        step: Any = vector.reset(seed=1)
        for _ in range(120):
            told.append((step, copy.deepcopy(step)))
            step = vector.step(choices(step[-1], rng))
        for now, then in told:
            assert data_equivalence(now, then)

    def test_arrays_are_fresh_every_step(self, name: str) -> None:
        vector = make(name)
        told = run(vector, 30)
        for before, after in itertools.pairwise(told[1:]):
            for old, new in zip(before[:4], after[:4], strict=True):
                assert not np.shares_memory(old, new)
            assert not np.shares_memory(before[4]["action_mask"], after[4]["action_mask"])

    def test_the_mask_is_that_of_action_masks(self, name: str) -> None:
        vector = make(name)
        _, infos = vector.reset(seed=1)
        np.testing.assert_array_equal(infos["action_mask"], vector.unwrapped.action_masks())

    def test_many_are_the_same_as_single_vectors_with_the_right_seeds(self, name: str) -> None:
        vector = make(name, 6)
        vector.reset(seed=9)
        seeds = vector.unwrapped.solo.batch.seeds
        ones = [make(name, 1) for _ in range(6)]
        infos = [one.reset(seed=int(seed))[1] for one, seed in zip(ones, seeds, strict=True)]
        _, together = vector.reset(seed=9)
        rng = np.random.default_rng(1)
        ends = 0
        for _ in range(100):
            np.testing.assert_array_equal(together["action_mask"], [info["action_mask"][0] for info in infos])
            actions = choices(together, rng)
            *arrays, together = vector.step(actions)
            parts = [one.step(actions[i : i + 1]) for i, one in enumerate(ones)]
            for k, array in enumerate(arrays):
                np.testing.assert_array_equal(array, np.concatenate([part[k] for part in parts]))
            infos = [part[4] for part in parts]
            ends += int(arrays[2].sum())
        assert ends > 0, "some games have begun anew"

    def test_a_single_env_is_a_row_of_a_vector(self, name: str) -> None:
        env: Any = gymnasium.make(door(name).gymnasium_id)
        vector = make(name, 1)
        seen, info = env.reset(seed=4)
        seen_there, infos = vector.reset(seed=4)
        rng = np.random.default_rng(1)
        over = False
        while not over:
            np.testing.assert_array_equal(infos["action_mask"][0], info["action_mask"])
            np.testing.assert_array_equal(seen_there[0], seen)
            action = int(rng.choice(np.flatnonzero(info["action_mask"])))
            seen, reward, terminated, truncated, info = env.step(action)
            seen_there, rewards, ended, cut, infos = vector.step(np.array([action]))
            assert (reward, terminated, truncated) == (rewards[0], ended[0], cut[0])
            over = terminated or truncated
        np.testing.assert_array_equal(infos["final_obs"][0], seen)


class TestEnds:
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_the_last_observation_is_told_exactly_where_a_game_ended(self, name: str, config: dict[str, Any]) -> None:
        vector = make(name, opponents=first_legal, **config)
        solo = vector.unwrapped.solo
        finals: dict[int, NDArray[np.float32]] = {}
        reset = solo.reset

        def spy(rows: Any = None, seed: Any = None) -> None:
            if rows is not None:
                finals.update(zip(rows.tolist(), solo.batch.observe(solo.seats[rows], rows), strict=True))
            reset(rows, seed)

        solo.reset = spy
        rng = np.random.default_rng(1)
        _, infos = vector.reset(seed=1)
        ends = 0
        while ends < MANY + 4:
            finals.clear()
            seen, _, terminated, truncated, infos = vector.step(choices(infos, rng))
            over = terminated | truncated
            assert ("final_obs" in infos) == over.any()
            assert sorted(finals) == np.flatnonzero(over).tolist()
            ends += int(over.sum())
            if over.any():
                self.assert_told(infos, over, finals)
                self.assert_new_games(name, config, solo, seen, over)

    @staticmethod
    def assert_told(infos: dict[str, Any], over: NDArray[np.bool_], finals: dict[int, Any]) -> None:
        np.testing.assert_array_equal(infos["_final_obs"], over)
        np.testing.assert_array_equal(infos["_final_info"], over)
        assert infos["final_obs"].dtype == object
        for row, last in enumerate(infos["final_obs"]):
            if over[row]:
                np.testing.assert_array_equal(last, finals[row])
            else:
                assert last is None

    @staticmethod
    def assert_new_games(name: str, config: dict[str, Any], solo: Any, seen: Any, over: NDArray[np.bool_]) -> None:
        """Where a game ended, what is seen is the first sight of a new game."""
        for row in np.flatnonzero(over)[:2]:
            fresh = make(name, 1, opponents=first_legal, seat=int(solo.seats[row]), **config)
            first, _ = fresh.reset(seed=int(solo.batch.seeds[row]))
            np.testing.assert_array_equal(seen[row], first[0])

    def test_the_seat_of_the_finished_game_is_told(self) -> None:
        vector = make(players=3)
        ends = watch_ends(vector.unwrapped.solo)
        rng = np.random.default_rng(1)
        _, infos = vector.reset(seed=1)
        for _ in range(60):
            ends.clear()
            *_, infos = vector.step(choices(infos, rng))
            for row, _, seat in ends:
                assert infos["final_info"]["seat"][row] == seat
                assert infos["final_info"]["_seat"][row]
            np.testing.assert_array_equal(infos["seat"], vector.unwrapped.solo.seats)

    def test_infos_have_the_keys_of_gymnasiums_own_vectors(self) -> None:
        """Of a `SyncVectorEnv` in the same mode: learners written for one work with the other."""
        ids = ["parlour/Kintsugi-v0"] * 3
        sync = SyncVectorEnv(
            [lambda made=made: gymnasium.make(made) for made in ids], autoreset_mode=AutoresetMode.SAME_STEP
        )
        found = [self.keys(run(vector, 60)) for vector in (sync, make(num_envs=3))]
        assert found[1] == found[0]

    @staticmethod
    def keys(told: list[Any]) -> set[frozenset[str]]:
        return {frozenset(step[-1]) for step in told}


class TestThroughOthersHands:
    def test_recorded_statistics_are_those_of_the_games(self) -> None:
        vector = RecordEpisodeStatistics(make(), buffer_length=1000)
        ends = watch_ends(vector.unwrapped.solo)  # type: ignore[attr-defined]
        lengths = np.zeros(MANY, int)
        rng = np.random.default_rng(1)
        _, infos = vector.reset(seed=1)
        paid: list[float] = []
        for _ in range(120):
            lengths += 1
            _, rewards, terminated, _, infos = vector.step(choices(infos, rng))
            if terminated.any():
                np.testing.assert_array_equal(infos["_episode"], terminated)
                np.testing.assert_array_equal(infos["episode"]["r"][terminated], rewards[terminated])
                np.testing.assert_array_equal(infos["episode"]["l"][terminated], lengths[terminated])
                paid += rewards[terminated].tolist()
            lengths[terminated] = 0
        assert list(vector.return_queue) == paid
        assert sorted(paid) == sorted(pay for _, pay, _ in ends)
        assert len(paid) > MANY

    def test_a_big_batch_on_several_threads_is_the_same(self) -> None:
        big, small = make(num_envs=PARALLEL_FROM), make(num_envs=4)
        told = run(small, 0), run(big, 0)
        np.testing.assert_array_equal(told[0][0][0], told[1][0][0][:4])
        for _ in range(30):
            actions, few = (vector.unwrapped.solo.batch.sample_legal() for vector in (big, small))
            np.testing.assert_array_equal(actions[:4], few)
            ours, theirs = big.step(actions), small.step(few)
            for one, other in zip(ours[:4], theirs[:4], strict=True):
                np.testing.assert_array_equal(one[:4], other)

    def test_every_table_is_rendered(self, capsys: pytest.CaptureFixture[str]) -> None:
        vector = make(num_envs=2, render_mode="ansi")
        vector.reset(seed=1)
        batch = vector.unwrapped.solo.batch
        assert vector.render() == (batch.board(0), batch.board(1))
        human = make(num_envs=2, render_mode="human")
        human.reset(seed=1)
        assert human.render() is None
        assert capsys.readouterr().out == f"{batch.board(0)}\n\n{batch.board(1)}\n"
        with pytest.raises(parlour.ConfigError, match="to render it"):
            make().render()

    def test_closing_is_possible(self) -> None:
        vector = make()
        vector.close()
        assert vector.closed
