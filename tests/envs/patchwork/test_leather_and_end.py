"""Leather, the bonus tile, the end of the game, scores and rewards of Patchwork against the rules."""

import pytest

import parlour
from tests.envs.patchwork.build import filled, legal, mover, play, seat, table

either_seat = pytest.mark.parametrize("own", [0, 1])
SQUARES = [(top, left) for top in range(3) for left in range(3)]


def square(top: int, left: int) -> list[str]:
    """A quilt with one 7x7 square covered."""
    inside = "." * left + "#" * 7 + "." * (2 - left)
    return [inside if top <= row < top + 7 else "." * 9 for row in range(9)]


def pierced(rows: list[str], *holes: tuple[int, int]) -> list[str]:
    """The same quilt with these (row, column) cells empty."""
    return ["".join("." if (r, c) in holes else mark for c, mark in enumerate(row)) for r, row in enumerate(rows)]


def cell(row: int, column: int) -> str:
    return f"{'abcdefghi'[column]}{row + 1}"


class TestLeather:
    @pytest.mark.clause("PAT-14")
    @either_seat
    def test_its_owner_places_it_at_once_on_any_empty_cell(self, own: int) -> None:
        quilts = [filled("a1", "e5", "i9")] * 2
        batch = table(time=[19, 19], mover=own, quilts=quilts)
        play(batch, "advance")
        assert (mover(batch), batch.describe()["phase"]) == (own, "leather")
        assert legal(batch) == {"leather at a1", "leather at e5", "leather at i9"}
        play(batch, "leather at e5")
        assert (mover(batch), batch.describe()["phase"]) == (1 - own, "turn")
        assert seat(batch, own)["quilt"][4] == "*********"
        assert seat(batch, 1 - own)["quilt"][4] == "****.****"

    @pytest.mark.clause("PAT-14")
    def test_every_cell_of_an_empty_quilt_is_offered(self) -> None:
        batch = table(time=[19, 19])
        play(batch, "advance")
        assert legal(batch) == {f"leather at {cell(r, c)}" for r in range(9) for c in range(9)}

    @pytest.mark.clause("PAT-14")
    @pytest.mark.parametrize(("start", "taken"), [(17, False), (18, True), (19, True), (20, False)])
    def test_moving_onto_or_past_it_is_enough(self, start: int, taken: bool) -> None:
        batch = table(circle=["D"], time=[start, 23])
        play(batch, "buy D, at a1")
        assert (batch.describe()["phase"] == "leather") == taken
        assert (20 in batch.describe()["leather"]) != taken

    @pytest.mark.clause("PAT-14")
    def test_a_leather_patch_that_was_taken_is_gone_for_the_other(self) -> None:
        batch = table(time=[19, 19])
        play(batch, "advance", "leather at a1")
        assert batch.describe()["leather"] == [26, 32, 44, 50]
        play(batch, "advance")
        assert (seat(batch, 1)["time"], mover(batch)) == (21, 0)
        assert seat(batch, 1)["quilt"] == ["." * 9] * 9

    @pytest.mark.clause("PAT-14")
    @pytest.mark.parametrize("number", range(5))
    def test_each_of_the_five_is_taken_on_its_own(self, number: int) -> None:
        space = (20, 26, 32, 44, 50)[number]
        there = [i != number for i in range(5)]
        batch = table(time=[space - 1, space - 1], leather_left=there)
        play(batch, "advance")
        assert batch.describe()["phase"] == "turn"
        batch = table(time=[space - 1, space - 1], leather_left=[not left for left in there])
        play(batch, "advance")
        assert (batch.describe()["phase"], batch.describe()["leather"]) == ("leather", [])

    @pytest.mark.clause("PAT-14", "PAT-11", "PAT-13")
    def test_it_comes_after_the_buttons_of_the_move(self) -> None:
        batch = table(time=[16, 20], income=[3, 0])
        play(batch, "advance")
        assert batch.describe()["phase"] == "leather"
        assert seat(batch, 0)["buttons"] == 5 + 5 + 3

    @pytest.mark.clause("PAT-14", "PAT-10")
    def test_after_it_the_same_player_moves_on_if_still_behind(self) -> None:
        batch = table(circle=["D"], time=[19, 24], leather_left=[True] * 5)
        play(batch, "buy D, at a1", "leather at i9")
        assert (mover(batch), batch.describe()["phase"]) == (0, "turn")

    @pytest.mark.clause("PAT-14")
    def test_nothing_else_can_be_done_before_it_is_placed(self) -> None:
        batch = table(leather_in_hand=True)
        with pytest.raises(parlour.IllegalAction, match="must place the leather patch first"):
            batch.step([82])
        with pytest.raises(parlour.IllegalAction):
            batch.step([0])

    @pytest.mark.clause("PAT-14", "PAT-16")
    def test_it_is_placed_before_the_end_of_the_game_is_tested(self) -> None:
        batch = table(circle=["f"], buttons=[7, 5], time=[49, 53], first_home=1)
        play(batch, "buy f, at a1")
        assert (seat(batch, 0)["time"], mover(batch)) == (53, 0)
        before = int(batch.scores()[0, 0])
        play(batch, "leather at i9")
        assert mover(batch) == -1
        assert int(batch.scores()[0, 0]) == before + 2

    @pytest.mark.clause("PAT-14")
    def test_on_a_full_quilt_it_is_discarded_without_a_decision(self) -> None:
        batch = table(time=[19, 19], quilts=[filled()])
        play(batch, "advance")
        assert (mover(batch), batch.describe()["phase"]) == (1, "turn")
        assert batch.describe()["leather"] == [26, 32, 44, 50]
        play(batch, "advance")
        assert batch.describe()["phase"] == "turn"

    @pytest.mark.clause("PAT-14", "PAT-12")
    def test_a_patch_that_fills_the_quilt_leaves_no_room_for_it(self) -> None:
        batch = table(circle=["A"], time=[19, 19], quilts=[filled("a1", "b1")])
        play(batch, "buy A, at a1")
        assert (mover(batch), batch.describe()["phase"]) == (1, "turn")
        assert 20 not in batch.describe()["leather"]

    @pytest.mark.clause("PAT-14")
    def test_one_empty_cell_is_still_a_decision(self) -> None:
        batch = table(time=[19, 19], quilts=[filled("h8")])
        play(batch, "advance")
        assert (mover(batch), legal(batch)) == (0, {"leather at h8"})


