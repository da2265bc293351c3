"""What the tests of the engine share: which games there are to try, and how to play and compare them."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.recfunctions import repack_fields
from numpy.typing import NDArray

from parlour.envs.core.batch import Batch
from parlour.envs.core.jit import plain
from parlour.envs.core.record import NOBODY
from parlour.envs.core.registry import door, games
from parlour.envs.core.solo import Solo

ROOT = Path(__file__).parents[3]

Config = dict[str, Any]


def configurations(name: str) -> tuple[Config, ...]:
    found: tuple[Config, ...] = import_module(door(name).module).CONFIGURATIONS
    return found


def label(name: str, config: Config) -> str:
    told = [f"{key}={value}" if key != "deck" else key for key, value in config.items()]
    return "-".join([name, *told]).replace(" ", "")


CASES = [pytest.param(name, config, id=label(name, config)) for name in games() for config in configurations(name)]
"""Every game in every configuration that its package lists."""


def play(batch: Batch, steps: int) -> Batch:
    """Some uniform steps; games that are over wait."""
    for _ in range(steps):
        batch.step(batch.sample_legal())
    return batch


def finish(batch: Batch) -> Batch:
    """Uniform play to the end of all games."""
    while (batch.current_player != NOBODY).any():
        batch.step(batch.sample_legal())
    return batch


def some_legal(batch: Batch) -> NDArray[np.int64]:
    """The first legal action of every row."""
    return batch.legal.argmax(axis=1)


def some_illegal(batch: Batch, row: int = 0) -> int:
    """An action of the game that is not legal in this row."""
    return int(np.flatnonzero(~batch.legal[row])[0])


def views(batch: Batch) -> Iterator[NDArray[Any]]:
    """All that a batch shows, one row per game."""
    yield repack_fields(batch._states)
    yield batch.legal
    yield batch.current_player
    yield batch.observation
    yield batch.scores()
    yield batch.reveal()
    for seat in range(batch.game.players):
        yield batch.observe(seat)
        yield batch.remember(seat)


def histories(batch: Batch, steps: int = 60) -> list[str]:
    """A sha256 per row of all it shows and pays over some uniform steps."""
    hashes = [hashlib.sha256() for _ in range(batch.size)]

    def note(array: NDArray[Any]) -> None:
        for row, digest in enumerate(hashes):
            digest.update(np.ascontiguousarray(array[row]).tobytes())

    for view in views(batch):
        note(view)
    for _ in range(steps):
        actions = batch.sample_legal()
        for array in (actions, *batch.step(actions), *views(batch)):
            note(array)
    return [digest.hexdigest() for digest in hashes]


def assert_same(ours: Batch, theirs: Batch) -> None:
    """Two batches show the same."""
    for one, other in zip(views(ours), views(theirs), strict=True):
        np.testing.assert_array_equal(one, other)


def python(source: str, *arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", source, *arguments],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done


def first_legal(batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """An opponent without chance."""
    return some_legal(batch)[rows]


def watch_ends(solo: Solo) -> list[tuple[int, float, int]]:
    """A list to which the row, the learner's result and its seat are added whenever a game of `solo` ends.

    Games that end before the learner's first decision do not count: it never knew of them.
    """
    ends: list[tuple[int, float, int]] = []
    step, returns = solo.step, plain(solo.game.rules.returns)

    def spy(actions: Any) -> Any:
        told = step(actions)
        for row in np.flatnonzero(solo.batch.current_player == NOBODY).tolist():
            results = np.zeros(solo.game.players, np.float32)
            returns(solo.batch.states[row], results)
            seat = int(solo.seats[row])
            ends.append((row, float(results[seat]), seat))
        return told

    solo.step = spy  # type: ignore[method-assign]
    return ends
