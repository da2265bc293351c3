"""The games, their versioned doors, and what they share (`core`). Doors are imported when first named."""

from importlib import import_module
from types import ModuleType

from parlour.envs.core.registry import door, games

_DOORS = tuple(door(name).id for name in games())


def __getattr__(name: str) -> ModuleType:
    if name in _DOORS:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_DOORS]
