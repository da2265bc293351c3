"""Kintsugi and Broken and Beautiful against their rules, from the components to the end of the last round."""

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.kintsugi.build import after_break, legal, mover, play, points, repair_table, seat, table

EDITIONS = ("kintsugi", "broken_and_beautiful")
EN = "broken_and_beautiful"
POTTERY = ("cup", "saucer", "plate", "bowl", "tea jar", "vase", "teapot")
PATTERNS = ("blue", "brown", "white")
DEALT = {2: 5, 3: 7, 4: 9}
ROUNDS = {2: 9, 3: 6, 4: 5}
VALUES = {
    **{f"{type} {pattern}": 2 if type in ("vase", "teapot") else 1 for type in POTTERY for pattern in PATTERNS},
    "tray": 1,
    "box": 1,
    "gold": 3,
}

both_editions = pytest.mark.parametrize("name", EDITIONS)
any_number = pytest.mark.parametrize("players", [2, 3, 4])


def all_cards(batch: Batch) -> Counter[str]:
    """The cards of a game that has just been dealt."""
    told = batch.describe()
    return Counter(told["draft"] + told["deck"])


def pass_round(batch: Batch) -> None:
    """Sell whatever is there until the round is over, and repair nothing."""
    before = batch.describe()["round"]
    while mover(batch) >= 0 and batch.describe()["round"] == before:
        choices = sorted(legal(batch))
        play(batch, "pass" if "pass" in choices else next(c for c in choices if c.startswith("sell")))


class TestComponents:
    @pytest.mark.clause("KIN-1")
    @any_number
    @both_editions
    def test_there_are_46_cards(self, name: str, players: int) -> None:
        cards = all_cards(parlour.batch(name, seed=3, players=players))
        assert cards.total() == 46
        assert (cards["gold"], cards["tray"], cards["box"]) == (3, 2, 2)
        assert sum(n for card, n in cards.items() if card.rpartition(" ")[0] in POTTERY) == 39

    @pytest.mark.clause("KIN-2", "KIN-4")
    def test_every_pottery_type_comes_in_every_pattern(self) -> None:
        cards = all_cards(parlour.batch("kintsugi", seed=3))
        pottery = {card: n for card, n in cards.items() if card not in ("gold", "tray", "box")}
        assert pottery == {f"{t} {p}": 1 if t == "vase" else 2 for t in POTTERY for p in PATTERNS}

    @pytest.mark.clause("KIN-3")
    @both_editions
    def test_there_are_three_vases_and_gold_is_worth_three(self, name: str) -> None:
        cards = all_cards(parlour.batch(name, seed=3))
        assert sum(cards[f"vase {pattern}"] for pattern in PATTERNS) == 3
        batch = table(name, draft=["gold", "box"], deck=["box"])
        play(batch, "sell gold")
        assert seat(batch, 0)["tokens"] == 3

    @pytest.mark.clause("KIN-2", "KIN-4", "KIN-12")
    @pytest.mark.parametrize("card", list(VALUES))
    def test_a_card_sells_for_its_value(self, card: str) -> None:
        batch = table(draft=[card, "box", "tray"], deck=["box"], supply=18, mover=1)
        play(batch, f"sell {card}")
        assert seat(batch, 1)["tokens"] == VALUES[card]
        assert batch.describe()["supply"] == 18 - VALUES[card]

    @pytest.mark.clause("KIN-2", "KIN-4", "KIN-14")
    @pytest.mark.parametrize("card", [card for card in VALUES if " " in card])
    def test_a_repair_costs_the_same_value(self, card: str) -> None:
        batch = repair_table(collections=[[f"{card}!"]], tokens=[VALUES[card]], supply=4, deck=["box"])
        play(batch, f"repair {card}")
        assert seat(batch, 0)["tokens"] == 0
        assert batch.describe()["supply"] == 4 + VALUES[card]


