"""The bots that come with Parlour: what is in their folders, and how they fare against greedy."""

import json
from pathlib import Path

import pytest

import parlour
from parlour.agents import load
from parlour.agents.bot import find, load_bot, shipped
from parlour.training import arena
from parlour.training.card import PAGE, page

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

    def test_it_plays_better_than_greedy(self, name: str) -> None:
        (pair,) = arena(name, [f"ppo:{name}", "greedy"], 300, seed=2026).pairs
        assert pair.a_win_rate > 0.5

    @pytest.mark.slow
    def test_it_beats_greedy_as_its_page_says(self, name: str) -> None:
        told = json.loads((find(name) / "arena.json").read_text())["pairs"]
        low = next(pair["a_win_rate_low"] for pair in told if pair["b"] == "greedy")
        (pair,) = arena(name, [f"ppo:{name}", "greedy"], 2000, seed=2027).pairs
        assert pair.a_win_rate_high > low
