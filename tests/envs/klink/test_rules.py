"""Klink against its rules, from the components to the end of a round; test_scoring.py goes on from there."""

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.klink.build import kept, legal, mover, play, table, told, triad

any_number = pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
PASSES = {f"player {steps} clockwise" for steps in range(1, 6)}


def all_numbers(batch: Batch) -> Counter[int]:
    """The number cards of a round that has just been set up."""
    return Counter(told(batch, "drawn") + told(batch, "number_deck"))


def all_abilities(batch: Batch) -> Counter[str]:
    return Counter(told(batch, "visible") + told(batch, "ability_deck") + told(batch, "ability_discard"))


class TestComponents:
    @pytest.mark.clause("KLI-1")
    @any_number
    def test_there_are_63_number_cards_from_minus_5_to_20(self, players: int) -> None:
        numbers = all_numbers(parlour.batch("klink", seed=3, players=players))
        assert numbers.total() == 63
        assert numbers == {value: 3 if value in range(11) else 2 for value in range(-5, 21)}

    @pytest.mark.clause("KLI-1")
    @pytest.mark.parametrize("as_pairs", [False, True])
    def test_another_table_of_numbers_can_be_given(self, as_pairs: bool) -> None:
        numbers = {-5: 10, 3: 15, 20: 7, 4: 0}
        given: Any = list(numbers.items()) if as_pairs else numbers
        assert all_numbers(parlour.batch("klink", seed=3, players=3, numbers=given)) == Counter(numbers)

    @pytest.mark.clause("KLI-1", "KLI-33")
    @any_number
    def test_ten_cards_per_player_and_two_are_enough_and_one_fewer_is_not(self, players: int) -> None:
        enough = 10 * players + 2
        assert all_numbers(parlour.batch("klink", players=players, numbers={7: enough})) == {7: enough}
        with pytest.raises(parlour.ConfigError, match=f"may draw {enough} number cards in a round, got {enough - 1}"):
            parlour.batch("klink", players=players, numbers={7: enough - 1})

    @pytest.mark.clause("KLI-2")
    def test_there_are_four_abilities_of_each_of_three_kinds(self) -> None:
        abilities = all_abilities(parlour.batch("klink", seed=3))
        assert abilities == {"SWAP": 4, "DRAW_ALL": 4, "HIGH_LOW": 4}

    @pytest.mark.clause("KLI-2")
    def test_another_table_of_abilities_can_be_given(self) -> None:
        batch = parlour.batch("klink", seed=3, abilities={"HIGH_LOW": 5, "SWAP": 1})
        assert all_abilities(batch) == {"HIGH_LOW": 5, "SWAP": 1}

    @pytest.mark.clause("KLI-2")
    def test_three_abilities_are_enough_and_two_are_not(self) -> None:
        assert told(parlour.batch("klink", abilities={"SWAP": 3}), "ability_deck") == []
        with pytest.raises(parlour.ConfigError, match="3 abilities lie open, got 2"):
            parlour.batch("klink", abilities={"SWAP": 2})


class TestRoundSetUp:
    @pytest.mark.clause("KLI-10")
    @any_number
    def test_collections_are_empty_and_three_abilities_visible(self, players: int) -> None:
        now = parlour.batch("klink", seed=5, players=players).describe()
        assert now["face_up"] == now["face_down"] == [[]] * players
        assert (len(now["visible"]), len(now["ability_deck"]), now["ability_discard"]) == (3, 9, [])
        assert (now["round"], now["scores"]) == (1, [0] * players)

    @pytest.mark.clause("KLI-10")
    @any_number
    def test_the_seed_draws_the_starter(self, players: int) -> None:
        starters = parlour.batch("klink", size=600, seed=1, players=players).current_player
        counts = np.bincount(starters, minlength=players)
        assert counts.size == players
        assert counts.min() > 600 / players * 0.7
        assert (parlour.batch("klink", size=600, seed=1, players=players).current_player == starters).all()

    @pytest.mark.clause("KLI-10")
    @pytest.mark.parametrize("seat", [0, 2])
    def test_an_option_names_the_starter(self, seat: int) -> None:
        assert (parlour.batch("klink", size=50, seed=1, first_player=seat).current_player == seat).all()

    @pytest.mark.clause("KLI-10")
    def test_every_place_of_the_decks_is_shuffled(self) -> None:
        batch = parlour.batch("klink", size=2000, seed=4, numbers=dict.fromkeys(range(-5, 17), 1), players=2)
        for place in range(22):
            counts = np.bincount(batch._states["deck"][:, place], minlength=22)
            assert counts.min() > 50
        kinds = np.concatenate([batch._states["visible"], batch._states["ability_deck"][:, -9:]], axis=1)
        assert all(np.bincount(kinds[:, place], minlength=3).min() > 550 for place in range(12))


