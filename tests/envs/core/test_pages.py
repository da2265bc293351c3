"""The page of each game tells what the game is, down to every entry of every table."""

from pathlib import Path

import pytest

import parlour
from parlour.envs.core import pages
from parlour.envs.core.registry import games


def test_no_page_is_stale() -> None:
    assert pages.stale() == [], "run `make pages`"


@pytest.mark.parametrize("name", games())
class TestPages:
    def test_every_entry_of_every_layout_is_in_it(self, name: str) -> None:
        page, game = pages.read_page(name), parlour.make_game(name)
        for layout in (game.layout, game.memory, game.whole):
            missing = [
                entry for entry in layout.entries if f"| {entry.name} |" not in page or entry.meaning not in page
            ]
            assert not missing

    def test_every_family_of_actions_is_in_it_with_its_ids(self, name: str) -> None:
        page = pages.read_page(name)
        for row in parlour.make_game(name).actions.rows():
            assert "| " + " | ".join(row) + " |" in page

    def test_the_sizes_for_every_number_of_players_are_in_it(self, name: str) -> None:
        page = pages.read_page(name)
        counts = __import__(parlour.make_game(name).rules.setup.__module__.rpartition(".")[0], fromlist=["x"]).PLAYERS
        for players in counts:
            game = parlour.make_game(pages._first(name), players=players)
            sizes = (players, game.num_actions, game.layout.size, game.memory.size, game.whole.size)
            assert "| " + " | ".join(map(str, sizes)) + " |" in page

    def test_every_option_is_in_it(self, name: str) -> None:
        page = pages.read_page(name)
        for option in parlour.make_game(name).config:
            assert f"| {option} |" in page, option

    def test_it_says_what_ends_the_game_and_what_it_pays(self, name: str) -> None:
        page = pages.read_page(name)
        for title in ("# ", "## Options", "## Specs", "## Actions", "## Observation", "## Rewards", "## Termination"):
            assert title in page
        assert "## Version history" in page


def test_what_stands_between_the_marks_is_replaced_and_nothing_else() -> None:
    source = f'"""Head\n{pages.BEGIN}\nold\n{pages.END}\ntail"""\ncode = 1\n'
    fresh = pages.with_generated(source, "new")
    assert fresh == f'"""Head\n{pages.BEGIN}\n\nnew\n\n{pages.END}\ntail"""\ncode = 1\n'
    assert pages.with_generated(fresh, "new") == fresh


def test_a_changed_page_is_stale_until_it_is_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = {}
    for name in games():
        copies[name] = tmp_path / f"{pages._first(name)}.py"
        copies[name].write_text(
            pages.with_generated(pages.page_file(name).read_text(), pages.generated(pages._first(name)))
        )
    monkeypatch.setattr(pages, "page_file", copies.__getitem__)
    assert pages.stale() == []
    right = copies["patchwork"].read_text()
    copies["patchwork"].write_text(right.replace("| advance |", "| retreat |"))
    assert pages.stale() == ["patchwork"]
    pages.main()
    assert f"rewrote {copies['patchwork']}" in capsys.readouterr().out
    assert copies["patchwork"].read_text() == right
    assert pages.stale() == []