class TestSupply:
    @pytest.mark.clause("KIN-5", "KIN-40")
    @pytest.mark.parametrize(("name", "tokens"), [("kintsugi", 18), (EN, 14)])
    def test_the_french_box_has_18_tokens_and_the_english_14(self, name: str, tokens: int) -> None:
        batch = parlour.batch(name, seed=1)
        assert batch.describe()["supply"] == tokens
        assert [seat(batch, i)["tokens"] for i in range(2)] == [0, 0]

    @pytest.mark.clause("KIN-5")
    def test_a_short_supply_pays_what_is_left_and_the_rest_is_lost(self) -> None:
        batch = table(draft=["gold", "gold", "tray", "box"], deck=["box"], supply=4, mover=1)
        play(batch, "sell gold", "sell gold")
        assert [seat(batch, i)["tokens"] for i in range(2)] == [0, 4]
        assert batch.describe()["supply"] == 0

    @pytest.mark.clause("KIN-5")
    def test_an_empty_supply_pays_nothing_but_the_sale_is_allowed(self) -> None:
        batch = table(draft=["gold", "tray"], deck=["box"], supply=0)
        assert "sell gold" in legal(batch)
        play(batch, "sell gold")
        assert seat(batch, 0)["tokens"] == 0

    @pytest.mark.clause("KIN-5")
    def test_tokens_paid_back_are_there_for_the_next_sale(self) -> None:
        batch = repair_table(collections=[["cup blue!"]], tokens=[1], supply=0, deck=["gold", *["box"] * 5])
        play(batch, "repair cup blue", "sell gold")
        assert [seat(batch, i)["tokens"] for i in range(2)] == [0, 1]

    @pytest.mark.clause("KIN-5")
    def test_an_unlimited_supply_always_pays_in_full(self) -> None:
        batch = table(draft=["gold", "gold", "box"], deck=["box"], tokens=[40, 40], unlimited_supply=True, mover=1)
        play(batch, "sell gold", "sell gold")
        assert [seat(batch, i)["tokens"] for i in range(2)] == [43, 43]
        assert batch.describe()["supply"] is None

    @pytest.mark.clause("KIN-5", "KIN-19")
    def test_an_unlimited_supply_gives_novices_their_token(self) -> None:
        batch = parlour.batch("kintsugi", seed=1, unlimited_supply=True, novices=[1])
        assert [seat(batch, i)["tokens"] for i in range(2)] == [0, 1]


class TestDeal:
    @pytest.mark.clause("KIN-10")
    @any_number
    def test_two_cards_per_player_and_one_more_are_dealt(self, players: int) -> None:
        told = parlour.batch("kintsugi", seed=2, players=players).describe()
        assert len(told["draft"]) == DEALT[players]
        assert len(told["deck"]) == 46 - DEALT[players]

    @pytest.mark.clause("KIN-10", "KIN-18")
    @any_number
    @both_editions
    def test_the_default_deck_makes_9_6_or_5_rounds(self, name: str, players: int) -> None:
        batch = parlour.batch(name, seed=4, players=players)
        left = []
        while mover(batch) >= 0:
            left.append(len(batch.describe()["deck"]))
            pass_round(batch)
        assert left == [46 - DEALT[players] * n for n in range(1, ROUNDS[players] + 1)]
        assert min(left) >= 1
        assert batch.describe()["round"] == ROUNDS[players]

    @pytest.mark.clause("KIN-10")
    def test_four_cards_are_too_few_for_two_players(self) -> None:
        batch = repair_table(deck=["cup blue"] * 4)
        play(batch, "pass")
        assert mover(batch) == -1

    @pytest.mark.clause("KIN-10", "KIN-11")
    def test_the_next_round_is_dealt_from_the_top(self) -> None:
        cards = ["gold", "vase blue", "cup white", "tray", "plate brown", "teapot blue", "box"]
        batch = repair_table(deck=cards)
        play(batch, "pass")
        told = batch.describe()
        assert (told["round"], told["phase"]) == (2, "draft")
        assert sorted(told["draft"]) == sorted(cards[:5])
        assert told["deck"] == cards[5:]

    @pytest.mark.clause("KIN-11")
    def test_the_top_card_stays_on_the_deck_all_round(self) -> None:
        batch = parlour.batch("kintsugi", seed=6, players=3)
        top = batch.describe()["deck"][0]
        while batch.describe()["round"] == 1:
            assert batch.describe()["deck"][0] == top
            batch.step(batch.sample_legal())
        assert top in batch.describe()["draft"]

    @pytest.mark.clause("KIN-11")
    def test_everyone_sees_the_top_card(self) -> None:
        batch = parlour.batch("kintsugi", seed=6, players=3)
        kind = list(VALUES).index(batch.describe()["deck"][0])
        for observer in range(3):
            shown = batch.game.layout.view(batch.observe(observer)[0], "top_card")
            assert np.flatnonzero(shown).tolist() == [kind]

    @pytest.mark.clause("KIN-11")
    def test_nobody_knows_the_order_below_the_top_card(self) -> None:
        batch = parlour.batch("kintsugi", seed=6)
        deck = batch.describe()["deck"]
        guesses = [batch.determinize(0, seed=i).describe()["deck"] for i in range(5)]
        assert all(guess[0] == deck[0] and sorted(guess) == sorted(deck) for guess in guesses)
        assert len({tuple(guess) for guess in [deck, *guesses]}) == 6

    @pytest.mark.clause("KIN-11")
    @pytest.mark.parametrize("observer", [0, 1])
    def test_every_order_below_the_top_card_is_dealt_as_often(self, observer: int) -> None:
        below = ["bowl white", "bowl white", "tray", "cup blue", "gold"]
        batch = table(draft=["plate brown"] * 4, deck=["vase blue", *below])
        orders = set(itertools.permutations(below))
        each = 80
        twins = batch.determinize(observer, rows=[0] * each * len(orders), seed=8)
        counts = Counter(tuple(twins.describe(row)["deck"]) for row in range(twins.size))
        assert set(counts) == {("vase blue", *order) for order in orders}
        spread = sum((count - each) ** 2 / each for count in counts.values())
        freedom = len(orders) - 1
        assert abs(spread - freedom) < 5 * math.sqrt(2 * freedom)


