"""The PettingZoo door: its own tests pass, masks and payments are right, and wrong orders of calls are told."""

import copy
import itertools
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.conversions import aec_to_parallel

import parlour
from parlour.envs.core.aec import OrderedEnv, TableEnv
from parlour.envs.core.jit import plain
from parlour.envs.core.registry import door, games
from tests.envs.core.play import CASES, configurations

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's tests import an environment of its own in a deprecated way
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

DOORS = pytest.mark.parametrize("door_name", ["env", "raw_env"])
KNOWN = ("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be")
"""What `api_test` says of every environment with masked observations that is not its own."""
FEW = [pytest.param(name, dict(configurations(name)[0]), id=name) for name in games()]


def make(name: str, door_name: str = "env", **options: Any) -> Any:
    return getattr(import_module(f"parlour.envs.{door(name).id}"), door_name)(**options)


def uniform(env: Any, seed: int = 0) -> Iterator[tuple[str, Any]]:
    """Play a game uniformly, telling who is to move and what they see; who is out plays None."""
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        told = env.last()
        yield agent, told
        env.step(None if told[2] or told[3] else int(rng.choice(np.flatnonzero(told[0]["action_mask"]))))


class TestOfPettingZoo:
    @DOORS
    @pytest.mark.parametrize("observation", ["observe", "remember"])
    @pytest.mark.parametrize(("name", "config"), CASES)
    @pytest.mark.filterwarnings(*KNOWN)
    def test_the_api_test_passes(self, name: str, config: dict[str, Any], observation: str, door_name: str) -> None:
        api_test(make(name, door_name, observation=observation, **config), num_cycles=300)

    @DOORS
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_the_seed_test_passes(self, name: str, config: dict[str, Any], door_name: str) -> None:
        seed_test(lambda: make(name, door_name, **config), num_cycles=50)

    @DOORS
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_the_render_test_passes(self, name: str, config: dict[str, Any], door_name: str) -> None:
        render_test(lambda render_mode: make(name, door_name, render_mode=render_mode, **config))

    @DOORS
    @pytest.mark.parametrize(("name", "config"), CASES)
    def test_the_parallel_test_passes_through_the_turn_based_conversion(
        self, name: str, config: dict[str, Any], door_name: str
    ) -> None:
        """In it everyone acts at once and only the action of the player to move counts."""
        parallel_api_test(turn_based_aec_to_parallel(make(name, door_name, **config)), num_cycles=300)

    def test_the_other_conversion_is_not_for_turn_based_games(self) -> None:
        with pytest.raises(AssertionError, match="not generally safe"):
            aec_to_parallel(make("kintsugi"))