class TestBonusTile:
    @pytest.mark.clause("PAT-15")
    @pytest.mark.parametrize(("top", "left"), SQUARES)
    @either_seat
    def test_a_covered_7x7_square_anywhere_takes_it(self, own: int, top: int, left: int) -> None:
        for row, column in ((top, left), (top + 3, left + 4), (top + 6, left + 6)):
            quilts: list[list[str]] = [[], []]
            quilts[own] = pierced(square(top, left), (row, column))
            batch = table(quilts=quilts, mover=own, leather_in_hand=True)
            assert batch.describe()["bonus"] is None
            play(batch, f"leather at {cell(row, column)}")
            assert batch.describe()["bonus"] == own

    @pytest.mark.clause("PAT-15", "PAT-20")
    def test_it_is_worth_seven_points(self) -> None:
        batch = table(quilts=[pierced(square(1, 1), (4, 4))], leather_in_hand=True)
        before = int(batch.scores()[0, 0])
        play(batch, "leather at e5")
        assert int(batch.scores()[0, 0]) == before + 7 + 2

    @pytest.mark.clause("PAT-15")
    def test_a_bought_patch_can_cover_it(self) -> None:
        batch = table(circle=["A"], quilts=[pierced(square(0, 0), (0, 5), (0, 6))])
        play(batch, "buy A, at f1")
        assert batch.describe()["bonus"] == 0

    @pytest.mark.clause("PAT-15")
    def test_a_hole_in_the_square_is_too_much(self) -> None:
        batch = table(circle=["A"], quilts=[pierced(square(1, 1), (1, 1), (1, 2), (7, 7))])
        play(batch, "buy A, at b2")
        assert batch.describe()["bonus"] is None

    @pytest.mark.clause("PAT-15")
    @pytest.mark.parametrize("upright", [False, True])
    def test_six_full_rows_are_no_square(self, upright: bool) -> None:
        rows = ["#" * 6 + "..."] * 9 if upright else ["#" * 9] * 6
        batch = table(quilts=[rows], leather_in_hand=True)
        play(batch, "leather at i9")
        assert batch.describe()["bonus"] is None

    @pytest.mark.clause("PAT-15", "PAT-14")
    def test_it_is_taken_before_the_leather_of_the_same_move_is_placed(self) -> None:
        batch = table(circle=["A"], time=[19, 19], quilts=[pierced(square(0, 0), (0, 5), (0, 6))])
        play(batch, "buy A, at f1")
        assert (batch.describe()["phase"], batch.describe()["bonus"]) == ("leather", 0)

    @pytest.mark.clause("PAT-15")
    @either_seat
    def test_once_taken_it_stays_with_its_owner(self, own: int) -> None:
        quilts = [pierced(square(0, 0), (0, 5), (0, 6))] * 2
        batch = table(circle=["A"], quilts=quilts, mover=own, bonus=1 - own)
        play(batch, "buy A, at f1")
        assert batch.describe()["bonus"] == 1 - own

    @pytest.mark.clause("PAT-15")
    def test_the_second_to_cover_a_square_gets_nothing(self) -> None:
        quilts = [pierced(square(0, 0), (0, 0)), pierced(square(0, 0), (0, 5), (0, 6))]
        batch = table(circle=["A"], time=[19, 19], quilts=quilts)
        play(batch, "advance", "leather at a1")
        assert (mover(batch), batch.describe()["bonus"]) == (1, 0)
        before = int(batch.scores()[0, 1])
        play(batch, "buy A, at f1")
        assert batch.describe()["bonus"] == 0
        assert int(batch.scores()[0, 1]) == before - 2 + 4


