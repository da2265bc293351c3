"""`train`: a bot by MaskablePPO in self-play. Survives being killed; every part can be replaced."""

import time
from collections.abc import Mapping
from dataclasses import asdict, fields, replace

import torch
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback

from parlour.agents import load
from parlour.agents.bot import Bot
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.files import write_whole
from parlour.envs.core.solo import Opponent
from parlour.training.arena import arena
from parlour.training.arena_report import show, write_json
from parlour.training.args import TrainArgs
from parlour.training.checkpoint import Checkpoint, Shelf
from parlour.training.display import Display
from parlour.training.learner import Learner
from parlour.training.logs import Log, draw_curve

EVALUATION_SEED = 2**32
"""Games of evaluations are none that are trained on."""


def train(
    args: TrainArgs,
    *,
    opponents: Mapping[str, tuple[Opponent, float]] | None = None,
    callback: BaseCallback | list[BaseCallback] | None = None,
    console: Console | None = None,
) -> Bot:
    """Train a bot and write it to `args.out`, with its logs and checkpoints.

    Own kinds of networks are entries of `parlour.agents.nets.NETS`, named by `args.net`.

    Args:
        args: What to do: `TrainArgs.of("kintsugi", minutes=3)`.
        opponents: More opponents by name, each with its weight beside the 1 of all others together.
        callback: Callbacks of stable-baselines3, called as `learn` would.
        console: Where to show progress.

    Returns:
        The bot, as `parlour.agents.load("ppo:DIR")` would load it.
    """
    if "human" in (*args.opponents(), args.teacher):
        raise ConfigError("human cannot take part in training: name agents that play by themselves, such as greedy")
    torch.set_num_threads(args.threads)
    run = Run(args, opponents or {}, console or Console())
    callbacks = [callback] if isinstance(callback, BaseCallback) else callback or []
    try:
        with run.display:
            run.go(callbacks)
            return run.finish()
    finally:
        run.log.close()


