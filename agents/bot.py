"""A trained bot as two files: `bot.json` says what it is, `bot.safetensors` holds its weights. Loading runs no code."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from parlour.agents.nets import BotNet, NetSpec, build
from parlour.agents.sight import PLAIN, Sight
from parlour.agents.tensors import Arrays, pack, unpack
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.files import write_whole
from parlour.envs.core.game import Game
from parlour.envs.core.options import Observing, read_choice
from parlour.envs.core.registry import make_game

FORMAT = "parlour bot 1"
OBSERVING: tuple[Observing, ...] = ("observe", "remember")
CARD, WEIGHTS = "bot.json", "bot.safetensors"
MOST_BYTES = 64 * 2**20
"""Larger files are refused unread."""
HALVED_FROM = 5 * 2**20
"""From this size on weights are stored in half precision."""


@dataclass(frozen=True)
class Bot:
    """A network and the game it was trained on."""

    game: Game
    net: BotNet
    spec: NetSpec
    sight: Sight = PLAIN
    """What the network reads."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained, in plain JSON."""

    def check(self, game: Game) -> None:
        """Refuse a game that it was not trained for."""
        if (game.name, game.version) != (self.game.name, self.game.version):
            raise ConfigError(f"this bot plays {self.game.id}, not {game.id}")
        if self.sight.layout(game).digest() != self.sight.layout(self.game).digest():
            raise ConfigError(f"this bot plays {self.game.name} with {_options(self.game)}, not with {_options(game)}")

    def save(self, folder: str | Path) -> None:
        """Write the two files, each whole or not at all."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        weights = {name: value.detach().numpy() for name, value in self.net.state_dict().items()}
        if sum(value.nbytes for value in weights.values()) > HALVED_FROM:
            weights = {name: value.astype(np.float16) for name, value in weights.items()}
        write_whole(folder / WEIGHTS, pack(weights))
        write_whole(folder / CARD, json.dumps(self.card(), indent=2) + "\n")

    def card(self) -> dict[str, Any]:
        """What `bot.json` says."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "config": dict(self.game.config),
            **asdict(self.sight),
            "layout": self.sight.layout(self.game).digest(),
            "net": self.spec.to_json(),
            "training": dict(self.record),
        }


def shipped() -> list[str]:
    """The names of the bots that come with Parlour."""
    folder = files("parlour.agents") / "bots"
    return sorted(entry.name for entry in folder.iterdir() if (entry / CARD).is_file()) if folder.is_dir() else []


def find(bot: str) -> Path:
    """The folder of a bot given by name or by path.

    Raises:
        ConfigError: If there is neither; it lists the names.
    """
    if bot in shipped():
        return Path(str(files("parlour.agents") / "bots" / bot))
    if bot and (Path(bot) / CARD).is_file():
        return Path(bot)
    known = ", ".join(shipped()) or "none yet"
    raise ConfigError(f"no bot {bot!r}: name a folder with {CARD} and {WEIGHTS}, or a bot that is shipped ({known})")


def load_bot(folder: str | Path) -> Bot:
    """The bot in a folder.

    Raises:
        ConfigError: If a file is missing, damaged, tampered with, or of another game, version or layout.
    """
    folder = Path(folder)
    try:
        card = _read_card(folder / CARD)
        return _made(card, unpack(_read(folder / WEIGHTS))[0])
    except ConfigError as error:
        raise ConfigError(f"cannot load the bot in {folder}: {error}") from error


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigError(f"{path.name} has more than {MOST_BYTES} bytes")
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path.name} cannot be read: {error.strerror}") from error


def _read_card(path: Path) -> dict[str, Any]:
    try:
        card = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path.name} is no JSON: {error}") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ConfigError(f"{path.name} is no {FORMAT!r}")
    kinds = {
        "game": str,
        "version": int,
        "config": dict,
        "observation": str,
        "guided": bool,
        "ahead": bool,
        "layout": str,
        "training": dict,
    }
    for key, kind in kinds.items():
        if type(card.get(key)) is not kind:
            raise ConfigError(f"{key} in {path.name} is {card.get(key)!r}")
    return card


def _made(card: dict[str, Any], weights: Arrays) -> Bot:
    try:
        game = make_game(card["game"], **card["config"])
    except TypeError as error:
        raise ConfigError(f"its game cannot be made: {error}") from error
    if game.version != card["version"]:
        raise ConfigError(f"it plays {game.name}_v{card['version']}, and this is {game.id}")
    observation = cast(Observing, read_choice("observation", card["observation"], OBSERVING))
    sight = Sight(observation, card["guided"], card["ahead"])
    layout = sight.layout(game)
    if layout.digest() != card["layout"]:
        raise ConfigError(f"it reads observations of layout {card['layout']}, and {game.id} has {layout.digest()}")
    spec = NetSpec.from_json(card.get("net"))
    net = build(spec, layout, game.num_actions)
    fill(net, weights)
    return Bot(game, net.eval(), spec, sight, card["training"])


def fill(net: BotNet, weights: Mapping[str, NDArray[Any]]) -> None:
    """Give a network these weights, after checking that they are its own: names, shapes, types, finite values."""
    wanted = net.state_dict()
    if set(weights) != set(wanted):
        odd = sorted(set(weights) ^ set(wanted))[0]
        raise ConfigError(f"{odd!r} is {'no part of' if odd in weights else 'missing for'} a network of this kind")
    for name, value in weights.items():
        if value.shape != tuple(wanted[name].shape):
            raise ConfigError(f"{name!r} has the shape {value.shape}, not {tuple(wanted[name].shape)}")
        if value.dtype.kind != "f" or not np.isfinite(value).all():
            raise ConfigError(f"{name!r} must hold finite floating-point numbers")
    net.load_state_dict({name: torch.from_numpy(value.astype(np.float32)) for name, value in weights.items()})


def _options(game: Game) -> str:
    return ", ".join(f"{key}={value}" for key, value in game.config.items() if key not in ("deck", "reward"))
