"""Kitsu against its rules: the tokens, the end of a trick, the decisions, the rewards."""

import json
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.kitsu.components import TOKENS
from tests.envs.kitsu.build import legal, mover, play, refresh, table, told

LAST_TRICK = ["blue 4", "orange 2", "katana", "orange 2"]
any_number = pytest.mark.parametrize("players", [2, 4, 6])


def ending(*trick: str, **given: Any) -> Batch:
    """A trick of four just finished; everyone has a card left."""
    *laid, last = trick
    hands = [["black"], ["black"], ["black"], [last.partition(" with ")[0], "black"]]
    batch = table(trick=laid, hands=given.pop("hands", hands), **({"track_length": 99} | given))
    play(batch, last)
    return batch


def recovering(hand: list[str], **given: Any) -> Batch:
    """Player 2 is to play, holds RECOVER, and a trick has been finished."""
    hands = [["white"], ["white"], hand, ["white"]]
    return table(finished=[LAST_TRICK], leader=1, trick=["blue 1"], hands=hands, tokens={2: "RECOVER"}, **given)


class TestPlus3:
    @pytest.mark.clause("KIT-30")
    def test_its_player_picks_the_colour(self) -> None:
        for seat, colour, pawns in ((3, "blue", [2, 0]), (3, "orange", [0, 4])):
            batch = ending("blue 1", "orange 2", "white", f"white with PLUS3 for {colour}", tokens={seat: "PLUS3"})
            assert told(batch, "pawns") == pawns

    @pytest.mark.clause("KIT-30", "KIT-50")
    def test_own_and_other_are_the_colours_of_the_players_clan(self) -> None:
        for leader, own in ((0, "blue"), (1, "orange")):
            batch = table(leader=leader, hands=[["white", "black"]] * 4, tokens={leader: "PLUS3"})
            batch.step([12 + 15])
            assert told(batch, "trick")[0]["token"] == f"PLUS3 {own}"

    @pytest.mark.clause("KIT-30")
    @pytest.mark.parametrize("inverter", ["white", "katana + INVERT"])
    def test_an_inversion_swaps_the_bonus(self, inverter: str) -> None:
        batch = ending("blue 1", inverter, "orange 2 + PLUS3 blue", "black")
        assert told(batch, "pawns") == [0, 2]


class TestNoAdvance:
    @pytest.mark.clause("KIT-31")
    def test_the_winner_does_not_move_whoever_played_it(self) -> None:
        for token_at in range(4):
            trick = ["blue 6", "blue 5", "orange 2", "black"]
            trick[token_at] += " with NO_ADVANCE" if token_at == 3 else " + NO_ADVANCE"
            batch = ending(*trick, tokens={3: "NO_ADVANCE"} if token_at == 3 else {})
            assert told(batch, "pawns") == [0, 0]


