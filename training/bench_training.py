"""`parlour bench --training`: how much of the time of a MaskablePPO learner the games take.

The same learner plays a game with opponents, and an environment that costs nothing. They take turns of one rollout and
update each, because machines are noisy, and what counts is the median over the turns.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from sb3_contrib import MaskablePPO

from parlour.training.buffer import PackedMaskableRolloutBuffer
from parlour.training.selfplay import SelfPlayVecEnv, Step

NUM_ENVS, STEPS = 256, 16
LEARNERS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "big batches": {"batch_size": 2048, "n_epochs": 4},
}
"""MaskablePPO's own net and batch; and batches as they suit so many games, which leave less time to hide in."""
OPPONENTS = ("random", "greedy")


@dataclass(frozen=True)
class Share:
    """What the games cost a learner."""

    game: str
    actions: int
    learner: str
    opponents: str
    steps_per_second: float
    free_steps_per_second: float
    """Of the same learner on an environment that costs nothing."""
    slower: float
    """The share of the wall time that the free learner saves, by the median of the ratios in a turn."""
    share: float
    """The share of the wall time that was spent inside the environment, by the clock."""


class Timed(SelfPlayVecEnv):
    """Knows how many seconds were spent in it."""

    spent = 0.0

    def step_wait(self) -> Step:
        begin = time.perf_counter()
        told = super().step_wait()
        self.spent += time.perf_counter() - begin
        return told

    def env_method(self, *args: Any, **kwargs: Any) -> Any:
        begin = time.perf_counter()
        told = np.stack(super().env_method(*args, **kwargs))
        self.spent += time.perf_counter() - begin
        return told


class Free(SelfPlayVecEnv):
    """Costs nothing: always the same sight, and games never end."""

    def reset(self) -> NDArray[np.float32]:
        self._seen = super().reset()
        self._masks = self.action_masks()
        self._nothing = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, bool)
        self._infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self._seen

    def step_wait(self) -> Step:
        return self._seen, *self._nothing, self._infos

    def env_method(self, *_: Any, **__: Any) -> Any:
        return [self._masks]


@dataclass
class Contestant:
    """A learner on one environment, and how its turns went."""

    env: SelfPlayVecEnv
    options: dict[str, Any]
    rates: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        packed: dict[str, Any] = {"n_steps": STEPS, "rollout_buffer_class": PackedMaskableRolloutBuffer}
        self._model = MaskablePPO("MlpPolicy", self.env, device="cpu", seed=0, **packed, **self.options)
        self.turn()
        self.rates.clear()
        self.shares.clear()

    def turn(self) -> None:
        """One rollout and its update."""
        inside, begin = getattr(self.env, "spent", 0.0), time.perf_counter()
        self._model.learn(STEPS * NUM_ENVS, reset_num_timesteps=False)
        seconds = time.perf_counter() - begin
        self.rates.append(STEPS * NUM_ENVS / seconds)
        self.shares.append((getattr(self.env, "spent", 0.0) - inside) / seconds)


def measure(game: str, learner: str, seconds: float) -> list[Share]:
    """One game with all opponents, for about so many seconds each."""
    options = LEARNERS[learner]
    free = Contestant(Free(game, NUM_ENVS, seed=0), options)
    others = {name: Contestant(Timed(game, NUM_ENVS, name, seed=0), options) for name in OPPONENTS}
    begin = time.perf_counter()
    while len(free.rates) < 3 or time.perf_counter() - begin < seconds * (1 + len(others)):
        for contestant in (free, *others.values()):
            contestant.turn()
    return [
        Share(
            game,
            contestant.env.game.num_actions,
            learner,
            name,
            statistics.median(contestant.rates),
            statistics.median(free.rates),
            1.0 - statistics.median(np.divide(contestant.rates, free.rates)),
            statistics.median(contestant.shares),
        )
        for name, contestant in others.items()
    ]


def bench_training(names: Iterable[str], seconds: float = 5.0, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Every game with every learner and opponent, as plain values."""
    found = []
    for name in names:
        for learner in LEARNERS:
            say(f"{name}, MaskablePPO {learner}")
            found += measure(name, learner, seconds)
    return {"num_envs": NUM_ENVS, "training": [asdict(share) for share in found]}


def show_training(report: dict[str, Any], console: Console) -> None:
    """The report as a table."""
    table = Table(title=f"MaskablePPO, {report['num_envs']} games at once", title_justify="left")
    for column in (
        "game",
        "actions",
        "learner",
        "opponents",
        "steps/s",
        "steps/s, free env",
        "slower by",
        "inside env",
    ):
        table.add_column(column, justify="left" if column in ("game", "learner", "opponents") else "right")
    for row in report["training"]:
        rates = (f"{row[key]:,.0f}" for key in ("steps_per_second", "free_steps_per_second"))
        shares = (f"{row[key]:.1%}" for key in ("slower", "share"))
        table.add_row(row["game"], f"{row['actions']:,}", row["learner"], row["opponents"], *rates, *shares)
    console.print(table)
