"""Klink from the end of a round to the end of the game: scores, winners, starters, limits, rewards."""

import json
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.core.registry import make_game
from tests.envs.klink.build import kept, mover, play, table, told, triad

EIGHT = [-5, -3, 0, 2, 4, 6, 8, 10]
"""Eight face-up cards without a triad; with the 12 and 14 of `ended` they are ten, worth 48, or 38 as the most."""
any_number = pytest.mark.parametrize("players", [2, 3, 4, 5, 6])


def ended(*others: list[int], keeper: int = 0, **given: Any) -> Batch:
    """A round that the keeper of EIGHT, a 12 and a 14 has ended; the others' face-up cards are given."""
    face_up = [*others[:keeper], EIGHT, *others[keeper:]]
    return kept(face_up=face_up, drawn=[12, 14], holders=[keeper], players=len(face_up), **given)


def final_rewards(totals: list[int], **config: Any) -> list[float]:
    """The rewards when a game ends with these totals, of which the first belongs to the keeper of EIGHT."""
    before = [totals[0] - 48, *totals[1:]]
    batch = table(face_up=[EIGHT], drawn=[12, 14], looks={0: 0}, totals=before, players=len(totals), **config)
    rewards, terminated, truncated = batch.step([2])
    assert batch.scores()[0].tolist() == totals
    assert terminated.all()
    assert not truncated.any()
    return [float(reward) for reward in rewards[0]]


class TestRoundScore:
    @pytest.mark.clause("KLI-30")
    def test_it_is_the_sum_of_the_face_up_cards_with_10_off_for_the_most_and_10_on_for_the_fewest(self) -> None:
        assert told(ended([7], [1, 5]), "scores") == [48 - 10, 7 + 10, 6]

    @pytest.mark.clause("KLI-30")
    def test_face_down_cards_count_as_cards_and_are_worth_nothing(self) -> None:
        face_down = [[20, 20, 19, 19, 18, 18], [], [16, 16]]
        batch = kept(face_up=[[1, 3], [7, 9, 11], [5]], face_down=face_down, drawn=[12, 14], players=3)
        assert told(batch, "scores") == [30 - 10, 27 + 10, 5 + 10]

    @pytest.mark.clause("KLI-30")
    def test_everyone_tied_for_the_fewest_adds_10(self) -> None:
        assert told(ended([7], [-2], [1, 5]), "scores") == [38, 17, 8, 6]

    @pytest.mark.clause("KLI-30")
    def test_everyone_tied_for_the_most_takes_10_off(self) -> None:
        nine = [-5, -3, 5, 7, 9, 11, 13, 16, 18]
        mine = [1, 2, -2, 6, 8]
        batch = triad(face_up=[mine, nine, [0]], face_down=[[15, 15]], deck=[20, 20, 19], players=3)
        play(batch, "use DRAW_ALL")
        assert told(batch, "scores") == [15 + 17 + 20 - 10, 71 + 20 - 10, 19 + 10]

    @pytest.mark.clause("KLI-30")
    def test_no_cards_score_nothing_and_are_not_the_fewest(self) -> None:
        assert told(ended([], [3], []), "scores") == [38, 0, 13, 0]

    @pytest.mark.clause("KLI-30")
    def test_the_only_player_with_cards_has_the_most_and_the_fewest(self) -> None:
        assert told(ended([]), "scores") == [48, 0]

    @pytest.mark.clause("KLI-30", "KLI-31")
    def test_scores_of_rounds_add_up(self) -> None:
        assert told(ended([7], [1, 5], totals=[-20, 30, 50]), "scores") == [18, 47, 56]

    @pytest.mark.clause("KLI-30", "KLI-31")
    def test_a_total_can_be_negative(self) -> None:
        face_down = [[20, 20, 19, 19]]
        batch = kept(face_up=[[-5, -4, -2, -1]], face_down=face_down, drawn=[1, 3], players=2, totals=[-3])
        assert told(batch, "scores") == [-3 - 12 + 4, 0]


