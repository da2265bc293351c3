"""Patchwork against its rules, from the setup to the winner."""

import numpy as np
import pytest

import parlour
from parlour.envs.patchwork.components import PATCHES
from tests.envs.patchwork.build import NAMES, bought, filled, legal, mover, play, seat, table
from tests.envs.patchwork.geometry import EMPTY_QUILT, cells_of, listed, new_orientations, orientations, placements

INCOME_SPACES = [5, 11, 17, 23, 29, 35, 41, 47, 53]
LEATHER_SPACES = {"first": [20, 26, 32, 44, 50], "revised": [26, 32, 38, 44, 50]}

either_layout = pytest.mark.parametrize("leather", ["first", "revised"])
either_seat = pytest.mark.parametrize("own", [0, 1])


def by_seat(own: int, mine: int, others: int) -> list[int]:
    """Two numbers in the order of seats."""
    return [mine, others] if own == 0 else [others, mine]


class TestPatches:
    @pytest.mark.clause("PAT-1")
    def test_the_package_has_the_33_patches_of_the_rules_page(self) -> None:
        assert [(p.name, p.shape, p.cost, p.time, p.income) for p in PATCHES] == listed()
        assert len(PATCHES) == 33

    @pytest.mark.clause("PAT-1")
    def test_the_checksums(self) -> None:
        patches = listed()
        assert sum(len(cells_of(patch.shape)) for patch in patches) == 166
        assert sum(patch.cost for patch in patches) == 133
        assert sum(patch.time for patch in patches) == 107
        assert sum(patch.income for patch in patches) == 38
        assert len({frozenset(orientations(patch.shape)) for patch in patches}) == 30
        assert sum(len(new_orientations(patch.shape)) for patch in patches) == 144

    @pytest.mark.clause("PAT-1")
    def test_the_number_of_placements_on_an_empty_quilt(self) -> None:
        counts = []
        for patch in listed():
            batch = table(circle=[patch.name], buttons=[99, 99], patches_left=1)
            counts.append(int(batch.legal[0, 82:].sum()))
            assert counts[-1] == len(placements(patch.shape, EMPTY_QUILT)), patch.name
        assert sum(counts) == 7349
        assert max(counts) == 448

    @pytest.mark.clause("PAT-1")
    def test_the_starter_alone_has_two_cells_and_r_costs_the_same(self) -> None:
        patches = {patch.name: patch for patch in listed()}
        assert [name for name, patch in patches.items() if len(cells_of(patch.shape)) == 2] == ["A"]
        assert patches["A"][2:] == patches["R"][2:]

    @pytest.mark.clause("PAT-1", "PAT-12", "PAT-13")
    @pytest.mark.parametrize("name", NAMES)
    def test_buying_a_patch_costs_what_it_lists(self, name: str) -> None:
        patch = next(patch for patch in listed() if patch.name == name)
        batch = table(circle=[name], buttons=[30, 5], time=[6, 13])
        play(batch, f"buy {name}, at a1")
        paid = patch.income if 6 + patch.time >= 11 else 0
        told = seat(batch, 0)
        assert (told["buttons"], told["time"], told["income"]) == (30 - patch.cost + paid, 6 + patch.time, patch.income)
        drawn = {(r, c) for r, row in enumerate(told["quilt"]) for c, mark in enumerate(row) if mark == name}
        assert drawn == cells_of(patch.shape)


class TestTrack:
    @pytest.mark.clause("PAT-2", "PAT-13")
    @either_layout
    def test_nine_spaces_pay_income(self, leather: str) -> None:
        paying = []
        for space in range(1, 54):
            batch = table(time=[space - 1, space - 1], income=[3, 0], leather=leather)
            play(batch, "advance")
            assert seat(batch, 0)["time"] == space
            assert seat(batch, 0)["buttons"] in (5 + 1, 5 + 1 + 3)
            if seat(batch, 0)["buttons"] == 9:
                paying.append(space)
        assert paying == INCOME_SPACES

    @pytest.mark.clause("PAT-2", "PAT-14")
    @either_layout
    def test_five_spaces_have_a_leather_patch(self, leather: str) -> None:
        found = []
        for space in range(1, 54):
            batch = table(time=[space - 1, space - 1], leather=leather)
            play(batch, "advance")
            if batch.describe()["phase"] == "leather":
                found.append(space)
        assert found == LEATHER_SPACES[leather]
        assert parlour.batch("patchwork", seed=1, leather=leather).describe()["leather"] == found

    @pytest.mark.clause("PAT-2")
    def test_the_first_layout_is_the_default(self) -> None:
        assert parlour.batch("patchwork", seed=1).describe()["leather"] == [20, 26, 32, 44, 50]

    @pytest.mark.clause("PAT-2")
    def test_there_is_no_third_layout(self) -> None:
        with pytest.raises(parlour.ConfigError, match="leather must be one of first, revised, got 'third'"):
            parlour.batch("patchwork", leather="third")