class TestRegistry:
    @pytest.mark.parametrize("name", games())
    def test_every_game_is_made_by_its_id(self, name: str) -> None:
        env = pettingzoo.make("aec", f"parlour/{name.replace('_', '-')}-v0")
        env.reset(seed=1)
        assert env.unwrapped.game.name == name
        assert env.metadata["name"] == f"{name}_v0"

    def test_options_reach_the_game(self) -> None:
        env = pettingzoo.make("aec", "parlour/kintsugi-v0", players=4, render_mode="ansi")
        assert len(env.possible_agents) == 4
        assert env.render_mode == "ansi"

    @pytest.mark.parametrize("name", games())
    def test_doors_are_attributes_of_the_package(self, name: str) -> None:
        module = getattr(parlour.envs, f"{name}_v0")
        assert isinstance(module.env(), OrderedEnv)
        assert isinstance(module.raw_env(), TableEnv)

    def test_there_is_no_other_door(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'patchwork_v9'"):
            _ = parlour.envs.patchwork_v9


@pytest.mark.parametrize(("name", "config"), CASES)
class TestPlay:
    def test_masks_are_in_observation_and_info_and_zero_for_who_is_not_to_move(
        self, name: str, config: dict[str, Any]
    ) -> None:
        env = make(name, **config)
        env.reset(seed=1)
        for agent, (seen, _, terminated, truncated, info) in uniform(env):
            over = terminated or truncated
            assert seen["action_mask"].dtype == info["action_mask"].dtype == np.int8
            assert seen["action_mask"].any() == (not over)
            for other in env.agents:
                mask = env.observe(other)["action_mask"]
                np.testing.assert_array_equal(mask, env.infos[other]["action_mask"])
                assert other == agent or not mask.any()

    def test_every_seat_is_paid_exactly_once_and_the_sum_is_zero(self, name: str, config: dict[str, Any]) -> None:
        env = make(name, **config)
        for seed in range(3):
            env.reset(seed=seed)
            told: dict[str, list[float]] = {agent: [] for agent in env.possible_agents}
            for agent, (_, reward, terminated, truncated, _) in uniform(env, seed):
                if terminated or truncated:
                    told[agent].append(reward)
                else:
                    assert reward == 0.0, "nothing is paid before the end"
            assert {len(payments) for payments in told.values()} == {1}
            paid = [payments[0] for payments in told.values()]
            assert sum(paid) == pytest.approx(0, abs=1e-5)
            game = env.unwrapped.game
            result = np.zeros(game.players, np.float32)
            plain(game.rules.returns)(env.unwrapped._states[0], result)
            assert paid == pytest.approx(result.tolist()), "winners and losers get the result of the finished game"

    def test_state_is_all_there_is_and_in_its_space(self, name: str, config: dict[str, Any]) -> None:
        env = make(name, **config)
        batch = parlour.batch(name, 1, seed=1, **config)
        env.reset(seed=1)
        for _ in range(10):
            assert env.state() in env.state_space
            np.testing.assert_array_equal(env.state(), batch.reveal()[0])
            action = int(batch.sample_legal()[0])
            env.step(action)
            batch.step([action])

    def test_observations_are_those_of_the_batch(self, name: str, config: dict[str, Any]) -> None:
        for look in ("observe", "remember"):
            env = make(name, "raw_env", observation=look, **config)
            batch = parlour.batch(name, 1, seed=1, **config)
            env.reset(seed=1)
            for _ in range(10):
                for seat, agent in enumerate(env.agents):
                    seen = env.observe(agent)
                    np.testing.assert_array_equal(seen["observation"], getattr(batch, look)(seat)[0])
                    assert seen in env.observation_space(agent)
                assert env.agent_selection == f"player_{batch.current_player[0]}"
                action = int(batch.sample_legal()[0])
                env.step(action)
                batch.step([action])

    def test_spaces_are_a_vector_with_a_mask_and_the_actions(self, name: str, config: dict[str, Any]) -> None:
        env = make(name, **config)
        game = env.unwrapped.game
        for agent in env.possible_agents:
            space = env.observation_space(agent)
            assert isinstance(space, Dict)
            assert space["observation"] == game.layout.space
            assert space["action_mask"] == Box(0, 1, (game.num_actions,), np.int8)
            assert env.action_space(agent) == Discrete(game.num_actions)


class TestTurns:
    def test_a_player_can_move_several_times_in_a_row(self) -> None:
        env = make("patchwork")
        env.reset(seed=1)
        movers = [agent for agent, told in uniform(env) if not told[2]]
        assert any(first == second for first, second in itertools.pairwise(movers))
        assert set(movers) == {"player_0", "player_1"}

    def test_what_was_handed_out_does_not_change_later(self) -> None:
        env = make("kintsugi")
        env.reset(seed=1)
        held = []
        for _, told in uniform(env):
            held.append((told[0], told[4], copy.deepcopy(told[0]), copy.deepcopy(told[4])))
            held.append((env.state(), None, env.state().copy(), None))
        for now, info, then, info_then in held:
            np.testing.assert_equal(now, then)
            np.testing.assert_equal(info, info_then)

    def test_terminations_and_rewards_are_plain_python(self) -> None:
        env = make("kintsugi")
        env.reset(seed=1)
        for _, (_, reward, terminated, truncated, _) in uniform(env):
            assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)

    def test_a_game_without_a_seed_follows_from_the_one_before(self) -> None:
        env, twin = make("kintsugi"), make("kintsugi")
        dealt = []
        for table in (env, twin):
            table.reset(seed=1)
            for _ in uniform(table):
                pass
            table.reset()
            dealt.append(table.state())
        np.testing.assert_array_equal(*dealt)
        twin.reset(seed=1)
        assert not np.array_equal(twin.state(), dealt[0])

    def test_a_first_game_without_a_seed_is_drawn(self) -> None:
        dealt = []
        for _ in range(4):
            env = make("kintsugi")
            env.reset()
            dealt.append(env.state().tobytes())
        assert len(set(dealt)) == 4


