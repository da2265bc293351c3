"""The bench of learners: what it measures, on the shortest of runs."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from parlour.training import bench_training
from parlour.training.cli import app, console


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_training, "NUM_ENVS", 8)
    monkeypatch.setattr(bench_training, "STEPS", 2)
    monkeypatch.setattr(bench_training, "LEARNERS", {"short": {"batch_size": 16, "n_epochs": 1}})


def test_every_opponent_is_measured_beside_a_free_environment(tmp_path: Path) -> None:
    console.width = 200
    file = tmp_path / "figures.json"
    asked = ["bench", "klink", "--training", "--seconds", "0", "--json", str(file)]
    result = CliRunner().invoke(app, asked, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    rows = json.loads(file.read_text())["training"]
    assert [row["opponents"] for row in rows] == ["random", "greedy"]
    for row in rows:
        assert row["steps_per_second"] > 0
        assert 0 < row["share"] < 1
        assert row["slower"] < 1
        assert row["opponents"] in result.output


def test_a_free_environment_shows_what_the_game_does_and_never_ends() -> None:
    free = bench_training.Free("klink", 8, seed=0)
    timed = bench_training.Timed("klink", 8, seed=0)
    np.testing.assert_array_equal(free.reset(), timed.reset())
    np.testing.assert_array_equal(np.stack(free.env_method("action_masks"))[0], timed.env_method("action_masks"))
    for _ in range(50):
        _, rewards, dones, _ = free.step(np.zeros(8, int))
        assert not rewards.any()
        assert not dones.any()
