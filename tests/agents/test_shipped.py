"""The bots that come with Parlour: what is in their folders, and how they fare against greedy."""

import json
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.agents import load
from parlour.agents.bot import find, load_bot, shipped
from parlour.training import arena
from parlour.training.card import PAGE, page

README = Path(__file__).parents[2] / "README.md"
SIZE = 5 * 10**6


def test_every_edition_has_one() -> None:
    assert shipped() == sorted(parlour.games())


@pytest.mark.parametrize("name", shipped())
class TestShipped:
    def test_it_plays_the_usual_table_of_its_game_and_is_small(self, name: str) -> None:
        load(f"ppo:{name}", parlour.make_game(name))
        assert sum(file.stat().st_size for file in find(name).iterdir()) <= SIZE

    def test_its_page_tells_what_its_files_tell(self, name: str) -> None:
        assert (find(name) / PAGE).read_text() == page(find(name))
        assert (find(name) / "curve.png").read_bytes().startswith(b"\x89PNG")

    def test_its_record_names_no_folder_of_the_machine(self, name: str) -> None:
        record = load_bot(find(name)).record
        assert record["command"].startswith(f"parlour train {name} ")
        assert not [value for value in record["args"].values() if isinstance(value, str) and Path(value).is_absolute()]

    def test_its_page_says_how_much_better_than_greedy_it_is(self, name: str) -> None:
        """Klink's is level with greedy, the others are better beyond doubt."""
        assert told(name)["a_win_rate_low"] > (0.47 if name == "klink" else 0.5)

    def test_the_readme_tells_the_same(self, name: str) -> None:
        rate, low, high = (told(name)[f"a_win_rate{end}"] for end in ("", "_low", "_high"))
        training = load_bot(find(name)).record
        minutes = sum(run["seconds"] for run in (*training.get("before", []), training)) / 60
        (row,) = [line for line in README.read_text().splitlines() if line.startswith(f"| [`ppo:{name}`]")]
        assert f"| {rate:.2f} [{low:.2f}, {high:.2f}]" in row
        assert row.endswith(f"| {minutes:.0f} |")

    @pytest.mark.parametrize("games", [300, pytest.param(2000, marks=pytest.mark.slow)])
    def test_it_plays_as_well_as_its_page_says(self, name: str, games: int) -> None:
        (pair,) = arena(name, [f"ppo:{name}", "greedy"], games, seed=2026 + games).pairs
        assert pair.a_win_rate_high > told(name)["a_win_rate_low"]


def told(name: str) -> dict[str, Any]:
    """The pairing of a bot and greedy, as its folder tells it."""
    pairs = json.loads((find(name) / "arena.json").read_text())["pairs"]
    found: dict[str, Any] = next(pair for pair in pairs if (pair["a"], pair["b"]) == (f"ppo:{name}", "greedy"))
    return found
