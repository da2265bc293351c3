"""One learner in each game of a batch; agents play the other seats."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.envs.core.batch import Batch, OnIllegal
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game
from parlour.envs.core.loops import following_seeds
from parlour.envs.core.options import read_choice
from parlour.envs.core.record import NOBODY


class Agent(Protocol):
    """Whatever chooses actions."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        """One legal action for the player to move in each of these rows."""
        ...


Opponent = str | Agent | Callable[[Batch, NDArray[np.int64]], ArrayLike]


class Solo:
    """A batch in which every step ends at the learner's next decision.

    Opponents' moves and the learner's repeated turns happen inside. The learner's reward comes exactly once, at the end
    of the game, whoever moved last.

    Args:
        game: The game.
        size: How many games.
        opponents: Who plays the other seats: one for all, or one per seat clockwise of the learner. A name as in
            `parlour.agents.load`, an agent, or a function `(batch, rows) -> actions`.
        seat: The learner's seat; None draws it anew for every game.
        seed: Seed of the games, the seats and the random opponents.
        on_illegal: What an illegal action of the learner does.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int | None = None,
        seed: int | None = None,
        on_illegal: OnIllegal = "raise",
    ) -> None:
        if seat is not None and seat not in range(game.players):
            raise ConfigError(f"seat must be from 0 to {game.players - 1} or None, got {seat!r}")
        self.game, self.seat = game, seat
        self._opponents = _seated(opponents, game)
        self.batch = Batch(game, size, seed)
        read_choice("on_illegal", on_illegal, ("raise", "lose"))
        self.on_illegal = on_illegal
        self.seats = np.zeros(size, np.int64)
        self._start(np.arange(size))

    def reset(self, rows: ArrayLike | None = None, seed: ArrayLike | None = None) -> None:
        """Start new games and play to the learner's first decision."""
        self.batch.reset(rows, seed)
        self._start(np.arange(self.batch.size) if rows is None else np.asarray(rows))

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Play the learner's actions, then everyone else's up to its next decision.

        Returns:
            The learner's reward, terminated and truncated of each game. A finished game waits for `reset`.
        """
        rewards, terminated, truncated = self.batch.step(actions, on_illegal=self.on_illegal)
        own = rewards[np.arange(self.batch.size), self.seats]
        self._let_others_play(own, terminated, truncated)
        return own, terminated, truncated

    def _start(self, rows: NDArray[Any]) -> None:
        """Seat the learner; games that end before its first decision are begun again."""
        while rows.size:
            drawn = (following_seeds(self.batch.seeds[rows]) % np.uint64(self.game.players)).astype(np.int64)
            self.seats[rows] = drawn if self.seat is None else self.seat
            own, (terminated, truncated) = np.zeros(self.batch.size, np.float32), np.zeros((2, self.batch.size), bool)
            self._let_others_play(own, terminated, truncated)
            rows = np.flatnonzero(terminated | truncated)
            if rows.size:
                self.batch.reset(rows)

    def _let_others_play(self, own: NDArray[Any], terminated: NDArray[Any], truncated: NDArray[Any]) -> None:
        """Play until the learner is to move or the game is over, noting its reward and the end."""
        while True:
            player = self.batch.current_player
            waiting = np.flatnonzero((player != NOBODY) & (player != self.seats))
            if not waiting.size:
                return
            for opponent, rows in self._by_opponent(waiting, player):
                rewards, ended, cut = self.batch.step(opponent(self.batch, rows), rows)
                over = ended | cut
                own[rows[over]] = rewards[over, self.seats[rows[over]]]
                terminated[rows[over]], truncated[rows[over]] = ended[over], cut[over]

    def _by_opponent(self, rows: NDArray[np.int64], player: NDArray[np.int8]) -> list[tuple[Any, NDArray[np.int64]]]:
        """The rows that each opponent has to move in."""
        if len(self._opponents) == 1:
            return [(self._opponents[0], rows)]
        place = (player[rows] - self.seats[rows]) % self.game.players - 1
        return [(opponent, rows[place == k]) for k, opponent in enumerate(self._opponents) if (place == k).any()]


def _seated(opponents: Opponent | Sequence[Opponent], game: Game) -> list[Callable[..., ArrayLike]]:
    """One opponent for all seats, or one per seat clockwise of the learner."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        return [_chooser(opponents, game)]
    if len(opponents) != game.players - 1:
        raise ConfigError(f"opponents must be one agent or {game.players - 1} of them, got {len(opponents)}")
    return [_chooser(opponent, game) for opponent in opponents]


def _chooser(opponent: Opponent, game: Game) -> Callable[..., ArrayLike]:
    if isinstance(opponent, str):
        from parlour.agents import load

        opponent = load(opponent, game)
    choose = getattr(opponent, "act", opponent)
    if not callable(choose):
        raise ConfigError(f"an opponent is a name, an agent or a function (batch, rows) -> actions, got {opponent!r}")
    return choose