class Run:
    """A training run: the learner, its budget, and what is shown and written down."""

    def __init__(self, args: TrainArgs, opponents: Mapping[str, tuple[Opponent, float]], console: Console) -> None:
        self.shelf = Shelf(args.folder() / "checkpoints", args.checkpoints)
        found, complaints = _found(args, self.shelf)
        self.args = _continued(args, found.state["args"]) if found else args
        self.display = Display(console, f"Learning {self.args.game}")
        for complaint in complaints:
            self.display.say(complaint)
        self.learner = Learner(self.args, opponents, found)
        self.counters = self.learner.counters
        if found:
            self.display.say(f"continuing after {self.counters.steps:,} steps")
        self.log = Log(self.args.folder(), self.counters.steps)
        write_whole(self.args.folder() / "config.json", self.args.to_json() + "\n")
        self._before = self.counters.seconds
        self._begin = self._evaluated = self._saved = time.monotonic()

    # --- the loop

    def go(self, callbacks: list[BaseCallback]) -> None:
        """Learn until the budget is spent."""
        called = self.learner.begin(callbacks)
        self._learn_from_teacher()
        while self.done() < 1:
            begin, steps = time.monotonic(), self.counters.steps
            if not self.learner.update(self.done(), called):
                break
            rate = (self.counters.steps - steps) / (time.monotonic() - begin)
            self.log.curve({**self.learner.figures(), "steps_per_second": rate}, self.counters.steps)
            self._keep_up(rate)
        called.on_training_end()

    def done(self) -> float:
        """The share of the budget that is spent."""
        self.counters.seconds = self._before + time.monotonic() - self._begin
        if self.args.steps is not None:
            return min(1.0, self.counters.steps / self.args.steps)
        return min(1.0, self.counters.seconds / 60 / (self.args.minutes or 1))

    def _learn_from_teacher(self) -> None:
        if self.args.imitate == 0 or self.counters.updates:
            return
        teacher = load(self.args.teacher, self.learner.game)
        while self.done() < self.args.imitate:
            begin, steps = time.monotonic(), self.counters.steps
            agreed = self.learner.lesson(teacher)
            rate = (self.counters.steps - steps) / (time.monotonic() - begin)
            self.log.curve({"agreement": agreed, "steps_per_second": rate}, self.counters.steps)
            self._keep_up(rate)

    def _keep_up(self, rate: float) -> None:
        """Show how it goes, evaluate and save when it is time."""
        done, now = self.done(), time.monotonic()
        left = self.counters.seconds * (1 - done) / max(done, 1e-9)
        self.display.progress(done, self.counters.steps, rate, left)
        if now - self._evaluated >= self.args.evaluate_every:
            self._evaluate(rate)
            self._evaluated = time.monotonic()
        if now - self._saved >= self.args.checkpoint_every:
            self._save()
            self._saved = time.monotonic()

    def _evaluate(self, rate: float) -> None:
        learner, rates = self.learner, {}
        rivals = {f"against {name}": agent for name, agent in learner.baselines.items()}
        if learner.past:
            rivals["against past self"] = learner.agent(learner.past[learner.middle_past()])
        for name, rival in rivals.items():
            played = arena(learner.game, [learner.agent(), rival], self.args.evaluate_games, EVALUATION_SEED)
            rates[name] = played.pairs[0].a_win_rate
        self.display.evaluated(self.counters.seconds, self.counters.steps, rates)
        figures = {name.removeprefix("train/"): value for name, value in learner.figures().items()}
        counted = {"seconds": self.counters.seconds, "steps": self.counters.steps, "updates": self.counters.updates}
        self.log.row({**counted, "steps_per_second": rate, **rates, **figures})

    def _save(self) -> None:
        """Write a checkpoint; a full disk ends nothing but is told."""
        self.done()
        try:
            self.shelf.put(self.learner.checkpoint(), self.counters.steps)
        except OSError as error:
            self.display.say(f"no checkpoint was written: {error.strerror}; the last good one is still there")

    # --- the end

    def finish(self) -> Bot:
        """Write the bot, the last checkpoint and the picture."""
        self._evaluate(0.0)
        self._save()
        bot = self._bot()
        bot.save(self.args.folder())
        title = f"{bot.game.title}, {bot.game.players} players, {self.counters.steps:,} steps"
        draw_curve(self.log.rows, title, self.args.folder() / "curve.png")
        self._judge()
        self.display.say(f"the bot is in {self.args.out}: play it as ppo:{self.args.out}")
        return bot

    def _judge(self) -> None:
        """The final table: the bot and its fixed opponents, each against each."""
        if self.args.arena_games and self.args.opponents():
            specs = [f"ppo:{self.args.out}", *self.args.opponents()]
            result = arena(self.learner.game, specs, self.args.arena_games, EVALUATION_SEED + 1)
            write_json(result, self.args.folder() / "arena.json")
            show(self.display.console, result)

    def _bot(self) -> Bot:
        learner, last = self.learner, self.log.rows[-1]
        record = {
            "before": learner.before,
            "command": self.args.command(),
            "seconds": round(self.counters.seconds, 1),
            "steps": self.counters.steps,
            "seed": self.args.seed,
            "args": asdict(self.args),
            "evaluation": {name: value for name, value in last.items() if name.startswith("against ")},
        }
        return Bot(learner.game, learner.net.eval(), learner.spec, self.args.sight(), record)


def _found(args: TrainArgs, shelf: Shelf) -> tuple[Checkpoint | None, list[str]]:
    """The checkpoint to go on from, if that is wanted and there is one."""
    if not args.resume and shelf.paths():
        raise ConfigError(f"{args.out} holds a run already: add --resume to continue it, or choose another --out")
    return shelf.latest() if args.resume else (None, [])


def _continued(args: TrainArgs, before: dict[str, object]) -> TrainArgs:
    """The arguments of a run that goes on: as before, but for its budget and its folder.

    An option that is younger than the run was at its default.
    """
    before = {each.name: each.default for each in fields(TrainArgs)} | before
    free = ("minutes", "steps", "resume", "out", "evaluate_every", "evaluate_games", "checkpoint_every", "arena_games")
    for name, value in asdict(args).items():
        if name not in free and value != before[name]:
            raise ConfigError(f"{name} of this run is {before[name]!r}, not {value!r}: --resume goes on as it began")
    return replace(args, resume=True)
