"""The command line, as a user types it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import parlour
from parlour.training import bench
from parlour.training.cli import app, console


def run(*arguments: str) -> str:
    console.width = 200
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_games_lists_every_game_with_its_ids() -> None:
    told = run("games")
    for name in parlour.games():
        assert name in told
    assert "parlour/BrokenAndBeautiful-v0" in told
    assert "parlour/broken-and-beautiful-v0" in told


@pytest.mark.parametrize("name", parlour.games())
def test_rules_prints_the_clauses(name: str) -> None:
    assert {"patchwork": "PAT-12", "kitsu": "KIT-13", "klink": "KLI-13"}.get(name, "KIN-13") in run("rules", name)


@pytest.mark.parametrize("name", parlour.games())
def test_page_prints_the_observation_table(name: str) -> None:
    assert "to_move" in run("page", name)


def test_help_names_every_command() -> None:
    told = run("--help")
    for command in ("games", "rules", "page", "play", "watch", "check", "arena", "warmup", "bench"):
        assert command in told


def test_an_unknown_game_gets_one_line_with_the_choices() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "parlour.training", "rules", "chess"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == ["error: no game 'chess'; the games are " + ", ".join(parlour.games())]


def test_bench_compares_contestants_turn_by_turn() -> None:
    speeds = bench.compare({"ours": lambda _: 30.0, "peer": lambda _: 10.0}, "peer", 1.0)
    assert [(s.name, s.steps_per_second, s.ratio) for s in speeds] == [("ours", 30.0, 3.0), ("peer", 10.0, 1.0)]


def test_bench_reports_tables_and_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bench, "bench_batches", lambda names, _: bench.compare(dict.fromkeys(names, lambda _: 5.0), None, 1)
    )
    monkeypatch.setattr(bench, "bench_scaling", lambda name, _: [bench.Speed(name, 7.0, 1.0)])
    monkeypatch.setattr(bench, "bench_aec", lambda names, _: [bench.Speed(name, 3.0, 6.5) for name in names])
    monkeypatch.setattr(bench, "bench_start", lambda names: [bench.Start(name, 9.0, 0.5) for name in names])
    told = run("bench", "patchwork", "--json", str(tmp_path / "figures.json"))
    assert "6.50" in told
    report = json.loads((tmp_path / "figures.json").read_text())
    assert report["aec"] == [{"name": "patchwork", "steps_per_second": 3.0, "ratio": 6.5}]
    assert report["first_step"] == [{"game": "patchwork", "cold": 9.0, "warm": 0.5}]


def test_bench_really_plays() -> None:
    assert bench.batched_play("kintsugi", size=8)(0.01) > 0
    assert bench.aec_play(parlour.envs.kintsugi_v0.env())(0.01) > 0
