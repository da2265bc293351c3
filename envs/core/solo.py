"""One learner in each game of a batch; agents play the other seats."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.envs.core.batch import Batch, OnIllegal
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game, playing
from parlour.envs.core.loops import RUNNING, TERMINATED, TRUNCATED, following_seeds
from parlour.envs.core.options import Observing, read_choice
from parlour.envs.core.record import NOBODY

PLAY_TOGETHER_FROM = 1024
"""Fewer rows than this are played on one thread: a learner needs the others more than a short loop does."""


class Agent(Protocol):
    """Whatever chooses actions."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> ArrayLike:
        """One legal action for the player to move in each of these rows."""
        ...


Chooser = Callable[[Batch, NDArray[np.int64]], ArrayLike]
Opponent = str | Agent | Chooser
Mover = Callable[..., None]
"""Plays for one opponent: `move(number, rows, own, ended)`."""


@runtime_checkable
class Lineup(Protocol):
    """Who sits down at each new game: members are told apart by numbers that are never given twice."""

    def draw(self, bits: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of a member for each of these random bits, in their shape."""
        ...

    def member(self, number: int) -> Opponent:
        """Who has this number."""
        ...

    def note(self, numbers: NDArray[np.int64], rewards: NDArray[np.float32]) -> None:
        """Games are over: the members that sat at each [R, k], and what the learner got [R]."""
        ...


Opponents = Opponent | Sequence[Opponent] | Lineup


class Solo:
    """A batch in which every step ends at the learner's next decision.

    Opponents' moves and the learner's repeated turns happen inside. The learner's reward comes exactly once, at the end
    of the game, whoever moved last.

    Args:
        game: The game.
        size: How many games.
        opponents: Who plays the other seats: one for all; one per other seat clockwise of the learner; or a line-up
            (such as `parlour.training.Pool`), which draws them anew for every game. An opponent is a name as in
            `parlour.agents.load`, an agent, or a function `(batch, rows) -> actions`.
        seat: The learner's seat; None draws it anew for every game.
        seed: Seed of the games, the seats and the random opponents.
        on_illegal: What an illegal action of the learner does.
        whole_clan: In a team game, the learner plays all seats of its clan and sees what the seat to move sees.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        opponents: Opponents = "random",
        seat: int | None = None,
        seed: int | None = None,
        on_illegal: OnIllegal = "raise",
        whole_clan: bool = False,
    ) -> None:
        if seat is not None and seat not in range(game.players):
            raise ConfigError(f"seat must be from 0 to {game.players - 1} or None, got {seat!r}")
        self.game, self.seat = game, seat
        self._every = game.teams if whole_clan else game.players
        self._places = [place for place in range(1, game.players) if place % self._every]
        self.batch = Batch(game, size, seed)
        read_choice("on_illegal", on_illegal, ("raise", "lose"))
        self.on_illegal = on_illegal
        self.seats = np.zeros(size, np.int64)
        self._numbers = np.zeros((size, game.players), np.int64)
        self._invite(opponents)
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
        ended = np.where(terminated, np.int8(TERMINATED), np.int8(TRUNCATED) * truncated)
        self._let_others_play(own, ended)
        self._note(np.flatnonzero(ended), own)
        return own, ended == TERMINATED, ended == TRUNCATED

    def look(self, rows: NDArray[np.int64] | None = None, observation: Observing = "observe") -> NDArray[np.float32]:
        """float32 [R, D]: what the learner sees."""
        seen: NDArray[np.float32] = getattr(self.batch, observation)(self.observers(rows), rows)
        return seen

    def observers(self, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """int64 [R]: from where the learner looks: the seat to move, and its own when the game is over."""
        player, own = self.batch.current_player.astype(np.int64), self.seats
        if rows is not None:
            player, own = player[rows], own[rows]
        return np.where(player == NOBODY, own, player)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The games and who sits at them, as arrays that `restore` takes."""
        games = np.frombuffer(self.batch.to_bytes(), np.uint8)
        return {"games": games, "seats": self.seats.copy(), "numbers": self._numbers.copy()}

    def restore(self, told: Mapping[str, NDArray[Any]]) -> None:
        """Go on with the games of a `snapshot`, identically if the opponents are the same."""
        self.batch = Batch.from_bytes(told["games"].tobytes(), self.game)
        self.seats[:], self._numbers[:] = told["seats"], told["numbers"]
        if self._lineup is not None:
            self._know_the_seated(self._lineup)

    def _start(self, rows: NDArray[Any]) -> None:
        """Seat everyone; games that end before the learner's first decision are begun again."""
        while rows.size:
            drawn = (following_seeds(self.batch.seeds[rows]) % np.uint64(self.game.players)).astype(np.int64)
            self.seats[rows] = drawn if self.seat is None else self.seat
            self._seat_others(rows)
            ended = np.full(self.batch.size, RUNNING, np.int8)
            self._let_others_play(np.zeros(self.batch.size, np.float32), ended)
            rows = np.flatnonzero(ended)
            if rows.size:
                self.batch.reset(rows)

    def _invite(self, opponents: Opponents) -> None:
        """Know who may play the other seats."""
        self._lineup = opponents if isinstance(opponents, Lineup) else None
        listed = () if isinstance(opponents, Lineup) else _listed(opponents, len(self._places))
        self._movers = {number: self._mover(opponent) for number, opponent in enumerate(listed)}
        if len(listed) > 1:
            self._numbers[:, self._places] = np.arange(len(listed))

    def _seat_others(self, rows: NDArray[Any]) -> None:
        """Draw who plays the other seats, and keep whoever still sits at some table."""
        if self._lineup is None:
            return
        bits = np.stack([self.batch.draw_bits(rows) for _ in self._places], axis=1)
        self._numbers[rows[:, None], self._places] = self._lineup.draw(bits)
        self._know_the_seated(self._lineup)

    def _know_the_seated(self, lineup: Lineup) -> None:
        seated, known = np.unique(self._numbers[:, self._places]).tolist(), self._movers
        self._movers = {n: known.get(n) or self._mover(lineup.member(n)) for n in seated}

    def _note(self, over: NDArray[np.int64], own: NDArray[np.float32]) -> None:
        if self._lineup is not None and over.size:
            self._lineup.note(self._numbers[over[:, None], self._places], own[over])

    def _let_others_play(self, own: NDArray[np.float32], ended: NDArray[np.int8]) -> None:
        """Play until the learner is to move or the game is over, noting its reward and the end."""
        while True:
            player = self.batch.current_player
            place = (player - self.seats) % self.game.players
            waiting = np.flatnonzero((player != NOBODY) & (place % self._every != 0))
            if not waiting.size:
                return
            for number, rows in self._by_opponent(waiting, place[waiting]):
                self._movers[number](number, rows, own, ended)

    def _by_opponent(self, rows: NDArray[np.int64], place: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64]]]:
        """The rows that each opponent has to move in."""
        if len(self._movers) == 1:
            return [(number, rows) for number in self._movers]
        mover = self._numbers[rows, place]
        return [(number, rows[mover == number]) for number in np.unique(mover).tolist()]

    def _mover(self, opponent: Opponent) -> Mover:
        """How an opponent plays: compiled where it can be, else one move at a time."""
        if isinstance(opponent, str):
            from parlour.agents import load

            opponent = load(opponent, self.game)
        if hasattr(opponent, "picker"):
            return partial(self._play_on, opponent.picker(self.game))
        choose = getattr(opponent, "act", opponent)
        if not callable(choose):
            raise ConfigError(
                f"an opponent is a name, an agent or a function (batch, rows) -> actions, got {opponent!r}"
            )
        return partial(self._move, choose)

    def _play_on(
        self, pick: Callable[..., int], number: int, rows: NDArray[np.int64], own: NDArray[Any], ended: NDArray[Any]
    ) -> None:
        loop = playing(self.game.rules, pick, rows.size >= PLAY_TOGETHER_FROM)
        told = (self.game.num_actions, self.seats, self._every, self._numbers, number, own, ended)
        self.batch.play_on(loop, rows, *told)

    def _move(self, choose: Chooser, _: int, rows: NDArray[np.int64], own: NDArray[Any], ended: NDArray[Any]) -> None:
        rewards, terminated, truncated = self.batch.step(choose(self.batch, rows), rows)
        over = terminated | truncated
        own[rows[over]] = rewards[over, self.seats[rows[over]]]
        ended[rows[over]] = np.where(terminated[over], TERMINATED, TRUNCATED)


def _listed(opponents: Opponent | Sequence[Opponent], places: int) -> Sequence[Opponent]:
    """One opponent for all seats, or one per seat clockwise of the learner."""
    if isinstance(opponents, str) or not isinstance(opponents, Sequence):
        return (opponents,)
    if len(opponents) != places:
        raise ConfigError(f"opponents must be one agent or {places} of them, got {len(opponents)}")
    return opponents
