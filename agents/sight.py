"""What a network is shown: an observation and, if it is guided, what `greedy` thinks of every action."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.agents.greedy import worths
from parlour.agents.greedy.ahead import foresight
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game
from parlour.envs.core.layout import Entry, Layout
from parlour.envs.core.options import Observing
from parlour.envs.core.record import NOBODY

PROSPECT, WORTH = "prospect", "worth"
"""The entries that guidance adds to a layout."""
FAR_BEHIND = 16.0
"""An action that is worth so much less than the best one is as good as none."""
GREAT = 64.0
"""What the best action is worth at most."""


@dataclass(frozen=True)
class Sight:
    """What a player is shown."""

    observation: Observing = "observe"
    """What it sees now, or what it could "remember"."""
    guided: bool = False
    """Whether it is told what `greedy` thinks of every action, too."""
    ahead: bool = False
    """Whether `greedy` plays every kind of action on to the end before it says so; where nothing is hidden."""

    def __post_init__(self) -> None:
        if self.ahead and not self.guided:
            raise ConfigError("greedy looks ahead only to guide: set guided too")

    def check(self, game: Game) -> None:
        """Refuse a game in which `greedy` cannot look ahead, if it should."""
        if self.ahead:
            foresight(game.rules)

    def layout(self, game: Game) -> Layout:
        plain = game.layout if self.observation == "observe" else game.memory
        self.check(game)
        if not self.guided:
            return plain
        best = Entry(PROSPECT, (1,), 1.0, "what greedy thinks the best action is worth", -1.0)
        each = Entry(WORTH, (game.num_actions,), 1.0, "what greedy thinks of each action: 1 the best, 0 far behind")
        return Layout((*plain.entries, best, each))

    def of(
        self, batch: Batch, rows: NDArray[np.int64] | None = None, seats: NDArray[np.int64] | None = None
    ) -> NDArray[np.float32]:
        """float32 [R, D]: what these seats see; those to move, if none are given. Only they are guided."""
        plain: NDArray[np.float32] = getattr(batch, self.observation)(seats, rows)
        return np.concatenate([plain, guidance(batch, rows, ahead=self.ahead)], axis=1) if self.guided else plain


PLAIN = Sight()
"""What a player sees now and nothing else."""


def guidance(batch: Batch, rows: NDArray[np.int64] | None = None, *, ahead: bool = False) -> NDArray[np.float32]:
    """float32 [R, 1 + A]: what the best action is worth, and how near each comes to it; 0 where a game is over."""
    players = batch.current_player if rows is None else batch.current_player[rows]
    out = np.zeros((players.size, 1 + batch.game.num_actions), np.float32)
    playing = np.flatnonzero(players != NOBODY)
    found = worths(batch, playing if rows is None else rows[playing], ahead=ahead)
    best = found.max(axis=1, keepdims=True, initial=-np.inf)
    out[playing, :1] = np.clip(best / GREAT, -1, 1)
    out[playing, 1:] = np.clip(1 - (best - found) / FAR_BEHIND, 0, 1)
    return out
