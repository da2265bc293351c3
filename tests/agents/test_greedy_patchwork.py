"""The greedy player of Patchwork."""

from parlour.agents import load
from tests.agents.play import choice, weights, win_rate
from tests.envs.patchwork.build import filled, table

CORNERS = ("a1", "h1", "a8", "h8")
"""Where a square of two by two lies in a corner of the quilt."""


def best_of(batch_weights: dict[str, float], patch: str) -> float:
    """What a patch is worth where it fits best."""
    return max(worth for words, worth in batch_weights.items() if words.startswith(f"buy {patch}"))


class TestPatches:
    def test_income_is_bought_early_and_area_late(self) -> None:
        """I: 4 cells, 2 income, 6 buttons, time 5; F: 5 cells, no income, 2 buttons, time 2."""
        early = weights(table(circle=["I", "F"], buttons=[12, 12]))
        late = weights(table(circle=["I", "F"], buttons=[12, 12], time=[45, 47]))
        assert best_of(early, "I") - best_of(late, "I") > best_of(early, "F") - best_of(late, "F")
        assert best_of(late, "F") > best_of(late, "I")

    def test_two_spaces_of_time_are_dearer_than_two_buttons(self) -> None:
        """B costs 1 button and 3 spaces, C 3 buttons and 1 space, for the same shape."""
        worth = weights(table(circle=["B", "C"], buttons=[9, 9], time=[30, 32]))
        assert best_of(worth, "C") > best_of(worth, "B")

    def test_time_past_the_end_costs_nothing(self) -> None:
        """At space 52 a patch with time 6 takes the same single space as one with time 1."""
        worth = weights(table(circle=["S", "R"], buttons=[6, 6], time=[52, 53]))
        assert best_of(worth, "S") > worth["advance"]

    def test_without_a_patch_that_fits_or_can_be_paid_it_advances(self) -> None:
        assert choice(table(circle=["N", "W", "Y"], buttons=[2, 0])) == "advance"
        assert choice(table(circle=["A", "B", "C"], quilts=[filled("a1", "c3"), []], buttons=[9, 9])) == "advance"

    def test_leather_within_reach_draws(self) -> None:
        there, gone = (
            weights(table(circle=["D", "F"], buttons=[5, 5], time=[25, 30], leather_left=[one] * 5))
            for one in (True, False)
        )
        assert best_of(there, "D") > best_of(gone, "D")


class TestPacking:
    def test_the_first_patch_goes_into_a_corner(self) -> None:
        worth = weights(table(circle=["I"], buttons=[9, 9]))
        best = best_of(worth, "I")
        assert {words for words in worth if worth[words] == best} <= {f"buy I, at {cell}" for cell in CORNERS}

    def test_an_avoidable_hole_is_not_made(self) -> None:
        """A domino fills the gap of two cells; in that of three it would leave a hole."""
        batch = table(circle=["A"], quilts=[filled("a1", "b1", "d1", "e1", "f1"), []], buttons=[9, 9], time=[40, 45])
        assert choice(batch) == "buy A, at a1"

    def test_the_square_for_the_tile_is_filled_while_it_is_to_be_had(self) -> None:
        """Two cells are free, of which only one completes a 7x7 square."""
        worth = {
            bonus: weights(table(quilts=[filled("c3", "i9"), []], leather_in_hand=True, bonus=bonus))
            for bonus in (None, 1)
        }
        assert worth[None]["leather at c3"] > worth[None]["leather at i9"]
        assert worth[1]["leather at c3"] == worth[1]["leather at i9"]

    def test_leather_fills_a_hole(self) -> None:
        quilt = ["#.#......", "###......"]
        batch = table(quilts=[quilt, []], leather_in_hand=True)
        assert choice(batch) == "leather at b1"


def test_it_beats_random() -> None:
    assert win_rate(load("greedy"), load("random"), "patchwork", games=240) > 0.97