class TestHide:
    @pytest.mark.clause("KIT-32")
    def test_any_card_but_a_katana_and_a_black_kitsune_can_be_hidden(self) -> None:
        hand = ["blue 1", "orange 2", "white", "black", "katana"]
        batch = table(hands=[hand], tokens={0: "HIDE"})
        assert legal(batch) == {*hand, "blue 1 with HIDE", "orange 2 with HIDE", "white with HIDE"}

    @pytest.mark.clause("KIT-32")
    def test_a_hidden_card_is_safe_from_a_katana_and_counts_at_the_end(self) -> None:
        hands = [["white"], ["white"], ["blue 6", "white"], ["katana", "black"]]
        batch = table(trick=["black", "blue 2"], hands=hands, tokens={2: "HIDE"}, track_length=99)
        play(batch, "blue 6 with HIDE", "katana")
        assert legal(batch) == {"destroy card 2 of the trick"}
        play(batch, "destroy card 2 of the trick")
        assert told(batch, "pawns") == [6, 0]
        assert "blue 6" in told(batch, "last_trick")

    @pytest.mark.clause("KIT-32")
    def test_a_hidden_white_kitsune_inverts_when_it_is_turned_up(self) -> None:
        batch = table(trick=["blue 2", "blue 2", "white + HIDE"], hands=[["white"]] * 4, track_length=99)
        assert told(batch, "toggles") == 0
        batch = ending("blue 2", "blue 2", "white + HIDE", "orange 1")
        assert told(batch, "pawns") == [0, 3]

    @pytest.mark.clause("KIT-32")
    def test_a_forced_card_is_forced_under_this_token_too(self) -> None:
        batch = table(leader=1, trick=["black"], hands=[[], [], ["blue 1", "orange 2", "white"]], tokens={2: "HIDE"})
        assert legal(batch) == {"orange 2", "orange 2 with HIDE"}

    @pytest.mark.clause("KIT-32")
    def test_a_hidden_card_shows_only_when_turned_up_that_a_demand_was_not_met(self) -> None:
        hands = [["black", "white"], ["white"], ["white", "black"], ["white", "blue 1"]]
        batch = table(leader=1, trick=["black"], hands=hands, tokens={2: "HIDE"})
        play(batch, "white with HIDE", "blue 1")
        assert told(batch, "voids") == [[], [], [], []]
        play(batch, "white")
        assert told(batch, "voids") == [[], [], ["orange"], []]

    @pytest.mark.clause("KIT-32")
    def test_a_hidden_card_of_two_players_shows_its_own_player_void(self) -> None:
        hands = [["white", "black"], ["white", "katana"]]
        trick = ["blue 1", "orange 1", "black", "white"]
        batch = table(players=2, leader=0, trick=trick[:3], hands=hands, tokens={1: "HIDE"})
        play(batch, "white with HIDE")
        assert told(batch, "voids") == [[], ["blue"]]


class TestRecover:
    @pytest.mark.clause("KIT-33")
    def test_any_card_of_the_last_trick_or_none_can_be_taken(self) -> None:
        batch = recovering(["white", "blue 5"])
        play(batch, "white with RECOVER")
        assert told(batch, "phase") == "recover"
        assert legal(batch) == {"recover blue 4", "recover orange 2", "recover katana", "recover none"}

    @pytest.mark.clause("KIT-33")
    def test_the_card_goes_to_the_hand_for_the_next_own_play(self) -> None:
        batch = recovering(["white", "blue 5"])
        play(batch, "white with RECOVER", "recover katana")
        assert told(batch, "hands")[2] == ["blue 5", "katana"]
        assert told(batch, "last_trick") == ["blue 4", "orange 2", "orange 2"]
        assert mover(batch) == 3

    @pytest.mark.clause("KIT-33")
    def test_destroyed_cards_can_be_taken_too(self) -> None:
        batch = table(players=2, trick=["blue 4!", "katana", "white"], hands=[["black"], ["black", "white"]])
        batch._states[0].pile_size = 4
        refresh(batch)
        play(batch, "black")
        batch._states[0].held[1] = TOKENS.index("RECOVER")
        batch._states[0].hands[1, 12] = 1
        refresh(batch)
        play(batch, "white with RECOVER")
        assert "recover blue 4" in legal(batch)

    @pytest.mark.clause("KIT-33")
    def test_taking_none_leaves_all_as_it_is(self) -> None:
        batch = recovering(["white", "blue 5"])
        play(batch, "white with RECOVER", "recover none")
        assert told(batch, "hands")[2] == ["blue 5"]
        assert told(batch, "last_trick") == sorted(LAST_TRICK)

    @pytest.mark.clause("KIT-23", "KIT-33")
    @pytest.mark.parametrize(("choice", "voids"), [("recover blue 4", []), ("recover none", ["orange"])])
    def test_a_card_taken_ends_what_was_known_of_the_hand(self, choice: str, voids: list[str]) -> None:
        hands = [["white"], ["white"], ["white", "blue 5"], ["white"]]
        batch = table(finished=[LAST_TRICK], leader=1, trick=["black"], hands=hands, tokens={2: "RECOVER"})
        play(batch, "blue 5 with RECOVER")
        assert told(batch, "voids")[2] == ["orange"]
        play(batch, choice)
        assert told(batch, "voids")[2] == voids

    @pytest.mark.clause("KIT-33")
    def test_it_cannot_be_used_before_a_trick_is_finished_since_the_shuffle(self) -> None:
        assert legal(table(hands=[["white"]], tokens={0: "RECOVER"})) == {"white"}
        assert legal(table(hands=[["white"]], tokens={0: "RECOVER"}, finished=[LAST_TRICK])) == {
            "white",
            "white with RECOVER",
        }

    @pytest.mark.clause("KIT-33")
    def test_with_two_players_it_can_be_played_in_the_same_trick(self) -> None:
        hands = [["white", "black", "black"], ["blue 1", "black"]]
        batch = table(players=2, finished=[LAST_TRICK], hands=hands, tokens={0: "RECOVER"})
        play(batch, "white with RECOVER", "recover blue 4", "blue 1")
        assert "blue 4" in legal(batch)
        play(batch, "blue 4")
        assert [card["card"] for card in told(batch, "trick")] == ["white", "blue 1", "blue 4"]

    @pytest.mark.clause("KIT-33")
    def test_others_see_that_a_card_was_taken_but_not_which(self) -> None:
        views = []
        for choice in ("recover blue 4", "recover katana", "recover none"):
            batch = recovering(["white", "blue 5"])
            play(batch, "white with RECOVER", choice)
            views.append(batch.remember(0)[0])
        assert np.array_equal(views[0], views[1])
        assert not np.array_equal(views[0], views[2])


