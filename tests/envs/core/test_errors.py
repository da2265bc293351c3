"""What does not fit is refused in words, and nothing has changed; or it loses the game, where that is asked for."""

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import parlour
from parlour.envs.core.aec import TableEnv
from parlour.envs.core.batch import Batch
from parlour.envs.core.record import NO_ACTION, NOBODY
from tests.envs.core.play import finish, play, some_illegal, some_legal

NOT_WHOLE = {
    "float": 1.0,
    "nan": float("nan"),
    "bool": True,
    "numpy bool": np.True_,
    "none": None,
    "object": object(),
    "text": "1",
    "bytes": b"1",
    "complex": 1j,
    "time span": np.timedelta64(1, "s"),
}
"""What is no whole number, though some of it could be taken for one."""
ODD = pytest.mark.parametrize("odd", NOT_WHOLE.values(), ids=NOT_WHOLE)


def refused(
    batch: Batch, call: Callable[[], Any], error: type[Exception] = ValueError, match: str | None = None
) -> None:
    """The call raises, and changes neither the games nor what they show, whether or not a view of it is held."""
    before = batch.to_bytes()
    shown = batch.legal.copy(), batch.observation.copy()
    for _ in range(2):
        with pytest.raises(error, match=match):
            call()
        assert batch.to_bytes() == before
        np.testing.assert_array_equal(batch.legal, shown[0])
        np.testing.assert_array_equal(batch.observation, shown[1])
        held = batch.legal, batch.observation
    assert not held[0].flags.writeable


@pytest.fixture(params=["kintsugi", "patchwork"])
def batch(request: pytest.FixtureRequest) -> Batch:
    return play(parlour.batch(request.param, 3, seed=4), 6)


class TestActions:
    def test_an_illegal_one_is_told_with_row_player_words_and_what_is_legal(self, batch: Batch) -> None:
        actions = some_legal(batch)
        actions[1] = wrong = some_illegal(batch, 1)
        state, legal = batch._states[1], np.flatnonzero(batch.legal[1])
        said = re.escape(f'row 1: player_{int(state.player)} cannot play "{batch.game.say(state, wrong)}"')
        example = re.escape(f'"{batch.game.say(state, int(legal[0]))}" ({legal[0]})')
        several = rf"{legal.size} actions are legal, e\.g\. {example}" if legal.size > 1 else f"only {example} is legal"
        refused(
            batch, lambda: batch.step(actions), parlour.IllegalAction, rf"{said} \(action {wrong}\): .+\. {several}"
        )

    def test_the_row_told_is_the_row_meant(self, batch: Batch) -> None:
        wrong = some_illegal(batch, 2)
        refused(batch, lambda: batch.step([wrong], rows=[2]), parlour.IllegalAction, f"^row 2: .*action {wrong}")

    def test_one_illegal_action_keeps_all_rows_from_moving(self, batch: Batch) -> None:
        actions = [some_illegal(batch, 2), *some_legal(batch)[:2]]
        refused(batch, lambda: batch.step(actions, rows=[2, 0, 1]), parlour.IllegalAction, "^row 2: ")

    @pytest.mark.parametrize("beyond", [0, 1, 40, 64, 10**6, 2**62])
    def test_one_beyond_the_last_is_told_the_range(self, batch: Batch, beyond: int) -> None:
        last = batch.game.num_actions - 1
        actions = [last + 1 + beyond, *some_legal(batch)[1:]]
        said = rf"^row 0: player_\d cannot play action {last + 1 + beyond}: actions are 0 to {last}\. .* legal"
        refused(batch, lambda: batch.step(actions), parlour.IllegalAction, said)

    @pytest.mark.parametrize("negative", [NO_ACTION, -2, -3, -(2**62)])
    def test_a_negative_one_is_out_of_range(self, batch: Batch, negative: int) -> None:
        actions = [negative, *some_legal(batch)[1:]]
        refused(batch, lambda: batch.step(actions), parlour.IllegalAction, f"cannot play action {negative}: ")

    def test_a_finished_game_takes_only_no_action(self) -> None:
        batch = finish(parlour.batch("kintsugi", 2, seed=4))
        said = r"^row 1: the game is over: its action must be NO_ACTION \(-1\), got 3"
        refused(batch, lambda: batch.step([NO_ACTION, 3]), parlour.IllegalAction, said)

    @pytest.mark.parametrize("actions", [0, [0], [0, 0], [0] * 4, [[0], [0], [0]], [[0, 0, 0]], [[0], [0, 1], [2]], []])
    def test_another_shape_is_refused(self, batch: Batch, actions: Any) -> None:
        refused(batch, lambda: batch.step(actions))

    def test_the_shape_expected_is_that_of_the_rows(self, batch: Batch) -> None:
        refused(batch, lambda: batch.step([0, 0, 0], rows=[1, 2]), match=r"shape \(2,\), one per row, got \(3,\)")

    @ODD
    def test_what_is_no_whole_number_is_refused(self, batch: Batch, odd: Any) -> None:
        refused(batch, lambda: batch.step([odd] * 3), parlour.ConfigError, "actions must be whole numbers")
        refused(batch, lambda: batch.step(odd), parlour.ConfigError, "actions must be whole numbers")

    def test_a_number_too_big_for_the_machine_is_refused(self, batch: Batch) -> None:
        refused(batch, lambda: batch.step([2**64, 0, 0]))
        refused(batch, lambda: batch.step(np.array([2**64 - 1, 0, 0], np.uint64)), parlour.IllegalAction)