class TestOrder:
    @pytest.mark.parametrize(
        "name", ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"]
    )
    def test_nothing_is_told_before_the_first_reset(self, name: str) -> None:
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            getattr(make("kintsugi"), name)

    def test_nothing_is_done_before_the_first_reset(self) -> None:
        env = make("kintsugi", render_mode="ansi")
        for call in (lambda: env.step(0), env.last, env.state, env.render, lambda: env.observe("player_0")):
            with pytest.raises((AssertionError, AttributeError), match="reset"):
                call()
        with pytest.raises(AssertionError, match="reset"):
            env.agent_iter()

    def test_who_is_out_can_only_play_none(self) -> None:
        env = make("kintsugi")
        env.reset(seed=1)
        for _, told in uniform(env):
            if told[2]:
                with pytest.raises(ValueError, match="when an agent is dead, the only valid action is None"):
                    env.step(0)

    def test_a_step_when_all_are_out_is_told(self, caplog: pytest.LogCaptureFixture) -> None:
        env = make("kintsugi")
        env.reset(seed=1)
        for _ in uniform(env):
            pass
        env.step(None)
        assert "step() called after all agents are terminated" in caplog.text

    def test_an_iteration_without_a_step_is_told(self) -> None:
        env = make("kintsugi")
        env.reset(seed=1)
        turns = iter(env.agent_iter())
        next(turns)
        with pytest.raises(AssertionError, match="need to call step"):
            next(turns)

    def test_private_things_stay_private(self) -> None:
        with pytest.raises(AttributeError, match="private"):
            _ = make("kintsugi")._states


class TestRender:
    def test_without_a_mode_is_told_how_to_get_one(self) -> None:
        env = make("kintsugi")
        env.reset(seed=1)
        with pytest.raises(parlour.ConfigError, match='render_mode="ansi" or "human"'):
            env.render()

    def test_human_prints_what_ansi_returns(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown = []
        for mode in ("ansi", "human"):
            env = make("patchwork", render_mode=mode)
            env.reset(seed=1)
            shown.append(env.render())
        assert shown[1] is None
        assert capsys.readouterr().out == f"{shown[0]}\n"

    @pytest.mark.parametrize(("option", "value"), [("render_mode", "hologram"), ("observation", "peek")])
    def test_another_mode_is_refused(self, option: str, value: str) -> None:
        with pytest.raises(parlour.ConfigError, match=f"{option} must be one of .*got '{value}'"):
            make("kintsugi", **{option: value})


@pytest.mark.parametrize(("name", "config"), FEW)
def test_the_turn_based_conversion_plays_the_same_game(name: str, config: dict[str, Any]) -> None:
    """Only the action of the player to move counts, and everyone is paid in the last step."""
    parallel = turn_based_aec_to_parallel(make(name, **config))
    batch = parlour.batch(name, 1, seed=2, **config)
    seen, _ = parallel.reset(seed=2)
    while parallel.agents:
        mover = f"player_{batch.current_player[0]}"
        action = int(batch.sample_legal()[0])
        np.testing.assert_array_equal(seen[mover]["action_mask"], batch.legal[0])
        seen, rewards, *_ = parallel.step({agent: action if agent == mover else 0 for agent in parallel.agents})
        paid = batch.step([action])[0][0]
        assert list(rewards.values()) == paid.tolist()
    assert paid.any()