class TestSetup:
    @pytest.mark.clause("PAT-3", "PAT-4")
    def test_players_start_with_an_empty_quilt_and_five_buttons(self) -> None:
        batch = parlour.batch("patchwork", seed=4)
        for number in range(2):
            assert seat(batch, number) == {
                "buttons": 5,
                "income": 0,
                "time": 0,
                "quilt": ["." * 9] * 9,
                "patches": [],
            }

    @pytest.mark.clause("PAT-3")
    def test_the_supply_of_buttons_never_runs_out(self) -> None:
        batch = table(time=[4, 4], income=[38, 0], buttons=[300, 50])
        play(batch, "advance")
        assert seat(batch, 0)["buttons"] == 300 + 38 + 1

    @pytest.mark.clause("PAT-4")
    def test_the_33_patches_lie_in_a_circle_with_the_starter_last(self) -> None:
        for seed in range(40):
            circle = parlour.batch("patchwork", seed=seed).describe()["circle"]
            assert sorted(circle) == sorted(NAMES)
            assert circle[-1] == "A"

    @pytest.mark.clause("PAT-4")
    @pytest.mark.parametrize("place", [0, 1, 15, 31])
    def test_the_order_of_the_others_is_random(self, place: int) -> None:
        batch = parlour.batch("patchwork", size=3200, seed=9)
        counts = np.bincount(batch._states["circle"][:, place], minlength=33)
        assert counts[0] == 0
        assert np.abs(counts[1:] - 100).max() < 50

    @pytest.mark.clause("PAT-4", "PAT-10")
    def test_the_seed_draws_the_first_player(self) -> None:
        batch = parlour.batch("patchwork", size=400, seed=9)
        assert 150 < (batch.current_player == 0).sum() < 250
        assert (batch.current_player == parlour.batch("patchwork", size=400, seed=9).current_player).all()

    @pytest.mark.clause("PAT-4", "PAT-10")
    @either_seat
    def test_an_option_names_the_first_player(self, own: int) -> None:
        assert (parlour.batch("patchwork", size=50, seed=9, first_player=own).current_player == own).all()


class TestWhoMoves:
    @pytest.mark.clause("PAT-10")
    @either_seat
    def test_the_token_further_back_moves(self, own: int) -> None:
        batch = table(time=by_seat(own, 3, 7), mover=own)
        play(batch, "advance")
        assert mover(batch) == 1 - own

    @pytest.mark.clause("PAT-10")
    @either_seat
    def test_a_player_moves_again_while_still_behind(self, own: int) -> None:
        batch = table(circle=["D", "F", "K"], time=by_seat(own, 0, 5), mover=own, buttons=[9, 9])
        play(batch, "buy D, at a1")
        assert mover(batch) == own
        play(batch, "buy F, at a2")
        assert (mover(batch), seat(batch, own)["time"]) == (own, 4)
        play(batch, "buy K, at a4")
        assert (mover(batch), seat(batch, own)["time"]) == (1 - own, 6)

    @pytest.mark.clause("PAT-10", "PAT-12")
    @either_seat
    def test_on_a_shared_space_the_token_that_came_last_is_on_top_and_moves(self, own: int) -> None:
        batch = table(circle=["D"], time=by_seat(own, 3, 5), mover=own)
        play(batch, "buy D, at a1")
        assert seat(batch, 0)["time"] == seat(batch, 1)["time"] == 5
        assert (mover(batch), batch.describe()["top"]) == (own, own)
        play(batch, "advance")
        assert (mover(batch), seat(batch, own)["time"]) == (1 - own, 6)

    @pytest.mark.clause("PAT-10")
    @either_seat
    def test_at_the_start_the_first_player_moves_and_then_the_other(self, own: int) -> None:
        batch = table(mover=own)
        assert mover(batch) == own
        play(batch, "advance")
        assert mover(batch) == 1 - own


