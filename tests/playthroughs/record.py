"""Writes one seeded game of each kind as text that a reader can check against the rules.

`python -m tests.playthroughs.record` rewrites all files, with names after it only those.
"""

import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import parlour
from parlour.envs.core.batch import Batch

FOLDER = Path(__file__).parent
SEED = 2024
WIDTH = 118
ALL_UP_TO, SHOWN = 12, 6
"""So many legal actions are all told; of more, so many."""
BOARD_EVERY = 10


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def playthrough(name: str, seed: int = SEED, **config: Any) -> str:
    """One game of random play from its setup to its returns."""
    batch = parlour.batch(name, seed=seed, **config)
    lines = [*header(batch, seed), "", "Start", *told(batch.describe()), *decisions(batch)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def header(batch: Batch, seed: int) -> Iterator[str]:
    yield f"{batch.game.title} ({batch.game.id}), seed {seed}, played by sample_legal"
    for option, value in batch.game.config.items():
        yield from wrapped(f"  {option}: {plain(value)}")


def decisions(batch: Batch) -> Iterator[str]:
    """Every decision of the game, then how it ended."""
    number, rewards = 0, np.zeros((1, batch.game.players), np.float32)
    while batch.current_player[0] >= 0:
        number += 1
        action = int(batch.sample_legal()[0])
        yield ""
        yield from decision(batch, number, action)
        rewards, _, _ = batch.step([action])
        yield f"  scores: {plain(batch.scores()[0].tolist())}"
        if number % BOARD_EVERY == 0 and batch.current_player[0] >= 0:
            yield from ("", *textwrap.indent(batch.board(), "  | ", lambda _: True).splitlines())
    yield from ("", f"End, after {number} decisions", *told(batch.describe()), "")
    yield f"scores: {plain(batch.scores()[0].tolist())}"
    yield f"returns: {', '.join(f'{reward:+.4f}' for reward in rewards[0].tolist())}"


def decision(batch: Batch, number: int, action: int) -> Iterator[str]:
    """Who chooses among what, and what they choose."""
    state, legal = batch._states[0], np.flatnonzero(batch.legal[0]).tolist()
    words = [batch.game.say(state, a) for a in (legal if len(legal) <= ALL_UP_TO else legal[:SHOWN])]
    more = f"; and {len(legal) - len(words)} more" if len(words) < len(legal) else ""
    yield from wrapped(f"{number}. player_{int(batch.current_player[0])}, {len(legal)} legal: {'; '.join(words)}{more}")
    yield f"  plays: {batch.game.say(state, action)} ({action})"


def told(value: dict[str, Any], indent: str = "  ") -> Iterator[str]:
    """Named values, one to a line; seats and other tables inside one deeper."""
    for name, held in value.items():
        if isinstance(held, dict):
            yield f"{indent}{name}:"
            yield from told(held, indent + "  ")
        elif isinstance(held, list) and held and all(isinstance(item, dict) for item in held):
            for number, item in enumerate(held):
                yield f"{indent}{name} {number}:"
                yield from told(item, indent + "  ")
        else:
            yield from wrapped(f"{indent}{name}: {plain(held)}")


def plain(value: Any) -> str:
    """A value as JSON, a list of words or numbers without its quotes."""
    if isinstance(value, list) and value and all(isinstance(item, (str, int)) for item in value):
        return ", ".join(map(str, value))
    return json.dumps(value)


def wrapped(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False)


def main(names: list[str]) -> None:
    for name in names or parlour.games():
        text = playthrough(name)
        file_of(name).write_text(text)
        print(f"{file_of(name).name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main(sys.argv[1:])
