"""Parlour: modern tabletop games as reinforcement-learning environments.

>>> import parlour
>>> batch = parlour.batch("patchwork", size=4, seed=0)
>>> rewards, terminated, truncated = batch.step(batch.sample_legal())
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from parlour import envs
from parlour.envs.core.errors import ConfigError, IllegalAction, ParlourError, ReplayError, SnapshotError
from parlour.envs.core.registry import games, register_with_gymnasium, register_with_pettingzoo

if TYPE_CHECKING:
    from parlour import agents, training
    from parlour.envs.core.batch import Batch, batch
    from parlour.envs.core.check import check_game
    from parlour.envs.core.game import Game
    from parlour.envs.core.record import NO_ACTION, NOBODY
    from parlour.envs.core.registry import make_game
    from parlour.envs.core.replay import Replay

__version__ = "0.1.0"

_LATE = {
    "Batch": "parlour.envs.core.batch",
    "batch": "parlour.envs.core.batch",
    "Game": "parlour.envs.core.game",
    "make_game": "parlour.envs.core.registry",
    "check_game": "parlour.envs.core.check",
    "Replay": "parlour.envs.core.replay",
    "NO_ACTION": "parlour.envs.core.record",
    "NOBODY": "parlour.envs.core.record",
    "agents": "parlour.agents",
    "training": "parlour.training",
}
"""Imported when first used: numba alone takes longer to import than all of this."""

register_with_gymnasium()
register_with_pettingzoo()

__all__ = [
    "NOBODY",
    "NO_ACTION",
    "Batch",
    "ConfigError",
    "Game",
    "IllegalAction",
    "ParlourError",
    "Replay",
    "ReplayError",
    "SnapshotError",
    "agents",
    "batch",
    "check_game",
    "envs",
    "games",
    "make_game",
    "training",
]


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'parlour' has no attribute {name!r}")
    module = import_module(_LATE[name])
    found = module if _LATE[name] == f"parlour.{name}" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