def with_rows(batch: Batch) -> dict[str, Callable[[Any], Any]]:
    return {
        "step": lambda rows: batch.step([0], rows=rows),
        "reset": lambda rows: batch.reset(rows=rows),
        "reset, seeded": lambda rows: batch.reset(rows=rows, seed=1),
        "scores": lambda rows: batch.scores(rows=rows),
        "sample_legal": lambda rows: batch.sample_legal(rows=rows),
        "observe": lambda rows: batch.observe(0, rows=rows),
        "remember": lambda rows: batch.remember(0, rows=rows),
        "reveal": lambda rows: batch.reveal(0, rows=rows),
        "copy": lambda rows: batch.copy(rows=rows),
        "determinize": lambda rows: batch.determinize(0, rows=rows, seed=1),
    }


class TestRows:
    @pytest.mark.parametrize("rows", [[3], [-1], [0, 7], 3, -1, [[0]], [2**62], np.array([2**64 - 1], np.uint64)])
    def test_that_do_not_exist_are_refused(self, batch: Batch, rows: Any) -> None:
        for call in with_rows(batch).values():
            refused(
                batch, lambda call=call: call(rows), parlour.ConfigError, "rows must be a list of numbers from 0 to 2"
            )

    @ODD
    def test_that_are_no_whole_numbers_are_refused(self, batch: Batch, odd: Any) -> None:
        for call in with_rows(batch).values():
            refused(batch, lambda call=call: call([odd]), parlour.ConfigError, "rows must be")

    def test_as_a_mask_of_another_length_are_refused(self, batch: Batch) -> None:
        for call in with_rows(batch).values():
            refused(batch, lambda call=call: call([True, False]), parlour.ConfigError, "rows must be")

    def test_that_repeat_cannot_be_stepped_or_reset(self, batch: Batch) -> None:
        action = int(some_legal(batch)[1])
        refused(batch, lambda: batch.step([action, action], rows=[1, 1]), parlour.ConfigError, "different")
        refused(batch, lambda: batch.reset(rows=[1, 1]), parlour.ConfigError, "different")
        refused(batch, lambda: batch.sample_legal([1, 1]), parlour.ConfigError, "different")

    @pytest.mark.parametrize("row", [3, -1, 1.0, None, [0, 1]])
    def test_one_that_does_not_exist_cannot_be_described(self, batch: Batch, row: Any) -> None:
        refused(batch, lambda: batch.describe(row), parlour.ConfigError, "rows must be")
        refused(batch, lambda: batch.board(row), parlour.ConfigError, "rows must be")


def with_seat(batch: Batch) -> dict[str, Callable[[Any], Any]]:
    return {
        "observe": lambda seat: batch.observe(seat),
        "remember": lambda seat: batch.remember(seat),
        "reveal": lambda seat: batch.reveal(seat),
        "determinize": lambda seat: batch.determinize(seat, seed=1),
    }


