"""What `parlour bench --search` measures and tells."""

import json
from pathlib import Path

import pytest

import parlour
from parlour.agents.mcts import Mcts
from parlour.envs.core.errors import ConfigError
from parlour.training import bench_search
from parlour.training.bench import compare
from tests.training.test_cli import run


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few games and iterations that a test has the time."""
    games = {2: 2, 4: 2}
    strength, mirror = bench_search.bench_strength, bench_search.bench_mirror
    monkeypatch.setattr(bench_search, "bench_strength", lambda names, say: strength(names, say, games))
    monkeypatch.setattr(bench_search, "bench_mirror", lambda say: mirror(say, games))
    monkeypatch.setattr(
        bench_search,
        "bench_speed",
        lambda names, _: compare({f"{name}, guided": lambda _: 7.0 for name in names}, None, 1),
    )


@pytest.mark.usefixtures("few")
def test_the_report_has_a_line_for_every_game_and_number_of_iterations(tmp_path: Path) -> None:
    told = run("bench", "patchwork", "--search", "--json", str(tmp_path / "search.json"))
    for title in ("Strength", "mcts against itself"):
        assert title in told
    assert "patchwork, 4 iterations, for points, against itself" in told
    report = json.loads((tmp_path / "search.json").read_text())["search"]
    assert [row["steps_per_second"] for row in report["speed"]] == [7.0]
    played = [(row["iterations"], row["opponent"], row["games"]) for row in report["strength"]]
    assert played == [(2, "greedy", 2), (4, "greedy", 2), (4, "mcts:iterations=2", 2)]
    played = [(row["kind"], row["iterations"], row["games"]) for row in report["mirror"]]
    assert played == [(kind, many, 2) for kind in ("random playouts", "to win", "for points") for many in (2, 4)]


def test_a_file_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no folder"):
        run("bench", "patchwork", "--search", "--json", str(tmp_path / "nowhere" / "search.json"))


def test_the_better_a_search_and_the_less_it_fights_the_more_it_scores_against_itself() -> None:
    plain, winning, collecting = bench_search.bench_mirror(games={60: 6})
    assert (plain.kind, winning.kind, collecting.kind) == ("random playouts", "to win", "for points")
    assert plain.mean_score < winning.mean_score < collecting.mean_score


@pytest.mark.parametrize("game", parlour.games())
def test_what_is_measured_is_searched(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    monkeypatch.setattr(Mcts, "_search", lambda *told: searched.append(told[2].size) or told[2] * 0)
    bench_search.searching(game, prior=True, iterations=5)
    assert searched == [4]


def test_iterations_are_counted_in_seconds_of_one_core() -> None:
    assert bench_search.searching("patchwork", prior=True, iterations=5)(0.0) > 0
