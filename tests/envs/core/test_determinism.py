"""The same seed gives the same game, to the bit: for any batch size, order of rows, thread count and process.

Games are compared by a sha256 per row of states, masks, observations and rewards over some steps of uniform play.
"""

import ast
import hashlib
import json
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import PARALLEL_FROM, Batch
from parlour.envs.core.jit import plain
from parlour.envs.core.record import NOBODY
from parlour.envs.core.registry import games
from tests.envs.core.play import CASES, configurations, histories, python, views

STEPS = 60
SEED = 2**63 + 11

HISTORIES = f"""
import ast, json, sys
import parlour
from tests.envs.core.play import histories
name, config, size, steps = ast.literal_eval(sys.argv[1])
batch = parlour.batch(name, size, seed={SEED}, **config)
print(json.dumps(histories(batch, steps)))
"""

FEW = [pytest.param(name, dict(configurations(name)[-1]), id=name) for name in games()]
"""One configuration of each game, for what takes a process of its own."""


@cache
def _expected(name: str, config: str, size: int, steps: int) -> list[str]:
    return histories(parlour.batch(name, size, seed=SEED, **ast.literal_eval(config)), steps)


def expected(name: str, config: dict[str, Any], size: int = 8, steps: int = STEPS) -> list[str]:
    """The histories of a batch of a few games, made once."""
    return _expected(name, repr(config), size, steps)


def in_a_process(name: str, config: dict[str, Any], size: int, steps: int, **environment: str) -> list[str]:
    done = python(HISTORIES, repr([name, config, size, steps]), **environment)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(("name", "config"), CASES)
class TestBatchSize:
    def test_rows_are_the_same_games_alone(self, name: str, config: dict[str, Any]) -> None:
        seeds = parlour.batch(name, 8, seed=SEED, **config).seeds
        alone = [histories(parlour.batch(name, 1, seed=int(seed), **config), STEPS)[0] for seed in seeds[:3]]
        assert alone == expected(name, config)[:3]

    def test_rows_are_all_different_games(self, name: str, config: dict[str, Any]) -> None:
        assert len(set(expected(name, config))) == 8


@pytest.mark.parametrize(("name", "config"), FEW)
class TestRowOrder:
    def test_rows_can_be_reset_in_any_order(self, name: str, config: dict[str, Any]) -> None:
        batch = parlour.batch(name, 8, seed=1, **config)
        for rows in ([7, 0, 3], [5], [6, 4], [1, 2]):
            batch.reset(rows=rows, seed=SEED)
        assert histories(batch, STEPS) == expected(name, config)

    def test_rows_can_be_stepped_in_any_order(self, name: str, config: dict[str, Any]) -> None:
        straight = parlour.batch(name, 8, seed=SEED, **config)
        mixed = parlour.batch(name, 8, seed=SEED, **config)
        order = np.random.default_rng(0)
        for _ in range(STEPS):
            actions = straight.sample_legal()
            paid = straight.step(actions)[0]
            rows = order.permutation(8)
            for part in (rows[:3], rows[3:4], rows[4:]):
                np.testing.assert_array_equal(mixed.sample_legal(part), actions[part])
                np.testing.assert_array_equal(mixed.step(actions[part], part)[0], paid[part])
        assert fingerprint(mixed) == fingerprint(straight)


@pytest.mark.parametrize("name", games())
class TestThreads:
    @pytest.fixture(autouse=True)
    def all_threads_again(self) -> Any:
        yield
        numba.set_num_threads(numba.config.NUMBA_NUM_THREADS)

    def test_any_number_gives_the_same_games(self, name: str) -> None:
        found = []
        for threads in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(threads)
            found.append(histories(parlour.batch(name, PARALLEL_FROM, seed=SEED), 8))
        assert found[0] == found[1]
        assert found[0][:8] == expected(name, {}, 8, 8), "and they are those of one thread and a small batch"


@pytest.mark.parametrize(("name", "config"), FEW)
class TestProcesses:
    def test_another_process_plays_the_same_games(self, name: str, config: dict[str, Any]) -> None:
        hashed = in_a_process(name, config, 8, STEPS, PYTHONHASHSEED="1", NUMBA_NUM_THREADS="1")
        assert hashed == expected(name, config)

    def test_plain_python_plays_the_same_games(self, name: str, config: dict[str, Any]) -> None:
        assert in_a_process(name, config, 2, 40, NUMBA_DISABLE_JIT="1") == expected(name, config, 2, 40)


@pytest.mark.parametrize(("name", "config"), CASES)
@pytest.mark.parametrize("reward", ["outcome", "margin"])
def test_plain_python_pays_the_same_to_the_last_bit(name: str, config: dict[str, Any], reward: str) -> None:
    """Means of several results are where single and double precision part."""
    batch = parlour.batch(name, 32, seed=SEED, **{**config, "reward": reward})
    paid = np.zeros((32, batch.game.players), np.float32)
    while (batch.current_player != NOBODY).any():
        paid += batch.step(batch.sample_legal())[0]
    expected = np.zeros_like(paid)
    for row, state in enumerate(batch._states):
        plain(batch.game.rules.returns)(state, expected[row])
    np.testing.assert_array_equal(paid, expected)


def fingerprint(batch: Batch) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(view).tobytes() for view in views(batch))).hexdigest()


def test_the_aec_door_deals_the_same_game() -> None:
    env = parlour.envs.kintsugi_v0.raw_env()
    env.reset(seed=SEED)
    batch = parlour.batch("kintsugi", 1, seed=SEED)
    while env.agents and not env.terminations[env.agent_selection]:
        np.testing.assert_array_equal(env.state(), batch.reveal()[0])
        np.testing.assert_array_equal(env.last()[0]["observation"], batch.observation[0])
        np.testing.assert_array_equal(env.last()[0]["action_mask"], batch.legal[0])
        action = int(batch.sample_legal()[0])
        rewards = batch.step([action])[0][0]
        env.step(action)
    assert list(env.rewards.values()) == rewards.tolist()