class TestSeats:
    @pytest.mark.parametrize("seat", [2, -2, [0, 1, 2], [0, -2, 0], 10**6, np.array(2**64 - 2, np.uint64)])
    def test_that_do_not_exist_are_refused(self, batch: Batch, seat: Any) -> None:
        for call in with_seat(batch).values():
            refused(batch, lambda call=call: call(seat), parlour.ConfigError, "seat must be from 0 to 1")

    @pytest.mark.parametrize("seat", [[0], [0, 1], [[0, 0, 0]], [0, 0, 0, 0], []])
    def test_of_another_shape_are_refused(self, batch: Batch, seat: Any) -> None:
        for call in with_seat(batch).values():
            refused(batch, lambda call=call: call(seat), parlour.ConfigError, "seat must be one number or 3 of them")

    @pytest.mark.parametrize("odd", [odd for odd in NOT_WHOLE.values() if odd is not None])
    def test_that_are_no_whole_numbers_are_refused(self, batch: Batch, odd: Any) -> None:
        for call in with_seat(batch).values():
            refused(batch, lambda call=call: call(odd), parlour.ConfigError, "seat must be whole numbers")
            refused(batch, lambda call=call: call([odd] * 3), parlour.ConfigError, "seat must be whole numbers")

    def test_a_finished_game_is_determinized_only_for_a_named_seat(self) -> None:
        batch = finish(parlour.batch("kintsugi", 2, seed=4))
        refused(batch, lambda: batch.determinize(seed=1), parlour.ConfigError, "name the seat")
        assert batch.determinize(1, seed=1).size == 2


def with_seed(batch: Batch) -> dict[str, Callable[[Any], Any]]:
    return {
        "reset": lambda seed: batch.reset(seed=seed),
        "reset of a row": lambda seed: batch.reset(rows=[0], seed=seed),
        "new": lambda seed: Batch(batch.game, 3, seed),
        "determinize": lambda seed: batch.determinize(0, seed=seed),
    }


SEEDED = pytest.mark.parametrize("door", ["reset", "reset of a row", "new", "determinize"])


class TestSeeds:
    @SEEDED
    @pytest.mark.parametrize("seed", [-1, 2**64, -(2**63), 10**30])
    def test_beyond_64_bits_are_refused(self, batch: Batch, door: str, seed: int) -> None:
        refused(batch, lambda: with_seed(batch)[door](seed), parlour.ConfigError, "seed")

    @SEEDED
    @pytest.mark.parametrize("odd", [odd for odd in NOT_WHOLE.values() if odd is not None])
    def test_that_are_no_whole_numbers_are_refused(self, batch: Batch, door: str, odd: Any) -> None:
        refused(batch, lambda: with_seed(batch)[door](odd), parlour.ConfigError, "seed")

    @pytest.mark.parametrize("seed", [[1, 2], [1, 2, 3, 4], [[1, 2, 3]], []])
    def test_of_another_shape_are_refused(self, batch: Batch, seed: Any) -> None:
        refused(batch, lambda: batch.reset(seed=seed), parlour.ConfigError, "seed must be one number or 3 of them")

    @pytest.mark.parametrize("seed", [[-1, 0, 1], [1.5, 2, 3], [True, False, True], [None, 1, 2], ["1", "2", "3"]])
    def test_row_by_row_must_each_be_a_seed(self, batch: Batch, seed: Any) -> None:
        refused(batch, lambda: batch.reset(seed=seed), parlour.ConfigError, "seed")

    def test_the_biggest_and_smallest_are_taken(self, batch: Batch) -> None:
        for seed in (0, 2**64 - 1):
            batch.reset(seed=seed)
            assert int(batch.seeds[0]) == seed


