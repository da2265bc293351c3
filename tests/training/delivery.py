"""The reward-delivery kit: does every learner get the result of its seat, once, for every game it played?

A `Ledger` writes down all actions of all rows of an environment. `settle` plays the finished games again, from their
seeds alone, and compares what the rules say with what the learner was paid.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch
from parlour.envs.core.game import Game
from parlour.envs.core.record import NOBODY
from parlour.training import SelfPlayVecEnv


@dataclass
class Played:
    """One finished game."""

    row: int
    seed: int
    seat: int
    actions: list[int]


class ByHand:
    """An agent without its compiled choices, so that all its moves go through `Batch.step`."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> Any:
        return self._agent.act(batch, rows)


@dataclass
class Ledger:
    """Writes down what is played in an environment whose opponents all play by hand."""

    env: SelfPlayVecEnv
    finished: list[Played] = field(default_factory=list)

    def __post_init__(self) -> None:
        batch = self.env.solo.batch
        self._step, self._reset = batch.step, batch.reset
        self._actions: list[list[int]] = [[] for _ in range(batch.size)]
        self._decided = np.zeros(batch.size, bool)
        batch.step, batch.reset = self.step, self.reset  # type: ignore[method-assign]
        self.env.reset()

    def step(self, actions: Any, rows: Any = None, **options: Any) -> Any:
        played = np.arange(self.env.num_envs) if rows is None else rows
        if rows is None:
            self._decided[:] = True
        for row, action in zip(played.tolist(), np.asarray(actions).tolist(), strict=True):
            self._actions[row].append(action)
        return self._step(actions, rows, **options)

    def reset(self, rows: Any = None, seed: Any = None) -> None:
        batch, seats = self.env.solo.batch, self.env.solo.seats
        begun = np.arange(batch.size) if rows is None else rows
        for row in begun.tolist():
            if batch.current_player[row] == NOBODY and self._decided[row]:
                self.finished.append(Played(row, int(batch.seeds[row]), int(seats[row]), self._actions[row]))
            self._actions[row], self._decided[row] = [], False
        self._reset(rows, seed)


def results(game: Game, played: list[Played]) -> NDArray[np.float32]:
    """float32 [G, n]: what every seat gets when these games are played again from their seeds."""
    batch = Batch(game, len(played), seed=0)
    batch.reset(seed=np.array([one.seed for one in played], np.uint64))
    paid = np.zeros((len(played), game.players), np.float32)
    for move in range(max(len(one.actions) for one in played)):
        rows = np.array([k for k, one in enumerate(played) if len(one.actions) > move])
        rewards, *_ = batch.step([played[k].actions[move] for k in rows], rows)
        paid[rows] += rewards
    assert (batch.current_player == NOBODY).all(), "every game is over after its last action"
    return paid


def play(env: Any, games: int, choose: Callable[[NDArray[np.bool_]], NDArray[Any]]) -> list[tuple[int, float, int]]:
    """Play until so many games are over: the row, the learner's return and the seat that was told of each."""
    returns, told = np.zeros(env.num_envs), []
    while len(told) < games:
        _, rewards, dones, infos = env.step(choose(env.action_masks()))
        returns += rewards
        for row in np.flatnonzero(dones).tolist():
            assert infos[row]["episode"]["r"] == rewards[row], "the reward of the last step is all there was"
            told.append((row, float(returns[row]), infos[row]["seat"]))
        returns[dones] = 0
    return told


def settle(env: SelfPlayVecEnv, games: int, choose: Callable[[NDArray[np.bool_]], NDArray[Any]]) -> list[Played]:
    """Play, and compare every return with the result of the same game played again; returns the games."""
    ledger = Ledger(env)
    told = play(env, games, choose)
    expected = results(env.game, ledger.finished)
    due = [(one.row, float(paid[one.seat]), one.seat) for one, paid in zip(ledger.finished, expected, strict=True)]
    assert told == due
    return ledger.finished
