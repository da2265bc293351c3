"""`parlour arena`, as a user types it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from parlour.envs.core.errors import ConfigError
from parlour.training import arena_report
from parlour.training.arena import AgentResult, ArenaResult, PairResult
from parlour.training.arena_progress import Bar
from parlour.training.cli import app, console

GAME = "kintsugi"


def run(*arguments: str) -> str:
    console.width = 100
    result = CliRunner().invoke(app, ["arena", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: str) -> str:
    """The one line that an impossible command is answered with."""
    command = [sys.executable, "-m", "parlour.training", "arena", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    return line


def made_up(names: list[str]) -> ArenaResult:
    agents = [
        AgentResult(name, 200, 0.5, 0.45, 0.55, 40.0 - 40 * i, 20.0 - 40 * i, 60.0 - 40 * i, 12.5, 10.0 ** (-3 * i))
        for i, name in enumerate(names)
    ]
    pairs = [PairResult(a, b, 100, 0.87, 0.84, 0.9) for i, a in enumerate(names) for b in names[i + 1 :]]
    return ArenaResult("klink", {"players": 4}, 7, 100, agents, pairs, [(0, 1, 2)] if len(names) == 3 else [])


def shown(result: ArenaResult, width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width)
    arena_report.show(console, result)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


class TestTables:
    def test_tell_rates_and_ratings_with_their_intervals(self) -> None:
        told = shown(made_up(["mcts:iterations=1000", "greedy", "random"]))
        assert "klink, 4 players, seed 7" in told
        assert "0.50 [0.45, 0.55]" in told
        assert "+40 [+20, +60]" in told
        assert "0.87 [0.84, 0.90]" in told
        assert "1 s" in told
        assert "1 ms" in told
        assert "1 µs" in told

    def test_name_the_strongest_first(self) -> None:
        told = shown(made_up(["first", "second"]))
        assert told.index("first") < told.index("second")
        assert "Pairings" not in told, "two agents have one pairing, which the first table tells"

    def test_say_when_a_rating_hides_a_circle(self) -> None:
        told = shown(made_up(["stone", "scissors", "paper"]), width=120)
        assert "Not transitive: stone beats scissors, scissors beats paper, and paper beats stone." in told

    def test_number_agents_of_one_name(self) -> None:
        result = made_up(["random", "greedy", "random"])
        assert arena_report.labels(result) == ["random (1)", "greedy", "random (2)"]


class TestFiles:
    def test_json_is_as_the_format_says(self, tmp_path: Path) -> None:
        file = tmp_path / "result.json"
        told = run(GAME, "random", "random", "--games", "9", "--seed", "5", "--json", str(file))
        assert "random (2)" in told
        report = json.loads(file.read_text())
        assert list(report) == ["game", "config", "seed", "games", "agents", "pairs"]
        assert (report["game"], report["seed"], report["games"]) == (GAME, 5, 10)
        assert [agent["name"] for agent in report["agents"]] == ["random", "random"]
        (pair,) = report["pairs"]
        assert pair["a_win_rate_low"] <= pair["a_win_rate"] <= pair["a_win_rate_high"]
        assert [path.name for path in tmp_path.iterdir()] == ["result.json"]

    def test_players_and_until_sure_are_options(self, tmp_path: Path) -> None:
        file = tmp_path / "result.json"
        run(GAME, "random", "random", "--games", "6", "--players", "4", "--until-sure", "--json", str(file))
        assert json.loads(file.read_text())["config"]["players"] == 4

    @pytest.mark.parametrize(("suffix", "begin"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
    def test_a_plot_is_of_the_kind_that_its_name_says(self, suffix: str, begin: bytes, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        file = tmp_path / f"ratings{suffix}"
        arena_report.write_plot(made_up(["random", "greedy", "random"]), file)
        assert file.read_bytes().startswith(begin)

    def test_a_plot_has_a_bar_for_every_agent(self) -> None:
        pytest.importorskip("matplotlib")
        (axes,) = arena_report.draw_ratings(made_up(["random", "greedy", "random"])).axes
        assert [label.get_text() for label in axes.get_yticklabels()] == ["random (2)", "greedy", "random (1)"]
        (bars,) = axes.containers
        assert bars[0].get_xdata().tolist() == [-40.0, 0.0, 40.0]
        assert [segment[:, 0].tolist() for segment in bars[2][0].get_segments()] == [[-60, -20], [-20, 20], [20, 60]]

    def test_a_plot_of_another_kind_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"ends with \.png or \.svg, got .*ratings\.txt"):
            arena_report.write_plot(made_up(["a", "b"]), tmp_path / "ratings.txt")


class TestProgress:
    def test_tells_games_per_second(self) -> None:
        terminal = Console(file=io.StringIO(), force_terminal=True, width=100)
        with Bar(terminal) as bar:
            bar.expects(50)
            bar.finished(20)
            bar.expects(-10)
            bar.finished(20)
        assert isinstance(terminal.file, io.StringIO)
        told = terminal.file.getvalue()
        assert "40/40" in told
        assert "games/s" in told

    def test_is_silent_without_a_terminal(self, capfd: pytest.CaptureFixture[str]) -> None:
        with Bar() as bar:
            bar.expects(50)
            bar.finished(50)
        assert capfd.readouterr() == ("", "")


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["chess", "random", "random"], "error: no game 'chess'; the games are kintsugi"),
            ([GAME, "random", "best"], "error: no agent 'best'; the agents are random"),
            ([GAME, "random"], "error: an arena takes two agents or more, got ['random']; the agents are random"),
            (
                [GAME, "random", "human"],
                f"error: human cannot play in the arena: try `parlour play {GAME} --as human,greedy`",
            ),
            ([GAME, "random", "random", "--players", "5"], "error: players must be one of 2, 3, 4, got 5"),
            ([GAME, "random", "random", "--games", "0"], "error: games must be at least 1, got 0"),
            ([GAME, "random", "random", "--json", "/nowhere/at/all.json"], "there is no folder /nowhere/at"),
            (
                [GAME, "random", "random", "--plot", "ratings.txt"],
                "error: a plot is a file that ends with .png or .svg",
            ),
        ],
        ids=["game", "agent", "too few agents", "human", "players", "games", "folder", "plot"],
    )
    def test_are_one_line_with_the_choices(self, arguments: list[str], told: str) -> None:
        assert told in refused(*arguments)
