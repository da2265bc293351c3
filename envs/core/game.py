"""`Game`: the bundle a game exports. Everything else in Parlour is a view of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from numpy.typing import NDArray

from parlour.envs.core.jit import bind
from parlour.envs.core.layout import Actions, Layout
from parlour.envs.core.loops import Kernels, play_rows
from parlour.envs.core.record import Numbers, Record, State


@dataclass(frozen=True, eq=False)
class Rules:
    """The scalar functions of a game, compiled once for all its configurations."""

    owner: str
    """The name under which the compiled loops are cached."""
    record: Record
    setup: Callable[[State], None]
    """Lays out a new game; all chance from the rng inside the record."""
    legal: Callable[[State, Numbers], None]
    """Writes the legal-action mask of the player to move."""
    apply: Callable[[State, int], None]
    """Plays one legal action, and everything the rules then do by themselves."""
    observe: Callable[[State, int, Numbers], int]
    """Writes what a seat sees now; returns how many numbers it wrote."""
    remember: Callable[[State, int, Numbers], int]
    """Writes what a perfect memory of a seat knows."""
    reveal: Callable[[State, int, Numbers], int]
    """Writes the whole state, hidden things too, in the order of seats of this seat."""
    redeal: Callable[[State, int], None]
    """Redeals all that a seat cannot know, consistently with all that it does."""
    scores: Callable[[State, Numbers], None]
    """Writes the running scores, final when the game is over."""
    returns: Callable[[State, Numbers], None]
    """Writes every seat's reward for a game that is over."""

    def functions(self) -> dict[str, Callable[..., Any]]:
        roles = ("setup", "legal", "apply", "observe", "remember", "reveal", "redeal", "scores", "returns")
        return {role: getattr(self, role) for role in roles}


def kernels(rules: Rules, *, parallel: bool, compiled: bool = True) -> Kernels:
    """The batch loops of these rules; the same object for the same arguments."""
    return _kernels(rules, parallel, compiled)


@cache
def _kernels(rules: Rules, parallel: bool, compiled: bool) -> Kernels:
    return Kernels(rules.owner, rules.functions(), parallel=parallel, compiled=compiled)


@cache
def playing(rules: Rules, pick: Callable[..., int], parallel: bool) -> Callable[..., None]:
    """`play_rows` with a player whose choices are compiled: `pick(states, row, masks, actions, sampler)`."""
    functions = rules.functions() | {"pick": pick}
    tag = f"-{pick.__module__}-{pick.__name__}".replace(".", "-")
    return bind(play_rows, rules.owner + tag, functions, parallel=parallel)


@dataclass(frozen=True, eq=False)
class Game:
    """One game in one configuration: sizes, layouts, rules and words."""

    name: str
    """The id, as in `parlour.batch(name)`."""
    title: str
    version: int
    """Raised only when learning results could change."""
    config: Mapping[str, Any]
    """Every option with its value; `make_game(name, **config)` gives this game again."""
    players: int
    teams: int
    """Number of sides; the side of a seat is seat mod teams."""
    rules: Rules
    blank: NDArray[Any]
    """One record with the configuration written, ready for `setup`."""
    actions: Actions
    layout: Layout
    """What `observe` writes."""
    memory: Layout
    """What `remember` writes."""
    whole: Layout
    """What `reveal` writes."""
    action_text: Callable[[int], str]
    """An action in words."""
    describe: Callable[[State], dict[str, Any]]
    """The whole state as plain named values."""
    board: Callable[[State], str]
    """What lies open to everyone, as text for a terminal."""
    why_not: Callable[[State, int], str]
    """Why the player to move cannot play this action, in words."""
    components: Callable[[State], Mapping[str, int]]
    """How many pieces of each kind are in the game, wherever they lie: the same in every state of a game."""

    action_text_now: Callable[[State, int], str] | None = None
    """An action in words where the state says more than the id alone."""
    overheard: Callable[[State, int], str] | None = None
    """An action in words as the other players learn of it, where they do not see all of it."""
    private: Callable[[State, int], list[str]] | None = None
    """What a seat knows and the board does not show, as lines of text."""
    parts: Callable[[State, int], tuple[str, ...]] | None = None
    """An action as choices to be made one after the other, where there are too many actions for one list."""
    preview: Callable[[State, int], str] | None = None
    """What an action of the player to move would lay on the table, drawn as text; empty if nothing."""

    def say(self, state: State, action: int, seat: int | None = None) -> str:
        """An action in words, as it would be said in this state; with a seat, as much of it as that seat learns."""
        if self.overheard and seat is not None and seat != int(state.player):
            return self.overheard(state, action)
        return self.action_text_now(state, action) if self.action_text_now else self.action_text(action)

    def show(self, state: State, *seats: int) -> str:
        """The board, and below it what these seats know besides, each thing once."""
        told = [line for seat in seats for line in self.private(state, seat)] if self.private else []
        return "\n".join([self.board(state), *dict.fromkeys(told)])

    def choices(self, state: State, action: int) -> tuple[str, ...]:
        """An action as choices to be made one after the other; most have but one."""
        return self.parts(state, action) if self.parts else (self.say(state, action),)

    @property
    def id(self) -> str:
        """The versioned name, as in `parlour.envs.patchwork_v0`."""
        return f"{self.name}_v{self.version}"

    @property
    def num_actions(self) -> int:
        return self.actions.size

    def __repr__(self) -> str:
        return f"Game({self.name!r}, {', '.join(f'{k}={v!r}' for k, v in self.config.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        from parlour.envs.core.registry import make_game

        return _again, (make_game, self.name, dict(self.config))


def _again(make: Callable[..., Game], name: str, config: dict[str, Any]) -> Game:
    return make(name, **config)
