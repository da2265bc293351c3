"""What `greedy` does in Kitsu, in small situations and against random players."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from parlour.agents import load
from parlour.agents.greedy import worths
from parlour.agents.greedy.kitsu import later_worth
from parlour.envs.core.batch import Batch
from parlour.envs.kitsu.components import BLACK, TOKENS
from tests.agents.seating import final_scores
from tests.envs.kitsu.build import absolute, action_in, exchanging, mover, play, table

ONE = np.zeros(1, np.int64)


def choice(batch: Batch) -> str:
    """What the player to move does, in words."""
    return absolute(batch, int(load("greedy").act(batch, ONE)[0]))


def last_to_play(trick: list[str], hand: list[str], **given: Any) -> Batch:
    """Seat 3, of the orange clan, plays the last card of a trick."""
    others = ["white", "black"]
    finished = [["blue 1", "blue 1", "orange 1", "blue 2"]]
    return table(trick=trick, hands=[others, others, others, hand], finished=finished, **given)


def lost_by_far(pool: Sequence[str] = TOKENS) -> Batch:
    """The orange clan has lost a trick by 8: seat 1 takes a token."""
    hands = [["white", "black"]] * 3 + [["orange 2", "black"]]
    batch = table(trick=["blue 6", "blue 5", "orange 1"], hands=hands, pool=pool)
    play(batch, "orange 2")
    assert mover(batch) == 1
    return batch


class TestTheTrick:
    def test_a_card_of_the_own_colour_beats_one_of_the_other_colour(self) -> None:
        assert choice(last_to_play(["blue 3", "orange 1", "orange 2"], ["orange 4", "blue 4"])) == "orange 4"

    def test_a_burden_becomes_the_best_card_when_the_trick_is_inverted(self) -> None:
        assert choice(last_to_play(["blue 3", "white", "orange 2"], ["orange 4", "blue 4"])) == "blue 4"

    def test_the_last_player_inverts_a_trick_that_is_lost_by_far(self) -> None:
        assert choice(last_to_play(["blue 6", "orange 1", "blue 5"], ["white", "orange 2"])) == "white"

    def test_nobody_inverts_a_trick_that_the_own_clan_wins(self) -> None:
        assert choice(last_to_play(["orange 6", "orange 1", "blue 1"], ["white", "orange 1"])) == "orange 1"

    def test_no_more_is_spent_than_the_round_needs(self) -> None:
        batch = last_to_play(["blue 1", "orange 1", "blue 2"], ["orange 3", "orange 6"], pawns=(0, 11))
        assert choice(batch) == "orange 3"

    def test_the_partner_s_trick_is_not_struck(self) -> None:
        batch = last_to_play(["blue 1", "orange 5", "blue 4"], ["katana"])
        play(batch, "katana")
        assert choice(batch) == "destroy card 3 of the trick"

    def test_a_katana_is_worth_what_its_best_target_is_worth(self) -> None:
        batch = last_to_play(["blue 6", "orange 1", "blue 1"], ["katana", "orange 1"])
        assert choice(batch) == "katana"

    def test_a_black_kitsune_is_not_wasted_on_the_last_place(self) -> None:
        batch = last_to_play(["blue 1", "orange 1", "blue 1"], ["black", "orange 2"])
        assert choice(batch) == "orange 2"

    def test_a_black_kitsune_in_the_last_place_asks_nothing_of_anybody(self) -> None:
        batch = last_to_play(["orange 3", "blue 1", "orange 1"], ["black"])
        spaces = worths(batch, ONE)[0, action_in(batch, "black")] + later_worth(BLACK)
        assert spaces == pytest.approx(3), "just what lies on the table"

    def test_a_white_kitsune_is_spent_on_one_space_only_if_it_is_the_last(self) -> None:
        trick, hand = ["blue 3", "orange 1", "orange 1"], ["white", "orange 1"]
        assert choice(last_to_play(trick, hand, pawns=(0, 11))) == "white"
        assert choice(last_to_play(trick, hand, pawns=(0, 10))) == "orange 1"

    def test_beyond_the_end_of_the_track_there_is_the_round_but_no_more_spaces(self) -> None:
        """All three cards win the round: the white by 1, the others by more, and the 3 is the least loss."""
        batch = last_to_play(["blue 3", "orange 1", "orange 1"], ["white", "orange 3", "orange 6"], pawns=(0, 11))
        assert choice(batch) == "orange 3"


class TestTokens:
    def test_the_best_token_of_the_pool_is_taken(self) -> None:
        pool = list(TOKENS)
        for best in ("INVERT", "PLUS3", "NO_ADVANCE", "RECOVER", "HIDE"):
            assert choice(lost_by_far(pool)) == f"take {best}"
            pool.remove(best)

    def test_a_token_is_used_for_more_than_it_is_worth_later(self) -> None:
        """Two spaces are more than NO_ADVANCE is worth, but less than INVERT."""
        called_off = last_to_play(["blue 3", "orange 1", "blue 1"], ["orange 1"], tokens={3: "NO_ADVANCE"})
        assert choice(called_off) == "orange 1 with NO_ADVANCE"
        inverted = last_to_play(["blue 2", "orange 1", "blue 1"], ["orange 1"], tokens={3: "INVERT"})
        assert choice(inverted) == "orange 1"

    def test_plus3_is_used_to_win_the_round(self) -> None:
        batch = last_to_play(["blue 1", "orange 1", "blue 2"], ["orange 3"], tokens={3: "PLUS3"}, pawns=(0, 8))
        assert choice(batch) == "orange 3 with PLUS3 for orange"

    def test_a_large_loss_is_called_off(self) -> None:
        batch = last_to_play(["blue 6", "orange 1", "blue 5"], ["orange 2"], tokens={3: "NO_ADVANCE"}, pawns=(5, 0))
        assert choice(batch) == "orange 2 with NO_ADVANCE"

    def test_a_token_is_not_spent_on_next_to_nothing(self) -> None:
        batch = last_to_play(["blue 2", "orange 1", "blue 1"], ["orange 1"], tokens={3: "NO_ADVANCE"})
        assert choice(batch) == "orange 1"

    def test_the_best_card_of_the_last_trick_is_recovered(self) -> None:
        batch = table(
            trick=["blue 1", "orange 1", "blue 1"],
            hands=[["white"], ["white"], ["black"], ["orange 2"]],
            finished=[["blue 6", "orange 6", "orange 1", "blue 2"]],
            tokens={3: "RECOVER"},
        )
        batch.step([action_in(batch, "orange 2 with RECOVER")])
        assert choice(batch) == "recover orange 6"

    def test_a_token_goes_to_the_member_of_the_clan_who_plays_last_in_the_next_trick(self) -> None:
        batch = lost_by_far()
        play(batch, "take INVERT")
        assert choice(batch) == "give the token 2 seats on"


def test_worths_rank_the_cards_below_the_best_too() -> None:
    batch = last_to_play(["blue 3", "orange 1", "orange 2"], ["orange 4", "orange 3", "blue 4", "blue 6"], pool=())
    worth = worths(batch, ONE)[0]
    ranked = [worth[action_in(batch, card)] for card in ("orange 4", "orange 3", "blue 4", "blue 6")]
    assert ranked == sorted(ranked, reverse=True)


def test_the_partner_gets_a_better_card_than_the_lowest() -> None:
    batch = exchanging(["blue 6", "blue 1", "blue 2", "orange 1", "orange 1", "orange 2"])
    assert choice(batch) == "blue 6"


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("clan", [0, 1])
def test_a_greedy_clan_beats_a_random_one_nine_times_in_ten(players: int, clan: int) -> None:
    seating = (["greedy", "random"] if clan == 0 else ["random", "greedy"]) * (players // 2)
    scores = final_scores("kitsu", seating, size=200, seed=11)
    assert (scores[:, clan] > scores[:, 1 - clan]).mean() > 0.9
