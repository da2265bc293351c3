"""Who is ahead of whom at a table when its game is over."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import prange
from numpy.typing import NDArray

from parlour.envs.core.batch import PARALLEL_FROM, Batch
from parlour.envs.core.game import Rules
from parlour.envs.core.jit import bind, unbound
from parlour.envs.core.record import MARGIN, OUTCOME, Numbers


def ahead(batch: Batch) -> NDArray[np.float32]:
    """float32 [B, n, n]: 1 where the seat of the row finished ahead of that of the column, 0.5 for level, 0 for behind.

    Winners are ahead of the rest, by all the tie-breaks of the rules. Among the rest the result counts, as the game
    itself values it (many points in Kintsugi, few in Klink); both come from the returns that the rules pay.
    """
    outcome, margin = paid(batch, OUTCOME), paid(batch, MARGIN)
    lead = np.sign(outcome[:, :, None] - outcome[:, None, :])
    lead = np.where(lead, lead, np.sign(margin[:, :, None] - margin[:, None, :]))
    found: NDArray[np.float32] = (lead + 1) / 2
    return found


def paid(batch: Batch, reward: int) -> NDArray[np.float32]:
    """float32 [B, n]: the returns of finished games, whichever reward they were played for."""
    final = batch.states.copy()
    final["reward"] = reward
    out = np.zeros((batch.size, batch.game.players), np.float32)
    _paying(batch.game.rules, batch.size >= PARALLEL_FROM)(final, out)
    return out


@cache
def _paying(rules: Rules, parallel: bool) -> Callable[..., Any]:
    return bind(pay_rows, rules.owner, {"returns": rules.returns}, parallel=parallel)


returns = unbound


def pay_rows(states: Numbers, out: Numbers) -> None:
    for k in prange(states.size):
        returns(states[k], out[k])