class TestTurn:
    @pytest.mark.clause("KLI-11")
    def test_slot_0_is_the_top_card_and_slot_1_the_next(self) -> None:
        batch = kept(drawn=[20, -5], deck=[7, 9, 11], players=3)
        assert (told(batch, "drawn"), told(batch, "number_deck")[0]) == ([7, 9], 11)

    @pytest.mark.clause("KLI-11")
    @any_number
    def test_clockwise_is_the_next_seat_and_after_the_last_comes_seat_0(self, players: int) -> None:
        for holder, steps in itertools.product(range(players), range(1, players)):
            batch = table(holders=[holder], looks={holder: 0}, players=players)
            play(batch, f"player {steps} clockwise")
            assert mover(batch) == (holder + steps) % players

    @pytest.mark.clause("KLI-12", "KLI-51")
    @pytest.mark.parametrize("slot", [0, 1])
    def test_the_holder_looks_at_either_card_and_only_one(self, slot: int) -> None:
        batch = table(players=4)
        assert legal(batch) == {"look at slot 0", "look at slot 1"}
        play(batch, f"look at slot {slot}")
        assert told(batch, "looked") == [slot, None, None, None]
        assert not any(action.startswith("look") for action in legal(batch))

    @pytest.mark.clause("KLI-12")
    def test_after_the_look_the_cards_are_kept_or_passed(self) -> None:
        batch = table(looks={0: 1}, players=4)
        assert legal(batch) == {"keep both", "player 1 clockwise", "player 2 clockwise", "player 3 clockwise"}

    @pytest.mark.clause("KLI-12")
    def test_the_cards_go_to_nobody_who_was_offered_them(self) -> None:
        batch = table(holders=[3, 1, 4], looks={3: 0, 1: 0, 4: 1}, players=5)
        assert legal(batch) == {"keep both", "player 1 clockwise", "player 3 clockwise"}
        play(batch, "player 3 clockwise", "look at slot 0")
        assert legal(batch) == {"keep both", "player 3 clockwise"}

    @pytest.mark.clause("KLI-12")
    def test_whoever_is_passed_the_cards_looks_and_chooses_too(self) -> None:
        batch = table(drawn=[6, 13], looks={0: 0}, players=3)
        play(batch, "player 2 clockwise")
        assert (mover(batch), told(batch, "phase"), told(batch, "turn_player")) == (2, "look", 0)
        play(batch, "look at slot 1", "keep both")
        assert told(batch, "face_up") == [[], [], [6, 13]]

    @pytest.mark.clause("KLI-13", "KLI-51")
    @any_number
    def test_the_last_to_get_the_cards_keeps_them_unasked(self, players: int) -> None:
        others = dict.fromkeys(range(players - 1), 0)
        batch = table(holders=list(others), looks=others, drawn=[6, 13], players=players)
        play(batch, "player 1 clockwise")
        last = players - 1
        assert told(batch, "face_up")[last] == [6, 13]
        assert (mover(batch), told(batch, "turn_player"), told(batch, "phase")) == (last, last, "look")

    @pytest.mark.clause("KLI-13", "KLI-16")
    def test_a_forced_keeper_with_a_triad_is_asked_for_an_ability_only(self) -> None:
        batch = table(face_up=[[], [4, 5]], drawn=[6, 13], looks={0: 1}, players=2)
        play(batch, "player 1 clockwise")
        assert (mover(batch), told(batch, "phase"), told(batch, "looked")) == (1, "ability", [1, None])

    @pytest.mark.clause("KLI-13")
    def test_the_last_but_one_is_still_asked(self) -> None:
        batch = table(holders=[0, 1], looks={0: 0}, players=3)
        assert legal(batch) == {"look at slot 0", "look at slot 1"}
        play(batch, "look at slot 0")
        assert legal(batch) == {"keep both", "player 1 clockwise"}

    @pytest.mark.clause("KLI-14")
    def test_both_kept_cards_lie_face_up_and_those_who_passed_get_none(self) -> None:
        batch = table(face_up=[[3], [8, 20], []], drawn=[17, -4], holders=[0, 1], looks={0: 0, 1: 0}, players=3)
        play(batch, "keep both")
        assert told(batch, "face_up") == [[3], [-4, 8, 17, 20], []]
        assert told(batch, "face_down") == [[], [], []]


