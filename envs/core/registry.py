"""Which games there are, by name, and their ids in the registries of PettingZoo and Gymnasium."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from parlour.envs.core.errors import ConfigError

if TYPE_CHECKING:
    from parlour.envs.core.game import Game


@dataclass(frozen=True)
class Door:
    """Where a game is made: `make(**config)` of `module` returns its `Game`."""

    name: str
    title: str
    version: int
    module: str
    fixed: dict[str, Any]

    @property
    def id(self) -> str:
        return f"{self.name}_v{self.version}"

    @property
    def pettingzoo_id(self) -> str:
        return f"parlour/{self.name.replace('_', '-')}-v{self.version}"

    @property
    def gymnasium_id(self) -> str:
        return f"parlour/{''.join(word.capitalize() for word in self.name.split('_'))}-v{self.version}"


_DOORS = {
    door.name: door
    for door in (
        Door("kintsugi", "Kintsugi", 0, "parlour.envs.kintsugi", {"edition": "FR"}),
        Door("broken_and_beautiful", "Broken and Beautiful", 0, "parlour.envs.kintsugi", {"edition": "EN"}),
        Door("patchwork", "Patchwork", 0, "parlour.envs.patchwork", {}),
        Door("kitsu", "Kitsu", 0, "parlour.envs.kitsu", {}),
        Door("klink", "Klink", 0, "parlour.envs.klink", {}),
    )
}


def games() -> list[str]:
    """The names of all games."""
    return list(_DOORS)


def door(name: str) -> Door:
    """The door of a game, by its name or its versioned id."""
    for found in _DOORS.values():
        if name in (found.name, found.id):
            return found
    raise ConfigError(f"no game {name!r}; the games are {', '.join(_DOORS)}")


def make_game(name: str, **config: Any) -> "Game":
    """A game in one configuration. Options and defaults are on the game's page."""
    found = door(name)
    make: Callable[..., Game] = import_module(found.module).make
    known = [p for p in inspect.signature(make).parameters if p not in ("door", *found.fixed)]
    unknown = [option for option in config if option not in known]
    if unknown:
        raise ConfigError(f"{found.name} has no option {unknown[0]!r}; its options are {', '.join(known)}")
    return make(found, **found.fixed, **config)


def register_with_gymnasium() -> None:
    from gymnasium.envs.registration import register, registry

    for found in _DOORS.values():
        if found.gymnasium_id not in registry:
            register(
                id=found.gymnasium_id,
                entry_point="parlour.envs.core.solo_envs:SoloEnv",
                vector_entry_point="parlour.envs.core.solo_envs:SoloVectorEnv",
                kwargs={"game": found.name},
                disable_env_checker=True,
                order_enforce=False,
            )


def register_with_pettingzoo() -> None:
    import pettingzoo

    if not hasattr(pettingzoo, "register"):  # before 1.27 there is no registry
        return
    for found in _DOORS.values():
        if found.pettingzoo_id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", found.pettingzoo_id, entry_point=f"parlour.envs.{found.id}:env")
