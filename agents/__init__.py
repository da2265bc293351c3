"""Things that choose actions, all behind one batched protocol: `act(batch, rows) -> actions`."""

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.solo import Agent


class Random:
    """Uniform over the legal actions, from the batch's own seeded stream."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return batch.sample_legal(rows)


def names() -> list[str]:
    """The agents that `load` knows."""
    return ["random"]


def load(spec: str) -> Agent:
    """The agent that a spec names."""
    if spec != "random":
        raise ConfigError(f"no agent {spec!r}; the agents are {', '.join(names())}")
    return Random()


__all__ = ["Agent", "Random", "load", "names"]
