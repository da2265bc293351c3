"""`parlour train`, made from the fields of `TrainArgs`."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Annotated, Any, get_args, get_type_hints

import typer

from parlour.envs.core.errors import ConfigError, MissingExtra
from parlour.training.args import SUITS, TrainArgs


def train_command() -> Callable[..., None]:
    """The function that typer makes the command of: one parameter for each field."""

    def train(**given: Any) -> None:
        """Train a bot by self-play, and write it to a folder."""
        told = {name: value for name, value in given.items() if value is not None}
        _start(TrainArgs.of(told.pop("game"), **told))

    hints = get_type_hints(TrainArgs)
    parameters = [_parameter(each, hints[each.name]) for each in fields(TrainArgs)]
    train.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    train.__annotations__ = {each.name: each.annotation for each in parameters}
    return train


def _start(args: TrainArgs) -> None:
    try:
        from parlour.training.trainer import train
    except ModuleNotFoundError as missing:
        raise MissingExtra(f"training needs {missing.name}: pip install 'parlour[train]'") from None
    try:
        train(args)
    except OSError as error:
        raise ConfigError(f"training stopped: {error}; --resume goes on from the last checkpoint") from error


def _parameter(each: Field[Any], hint: Any) -> inspect.Parameter:
    """A field as a parameter: an option is None unless it is given, so that the game's own defaults count."""
    kind = next((part for part in get_args(hint) if part is not type(None)), hint)
    if each.name == "game":
        annotation: Any = Annotated[
            str, typer.Argument(metavar="GAME", help="One of the games that `parlour games` lists.")
        ]
        return inspect.Parameter(each.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation)
    told = typer.Option(help=f"{each.metadata['help']}{_choices(each)}{_usual(each)}", show_default=False)
    return inspect.Parameter(
        each.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, told]
    )


def _choices(each: Field[Any]) -> str:
    """What can be typed, where that is one of a few words."""
    return f" One of: {', '.join(each.metadata['choices'])}." if "choices" in each.metadata else ""


def _usual(each: Field[Any]) -> str:
    """The default of a field, and of the games for which it is another."""
    if each.name == "out":
        return " Default: runs/GAME."
    if each.default in (None, MISSING):
        return ""
    others = [f"{game} {suits[each.name]}" for game, suits in SUITS.items() if each.name in suits]
    return f" Default: {'; '.join([str(each.default), *others])}."