class TestPairs:
    @pytest.mark.clause("KLI-15")
    def test_the_example_of_the_rulebook(self) -> None:
        batch = kept(face_up=[[4, 5, 10, 2]], drawn=[5, -1])
        assert told(batch, "face_up")[0] == [-1, 2, 4, 10]
        assert told(batch, "face_down")[0] == [5, 5]

    @pytest.mark.clause("KLI-15")
    def test_two_new_cards_of_one_value_are_a_pair(self) -> None:
        batch = kept(face_up=[[4]], drawn=[7, 7])
        assert (told(batch, "face_up")[0], told(batch, "face_down")[0]) == ([4], [7, 7])

    @pytest.mark.clause("KLI-15")
    def test_both_new_cards_can_make_pairs_with_old_ones(self) -> None:
        batch = kept(face_up=[[4, 9, 15]], drawn=[15, 4])
        assert (told(batch, "face_up")[0], told(batch, "face_down")[0]) == ([9], [4, 4, 15, 15])

    @pytest.mark.clause("KLI-15")
    def test_of_three_equal_cards_two_turn_and_one_stays(self) -> None:
        batch = kept(face_up=[[4, 9]], drawn=[4, 4])
        assert (told(batch, "face_up")[0], told(batch, "face_down")[0]) == ([4, 9], [4, 4])

    @pytest.mark.clause("KLI-15", "KLI-16")
    def test_the_one_of_three_that_stays_is_a_new_card(self) -> None:
        assert told(kept(face_up=[[4, 5, 6]], drawn=[4, 4]), "phase") == "ability"

    @pytest.mark.clause("KLI-15")
    def test_a_face_down_pair_makes_no_pair_with_a_third_card(self) -> None:
        batch = kept(face_down=[[4, 4]], drawn=[4, 12])
        assert (told(batch, "face_up")[0], told(batch, "face_down")[0]) == ([4, 12], [4, 4])

    @pytest.mark.clause("KLI-15")
    def test_equal_cards_of_two_players_are_no_pair(self) -> None:
        batch = kept(face_up=[[], [4]], drawn=[4, 12])
        assert told(batch, "face_up")[:2] == [[4, 12], [4]]