class TestEnd:
    @pytest.mark.clause("PAT-16")
    def test_it_ends_when_both_tokens_are_on_53(self) -> None:
        batch = table(time=[52, 52])
        play(batch, "advance")
        assert (seat(batch, 0)["time"], mover(batch)) == (53, 1)
        _, terminated, truncated = batch.step([0])
        assert (mover(batch), batch.describe()["phase"]) == (-1, "over")
        assert terminated[0]
        assert not truncated[0]
        assert not batch.legal.any()

    @pytest.mark.clause("PAT-16", "PAT-10")
    @either_seat
    def test_a_player_who_is_home_waits_for_the_other(self, own: int) -> None:
        time = [40, 53] if own == 0 else [53, 40]
        batch = table(circle=["D", "F", "K"], time=time, mover=own, first_home=1 - own, buttons=[9, 9])
        for name in ("D", "F", "K"):
            play(batch, f"buy {name}, at {'adg'['DFK'.index(name)]}1")
            while batch.describe()["phase"] == "leather":
                play(batch, "leather at i9")
            assert mover(batch) == own


class TestScore:
    @pytest.mark.clause("PAT-20")
    def test_a_new_game_counts_81_empty_spaces(self) -> None:
        assert parlour.batch("patchwork", seed=1).scores()[0].tolist() == [5 - 162, 5 - 162]

    @pytest.mark.clause("PAT-20")
    @pytest.mark.parametrize(
        ("buttons", "bonus", "holes", "expected"),
        [(10, None, [], 10), (10, 0, [], 17), (10, 1, [], 10), (0, None, ["a1", "b2", "c3"], -6), (3, 0, ["a1"], 8)],
    )
    def test_buttons_and_tile_minus_two_per_empty_space(
        self, buttons: int, bonus: int | None, holes: list[str], expected: int
    ) -> None:
        batch = table(buttons=[buttons, 40], bonus=bonus, quilts=[filled(*holes)])
        assert int(batch.scores()[0, 0]) == expected

    @pytest.mark.clause("PAT-20", "PAT-12")
    def test_a_patch_covers_its_cells(self) -> None:
        batch = table(circle=["V"])
        play(batch, "buy V, at a1")
        assert int(batch.scores()[0, 0]) == 0 - 2 * (81 - 8)


