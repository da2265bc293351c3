"""Named layouts: slices, shapes, bounds and tables come from one place."""

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.layout import Actions, Entry, Family, Layout
from tests.envs.core.play import CASES, play

QUILT = Entry("quilt", (2, 3, 3), 1, "cells of both quilts")
TIME = Entry("time", (2,), 2, "time tokens", low=-1)
TURN = Entry("turn", (), 0.5, "whose turn")
LAYOUT = Layout((QUILT, TIME, TURN))


class TestLayout:
    def test_entries_follow_upon_each_other(self) -> None:
        assert LAYOUT.slices == {"quilt": slice(0, 18), "time": slice(18, 20), "turn": slice(20, 21)}
        assert LAYOUT.size == 21

    def test_the_space_has_the_bounds_of_every_entry(self) -> None:
        space: Any = LAYOUT.space
        assert (space.shape, space.dtype) == ((21,), np.float32)
        assert space.low.tolist() == [0.0] * 18 + [-1.0] * 2 + [0.0]
        assert space.high.tolist() == [1.0] * 18 + [2.0] * 2 + [0.5]

    @pytest.mark.parametrize("batch", [(), (4,), (4, 5)])
    def test_a_view_has_the_shape_of_its_entry_behind_that_of_the_batch(self, batch: tuple[int, ...]) -> None:
        vectors = np.arange(np.prod((*batch, 21)), dtype=np.float32).reshape(*batch, 21)
        for entry in LAYOUT.entries:
            assert LAYOUT.view(vectors, entry.name).shape == (*batch, *entry.shape)
        np.testing.assert_array_equal(LAYOUT.view(vectors, "time"), vectors[..., 18:20])

    def test_a_view_is_no_copy(self) -> None:
        vectors = np.zeros((4, 21), np.float32)
        LAYOUT.view(vectors, "quilt")[2, 1, 0, 0] = 7
        assert vectors[2, 9] == 7

    def test_an_unknown_entry_is_told_which_there_are(self) -> None:
        with pytest.raises(parlour.ConfigError, match="no entry 'quilts'; the entries are quilt, time, turn"):
            LAYOUT.view(np.zeros(21), "quilts")

    def test_the_table_names_indices_shape_and_range(self) -> None:
        assert LAYOUT.rows() == [
            ("0-17", "quilt", "2 x 3 x 3", "0 to 1", "cells of both quilts"),
            ("18-19", "time", "2", "-1 to 2", "time tokens"),
            ("20", "turn", "", "0 to 0.5", "whose turn"),
        ]

    def test_the_digest_tells_layouts_apart_but_not_by_their_words(self) -> None:
        same = Layout((Entry("quilt", (2, 3, 3), 1, "other words"), TIME, TURN))
        others = [
            Layout((TIME, QUILT, TURN)),
            Layout((QUILT, TIME)),
            Layout((QUILT, Entry("time", (2,), 2, "time tokens"), TURN)),
            Layout((Entry("quilt", (2, 9), 1, ""), TIME, TURN)),
            Layout((Entry("quilts", (2, 3, 3), 1, ""), TIME, TURN)),
        ]
        assert same.digest() == LAYOUT.digest()
        assert len({layout.digest() for layout in (LAYOUT, *others)}) == 6


class TestActions:
    def test_families_follow_upon_each_other(self) -> None:
        actions = Actions((Family("pass", 1, "do nothing"), Family("buy", 5, "buy it")))
        assert actions.size == 6
        assert actions.rows() == [("0", "pass", "do nothing"), ("1-5", "buy", "buy it")]


@pytest.mark.parametrize(("name", "config"), CASES)
class TestGames:
    def test_entries_and_families_have_names_of_their_own_and_meanings(self, name: str, config: dict[str, Any]) -> None:
        game = parlour.make_game(name, **config)
        for layout in (game.layout, game.memory, game.whole):
            names = [entry.name for entry in layout.entries]
            assert len(set(names)) == len(names)
            assert all(entry.meaning and entry.low < entry.high for entry in layout.entries)
        assert len({family.name for family in game.actions.families}) == len(game.actions.families)
        assert all(family.meaning and family.count > 0 for family in game.actions.families)

    def test_every_action_has_words_of_its_own(self, name: str, config: dict[str, Any]) -> None:
        game = parlour.make_game(name, **config)
        words = [game.action_text(action) for action in range(game.num_actions)]
        assert len(set(words)) == game.num_actions

    def test_observations_are_in_the_space_of_their_layout(self, name: str, config: dict[str, Any]) -> None:
        batch = play(parlour.batch(name, 2, seed=2, **config), 10)
        assert batch.observe(0)[0] in batch.game.layout.space
        assert batch.remember(0)[0] in batch.game.memory.space
        assert batch.reveal(0)[0] in batch.game.whole.space