class TestOptions:
    def test_an_unknown_game_is_told_which_there_are(self) -> None:
        with pytest.raises(parlour.ConfigError, match=r"no game 'chess'; the games are kintsugi, .*patchwork"):
            parlour.batch("chess")

    def test_an_unknown_option_is_told_which_there_are(self) -> None:
        with pytest.raises(
            parlour.ConfigError, match=r"patchwork has no option 'colour'; its options are players, .*mirror"
        ):
            parlour.batch("patchwork", colour="red")

    @pytest.mark.parametrize("value", [1, 5, True, None, "2", 2.5])
    def test_a_wrong_value_is_told_the_choices(self, value: Any) -> None:
        with pytest.raises(parlour.ConfigError, match="players must be one of 2, 3, 4, got"):
            parlour.batch("kintsugi", players=value)

    def test_on_illegal_is_raise_or_lose(self) -> None:
        wrong: Any = "shrug"
        for make in (
            lambda: parlour.batch("kintsugi", on_illegal=wrong),
            lambda: parlour.envs.kintsugi_v0.env(on_illegal=wrong),
            lambda: gymnasium.make("parlour/Kintsugi-v0", on_illegal=wrong),
        ):
            with pytest.raises(parlour.ConfigError, match=r"on_illegal must be .*shrug"):
                make()


class TestTable:
    """The same at the PettingZoo door."""

    @pytest.fixture
    def env(self) -> TableEnv:
        env: TableEnv = parlour.envs.kintsugi_v0.raw_env()
        env.reset(seed=3)
        return env

    @staticmethod
    def refused(env: TableEnv, call: Callable[[], Any], error: type[Exception], match: str | None = None) -> None:
        before = env._states.tobytes(), env.state(), env.agent_selection
        seen = env.last()
        with pytest.raises(error, match=match):
            call()
        assert (env._states.tobytes(), env.agent_selection) == (before[0], before[2])
        np.testing.assert_array_equal(env.state(), before[1])
        for key, value in env.last()[0].items():
            np.testing.assert_array_equal(value, seen[0][key])
        assert env.last()[1:4] == seen[1:4]

    def test_an_illegal_action_is_told_in_words(self, env: TableEnv) -> None:
        wrong = int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])
        said = (
            rf'^{env.agent_selection} cannot play "{env.game.action_text(wrong)}" \(action {wrong}\): .* legal, e\.g\.'
        )
        self.refused(env, lambda: env.step(wrong), parlour.IllegalAction, said)

    @pytest.mark.parametrize("action", [69, -1, -2, 10**30])
    def test_an_action_out_of_range_is_refused(self, env: TableEnv, action: int) -> None:
        self.refused(env, lambda: env.step(action), parlour.IllegalAction, f"cannot play action {action}: ")

    @ODD
    def test_what_is_no_whole_number_is_refused(self, env: TableEnv, odd: Any) -> None:
        self.refused(env, lambda: env.step(odd), parlour.ConfigError, "whole number")

    @pytest.mark.parametrize("action", [[0], [0, 1], np.array([0, 1]), np.array([0.0]), {}])
    def test_what_is_no_single_number_is_refused(self, env: TableEnv, action: Any) -> None:
        self.refused(env, lambda: env.step(action), parlour.ConfigError, "whole number")

    @pytest.mark.parametrize("action_type", [int, np.int8, np.int64, np.uint16, np.array])
    def test_any_single_whole_number_will_do(self, env: TableEnv, action_type: Callable[[int], Any]) -> None:
        env.step(action_type(int(env.infos[env.agent_selection]["action_mask"].argmax())))

    @pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "1"])
    def test_what_is_no_seed_is_refused(self, env: TableEnv, seed: Any) -> None:
        self.refused(env, lambda: env.reset(seed=seed), parlour.ConfigError, "seed")


