"""What holds for the greedy player of every game."""

from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest

import parlour
from parlour.agents.greedy import Greedy, worths
from parlour.envs.core.batch import PARALLEL_FROM, Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.record import NOBODY
from parlour.envs.core.registry import games, make_game
from tests.envs.core.play import CASES, play
from tests.envs.core.toy import GAME

PLAYED = [name for name in games() if find_spec(f"parlour.agents.greedy.{make_game(name).rules.owner}")]
TABLES = [case for case in CASES if case.values[0] in PLAYED]


def running(batch: Batch) -> Batch:
    """The games that go on."""
    return batch.copy(np.flatnonzero(batch.current_player != NOBODY))


@pytest.mark.parametrize(("name", "config"), TABLES)
def test_what_a_seat_cannot_know_does_not_weigh(name: str, config: dict[str, object]) -> None:
    batch = parlour.batch(name, size=40, seed=5, **config)
    for steps in (0, 3, 8, 15):
        now = running(play(batch, steps))
        rows = np.arange(now.size)
        redealt = [worths(now.determinize(seed=seed), rows) for seed in (1, 2)]
        for one, other in pairwise([worths(now, rows), *redealt]):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", PLAYED)
def test_weights_are_finite_where_legal_and_minus_infinity_elsewhere(name: str) -> None:
    batch = running(play(parlour.batch(name, size=100, seed=2), 12))
    weights = worths(batch, np.arange(batch.size))
    np.testing.assert_array_equal(np.isfinite(weights), batch.legal)


@pytest.mark.parametrize("name", PLAYED)
def test_it_takes_what_is_worth_most_and_leaves_the_state_alone(name: str) -> None:
    batch = running(play(parlour.batch(name, size=100, seed=3), 7))
    before = batch.states.copy()
    rows = np.arange(batch.size)
    weights = worths(batch, rows)
    np.testing.assert_array_equal(weights[rows, Greedy().act(batch, rows)], weights.max(axis=1))
    np.testing.assert_array_equal(batch.states, before)


@pytest.mark.parametrize(("name", "size"), [*((name, 40) for name in PLAYED), ("kintsugi", PARALLEL_FROM)])
def test_a_choice_depends_neither_on_the_batch_size_nor_on_the_order_of_rows(name: str, size: int) -> None:
    many, few = (play(parlour.batch(name, size=size, seed=9), 4) for size in (size, 6))
    chosen = Greedy().act(many, np.arange(size))
    backwards = np.arange(5, -1, -1)
    np.testing.assert_array_equal(Greedy().act(few, backwards), chosen[backwards])


def test_a_game_without_a_greedy_player_is_refused_in_one_line() -> None:
    with pytest.raises(ConfigError, match=r"^greedy cannot play toy; it knows kintsugi, patchwork, kitsu, klink$"):
        Greedy().check(GAME)
