"""Training, evaluation, measuring, and the command line."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from parlour.envs.core.errors import MissingExtra
from parlour.training.arena import arena  # the function takes the name of its module, so it cannot come late

if TYPE_CHECKING:
    from parlour.training.args import TrainArgs
    from parlour.training.buffer import PackedMaskableRolloutBuffer
    from parlour.training.pool import Pool
    from parlour.training.selfplay import SelfPlayVecEnv
    from parlour.training.trainer import train

_LATE = {
    "PackedMaskableRolloutBuffer": "parlour.training.buffer",
    "Pool": "parlour.training.pool",
    "SelfPlayVecEnv": "parlour.training.selfplay",
    "TrainArgs": "parlour.training.args",
    "train": "parlour.training.trainer",
}
"""Imported when first used: torch alone takes seconds."""
_EXTRAS = {
    "torch": "train",
    "stable_baselines3": "train",
    "sb3_contrib": "train",
    "safetensors": "train",
    "tensorboard": "train",
    "matplotlib": "train",
    "rich": "play",
    "typer": "play",
}
"""The extra that brings a package."""

__all__ = ["PackedMaskableRolloutBuffer", "Pool", "SelfPlayVecEnv", "TrainArgs", "arena", "train"]


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'parlour.training' has no attribute {name!r}")
    found = getattr(bring(_LATE[name]), name)
    globals()[name] = found
    return found


def bring(module: str) -> ModuleType:
    """Import a module; what is not installed is told with the command that installs it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in _EXTRAS:
            raise
        raise MissingExtra(f"{module} needs {package}: pip install 'parlour[{_EXTRAS[package]}]'") from missing


def __dir__() -> list[str]:
    return __all__