class TestInvert:
    @pytest.mark.clause("KIT-34")
    def test_it_toggles_like_a_white_kitsune(self) -> None:
        assert told(ending("blue 5", "black", "orange 2 + INVERT", "black"), "pawns") == [0, 3]

    @pytest.mark.clause("KIT-34")
    def test_with_a_white_kitsune_it_cancels_out(self) -> None:
        assert told(ending("blue 5", "white", "orange 2 + INVERT", "black"), "pawns") == [3, 0]
        assert told(ending("white + INVERT", "blue 5", "orange 2", "black"), "pawns") == [3, 0]


class TestEndOfTrick:
    @pytest.mark.clause("KIT-40", "KIT-41")
    def test_orange_8_against_blue_6_advances_2(self) -> None:
        assert told(ending("blue 6", "orange 5", "orange 3", "black"), "pawns") == [0, 2]

    @pytest.mark.clause("KIT-40")
    @pytest.mark.parametrize(
        ("trick", "pawns"),
        [
            (["blue 6", "blue 5", "orange 1", "orange 2"], [8, 0]),
            (["blue 6!", "blue 5", "orange 1", "orange 2"], [2, 0]),
            (["blue 6", "blue 5 + PLUS3 orange", "orange 1", "orange 2"], [5, 0]),
            (["blue 6", "white + PLUS3 orange", "orange 1", "orange 2"], [0, 0]),
            (["white", "white + INVERT", "blue 3", "orange 5"], [2, 0]),
            (["black", "black", "katana", "katana"], [0, 0]),
        ],
    )
    def test_undestroyed_numbers_and_plus3_are_summed_and_odd_toggles_swap(
        self, trick: list[str], pawns: list[int]
    ) -> None:
        assert told(ending(*trick), "pawns") == pawns

    @pytest.mark.clause("KIT-41")
    def test_equal_sums_move_nobody(self) -> None:
        assert told(ending("blue 6", "orange 5", "orange 1", "black", pawns=[3, 4]), "pawns") == [3, 4]

    @pytest.mark.clause("KIT-41", "KIT-42")
    def test_a_pawn_stops_on_the_last_space_and_wins_the_round(self) -> None:
        batch = ending("blue 6", "blue 5", "blue 4", "black", pawns=[0, 9], rounds_won=[1, 0], track_length=12)
        assert told(batch, "pawns") == [12, 9]
        assert told(batch, "rounds_won") == [2, 0]

    @pytest.mark.clause("KIT-42")
    def test_the_first_round_won_begins_the_next(self) -> None:
        batch = ending("blue 6", "blue 5", "blue 4", "black", track_length=12)
        assert (told(batch, "rounds_won"), told(batch, "pawns"), told(batch, "phase")) == ([1, 0], [0, 0], "exchange")

    @pytest.mark.clause("KIT-42")
    def test_the_second_wins_the_game_and_all_hands_are_discarded(self) -> None:
        batch = ending("blue 6", "blue 5", "blue 4", "black", rounds_won=[1, 1], track_length=12)
        assert (mover(batch), told(batch, "phase"), told(batch, "hands")) == (-1, "over", [[], [], [], []])
        assert told(batch, "discard").count("black") == 5
        assert not batch.legal.any()

    @pytest.mark.clause("KIT-42")
    def test_a_pawn_that_does_not_reach_the_last_space_goes_on(self) -> None:
        batch = ending("blue 6", "blue 5", "orange 1", "black", track_length=11)
        assert (told(batch, "pawns"), told(batch, "rounds_won")) == ([10, 0], [0, 0])


