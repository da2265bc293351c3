"""Agents by name: `load("mcts:iterations=500")`."""

from dataclasses import Field, fields
from importlib import import_module
from typing import Any, cast, get_args, get_type_hints

from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game
from parlour.envs.core.solo import Agent

AGENTS = {
    "random": ("parlour.agents.uniform", "Random"),
    "greedy": ("parlour.agents.greedy", "Greedy"),
    "ppo": ("parlour.agents.ppo", "Ppo"),
    "mcts": ("parlour.agents.mcts", "Mcts"),
    "human": ("parlour.agents.human", "Human"),
}
"""Module and class of every agent that has a name. Each is a dataclass whose fields are its options."""


def names() -> list[str]:
    """The agents that `load` knows."""
    return list(AGENTS)


def load(spec: str, game: Game | None = None) -> Agent:
    """The agent that a spec names.

    Args:
        spec: A name, and behind a colon options such as `iterations=500`, with commas between them; what has no `=` is
            the first option, so `ppo:bots/mine` is `ppo:bot=bots/mine`.
        game: A game that it must be able to play.

    Raises:
        ConfigError: If there is no such agent, if an option does not exist or fit, or if it cannot play the game.
    """
    name, _, rest = spec.partition(":")
    if name not in AGENTS:
        raise ConfigError(f"no agent {spec!r}; the agents are {', '.join(names())}")
    module, kind = AGENTS[name]
    agent = cast(Agent, _made(name, getattr(import_module(module), kind), rest))
    if game is not None and hasattr(agent, "check"):
        agent.check(game)
    return agent


def split_specs(text: str) -> list[str]:
    """Specs between commas, where options have commas between them too: "mcts:iterations=9,trees=1,greedy"."""
    specs: list[str] = []
    for piece in text.split(","):
        if specs and ":" in specs[-1] and piece.partition("=")[0].isidentifier() and "=" in piece:
            specs[-1] += f",{piece}"
        else:
            specs.append(piece.strip())
    return specs


def _made(name: str, kind: Any, rest: str) -> Any:
    options = {option.name: option for option in fields(kind) if option.init}
    given: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        if not (equals and key.isidentifier()):
            key, value = next(iter(options), part), part
        if key not in options:
            known = f"its options are {', '.join(options)}" if options else "it has none"
            raise ConfigError(f"{name} has no option {key!r}; {known}")
        if key in given:
            raise ConfigError(f"{name} is given {key} twice: {given[key]!r} and {value!r}")
        given[key] = value
    hints = get_type_hints(kind)
    return kind(**{key: _read(name, options[key], hints[key], value) for key, value in given.items()})


def _read(name: str, option: Field[Any], hint: Any, text: str) -> Any:
    """The value of an option, of the type that its field says."""
    kinds = [kind for kind in (get_args(hint) or (hint,)) if kind is not type(None)]
    if bool in kinds:
        if text.lower() not in ("true", "false"):
            raise ConfigError(f"{option.name} of {name} must be true or false, got {text!r}")
        return text.lower() == "true"
    try:
        return kinds[0](text)
    except ValueError:
        wanted = {int: "a whole number", float: "a number"}.get(kinds[0], kinds[0].__name__)
        raise ConfigError(f"{option.name} of {name} must be {wanted}, got {text!r}") from None
