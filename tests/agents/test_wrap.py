"""Functions and models as agents."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.agents import Agent, wrap
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from tests.envs.core.play import play

GAME = "klink"
"""Here a player remembers more than it sees."""


def last_legal(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)


class Favourite:
    """A model that knows no masks and always wants the same action."""

    def __init__(self, action: int) -> None:
        self.action = action

    def predict(self, observation: NDArray[np.float32], deterministic: bool = False) -> tuple[Any, None]:
        assert deterministic
        return np.full(len(observation), self.action), None


class Masked:
    """A model that plays the first action of its mask."""

    def predict(
        self, observation: NDArray[np.float32], deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Any, None]:
        assert deterministic
        assert len(observation) == len(action_masks)
        return action_masks.argmax(axis=1), None


def midway(size: int = 12) -> Batch:
    return play(parlour.batch(GAME, size=size, seed=6), 5)


def test_a_function_is_an_agent_in_one_line() -> None:
    batch = midway()
    chosen = wrap(last_legal).act(batch, np.arange(12))
    np.testing.assert_array_equal(chosen, last_legal(batch.observation, batch.legal))


@pytest.mark.parametrize("view", ["observe", "remember"])
def test_it_is_shown_what_the_player_to_move_may_know(view: Any) -> None:
    shown = []

    def look(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        shown.append(seen)
        return legal.argmax(axis=1)

    batch, rows = midway(), np.array([7, 2])
    wrap(look, view).act(batch, rows)
    np.testing.assert_array_equal(shown[0], getattr(batch, view)(batch.current_player[rows], rows))


@pytest.mark.parametrize(
    "player", [wrap(last_legal), wrap(Masked()), wrap(Favourite(3))], ids=["function", "masked", "unmasked"]
)
def test_choices_do_not_depend_on_batch_size_or_order(player: Agent) -> None:
    chosen = np.asarray(player.act(midway(12), np.arange(12)))
    backwards = np.arange(4, -1, -1)
    np.testing.assert_array_equal(player.act(midway(5), backwards), chosen[backwards])


def test_a_model_without_masks_plays_its_action_where_it_is_legal_and_else_the_first() -> None:
    batch = midway()
    favourite = int(batch.legal.sum(axis=0).argmax())
    chosen = np.asarray(wrap(Favourite(favourite)).act(batch, np.arange(12)))
    first = batch.legal.argmax(axis=1)
    np.testing.assert_array_equal(chosen, np.where(batch.legal[:, favourite], favourite, first))
    batch.step(chosen)


def test_a_model_with_masks_is_told_them() -> None:
    batch = midway()
    np.testing.assert_array_equal(wrap(Masked()).act(batch, np.arange(12)), batch.legal.argmax(axis=1))


@pytest.mark.parametrize("kind", ["PPO", "MaskablePPO"])
def test_a_stable_baselines3_model_plays_legal_actions(kind: str) -> None:
    library = pytest.importorskip("sb3_contrib" if kind == "MaskablePPO" else "stable_baselines3")
    env = gymnasium.make(f"parlour/{GAME.capitalize()}-v0", opponents="random")
    model = getattr(library, kind)("MlpPolicy", env, n_steps=8, batch_size=8, n_epochs=1, seed=0, device="cpu")
    model.learn(8)
    batch = midway()
    batch.step(wrap(model).act(batch, np.arange(12)))


def test_what_is_neither_is_refused_in_one_line() -> None:
    with pytest.raises(
        ConfigError, match=r"^wrap takes a function \(observations, legal\) -> actions or an SB3 model, got 3$"
    ):
        wrap(3)
    with pytest.raises(ConfigError, match=r"^observation must be"):
        wrap(last_legal, "peek")  # type: ignore[arg-type]
