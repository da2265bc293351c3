"""`human`: a player at the terminal, who sees what the seat may see and chooses among the legal moves in words."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from parlour.agents.completion import read_line
from parlour.agents.menu import Menu, Move
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ParlourError
from parlour.envs.core.registry import door

COMMANDS = {
    "back": "take back the last part of a choice",
    "board": "show the table again",
    "moves": "list the moves again",
    "rules": "read the rules of the game",
    "help": "this help",
    "quit": "leave the table",
}
SHORT = {"?": "help", "q": "quit"}
YES = ("", "y", "yes")
HELP = """\
Choose by number, or type words of a move or their beginnings, such as
"buy F c4"; Tab completes them. What fits several moves leaves just these.
Nothing is played before you press Enter on the whole move; a "!" behind a
choice plays it without asking. You can also type:"""


class LeftTable(ParlourError):
    """A human player has left a game that is not over."""


@dataclass(frozen=True)
class Terminal:
    """Where a human reads and types."""

    ask: Callable[[str, Sequence[str]], str] = read_line
    """Reads a line, given a prompt and what could be typed."""
    tell: Callable[[str], None] = print


@dataclass(frozen=True)
class Human:
    """A player at the terminal."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([Turn(batch, int(row)).choose() for row in rows], np.int64)


class Turn:
    """One decision of a human player: asks until a single move is left and confirmed."""

    def __init__(self, batch: Batch, row: int = 0, terminal: Terminal | None = None) -> None:
        self._terminal = terminal or Terminal()
        self._game, self._seat = batch.game, int(batch.current_player[row])
        self._board = batch.board(row, self._seat)
        self._state = batch.states[row]
        legal = np.flatnonzero(batch.legal[row]).tolist()
        self._menu = Menu([Move(a, batch.say(a, row), self._game.choices(self._state, a)) for a in legal])

    def choose(self) -> int:
        """The action chosen.

        Raises:
            LeftTable: If the player quits instead.
            EOFError: If there is nothing more to read.
        """
        self._show_board()
        self._show_moves()
        while True:
            typed = self._terminal.ask(f"player_{self._seat}> ", [*self._menu.choices(), *COMMANDS])
            if (action := self._hear(typed.strip())) is not None:
                return action

    def _hear(self, typed: str) -> int | None:
        """Do what a line says; returns the action if it settles one."""
        command = SHORT.get(typed.casefold(), typed.casefold())
        if command in COMMANDS:
            self._obey(command)
            return None
        sure, typed = typed.endswith("!"), typed.removesuffix("!").strip()
        asked = self._menu.settled
        if typed.casefold() not in YES and (problem := self._menu.narrow(typed)):
            self._terminal.tell(problem)
            return None
        if self._menu.settled and (asked or sure):
            return self._menu.settled.action
        self._show_moves()
        return None

    def _obey(self, command: str) -> None:
        if command == "quit":
            raise LeftTable(f"player_{self._seat} has left the table")
        if command == "back":
            if not self._menu.back():
                self._terminal.tell("There is nothing to take back.")
            self._show_moves()
        elif command == "rules":
            self._terminal.tell(files(door(self._game.name).module).joinpath("RULES.md").read_text())
        else:
            {"board": self._show_board, "moves": self._show_moves, "help": self._show_help}[command]()

    def _show_board(self) -> None:
        self._terminal.tell(f"\n{self._board}\n")

    def _show_moves(self) -> None:
        if self._menu.settled:
            self._show_last(self._menu.settled)
        else:
            width = shutil.get_terminal_size().columns
            so_far = ", ".join(self._menu.chosen()) or f"You are player_{self._seat}. Your move?"
            self._terminal.tell(f"{so_far}\n{self._menu.listing(width)}")

    def _show_last(self, move: Move) -> None:
        """The move that is left, as it would lie on the table where that helps."""
        if self._game.preview and (drawn := self._game.preview(self._state, move.action)):
            self._terminal.tell(f"\n{drawn}\n")
        otherwise = "back takes it back" if self._menu.narrowed else "there is no other move"
        self._terminal.tell(f'"{move.words}": Enter plays it, {otherwise}.')

    def _show_help(self) -> None:
        self._terminal.tell("\n".join([HELP, *(f"  {name:6} {meaning}" for name, meaning in COMMANDS.items())]))