class TestDraft:
    @pytest.mark.clause("KIN-12", "KIN-51")
    @pytest.mark.parametrize("first", [0, 1])
    @any_number
    def test_the_turn_snakes_from_the_first_player_to_the_last_and_back(self, players: int, first: int) -> None:
        batch = parlour.batch("kintsugi", seed=8, players=players, first_player=first)
        turns = []
        for _ in range(2 * players):
            turns.append(mover(batch))
            batch.step(batch.sample_legal())
        clockwise = [(first + i) % players for i in range(players)]
        assert turns == clockwise + clockwise[::-1]
        assert batch.describe()["draft"] == [] or batch.describe()["round"] == 2

    @pytest.mark.clause("KIN-12")
    def test_any_card_of_the_draft_area_is_kept_or_sold(self) -> None:
        batch = table(draft=["cup blue", "vase white", "tray", "box", "gold"])
        words = {"cup blue", "vase white", "tray", "box"}
        assert legal(batch) == {f"{verb} {card}" for card in words for verb in ("keep", "sell")} | {"sell gold"}

    @pytest.mark.clause("KIN-12")
    def test_a_kept_card_lies_unbroken_in_the_collection(self) -> None:
        batch = table(draft=["cup blue", "tray", "box"], deck=["box"], mover=1, supply=18)
        play(batch, "keep cup blue")
        assert seat(batch, 1)["unbroken"] == ["cup blue"]
        assert seat(batch, 1)["tokens"] == 0
        assert batch.describe()["draft"] == ["tray", "box"]

    @pytest.mark.clause("KIN-12")
    def test_a_sold_card_is_discarded(self) -> None:
        batch = parlour.batch("kintsugi", seed=1)
        card = batch.describe()["draft"][0]
        play(batch, f"sell {card}")
        told = batch.describe()
        assert told["discard"] == [card]
        assert all(zone["unbroken"] == [] for zone in told["seats"])
        assert len(told["draft"]) == 4

    @pytest.mark.clause("KIN-12")
    def test_gold_has_to_be_sold(self) -> None:
        batch = table(draft=["gold", "gold"], deck=["box"])
        assert legal(batch) == {"sell gold"}
        assert not any(batch.game.action_text(a) == "keep gold" for a in range(batch.game.num_actions))

    @pytest.mark.clause("KIN-51")
    def test_a_draft_turn_is_asked_even_with_one_legal_action(self) -> None:
        batch = table(draft=["gold"] * 5, deck=["box"])
        assert [mover(batch), len(legal(batch))] == [0, 1]
        play(batch, "sell gold")
        assert [mover(batch), len(legal(batch))] == [1, 1]

    @pytest.mark.clause("KIN-12", "KIN-13")
    @any_number
    def test_the_leftover_stays_until_the_break_and_is_discarded(self, players: int) -> None:
        batch = parlour.batch("kintsugi", seed=5, players=players)
        for _ in range(2 * players - 1):
            play(batch, next(a for a in sorted(legal(batch)) if a.startswith("sell")))
        draft, discarded = batch.describe()["draft"], batch.describe()["discard"]
        assert len(draft) == 2
        play(batch, f"sell {draft[0]}")
        assert sorted(batch.describe()["discard"]) == sorted([*discarded, *draft])


