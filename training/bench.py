"""`parlour bench`: how fast the games are, beside peers where they are installed.

Machines are noisy, so contestants take turns in short slices and what counts is their ratio within a turn.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from random import random
from typing import Any

import numba
import numpy as np

from parlour.envs.core.aec import env as make_env
from parlour.envs.core.batch import PARALLEL_FROM
from parlour.envs.core.batch import batch as make_batch
from parlour.envs.core.errors import MissingExtra
from parlour.envs.core.registry import games

Slice = Callable[[float], float]
"""Runs for about so many seconds and returns steps per second."""

PGX = "pgx connect_four"
PETTINGZOO = "pettingzoo connect_four_v3"


@dataclass(frozen=True)
class Speed:
    """Steps per second of one contestant: the median of its slices, and of its ratios to the peer."""

    name: str
    steps_per_second: float
    ratio: float | None
    """How many times the peer's speed in the same turn; None without a peer."""


@dataclass(frozen=True)
class Start:
    """Seconds from a new process' import of parlour to the first step of a game."""

    game: str
    cold: float
    """With nothing compiled."""
    warm: float
    """With everything in the cache."""


def batched_play(name: str, size: int = 4096, threads: int | None = None) -> Slice:
    """Uniform play of a batch: sample, step, masks and observations, games restarting as they end."""
    batch = make_batch(name, size, seed=0, autoreset=True)

    def run(seconds: float) -> float:
        numba.set_num_threads(threads or numba.config.NUMBA_NUM_THREADS)
        steps, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            batch.step(batch.sample_legal())
            assert batch.observation.shape[0] == size
            steps += size
        return steps / spent

    run(0.0)
    return run


def pgx_play(size: int = 4096) -> Slice:
    """The same in Pgx, whose masks and observations are part of its state."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    game = pgx.make("connect_four")
    begin_all, step_all = jax.jit(jax.vmap(game.init)), jax.jit(jax.vmap(auto_reset(game.step, game.init)))

    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9), axis=-1))
    key = jax.random.PRNGKey(0)
    state = begin_all(jax.random.split(key, size))

    def run(seconds: float) -> float:
        nonlocal state, key
        steps, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            key, choosing, stepping = jax.random.split(key, 3)
            state = step_all(state, choose(choosing, state.legal_action_mask), jax.random.split(stepping, size))
            state.observation.block_until_ready()
            steps += size
        return steps / spent

    run(0.5)
    return run


def aec_play(environment: Any) -> Slice:
    """The PettingZoo loop: last, a random legal action, step.

    The action is drawn in the cheapest way, the same for all: `Discrete.sample(mask)` alone takes longer than a whole
    step of ours, and would measure itself.
    """

    def choose(mask: Any) -> int:
        legal = mask.view(bool).nonzero()[0]
        return int(legal[int(random() * len(legal))])

    def run(seconds: float) -> float:
        steps, begin = 0, time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            environment.reset(seed=steps)
            for _ in environment.agent_iter():
                seen, _, terminated, truncated, _ = environment.last()
                over = terminated or truncated
                environment.step(None if over else choose(seen["action_mask"]))
                steps += not over
        return steps / spent

    run(0.1)
    return run


def compare(contestants: dict[str, Slice], peer: str | None, seconds: float, turns: int = 5) -> list[Speed]:
    """Let the contestants take turns."""
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(turns):
        for name, run in contestants.items():
            rates[name].append(run(seconds / turns))
    against = rates.get(peer) if peer else None
    return [
        Speed(name, statistics.median(own), statistics.median(np.divide(own, against)) if against else None)
        for name, own in rates.items()
    ]


def bench_batches(names: Iterable[str], seconds: float) -> list[Speed]:
    """Batched play of every game, and of Pgx's connect_four where it is installed."""
    contestants = {name: batched_play(name) for name in names}
    if find_spec("pgx") and find_spec("jax"):
        contestants[PGX] = pgx_play()
    return compare(contestants, PGX if PGX in contestants else None, seconds)


def bench_scaling(name: str, seconds: float) -> list[Speed]:
    """One game at several batch sizes, on one thread and on all, against itself at 4,096 on one."""
    usual = f"{name}, batch 4096, one thread"
    contestants = {}
    for size in (256, 4096, 65536):
        contestants[f"{name}, batch {size}, one thread"] = batched_play(name, size, threads=1)
        if size >= PARALLEL_FROM:
            contestants[f"{name}, batch {size}"] = batched_play(name, size)
    return compare(contestants, usual, seconds)


def bench_aec(names: Iterable[str], seconds: float) -> list[Speed]:
    """The AEC loop of every game, and of PettingZoo's connect_four_v3 where it can be imported."""
    contestants = {name: aec_play(make_env(name)) for name in names}
    if find_spec("pygame"):
        from pettingzoo.classic import connect_four_v3

        contestants[PETTINGZOO] = aec_play(connect_four_v3.env())
    return compare(contestants, PETTINGZOO if PETTINGZOO in contestants else None, seconds)


_FIRST_STEP = """
import sys, time
begin = time.perf_counter()
import parlour
env = parlour.envs.core.aec.env(sys.argv[1])
env.reset(seed=0)
seen, *_ = env.last()
env.step(int(seen["action_mask"].argmax()))
print(time.perf_counter() - begin)
"""


def bench_start(names: Iterable[str]) -> list[Start]:
    """Cold and warm first steps, each in a process of its own."""
    found = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            cold, warm = (_first_step(name, folder) for _ in range(2))
        found.append(Start(name, cold, warm))
    return found


def _first_step(name: str, cache: str) -> float:
    source = _FIRST_STEP.replace("import parlour\n", "import parlour, parlour.envs.core.aec\n")
    done = subprocess.run(
        [sys.executable, "-c", source, name],
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def bench(names: list[str] | None = None, seconds: float = 5.0) -> dict[str, Any]:
    """All of the above as plain values."""
    names = names or games()
    report: dict[str, Any] = {
        "threads": numba.config.NUMBA_NUM_THREADS,
        "batched": [asdict(speed) for speed in bench_batches(names, seconds)],
        "scaling": [asdict(speed) for name in names for speed in bench_scaling(name, seconds)],
        "aec": [asdict(speed) for speed in bench_aec(names, seconds)],
        "first_step": [asdict(start) for start in bench_start(names)],
    }
    return report


def show(report: dict[str, Any]) -> None:
    """The report as tables."""
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError as missing:
        raise MissingExtra("tables need rich: pip install 'parlour[play]'") from missing
    console = Console()
    for part, peer in (("batched", PGX), ("scaling", "itself at 4096 on one thread"), ("aec", PETTINGZOO)):
        table = Table("contestant", "steps/s", f"x {peer}", title=part, title_justify="left")
        for row in report[part]:
            ratio = "-" if row["ratio"] is None else f"{row['ratio']:.2f}"
            table.add_row(row["name"], f"{row['steps_per_second']:,.0f}", ratio)
        console.print(table)
    table = Table("game", "cold, s", "warm, s", title="first reset and step of a new process", title_justify="left")
    for row in report["first_step"]:
        table.add_row(row["game"], f"{row['cold']:.1f}", f"{row['warm']:.2f}")
    console.print(table)


def dump(report: dict[str, Any]) -> str:
    return json.dumps(report, indent=2)
