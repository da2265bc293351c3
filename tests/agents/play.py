"""What the tests of agents share: games between two of them, and what one chooses in a state."""

import numpy as np

import parlour
from parlour.agents import Agent, load
from parlour.agents.greedy import worths
from parlour.envs.core.batch import Batch
from parlour.envs.core.record import NOBODY


def win_rate(agent: Agent, other: Agent, name: str, games: int = 200, seed: int = 1, **config: object) -> float:
    """How often `agent` is ahead of `other` in two-player games, in each seat as often; shared wins count half."""
    batch = parlour.batch(name, size=games, seed=seed, **config)
    seats = np.arange(games) % 2
    won = np.zeros(games)
    while (on := np.flatnonzero(batch.current_player != NOBODY)).size:
        ours = batch.current_player[on] == seats[on]
        for player, rows in ((agent, on[ours]), (other, on[~ours])):
            rewards, over, _ = batch.step(player.act(batch, rows), rows)
            won[rows[over]] = (1 + rewards[over, seats[rows[over]]]) / 2
    return float(won.mean())


def choice(batch: Batch) -> str:
    """What greedy does in the only game of a batch, in words."""
    chosen = np.asarray(load("greedy", batch.game).act(batch, np.arange(1)))
    return batch.say(int(chosen[0]))


def weights(batch: Batch) -> dict[str, float]:
    """What greedy thinks of every legal action, in words."""
    worth = worths(batch, np.arange(1))[0]
    return {batch.say(int(action)): float(worth[action]) for action in np.flatnonzero(batch.legal[0])}
