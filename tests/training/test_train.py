"""Training: arguments, what a run writes, resuming to the bit, and whether it learns."""

import io
import json
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console
from stable_baselines3.common.callbacks import BaseCallback
from typer.testing import CliRunner

import parlour
from parlour.agents.bot import load_bot
from parlour.agents.nets import NETS, MlpNet
from parlour.agents.sight import PLAIN, Sight
from parlour.agents.tensors import unpack
from parlour.training.args import SUITS, TrainArgs
from parlour.training.checkpoint import Checkpoint, Shelf
from parlour.training.cli import app
from parlour.training.learner import Learner
from parlour.training.logs import read_rows
from parlour.training.trainer import train

TINY = {
    "imitate": 0.0,
    "envs": 16,
    "rollout": 8,
    "batch": 64,
    "epochs": 1,
    "hidden": "16",
    "baselines": "random",
    "snapshot_every": 2,
    "snapshots": 2,
    "evaluate_every": 1000.0,
    "evaluate_games": 8,
    "checkpoint_every": 0.0,
    "arena_games": 0,
    "threads": 1,
}
PER_UPDATE = 16 * 8


def tiny(out: Path, updates: int, **more: object) -> TrainArgs:
    return TrainArgs.of("kintsugi", out=str(out), steps=updates * PER_UPDATE, **{**TINY, **more})


def quiet() -> Console:
    return Console(file=io.StringIO(), width=200)


class TestArguments:
    def test_every_game_has_arguments_that_fit(self) -> None:
        assert set(SUITS) == set(parlour.games())
        for game in parlour.games():
            assert TrainArgs.of(game).made_game().name == game

    def test_what_is_given_wins_over_what_suits_the_game(self) -> None:
        assert TrainArgs.of("patchwork").net == "quilt"
        assert TrainArgs.of("patchwork", net="mlp").net == "mlp"

    @pytest.mark.parametrize(
        ("given", "complaint"),
        [
            ({"speed": 1}, "no option 'speed'; its options are game, out"),
            ({"minutes": 1, "steps": 1}, "minutes or steps, not both"),
            ({"gamma": 2.0}, "gamma must be at most 1, got 2.0"),
            ({"envs": 0}, "envs must be at least 1, got 0"),
            ({"envs": 1.5}, "envs must be a whole number"),
            ({"learning_rate": float("nan")}, "learning_rate must be at least 0"),
            ({"learning_rate": "fast"}, "learning_rate must be float"),
            ({"hidden": "wide"}, 'widths such as "256,256"'),
            ({"reward": "money"}, "reward must be one of outcome, margin"),
            ({"baseline_share": 0.7, "current_share": 0.7}, "together at most 1"),
        ],
    )
    def test_what_does_not_fit_is_refused_in_one_line(self, given: dict[str, object], complaint: str) -> None:
        with pytest.raises(parlour.ConfigError) as refused:
            TrainArgs.of("kintsugi", **given)
        assert complaint in str(refused.value)
        assert "\n" not in str(refused.value)

    def test_baselines_keep_their_options(self) -> None:
        assert TrainArgs.of("kintsugi", baselines="mcts:iterations=9,trees=1,greedy").opponents() == [
            "mcts:iterations=9,trees=1",
            "greedy",
        ]
        assert TrainArgs.of("kintsugi", baselines="").opponents() == []

    def test_an_unknown_game_gets_the_choices(self) -> None:
        with pytest.raises(parlour.ConfigError, match="the games are kintsugi"):
            TrainArgs.of("chess")

    def test_the_command_line_has_every_field_with_its_meaning(self) -> None:
        told = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "400", "TERMINAL_WIDTH": "400"}).output
        for each in fields(TrainArgs):
            if each.name != "game":
                assert f"--{each.name.replace('_', '-')}" in told
                assert each.metadata["help"][:30] in told

    def test_the_command_says_what_is_not_usual(self) -> None:
        args = TrainArgs.of("klink", steps=10, learning_rate=5e-4, whole_clan=True)
        assert args.command() == "parlour train klink --steps 10 --learning-rate 0.0005 --whole-clan"
        assert TrainArgs.of("klink", steps=10, guided=False).command() == "parlour train klink --steps 10 --no-guided"

    def test_nobody_looks_ahead_to_guide_where_nobody_is_guided(self) -> None:
        assert TrainArgs.of("patchwork").sight() == Sight(guided=True, ahead=True)
        assert TrainArgs.of("patchwork", guided=False).sight() == PLAIN


