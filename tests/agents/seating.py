"""Plays whole games between agents, one per seat."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import parlour
from parlour.agents import load


def final_scores(game: str, seating: Sequence[str], size: int, seed: int, **config: Any) -> NDArray[np.int32]:
    """int32 [B, n]: the scores of games between agents given by name, seat by seat."""
    batch = parlour.batch(game, size=size, seed=seed, players=len(seating), **config)
    agents = {name: load(name, batch.game) for name in seating}
    while (batch.current_player >= 0).any():
        names = np.array([*seating, ""])[batch.current_player]
        for name, agent in agents.items():
            if (rows := np.flatnonzero(names == name)).size:
                batch.step(agent.act(batch, rows), rows)
    return batch.scores()