class TestEndOfTheGame:
    @pytest.mark.clause("KLI-31")
    @pytest.mark.parametrize(("before", "over"), [(38, False), (39, True), (60, True)])
    def test_a_total_of_77_or_more_ends_it(self, before: int, over: bool) -> None:
        batch = ended([7], totals=[before, 0])
        assert (mover(batch) == -1) == over
        assert told(batch, "phase") == ("over" if over else "look")

    @pytest.mark.clause("KLI-31")
    @pytest.mark.parametrize(("before", "over"), [(61, False), (62, True)])
    def test_the_target_can_be_100(self, before: int, over: bool) -> None:
        assert (mover(ended([7], totals=[before, 0], target=100)) == -1) == over

    @pytest.mark.clause("KLI-31")
    def test_another_player_than_the_keeper_can_reach_it(self) -> None:
        assert mover(ended([7], totals=[0, 60])) == -1

    @pytest.mark.clause("KLI-31")
    def test_it_ends_only_at_the_end_of_a_round(self) -> None:
        batch = kept(face_up=[[20, 18]], drawn=[16, 14], totals=[76, 0], players=2)
        assert mover(batch) == 0

    @pytest.mark.clause("KLI-31")
    def test_the_last_table_stays_as_it_was_scored(self) -> None:
        batch = ended([7], totals=[40, 0])
        now = batch.describe()
        assert now["face_up"] == [[*EIGHT, 12, 14], [7]]
        assert (now["round"], now["player"], now["holder"], now["offered"]) == (1, None, 0, [0])
        assert not batch.legal.any()

    @pytest.mark.clause("KLI-31")
    def test_the_lowest_total_wins_alone(self) -> None:
        assert final_rewards([80, 20, 30]) == [-0.5, 1.0, -0.5]

    @pytest.mark.clause("KLI-31")
    def test_a_tie_shares_the_win(self) -> None:
        assert final_rewards([80, 20, 30, 20]) == pytest.approx([-1 / 3, 1 / 3, -1 / 3, 1 / 3])
        assert final_rewards([90, 90]) == [0.0, 0.0]

    @pytest.mark.clause("KLI-31")
    def test_whoever_reaches_the_target_can_still_win(self) -> None:
        assert final_rewards([80, 90]) == [1.0, -1.0]

    @pytest.mark.clause("KLI-31")
    def test_a_negative_total_beats_zero(self) -> None:
        assert final_rewards([80, 0, -4]) == [-0.5, -0.5, 1.0]


class TestMargin:
    def test_it_is_minus_the_total_against_the_mean_of_the_others_by_100(self) -> None:
        assert final_rewards([80, 20], reward="margin") == pytest.approx([-0.6, 0.6])
        assert final_rewards([80, 20, -10], reward="margin") == pytest.approx([-0.75, 0.15, 0.6])


class TestNextRound:
    @pytest.mark.clause("KLI-32")
    def test_all_cards_are_shuffled_again(self) -> None:
        batch = ended([7], [1, 5])
        now = batch.describe()
        assert (now["round"], now["face_up"], now["face_down"]) == (2, [[]] * 3, [[]] * 3)
        cards = now["drawn"] + now["number_deck"]
        assert sorted(cards) == sorted(list(range(-5, 21)) * 2 + list(range(11)))
        assert cards != sorted(cards)
        assert len(now["visible"] + now["ability_deck"]) == 12
        assert now["ability_discard"] == []

    @pytest.mark.clause("KLI-32")
    @pytest.mark.parametrize(
        ("keeper", "totals", "starter"),
        [
            (0, [0, 0, 0, 0], 0),  # 48, as the only one with cards
            (0, [0, 60, 0, 0], 1),
            (2, [49, 0, 0, 0], 0),
            (2, [0, 0, 0, 49], 3),
            (1, [50, 0, 50, 20], 2),  # a tie without the keeper: the nearest clockwise
            (2, [50, 50, 0, 0], 0),
            (3, [0, 50, 50, 0], 1),
            (1, [48, 0, 48, 48], 1),  # a tie with the keeper, who comes first
        ],
    )
    def test_the_highest_total_starts_and_ties_go_clockwise_from_the_keeper(
        self, keeper: int, totals: list[int], starter: int
    ) -> None:
        batch = ended([], [], [], keeper=keeper, totals=totals)
        assert (told(batch, "round"), told(batch, "turn_player"), mover(batch)) == (2, starter, starter)

    @pytest.mark.clause("KLI-32")
    def test_the_total_decides_and_not_the_last_round(self) -> None:
        assert mover(ended([7], totals=[0, 20])) == 0  # 38 and 37
        assert mover(ended([7], totals=[0, 22])) == 1  # 38 and 39, though this round gave them 38 and 17