class TestTriads:
    @pytest.mark.clause("KLI-16")
    def test_the_example_of_the_rulebook(self) -> None:
        batch = kept(face_up=[[4, 5]], drawn=[10, 3])
        assert (told(batch, "phase"), mover(batch)) == ("ability", 0)

    @pytest.mark.clause("KLI-16")
    @pytest.mark.parametrize("low", range(-5, 19))
    def test_any_three_consecutive_values_are_a_triad(self, low: int) -> None:
        for new in range(3):
            old = [low + i for i in range(3) if i != new]
            far = next(v for v in (-5, 5, 20) if all(abs(v - low - i) > 2 for i in range(3)))
            assert told(kept(face_up=[old], drawn=[far, low + new]), "phase") == "ability"

    @pytest.mark.clause("KLI-16")
    @pytest.mark.parametrize("cards", [(1, 2, 4), (1, 3, 5), (-5, 19, 20), (-5, -4, 20), (0, 2, 3)])
    def test_other_values_are_none(self, cards: tuple[int, int, int]) -> None:
        assert told(kept(face_up=[cards[:2]], drawn=[cards[2], 10]), "phase") == "look"

    @pytest.mark.clause("KLI-16")
    def test_two_new_cards_can_complete_a_triad(self) -> None:
        assert told(kept(face_up=[[7]], drawn=[8, 6]), "phase") == "ability"

    @pytest.mark.clause("KLI-16")
    def test_an_old_triad_earns_nothing_again(self) -> None:
        assert told(kept(face_up=[[5, 6, 7]], drawn=[15, -3]), "phase") == "look"

    @pytest.mark.clause("KLI-16")
    def test_a_new_card_beside_an_old_triad_earns_an_ability(self) -> None:
        assert told(kept(face_up=[[5, 6, 7]], drawn=[8, -3]), "phase") == "ability"

    @pytest.mark.clause("KLI-16")
    def test_pairs_come_first_and_take_their_cards_out_of_triads(self) -> None:
        assert told(kept(face_up=[[4, 5, 6]], drawn=[5, 15]), "phase") == "look"
        assert told(kept(face_up=[[4, 5]], drawn=[6, 4]), "phase") == "look"
        assert told(kept(face_up=[[4, 5, 6]], drawn=[4, 12]), "phase") == "look"

    @pytest.mark.clause("KLI-16")
    def test_a_new_card_that_has_turned_face_down_makes_no_old_triad_new(self) -> None:
        assert told(kept(face_up=[[4, 5, 6, 12]], drawn=[12, 18]), "phase") == "look"

    @pytest.mark.clause("KLI-16")
    def test_two_triads_earn_one_ability(self) -> None:
        batch = kept(face_up=[[1, 2, 11, 12]], drawn=[3, 13], deck=[7, 7, 7], players=3)
        play(batch, "use DRAW_ALL")
        assert (told(batch, "phase"), told(batch, "turn_player")) == ("look", 0)
        assert len(told(batch, "ability_discard")) == 1

    @pytest.mark.clause("KLI-16")
    def test_the_ability_is_an_obligation_and_one_of_the_visible(self) -> None:
        assert legal(triad(face_up=[[1, 2], [9]])) == {"use SWAP", "use DRAW_ALL", "use HIGH_LOW"}
        batch = triad(face_up=[[1, 2], [9]], visible=["HIGH_LOW", "SWAP", "SWAP"])
        assert legal(batch) == {"use SWAP", "use HIGH_LOW"}


