"""`SelfPlayVecEnv`: the stable-baselines3 door. One learner in each game of a native batch."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from parlour.agents.sight import Sight
from parlour.envs.core.batch import OnIllegal, entropy
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.game import Game
from parlour.envs.core.options import Observing, read_choice, read_seed
from parlour.envs.core.registry import make_game
from parlour.envs.core.solo import Opponents, Solo

Indices = int | Iterable[int] | None
Step = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class _Masks(np.ndarray[Any, np.dtype[np.bool_]]):
    """Masks [N, A] as a sequence of rows that `np.stack`, which MaskablePPO calls on it, copies all at once."""

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.stack and not kwargs and len(args) == 1 and isinstance(args[0], _Masks):
            return np.array(args[0])
        return super().__array_function__(func, types, args, kwargs)


class SelfPlayVecEnv(VecEnv):
    """Learners against opponents, for stable-baselines3: each step ends at the learner's next decision.

    The learner's reward comes exactly once, at the end of the game, whoever moved last. Games restart by themselves;
    `infos[i]` of a finished one has `terminal_observation`, `TimeLimit.truncated`, `seat` (the learner's) and `episode`
    (return, length, time), as `Monitor` gives it, so no `VecMonitor` is needed.

    Args:
        game: A game or its name.
        num_envs: How many games.
        opponents: Who plays the other seats: one for all; one per other seat clockwise of the learner; or a `Pool`,
            which draws them anew for every game. An opponent is a name as in `parlour.agents.load`, an agent, or a
            function `(batch, rows) -> actions`.
        seat: The learner's seat; None draws it anew for every game.
        seed: Seed of the games, the seats and the opponents' chance. None draws one.
        observation: "observe" shows what a player sees now, "remember" what it could remember.
        guided: Show also what `greedy` thinks of every action: entries `prospect` and `worth` of `sight.layout`.
        ahead: Where nothing is hidden, let `greedy` play every kind of action on to the end before it says so.
        whole_clan: In a team game, the learner plays all seats of its clan and sees what the seat to move sees.
        on_illegal: "lose" ends the game against a learner that plays an illegal action, "raise" raises.
        **config: Options of the game.
    """

    render_mode: str | None = None

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 256,
        opponents: Opponents = "random",
        seat: int | None = None,
        *,
        seed: int | None = None,
        observation: Observing = "observe",
        guided: bool = False,
        ahead: bool = False,
        whole_clan: bool = False,
        on_illegal: OnIllegal = "lose",
        **config: Any,
    ) -> None:
        if config and not isinstance(game, str):
            raise ConfigError(f"{game!r} has its options already, got {', '.join(config)}")
        self.game = make_game(game, **config) if isinstance(game, str) else game
        read_choice("observation", observation, ("observe", "remember"))
        self.sight = Sight(observation, guided, ahead)
        self.solo = Solo(self.game, num_envs, opponents, seat, seed, on_illegal, whole_clan)
        self._lengths = np.zeros(num_envs, np.int64)
        self._seed: int | None = None
        self._begin = time.time()
        super().__init__(num_envs, self.sight.layout(self.game).space, Discrete(self.game.num_actions))

    # --- playing

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Seed the next `reset`; each row's seed follows by its number."""
        self._seed = int(read_seed(entropy() if seed is None else seed))
        return [self._seed] * self.num_envs

    def reset(self) -> NDArray[np.float32]:
        """Start new games, with the seed of `seed` if it was called; returns what the learners see."""
        self.solo.reset(seed=self._seed)
        self._seed = None
        self._lengths[:] = 0
        return self._look()

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> Step:
        rewards, terminated, truncated = self.solo.step(self._actions)
        self._lengths += 1
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = np.flatnonzero(dones)
        if over.size:
            self._tell_ends(infos, over, rewards, truncated)
            self._lengths[over] = 0
            self.solo.reset(over)
        return self._look(), rewards, dones, infos

    def _tell_ends(
        self,
        infos: list[dict[str, Any]],
        over: NDArray[np.int64],
        rewards: NDArray[np.float32],
        truncated: NDArray[np.bool_],
    ) -> None:
        """Write what is to be said of the games that are over; rewards come only there, so they are the returns."""
        last, elapsed = self._look(over), round(time.time() - self._begin, 6)
        for seen, i in zip(last, over.tolist(), strict=True):
            infos[i] = {
                "terminal_observation": seen,
                "TimeLimit.truncated": bool(truncated[i]),
                "seat": int(self.solo.seats[i]),
                "episode": {"r": float(rewards[i]), "l": int(self._lengths[i]), "t": elapsed},
            }

    def _look(self, rows: NDArray[np.int64] | None = None) -> NDArray[np.float32]:
        return self.sight.of(self.solo.batch, rows, self.solo.observers(rows))

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The games and who sits at them, as arrays that `restore` takes."""
        return {**self.solo.snapshot(), "lengths": self._lengths.copy()}

    def restore(self, told: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
        """Go on with the games of a `snapshot`; returns what the learners see."""
        self.solo.restore(told)
        self._lengths[:] = told["lengths"]
        return self._look()

    def action_masks(self) -> NDArray[np.bool_]:
        """bool [N, A]: the learners' legal actions, in an array of the caller's own."""
        return self.solo.batch.legal.copy()

    def close(self) -> None:
        """Nothing is held open."""

    # --- what stable-baselines3 asks of single environments; here they are rows that share everything else

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> Any:
        """`action_masks` of these rows, as one read-only array: MaskablePPO stacks whatever it gets."""
        if method_name != "action_masks" or method_args or method_kwargs:
            raise AttributeError(f"rows of SelfPlayVecEnv have no method but action_masks(), got {method_name!r}")
        masks = self.solo.batch.legal
        return masks.view(_Masks) if indices is None else masks[self._rows(indices)]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        if len(self._rows(indices)) != self.num_envs:
            raise ConfigError(f"{attr_name} can be set for all rows only: they share everything")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """No wrapper is there, but what `Monitor` would do is done."""
        return [issubclass(wrapper_class, Monitor)] * len(self._rows(indices))

    def _rows(self, indices: Indices) -> list[int]:
        return [int(i) for i in self._get_indices(indices)]