class TestLimits:
    @pytest.mark.clause("KLI-33")
    def test_a_game_of_50_rounds_is_truncated_and_paid_by_its_totals(self) -> None:
        batch = table(face_up=[EIGHT], drawn=[12, 14], looks={0: 0}, players=3, totals=[-90, 3, 5], round_number=50)
        rewards, terminated, truncated = batch.step([2])
        assert (terminated.tolist(), truncated.tolist()) == ([False], [True])
        assert (told(batch, "scores"), told(batch, "phase")) == ([-42, 3, 5], "over")
        assert rewards[0].tolist() == [1.0, -0.5, -0.5]

    @pytest.mark.clause("KLI-33")
    def test_the_49th_round_is_followed_by_another(self) -> None:
        assert told(ended([7], round_number=49), "round") == 50

    @pytest.mark.clause("KLI-33")
    def test_a_target_reached_in_the_50th_round_is_no_truncation(self) -> None:
        assert final_rewards([80, 20], round_number=50) == [-1.0, 1.0]

    @pytest.mark.clause("KLI-33")
    @any_number
    def test_the_fullest_round_uses_ten_cards_per_player_and_two(self, players: int) -> None:
        mine, others = [1, 2, -5, -3, 5, 7, 9, 11, 16], [0, 4, 6, 8, 10, 13, 15, 17, 19]
        numbers = dict.fromkeys([*mine, 3, 14], 1) | dict.fromkeys(others, players - 1) | {20: players}
        batch = triad(face_up=[mine, *[others] * (players - 1)], players=players, numbers=numbers, target=1000)
        assert len(told(batch, "number_deck")) == players
        play(batch, "use DRAW_ALL")
        assert told(batch, "scores") == [80 - 10, *[112 + 10] * (players - 1)]

    @pytest.mark.clause("KLI-33")
    @any_number
    def test_the_longest_round_has_four_turns_per_player_and_one(self, players: int) -> None:
        """Whoever has eight cards passes them on while somebody has fewer; nothing but SWAPs, so nobody draws more."""
        batch = parlour.batch("klink", seed=2, players=players, abilities={"SWAP": 3}, target=1000)
        turns = 0
        while told(batch, "round") == 1:
            now = batch.describe()
            turns += (now["phase"], now["offered"]) == ("look", [now["player"]])
            batch.step([_evenly(batch, now)])
        assert turns == 4 * players + 1


def _evenly(batch: Batch, now: dict[str, Any]) -> int:
    """Keep with fewer than eight cards, else pass to whoever has fewer, if there is anybody."""
    if now["phase"] != "keep or pass":
        return int(np.flatnonzero(batch.legal[0])[0])
    cards = [len(up) + len(down) for up, down in zip(now["face_up"], now["face_down"], strict=True)]
    seat, n = now["player"], len(cards)
    wanted = [step for step in range(1, n) if cards[(seat + step) % n] < 8 and batch.legal[0, 2 + step]]
    return 2 if cards[seat] < 8 or not wanted else 2 + wanted[0]


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"players": 1}, "players must be one of 2, 3, 4, 5, 6, got 1"),
            ({"players": 7}, "players must be one of 2, 3, 4, 5, 6, got 7"),
            ({"target": 0}, "target must be a whole number from 1 to 1000, got 0"),
            ({"target": 77.0}, "target must be a whole number"),
            ({"target": True}, "target must be a whole number"),
            ({"first_player": 4}, "first_player must be one of 0, 1, 2, 3, got 4"),
            ({"reward": "score"}, "reward must be one of outcome, margin"),
            ({"numbers": {21: 63}}, "no number card 21; there are -5 to 20"),
            ({"numbers": {-6: 63}}, "no number card -6"),
            ({"numbers": {"5": 63}}, "no number card '5'"),
            ({"numbers": {5: -1}}, "count of the number card 5 must be from 0 to 126, got -1"),
            ({"numbers": {5: 100, 6: 27}}, "there can be 126 number cards, got 127"),
            ({"numbers": [5, 6]}, r"a row of the number cards is \(card, count\), got 5"),
            ({"numbers": 63}, "the number cards are a table"),
            ({"abilities": {"LOOK": 3}}, "no ability card 'LOOK'; there are SWAP, DRAW_ALL, HIGH_LOW"),
            ({"abilities": {"SWAP": 25}}, "must be from 0 to 24, got 25"),
            ({"abilities": [("SWAP", 20), ("SWAP", 5)]}, "there can be 24 ability cards, got 25"),
            ({"colour": "red"}, "klink has no option 'colour'"),
        ],
    )
    def test_what_does_not_fit_is_refused_with_a_reason(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(parlour.ConfigError, match=message):
            make_game("klink", **options)

    def test_the_configuration_survives_json_and_makes_the_same_game(self) -> None:
        game = make_game(
            "klink", players=3, target=100, numbers={7: 40, -2: 9}, abilities={"HIGH_LOW": 4}, reward="margin"
        )
        config = json.loads(json.dumps(dict(game.config)))
        again = make_game("klink", **config)
        assert dict(again.config) == dict(game.config) == config
        assert again.blank.tobytes() == game.blank.tobytes()

    def test_four_play_to_77_by_default(self) -> None:
        config = make_game("klink").config
        assert (config["players"], config["target"], config["first_player"], config["reward"]) == (
            4,
            77,
            None,
            "outcome",
        )