class TestUsedAbility:
    @pytest.mark.clause("KLI-17")
    def test_it_is_discarded_and_the_top_ability_takes_its_slot(self) -> None:
        order = ["HIGH_LOW", "DRAW_ALL", "SWAP"]
        batch = triad(visible=["SWAP", "DRAW_ALL", "DRAW_ALL"], ability_deck=order)
        before = told(batch, "ability_discard")
        play(batch, "use DRAW_ALL")
        assert told(batch, "visible") == ["SWAP", "HIGH_LOW", "DRAW_ALL"]
        assert told(batch, "ability_deck") == order[1:]
        assert told(batch, "ability_discard") == sorted([*before, "DRAW_ALL"])

    @pytest.mark.clause("KLI-17")
    def test_it_stays_visible_until_its_effect_is_complete(self) -> None:
        batch = triad(face_up=[[1, 2], [9]], ability_deck=["DRAW_ALL", "SWAP"])
        for action in ("use SWAP", "card 14", "player 1 clockwise"):
            play(batch, action)
            assert told(batch, "visible") == ["SWAP", "DRAW_ALL", "HIGH_LOW"]
        play(batch, "card 9")
        assert told(batch, "visible") == ["DRAW_ALL", "DRAW_ALL", "HIGH_LOW"]

    @pytest.mark.clause("KLI-17")
    def test_an_empty_deck_is_made_anew_from_the_discard_and_the_used_card(self) -> None:
        batch = triad(ability_deck=[])
        assert len(told(batch, "ability_discard")) == 9
        play(batch, "use DRAW_ALL")
        assert (len(told(batch, "ability_deck")), told(batch, "ability_discard")) == (9, [])
        assert [told(batch, "visible")[slot] for slot in (0, 2)] == ["SWAP", "HIGH_LOW"]
        assert all_abilities(batch) == {"SWAP": 4, "DRAW_ALL": 4, "HIGH_LOW": 4}

    @pytest.mark.clause("KLI-17")
    def test_the_last_card_of_the_deck_is_revealed_without_a_reshuffle(self) -> None:
        batch = triad(ability_deck=["HIGH_LOW"])
        play(batch, "use DRAW_ALL")
        assert (told(batch, "visible"), told(batch, "ability_deck")) == (["SWAP", "HIGH_LOW", "HIGH_LOW"], [])
        assert len(told(batch, "ability_discard")) == 9

    @pytest.mark.clause("KLI-17")
    def test_with_three_abilities_the_used_one_comes_back(self) -> None:
        batch = triad(abilities={"SWAP": 1, "DRAW_ALL": 1, "HIGH_LOW": 1})
        play(batch, "use DRAW_ALL")
        assert told(batch, "visible") == ["SWAP", "DRAW_ALL", "HIGH_LOW"]
        assert told(batch, "ability_discard") == []

    @pytest.mark.clause("KLI-18")
    def test_then_pairs_turn_face_down_in_every_collection(self) -> None:
        batch = triad(face_up=[[1, 2], [5], [9, 11]], deck=[14, 5, 6], players=3)
        play(batch, "use DRAW_ALL")
        assert told(batch, "face_up") == [[1, 2, 3], [], [6, 9, 11]]
        assert told(batch, "face_down") == [[14, 14], [5, 5], []]

    @pytest.mark.clause("KLI-18")
    def test_a_triad_that_an_ability_makes_earns_nothing(self) -> None:
        batch = triad(face_up=[[1, 2], [6, 7]], deck=[4, 8], players=2)
        play(batch, "use DRAW_ALL")
        assert told(batch, "face_up") == [[1, 2, 3, 4, 14], [6, 7, 8]]
        assert (told(batch, "phase"), mover(batch), told(batch, "drawn")) == ("look", 0, [-5, -5])


class TestEndOfTurn:
    @pytest.mark.clause("KLI-19")
    def test_the_keeper_takes_the_next_turn_and_not_who_drew(self) -> None:
        batch = table(holders=[0, 2], looks={0: 0, 2: 1}, drawn=[5, 9], deck=[7, 8], players=4)
        play(batch, "keep both")
        now = batch.describe()
        assert (now["player"], now["turn_player"], now["offered"], now["drawn"]) == (2, 2, [2], [7, 8])
        assert now["looked"] == [None] * 4

    @pytest.mark.clause("KLI-19")
    @pytest.mark.parametrize(("before", "ended"), [(6, False), (7, False), (8, True), (9, True)])
    def test_ten_cards_end_the_round_face_down_ones_counted(self, before: int, ended: bool) -> None:
        up = [4, 9] if before % 2 == 0 else [4, 9, 14]
        down = [0, 0, 2, 2, 6, 6][: before - len(up)]
        batch = kept(face_up=[up], face_down=[down], drawn=[18, 20])
        assert told(batch, "round") == (2 if ended else 1)
        assert told(batch, "face_up")[0] == ([] if ended else sorted([*up, 18, 20]))

    @pytest.mark.clause("KLI-19")
    def test_an_ability_earned_with_the_tenth_card_is_still_used(self) -> None:
        batch = triad(face_up=[[1, 2, 6, 8], [20]], face_down=[[0, 0, 11, 11]], players=2)
        assert (told(batch, "round"), told(batch, "phase")) == (1, "ability")
        play(batch, "use HIGH_LOW", "player 1 clockwise")
        assert told(batch, "round") == 2
        assert told(batch, "scores") == [1 + 2 + 3 + 6 + 8 + 20 - 10, 14 + 10]

    @pytest.mark.clause("KLI-19", "KLI-21")
    def test_the_tenth_card_of_another_player_ends_the_round_too(self) -> None:
        nine = [0, 0, 11, 11, 16, 16, 18, 18]
        batch = triad(face_up=[[1, 2], [5]], face_down=[[], nine], deck=[7, 9], players=2)
        play(batch, "use DRAW_ALL")
        assert told(batch, "round") == 2