class TestBreak:
    @pytest.mark.clause("KIN-13")
    @both_editions
    def test_the_leftover_breaks_its_type_in_every_pattern_and_collection(self, name: str) -> None:
        batch = after_break(
            name,
            leftover="cup blue",
            top="tray",
            players=3,
            collections=[["cup blue", "cup blue", "plate blue"], ["cup brown", "saucer blue"], ["cup white"]],
        )
        assert seat(batch, 0)["broken"] == ["cup blue", "cup blue"]
        assert seat(batch, 0)["unbroken"] == ["plate blue"]
        assert (seat(batch, 1)["broken"], seat(batch, 1)["unbroken"]) == (["cup brown"], ["saucer blue"])
        assert (seat(batch, 2)["broken"], seat(batch, 2)["unbroken"]) == (["cup white"], [])

    @pytest.mark.clause("KIN-13")
    @pytest.mark.parametrize("type", POTTERY)
    def test_the_top_card_breaks_its_type_and_no_other(self, type: str) -> None:
        batch = after_break(leftover="tray", top=f"{type} white", collections=[[], [f"{t} blue" for t in POTTERY]])
        assert seat(batch, 1)["broken"] == [f"{type} blue"]
        assert seat(batch, 1)["unbroken"] == [f"{t} blue" for t in POTTERY if t != type]

    @pytest.mark.clause("KIN-13")
    def test_both_cards_break_pottery_in_the_same_round(self) -> None:
        batch = after_break(leftover="bowl blue", top="vase blue", collections=[["bowl white"], ["vase brown"]])
        assert seat(batch, 0)["broken"] == ["bowl white"]
        assert seat(batch, 1)["broken"] == ["vase brown"]

    @pytest.mark.clause("KIN-13")
    def test_a_type_shown_by_both_cards_breaks_once(self) -> None:
        batch = after_break(leftover="bowl blue", top="bowl brown", collections=[[], ["bowl white", "bowl white"]])
        assert seat(batch, 1)["broken"] == ["bowl white", "bowl white"]

    @pytest.mark.clause("KIN-13")
    def test_cards_drafted_this_round_are_not_spared(self) -> None:
        batch = table(draft=["teapot blue", "teapot white"], deck=["box"])
        play(batch, "keep teapot white")
        assert seat(batch, 0)["broken"] == ["teapot white"]

    @pytest.mark.clause("KIN-13")
    def test_a_repaired_card_never_breaks_again(self) -> None:
        batch = after_break(leftover="cup blue", top="cup brown", collections=[[], ["cup blue*", "cup white"]])
        assert (seat(batch, 1)["repaired"], seat(batch, 1)["broken"]) == (["cup blue"], ["cup white"])

    @pytest.mark.clause("KIN-13")
    @pytest.mark.parametrize("wood", ["tray", "box"])
    def test_wood_breaks_nothing_and_does_not_break(self, wood: str) -> None:
        everything = [*(f"{t} blue" for t in POTTERY), "tray", "box"]
        batch = after_break(leftover=wood, top=wood, collections=[everything, everything])
        for number in range(2):
            assert seat(batch, number)["unbroken"] == everything
            assert seat(batch, number)["broken"] == []
            assert not seat(batch, number)["free_repair"]

    @pytest.mark.clause("KIN-13")
    @pytest.mark.parametrize(("leftover", "top"), [("gold", "tray"), ("tray", "gold"), ("gold", "gold")])
    def test_gold_breaks_nothing_and_gives_everyone_one_free_repair(self, leftover: str, top: str) -> None:
        collections = [["vase blue!", "vase white!", "cup blue"], ["vase brown!", "bowl blue!", "tray", "box"]]
        batch = after_break(leftover=leftover, top=top, supply=0, collections=collections)
        assert seat(batch, 0)["unbroken"] == ["cup blue"]
        assert seat(batch, 1)["unbroken"] == ["tray", "box"]
        assert [seat(batch, i)["free_repair"] for i in range(2)] == [True, True]
        play(batch, "repair vase blue", "repair vase brown")
        assert mover(batch) == -1

    @pytest.mark.clause("KIN-13")
    @pytest.mark.parametrize(("leftover", "top"), [("gold", "cup white"), ("cup white", "gold")])
    def test_gold_beside_pottery_mends_what_the_pottery_breaks(self, leftover: str, top: str) -> None:
        batch = after_break(leftover=leftover, top=top, supply=0, collections=[["cup blue"], []])
        play(batch, "repair cup blue")
        assert seat(batch, 0)["repaired"] == ["cup blue"]

    @pytest.mark.clause("KIN-13")
    def test_a_free_repair_is_gone_when_the_round_is(self) -> None:
        batch = after_break(
            leftover="gold", top="tray", rest=["tray"] * 5, supply=0, collections=[["cup blue!"], ["cup blue!"]]
        )
        play(batch, "pass", "pass")
        assert batch.describe()["round"] == 2
        assert [seat(batch, i)["free_repair"] for i in range(2)] == [False, False]

    @pytest.mark.clause("KIN-11", "KIN-13")
    def test_the_top_card_that_broke_pottery_stays_on_the_deck(self) -> None:
        batch = after_break(leftover="tray", top="cup blue", rest=["box"] * 6, collections=[[], ["cup white"]])
        told = batch.describe()
        assert told["round"] == 2
        assert "cup blue" in told["draft"]