class TestRun:
    def test_a_run_writes_bot_logs_picture_and_checkpoints(self, tmp_path: Path) -> None:
        console = quiet()
        bot = train(tiny(tmp_path, 3, arena_games=8), console=console)
        assert load_bot(tmp_path).record["steps"] == 3 * PER_UPDATE
        assert bot.record["command"].startswith("parlour train kintsugi --out")
        assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
        assert json.loads((tmp_path / "config.json").read_text())["envs"] == 16
        assert json.loads((tmp_path / "arena.json").read_text())["agents"][0]["name"] == f"ppo:{tmp_path}"
        assert list((tmp_path / "tensorboard").iterdir())
        rows = read_rows(tmp_path / "progress.csv")
        assert rows[-1]["steps"] == 3 * PER_UPDATE
        assert {"against random", "against past self", "value_loss"} <= set(rows[-1])
        assert len(Shelf(tmp_path / "checkpoints").paths()) == 3
        assert "against random" in console.file.getvalue()  # type: ignore[attr-defined]

    def test_a_bot_to_begin_with_is_where_learning_starts(self, tmp_path: Path) -> None:
        train(tiny(tmp_path / "a", 3), console=quiet())
        train(
            tiny(tmp_path / "b", 1, start=str(tmp_path / "a"), learning_rate=0.0, final_learning_rate=0.0),
            console=quiet(),
        )
        assert same_weights(tmp_path / "a", tmp_path / "b")
        first, second = load_bot(tmp_path / "a").record, load_bot(tmp_path / "b").record
        assert first["before"] == []
        assert second["before"] == [{key: first[key] for key in ("command", "seconds", "steps")}]

    def test_a_bot_of_another_shape_is_no_beginning(self, tmp_path: Path) -> None:
        train(tiny(tmp_path / "a", 1), console=quiet())
        with pytest.raises(parlour.ConfigError, match=r"cannot begin with .*: it reads"):
            train(tiny(tmp_path / "b", 1, start=str(tmp_path / "a"), hidden="8"), console=quiet())

    def test_a_bot_that_was_guided_otherwise_is_no_beginning(self, tmp_path: Path) -> None:
        small = {**TINY, "net": "mlp", "envs": 4, "rollout": 2, "steps": 8}
        train(TrainArgs.of("patchwork", out=str(tmp_path / "a"), **{**small, "ahead": False}), console=quiet())
        with pytest.raises(parlour.ConfigError, match=r"cannot begin with .*ahead=False.*, not .*ahead=True"):
            train(TrainArgs.of("patchwork", out=str(tmp_path / "b"), start=str(tmp_path / "a"), **small))
        assert not (tmp_path / "b").exists()

    def test_a_folder_with_a_run_is_not_overwritten(self, tmp_path: Path) -> None:
        train(tiny(tmp_path, 1), console=quiet())
        with pytest.raises(parlour.ConfigError, match="add --resume to continue it"):
            train(tiny(tmp_path, 1), console=quiet())

    @pytest.mark.parametrize("part", ["baselines", "teacher"])
    def test_nobody_trains_with_a_person_who_would_have_to_type(self, part: str, tmp_path: Path) -> None:
        with pytest.raises(parlour.ConfigError, match="human cannot take part in training: name agents that"):
            train(tiny(tmp_path / "run", updates=1, **{part: "human"}))
        assert not (tmp_path / "run").exists()

    def test_the_same_seed_gives_the_same_bot(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            train(tiny(tmp_path / name, 3), console=quiet())
        assert same_weights(tmp_path / "a", tmp_path / "b")

    def test_it_imitates_a_teacher_first(self, tmp_path: Path) -> None:
        console = quiet()
        train(tiny(tmp_path, 40, imitate=0.9, teacher="random"), console=console)
        assert load_bot(tmp_path).record["steps"] >= 40 * PER_UPDATE

    def test_a_lesson_is_gone_over_as_often_as_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        passes = []
        monkeypatch.setattr("parlour.training.learner.learn_lesson", lambda *_: passes.append(0.5) or 0.5)
        train(tiny(tmp_path, 40, imitate=0.1, teacher="random", lesson_passes=3), console=quiet())
        assert len(passes) == 3

    def test_own_nets_opponents_and_callbacks_take_part(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Mine(MlpNet):
            pass

        class First:
            called = 0

            def act(self, batch: parlour.Batch, rows: np.ndarray) -> np.ndarray:
                First.called += 1
                return batch.legal[rows].argmax(axis=1)

        class Stop(BaseCallback):
            def _on_step(self) -> bool:
                return self.n_calls < 12

        monkeypatch.setitem(NETS, "mine", Mine)
        bot = train(
            tiny(tmp_path, 99, net="mine", guided=False),
            opponents={"first": (First(), 5.0)},
            callback=Stop(),
            console=quiet(),
        )
        assert isinstance(bot.net, Mine)
        assert First.called
        assert bot.record["steps"] == PER_UPDATE

    def test_a_disk_that_fills_up_is_told_and_ends_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        console = quiet()
        monkeypatch.setattr(Shelf, "put", full)
        train(tiny(tmp_path, 2), console=console)
        assert "No space left on device" in console.file.getvalue()  # type: ignore[attr-defined]


def same_weights(one: Path, other: Path) -> bool:
    ours, theirs = (unpack((folder / "bot.safetensors").read_bytes())[0] for folder in (one, other))
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


class Crash(BaseCallback):
    """Ends a run at the n-th step of its rollouts, as a power cut would."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def _on_step(self) -> bool:
        if self.n_calls == self.after:
            raise KeyboardInterrupt
        return True


class TestResume:
    def test_a_run_that_was_cut_off_goes_on_to_the_bit(self, tmp_path: Path) -> None:
        train(tiny(tmp_path / "whole", 7), console=quiet())
        for updates in (2, 5):
            with pytest.raises(KeyboardInterrupt):
                train(tiny(tmp_path / "cut", 7, resume=True), callback=Crash(8 * 2 + 3), console=quiet())
            found = Shelf(tmp_path / "cut" / "checkpoints").latest()[0]
            assert found is not None
            assert found.state["counters"]["updates"] in (updates, updates - 1)
        console = quiet()
        train(tiny(tmp_path / "cut", 7, resume=True), console=console)
        assert "continuing after" in console.file.getvalue()  # type: ignore[attr-defined]
        assert same_weights(tmp_path / "whole", tmp_path / "cut")

    def test_a_checkpoint_holds_everything(self, tmp_path: Path) -> None:
        args = tiny(tmp_path, 9)
        learner = Learner(args, {})
        called = learner.begin([])
        for _ in range(5):
            learner.update(0.0, called)
        held = Checkpoint.from_bytes(learner.checkpoint().to_bytes())
        learner.update(0.0, called)
        again = Learner(args, {}, held)
        again.update(0.0, again.begin([]))
        ours, theirs = learner.checkpoint(), again.checkpoint()
        assert set(ours.arrays) == set(theirs.arrays)
        assert all(np.array_equal(ours.arrays[name], theirs.arrays[name]) for name in ours.arrays)
        assert ours.state == theirs.state

    def test_a_damaged_checkpoint_is_named_and_the_one_before_it_used(self, tmp_path: Path) -> None:
        train(tiny(tmp_path, 3), console=quiet())
        last = Shelf(tmp_path / "checkpoints").paths()[-1]
        last.write_bytes(last.read_bytes()[:-7])
        console = quiet()
        train(tiny(tmp_path, 4, resume=True), console=console)
        told = console.file.getvalue()  # type: ignore[attr-defined]
        assert f"{last} cannot be used" in told
        assert f"continuing after {2 * PER_UPDATE} steps" in told

    def test_a_run_from_before_an_option_goes_on_with_its_default(self, tmp_path: Path) -> None:
        train(tiny(tmp_path, 1), console=quiet())
        shelf = Shelf(tmp_path / "checkpoints")
        found = shelf.latest()[0]
        assert found is not None
        for option in ("start", "clip"):
            del found.state["args"][option]
        shelf.put(found, PER_UPDATE)
        with pytest.raises(parlour.ConfigError, match=r"clip of this run is 0.2, not 0.3"):
            train(tiny(tmp_path, 2, resume=True, clip=0.3), console=quiet())
        assert train(tiny(tmp_path, 2, resume=True), console=quiet()).record["steps"] == 2 * PER_UPDATE

    def test_nothing_but_the_budget_may_change(self, tmp_path: Path) -> None:
        train(tiny(tmp_path, 1), console=quiet())
        with pytest.raises(parlour.ConfigError, match=r"gamma of this run is 1.0, not 0.9"):
            train(tiny(tmp_path, 2, gamma=0.9, resume=True), console=quiet())

    @pytest.mark.slow
    def test_a_run_that_is_killed_again_and_again_comes_to_its_end(self, tmp_path: Path) -> None:
        words = [f"--{key.replace('_', '-')}={value}" for key, value in {**TINY, "steps": 400 * PER_UPDATE}.items()]
        command = [
            sys.executable,
            "-m",
            "parlour.training",
            "train",
            "kintsugi",
            "--resume",
            f"--out={tmp_path}",
            *words,
        ]
        chance = np.random.default_rng(0)
        reached = []
        for _ in range(6):
            run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            before = len(reached) and reached[-1]
            while run.poll() is None and steps_of(tmp_path) <= before:
                time.sleep(0.05)
            time.sleep(float(chance.random()))
            run.send_signal(signal.SIGKILL)
            run.wait()
            reached.append(steps_of(tmp_path))
        assert reached == sorted(set(reached))
        subprocess.run([*command], check=True, capture_output=True)
        assert load_bot(tmp_path).record["steps"] == 400 * PER_UPDATE


def steps_of(folder: Path) -> int:
    found = Shelf(folder / "checkpoints").latest()[0]
    return int(found.state["counters"]["steps"]) if found else 0


def learned(game: str, folder: Path, **given: object) -> dict[str, float]:
    """Win rates after a short training."""
    torch.manual_seed(0)
    usual = {"out": str(folder), "evaluate_every": 1e6, "checkpoint_every": 1e6, "arena_games": 0}
    bot = train(TrainArgs.of(game, **{**usual, **given}), console=quiet())
    found: dict[str, float] = bot.record["evaluation"]
    return found


ALONE: dict[str, object] = {"baselines": "random", "guided": False, "imitate": 0.0, "final_learning_rate": 1e-3}
"""Whoever learns so has nothing from greedy."""


class TestLearning:
    """Gates: each fails when the learner stops learning, and passes with room to spare when it learns."""

    def test_kintsugi_is_learned_in_moments(self, tmp_path: Path) -> None:
        rates = learned("kintsugi", tmp_path, steps=150_000, hidden="128,128", **ALONE)
        assert rates["against random"] > 0.78

    @pytest.mark.slow
    def test_kintsugi_is_learned_well_in_three_minutes(self, tmp_path: Path) -> None:
        """About what two cores manage in three minutes, counted in steps so that a busy machine changes nothing."""
        rates = learned("kintsugi", tmp_path, steps=2_000_000, evaluate_games=1000)
        assert rates["against random"] >= 0.98
        assert rates["against greedy"] >= 0.75

    @pytest.mark.parametrize(
        ("game", "steps", "rate"),
        [
            ("broken_and_beautiful", 66_000, 0.5),
            ("patchwork", 25_000, 0.7),
            ("kitsu", 50_000, 0.75),
            ("klink", 50_000, 0.6),
        ],
    )
    def test_every_game_is_learned(self, tmp_path: Path, game: str, steps: int, rate: float) -> None:
        """One that learns nothing reaches 0.10, 0.58, 0.49 and 0.17."""
        assert learned(game, tmp_path, steps=steps, threads=1, **ALONE)["against random"] > rate
