"""What `greedy` does in Klink, in small situations and against random players."""

from typing import Any

import numpy as np
import pytest

from parlour.agents import load
from parlour.agents.greedy import worths
from parlour.envs.core.batch import Batch
from tests.agents.seating import final_scores
from tests.envs.klink.build import play, table, triad

ONE = np.zeros(1, np.int64)


def choice(batch: Batch) -> str:
    """What the player to move does, in words."""
    return batch.game.action_text(int(load("greedy").act(batch, ONE)[0]))


def worth(batch: Batch, words: str) -> float:
    (number,) = [a for a in range(batch.game.num_actions) if batch.game.action_text(a) == words]
    return float(worths(batch, ONE)[0, number])


def looked(value: int, **given: Any) -> Batch:
    """The holder has looked at slot 0, where this value lies."""
    holders = given.setdefault("holders", [0])
    return table(drawn=[value, 5], looks={holders[-1]: 0}, **given)


class TestKeepOrPass:
    def test_low_cards_are_kept_and_high_ones_passed(self) -> None:
        assert choice(looked(-5)) == "keep both"
        assert choice(looked(19)).startswith("player")

    def test_a_high_card_that_makes_a_pair_is_kept(self) -> None:
        assert choice(looked(19, face_up=[[19], [19 - 1]])) == "keep both"

    def test_a_low_card_that_would_pair_the_own_lowest_is_passed(self) -> None:
        assert worth(looked(-5, face_up=[[-5]]), "keep both") < worth(looked(-5), "keep both")

    def test_keeping_is_worth_more_to_whoever_thereby_no_longer_has_the_fewest_cards(self) -> None:
        most = [6, 7, 9, 10, 12, 13, 15, 16]
        overtaking, alone = looked(8, face_up=[[4], most, [0, 2]]), looked(8, face_up=[[4], most])
        assert worth(overtaking, "keep both") > worth(alone, "keep both") + 5

    def test_a_card_that_makes_a_triad_is_worth_more_than_one_that_makes_none(self) -> None:
        assert worth(looked(9, face_up=[[7, 8]]), "keep both") > worth(looked(9, face_up=[[3, 8]]), "keep both") + 3

    def test_the_last_one_left_gets_the_cards(self) -> None:
        batch = looked(19, holders=[1, 2, 0], face_up=[[], [], [], [19]])
        assert worth(batch, "player 3 clockwise") < worth(looked(19, holders=[1, 2, 0]), "player 3 clockwise")

    def test_the_slot_that_another_player_looked_at_is_looked_at(self) -> None:
        assert choice(table(drawn=[9, 9], holders=[1, 0], looks={1: 0})) == "look at slot 0"
        assert choice(table(drawn=[9, 9], holders=[1, 0], looks={1: 1})) == "look at slot 1"


class TestAbilities:
    def test_the_highest_card_goes_to_whoever_shows_the_lowest(self) -> None:
        batch = triad(face_up=[[1, 2], [8], [-4, 20], [6]], visible=["HIGH_LOW", "HIGH_LOW", "DRAW_ALL"])
        assert choice(batch) == "use HIGH_LOW"
        play(batch, "use HIGH_LOW")
        assert choice(batch) == "player 2 clockwise"

    def test_the_highest_card_is_not_for_a_player_whom_it_gives_a_pair(self) -> None:
        """Seat 0 shows the lowest card, but has a 14 too; so it goes to seat 2."""
        batch = triad(face_up=[[-1, 14], [1, 2], [4, 9], [8]], seat=1, visible=["HIGH_LOW", "HIGH_LOW", "DRAW_ALL"])
        whole = worth(batch, "use HIGH_LOW")
        play(batch, "use HIGH_LOW")
        at_4, at_8, at_14 = (worth(batch, f"player {steps} clockwise") for steps in (1, 2, 3))
        assert at_4 > at_14 > at_8
        assert at_4 == whole, "the ability is worth what its best use is worth"

    def test_a_swap_takes_the_card_that_makes_a_pair(self) -> None:
        batch = triad(face_up=[[1, 2, 20], [6], [20, 9], [8]], visible=["SWAP", "SWAP", "DRAW_ALL"])
        for words in ("use SWAP", "card 14", "player 2 clockwise", "card 20"):
            assert choice(batch) == words
            play(batch, words)

    def test_everybody_draws_only_if_nothing_better_can_be_done(self) -> None:
        assert choice(triad(face_up=[[1, 2], [-5]], visible=["DRAW_ALL", "SWAP", "DRAW_ALL"])) == "use SWAP"
        assert choice(triad(visible=["DRAW_ALL", "SWAP", "DRAW_ALL"])) == "use DRAW_ALL"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_greedy_players_are_ahead_of_random_ones_four_times_in_five(players: int) -> None:
    ahead = []
    for turn in range(2):
        seating = [("greedy", "random")[(seat + turn) % 2] for seat in range(players)]
        scores = final_scores("klink", seating, size=150, seed=11)
        greedy, random = scores[:, turn::2, None], scores[:, None, 1 - turn :: 2]
        ahead.append(((greedy < random) + 0.5 * (greedy == random)).mean())
    assert np.mean(ahead) > 0.8
