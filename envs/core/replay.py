"""Replays: a finished or unfinished game as a small JSON file, from which it is played again to the bit."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ParlourError, ReplayError
from parlour.envs.core.files import write_whole
from parlour.envs.core.game import Game
from parlour.envs.core.registry import make_game

FORMAT = "parlour replay 1"
LONGEST = 100_000
_TYPES = {"game": str, "version": int, "config": dict, "seed": int, "actions": list, "scores": list, "returns": list}


@dataclass(frozen=True)
class Replay:
    """One game: what it was, the seed of its chance, the actions in order, and how it stood after them."""

    game: str
    version: int
    config: Mapping[str, Any]
    seed: int
    actions: list[int]
    scores: list[int]
    returns: list[float]
    """Zero for all while the game is not over."""

    @classmethod
    def of(cls, game: Game, seed: int, actions: Sequence[int]) -> "Replay":
        """The replay of a game that was played with this seed; see `Batch.seeds`."""
        batch, returns = Batch(game, 1, seed), [0.0] * game.players
        for action in actions:
            rewards, _, _ = batch.step([action])
            returns = rewards[0].tolist()
        scores: list[int] = batch.scores()[0].tolist()
        return cls(game.name, game.version, dict(game.config), seed, [int(a) for a in actions], scores, returns)

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all."""
        write_whole(path, json.dumps({"format": FORMAT, **asdict(self)}, indent=1))

    @classmethod
    def load(cls, path: str | Path) -> "Replay":
        """Read a file.

        Raises:
            ReplayError: If it is no replay, or one of a game, version or configuration that this Parlour does not have.
        """
        try:
            told = json.loads(Path(path).read_text())
        except (OSError, ValueError) as error:
            raise ReplayError(f"{path} cannot be read as a replay: {error}") from error
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise ReplayError(f"{path} is not a {FORMAT!r} file")
        for key, kind in _TYPES.items():
            if type(told.get(key)) is not kind:
                raise ReplayError(f"{path}: {key} is missing or not what it should be: {told.get(key)!r}")
        replay = cls(**{key: told[key] for key in _TYPES})
        replay.make_game()
        return replay

    def make_game(self) -> Game:
        """The game in the replay's configuration, refused if it has another version by now."""
        try:
            game = make_game(self.game, **self.config)
        except ParlourError as error:
            raise ReplayError(f"this replay's game cannot be made: {error}") from error
        if game.version != self.version:
            raise ReplayError(f"this replay is of {self.game} v{self.version}; this Parlour plays v{game.version}")
        return game

    def play(self) -> Iterator[Batch]:
        """The game again: the batch before the first action and after each one, always the same object.

        Raises:
            ReplayError: If an action is not legal, or if the game comes out otherwise than recorded.
        """
        batch, returns = Batch(self.make_game(), 1, self.seed), [0.0] * len(self.returns)
        if len(self.actions) > LONGEST:
            raise ReplayError(f"a replay has at most {LONGEST} actions, got {len(self.actions)}")
        yield batch
        for number, action in enumerate(self.actions):
            try:
                rewards, _, _ = batch.step([action])
            except ParlourError as error:
                raise ReplayError(f"action {number} of this replay cannot be played: {error}") from error
            returns = rewards[0].tolist()
            yield batch
        if batch.scores()[0].tolist() != self.scores or returns != self.returns:
            raise ReplayError("this replay does not come out as recorded: it was changed, or made by other rules")
