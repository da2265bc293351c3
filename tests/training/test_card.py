"""The page of a bot: what it plays, how it was trained, and how it fares, told from its own side."""

from dataclasses import replace
from pathlib import Path

import pytest

from parlour.agents.bot import WEIGHTS
from parlour.training.arena import AgentResult, ArenaResult, PairResult
from parlour.training.arena_report import write_json
from parlour.training.card import page
from tests.agents.test_ppo import made_bot

BEFORE = {"command": "parlour train kintsugi --minutes 9", "seconds": 540.0, "steps": 7}
RECORD = {
    "before": [BEFORE],
    "command": "parlour train kintsugi --minutes 3",
    "seconds": 180.0,
    "steps": 123_456,
    "seed": 5,
}
PAIRS = [
    PairResult("greedy", "ppo:tiny", 2_000, 0.2, 0.15, 0.3),
    PairResult("greedy", "random", 2_000, 0.99, 0.98, 1.0),
    PairResult("ppo:tiny", "random", 1_000, 0.9, 0.875, 0.95),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot that has been in the arena, as the second of three."""
    replace(made_bot(), record=RECORD).save(tmp_path / "tiny")
    agents = [AgentResult(name, 4_000, *[0.5] * 8) for name in ("greedy", "ppo:tiny", "random")]
    write_json(ArenaResult("kintsugi", {"players": 2}, 7, 2_000, agents, PAIRS), tmp_path / "tiny" / "arena.json")
    agents = [AgentResult(name, 60, *[0.5] * 8) for name in ("ppo:tiny", "mcts")]
    pairs = [PairResult("ppo:tiny", "mcts", 60, 0.4, 0.3, 0.5)]
    write_json(ArenaResult("kintsugi", {"players": 2}, 8, 60, agents, pairs), tmp_path / "tiny" / "arena_mcts.json")
    return tmp_path / "tiny"


def test_it_says_what_the_bot_is(folder: Path) -> None:
    told = page(folder)
    parameters = sum(value.numel() for value in made_bot().net.parameters())
    assert told.startswith("# ppo:tiny\n")
    assert "| plays | Kintsugi (kintsugi_v0), 2 players |" in told
    assert f"| network | mlp, hidden layers 16; {parameters:,} parameters |" in told
    assert f"| file | {(folder / WEIGHTS).stat().st_size / 1e6:.2f} MB |" in told
    assert "(curve.png)" in told


def test_it_says_how_the_bot_was_trained(folder: Path) -> None:
    told = page(folder)
    assert "| seed | 5 |" in told
    first = told.index("| trained with | `parlour train kintsugi --minutes 9` |\n| for | 9.0 minutes, 7 decisions |")
    assert told.index("| trained with | `parlour train kintsugi --minutes 3` |\n| for | 3.0 minutes, 123,456") > first


def test_win_rates_are_the_bot_s_own_wherever_it_is_named(folder: Path) -> None:
    rows = [line for line in page(folder).splitlines() if line.startswith("| `")]
    assert rows == [
        "| `greedy` | 2,000 | 0.800 | 0.700 to 0.850 |",
        "| `random` | 1,000 | 0.900 | 0.875 to 0.950 |",
        "| `mcts` | 60 | 0.400 | 0.300 to 0.500 |",
    ]


def test_it_says_how_to_play_these_games_again(folder: Path) -> None:
    told = page(folder)
    assert "`parlour arena kintsugi greedy ppo:tiny random --games 2000 --seed 7 --players 2`" in told
    assert "`parlour arena kintsugi ppo:tiny mcts --games 60 --seed 8 --players 2`" in told
