"""Kitsu in words: why an action is refused, what the board shows."""

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.kitsu.build import absolute, play, table
from tests.envs.kitsu.test_tokens_and_end import ending, recovering


class TestWords:
    @pytest.mark.parametrize(
        ("batch", "action", "reason"),
        [
            (table(hands=[["white"]]), 2, r"they have no own 3 \(blue 3\)"),
            (table(hands=[["white"]]), 12 + 90, "they do not hold INVERT"),
            (table(hands=[["white"]], tokens={0: "RECOVER"}), 12 + 75, "no trick has been finished since the shuffle"),
            (table(hands=[["katana"]], tokens={0: "HIDE"}), 14 + 60, "a katana cannot be hidden"),
            (table(leader=1, trick=["black"], hands=[[]] * 2 + [["white", "orange 2"]]), 12, "Kitsune asks for orange"),
            (table(hands=[["white"]]), 126, "they are to play a card"),
            (ending("blue 6", "black", "black", "black", pool=["HIDE"]), 127, "PLUS3 is not in the pool"),
            (ending("blue 6", "black", "black", "black"), 0, "they are to take a token"),
        ],
    )
    def test_an_illegal_action_is_refused_with_its_reason(self, batch: Batch, action: int, reason: str) -> None:
        with pytest.raises(parlour.IllegalAction, match=reason):
            batch.step([action])

    @pytest.mark.parametrize(
        ("position", "reason"),
        [
            (0, "hidden"),
            (1, "destroyed already"),
            (2, "no number card"),
            (4, "their own"),
            (5, "the trick has 5 cards"),
        ],
    )
    def test_a_wrong_target_is_refused_with_its_reason(self, position: int, reason: str) -> None:
        trick = ["blue 1 + HIDE", "blue 2!", "white", "orange 5"]
        batch = table(players=6, trick=trick, hands=[[]] * 4 + [["katana", "white"]])
        play(batch, "katana")
        with pytest.raises(parlour.IllegalAction, match=reason):
            batch.step([105 + position])

    def test_other_phases_give_their_reasons(self) -> None:
        batch = parlour.batch("kitsu", seed=1)
        held = int(np.flatnonzero(batch.legal[0])[0])
        with pytest.raises(parlour.IllegalAction, match="no token is used in the exchange"):
            batch.step([held + 15])
        batch = recovering(["white", "blue 5"])
        play(batch, "white with RECOVER")
        with pytest.raises(parlour.IllegalAction, match="there is no white in the last trick"):
            batch.step([111 + 12])
        batch = ending("blue 6", "black", "black", "black")
        play(batch, "take HIDE")
        with pytest.raises(parlour.IllegalAction, match="no member of their clan sits there"):
            batch.step([133])

    def test_the_board_shows_what_is_public_and_nothing_else(self) -> None:
        trick = ["black", "orange 5!", "blue 6 + HIDE", "black"]
        hands = [["blue 4"], ["blue 3"], ["orange 6", "white"], ["katana"]]
        batch = table(
            players=6, trick=trick, hands=hands, tokens={1: "INVERT"}, pawns=[3, 7], finished=[["orange 4"] * 6]
        )
        board = batch.board()
        for public in (
            "blue 3/12",
            "orange 7/12",
            "orange 5",
            "(destroyed)",
            "holds INVERT",
            "must be orange",
            "2 cards",
        ):
            assert public in board, public
        for hidden in ("blue 4", "blue 6", "orange 6", "white", "katana", "orange 4"):
            assert hidden not in board, hidden

    def test_actions_read_back_in_printed_colours(self) -> None:
        batch = table(leader=1, hands=[["orange 2"]] * 4)
        assert absolute(batch, 1) == "orange 2"
