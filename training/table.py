"""A table in the terminal: people and agents play one game, which can be kept as a replay."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parlour.agents import Agent, load
from parlour.agents.human import Human, LeftTable, Terminal
from parlour.agents.spec import split_specs
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.files import refuse_unwritable
from parlour.envs.core.game import Game
from parlour.envs.core.record import NOBODY
from parlour.envs.core.registry import make_game
from parlour.envs.core.replay import Replay

FINISHED, NO_MORE_INPUT, INTERRUPTED = 0, 1, 130
"""Exit codes; leaving the table is a way to finish."""


@dataclass(frozen=True)
class Player:
    """Who sits at a seat."""

    spec: str
    agent: Agent

    @property
    def human(self) -> bool:
        return isinstance(self.agent, Human)


def seated(specs: str, game: Game) -> list[Player]:
    """One player for each seat in order; the last spec fills the seats that are left."""
    listed = split_specs(specs)
    if len(listed) > game.players:
        raise ConfigError(f"{game.title} has {game.players} seats here, got {len(listed)} players: {', '.join(listed)}")
    listed += listed[-1:] * (game.players - len(listed))
    return [Player(spec, load(spec, game)) for spec in listed]


def read_options(given: Sequence[str]) -> dict[str, Any]:
    """Options of a game as typed: "track_length=5", values as in JSON or else plain words."""
    read: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ConfigError(f"an option is given as KEY=VALUE, such as players=2, got {text!r}")
        try:
            read[key] = json.loads(value)
        except ValueError:
            read[key] = value
    return read


class Table:
    """One game that is played in the terminal.

    Args:
        game: The game.
        players: Who sits at each seat.
        seed: Seed of the game; None draws one.
        terminal: Where to tell what happens. Human players read the standard input themselves.
    """

    def __init__(
        self, game: Game, players: Sequence[Player], seed: int | None = None, terminal: Terminal | None = None
    ) -> None:
        self.game, self.players = game, players
        self.batch = Batch(game, 1, seed)
        self.seed = int(self.batch.seeds[0])
        self.actions: list[int] = []
        self.returns = [0.0] * game.players
        self._terminal = terminal or Terminal()
        self._humans = [seat for seat, player in enumerate(players) if player.human]
        self._unheard: dict[int, list[str]] = {seat: [] for seat in self._humans}
        self._at_keyboard = self._humans[0] if self._humans else NOBODY

    def play(self) -> None:
        """Play to the end."""
        self._introduce()
        while (seat := int(self.batch.current_player[0])) != NOBODY:
            if self.players[seat].human:
                self._hand_keyboard_to(seat)
                self._tell_news(seat)
            self._move(seat)
        if self._humans:
            self._tell_news(self._at_keyboard)
        self._tell_result()

    def replay(self) -> Replay:
        """The game as far as it has been played."""
        return Replay.of(self.game, self.seed, self.actions)

    def _introduce(self) -> None:
        who = ", ".join(f"player_{seat} is {player.spec}" for seat, player in enumerate(self.players))
        self._terminal.tell(f"{self.game.title}, seed {self.seed}: {who}.")
        if self._humans:
            self._terminal.tell('Type "help" for how to choose, "quit" to leave.')

    def _move(self, seat: int) -> None:
        action = int(np.asarray(self.players[seat].agent.act(self.batch, np.zeros(1, np.int64)))[0])
        for listener in self._humans:
            if listener != seat:
                self._unheard[listener].append(self._news(seat, action, listener))
        if not self._humans:
            self._terminal.tell(self._news(seat, action, None))
        rewards, _, _ = self.batch.step([action])
        self.actions.append(action)
        self.returns = rewards[0].tolist()

    def _news(self, seat: int, action: int, listener: int | None) -> str:
        """A move in words, as much of it as the listener may know."""
        return f"player_{seat} ({self.players[seat].spec}): {self.batch.say(action, 0, listener)}"

    def _tell_news(self, listener: int) -> None:
        """What the others did since this player's last move."""
        if self._unheard[listener]:
            self._terminal.tell("\n" + "\n".join(self._unheard[listener]))
            self._unheard[listener].clear()

    def _hand_keyboard_to(self, seat: int) -> None:
        """Where people have secrets from each other, the next one sits down before the table is shown."""
        if seat != self._at_keyboard and self.game.private:
            self._terminal.ask(f"\nplayer_{seat} is to move. Press Enter when only player_{seat} is looking. ", ())
            self._terminal.tell("\n" * 100)
        self._at_keyboard = seat

    def _tell_result(self) -> None:
        scores = self.batch.scores()[0].tolist()
        lines = [f"player_{i} ({player.spec}): {scores[i]}" for i, player in enumerate(self.players)]
        self._terminal.tell("\n".join(["", self.batch.board(), "", "Final scores", *lines, told_winners(self.returns)]))


def told_winners(returns: Sequence[float]) -> str:
    """Who has won, by the returns of a finished game."""
    if len(set(returns)) == 1:
        return "Nobody wins."
    winners = [f"player_{seat}" for seat, paid in enumerate(returns) if paid == max(returns)]
    return f"{winners[0]} wins." if len(winners) == 1 else f"{' and '.join(winners)} win."


def play_game(
    name: str, specs: str, seed: int | None, save: Path | None, options: Mapping[str, Any], terminal: Terminal
) -> int:
    """Play a game in the terminal and keep or offer it as a replay; returns the exit code."""
    if save is not None:
        refuse_unwritable(save)
    game = make_game(name, **options)
    table = Table(game, seated(specs, game), seed, terminal)
    code = _played(table, terminal)
    if save is not None:
        table.replay().save(save)
        terminal.tell(f"Saved to {save}; parlour watch {save} shows it again.")
    elif code == FINISHED and any(player.human for player in table.players):
        _offer_replay(table, terminal)
    return code


def _played(table: Table, terminal: Terminal) -> int:
    try:
        table.play()
    except LeftTable as left:
        terminal.tell(f"\n{left}, after {len(table.actions)} moves.")
    except EOFError:
        terminal.tell(f"\nThere is no more input: the game ends after {len(table.actions)} moves.")
        return NO_MORE_INPUT
    except KeyboardInterrupt:
        terminal.tell(f"\nStopped after {len(table.actions)} moves.")
        return INTERRUPTED
    return FINISHED


def _offer_replay(table: Table, terminal: Terminal) -> None:
    """Ask for a file until one can be written or none is wanted."""
    usual = f"{table.game.name}-{table.seed}.json"
    question = f"\nSave the game as a replay? Type a file name, y for {usual}, or press Enter for no: "
    try:
        while (typed := terminal.ask(question, ()).strip()).casefold() not in ("", "n", "no"):
            if _saved(table, Path(usual if typed.casefold() in ("y", "yes") else typed), terminal):
                return
    except (EOFError, KeyboardInterrupt):
        terminal.tell("")


def _saved(table: Table, file: Path, terminal: Terminal) -> bool:
    """Write a new file; says so, or why not."""
    if file.exists():
        terminal.tell(f"{file} exists already.")
        return False
    try:
        table.replay().save(file)
    except OSError as refused:
        terminal.tell(f"{file} cannot be written: {refused.strerror}.")
        return False
    terminal.tell(f"Saved; parlour watch {file} shows it again.")
    return True
