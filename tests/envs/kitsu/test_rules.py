"""Kitsu against its rules: components, the round, the cards."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.kitsu.build import deck, exchanging, legal, mover, play, refresh, table, told

any_number = pytest.mark.parametrize("players", [2, 4, 6])
partners = pytest.mark.parametrize("players", [4, 6])
NUMBERS = {2: "111223456", 4: "111223456", 6: "111122233456"}
HAND = {2: 6, 4: 6, 6: 5}
TRICK = {2: 4, 4: 4, 6: 6}


def zones(batch: Batch) -> Counter[str]:
    """Every card of a game, wherever it lies."""
    state = batch.describe()
    cards = Counter(state["pile"] + state["discard"] + [played["card"] for played in state["trick"]])
    for hand in state["hands"]:
        cards.update(hand)
    cards.update(card for card in state["aside"] if card)
    return cards


def seats_seen(name: str, rows: int, **config: Any) -> Counter[int]:
    batch = parlour.batch("kitsu", size=rows, seed=2, **config)
    return Counter(int(batch.describe(row)[name]) for row in range(rows))


class TestComponents:
    @pytest.mark.clause("KIT-1")
    @any_number
    def test_each_colour_has_its_numbers_and_the_specials_come_in_pairs(self, players: int) -> None:
        cards = zones(parlour.batch("kitsu", seed=3, players=players))
        for colour in ("blue", "orange"):
            assert "".join(sorted(c[-1] for c in cards.elements() if c.startswith(colour))) == NUMBERS[players]
        assert (cards["white"], cards["black"], cards["katana"]) == (2, 2, 2)
        assert cards.total() == (30 if players == 6 else 24)

    @pytest.mark.clause("KIT-1")
    @any_number
    def test_no_card_is_ever_lost_or_doubled(self, players: int) -> None:
        batch = parlour.batch("kitsu", seed=4, players=players)
        while mover(batch) >= 0:
            assert zones(batch) == deck(players)
            batch.step(batch.sample_legal())
        assert zones(batch) == deck(players)

    @pytest.mark.clause("KIT-2")
    @any_number
    def test_both_pawns_start_on_space_0(self, players: int) -> None:
        assert told(parlour.batch("kitsu", seed=3, players=players), "pawns") == [0, 0]

    @pytest.mark.clause("KIT-2")
    @pytest.mark.parametrize(("options", "spaces"), [({}, 12), ({"track_length": 5}, 5), ({"track_length": 100}, 100)])
    def test_the_last_space_is_12_unless_another_is_chosen(self, options: dict[str, Any], spaces: int) -> None:
        batch = table(
            trick=["white", "blue 1", "orange 1"], pawns=[spaces - 2, 0], hands=[[], [], [], ["blue 1"]], **options
        )
        play(batch, "blue 1")
        assert told(batch, "rounds_won") == [0, 0]
        batch = table(
            trick=["white", "orange 2", "blue 1"], pawns=[spaces - 2, 0], hands=[[], [], [], ["orange 1"]], **options
        )
        play(batch, "orange 1")
        assert told(batch, "rounds_won") == [1, 0]

    @pytest.mark.clause("KIT-2")
    @pytest.mark.parametrize("length", [0, 101, -1, 2.5, True, "12"])
    def test_a_track_that_cannot_be_is_refused(self, length: Any) -> None:
        with pytest.raises(parlour.ConfigError, match="track_length must be a whole number"):
            parlour.batch("kitsu", track_length=length)

    @pytest.mark.clause("KIT-3")
    @any_number
    def test_there_are_five_tokens_all_in_the_pool(self, players: int) -> None:
        batch = parlour.batch("kitsu", seed=3, players=players)
        assert told(batch, "pool") == ["PLUS3", "NO_ADVANCE", "HIDE", "RECOVER", "INVERT"]
        assert told(batch, "tokens") == [None] * players

    @pytest.mark.clause("KIT-4")
    @any_number
    def test_neighbours_are_of_different_clans(self, players: int) -> None:
        batch = table(players=players, rounds_won=[1, 1], pawns=[11, 11], trick=["blue 1"] * (TRICK[players] - 1))
        rewards, terminated, _ = play(batch, "white")
        assert terminated[0]
        assert rewards[0].tolist() == [-1, 1] * (players // 2)

    @pytest.mark.clause("KIT-4")
    def test_only_2_4_or_6_play(self) -> None:
        for players in (1, 3, 5, 8):
            with pytest.raises(parlour.ConfigError, match="players must be one of 2, 4, 6"):
                parlour.batch("kitsu", players=players)


class TestRound:
    def nearly_won(self, players: int = 4, **given: Any) -> Batch:
        """Orange wins its first round with the next play."""
        trick = ["orange 1"] * (TRICK[players] - 2) + ["blue 6"]
        last = (TRICK[players] - 1) % players
        hands = [["white"] * (seat == last) for seat in range(players)]
        return table(players=players, trick=trick, pawns=[3, 11], hands=hands, **given)

    def win(self, **given: Any) -> Batch:
        """A round just won by orange."""
        batch = self.nearly_won(**given)
        play(batch, "white")
        assert told(batch, "rounds_won") == [0, 1]
        return batch

    @pytest.mark.clause("KIT-10")
    @any_number
    def test_a_round_begins_with_both_pawns_on_0(self, players: int) -> None:
        assert told(self.win(players=players), "pawns") == [0, 0]

    @pytest.mark.clause("KIT-10")
    def test_used_tokens_come_back_and_held_ones_stay_with_their_holders(self) -> None:
        batch = self.win(tokens={2: "RECOVER", 1: "PLUS3"}, pool=["INVERT"])
        assert told(batch, "tokens") == [None, "PLUS3", "RECOVER", None]
        assert told(batch, "pool") == ["NO_ADVANCE", "HIDE", "INVERT"]
        assert told(batch, "out") == []

    @pytest.mark.clause("KIT-10")
    def test_within_a_round_a_used_token_stays_out_through_a_new_deal(self) -> None:
        batch = table(trick=["white", "blue 1", "orange 1"], hands=[[], [], [], ["blue 2"]], tokens={3: "INVERT"})
        play(batch, "blue 2 with INVERT")
        assert told(batch, "phase") == "exchange"
        assert told(batch, "out") == ["INVERT"]
        assert "INVERT" not in told(batch, "pool")

    @pytest.mark.clause("KIT-11")
    @any_number
    def test_the_seed_draws_the_first_leader_among_all_seats(self, players: int) -> None:
        seen = seats_seen("leader", 300, players=players)
        assert set(seen) == set(range(players))
        assert min(seen.values()) > 150 / players

    @pytest.mark.clause("KIT-11")
    @any_number
    def test_an_option_names_the_first_leader(self, players: int) -> None:
        for seat in range(players):
            assert set(seats_seen("leader", 20, players=players, first_player=seat)) == {seat}
        with pytest.raises(parlour.ConfigError, match="first_player"):
            parlour.batch("kitsu", players=players, first_player=players)

    @pytest.mark.clause("KIT-11")
    @any_number
    def test_a_later_leader_is_drawn_among_the_winners_of_the_round_before(self, players: int) -> None:
        batch = self.nearly_won(players).copy(np.zeros(200, int))
        batch._states["seed"] = np.arange(200)
        white = int(np.flatnonzero(batch.legal[0])[0])
        batch.step(np.full(200, white))
        leaders = Counter(int(batch.describe(row)["leader"]) for row in range(200))
        assert set(leaders) == set(range(1, players, 2))
        assert min(leaders.values()) > 30

    @pytest.mark.clause("KIT-12")
    @any_number
    def test_all_cards_are_dealt_but_for_a_pile_of_two_players(self, players: int) -> None:
        batch = parlour.batch("kitsu", seed=3, players=players)
        assert [len(hand) for hand in told(batch, "hands")] == [HAND[players]] * players
        assert len(told(batch, "pile")) == (12 if players == 2 else 0)

    @pytest.mark.clause("KIT-12")
    @any_number
    def test_every_card_can_come_to_every_seat(self, players: int) -> None:
        batch = parlour.batch("kitsu", size=400, seed=9, players=players)
        mean = batch._states["hands"][:, :players].mean(axis=0)
        expected = np.array(list(deck(players).values())) * HAND[players] / deck(players).total()
        assert np.abs(mean - expected).max() < 0.15

    @pytest.mark.clause("KIT-14")
    @any_number
    def test_a_trick_goes_clockwise_from_the_leader(self, players: int) -> None:
        hands = [["blue 1", "blue 2", "white"]] * players
        batch = table(players=players, leader=players - 1, hands=hands)
        order = []
        for _ in range(TRICK[players]):
            order.append(mover(batch))
            play(batch, sorted(legal(batch))[0])
        assert order == [(players - 1 + i) % players for i in range(TRICK[players])]
        assert told(batch, "tricks") == 1

    @pytest.mark.clause("KIT-14")
    def test_two_players_have_two_cards_each_in_a_trick(self) -> None:
        batch = table(players=2, hands=[["blue 1", "blue 2", "white"], ["orange 1", "orange 2", "white"]])
        play(batch, "blue 1", "orange 1", "blue 2")
        assert [card["seat"] for card in told(batch, "trick")] == [0, 1, 0]

    @pytest.mark.clause("KIT-15")
    def test_a_card_is_laid_face_up_with_or_without_the_own_token(self) -> None:
        batch = table(hands=[["blue 3", "katana"]], tokens={0: "INVERT"})
        assert legal(batch) == {"blue 3", "katana", "blue 3 with INVERT", "katana with INVERT"}
        play(batch, "blue 3 with INVERT")
        assert told(batch, "trick") == [
            {"seat": 0, "card": "blue 3", "destroyed": False, "hidden": False, "token": "INVERT"}
        ]
        assert told(batch, "hands")[0] == ["katana"]
        assert told(batch, "tokens") == [None] * 4

    @pytest.mark.clause("KIT-15")
    def test_a_token_of_the_partner_cannot_be_used(self) -> None:
        assert legal(table(hands=[["blue 3"]], tokens={2: "INVERT", 1: "HIDE"})) == {"blue 3"}

    @pytest.mark.clause("KIT-15")
    def test_a_token_not_used_is_kept(self) -> None:
        batch = table(hands=[["blue 3", "katana"]], tokens={0: "INVERT"})
        play(batch, "blue 3")
        assert told(batch, "tokens") == ["INVERT", None, None, None]

    @pytest.mark.clause("KIT-16")
    @pytest.mark.parametrize("last", ["blue 6", "orange 6", "white"])
    @any_number
    def test_the_leader_marker_moves_one_seat_clockwise_whoever_won(self, players: int, last: str) -> None:
        start = players - 1
        hands = [[last, "black"]] * players
        batch = table(
            players=players, leader=start, trick=["white"] * (TRICK[players] - 1), hands=hands, track_length=99
        )
        play(batch, last)
        assert told(batch, "leader") == 0

    @pytest.mark.clause("KIT-17")
    def test_two_players_draw_two_each_seat_0_first(self) -> None:
        pile = ["blue 1", "blue 2", "orange 1", "orange 2", "katana", "black", "black", "katana"]
        hands = [["white"], ["orange 3", "white"]]
        batch = table(
            players=2, hands=hands, trick=["blue 3", "orange 4", "blue 5"], pile=pile, track_length=99, pool=[]
        )
        play(batch, "orange 3")
        assert told(batch, "hands") == [["blue 1", "blue 2", "white"], ["orange 1", "orange 2", "white"]]
        assert told(batch, "pile") == pile[4:]

    @pytest.mark.clause("KIT-17")
    def test_the_hands_of_two_players_start_tricks_with_6_6_6_6_4_and_2(self) -> None:
        sizes: list[list[int]] = []
        batch = parlour.batch("kitsu", seed=5, players=2, track_length=100)
        while told(batch, "tricks") < 6 and len(sizes) < 6:
            if not told(batch, "trick") and told(batch, "phase") == "play":
                sizes.append([len(hand) for hand in told(batch, "hands")])
            batch._states["held"] = -1  # without RECOVER
            refresh(batch)
            batch.step(batch.sample_legal())
        assert sizes == [[n, n] for n in (6, 6, 6, 6, 4, 2)]

    @pytest.mark.clause("KIT-18")
    @partners
    def test_when_a_hand_is_empty_all_is_dealt_and_exchanged_anew(self, players: int) -> None:
        last = TRICK[players] - 1
        hands = [["white"] * (seat == last) for seat in range(players)]
        batch = table(
            players=players, trick=["blue 1"] * last, hands=hands, pawns=[1, 2], tokens={0: "HIDE"}, track_length=50
        )
        play(batch, "white")
        assert told(batch, "phase") == "exchange"
        assert [len(hand) for hand in told(batch, "hands")] == [HAND[players]] * players
        assert told(batch, "pawns") == [1, 2 + last]
        assert told(batch, "tokens")[0] == "HIDE"
        assert (told(batch, "leader"), mover(batch)) == (1, 1)
        assert (told(batch, "tricks"), told(batch, "discard"), told(batch, "last_trick")) == (0, [], [])

    @pytest.mark.clause("KIT-18")
    def test_a_card_left_over_by_recover_is_discarded_when_the_others_are_out(self) -> None:
        hands = [["blue 4"], [], [], ["white"]]
        batch = table(trick=["blue 1", "orange 1", "blue 2"], hands=hands, track_length=50)
        play(batch, "white")
        assert told(batch, "phase") == "exchange"
        assert zones(batch) == deck(4)

    @pytest.mark.clause("KIT-18")
    def test_two_players_go_on_while_the_pile_lasts(self) -> None:
        for pile, tricks in ((["white"] * 4, 1), ([], 0)):
            hands: list[list[str]] = [[], ["white"]]
            batch = table(players=2, trick=["blue 1", "orange 1", "black"], hands=hands, pile=pile, track_length=50)
            play(batch, "white")
            assert told(batch, "tricks") == tricks
            assert told(batch, "phase") == "play"
            assert [len(hand) for hand in told(batch, "hands")] == ([2, 2] if pile else [6, 6])

    @pytest.mark.clause("KIT-18")
    def test_the_round_goes_on_while_all_have_cards(self) -> None:
        batch = table(trick=["blue 1", "orange 1", "white"], hands=[["white"]] * 3 + [["white", "blue 5"]])
        play(batch, "white")
        assert (told(batch, "phase"), told(batch, "tricks")) == ("play", 1)


class TestExchange:
    @pytest.mark.clause("KIT-13")
    def test_four_players_swap_a_card_with_their_partners(self) -> None:
        batch = exchanging(["blue 6"], ["orange 5"], ["white"], ["black"], leader=1)
        play(batch, "orange 5", "white", "black", "blue 6")
        assert told(batch, "given") == ["blue 6", "orange 5", "white", "black"]
        assert told(batch, "received") == ["white", "black", "blue 6", "orange 5"]
        for hand, received in zip(told(batch, "hands"), told(batch, "received"), strict=True):
            assert received in hand
            assert len(hand) == 6

    @pytest.mark.clause("KIT-13")
    def test_with_six_a_card_goes_one_partner_onward(self) -> None:
        gifts = ["blue 6", "orange 6", "blue 5", "orange 5", "white", "black"]
        batch = exchanging(*[[card] for card in gifts], players=6)
        play(batch, *gifts)
        assert told(batch, "received") == ["white", "black", "blue 6", "orange 6", "blue 5", "orange 5"]
        for hand, received in zip(told(batch, "hands"), told(batch, "received"), strict=True):
            assert received in hand

    @pytest.mark.clause("KIT-13")
    @partners
    def test_choices_are_asked_clockwise_from_the_leader_who_then_leads(self, players: int) -> None:
        batch = parlour.batch("kitsu", seed=3, players=players, first_player=3)
        order = []
        while told(batch, "phase") == "exchange":
            order.append(mover(batch))
            batch.step(batch.sample_legal())
        assert order == [(3 + i) % players for i in range(players)]
        assert (mover(batch), told(batch, "phase")) == (3, "play")

    @pytest.mark.clause("KIT-13")
    def test_a_player_chooses_from_the_dealt_hand_before_anything_arrives(self) -> None:
        batch = exchanging(["blue 6"], ["orange 5"], ["white", "white"], ["black"], leader=0)
        play(batch, "blue 6", "orange 5")
        assert mover(batch) == 2
        assert "blue 6" not in legal(batch)
        assert told(batch, "aside") == ["blue 6", "orange 5", None, None]
        assert told(batch, "given") == told(batch, "received") == [None] * 4

    @pytest.mark.clause("KIT-13")
    def test_two_players_do_not_exchange(self) -> None:
        batch = parlour.batch("kitsu", seed=3, players=2)
        assert told(batch, "phase") == "play"
        assert told(batch, "received") == [None, None]


class TestCards:
    def scored(self, *trick: str, **given: Any) -> list[int]:
        """The pawns after this trick of four, the last card of which is played."""
        *laid, last = trick
        hands = [["black"], ["black"], ["black"], [last.partition(" with ")[0], "black"]]
        batch = table(trick=laid, hands=hands, track_length=99, **given)
        play(batch, last)
        pawns: list[int] = told(batch, "pawns")
        return pawns

    @pytest.mark.clause("KIT-20")
    def test_a_number_counts_for_its_printed_colour_whoever_plays_it(self) -> None:
        assert self.scored("orange 5", "blue 1", "orange 2", "blue 3") == [0, 3]

    @pytest.mark.clause("KIT-21")
    def test_a_katana_hits_any_face_up_number_of_another_player_the_partner_too(self) -> None:
        trick = ["blue 6", "white", "orange 2 + HIDE", "orange 3!"]
        batch = table(players=6, trick=trick, hands=[[]] * 4 + [["katana", "white"]])
        play(batch, "katana")
        assert told(batch, "phase") == "katana"
        assert legal(batch) == {"destroy card 1 of the trick"}  # of a partner: seats 0 and 4 are both blue
        play(batch, "destroy card 1 of the trick")
        assert [card["destroyed"] for card in told(batch, "trick")] == [True, False, False, True, False]
        assert (mover(batch), told(batch, "phase")) == (5, "play")

    @pytest.mark.clause("KIT-21")
    def test_of_several_targets_the_player_chooses(self) -> None:
        batch = table(trick=["blue 6", "orange 4"], hands=[[], [], ["katana", "white"]])
        play(batch, "katana")
        assert legal(batch) == {"destroy card 1 of the trick", "destroy card 2 of the trick"}

    @pytest.mark.clause("KIT-21")
    def test_with_two_players_the_own_card_is_no_target(self) -> None:
        batch = table(players=2, trick=["blue 6", "orange 4"], hands=[["katana", "white"], ["white"]])
        play(batch, "katana")
        assert legal(batch) == {"destroy card 2 of the trick"}
        batch = table(players=2, trick=["blue 6", "white"], hands=[["katana", "white"], ["white"]])
        play(batch, "katana")
        assert (told(batch, "phase"), mover(batch)) == ("play", 1)

    @pytest.mark.clause("KIT-21")
    @pytest.mark.parametrize("trick", [[], ["white"], ["black"], ["katana", "blue 3!"], ["blue 2 + HIDE"]])
    def test_without_a_target_a_katana_does_nothing(self, trick: list[str]) -> None:
        batch = table(trick=trick, hands=[["katana", "white"]] * 4)
        play(batch, "katana")
        assert (told(batch, "phase"), mover(batch)) == ("play", len(trick) + 1)

    @pytest.mark.clause("KIT-21")
    def test_a_destroyed_card_counts_for_nothing(self) -> None:
        assert self.scored("orange 5!", "blue 1", "orange 2", "blue 3") == [2, 0]

    @pytest.mark.clause("KIT-22")
    def test_a_white_kitsune_inverts_the_whole_trick(self) -> None:
        assert self.scored("orange 5", "white", "orange 2", "blue 3") == [4, 0]
        assert self.scored("orange 5", "orange 2", "blue 3", "white") == [4, 0]

    @pytest.mark.clause("KIT-22")
    def test_two_white_kitsune_cancel_out(self) -> None:
        assert self.scored("orange 5", "white", "white", "blue 3") == [0, 2]

    @pytest.mark.clause("KIT-23")
    def test_a_blue_player_after_an_orange_black_kitsune_must_play_orange(self) -> None:
        hand = ["blue 6", "orange 1", "orange 3", "white", "black", "katana"]
        batch = table(leader=1, trick=["black"], hands=[[], [], hand])
        assert told(batch, "demand") == "orange"
        assert legal(batch) == {"orange 1", "orange 3"}

    @pytest.mark.clause("KIT-23")
    def test_an_orange_player_after_a_blue_black_kitsune_must_play_blue(self) -> None:
        batch = table(trick=["white", "blue 2", "black"], hands=[[]] * 3 + [["orange 6", "blue 1", "black"]])
        assert legal(batch) == {"blue 1"}

    @pytest.mark.clause("KIT-23")
    def test_without_the_colour_any_card_may_be_played(self) -> None:
        hand = ["blue 6", "white", "black", "katana"]
        batch = table(leader=1, trick=["black"], hands=[[], [], hand])
        assert legal(batch) == set(hand)
        play(batch, "blue 6")
        assert told(batch, "voids") == [[], [], ["orange"], []]

    @pytest.mark.clause("KIT-23")
    def test_a_demand_met_shows_nothing(self) -> None:
        batch = table(leader=1, trick=["black"], hands=[[], [], ["orange 1"]])
        play(batch, "orange 1")
        assert told(batch, "voids") == [[], [], [], []]

    @pytest.mark.clause("KIT-23")
    def test_only_the_next_player_is_bound(self) -> None:
        batch = table(leader=1, trick=["black", "orange 1"], hands=[[], [], [], ["blue 1", "orange 2"]])
        assert legal(batch) == {"blue 1", "orange 2"}

    @pytest.mark.clause("KIT-23")
    def test_as_the_last_card_a_black_kitsune_binds_nobody(self) -> None:
        hands = [["white"], ["blue 1", "orange 2"], ["white"], ["black", "white"]]
        batch = table(trick=["white", "white", "blue 2"], hands=hands)
        play(batch, "black")
        assert (mover(batch), told(batch, "demand")) == (1, None)
        assert legal(batch) == {"blue 1", "orange 2"}

    @pytest.mark.clause("KIT-23", "KIT-33")
    def test_neither_does_it_while_its_player_recovers_a_card(self) -> None:
        hands = [["white"], ["white"], ["white"], ["black", "white"]]
        finished = [["blue 1"] * 4]
        batch = table(trick=["white", "white", "blue 2"], hands=hands, finished=finished, tokens={3: "RECOVER"})
        play(batch, "black with RECOVER")
        assert (told(batch, "phase"), told(batch, "demand")) == ("recover", None)

    @pytest.mark.clause("KIT-23")
    def test_the_colour_meant_is_the_printed_one_inverted_or_not(self) -> None:
        batch = table(trick=["white", "black"], leader=0, hands=[[], [], ["blue 1", "orange 2"]])
        assert legal(batch) == {"orange 2"}

    @pytest.mark.clause("KIT-23")
    def test_the_forced_card_may_be_played_with_a_token(self) -> None:
        batch = table(leader=1, trick=["black"], hands=[[], [], ["blue 1", "orange 2"]], tokens={2: "PLUS3"})
        assert legal(batch) == {"orange 2", "orange 2 with PLUS3 for blue", "orange 2 with PLUS3 for orange"}
