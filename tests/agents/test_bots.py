"""The shipped bots: small, loadable by name, better than greedy, and described by what lies beside them."""

import json
from pathlib import Path

import pytest

import parlour
from parlour.agents.bot import find, load_bot, shipped
from parlour.training import arena
from parlour.training.card import ARENA, PAGE, page

BOTS = [pytest.param(name, id=name) for name in shipped()]
CLEARLY_BETTER = {"kitsu": 0.6, "klink": 0.6}
"""Where luck is greater, a smaller lead over greedy is asked for."""


def test_every_edition_has_one() -> None:
    assert set(shipped()) >= set(parlour.games())


@pytest.mark.parametrize("name", BOTS)
class TestShipped:
    def test_takes_little_room(self, name: str) -> None:
        assert sum(file.stat().st_size for file in find(name).iterdir() if file.suffix != ".png") < 5e6

    def test_its_page_is_not_stale(self, name: str) -> None:
        assert (find(name) / PAGE).read_text() == page(find(name)), "run python -m parlour.training.card"

    def test_its_picture_and_its_record_are_there(self, name: str) -> None:
        assert (find(name) / "curve.png").read_bytes().startswith(b"\x89PNG")
        assert load_bot(find(name)).record["command"].startswith(f"parlour train {name}")
        assert json.loads((find(name) / ARENA).read_text())["game"] == name

    def test_beats_greedy(self, name: str) -> None:
        pair = arena(load_bot(find(name)).game, [f"ppo:{name}", "greedy"], games=300, seed=5).pairs[0]
        assert pair.a_win_rate > CLEARLY_BETTER.get(name, 0.7)


def test_no_machine_is_named_in_a_page() -> None:
    for name in shipped():
        text = (find(name) / PAGE).read_text() + (Path(find(name)) / "bot.json").read_text()
        assert "/tmp" not in text
        assert "/work" not in text