class TestSwap:
    @pytest.mark.clause("KLI-20", "KLI-51")
    def test_it_asks_for_an_own_card_a_player_and_their_card(self) -> None:
        batch = triad(face_up=[[1, 2], [9, 20], [], [-5]])
        play(batch, "use SWAP")
        assert (told(batch, "phase"), legal(batch)) == ("swap own", {"card 1", "card 2", "card 3", "card 14"})
        play(batch, "card 14")
        assert told(batch, "pending_own") == 14
        assert (told(batch, "phase"), legal(batch)) == ("swap player", {"player 1 clockwise", "player 3 clockwise"})
        play(batch, "player 1 clockwise")
        assert told(batch, "pending_target") == 1
        assert (told(batch, "phase"), legal(batch)) == ("swap their", {"card 9", "card 20"})
        assert told(batch, "face_up") == [[1, 2, 3, 14], [9, 20], [], [-5]]

    @pytest.mark.clause("KLI-20")
    def test_the_two_cards_change_places(self) -> None:
        batch = triad(face_up=[[1, 2], [9, 20], [], [-5]])
        play(batch, "use SWAP", "card 14", "player 3 clockwise", "card -5")
        assert told(batch, "face_up") == [[-5, 1, 2, 3], [9, 20], [], [14]]
        assert (told(batch, "pending_own"), told(batch, "pending_target")) == (None, None)
        assert (told(batch, "phase"), mover(batch)) == ("look", 0)

    @pytest.mark.clause("KLI-18", "KLI-20")
    def test_it_makes_pairs_on_both_sides(self) -> None:
        batch = triad(face_up=[[1, 2, 9], [9, 14]], players=2)
        play(batch, "use SWAP", "card 14", "player 1 clockwise", "card 9")
        assert told(batch, "face_up") == [[1, 2, 3], []]
        assert told(batch, "face_down") == [[9, 9], [14, 14]]

    @pytest.mark.clause("KLI-23")
    def test_equal_values_may_be_swapped(self) -> None:
        batch = triad(face_up=[[1, 2], [9, 14]], players=2)
        play(batch, "use SWAP", "card 14", "player 1 clockwise", "card 14")
        assert told(batch, "face_up") == [[1, 2, 3, 14], [9, 14]]
        assert told(batch, "face_down") == [[], []]


class TestDrawAll:
    @pytest.mark.clause("KLI-21")
    def test_the_user_draws_first_then_the_others_clockwise(self) -> None:
        batch = triad(face_up=[[], [1, 2], []], seat=1, deck=[20, 18, 16, 10, 8], players=3)
        play(batch, "use DRAW_ALL")
        assert told(batch, "face_up") == [[16], [1, 2, 3, 14, 20], [18]]
        assert told(batch, "drawn") == [10, 8]


