"""What a training run can be told. One table is the command line, the documentation and the logged configuration."""

import json
from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

from parlour.agents.sight import Sight
from parlour.agents.spec import split_specs
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.options import Observing, read_choice, read_whole
from parlour.envs.core.record import REWARDS
from parlour.envs.core.registry import door, make_game

if TYPE_CHECKING:
    from parlour.envs.core.game import Game


def option(default: Any, meaning: str, low: float | None = None, high: float | None = None, **more: Any) -> Any:
    """A field with its documentation, its range and its choices."""
    return field(default=default, metadata={"help": meaning, "low": low, "high": high, **more})


@dataclass(frozen=True)
class TrainArgs:
    """One training run. `TrainArgs.of(game, …)` fills in what suits the game."""

    game: str = option("kintsugi", "The game to learn.")
    out: str = option("runs/kintsugi", "Folder for the bot, its checkpoints, logs and pictures.")
    minutes: float | None = option(None, "How long to train, all told. 5 if neither this nor --steps is given.", 0.01)
    steps: int | None = option(None, "How many decisions of the learner to train on, instead of --minutes.", 1)
    seed: int = option(0, "Seed of the weights, the games and everything else that is left to chance.", 0)
    resume: bool = option(False, "Continue the run in the folder, if there is one.")
    start: str = option("", "A trained bot to begin with: its name or its folder.")
    players: int | None = option(None, "Players at the table; the game's default if not given.", 2)
    reward: str = option("outcome", "What to play for: to win, or for a margin.", choices=REWARDS)
    observation: str = option(
        "observe", "See what a player sees now, or what it could remember.", choices=("observe", "remember")
    )
    guided: bool = option(False, "Show the network what greedy thinks of every action, as a start.")
    ahead: bool = option(False, "Let greedy play on to the end before it says so: Patchwork only.")
    net: str = option("mlp", 'Kind of network: "mlp", or "quilt" for Patchwork.')
    hidden: str = option("256,256", "Widths of the network's hidden layers.")
    channels: int = option(16, "Feature maps of its convolutions, where it has any.", 1)
    envs: int = option(256, "Games played at once.", 1)
    rollout: int = option(64, "Decisions in each game between updates.", 1)
    batch: int = option(4096, "Decisions in a minibatch.", 1)
    epochs: int = option(4, "Passes over the decisions of each update.", 1)
    learning_rate: float = option(1e-3, "Learning rate at the beginning.", 0)
    final_learning_rate: float = option(1e-4, "Learning rate at the end; it falls along a line.", 0)
    entropy: float = option(0.01, "Weight of the policy's entropy at the beginning.", 0)
    final_entropy: float = option(0.002, "Weight of the policy's entropy at the end.", 0)
    gamma: float = option(1.0, "Discount of what comes later.", 0, 1)
    gae_lambda: float = option(0.95, "How far advantages look ahead (GAE).", 0, 1)
    clip: float = option(0.2, "How far an update may move a probability (PPO).", 0)
    value_weight: float = option(0.5, "Weight of the value's error in the loss.", 0)
    baselines: str = option("random,greedy", "Fixed opponents, in training and evaluation, with commas between them.")
    baseline_share: float = option(0.3, "Share of the games against the fixed opponents, the hard ones first.", 0, 1)
    current_share: float = option(0.3, "Share of the games against the learner as it is now.", 0, 1)
    snapshot_every: int = option(10, "Updates between two snapshots that join the opponents.", 1)
    snapshots: int = option(12, "Snapshots kept as opponents.", 1)
    whole_clan: bool = option(False, "In a team game, let the learner play its whole clan.")
    imitate: float = option(0.0, "Share of the budget in which to imitate a teacher first.", 0, 0.9)
    teacher: str = option("greedy", "Whom to imitate.")
    lesson_passes: int = option(1, "Passes over each lesson of the teacher; more for one that thinks long.", 1)
    evaluate_every: float = option(20.0, "Seconds between evaluations.", 0.1)
    evaluate_games: int = option(400, "Games against each opponent of an evaluation.", 2)
    checkpoint_every: float = option(30.0, "Seconds between checkpoints.", 0)
    checkpoints: int = option(3, "Checkpoints kept.", 1)
    arena_games: int = option(1000, "Games of each pairing of the final table; 0 leaves it out.", 0)
    threads: int = option(2, "Threads of the network's arithmetic.", 1)

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for each in fields(self):
            object.__setattr__(self, each.name, _checked(each, hints[each.name], getattr(self, each.name)))
        if self.minutes is not None and self.steps is not None:
            raise ConfigError("give minutes or steps, not both")
        if self.minutes is None and self.steps is None:
            object.__setattr__(self, "minutes", 5.0)
        if self.baseline_share + self.current_share > 1:
            raise ConfigError("baseline_share and current_share are shares of the games: together at most 1")
        self.widths()

    @classmethod
    def of(cls, game: str, **given: Any) -> "TrainArgs":
        """The arguments for a game: what is given, else what suits the game, else what suits most.

        Raises:
            ConfigError: If there is no such game or option, or a value does not fit.
        """
        name = door(game).name
        known = [each.name for each in fields(cls)]
        unknown = [key for key in given if key not in known]
        if unknown:
            raise ConfigError(f"training has no option {unknown[0]!r}; its options are {', '.join(known)}")
        return cls(**{"game": name, "out": f"runs/{name}", **SUITS[name], **given})

    def made_game(self) -> "Game":
        """The game in the configuration to train on."""
        seats = {} if self.players is None else {"players": self.players}
        return make_game(self.game, reward=self.reward, **seats)

    def widths(self) -> tuple[int, ...]:
        """`hidden` as numbers."""
        try:
            return tuple(int(width) for width in self.hidden.split(","))
        except ValueError:
            raise ConfigError(f'hidden must be widths such as "256,256", got {self.hidden!r}') from None

    def sight(self) -> Sight:
        """What the network is shown."""
        return Sight(cast(Observing, self.observation), self.guided, self.guided and self.ahead)

    def opponents(self) -> list[str]:
        """`baselines` as a list of agents."""
        return split_specs(self.baselines) if self.baselines else []

    def folder(self) -> Path:
        return Path(self.out)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2)

    def command(self) -> str:
        """The command line that says the same."""
        usual = asdict(TrainArgs.of(self.game, **({"steps": 1} if self.steps else {})))
        words = ["parlour", "train", self.game]
        for key, value in asdict(self).items():
            if value != usual[key] and key not in ("game", "resume") and value is not None:
                flag = f"--{key.replace('_', '-')}"
                words += _typed(flag, value)
        return " ".join(words)


