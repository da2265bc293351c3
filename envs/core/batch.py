"""`Batch`: B games of one configuration as one array. The research door."""

import hashlib
import json
import secrets
import sys
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.envs.core.errors import ConfigError, IllegalAction, SnapshotError
from parlour.envs.core.game import Game, kernels
from parlour.envs.core.jit import alone
from parlour.envs.core.loops import (
    LINE,
    MOVERS,
    TERMINATED,
    TRUNCATED,
    draw_rows,
    following_seeds,
    sampling,
    spread_seeds,
)
from parlour.envs.core.options import read_seed
from parlour.envs.core.record import NO_ACTION, NOBODY
from parlour.envs.core.registry import make_game

OnIllegal = Literal["raise", "lose"]
PARALLEL_FROM = 1024
"""Fewer rows than this are stepped on one thread: waking the others would cost more than it saves on a busy machine,
and save little on an idle one."""
_MAGIC = b"parlour snapshot 1\n"


class Batch:
    """B games of one configuration, stepped together.

    Rows are independent: row i of a batch seeded with S plays the same game in a batch of any size.

    Args:
        game: The game, from `make_game`.
        size: How many games.
        seed: Seed of row 0; the others' follow from it. None draws one.
        autoreset: Restart a row at once when its game ends. `step` still reports the end.
        on_illegal: "raise" refuses the whole step; "lose" ends the offender's game against it.
        compiled: False runs the rules as plain Python, slowly, for debugging.
    """

    def __init__(
        self,
        game: Game,
        size: int = 1,
        seed: int | None = None,
        *,
        autoreset: bool = False,
        on_illegal: OnIllegal = "raise",
        compiled: bool = True,
    ) -> None:
        if size < 1:
            raise ConfigError(f"size must be at least 1, got {size}")
        if on_illegal not in ("raise", "lose"):
            raise ConfigError(f'on_illegal must be "raise" or "lose", got {on_illegal!r}')
        self.game, self.size, self.autoreset, self.on_illegal = game, size, autoreset, on_illegal
        self._parallel = compiled and size >= PARALLEL_FROM
        self._kernels = kernels(game.rules, parallel=self._parallel, compiled=compiled)
        self._compiled = compiled
        self._all_rows = np.arange(size)
        self._states = np.repeat(game.blank, size)
        self._masks = np.zeros((size, -(-game.num_actions // LINE) * LINE), bool)
        self._seen = np.empty((size, game.layout.size), np.float32)
        self._seen_now = False
        self._sampler = np.zeros((size, 2), np.uint64)
        self.reset(seed=entropy() if seed is None else seed)

    # --- what there is to see

    @property
    def current_player(self) -> NDArray[np.int8]:
        """int8 [B]: the seat to move, -1 where the game is over."""
        return self._states["player"].copy()

    @property
    def legal(self) -> NDArray[np.bool_]:
        """bool [B, A]: the legal actions of the player to move, all False where the game is over."""
        return _read_only(self._masks)[:, : self.game.num_actions]

    @property
    def observation(self) -> NDArray[np.float32]:
        """float32 [B, D]: what the player to move sees, zeros where the game is over."""
        if not self._seen_now:
            if sys.getrefcount(self._seen) > _OURS_ALONE:
                self._seen = np.empty_like(self._seen)
            self._run(self._kernels.observe, self._states, self._all_rows, MOVERS, self._seen)
            self._seen_now = True
        return _read_only(self._seen)

    @property
    def states(self) -> NDArray[Any]:
        """The records themselves, hidden things too: for compiled agents and searches, not to be written to."""
        return self._states

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """uint64 [B]: the seed of each row's present game; a batch of one with it plays the same game."""
        return self._states["seed"].copy()

    def observe(self, seat: ArrayLike | None = None, rows: ArrayLike | None = None) -> NDArray[np.float32]:
        """float32 [B, D]: what `seat` sees now (one seat or one per row; None: the player to move)."""
        return self._look(self._kernels.observe, self.game.layout.size, seat, rows)

    def remember(self, seat: ArrayLike | None = None, rows: ArrayLike | None = None) -> NDArray[np.float32]:
        """float32 [B, M]: the information state of `seat`, what a perfect memory of it knows."""
        return self._look(self._kernels.remember, self.game.memory.size, seat, rows)

    def reveal(self, seat: ArrayLike = 0, rows: ArrayLike | None = None) -> NDArray[np.float32]:
        """float32 [B, W]: the whole state, hidden things too, with the seats in the order of `seat`."""
        return self._look(self._kernels.reveal, self.game.whole.size, seat, rows)

    def scores(self, rows: ArrayLike | None = None) -> NDArray[np.int32]:
        """int32 [B, n]: the running scores, final where the game is over."""
        chosen = self._rows(rows)
        out = np.zeros((chosen.size, self.game.players), np.int32)
        self._run(self._kernels.scores, self._states, chosen, out)
        return out

    def describe(self, row: int = 0) -> dict[str, Any]:
        """The whole state of one game as plain named values: every zone, deck orders top first."""
        return self.game.describe(self._states[self._row(row)])

    def board(self, row: int = 0, seat: int | None = None) -> str:
        """What lies open in one game as text for a terminal; with a seat, also what that seat knows besides."""
        return self.game.show(self._states[self._row(row)], *(() if seat is None else (seat,)))

    def say(self, action: int, row: int = 0, seat: int | None = None) -> str:
        """An action in words, as it would be said in this row's state; with a seat, as much as that seat learns."""
        return self.game.say(self._states[self._row(row)], action, seat)

    # --- playing

    def reset(self, rows: ArrayLike | None = None, seed: ArrayLike | None = None) -> None:
        """Start new games.

        Args:
            rows: Which rows; None for all.
            seed: One seed, from which each row's follows by its number; or one per row; None goes on from the
                seeds the rows have.
        """
        chosen = self._rows(rows)
        seeds = self._seeds_for(chosen, seed)
        self._masks = self._own_masks(keep=chosen.size < self.size)
        self._run(self._kernels.start, self._states, chosen, seeds, self.game.blank, self._masks)
        self._seen_now = False

    def step(
        self, actions: ArrayLike, rows: ArrayLike | None = None, *, on_illegal: OnIllegal | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Play one action in each row.

        Args:
            actions: Whole numbers [B], or one per entry of `rows`. A row whose game is over takes `NO_ACTION`.
            rows: Which rows to step, each once; None for all. The others are left alone.
            on_illegal: What an illegal action does, if not what the batch was made with.

        Returns:
            rewards float32 [B, n] of every seat, terminated bool [B] and truncated bool [B], in the order of `rows`.

        Raises:
            IllegalAction: With `on_illegal="raise"`; no row has changed then.
        """
        chosen = self._rows(rows)
        played = self._actions(actions, chosen)
        rewards = np.empty((chosen.size, self.game.players), np.float32)
        ended = np.empty(chosen.size, np.int8)
        strict = (on_illegal or self.on_illegal) == "raise"
        masks = self._own_masks(keep=chosen.size < self.size)
        told = (played, self.game.blank, self.autoreset, strict, self._masks, masks, rewards, ended)
        wrong = self._run(self._kernels.step, self._states, chosen, *told)
        if wrong >= 0:
            raise IllegalAction(self._complaint(int(chosen[wrong]), int(played[wrong])))
        self._masks = masks
        self._seen_now = False
        return rewards, ended == TERMINATED, ended == TRUNCATED

    def seed_choices(self, seed: ArrayLike, rows: ArrayLike | None = None) -> None:
        """Let what is left to chance in choosing (`draw_bits`, `sample_legal`) follow from seeds of its own.

        Without this it follows from those of the games, so that the same deal played twice sees the same choices.

        Args:
            seed: One seed, from which each row's follows by its number; or one per row.
            rows: Which rows; None for all.
        """
        chosen = self._rows(rows)
        self._begin_streams(chosen, self._read_seeds(chosen, seed))

    def play_on(self, loop: Callable[..., None], rows: NDArray[np.int64], *told: Any) -> None:
        """Let a compiled loop play in these rows. It is given states, rows, masks, random streams, and what is told."""
        chosen = self._rows(rows)
        self._masks = self._own_masks(keep=True)
        loop(self._states, chosen, self._masks, self._sampler, *told)
        self._seen_now = False

    def draw_bits(self, rows: ArrayLike | None = None) -> NDArray[np.uint64]:
        """uint64 [B]: random bits from the streams of `sample_legal`, for agents that leave things to chance."""
        chosen = self._rows(rows)
        out = np.empty(chosen.size, np.uint64)
        draw_rows(chosen, self._sampler, out)
        return out

    def sample_legal(self, rows: ArrayLike | None = None) -> NDArray[np.int64]:
        """int64 [B]: uniform legal actions from a seeded stream of their own, `NO_ACTION` where the game is over."""
        chosen = self._rows(rows)
        out = np.empty(chosen.size, np.int64)
        self._run(sampling(parallel=self._parallel), self._masks.view(np.uint64), chosen, self._sampler, out)
        return out

    # --- snapshots

    def copy(self, rows: ArrayLike | None = None) -> "Batch":
        """The same games, going on independently: all, or just these rows (which may repeat)."""
        chosen = self._all_rows if rows is None else self._indices(rows)
        twin = object.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin.size = chosen.size
        twin._parallel = self._compiled and chosen.size >= PARALLEL_FROM
        twin._kernels = kernels(self.game.rules, parallel=twin._parallel, compiled=self._compiled)
        twin._all_rows = np.arange(chosen.size)
        twin._states, twin._masks, twin._sampler = self._states[chosen], self._masks[chosen], self._sampler[chosen]
        twin._seen = np.empty((chosen.size, self.game.layout.size), np.float32)
        twin._seen_now = False
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> "Batch":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Batch.from_bytes, (self.to_bytes(), self.game)

    def to_bytes(self) -> bytes:
        """The games as bytes: everything that `from_bytes` needs to go on identically."""
        head = {
            "game": self.game.name,
            "version": self.game.version,
            "config": dict(self.game.config),
            "size": self.size,
            "autoreset": self.autoreset,
            "on_illegal": self.on_illegal,
            "compiled": self._compiled,
        }
        content = json.dumps(head).encode() + b"\n" + self._states.tobytes() + self._sampler.tobytes()
        return _MAGIC + hashlib.sha256(content).digest() + content

    @staticmethod
    def from_bytes(data: bytes, game: Game | None = None) -> "Batch":
        """The batch that `to_bytes` described.

        Args:
            data: The bytes.
            game: The game they must be of; None takes the one they name.

        Raises:
            SnapshotError: If they are damaged, cut short, or of another game, configuration or version.
        """
        head, content = _opened(data)
        game = _game_of(head, game)
        size, per_game = head["size"], game.rules.record.dtype.itemsize + 2 * np.dtype(np.uint64).itemsize
        if size < 1 or len(content) != size * per_game:
            raise SnapshotError(f"{size} games of {game.name} have another length than {len(content)} bytes")
        try:
            batch = Batch(game, size, 0, **{key: head[key] for key in ("autoreset", "on_illegal", "compiled")})
        except ConfigError as error:
            raise SnapshotError(f"this snapshot is of no batch that can be made: {error}") from error
        batch._states = np.frombuffer(content, game.rules.record.dtype, size).copy()
        batch._sampler = np.frombuffer(content, np.uint64, 2 * size, batch._states.nbytes).reshape(size, 2).copy()
        game.rules.record.refuse_impossible(batch._states)
        game.rules.record.refuse_foreign(batch._states, game.blank)
        batch._kernels.masks(batch._states, batch._all_rows, batch._masks)
        return batch

    def determinize(
        self, seat: ArrayLike | None = None, rows: ArrayLike | None = None, seed: int | None = None
    ) -> "Batch":
        """A batch of the same games with all that `seat` cannot know dealt anew.

        Args:
            seat: One seat, one per row, or None for the player to move.
            rows: Which rows, possibly repeated; None for all.
            seed: Seed of the new deals, none of which depends on the true one. None draws one.
        """
        chosen = self._all_rows if rows is None else self._indices(rows)
        seats = self._seats(seat, chosen)
        if (seats == NOBODY).any():
            raise ConfigError("a finished game has no player to move: name the seat to determinize for")
        twin = self.copy(chosen)
        seeds = self._spread(entropy() if seed is None else seed, twin._all_rows)
        twin._kernels.determinize(twin._states, seats, seeds)
        twin._kernels.masks(twin._states, twin._all_rows, twin._masks)
        twin._sampler[:, 0] = following_seeds(seeds)
        return twin

    # --- reading arguments

    def _look(self, kernel: Any, width: int, seat: ArrayLike | None, rows: ArrayLike | None) -> NDArray[np.float32]:
        chosen = self._all_rows if rows is None else self._indices(rows)
        out = np.empty((chosen.size, width), np.float32)
        self._run(kernel, self._states, chosen, MOVERS if seat is None else self._seats(seat, chosen), out)
        return out

    def _row(self, row: int) -> int:
        return int(self._indices([row])[0])

    def _indices(self, rows: ArrayLike) -> NDArray[np.int64]:
        chosen = np.atleast_1d(np.asarray(rows))
        if chosen.dtype == bool and chosen.shape == (self.size,):
            chosen = np.flatnonzero(chosen)
        chosen = _whole(chosen, "rows").astype(np.int64)
        if chosen.ndim != 1 or (chosen.size and (chosen.min() < 0 or chosen.max() >= self.size)):
            raise ConfigError(f"rows must be a list of numbers from 0 to {self.size - 1}, got {rows!r}")
        return chosen

    def _rows(self, rows: ArrayLike | None) -> NDArray[np.int64]:
        """Rows to change: each at most once."""
        if rows is None:
            return self._all_rows
        chosen = self._indices(rows)
        if chosen.size > 1 and np.bincount(chosen).max() > 1:
            raise ConfigError("rows to step or reset must be different from each other")
        return chosen

    def _seats(self, seat: ArrayLike | None, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if seat is None:
            return self._states["player"][rows].astype(np.int64)
        seats = _whole(np.asarray(seat), "seat").astype(np.int64)
        if seats.ndim and seats.shape != rows.shape:
            raise ConfigError(f"seat must be one number or {rows.size} of them, got shape {seats.shape}")
        if seats.size and (seats.min() < NOBODY or seats.max() >= self.game.players):
            raise ConfigError(f"seat must be from 0 to {self.game.players - 1}, got {seat!r}")
        return np.full(rows.size, seats) if not seats.ndim else seats

    def _seeds_for(self, rows: NDArray[np.int64], seed: ArrayLike | None) -> NDArray[np.uint64]:
        if seed is None:
            return following_seeds(self._states["seed"][rows])
        seeds = self._read_seeds(rows, seed)
        self._begin_streams(rows, seeds)
        return seeds

    def _begin_streams(self, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        self._sampler[rows, 0] = following_seeds(seeds)
        self._sampler[rows, 1] = 0

    def _read_seeds(self, rows: NDArray[np.int64], seed: ArrayLike) -> NDArray[np.uint64]:
        listed = np.asarray(seed)
        if listed.dtype.kind not in "iu" and isinstance(seed, list | tuple):  # numpy makes floats of big and small ones
            listed = np.array([read_seed(one) for one in seed])
        given = _whole(listed, "seed")
        if given.size and given.min() < 0:
            raise ConfigError(f"seed must be from 0 to 2**64 - 1, got {given.min()}")
        seeds = given.astype(np.uint64) if given.ndim else self._spread(int(given), rows)
        if seeds.shape != rows.shape:
            raise ConfigError(f"seed must be one number or {rows.size} of them, got shape {seeds.shape}")
        return seeds

    def _spread(self, seed: int, rows: NDArray[np.int64]) -> NDArray[np.uint64]:
        seeds = np.empty(rows.size, np.uint64)
        spread_seeds(read_seed(seed), rows, seeds)
        return seeds

    def _actions(self, actions: ArrayLike, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        given = _whole(np.asarray(actions), "actions")
        if given.shape != rows.shape:
            raise ConfigError(f"actions must have shape {rows.shape}, one per row, got {given.shape}")
        as_kernels_take_them = given.dtype == np.int64 and given.flags.carray
        return given if as_kernels_take_them else given.astype(np.int64)

    def _complaint(self, row: int, action: int) -> str:
        state = self._states[row]
        return f"row {row}: " + complaint(self.game, state, self._masks[row], action)

    def _own_masks(self, keep: bool) -> NDArray[np.bool_]:
        """An array for the next masks that nobody else holds, so that what `legal` handed out never changes."""
        if sys.getrefcount(self._masks) <= _OURS_ALONE:
            return self._masks
        return self._masks.copy() if keep else np.empty_like(self._masks)

    def _run(self, loop: Callable[..., Any], table: NDArray[Any], rows: NDArray[np.int64], *told: Any) -> Any:
        """Call a loop over these rows of a table, on as many threads as they are worth."""
        if self._parallel and rows.size < PARALLEL_FROM:
            return alone(loop, table, rows, *told)
        return loop(table, rows, *told)


def complaint(game: Game, state: Any, mask: NDArray[Any], action: int) -> str:
    """Why `action` is illegal: who wanted it, what it means, what is legal."""
    if int(state.player) == NOBODY:
        return f"the game is over: its action must be NO_ACTION ({NO_ACTION}), got {action}"
    who = f"player_{int(state.player)}"
    legal = np.flatnonzero(mask)
    some = ", ".join(f'"{game.say(state, int(a))}" ({a})' for a in legal[:3])
    choices = f"{legal.size} actions are legal, e.g. {some}" if legal.size > 1 else f"only {some} is legal"
    if not 0 <= action < game.num_actions:
        return f"{who} cannot play action {action}: actions are 0 to {game.num_actions - 1}. {choices}."
    return f'{who} cannot play "{game.say(state, action)}" (action {action}): {game.why_not(state, action)}. {choices}.'


def batch(
    game: str | Game,
    size: int = 1,
    seed: int | None = None,
    *,
    autoreset: bool = False,
    on_illegal: OnIllegal = "raise",
    compiled: bool = True,
    **config: Any,
) -> Batch:
    """B games of one configuration as one array. Options of the game are keywords; see `Batch` for the rest."""
    made = make_game(game, **config) if isinstance(game, str) else game
    return Batch(made, size, seed, autoreset=autoreset, on_illegal=on_illegal, compiled=compiled)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view to hand out; the array itself is written to again only when no such view is held any more."""
    view = array.view()
    view.flags.writeable = False
    return view


class _Holder:
    """Holds an array as a batch does."""

    def __init__(self) -> None:
        self.held = np.zeros(1)

    def count(self) -> int:
        return sys.getrefcount(self.held)


_OURS_ALONE = _Holder().count()
"""What `getrefcount` says of an attribute that nothing else refers to."""


def _whole(given: NDArray[Any], what: str) -> NDArray[Any]:
    if given.size and given.dtype.kind not in "iu":
        raise ConfigError(f"{what} must be whole numbers, got {given.dtype}")
    return given


def entropy() -> int:
    return secrets.randbits(64) | 1


def _opened(data: bytes) -> tuple[dict[str, Any], bytes]:
    digest_end = len(_MAGIC) + hashlib.sha256().digest_size
    content = data[digest_end:]
    if not data.startswith(_MAGIC) or hashlib.sha256(content).digest() != data[len(_MAGIC) : digest_end]:
        raise SnapshotError("these bytes are not a whole parlour snapshot: they are damaged, cut short or foreign")
    head, _, states = content.partition(b"\n")
    try:
        told = json.loads(head)
        read = {key: told[key] for key in _HEAD}
    except (ValueError, KeyError, TypeError) as error:
        raise SnapshotError(f"this snapshot has no readable head: {error!r}") from error
    for key, kind in _HEAD.items():
        if type(read[key]) is not kind:
            raise SnapshotError(f"{key} in the head of this snapshot is {read[key]!r}")
    return read, states


_HEAD = {
    "game": str,
    "version": int,
    "config": dict,
    "size": int,
    "autoreset": bool,
    "on_illegal": str,
    "compiled": bool,
}


def _game_of(head: dict[str, Any], wanted: Game | None) -> Game:
    try:
        game = wanted or make_game(head["game"], **head["config"])
    except ConfigError as error:
        raise SnapshotError(f"this snapshot is of no game that can be made: {error}") from error
    told = (head["game"], head["version"], json.dumps(head["config"]))
    expected = (game.name, game.version, json.dumps(dict(game.config)))
    if told != expected:
        raise SnapshotError(
            f"this snapshot is of {told[0]} v{told[1]} {told[2]}, not of {expected[0]} v{expected[1]} {expected[2]}"
        )
    return game
