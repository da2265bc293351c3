"""Klink in words: why an action is refused, and the table as text."""

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.klink.build import kept, play, table, triad


def refusal(batch: Batch, action: str) -> str:
    """What is said to the player to move who wants this action."""
    (number,) = [a for a in range(batch.game.num_actions) if batch.game.action_text(a) == action]
    with pytest.raises(parlour.IllegalAction) as refused:
        batch.step([number])
    return str(refused.value)


class TestRefusals:
    def test_another_decision_is_asked_for(self) -> None:
        batch = table(players=3)
        assert 'cannot play "keep both" (action 2): the decision is to look at one of the two cards' in refusal(
            batch, "keep both"
        )
        play(batch, "look at slot 1")
        assert "the decision is to keep the two cards or pass them on" in refusal(batch, "look at slot 0")

    def test_the_player_was_offered_the_cards_or_is_not_there(self) -> None:
        batch = table(holders=[2, 0], looks={2: 0, 0: 0}, players=3)
        assert "player_2 has been offered the cards already" in refusal(batch, "player 2 clockwise")
        assert "there are 3 players" in refusal(batch, "player 3 clockwise")

    def test_the_ability_is_not_visible_or_of_no_use(self) -> None:
        batch = triad(visible=["DRAW_ALL", "SWAP", "DRAW_ALL"])
        assert "HIGH_LOW is not visible" in refusal(batch, "use HIGH_LOW")
        assert "no other player has a face-up card, and another" in refusal(batch, "use SWAP")

    def test_the_card_or_the_player_cannot_be_swapped(self) -> None:
        batch = triad(face_up=[[1, 2], [9]], players=3)
        play(batch, "use SWAP")
        assert "they have no face-up 9" in refusal(batch, "card 9")
        play(batch, "card 1")
        assert "player_2 has no face-up card" in refusal(batch, "player 2 clockwise")
        play(batch, "player 1 clockwise")
        assert "player_1 has no face-up -5" in refusal(batch, "card -5")

    def test_every_illegal_action_of_random_play_has_a_reason(self) -> None:
        batch = parlour.batch("klink", size=10, seed=4, players=3)
        asked = set()
        while (rows := np.flatnonzero(batch.current_player >= 0)).size:
            for row in rows.tolist():
                asked.add(batch.describe(row)["phase"])
                for action in np.flatnonzero(~batch.legal[row]):
                    assert batch.game.why_not(batch._states[row], int(action))
            batch.step(batch.sample_legal())
        assert len(asked) == 7


class TestBoard:
    def test_it_shows_collections_abilities_and_who_looked(self) -> None:
        batch = table(
            face_up=[[7, -2], [15]], face_down=[[], [4, 4]], holders=[1, 0], looks={1: 1}, totals=[12, -3], players=3
        )
        board = batch.board()
        assert "Round 1, look. The game ends at 77 points" in board
        assert "SWAP, DRAW_ALL, HIGH_LOW visible; 9 in the deck; discarded: -." in board
        assert "player_0 holds the cards that player_1 drew; player_1 looked at slot 1." in board
        assert "> player_0: 12 points, 2 cards\n    face up   -2 7\n" in board
        assert "  player_1: -3 points, 3 cards\n    face up   15\n    face down 4 4\n" in board
        assert board.endswith("  player_2: 0 points, 0 cards")

    def test_it_shows_a_swap_under_way(self) -> None:
        batch = triad(face_up=[[1, 2], [9]], players=2)
        play(batch, "use SWAP", "card 14", "player 1 clockwise")
        assert "player_0 has kept the cards that player_0 drew" in batch.board()
        assert "SWAP gives the 14; SWAP with player_1." in batch.board()

    def test_it_can_be_shown_when_the_game_is_over(self) -> None:
        batch = kept(face_up=[[20, 18, 16, 12, 10, 8, 6, 4]], drawn=[2, 0], players=2)
        assert "over" in batch.board()
        assert ">" not in batch.board()

    def test_it_holds_no_control_characters(self) -> None:
        assert all(character.isprintable() or character == "\n" for character in triad().board())


def test_components_are_the_same_wherever_the_cards_lie() -> None:
    batch = triad(face_up=[[1, 2], [9]], face_down=[[], [20, 20]], ability_deck=["SWAP"], players=2)
    cards = batch.game.components(batch._states[0])
    assert cards == {str(value): 3 if value in range(11) else 2 for value in range(-5, 21)} | {
        "SWAP": 4, "DRAW_ALL": 4, "HIGH_LOW": 4,
    }  # fmt: skip
