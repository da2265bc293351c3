"""`random`: every legal action alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch


@dataclass(frozen=True)
class Random:
    """Uniform over the legal actions."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return batch.sample_legal(rows)
