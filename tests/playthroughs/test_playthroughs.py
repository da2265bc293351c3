"""Golden playthroughs: a seeded game of every kind, kept as text, is played the same to the letter."""

import difflib

import pytest

import parlour
from tests.playthroughs.record import FOLDER, file_of, playthrough


@pytest.mark.parametrize("name", parlour.games())
def test_every_game_has_a_playthrough(name: str) -> None:
    assert file_of(name).exists(), f"write it with `python -m tests.playthroughs.record {name}`"


@pytest.mark.parametrize("name", parlour.games())
def test_the_game_is_still_played_like_that(name: str) -> None:
    kept, now = file_of(name).read_text().splitlines(), playthrough(name).splitlines()
    changed = list(difflib.unified_diff(kept, now, "kept", "now", lineterm="", n=1))
    assert not changed, (
        f"{name} plays otherwise than in {file_of(name).name}. If that is meant, run "
        f"`python -m tests.playthroughs.record {name}` and read the difference:\n" + "\n".join(changed[:40])
    )


def test_there_is_no_playthrough_of_an_unknown_game() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} <= set(parlour.games())
