"""`random`: every legal action alike."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch
from parlour.envs.core.game import Game
from parlour.envs.core.jit import kernel
from parlour.envs.core.loops import count_legal, next_bits, nth_legal
from parlour.envs.core.record import Numbers
from parlour.envs.core.rng import scaled


@dataclass(frozen=True)
class Random:
    """Uniform over the legal actions."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return batch.sample_legal(rows)

    def picker(self, game: Game) -> Callable[..., int]:  # noqa: ARG002
        return pick_any


@kernel
def pick_any(states: Numbers, row: int, masks: Numbers, actions: int, sampler: Numbers) -> int:
    """What `sample_legal` would draw."""
    words = masks[row].view(np.uint64)
    return nth_legal(words, scaled(next_bits(sampler[row]), count_legal(words)))