class TestTakingTokens:
    @pytest.mark.clause("KIT-43")
    def test_an_advance_of_4_gives_the_other_clan_a_token_of_its_choice(self) -> None:
        batch = ending("blue 4", "black", "black", "white", leader=0)
        assert (told(batch, "pawns"), told(batch, "phase")) == ([0, 4], "take token")
        assert legal(batch) == {f"take {token}" for token in TOKENS}

    @pytest.mark.clause("KIT-43")
    def test_an_advance_of_3_gives_none(self) -> None:
        assert told(ending("blue 3", "black", "black", "black"), "phase") == "play"

    @pytest.mark.clause("KIT-43")
    @pytest.mark.parametrize(
        ("leader", "last", "chooser"), [(0, "white", 2), (1, "white", 2), (0, "black", 1), (1, "black", 3)]
    )
    def test_the_member_who_plays_first_in_the_next_trick_chooses(self, leader: int, last: str, chooser: int) -> None:
        hands = [[last, "katana"]] * 4
        batch = ending("blue 6", "katana", "katana", last, leader=leader, hands=hands)
        loser = "blue" if last == "white" else "orange"
        assert mover(batch) == chooser
        assert chooser % 2 == ("blue", "orange").index(loser)

    @pytest.mark.clause("KIT-43")
    def test_the_chooser_then_names_the_member_who_holds_it(self) -> None:
        batch = ending("blue 6", "black", "black", "black")
        play(batch, "take HIDE")
        assert (told(batch, "phase"), mover(batch)) == ("give token", 1)
        assert legal(batch) == {"keep the token", "give the token 2 seats on"}
        play(batch, "give the token 2 seats on")
        assert told(batch, "tokens") == [None, None, None, "HIDE"]
        assert (told(batch, "phase"), mover(batch)) == ("play", 1)
        assert "HIDE" not in told(batch, "pool")

    @pytest.mark.clause("KIT-43")
    def test_with_six_any_of_three_members_can_hold_it(self) -> None:
        hands = [["black"]] * 5 + [["blue 6", "black"]]
        batch = table(players=6, trick=["black"] * 5, hands=hands)
        play(batch, "blue 6", "take INVERT")
        assert legal(batch) == {"keep the token", "give the token 2 seats on", "give the token 4 seats on"}
        play(batch, "give the token 4 seats on")
        assert told(batch, "tokens").index("INVERT") == 5

    @pytest.mark.clause("KIT-43")
    def test_two_players_choose_only_the_token(self) -> None:
        pile = ["blue 1", "blue 2", "orange 1", "orange 2"]
        batch = table(players=2, trick=["blue 6", "black", "black"], hands=[["black"], ["black", "white"]], pile=pile)
        play(batch, "black")
        assert (told(batch, "phase"), mover(batch), len(told(batch, "pile"))) == ("take token", 1, 4)
        play(batch, "take PLUS3")
        assert (told(batch, "tokens"), told(batch, "phase"), told(batch, "pile")) == ([None, "PLUS3"], "play", [])

    @pytest.mark.clause("KIT-43")
    def test_it_comes_before_the_redeal(self) -> None:
        batch = ending("blue 6", "black", "black", "black", hands=[[], [], [], ["black"]])
        assert (told(batch, "phase"), told(batch, "hands")) == ("take token", [[], [], [], []])
        play(batch, "take HIDE", "keep the token")
        assert (told(batch, "phase"), told(batch, "tokens")) == ("exchange", [None, "HIDE", None, None])

    @pytest.mark.clause("KIT-43")
    def test_the_trick_that_ends_a_round_brings_none(self) -> None:
        batch = ending("blue 6", "black", "black", "black", track_length=6)
        assert (told(batch, "rounds_won"), told(batch, "phase")) == ([1, 0], "exchange")

    @pytest.mark.clause("KIT-31", "KIT-43")
    def test_no_advance_brings_none(self) -> None:
        assert told(ending("blue 6 + NO_ADVANCE", "black", "black", "black"), "phase") == "play"

    @pytest.mark.clause("KIT-43")
    def test_an_empty_pool_gives_none(self) -> None:
        assert told(ending("blue 6", "black", "black", "black", pool=[]), "phase") == "play"
        assert told(ending("blue 6", "black", "black", "black", pool=["HIDE"]), "phase") == "take token"

    @pytest.mark.clause("KIT-44")
    @pytest.mark.parametrize("holder", range(4))
    def test_a_clan_that_holds_a_token_takes_no_other(self, holder: int) -> None:
        batch = ending("blue 6", "black", "black", "black", tokens={holder: "HIDE"})
        assert told(batch, "phase") == ("play" if holder % 2 else "take token")

    @pytest.mark.clause("KIT-44")
    @any_number
    def test_no_clan_ever_holds_two(self, players: int) -> None:
        batch = parlour.batch("kitsu", size=60, seed=8, players=players, autoreset=True)
        held = np.zeros(2)
        for _ in range(150):
            batch.step(batch.sample_legal())
            for clan in range(2):
                counts = (batch._states["held"][:, clan:players:2] >= 0).sum(axis=1)
                assert counts.max() <= 1
                held[clan] += counts.sum()
        assert held.min() > 100


