"""`parlour bench --search`: how fast and how strong `mcts` is, by game and by iterations."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from parlour.agents.mcts import Mcts
from parlour.envs.core.batch import batch as make_batch
from parlour.training.arena import arena
from parlour.training.bench import Slice, Speed, compare

GAMES = {100: 200, 1_000: 100, 10_000: 20}
"""How many games are played by iterations: what takes longer is played less often."""
MIRRORED = "patchwork"
"""The game in which search is known by its score against itself."""
MIRRORS = {"random playouts": "prior=false", "to win": "prior=true", "for points": "points=true"}
"""What plays itself: the option of `mcts` that makes it so."""
KINDS = {"random playouts": False, "guided": True}
"""The kinds of search, and whether `greedy` guides them."""


@dataclass(frozen=True)
class Strength:
    """The win rate against an opponent, with an interval of 95 %, and the mean scores of both."""

    game: str
    iterations: int
    opponent: str
    games: int
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    mean_score: float
    mean_score_opponent: float


@dataclass(frozen=True)
class Mirror:
    """The mean score of a search that plays against itself."""

    game: str
    kind: str
    iterations: int
    games: int
    mean_score: float


def searching(name: str, prior: bool, iterations: int = 200) -> Slice:
    """Searches of positions after one move, on one thread, in iterations per second of that core's time.

    After one move, because some games open with a decision that is not searched.
    """
    batch, rows = make_batch(name, 4, seed=0), np.arange(4)
    batch.step(batch.sample_legal())
    agent = Mcts(iterations, prior=prior)

    def run(seconds: float) -> float:
        threads = numba.get_num_threads()
        numba.set_num_threads(1)
        done, begin = 0, time.perf_counter()
        spent = time.process_time()
        while time.perf_counter() - begin < seconds or done == 0:
            agent.act(batch, rows)
            done += iterations * rows.size
        spent = time.process_time() - spent
        numba.set_num_threads(threads)
        return done / spent

    run(0.0)
    return run


def bench_speed(names: Iterable[str], seconds: float) -> list[Speed]:
    """Iterations per second and core, with random playouts and as guided by `greedy`."""
    contestants = {f"{name}, {kind}": searching(name, prior) for name in names for kind, prior in KINDS.items()}
    return compare(contestants, None, seconds)


def bench_strength(
    names: Iterable[str], say: Callable[[str], None] = print, games: Mapping[int, int] = GAMES
) -> list[Strength]:
    """Against `greedy` and against the next fewer iterations, in every game and with every number of them."""
    found = []
    for name in names:
        fewer: list[str] = []
        for iterations, many in games.items():
            for opponent in ["greedy", *fewer]:
                say(f"{name}, {iterations:,} iterations against {opponent}")
                result = arena(name, [f"mcts:iterations={iterations}", opponent], many, progress=True)
                own, other = result.agents
                rates = own.win_rate, own.win_rate_low, own.win_rate_high
                means = own.mean_score, other.mean_score
                found.append(Strength(name, iterations, opponent, result.games, *rates, *means))
            fewer = [f"mcts:iterations={iterations}"]
    return found


def bench_mirror(say: Callable[[str], None] = print, games: Mapping[int, int] = GAMES) -> list[Mirror]:
    """Against itself, each kind of search with every number of iterations."""
    found = []
    for kind, option in MIRRORS.items():
        for iterations, many in games.items():
            say(f"{MIRRORED}, {iterations:,} iterations, {kind}, against itself")
            result = arena(MIRRORED, [f"mcts:iterations={iterations},{option}"] * 2, many, progress=True)
            mean = sum(agent.mean_score for agent in result.agents) / 2
            found.append(Mirror(MIRRORED, kind, iterations, result.games, mean))
    return found


def bench_search(names: list[str], seconds: float, say: Callable[[str], None] = print) -> dict[str, Any]:
    """All of the above as plain values."""
    return {
        "speed": [asdict(speed) for speed in bench_speed(names, seconds)],
        "strength": [asdict(strength) for strength in bench_strength(names, say)],
        "mirror": [asdict(mirror) for mirror in bench_mirror(say)] if MIRRORED in names else [],
    }


def show_search(report: dict[str, Any], console: Console) -> None:
    """The report as tables."""
    table = Table("game", "iterations/s per core", title="mcts", title_justify="left")
    for row in report["speed"]:
        table.add_row(row["name"], f"{row['steps_per_second']:,.0f}")
    console.print(table)
    table = Table("game", "iterations", "against", "win rate", "95 %", "scores", title="Strength", title_justify="left")
    for row in report["strength"]:
        within = f"{row['win_rate_low']:.2f} to {row['win_rate_high']:.2f}"
        means = f"{row['mean_score']:.1f} : {row['mean_score_opponent']:.1f}"
        table.add_row(row["game"], f"{row['iterations']:,}", row["opponent"], f"{row['win_rate']:.2f}", within, means)
    console.print(table)
    table = Table("game", "search", "iterations", "mean score", title="mcts against itself", title_justify="left")
    for row in report["mirror"]:
        table.add_row(row["game"], row["kind"], f"{row['iterations']:,}", f"{row['mean_score']:.1f}")
    console.print(table)
