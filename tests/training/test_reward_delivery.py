"""Every learner gets the result of its seat, exactly once, in every game, seat and company."""

from collections import Counter
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.agents import load, wrap
from parlour.envs.core.registry import door, games
from parlour.training import Pool, SelfPlayVecEnv
from tests.envs.core.play import first_legal
from tests.training.delivery import ByHand, play, settle

TABLES = [(name, players) for name in games() for players in import_module(door(name).module).PLAYERS]
"""Every game with every number of players."""
OWN_RULES = ["kintsugi", "patchwork", "kitsu", "klink"]
KINDS = ["random", "greedy", "function", "self", "one per seat", "pool"]


class Chance:
    """A learner that plays uniformly."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def __call__(self, masks: NDArray[np.bool_]) -> NDArray[Any]:
        return np.where(masks, self._rng.random(masks.shape), -1.0).argmax(axis=1)


def itself(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[Any]:
    """A net's stand-in: chooses by what it sees."""
    liking = np.random.default_rng(0).random((seen.shape[1], legal.shape[1]))
    return np.where(legal, seen @ liking, -np.inf).argmax(axis=1)


def company(kind: str, players: int) -> Any:
    """Opponents of a kind, all moves of which go through `Batch.step`."""
    one: dict[str, Any] = {
        "random": ByHand(load("random")),
        "greedy": ByHand(load("greedy")),
        "function": first_legal,
        "self": wrap(itself),
    }
    if kind == "one per seat":
        return [one["random"] if place % 2 else first_legal for place in range(players - 1)]
    if kind == "pool":
        pool = Pool({name: (agent, 1.0) for name, agent in one.items() if name != "greedy"})
        pool.add_snapshot("past", wrap(itself))
        return pool
    return one[kind]


def assert_all_seats_won_and_lost(told: list[Any], players: int) -> None:
    results = Counter((seat, pay > 0) for _, pay, seat in told)
    assert set(results) == {(seat, won) for seat in range(players) for won in (True, False)}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_in_mixed_company_from_all_seats(name: str, players: int) -> None:
    env = SelfPlayVecEnv(name, 32, company("pool", players), seed=1, players=players)
    played = settle(env, 60, Chance())
    assert {one.seat for one in played} == set(range(players))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seat", ["drawn", "first", "last"])
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_over_a_thousand_games_in_any_company(name: str, players: int, kind: str, seat: str) -> None:
    where = {"drawn": None, "first": 0, "last": players - 1}[seat]
    env = SelfPlayVecEnv(name, 200, company(kind, players), where, seed=2, players=players)
    played = settle(env, 1_000, Chance())
    assert {one.seat for one in played} == (set(range(players)) if where is None else {where})


@pytest.mark.parametrize("observation", ["observe", "remember"])
def test_in_a_whole_clan(observation: Any) -> None:
    env = SelfPlayVecEnv("kitsu", 32, ByHand(load("random")), seed=1, whole_clan=True, observation=observation)
    settle(env, 60, Chance())


@pytest.mark.parametrize("name", OWN_RULES)
def test_compiled_opponents_play_and_pay_as_those_by_hand(name: str) -> None:
    """Over a thousand games: so what holds of opponents whose moves can be written down holds of these."""
    ours, theirs = (SelfPlayVecEnv(name, 200, agent, seed=3) for agent in ("random", ByHand(load("random"))))
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    told = play(ours, 1_000, Chance())
    assert told == play(theirs, 1_000, Chance())
    assert_all_seats_won_and_lost(told, ours.game.players)
    np.testing.assert_array_equal(ours.solo.batch.states, theirs.solo.batch.states)


@pytest.mark.parametrize("name", ["klink", *(pytest.param(name, marks=pytest.mark.slow) for name in OWN_RULES[:3])])
def test_compiled_greedy_opponents_too(name: str) -> None:
    greedy, chance = load("greedy"), load("random")

    def pool(hand: Any) -> Pool:
        return Pool({"greedy": (hand(greedy), 2.0), "random": (hand(chance), 1.0), "first": (first_legal, 1.0)})

    ours, theirs = (SelfPlayVecEnv(name, 64, pool(hand), seed=3) for hand in (lambda agent: agent, ByHand))
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    assert play(ours, 200, Chance()) == play(theirs, 200, Chance())
    np.testing.assert_array_equal(ours.solo.batch.states, theirs.solo.batch.states)


def test_a_reward_that_is_not_delivered_is_found() -> None:
    """The kit fails when it should: here a learner is paid for the seat beside its own."""
    env = SelfPlayVecEnv("kintsugi", 32, first_legal, seed=1)
    step = env.solo.step

    def wrong(actions: Any) -> Any:
        rewards, terminated, truncated = step(actions)
        return -rewards, terminated, truncated

    env.solo.step = wrong  # type: ignore[method-assign]
    with pytest.raises(AssertionError):
        settle(env, 40, Chance())