def end(*, buttons: list[int], first_home: int, **given: object) -> tuple[list[int], list[float]]:
    """(scores, rewards) of a game whose last move brings the one who comes home last a button."""
    last = 1 - first_home
    buttons = [number - (seat == last) for seat, number in enumerate(buttons)]
    time = [53 if seat == first_home else 52 for seat in range(2)]
    batch = table(buttons=buttons, time=time, mover=last, first_home=first_home, **given)  # type: ignore[arg-type]
    rewards, terminated, _ = batch.step([0])
    assert terminated[0]
    return batch.scores()[0].tolist(), [float(reward) for reward in rewards[0]]


class TestWinner:
    @pytest.mark.clause("PAT-21")
    @pytest.mark.parametrize("first_home", [0, 1])
    @pytest.mark.parametrize(("buttons", "rewards"), [([9, 8], [1, -1]), ([8, 9], [-1, 1]), ([200, 3], [1, -1])])
    def test_the_higher_score_wins(self, buttons: list[int], rewards: list[float], first_home: int) -> None:
        assert end(buttons=buttons, first_home=first_home)[1] == rewards

    @pytest.mark.clause("PAT-21")
    def test_on_a_tie_the_first_on_53_wins(self) -> None:
        assert end(buttons=[9, 9], first_home=0) == ([9 - 162] * 2, [1, -1])
        assert end(buttons=[9, 9], first_home=1) == ([9 - 162] * 2, [-1, 1])

    @pytest.mark.clause("PAT-21")
    @either_seat
    def test_whoever_gets_to_53_first_is_remembered(self, own: int) -> None:
        batch = table(time=[52, 52], mover=own)
        play(batch, "advance")
        assert batch.describe()["first_home"] == own
        rewards, _, _ = batch.step([0])
        assert batch.describe()["first_home"] == own
        assert rewards[0, own] == 1
        assert rewards[0, 1 - own] == -1

    @pytest.mark.clause("PAT-22", "PAT-20", "PAT-21")
    @pytest.mark.parametrize("first_home", [0, 1])
    def test_the_example_of_the_rulebook(self, first_home: int) -> None:
        quilts = [filled("a1", "a2", "a3", "i8", "i9"), filled("e5", "e6")]
        assert end(buttons=[14, 18], first_home=first_home, quilts=quilts, bonus=0) == ([11, 14], [-1, 1])


class TestRewards:
    @pytest.mark.clause("PAT-21")
    @pytest.mark.parametrize(("buttons", "margin"), [([20, 5], 15), ([5, 20], -15), ([9, 9], 0), ([10, 9], 1)])
    def test_the_margin_is_the_difference_over_30(self, buttons: list[int], margin: int) -> None:
        _, rewards = end(buttons=buttons, first_home=0, reward="margin")
        assert rewards == pytest.approx([margin / 30, -margin / 30])

    @pytest.mark.parametrize("reward", ["outcome", "margin"])
    def test_rewards_are_zero_until_the_end_and_add_up_to_zero(self, reward: str) -> None:
        batch = parlour.batch("patchwork", seed=3, reward=reward)
        while mover(batch) >= 0:
            rewards, terminated, _ = batch.step(batch.sample_legal())
            assert bool(terminated[0]) == (mover(batch) < 0)
            assert terminated[0] or not rewards.any()
        assert rewards.any()
        assert rewards.sum() == 0