class TestTruncation:
    def after(self, decisions: int, **given: Any) -> Batch:
        batch = table(hands=[["white", "black"]] * 4, trick=["blue 6", "blue 5"], **given)
        batch._states["decisions"] = decisions
        return batch

    @pytest.mark.clause("KIT-46")
    def test_the_2000th_decision_ends_a_game_without_pay(self) -> None:
        batch = self.after(1998)
        _, terminated, truncated = play(batch, "white")
        assert not terminated[0]
        assert not truncated[0]
        rewards, terminated, truncated = play(batch, "black")
        assert (terminated[0], truncated[0]) == (False, True)
        assert not rewards.any()
        assert (mover(batch), told(batch, "phase"), told(batch, "decisions")) == (-1, "over", 2000)

    @pytest.mark.clause("KIT-46")
    def test_a_win_on_that_decision_is_a_win(self) -> None:
        batch = self.after(1998, rounds_won=[1, 0], pawns=[11, 0])
        play(batch, "black")
        rewards, terminated, truncated = play(batch, "black")
        assert (terminated[0], truncated[0]) == (True, False)
        assert rewards[0].tolist() == [1, -1, 1, -1]


class TestDecisions:
    CARDS = ("own 1", "own 6", "other 1", "other 6", "white", "black", "katana")
    MODES = ("", "PLUS3 for own", "PLUS3 for other", "NO_ADVANCE", "HIDE", "RECOVER", "INVERT")

    @pytest.mark.clause("KIT-50")
    def test_the_138_actions_are_numbered_as_the_page_says(self) -> None:
        game = parlour.make_game("kitsu")
        assert game.num_actions == 138
        for mode, words in enumerate(self.MODES):
            for number, card in zip((0, 5, 6, 11, 12, 13, 14), self.CARDS, strict=True):
                expected = f"play {card}" + (f" with {words}" if words else "")
                assert game.action_text(number + 15 * mode) == expected
        texts = {number: game.action_text(number) for number in (105, 110, 111, 125, 126, 127, 131, 132, 137)}
        assert texts == {
            105: "destroy card 1 of the trick",
            110: "destroy card 6 of the trick",
            111: "recover own 1",
            125: "recover katana",
            126: "recover none",
            127: "take PLUS3",
            131: "take INVERT",
            132: "keep the token",
            137: "give the token 5 seats on",
        }
        assert len({game.action_text(number) for number in range(138)}) == 138

    @pytest.mark.clause("KIT-50")
    def test_the_same_action_means_the_own_colour_to_either_clan(self) -> None:
        for seat, own in ((0, "blue"), (1, "orange")):
            batch = table(leader=seat, hands=[["blue 3", "orange 3"]] * 4)
            batch.step([2])
            assert told(batch, "trick")[0]["card"] == f"{own} 3"

    @pytest.mark.clause("KIT-50")
    def test_a_policy_for_one_clan_plays_the_other(self) -> None:
        """The same table one seat on, with the colours swapped, looks the same and allows the same."""
        blue = table(hands=[[], [], ["blue 3", "orange 5", "white"], []], trick=["orange 1", "black"], pawns=[2, 5])
        orange = table(
            leader=1, hands=[[], [], [], ["orange 3", "blue 5", "white"]], trick=["blue 1", "black"], pawns=[5, 2]
        )
        for s in (blue._states[0], orange._states[0]):
            s.given[:4] = -1
        assert (mover(blue), mover(orange)) == (2, 3)
        assert np.array_equal(blue.legal, orange.legal)
        seen, swapped = blue.observe(2)[0], orange.observe(3)[0]
        for entry in blue.game.layout.entries:
            if entry.name not in ("hand_sizes",):
                view = blue.game.layout.view
                assert np.array_equal(view(seen, entry.name), view(swapped, entry.name)), entry.name

    @pytest.mark.clause("KIT-51")
    def test_target_then_recovered_card_are_asked_of_the_same_player(self) -> None:
        batch = recovering(["katana", "blue 5"])
        play(batch, "katana with RECOVER")
        assert (told(batch, "phase"), mover(batch)) == ("katana", 2)
        play(batch, "destroy card 1 of the trick")
        assert (told(batch, "phase"), mover(batch)) == ("recover", 2)
        play(batch, "recover none")
        assert (told(batch, "phase"), mover(batch)) == ("play", 3)

    @pytest.mark.clause("KIT-51")
    def test_a_decision_with_one_legal_action_is_asked_for(self) -> None:
        assert legal(table(hands=[["white"]])) == {"white"}
        batch = table(trick=["blue 3"], hands=[[], ["katana", "white"]])
        play(batch, "katana")
        assert (told(batch, "phase"), len(legal(batch))) == ("katana", 1)
        batch = ending("blue 6", "black", "black", "black", pool=["HIDE"])
        assert (told(batch, "phase"), legal(batch)) == ("take token", {"take HIDE"})

    @pytest.mark.clause("KIT-51")
    def test_card_and_token_are_one_decision(self) -> None:
        batch = table(hands=[["white", "black"]], tokens={0: "PLUS3"})
        before = told(batch, "decisions")
        play(batch, "white with PLUS3 for blue")
        assert (told(batch, "decisions"), mover(batch)) == (before + 1, 1)


class TestRewards:
    @pytest.mark.parametrize(
        ("reward", "lost", "paid"), [("outcome", 0, 1), ("outcome", 1, 1), ("margin", 0, 1), ("margin", 1, 0.5)]
    )
    @any_number
    def test_partners_get_the_same_and_the_sum_is_zero(self, players: int, reward: str, lost: int, paid: float) -> None:
        size = 6 if players == 6 else 4
        hands = [["white", "black"]] * players
        trick = ["black"] * (size - 2) + ["blue 6"]
        batch = table(players=players, trick=trick, hands=hands, rounds_won=[1, lost], pawns=[11, 0], reward=reward)
        rewards, terminated, _ = play(batch, "black")
        assert terminated[0]
        assert rewards[0].tolist() == [paid, -paid] * (players // 2)
        assert batch.scores()[0].tolist() == [2, lost] * (players // 2)

    def test_the_config_is_plain_json_that_makes_the_game_again(self) -> None:
        game = parlour.make_game("kitsu", players=6, track_length=9, first_player=5, reward="margin")
        assert dict(parlour.make_game("kitsu", **json.loads(json.dumps(dict(game.config)))).config) == dict(game.config)