def _typed(flag: str, value: Any) -> list[str]:
    """How an option is typed."""
    if isinstance(value, bool):
        return [flag if value else flag.replace("--", "--no-", 1)]
    return [flag, f"{value:g}" if isinstance(value, float) else str(value)]


def _checked(each: Field[Any], hint: Any, value: Any) -> Any:
    """A value of the field's type and range."""
    kinds = get_args(hint) or (hint,)
    if value is None and type(None) in kinds:
        return None
    if kinds[0] is int:
        value = read_whole(each.name, value)
    elif kinds[0] is float and isinstance(value, int | float) and not isinstance(value, bool):
        value = float(value)
    elif type(value) is not kinds[0]:
        raise ConfigError(f"{each.name} must be {kinds[0].__name__}, got {value!r}")
    rules: Mapping[str, Any] = each.metadata
    if rules["low"] is not None and not value >= rules["low"]:
        raise ConfigError(f"{each.name} must be at least {rules['low']:g}, got {value!r}")
    if rules["high"] is not None and value > rules["high"]:
        raise ConfigError(f"{each.name} must be at most {rules['high']:g}, got {value!r}")
    return read_choice(each.name, value, rules["choices"]) if "choices" in rules else value


CARDS: dict[str, Any] = {"guided": True, "imitate": 0.02, "gae_lambda": 0.7, "baseline_share": 0.5}
"""For games with luck of the cards: credit that does not look far ahead, and more games against the fixed opponents.

After twelve minutes with the common defaults a bot for Kintsugi stood at 0.80 against greedy; two more minutes so took
it to 0.84.
"""

SUITS: dict[str, dict[str, Any]] = {
    "kintsugi": CARDS,
    "broken_and_beautiful": CARDS,
    "patchwork": {
        "guided": True,
        "ahead": True,
        "imitate": 0.75,
        "teacher": "mcts:iterations=40",
        "lesson_passes": 3,
        "net": "quilt",
        "hidden": "256",
        "channels": 8,
        "rollout": 32,
        "batch": 2048,
        "epochs": 3,
        "final_learning_rate": 5e-5,
        "entropy": 0.002,
        "final_entropy": 0.0003,
        "baseline_share": 0.2,
        "current_share": 0.4,
    },
    "kitsu": {"guided": True, "imitate": 0.02, "whole_clan": True},
    "klink": CARDS,
}
"""What suits each game better than the common defaults."""
