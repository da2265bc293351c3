"""The learner: a network, the opponents it plays, and all that a checkpoint of them holds."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import Logger

from parlour.agents import load
from parlour.agents.bot import fill, find, load_bot
from parlour.agents.nets import BotNet, NetSpec, build
from parlour.agents.ppo import NetAgent
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.jit import one_thread
from parlour.envs.core.solo import Agent, Opponent
from parlour.training.args import TrainArgs
from parlour.training.buffer import PackedMaskableRolloutBuffer
from parlour.training.checkpoint import Checkpoint
from parlour.training.imitate import learn_lesson, play_lesson
from parlour.training.policy import NetPolicy
from parlour.training.pool import Pool
from parlour.training.selfplay import SelfPlayVecEnv

CURRENT = "current"
LESSON_GAMES = 256
LESSON_BATCH = 256
BEATEN = 0.1
"""What a fixed opponent that never wins any more still counts, beside the 1 of one that always does."""
_ENDLESS = 2**62


@dataclass
class Counters:
    """How far a run is."""

    steps: int = 0
    """Decisions learned from."""
    updates: int = 0
    seconds: float = 0.0
    lessons: int = 0


class Learner:
    """MaskablePPO with a `BotNet`, against a pool of baselines, itself and its past selves.

    Args:
        args: The run's arguments.
        opponents: More opponents by name, each with its weight beside the 1 of all others together.
        found: A checkpoint to go on from.
    """

    def __init__(
        self, args: TrainArgs, opponents: Mapping[str, tuple[Opponent, float]], found: Checkpoint | None = None
    ) -> None:
        self.args, self.game = args, args.made_game()
        self.spec = NetSpec(args.net, args.widths(), args.channels)
        self.counters = Counters(**found.state["counters"]) if found else Counters()
        torch.manual_seed(args.seed)
        self.before: list[dict[str, Any]] = list(found.state.get("before", [])) if found else []
        """How the bot that it began with was trained, if there is one: command, seconds and steps of each run."""
        self.net = self._new_net(found.part("net") if found else self._first_weights())
        self.past: dict[str, BotNet] = {}
        self.born: dict[str, int] = dict(found.state["born"]) if found else {}
        """At which update each past self was the present one."""
        self.baselines: dict[str, Agent] = {spec: load(spec, self.game) for spec in args.opponents()}
        self.pool = self._restored_pool(found, opponents) if found else self._new_pool(opponents)
        self.env = SelfPlayVecEnv(
            self.game,
            args.envs,
            self.pool,
            seed=args.seed,
            observation=args.sight().observation,
            guided=args.sight().guided,
            ahead=args.sight().ahead,
            whole_clan=args.whole_clan,
        )
        self.model = self._new_model()
        if found:
            self._restore(found)

    def agent(self, net: BotNet | None = None, *, sample: bool = False) -> NetAgent:
        """A network as an agent: the learner's own, if none is given."""
        return NetAgent(net or self.net, self.args.sight(), sample)

    # --- learning

    def begin(self, callback: list[BaseCallback]) -> CallbackList:
        """Make ready, as `learn` would."""
        _, made = self.model._setup_learn(_ENDLESS, callback, reset_num_timesteps=False)
        made.on_training_start(locals(), globals())
        assert isinstance(made, CallbackList)
        return made

    def update(self, done: float, callback: BaseCallback) -> bool:
        """Play a rollout and learn from it; `done` is the share of the run that is over. False if a callback stops."""
        model, args = self.model, self.args
        model._current_progress_remaining = 1.0 - done
        model.ent_coef = args.entropy + (args.final_entropy - args.entropy) * done
        if not self._play(callback):
            return False
        model.train()
        self._weigh_baselines()
        self.counters.updates += 1
        self.counters.steps += args.envs * args.rollout
        if self.counters.updates % args.snapshot_every == 0:
            self._take_snapshot()
        return True

    def _play(self, callback: BaseCallback) -> bool:
        """A rollout, on one thread: for a few hundred games at once, waking another costs more than it saves.

        Unless `greedy` looks ahead, which is work for all of them.
        """
        torch.set_num_threads(1)
        with nullcontext() if self.args.sight().ahead else one_thread():
            went_on = self.model.collect_rollouts(self.env, callback, self.model.rollout_buffer, self.model.n_steps)
        torch.set_num_threads(self.args.threads)
        return went_on

    def lesson(self, teacher: Agent) -> float:
        """Watch some games of a teacher and learn to play them; returns how often the net agreed at first sight."""
        args, seed = self.args, np.random.SeedSequence([self.args.seed, 1, self.counters.lessons])
        drawn = int(seed.generate_state(1, np.uint32)[0])
        lesson = play_lesson(self.game, teacher, self.agent(sample=True), LESSON_GAMES, drawn, args.sight())
        self.counters.lessons += 1
        self.counters.steps += len(lesson[0])
        optimizer, actions = self.model.policy.optimizer, self.game.num_actions
        passes = [learn_lesson(self.net, optimizer, lesson, actions, LESSON_BATCH) for _ in range(args.lesson_passes)]
        return passes[0]

    def figures(self) -> dict[str, float]:
        """What the last update said of itself."""
        return {name: float(value) for name, value in self.model.logger.name_to_value.items()}

    def _weigh_baselines(self) -> None:
        """Share out the games against the fixed opponents by how hard each still is to beat."""
        hardness = {name: max(BEATEN, 1 - self.pool[name].win_rate) for name in self.baselines}
        for name, hard in hardness.items():
            self.pool[name].weight = self.args.baseline_share * hard / sum(hardness.values())

    def middle_past(self) -> str:
        """The past self of the middle of the run so far."""
        ages = sorted(self.past, key=lambda name: self.born[name])
        return ages[len(ages) // 2]

    def _take_snapshot(self) -> None:
        """The net as it is joins the pool; where the pool is full it takes the place of the easiest to beat."""
        if len(self.past) < self.args.snapshots:
            name = f"past {len(self.past) + 1}"
            self.past[name] = self._new_net()
            self.pool.add_snapshot(name, self.agent(self.past[name], sample=True))
        else:
            name = max(self.past, key=lambda each: self.pool[each].win_rate)
        self.past[name].load_state_dict(self.net.state_dict())
        self.pool[name].games = self.pool[name].won = 0.0
        self.born[name] = self.counters.updates

    # --- making

    def _new_net(self, weights: Mapping[str, NDArray[Any]] | None = None) -> BotNet:
        net = build(self.spec, self.args.sight().layout(self.game), self.game.num_actions)
        if weights is not None:
            fill(net, weights)
        return net

    def _first_weights(self) -> Mapping[str, NDArray[Any]] | None:
        """Those of the bot to begin with, if there is one."""
        if not self.args.start:
            return None
        bot, sight = load_bot(find(self.args.start)), self.args.sight()
        alike = bot.sight.layout(bot.game).digest() == sight.layout(self.game).digest()
        if not alike or (bot.spec, bot.sight) != (self.spec, sight):
            told = f"it reads {bot.sight} with {bot.spec}, not {sight} with {self.spec}"
            raise ConfigError(f"cannot begin with {self.args.start}: {told}")
        last = {key: value for key, value in bot.record.items() if key in ("command", "seconds", "steps")}
        self.before = [*bot.record.get("before", []), last]
        return {name: value.numpy() for name, value in bot.net.state_dict().items()}

    def _new_pool(self, opponents: Mapping[str, tuple[Opponent, float]]) -> Pool:
        args = self.args
        each = args.baseline_share / max(1, len(self.baselines))
        pool = Pool(
            {**{name: (agent, each) for name, agent in self.baselines.items()}, **opponents},
            snapshots=1 - args.baseline_share - args.current_share,
        )
        pool.add(CURRENT, self.agent(sample=True), max(args.current_share, 1e-6))
        return pool

    def _restored_pool(self, found: Checkpoint, opponents: Mapping[str, tuple[Opponent, float]]) -> Pool:
        self.past = {name: self._new_net(found.part(f"past/{name}")) for name in self.born}
        agents: dict[str, Opponent] = {name: self.agent(net, sample=True) for name, net in self.past.items()}
        given = {name: agent for name, (agent, _) in opponents.items()}
        return Pool.restored(
            found.state["pool"], {**self.baselines, **given, **agents, CURRENT: self.agent(sample=True)}
        )

    def _new_model(self) -> MaskablePPO:
        args = self.args
        slope = args.learning_rate - args.final_learning_rate
        model = MaskablePPO(
            NetPolicy,
            self.env,
            learning_rate=lambda remaining: args.final_learning_rate + slope * remaining,
            n_steps=args.rollout,
            batch_size=args.batch,
            n_epochs=args.epochs,
            gamma=args.gamma,
            gae_lambda=args.gae_lambda,
            clip_range=args.clip,
            vf_coef=args.value_weight,
            rollout_buffer_class=PackedMaskableRolloutBuffer,
            policy_kwargs={"make_net": lambda: self.net},
            seed=args.seed,
            device="cpu",
        )
        model.set_logger(Logger(None, []))
        return model

    # --- checkpoints

    def checkpoint(self) -> Checkpoint:
        """Everything that is needed to go on."""
        arrays = {f"net/{name}": value.numpy() for name, value in self.net.state_dict().items()}
        for name, net in self.past.items():
            arrays |= {f"past/{name}/{key}": value.numpy() for key, value in net.state_dict().items()}
        for number, values in self.model.policy.optimizer.state_dict()["state"].items():
            arrays |= {f"adam/{number}/{key}": np.asarray(value) for key, value in values.items()}
        _, keys, place, _, _ = np.random.get_state(legacy=True)
        arrays |= {f"games/{name}": value for name, value in self.env.snapshot().items()}
        arrays["starts"] = np.asarray(self.model._last_episode_starts, np.uint8)
        arrays |= {"chance/torch": torch.get_rng_state().numpy(), "chance/numpy": np.asarray(keys)}
        state = {
            "args": asdict(self.args),
            "counters": asdict(self.counters),
            "pool": self.pool.state(),
            "born": self.born,
            "before": self.before,
            "place": int(place),
        }
        return Checkpoint(arrays, state)

    def _restore(self, found: Checkpoint) -> None:
        optimizer = self.model.policy.optimizer
        told: dict[str, Any] = optimizer.state_dict()
        for name, value in found.part("adam").items():
            number, _, key = name.partition("/")
            told["state"].setdefault(int(number), {})[key] = torch.from_numpy(value)
        optimizer.load_state_dict(told)
        self.model._last_obs = self.env.restore(found.part("games"))
        self.model._last_episode_starts = found.arrays["starts"].astype(bool)
        chance = found.part("chance")
        torch.set_rng_state(torch.from_numpy(chance["torch"]))
        np.random.set_state(("MT19937", chance["numpy"], found.state["place"], 0, 0.0))
