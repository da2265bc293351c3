"""How `greedy` chooses by the worth of its actions."""

import numpy as np

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import Numbers
from parlour.envs.core.rng import scaled


@kernel
def most_worth(mask: Numbers, worth: Numbers, bits: int) -> int:
    """The legal action worth most; one of them by chance where there are several."""
    best = np.float32(-np.inf)
    many = 0
    for action in range(mask.size):
        if mask[action] and worth[action] >= best:
            many = many + 1 if worth[action] == best else 1
            best = worth[action]
    skipped = scaled(bits, many)
    for action in range(mask.size):
        if mask[action] and worth[action] == best:
            if skipped == 0:
                return action
            skipped -= 1
    return -1