class TestNovices:
    @pytest.mark.clause("KIN-19")
    @both_editions
    def test_a_novice_begins_with_a_token_from_the_supply(self, name: str) -> None:
        full = parlour.batch(name, seed=1).describe()["supply"]
        batch = parlour.batch(name, seed=1, players=4, novices=[1, 3])
        assert [seat(batch, i)["tokens"] for i in range(4)] == [0, 1, 0, 1]
        assert batch.describe()["supply"] == full - 2

    @pytest.mark.clause("KIN-19")
    @pytest.mark.parametrize("novices", [[2], [-1], ["0"]])
    def test_a_novice_must_have_a_seat(self, novices: list[Any]) -> None:
        with pytest.raises(parlour.ConfigError, match="novices must be one of 0, 1, got"):
            parlour.batch("kintsugi", novices=novices)


class TestMarkerAndLastRound:
    @pytest.mark.clause("KIN-17")
    @any_number
    def test_the_marker_moves_one_seat_clockwise_each_round(self, players: int) -> None:
        batch = parlour.batch("kintsugi", seed=9, players=players, first_player=players - 1)
        for number in range(ROUNDS[players]):
            assert batch.describe()["first_player"] == mover(batch) == (players - 1 + number) % players
            pass_round(batch)

    @pytest.mark.clause("KIN-17")
    @any_number
    def test_the_seed_draws_the_first_player(self, players: int) -> None:
        batch = parlour.batch("kintsugi", size=300, seed=1, players=players)
        counts = np.bincount(batch.current_player, minlength=players)
        assert counts.size == players
        assert counts.min() > 300 / players / 2
        again = parlour.batch("kintsugi", size=300, seed=1, players=players)
        assert (again.current_player == batch.current_player).all()

    @pytest.mark.clause("KIN-17")
    def test_an_option_gives_the_marker_to_seat_0(self) -> None:
        batch = parlour.batch("kintsugi", size=50, seed=1, players=3, first_player=0)
        assert (batch.current_player == 0).all()

    @pytest.mark.clause("KIN-18")
    @both_editions
    def test_the_last_round_has_its_break_and_repair_phases(self, name: str) -> None:
        collections = [[], ["cup white", "bowl white"]]
        batch = after_break(name, leftover="cup blue", top="bowl blue", collections=collections, tokens=[0, 3])
        assert (batch.describe()["phase"], mover(batch)) == ("repair", 1)
        play(batch, "repair cup white", "repair bowl white")
        assert mover(batch) == -1
        assert batch.scores()[0].tolist() == [0, 5]
        assert points(["cup white*", "bowl white*"], name=name) == 5

    @pytest.mark.clause("KIN-18")
    def test_a_finished_game_takes_no_action(self) -> None:
        batch = repair_table(deck=["box"])
        play(batch, "pass")
        assert batch.describe()["phase"] == "over"
        assert not batch.legal.any()
        with pytest.raises(parlour.IllegalAction, match="the game is over"):
            batch.step([0])
