"""Agents by name and options."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.agents import Random, load, names
from parlour.agents.greedy import Greedy
from parlour.agents.spec import AGENTS
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.registry import make_game
from tests.envs.core.toy import GAME


@dataclass(frozen=True)
class Picky:
    """An agent with options of every type."""

    bot: str = ""
    iterations: int = 100
    seconds: float | None = None
    loud: bool = False

    def act(self, batch: Batch, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return batch.sample_legal(rows)


@pytest.fixture(autouse=True)
def picky(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "picky", (__name__, "Picky"))


@pytest.mark.parametrize(
    ("spec", "meant"),
    [
        ("random", Random()),
        ("picky", Picky()),
        ("picky:iterations=500", Picky(iterations=500)),
        ("picky:seconds=0.5,loud=true", Picky(seconds=0.5, loud=True)),
        ("picky:bots/mine", Picky(bot="bots/mine")),
        ("picky:bots/mine,iterations=7,loud=False", Picky(bot="bots/mine", iterations=7)),
        ("picky:bots/a=b", Picky(bot="bots/a=b")),
    ],
)
def test_a_spec_names_an_agent_and_its_options(spec: str, meant: Any) -> None:
    assert load(spec) == meant


def test_the_players_that_come_with_the_games_have_names() -> None:
    assert {"random", "greedy"} <= set(names())
    assert load("greedy", make_game("patchwork")) == Greedy()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("genius", "no agent 'genius'; the agents are {names}"),
        ("", "no agent ''; the agents are {names}"),
        ("random:depth=2", "random has no option 'depth'; it has none"),
        ("random:fast", "random has no option 'fast'; it has none"),
        ("picky:depth=2", "picky has no option 'depth'; its options are bot, iterations, seconds, loud"),
        ("picky:iterations=many", "iterations of picky must be a whole number, got 'many'"),
        ("picky:iterations=1.5", "iterations of picky must be a whole number, got '1.5'"),
        ("picky:seconds=long", "seconds of picky must be a number, got 'long'"),
        ("picky:loud=yes", "loud of picky must be true or false, got 'yes'"),
        ("picky:iterations=1,iterations=2", "picky is given iterations twice: '1' and '2'"),
    ],
)
def test_an_error_is_one_line_with_the_choices(spec: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(spec)
    assert str(error.value) == said.format(names=", ".join(names()))


def test_an_agent_that_cannot_play_the_game_is_refused() -> None:
    load("random", GAME)
    with pytest.raises(ConfigError, match=r"^greedy cannot play toy; it knows kintsugi, patchwork, kitsu, klink$"):
        load("greedy", GAME)


def test_random_plays_every_legal_action_and_no_other() -> None:
    batch = parlour.batch("kintsugi", size=1, seed=4)
    played = {int(load("random").act(batch, np.arange(1))[0]) for _ in range(300)}  # type: ignore[index]
    assert played == set(np.flatnonzero(batch.legal[0]).tolist())
