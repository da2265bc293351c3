"""Agents out of what users have: a function of what a player sees, or a stable-baselines3 model."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.agents.sight import PLAIN, Sight
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.options import Observing, read_choice

Choose = Callable[[NDArray[np.float32], NDArray[np.bool_]], ArrayLike]
"""From observations [R, D] and legal actions [R, A] to actions [R]."""


@dataclass(frozen=True)
class Wrapped:
    """An agent that sees what its seat sees, and nothing else."""

    choose: Choose
    sight: Sight = PLAIN

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        return self.choose(self.sight.of(batch, rows), batch.legal[rows])


def wrap(player: Any, observation: Observing = "observe", *, guided: bool = False, ahead: bool = False) -> Wrapped:
    """An agent that plays as a function or a model says.

    Args:
        player: A function `(observations [R, D], legal [R, A]) -> actions [R]`, or a stable-baselines3 model. Where a
            model knows no masks and chooses an illegal action, the first legal one is played.
        observation: "observe" shows it what a player sees now, "remember" what it could remember.
        guided: Show it also what `greedy` thinks of every action, as `SelfPlayVecEnv(guided=True)` does.
        ahead: Let `greedy` look ahead for that, as `SelfPlayVecEnv(ahead=True)` does.
    """
    read_choice("observation", observation, ("observe", "remember"))
    sight = Sight(observation, guided, ahead)
    if hasattr(player, "predict"):
        return Wrapped(_predictions(player), sight)
    if not callable(player):
        raise ConfigError(f"wrap takes a function (observations, legal) -> actions or an SB3 model, got {player!r}")
    return Wrapped(player, sight)


def _predictions(model: Any) -> Choose:
    masked = "action_masks" in inspect.signature(model.predict).parameters

    def choose(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> ArrayLike:
        if masked:
            return np.asarray(model.predict(seen, action_masks=legal, deterministic=True)[0])
        chosen = np.asarray(model.predict(seen, deterministic=True)[0]).astype(np.int64)
        allowed = legal[np.arange(chosen.size), chosen]
        return np.where(allowed, chosen, legal.argmax(axis=1))

    return choose