class TestAdvance:
    @pytest.mark.clause("PAT-11")
    @pytest.mark.parametrize(("own", "other"), [(0, 0), (6, 6), (6, 7), (6, 9), (36, 39), (6, 10)])
    def test_it_goes_just_past_the_other_token_for_a_button_a_space(self, own: int, other: int) -> None:
        batch = table(time=[own, other])
        play(batch, "advance")
        assert (seat(batch, 0)["time"], seat(batch, 0)["buttons"]) == (other + 1, 5 + other + 1 - own)
        assert (seat(batch, 1)["time"], seat(batch, 1)["buttons"]) == (other, 5)

    @pytest.mark.clause("PAT-11")
    @pytest.mark.parametrize("own", [50, 51, 52])
    def test_it_stops_at_53_and_pays_the_spaces_really_moved(self, own: int) -> None:
        batch = table(time=[own, 53], first_home=1)
        play(batch, "advance")
        assert (seat(batch, 0)["time"], seat(batch, 0)["buttons"]) == (53, 5 + 53 - own)

    @pytest.mark.clause("PAT-11")
    @pytest.mark.parametrize("time", [[0, 0], [30, 36], [52, 52], [52, 53]])
    def test_it_is_always_legal_before_53(self, time: list[int]) -> None:
        batch = table(time=time, buttons=[0, 0], quilts=[filled()], circle=["B"])
        assert legal(batch) == {"advance"}

    @pytest.mark.clause("PAT-11")
    def test_it_leaves_the_circle_and_the_quilt_alone(self) -> None:
        batch = table()
        before = batch.describe()
        play(batch, "advance")
        after = batch.describe()
        assert after["circle"] == before["circle"]
        assert after["seats"][0]["quilt"] == before["seats"][0]["quilt"]


class TestBuy:
    @pytest.mark.clause("PAT-12")
    def test_one_of_the_next_three_patches_can_be_bought(self) -> None:
        assert bought(table(circle=["B", "C", "D", "E", "F"], buttons=[99, 99])) == {"B", "C", "D"}

    @pytest.mark.clause("PAT-12")
    @pytest.mark.parametrize(("left", "expected"), [(3, {"B", "C", "D"}), (2, {"B", "C"}), (1, {"B"})])
    def test_or_one_of_those_left(self, left: int, expected: set[str]) -> None:
        assert bought(table(circle=["B", "C", "D"], buttons=[99, 99], patches_left=left)) == expected

    @pytest.mark.clause("PAT-12")
    @pytest.mark.parametrize(("buttons", "expected"), [(0, set()), (1, {"B"}), (2, {"B", "D"}), (3, {"B", "C", "D"})])
    def test_it_must_be_paid_for(self, buttons: int, expected: set[str]) -> None:
        assert bought(table(circle=["B", "C", "D"], buttons=[buttons, 99])) == expected

    @pytest.mark.clause("PAT-12")
    def test_a_patch_without_cost_needs_no_buttons(self) -> None:
        assert bought(table(circle=["H", "B", "C"], buttons=[0, 0])) == {"H"}

    @pytest.mark.clause("PAT-12")
    def test_it_must_fit(self) -> None:
        batch = table(circle=["D", "B", "A"], buttons=[99, 99], quilts=[filled("c3", "c4", "d4", "i9")])
        assert bought(batch) == {"B", "A"}
        assert {words for words in legal(batch) if words.startswith("buy B")} == {"buy B, turned 270, at c3"}
        assert {words for words in legal(batch) if words.startswith("buy A")} == {
            "buy A, at c4",
            "buy A, turned 90, at c3",
        }

    @pytest.mark.clause("PAT-12")
    def test_it_lies_inside_the_edges(self) -> None:
        batch = table(circle=["N"], buttons=[99, 99], patches_left=1)
        flat = {f"buy N, at {column}{row}" for column in "abcde" for row in range(1, 10)}
        upright = {f"buy N, turned 90, at {column}{row}" for column in "abcdefghi" for row in range(1, 6)}
        assert legal(batch) == {"advance"} | flat | upright

    @pytest.mark.clause("PAT-12", "PAT-30")
    @pytest.mark.parametrize("mirror", [True, False])
    def test_it_lies_over_no_other_patch_and_in_every_way_that_is_free(self, mirror: bool) -> None:
        quilt = [
            "#..#...#.",
            "...##....",
            ".#....#..",
            "##...#...",
            "....#...#",
            "..#....#.",
            ".....#...",
            "#...#....",
            "...#...#.",
        ]
        free = frozenset((r, c) for r, c in EMPTY_QUILT if quilt[r][c] == ".")
        shapes = {patch.name: patch.shape for patch in listed()}
        for start in range(0, 33, 3):
            names = NAMES[start : start + 3]
            batch = table(circle=names, buttons=[99, 99], quilts=[quilt], mirror=mirror)
            expected = {
                82 + (choice * 8 + k) * 81 + cell
                for choice, name in enumerate(names)
                for k, cell in placements(shapes[name], free)
                if mirror or k < 4
            }
            assert set(np.flatnonzero(batch.legal[0]).tolist()) == expected | {0}

    @pytest.mark.clause("PAT-12")
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("B", ["C", "D", "E", "F", "A"]),
            ("C", ["D", "E", "F", "A", "B"]),
            ("D", ["E", "F", "A", "B", "C"]),
        ],
    )
    def test_the_pawn_moves_to_the_place_of_the_patch(self, name: str, expected: list[str]) -> None:
        batch = table(circle=["B", "C", "D", "E", "F", "A"], patches_left=6)
        play(batch, f"buy {name}, at a1")
        assert batch.describe()["circle"] == expected

    @pytest.mark.clause("PAT-12")
    @pytest.mark.parametrize(("name", "expected"), [("B", ["C"]), ("C", ["B"])])
    def test_the_pawn_goes_round_a_small_circle(self, name: str, expected: list[str]) -> None:
        batch = table(circle=["B", "C"], patches_left=2)
        play(batch, f"buy {name}, at a1")
        assert batch.describe()["circle"] == expected

    @pytest.mark.clause("PAT-12")
    def test_the_last_patch_leaves_only_advancing(self) -> None:
        batch = table(circle=["D"], patches_left=1, time=[0, 9])
        play(batch, "buy D, at a1")
        assert batch.describe()["circle"] == []
        assert legal(batch) == {"advance"}

    @pytest.mark.clause("PAT-12")
    def test_the_token_stops_at_53_and_the_cost_is_paid_in_full(self) -> None:
        batch = table(circle=["f"], buttons=[9, 5], time=[51, 52])
        play(batch, "buy f, at a1")
        assert (seat(batch, 0)["time"], seat(batch, 0)["buttons"]) == (53, 9 - 7 + 3)

    @pytest.mark.clause("PAT-12")
    def test_reflections_are_forbidden_on_request(self) -> None:
        mirrored = {words for words in legal(table(circle=["a"], patches_left=1)) if "flipped" in words}
        assert len(mirrored) == 448 / 2
        unmirrored = legal(table(circle=["a"], patches_left=1, mirror=False))
        assert len(unmirrored) == 1 + 448 / 2
        assert not any("flipped" in words for words in unmirrored)