class TestLosing:
    @pytest.mark.parametrize("wrong", [NO_ACTION, -2, 68, 69, 10**6])
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_the_offender_loses_and_the_others_share_the_win(self, players: int, wrong: int) -> None:
        batch = parlour.batch("kintsugi", 3, seed=4, players=players, on_illegal="lose")
        offender = int(batch.current_player[1])
        actions = some_legal(batch)
        actions[1] = wrong
        rewards, terminated, truncated = batch.step(actions)
        expected = np.full(players, 1 / (players - 1), np.float32)
        expected[offender] = -1
        np.testing.assert_allclose(rewards, [np.zeros(players), expected, np.zeros(players)])
        np.testing.assert_allclose(rewards.sum(axis=1), 0, atol=1e-6)
        assert terminated.tolist() == [False, True, False]
        assert not truncated.any()
        assert batch.current_player[1] == NOBODY
        assert not batch.legal[1].any()

    def test_nobody_is_paid_again_and_the_others_play_on(self) -> None:
        batch = parlour.batch("kintsugi", 3, seed=4, on_illegal="lose")
        batch.step([*some_legal(batch)[:2], 69])
        twin = parlour.batch("kintsugi", 3, seed=4)
        twin.step(some_legal(twin))
        rewards, terminated, _ = batch.step([*some_legal(batch)[:2], 69])
        twin.step(some_legal(twin))
        assert not rewards.any()
        assert terminated.tolist() == [False, False, True]
        np.testing.assert_array_equal(batch.reveal(rows=[0, 1]), twin.reveal(rows=[0, 1]))

    def test_with_autoreset_the_next_game_begins(self) -> None:
        batch = parlour.batch("kintsugi", 1, seed=4, on_illegal="lose", autoreset=True)
        rewards, terminated, _ = batch.step([69])
        assert sorted(rewards[0].tolist()) == [-1, 1]
        assert terminated.all()
        assert batch.legal.any()
        assert int(batch._states[0].offender) == NOBODY

    def test_the_margin_reward_pays_a_forfeit_in_the_same_way(self) -> None:
        batch = parlour.batch("kintsugi", 1, seed=4, on_illegal="lose", reward="margin")
        assert sorted(batch.step([69])[0][0].tolist()) == [-1, 1]

    @ODD
    def test_what_is_no_whole_number_is_refused_all_the_same(self, odd: Any) -> None:
        batch = parlour.batch("kintsugi", 2, seed=4, on_illegal="lose")
        refused(batch, lambda: batch.step([odd, odd]), parlour.ConfigError)

    @pytest.mark.parametrize("players", [2, 4])
    def test_at_the_table_every_seat_is_told_once(self, players: int) -> None:
        env = parlour.envs.kintsugi_v0.env(players=players, on_illegal="lose")
        env.reset(seed=3)
        offender = env.agent_selection
        env.step(10**6)
        paid: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            paid[agent].append(reward)
            assert (terminated, truncated) == (True, False)
            assert not seen["action_mask"].any()
            env.step(None)
        expected = {agent: [-1.0 if agent == offender else pytest.approx(1 / (players - 1))] for agent in paid}
        assert paid == expected

    def test_the_learner_of_a_gymnasium_env_loses(self) -> None:
        env = gymnasium.make("parlour/Kintsugi-v0", players=3)
        env.reset(seed=3)
        _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info_mask(env) == 0)[0]))
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert not info["action_mask"].any()
        env.reset()
        assert info_mask(env).any()

    def test_the_learner_of_a_gymnasium_env_can_be_told_instead(self) -> None:
        env = gymnasium.make("parlour/Kintsugi-v0", on_illegal="raise")
        env.reset(seed=3)
        wrong = int(np.flatnonzero(info_mask(env) == 0)[0])
        with pytest.raises(parlour.IllegalAction, match=rf'player_\d cannot play ".*" \(action {wrong}\)'):
            env.step(wrong)
        assert env.step(int(info_mask(env).argmax()))[1] == 0.0

    def test_the_learners_of_a_vector_lose_one_by_one(self) -> None:
        vector = gymnasium.make_vec("parlour/Kintsugi-v0", num_envs=4, players=3)
        _, infos = vector.reset(seed=3)
        actions = infos["action_mask"].argmax(axis=1)
        actions[2] = 68
        _, rewards, terminated, _, infos = vector.step(actions)
        assert rewards.tolist() == [0.0, 0.0, -1.0, 0.0]
        assert terminated.tolist() == [False, False, True, False]
        assert infos["action_mask"][2].any(), "the next game has begun"

    def test_an_opponent_that_plays_illegally_is_a_mistake_to_be_told(self) -> None:
        """`on_illegal` is about the learner: a broken opponent must not pass for a beaten one."""

        def cheat(batch: Batch, rows: Any) -> Any:
            return np.full(len(rows), batch.game.num_actions - 1)

        env = gymnasium.make("parlour/Kintsugi-v0", opponents=cheat, seat=0, first_player=0)
        env.reset(seed=3)
        with pytest.raises(parlour.IllegalAction, match=r"player_1 cannot play"):
            env.step(int(info_mask(env).argmax()))


def info_mask(env: gymnasium.Env[Any, Any]) -> Any:
    return env.get_wrapper_attr("action_masks")()