class TestHighLow:
    @pytest.mark.clause("KLI-22", "KLI-51")
    def test_it_asks_for_another_player_with_a_face_up_card(self) -> None:
        batch = triad(face_up=[[1, 2], [], [9, 20], [-5]])
        play(batch, "use HIGH_LOW")
        assert told(batch, "phase") == "high low player"
        assert legal(batch) == {"player 2 clockwise", "player 3 clockwise"}

    @pytest.mark.clause("KLI-22")
    def test_the_own_highest_goes_for_their_lowest(self) -> None:
        batch = triad(face_up=[[1, 2, -4], [], [9, 6, 20]], face_down=[[17, 17], [], [-5, -5]])
        play(batch, "use HIGH_LOW", "player 2 clockwise")
        assert told(batch, "face_up") == [[-4, 1, 2, 3, 6], [], [9, 14, 20], []]

    @pytest.mark.clause("KLI-22")
    def test_it_is_done_even_if_their_lowest_is_higher(self) -> None:
        batch = triad(face_up=[[1, 2], [17, 19]], players=2)
        play(batch, "use HIGH_LOW", "player 1 clockwise")
        assert told(batch, "face_up") == [[1, 2, 3, 17], [14, 19]]


class TestUselessAbility:
    @pytest.mark.clause("KLI-23")
    def test_what_cannot_be_used_is_illegal_beside_what_can(self) -> None:
        assert legal(triad(face_down=[[], [9, 9]])) == {"use DRAW_ALL"}

    @pytest.mark.clause("KLI-23")
    @pytest.mark.parametrize("kind", ["SWAP", "HIGH_LOW"])
    def test_if_none_can_one_is_chosen_and_discarded_without_effect(self, kind: str) -> None:
        batch = triad(face_down=[[], [9, 9]], visible=["SWAP", "HIGH_LOW", "SWAP"], ability_deck=["DRAW_ALL"])
        assert legal(batch) == {"use SWAP", "use HIGH_LOW"}
        before = told(batch, "ability_discard")
        play(batch, f"use {kind}")
        assert told(batch, "face_up") == [[1, 2, 3, 14], [], [], []]
        assert told(batch, "ability_discard") == sorted([*before, kind])
        assert told(batch, "visible")[["SWAP", "HIGH_LOW"].index(kind)] == "DRAW_ALL"
        assert (told(batch, "phase"), mover(batch)) == ("look", 0)

    @pytest.mark.clause("KLI-23")
    def test_one_face_up_card_of_another_player_makes_all_usable(self) -> None:
        assert legal(triad(face_up=[[1, 2], [], [], [0]])) == {"use SWAP", "use DRAW_ALL", "use HIGH_LOW"}


class TestDecisions:
    @pytest.mark.clause("KLI-50")
    def test_there_are_37_actions_in_five_families(self) -> None:
        game = parlour.batch("klink", seed=0).game
        assert [(f.name, f.count) for f in game.actions.families] == [
            ("look", 2), ("keep", 1), ("player", 5), ("ability", 3), ("value", 26),
        ]  # fmt: skip
        assert game.num_actions == 37
        words = [game.action_text(action) for action in range(37)]
        assert words[:3] == ["look at slot 0", "look at slot 1", "keep both"]
        assert words[3:8] == [f"player {steps} clockwise" for steps in range(1, 6)]
        assert words[8:11] == ["use SWAP", "use DRAW_ALL", "use HIGH_LOW"]
        assert words[11:] == [f"card {value}" for value in range(-5, 21)]

    @pytest.mark.clause("KLI-51")
    def test_a_decision_with_one_legal_action_is_asked(self) -> None:
        batch = triad(face_up=[[1, 2], [9]], visible=["SWAP"] * 3, players=2)
        play(batch, "use SWAP", "card 1")
        assert legal(batch) == {"player 1 clockwise"}
        play(batch, "player 1 clockwise")
        assert legal(batch) == {"card 9"}
        play(batch, "card 9")
        assert told(batch, "face_up") == [[2, 3, 9, 14], [1]]

    @pytest.mark.clause("KLI-12", "KLI-51")
    @any_number
    def test_only_players_at_the_table_can_be_chosen(self, players: int) -> None:
        batch = table(looks={0: 0}, players=players)
        assert legal(batch) & PASSES == {f"player {steps} clockwise" for steps in range(1, players)}
