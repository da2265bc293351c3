"""The 2,026 action ids of Patchwork, and the facts that its rules page states."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.envs.patchwork.text import cell_name, decode
from tests.envs.patchwork.build import NAMES, play, seat, table
from tests.envs.patchwork.geometry import listed, new_orientations, placed, placements

GAMES = 4000
LISTED = {patch.name: patch for patch in listed()}
PATCH_A = [
    ("XXX", "X.."),
    ("XX", ".X", ".X"),
    ("..X", "XXX"),
    ("X.", "X.", "XX"),
    ("XXX", "..X"),
    (".X", ".X", "XX"),
    ("X..", "XXX"),
    ("XX", "X.", "X."),
]
"""Patch a in its eight orientations, drawn by hand."""


def buy_id(choice: int, orientation: int, cell: int) -> int:
    return 82 + ((choice * 8 + orientation) * 81 + cell)


class TestActionIds:
    @pytest.mark.clause("PAT-30")
    def test_there_are_2026_in_three_families(self) -> None:
        game = parlour.make_game("patchwork")
        assert game.num_actions == 2026
        assert [(family.name, family.count) for family in game.actions.families] == [
            ("advance", 1),
            ("leather", 81),
            ("buy", 1944),
        ]

    @pytest.mark.clause("PAT-30")
    def test_every_id_decodes_to_the_move_that_encodes_to_it(self) -> None:
        moves = [
            ("advance", -1, -1, -1),
            *(("leather", -1, -1, cell) for cell in range(81)),
            *(("buy", choice, k, cell) for choice in range(3) for k in range(8) for cell in range(81)),
        ]
        assert [decode(action) for action in range(2026)] == moves
        for action, (verb, choice, k, cell) in enumerate(moves):
            encoded = {"advance": 0, "leather": 1 + cell, "buy": buy_id(choice, k, cell)}[verb]
            assert encoded == action

    @pytest.mark.clause("PAT-30")
    def test_every_id_has_words_of_its_own(self) -> None:
        game = parlour.make_game("patchwork")
        words = [game.action_text(action) for action in range(2026)]
        assert len(set(words)) == 2026
        assert words[0] == "advance"
        assert words[1 + 8 * 9 + 2] == "leather at c9"
        assert words[buy_id(2, 5, 3 * 9 + 1)] == "buy the 3rd patch, flipped, turned 90, at b4"

    @pytest.mark.clause("PAT-30", "PAT-14")
    def test_a_leather_id_covers_its_cell(self) -> None:
        batch = table(leather_in_hand=True).copy([0] * 81)
        batch.step(np.arange(1, 82))
        for cell in range(81):
            quilt = "".join(batch.describe(cell)["seats"][0]["quilt"])
            assert [i for i, mark in enumerate(quilt) if mark == "*"] == [cell]

    @pytest.mark.clause("PAT-30", "PAT-12")
    @pytest.mark.parametrize("choice", [0, 1, 2])
    def test_a_buy_id_covers_the_cells_it_names(self, choice: int) -> None:
        names = ["F", "S", "a"]
        ways = sorted(placements(LISTED[names[choice]].shape, placed(("X" * 9,) * 9, 0, 0, 0)))
        batch = table(circle=names).copy([0] * len(ways))
        batch.step([buy_id(choice, k, cell) for k, cell in ways])
        for row, (k, cell) in enumerate(ways):
            quilt = batch.describe(row)["seats"][0]["quilt"]
            drawn = {(r, c) for r in range(9) for c in range(9) if quilt[r][c] != "."}
            assert drawn == placed(LISTED[names[choice]].shape, k, *divmod(cell, 9))

    @pytest.mark.clause("PAT-30")
    @pytest.mark.parametrize("orientation", range(8))
    def test_the_orientations_of_a_lopsided_patch(self, orientation: int) -> None:
        batch = table(circle=["a"])
        batch.step([buy_id(0, orientation, 2 * 9 + 3)])
        drawing = PATCH_A[orientation]
        rows = [row[3 : 3 + len(drawing[0])] for row in seat(batch, 0)["quilt"][2 : 2 + len(drawing)]]
        assert tuple(row.replace("a", "X") for row in rows) == drawing
        assert "".join(seat(batch, 0)["quilt"]).count("a") == 4

    @pytest.mark.clause("PAT-30")
    def test_the_corner_of_the_box_need_not_be_a_cell_of_the_patch(self) -> None:
        batch = table(circle=["T"], quilts=[["#"]])
        play(batch, "buy T, at a1")
        assert seat(batch, 0)["quilt"][:3] == ["*T.......", "TTT......", ".T......."]

    @pytest.mark.clause("PAT-30", "PAT-1")
    def test_an_orientation_that_looks_like_an_earlier_one_is_never_legal(self) -> None:
        total = 0
        for name in NAMES:
            batch = table(circle=[name], buttons=[99, 99], patches_left=1)
            offered = np.flatnonzero(batch.legal[0, 82 : 82 + 8 * 81].reshape(8, 81).any(axis=1)).tolist()
            assert offered == new_orientations(LISTED[name].shape), name
            total += len(offered)
        assert total == 144

    @pytest.mark.clause("PAT-30")
    def test_a_repeated_orientation_is_refused_with_a_reason(self) -> None:
        batch = table(circle=["I"], buttons=[9, 9])
        with pytest.raises(parlour.IllegalAction, match="looks like an earlier one"):
            batch.step([buy_id(0, 1, 0)])

    @pytest.mark.clause("PAT-12", "PAT-30")
    def test_without_mirror_only_the_first_four_orientations_are_legal(self) -> None:
        for name in NAMES:
            batch = table(circle=[name], buttons=[99, 99], patches_left=1, mirror=False)
            offered = np.flatnonzero(batch.legal[0, 82 : 82 + 8 * 81].reshape(8, 81).any(axis=1)).tolist()
            assert offered == [k for k in new_orientations(LISTED[name].shape) if k < 4], name

    @pytest.mark.clause("PAT-30")
    def test_cells_are_named_by_column_and_row(self) -> None:
        assert [cell_name(cell) for cell in (0, 8, 9, 80)] == ["a1", "i1", "a2", "i9"]


@dataclass
class RandomPlay:
    """What was seen in games of uniformly random play."""

    decisions: float
    most_legal: int
    longest_advance: int
    most_leather_in_a_move: int
    fewest_patches: int


@pytest.fixture(scope="module")
def random_play() -> RandomPlay:
    batch = parlour.batch("patchwork", size=GAMES, seed=2024)
    played, most_legal, longest, leather = 0, 0, 0, 0
    while (alive := np.flatnonzero(batch.current_player >= 0)).size:
        movers = batch.current_player[alive]
        actions = batch.sample_legal(alive)
        before, lying = batch._states["time"][alive, movers], leather_left(batch._states)[alive]
        most_legal = max(most_legal, int(batch.legal[alive].sum(axis=1).max()))
        batch.step(actions, rows=alive)
        moved = batch._states["time"][alive, movers] - before
        longest = max(longest, int(moved[actions == 0].max(initial=0)))
        leather = max(leather, int((lying - leather_left(batch._states)[alive]).max()))
        played += alive.size
    return RandomPlay(played / GAMES, most_legal, longest, leather, int(batch._states["patches_left"].min()))


def leather_left(states: NDArray[Any]) -> NDArray[np.int64]:
    """How many leather patches lie on the track of each game."""
    return np.array([int(left).bit_count() for left in states["leather_left"]])


class TestFacts:
    @pytest.mark.clause("PAT-31")
    def test_a_circle_that_opens_with_f_s_a_gives_1345_legal_actions(self) -> None:
        batch = table(circle=["F", "S", "a"])
        assert int(batch.legal[0].sum()) == 1345 == 3 * 448 + 1

    @pytest.mark.clause("PAT-31", "PAT-1")
    def test_no_other_three_patches_give_more(self, random_play: RandomPlay) -> None:
        everywhere = placed(("X" * 9,) * 9, 0, 0, 0)
        counts = sorted((len(placements(patch.shape, everywhere)) for patch in listed()), reverse=True)
        assert 1 + sum(counts[:3]) == 1345
        assert 1000 < random_play.most_legal <= 1345

    @pytest.mark.clause("PAT-31", "PAT-11")
    def test_an_advance_moves_at_most_seven_spaces(self, random_play: RandomPlay) -> None:
        assert random_play.longest_advance == 7

    @pytest.mark.clause("PAT-31", "PAT-14")
    def test_a_move_takes_at_most_one_leather_patch(self, random_play: RandomPlay) -> None:
        assert random_play.most_leather_in_a_move == 1

    @pytest.mark.clause("PAT-31")
    def test_the_circle_never_empties(self, random_play: RandomPlay) -> None:
        assert sum(len(placed(patch.shape, 0, 0, 0)) for patch in listed()) > 2 * 81
        assert random_play.fewest_patches > 0

    @pytest.mark.clause("PAT-31")
    def test_random_play_takes_about_43_decisions(self, random_play: RandomPlay) -> None:
        assert random_play.decisions == pytest.approx(42.8, abs=0.3)
