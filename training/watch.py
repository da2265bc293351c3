"""Stepping through a recorded game in the terminal, forwards and backwards."""

from parlour.agents.human import Terminal
from parlour.envs.core.replay import Replay

KEYS = "Enter next, b back, a number jumps there, q quits"


class Viewer:
    """A replay and the place in it that is shown: how many of its moves have been played."""

    def __init__(self, replay: Replay, terminal: Terminal) -> None:
        self._replay, self._terminal = replay, terminal
        self._game = replay.make_game()
        self._states = [batch.states[0].copy() for batch in replay.play()]
        self.place = 0

    @property
    def last(self) -> int:
        return len(self._states) - 1

    def show(self) -> None:
        """The table with what every seat knows, and the move that comes next or how it ended."""
        state = self._states[self.place]
        told = [f"\n--- {self._game.title}, {self.place} of {self.last} moves ---"]
        told.append(self._game.show(state, *range(self._game.players)))
        if self.place < self.last:
            words = self._game.say(state, self._replay.actions[self.place])
            told.append(f"\nNext, player_{int(state.player)}: {words}")
        else:
            told.append(f"\nScores: {self._replay.scores}. Returns: {self._replay.returns}.")
        self._terminal.tell("\n".join(told))

    def show_all(self) -> None:
        for place in range(self.last + 1):
            self.place = place
            self.show()

    def step_through(self) -> None:
        """Show what is asked for until the viewer quits or goes on after the end."""
        self.show()
        while (place := self._asked_place()) is not None:
            self.place = place
            self.show()

    def _asked_place(self) -> int | None:
        """Where to go next; None to end."""
        while True:
            typed = self._terminal.ask(f"{KEYS} > ", ()).strip().casefold()
            if typed in ("q", "quit"):
                return None
            if typed in ("", "n", "next"):
                return None if self.place == self.last else self.place + 1
            if typed in ("b", "back"):
                return max(0, self.place - 1)
            if typed in map(str, range(self.last + 1)):
                return int(typed)
            self._terminal.tell(f'"{typed}" is none of these: {KEYS} (0 to {self.last}).')