class TestIncome:
    @pytest.mark.clause("PAT-13")
    @pytest.mark.parametrize(("start", "paid"), [(8, 0), (9, 4), (10, 4), (11, 0)])
    def test_moving_onto_or_past_the_space_is_enough(self, start: int, paid: int) -> None:
        batch = table(circle=["D"], buttons=[5, 5], income=[4, 9], time=[start, 14])
        play(batch, "buy D, at a1")
        assert (seat(batch, 0)["time"], seat(batch, 0)["buttons"]) == (start + 2, 5 - 2 + paid)
        assert seat(batch, 1)["buttons"] == 5

    @pytest.mark.clause("PAT-13")
    def test_the_patch_bought_this_turn_counts(self) -> None:
        batch = table(circle=["e"], time=[4, 9], income=[1, 0])
        play(batch, "buy e, at a1")
        assert seat(batch, 0)["buttons"] == 5 - 2 + 1 + 1

    @pytest.mark.clause("PAT-13", "PAT-31")
    def test_one_move_can_bring_two_incomes(self) -> None:
        batch = table(time=[4, 10], income=[3, 0])
        play(batch, "advance")
        assert (seat(batch, 0)["time"], seat(batch, 0)["buttons"]) == (11, 5 + 7 + 3 + 3)

    @pytest.mark.clause("PAT-13")
    def test_the_last_space_pays_income_once(self) -> None:
        batch = table(circle=["f"], buttons=[7, 5], time=[50, 52], income=[2, 0])
        play(batch, "buy f, at a1")
        assert (seat(batch, 0)["time"], seat(batch, 0)["buttons"]) == (53, 7 - 7 + 5)

    @pytest.mark.clause("PAT-13")
    def test_income_is_paid_after_the_cost_so_it_cannot_pay_for_the_patch(self) -> None:
        assert bought(table(circle=["e", "B", "D"], buttons=[1, 5], time=[4, 9], income=[30, 0])) == {"B"}
