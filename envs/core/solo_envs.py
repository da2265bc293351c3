"""The Gymnasium doors: one learner against given opponents, as a single environment and as a native vector."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from parlour.envs.core.aec import RENDER_MODES
from parlour.envs.core.batch import OnIllegal
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.options import Observing, read_choice
from parlour.envs.core.registry import make_game
from parlour.envs.core.solo import Opponents, Solo


class _Seat:
    """What both doors share: the games, and how the learner looks at them."""

    solo: Solo

    def _sit_down(
        self,
        game: str,
        size: int,
        opponents: Opponents,
        seat: int | None,
        on_illegal: OnIllegal,
        observation: Observing,
        config: dict[str, Any],
    ) -> None:
        made = make_game(game, **config)
        self.observing: Observing = observation
        read_choice("observation", observation, ("observe", "remember"))
        self.solo = Solo(made, size, opponents, seat, on_illegal=on_illegal)
        self.layout = made.layout if observation == "observe" else made.memory

    def _look(self, rows: NDArray[np.int64] | None = None) -> NDArray[np.float32]:
        return self.solo.look(rows, self.observing)

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions, as sb3-contrib asks for them."""
        raise NotImplementedError


class SoloEnv(_Seat, gymnasium.Env[NDArray[np.float32], Any]):
    """One learner against opponents; each step ends at the learner's next decision.

    Observations are float32 [D]; `info["action_mask"]` and `action_masks()` give the legal actions.

    Args:
        game: Name of the game.
        opponents: Who plays the other seats; see `Solo`.
        seat: The learner's seat; None draws it anew for every game.
        render_mode: "ansi" returns the table as text, "human" prints it.
        on_illegal: "lose" ends the game against a learner that plays an illegal action, "raise" raises.
        observation: "observe" shows what a player sees now, "remember" what it could remember.
        **config: Options of the game.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponents: Opponents = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        on_illegal: OnIllegal = "lose",
        observation: Observing = "observe",
        **config: Any,
    ) -> None:
        if render_mode is not None:
            read_choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self._sit_down(game, 1, opponents, seat, on_illegal, observation, config)
        self.observation_space = self.layout.space
        self.action_space = Discrete(self.solo.game.num_actions)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.solo.reset(seed=seed)
        return self._look()[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        rewards, terminated, truncated = self.solo.step(np.asarray(action).reshape(1))
        return self._look()[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        mask: NDArray[np.bool_] = self.solo.batch.legal[0]
        return mask

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": int(self.solo.seats[0])}

    def render(self) -> str | None:
        if self.render_mode is None:
            raise ConfigError('make the environment with render_mode="ansi" or "human" to render it')
        text = self.solo.batch.board()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


class SoloVectorEnv(_Seat, VectorEnv[NDArray[np.float32], Any, NDArray[Any]]):
    """N learners in one native batch: `gymnasium.make_vec(id, num_envs=N)`.

    Autoreset is same-step: when a game ends, the observation is already the next game's first, and the last one is
    `infos["final_obs"][i]`, where `infos["_final_obs"]` is True. `infos["action_mask"]` is bool [N, A].

    Args:
        game: Name of the game.
        num_envs: How many games.
        opponents: As in `SoloEnv`, and so are the others.
    """

    metadata: dict[str, Any] = {
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponents: Opponents = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        on_illegal: OnIllegal = "lose",
        observation: Observing = "observe",
        **config: Any,
    ) -> None:
        if render_mode is not None:
            read_choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.num_envs = num_envs
        self._sit_down(game, num_envs, opponents, seat, on_illegal, observation, config)
        self.single_observation_space = self.layout.space
        self.single_action_space = Discrete(self.solo.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.solo.reset(seed=seed)
        return self._look(), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        rewards, terminated, truncated = self.solo.step(actions)
        over = np.flatnonzero(terminated | truncated)
        infos: dict[str, Any] = {}
        if over.size:
            infos = self._final(over)
            self.solo.reset(over)
        return self._look(), rewards.astype(np.float64), terminated, truncated, infos | self._infos()

    def _final(self, over: NDArray[np.int64]) -> dict[str, Any]:
        """The last observation of the games that are over, where Gymnasium's own vectors put it."""
        here = np.zeros(self.num_envs, bool)
        here[over] = True
        seen, last = np.full(self.num_envs, None, object), self._look(over)
        for k, i in enumerate(over):
            seen[i] = last[k]
        seats = {"seat": self.solo.seats.copy(), "_seat": here}
        return {"final_obs": seen, "_final_obs": here, "final_info": seats, "_final_info": here}

    def _infos(self) -> dict[str, Any]:
        everyone = np.ones(self.num_envs, bool)
        return {
            "action_mask": self.action_masks(),
            "_action_mask": everyone,
            "seat": self.solo.seats.copy(),
            "_seat": everyone,
        }

    def action_masks(self) -> NDArray[np.bool_]:
        return self.solo.batch.legal

    def render(self) -> tuple[str, ...] | None:
        if self.render_mode is None:
            raise ConfigError('make the environment with render_mode="ansi" or "human" to render it')
        texts = tuple(self.solo.batch.board(i) for i in range(self.num_envs))
        if self.render_mode == "ansi":
            return texts
        print("\n\n".join(texts))
        return None
