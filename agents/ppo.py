"""`ppo`: a trained bot, from a folder or by the name of one that is shipped. Needs torch and nothing else."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import MissingExtra
from parlour.envs.core.game import Game

try:
    import torch

    from parlour.agents.bot import Bot, find, load_bot
    from parlour.agents.nets import BotNet, choose
    from parlour.agents.sight import PLAIN, Sight
except ModuleNotFoundError as missing:
    if missing.name != "torch":
        raise
    raise MissingExtra("trained bots need torch: pip install 'parlour[train]'") from None

_SPAN = 2.0**-53


@dataclass(frozen=True)
class NetAgent:
    """Plays what a network says."""

    net: BotNet
    sight: Sight = PLAIN
    sample: bool = False
    """Draw from the network's distribution rather than take its best action."""

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        seen = self.sight.of(batch, rows)
        with torch.inference_mode():
            logits = self.net.logits(torch.from_numpy(seen), torch.from_numpy(batch.legal[rows]))
            chance = torch.from_numpy((batch.draw_bits(rows) >> np.uint64(11)) * _SPAN) if self.sample else None
            chosen: NDArray[np.int64] = choose(logits, chance).numpy()
        return chosen


@dataclass(frozen=True)
class Ppo:
    """A trained bot: `ppo:runs/mine` is yours; one that is shipped goes by its name."""

    bot: str = ""
    """A shipped bot's name, or the folder that `parlour train --out` wrote."""
    sample: bool = False
    """Draw from its distribution rather than take its best action."""
    loaded: Bot = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "loaded", load_bot(find(self.bot)))

    def check(self, game: Game) -> None:
        self.loaded.check(game)

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return NetAgent(self.loaded.net, self.loaded.sight, self.sample).act(batch, rows)
