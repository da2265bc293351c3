"""The PettingZoo door: one game as an AEC environment."""

from operator import attrgetter
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from parlour.envs.core.batch import OnIllegal, complaint, entropy
from parlour.envs.core.errors import ConfigError, IllegalAction
from parlour.envs.core.game import Game, kernels
from parlour.envs.core.loops import FORFEIT, RUNNING, TRUNCATED, following_seeds
from parlour.envs.core.options import Observing, read_choice, read_seed, read_whole
from parlour.envs.core.registry import make_game

RENDER_MODES = ("ansi", "human")
_ROW = _FIRST_SEAT = np.zeros(1, np.int64)


class TableEnv(AECEnv):  # type: ignore[misc]
    """One game at a table: players move one at a time, possibly several times in a row.

    Observations are `{"observation": float32 [D], "action_mask": int8 [A]}`; the mask is all zero for players who are
    not to move, and is in the info too.

    Args:
        game: The game.
        render_mode: "ansi" returns the table as text, "human" prints it.
        on_illegal: "raise" refuses an illegal action; "lose" ends the game against the offender.
        observation: "observe" shows what a player sees now, "remember" what it could remember.
    """

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        on_illegal: OnIllegal = "raise",
        observation: Observing = "observe",
    ) -> None:
        super().__init__()
        if render_mode is not None:
            read_choice("render_mode", render_mode, RENDER_MODES)
        self.game, self.render_mode = game, render_mode
        self.on_illegal = read_choice("on_illegal", on_illegal, ("raise", "lose"))
        self.observing = read_choice("observation", observation, ("observe", "remember"))
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.layout = game.layout if observation == "observe" else game.memory
        mask = Box(0, 1, (game.num_actions,), np.int8)
        self._observation_spaces = {
            agent: Dict({"observation": self.layout.space, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {agent: Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = game.whole.space
        self._states = game.blank.copy()
        self._masks = np.zeros((1, game.num_actions), bool)
        self._action = np.zeros(1, np.int64)
        self._payment = np.zeros((1, game.players), np.float32)
        self._ended = np.zeros(1, np.int8)
        self._seats = {agent: np.array([seat]) for seat, agent in enumerate(self.possible_agents)}
        self._seen_shape = (1, self.layout.size)
        self._idle = np.zeros(game.num_actions, np.int8)
        self._bind()

    def _bind(self) -> None:
        """What can be neither copied nor pickled: kernels, and views of the arrays that they write to."""
        self._states = self._states.view(self.game.rules.record.dtype)  # a copied dtype would slow down every call
        self._kernels = kernels(self.game.rules, parallel=False)
        self._look = getattr(self._kernels, self.observing)
        self._play = self._kernels.step
        self._blank = self.game.blank
        self._player = self._states["player"]
        self._mask = self._masks[0].view(np.int8)
        self._idle.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        bound = ("_kernels", "_look", "_play", "_blank", "_player", "_mask")
        return {name: value for name, value in self.__dict__.items() if name not in bound}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()

    def observation_space(self, agent: str) -> Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a new game. Without a seed, games follow upon each other as the last seed decides."""
        if seed is not None:
            first = np.array([read_seed(seed)])
        elif self.agents or int(self._states[0].counter):
            first = following_seeds(self._states["seed"])
        else:
            first = np.array([entropy()], np.uint64)
        self._kernels.start(self._states, _ROW, first, self.game.blank, self._masks)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._idle} for agent in self.agents}
        self._pass_turn()

    def _pass_turn(self) -> None:
        self.agent_selection = agent = self.possible_agents[self._player[0]]
        self.infos[agent] = {"action_mask": self._mask.copy()}

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        seen = np.empty(self._seen_shape, np.float32)
        self._look(self._states, _ROW, self._seats[agent], seen)
        info = self.infos.get(agent)
        return {"observation": seen[0], "action_mask": self._idle if info is None else info["action_mask"]}

    def state(self) -> NDArray[np.float32]:
        """The whole state, hidden things too, in the order of the seats."""
        out = np.empty(self.game.whole.size, np.float32)
        self._kernels.reveal(self._states, _ROW, _FIRST_SEAT, out[None])
        return out

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._action[0] = self._read(action)
        masks = self._masks
        self._play(
            self._states, _ROW, self._action, self._blank, False, False, masks, masks, self._payment, self._ended
        )
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._idle}
        if self._ended[0] == RUNNING:
            self._pass_turn()
        else:
            self._finish()

    def _read(self, action: int | None) -> int:
        """The action as a whole number that is legal, or what `on_illegal` makes of it."""
        number = action if type(action) is int else read_whole("an action", action)
        if 0 <= number < self._mask.size and self._mask[number]:
            return number
        if self.on_illegal == "lose":
            return FORFEIT
        raise IllegalAction(complaint(self.game, self._states[0], self._masks[0], number))

    def _finish(self) -> None:
        """Every player is paid, whoever moved last."""
        truncated = bool(self._ended[0] == TRUNCATED)
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(self._payment[0, seat])
            self._cumulative_rewards[agent] += self.rewards[agent]
            self.terminations[agent], self.truncations[agent] = not truncated, truncated
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        if self.render_mode is None:
            raise ConfigError('make the environment with render_mode="ansi" or "human" to render it')
        text = self.game.board(self._states[0])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to release."""


def raw_env(
    name: str,
    render_mode: str | None = None,
    on_illegal: OnIllegal = "raise",
    observation: Observing = "observe",
    **config: Any,
) -> TableEnv:
    """The bare AEC environment of a game."""
    return TableEnv(make_game(name, **config), render_mode, on_illegal, observation)


def _passed_on(name: str) -> property:
    """An attribute of the environment inside, once there is something to tell."""
    read = attrgetter(name)

    def told(self: "OrderedEnv") -> Any:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return read(self.env)

    return property(told)


class OrderedEnv(OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's checks of the order of calls, with what its loop uses passed on without a detour."""

    agents = _passed_on("agents")
    agent_selection = _passed_on("agent_selection")
    rewards = _passed_on("rewards")
    terminations = _passed_on("terminations")
    truncations = _passed_on("truncations")
    infos = _passed_on("infos")

    def last(self, observe: bool = True) -> Any:
        if not self._has_reset:
            raise AttributeError("last() cannot be called before reset")
        return self.env.last(observe)

    def step(self, action: int | None) -> None:
        if self._has_reset and self.env.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)


def env(name: str, **options: Any) -> OrderedEnv:
    """The AEC environment of a game, with PettingZoo's checks of the order of calls."""
    return OrderedEnv(raw_env(name, **options))
