"""The repair phase of Kintsugi and Broken and Beautiful against the rules."""

import pytest

from tests.envs.kintsugi.build import after_break, legal, mover, play, repair_table, seat, table

FR, EN = "kintsugi", "broken_and_beautiful"
BROKEN = ["cup blue!", "cup brown!", "bowl blue!", "bowl white!"]
"""Plenty to repair, at 1 token each."""

both_editions = pytest.mark.parametrize("name", [FR, EN])


class TestRepair:
    @pytest.mark.clause("KIN-14")
    @pytest.mark.parametrize("first", [0, 1, 2])
    @both_editions
    def test_one_repair_at_a_time_clockwise_from_the_first_player(self, name: str, first: int) -> None:
        batch = after_break(
            name,
            leftover="tray",
            top="tray",
            players=3,
            first_player=first,
            collections=[BROKEN] * 3,
            tokens=[9] * 3,
        )
        order = []
        for card in ["cup blue"] * 3 + ["bowl blue"] * 3:
            order.append(mover(batch))
            play(batch, f"repair {card}")
        assert order == [(first + i) % 3 for i in range(6)]

    @pytest.mark.clause("KIN-14", "KIN-51")
    def test_own_broken_cards_are_repaired_and_nothing_else(self) -> None:
        collections = [["cup blue!", "cup white", "bowl blue*", "tray"], ["vase blue!"]]
        batch = repair_table(collections=collections, tokens=[9, 9], deck=["box"])
        assert legal(batch) == {"repair cup blue", "pass"}

    @pytest.mark.clause("KIN-14")
    def test_a_repair_turns_one_broken_card_over(self) -> None:
        batch = repair_table(collections=[["cup blue!", "cup blue!"], []], tokens=[1], deck=["box"])
        play(batch, "repair cup blue")
        assert (seat(batch, 0)["broken"], seat(batch, 0)["repaired"]) == (["cup blue"], ["cup blue"])

    @pytest.mark.clause("KIN-14")
    def test_cards_broken_this_round_and_before_can_be_repaired(self) -> None:
        batch = after_break(leftover="cup blue", top="tray", collections=[["cup white", "bowl blue!"]], tokens=[9])
        assert legal(batch) == {"repair cup white", "repair bowl blue", "pass"}

    @pytest.mark.clause("KIN-14")
    def test_every_repair_of_a_round_makes_the_next_one_dearer(self) -> None:
        batch = repair_table(collections=[["cup blue!"] * 3 + ["vase blue!"]], tokens=[20], supply=0, deck=["box"])
        paid = []
        for card in ("cup blue", "vase blue", "cup blue", "cup blue"):
            before = seat(batch, 0)["tokens"]
            play(batch, f"repair {card}")
            paid.append(before - seat(batch, 0)["tokens"])
        assert paid == [1, 2 + 1, 1 + 2, 1 + 3]
        assert batch.describe()["supply"] == 11

    @pytest.mark.clause("KIN-14")
    def test_the_surcharge_counts_only_the_own_repairs(self) -> None:
        batch = repair_table(collections=[BROKEN, BROKEN], tokens=[9, 9], deck=["box"])
        play(batch, "repair cup blue", "repair cup blue")
        assert [seat(batch, i)["tokens"] for i in range(2)] == [8, 8]

    @pytest.mark.clause("KIN-14")
    def test_the_surcharge_starts_anew_every_round(self) -> None:
        batch = repair_table(collections=[["cup blue!", "cup blue!"], []], tokens=[3], deck=["tray"] * 6)
        play(batch, "repair cup blue", "pass")
        assert (batch.describe()["round"], seat(batch, 0)["tokens"], seat(batch, 0)["repairs"]) == (2, 2, 0)
        play(batch, *["keep tray"] * 4, "repair cup blue")
        assert seat(batch, 0)["tokens"] == 1

    @pytest.mark.clause("KIN-14", "KIN-16")
    def test_a_repair_must_be_paid_in_full(self) -> None:
        batch = repair_table(collections=[["cup blue!", "vase blue!"], []], tokens=[1], deck=["box"])
        assert legal(batch) == {"repair cup blue", "pass"}
        batch = repair_table(collections=[["cup blue!", "vase blue!"], []], tokens=[2], deck=["box"])
        assert legal(batch) == {"repair cup blue", "repair vase blue", "pass"}

    @pytest.mark.clause("KIN-14", "KIN-16")
    def test_the_surcharge_must_be_paid_in_full_too(self) -> None:
        batch = repair_table(collections=[["cup blue!", "vase blue!"], []], tokens=[3], deck=["box"])
        play(batch, "repair cup blue")
        assert mover(batch) == -1
        batch = repair_table(collections=[["cup blue!", "vase blue!"], []], tokens=[4], deck=["box"])
        play(batch, "repair cup blue", "repair vase blue")
        assert seat(batch, 0)["tokens"] == 0

    @pytest.mark.clause("KIN-5", "KIN-14")
    def test_the_tokens_paid_go_back_to_the_supply(self) -> None:
        batch = repair_table(collections=[["vase blue!"]], tokens=[5], supply=7, deck=["box"])
        play(batch, "repair vase blue")
        assert (seat(batch, 0)["tokens"], batch.describe()["supply"]) == (3, 9)

    @pytest.mark.clause("KIN-5", "KIN-14")
    def test_repairs_cost_the_same_from_an_unlimited_supply(self) -> None:
        batch = repair_table(collections=[["vase blue!"]], tokens=[5], unlimited_supply=True, deck=["box"])
        play(batch, "repair vase blue")
        assert (seat(batch, 0)["tokens"], batch.describe()["supply"]) == (3, None)


class TestFreeRepair:
    @pytest.mark.clause("KIN-14")
    @both_editions
    def test_the_first_repair_costs_nothing_whatever_the_card(self, name: str) -> None:
        batch = repair_table(name, free=True, collections=[["teapot blue!"], []], deck=["box"])
        play(batch, "repair teapot blue")
        assert seat(batch, 0)["repaired"] == ["teapot blue"]
        assert seat(batch, 0)["tokens"] == 0

    @pytest.mark.clause("KIN-14")
    def test_it_counts_as_a_repair_so_the_next_costs_one_more(self) -> None:
        batch = repair_table(free=True, collections=[["teapot blue!", "teapot blue!"], []], tokens=[5], deck=["box"])
        play(batch, "repair teapot blue")
        assert (seat(batch, 0)["tokens"], seat(batch, 0)["repairs"]) == (5, 1)
        play(batch, "repair teapot blue")
        assert seat(batch, 0)["tokens"] == 5 - (2 + 1)

    @pytest.mark.clause("KIN-13", "KIN-14")
    def test_everyone_has_their_own(self) -> None:
        batch = repair_table(free=True, players=3, collections=[["vase blue!"]] * 3, deck=["box"])
        play(batch, *["repair vase blue"] * 3)
        assert all(seat(batch, i)["repaired"] == ["vase blue"] for i in range(3))

    @pytest.mark.clause("KIN-14", "KIN-15")
    def test_an_english_player_who_passes_keeps_it_for_the_round(self) -> None:
        batch = repair_table(EN, free=True, collections=[["vase blue!"], ["cup blue!"]], deck=["box"])
        play(batch, "pass", "repair cup blue")
        assert (mover(batch), seat(batch, 0)["free_repair"]) == (0, True)
        play(batch, "repair vase blue")
        assert seat(batch, 0)["repaired"] == ["vase blue"]

    @pytest.mark.clause("KIN-14", "KIN-15", "KIN-40")
    def test_a_french_player_who_passes_has_lost_it(self) -> None:
        batch = repair_table(FR, free=True, collections=[["vase blue!"], ["cup blue!"]], deck=["box"])
        play(batch, "pass", "repair cup blue")
        assert mover(batch) == -1
        assert seat(batch, 0)["broken"] == ["vase blue"]


class TestPass:
    @pytest.mark.clause("KIN-15", "KIN-40")
    def test_a_french_pass_is_final_for_the_round(self) -> None:
        batch = repair_table(FR, players=3, collections=[BROKEN] * 3, tokens=[20] * 3, deck=["box"])
        play(batch, "repair cup blue", "pass", "repair cup blue")
        movers = []
        for card in ("cup brown", "cup brown", "bowl blue"):
            movers.append(mover(batch))
            play(batch, f"repair {card}")
        assert movers == [0, 2, 0]

    @pytest.mark.clause("KIN-15")
    def test_the_french_phase_ends_when_everyone_has_passed(self) -> None:
        batch = repair_table(FR, collections=[BROKEN, BROKEN], tokens=[20, 20], deck=["box"])
        play(batch, "pass", "repair cup blue", "repair cup brown")
        assert (mover(batch), batch.describe()["phase"]) == (1, "repair")
        play(batch, "pass")
        assert mover(batch) == -1

    @pytest.mark.clause("KIN-15")
    def test_a_french_pass_does_not_outlast_the_round(self) -> None:
        batch = repair_table(FR, collections=[BROKEN, []], tokens=[9], deck=["tray"] * 6)
        play(batch, "pass", *["keep tray"] * 4)
        assert (batch.describe()["round"], mover(batch)) == (2, 0)
        play(batch, "repair cup blue")

    @pytest.mark.clause("KIN-15", "KIN-40")
    def test_an_english_player_may_come_back_after_a_pass(self) -> None:
        batch = repair_table(EN, collections=[BROKEN, BROKEN], tokens=[20, 20], deck=["box"])
        play(batch, "pass", "repair cup blue")
        assert mover(batch) == 0
        play(batch, "repair cup blue")
        assert seat(batch, 0)["repaired"] == ["cup blue"]

    @pytest.mark.clause("KIN-15")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_the_english_phase_ends_after_a_pass_of_everyone_in_a_row(self, players: int) -> None:
        batch = repair_table(EN, players=players, collections=[BROKEN] * players, tokens=[20] * players, deck=["box"])
        play(batch, *["pass"] * (players - 1), "repair cup blue")
        for turn in range(players):
            assert mover(batch) == turn
            play(batch, "pass")
        assert mover(batch) == -1

    @pytest.mark.clause("KIN-15")
    def test_the_english_repairer_passes_too_before_the_phase_ends(self) -> None:
        batch = repair_table(EN, collections=[BROKEN, BROKEN], tokens=[20, 20], deck=["box"])
        play(batch, "repair cup blue", "pass")
        assert mover(batch) == 0
        play(batch, "repair cup brown")
        assert mover(batch) == 1


class TestAutomaticPass:
    @pytest.mark.clause("KIN-16", "KIN-51")
    @both_editions
    def test_nobody_is_asked_when_nothing_is_broken(self, name: str) -> None:
        batch = after_break(name, leftover="tray", top="tray", rest=["tray"] * 5, collections=[["cup blue"], []])
        assert (batch.describe()["round"], batch.describe()["phase"]) == (2, "draft")

    @pytest.mark.clause("KIN-16", "KIN-51")
    @both_editions
    def test_a_player_without_broken_cards_or_tokens_is_passed_over(self, name: str) -> None:
        batch = repair_table(
            name,
            players=4,
            collections=[BROKEN, ["cup blue*", "tray"], BROKEN, BROKEN],
            tokens=[20, 20, 0, 20],
            deck=["box"],
        )
        movers = []
        for card in ("cup blue", "cup blue", "cup brown", "cup brown"):
            movers.append(mover(batch))
            play(batch, f"repair {card}")
        assert movers == [0, 3, 0, 3]

    @pytest.mark.clause("KIN-16", "KIN-14")
    def test_a_first_player_who_cannot_pay_is_passed_over_at_once(self) -> None:
        collections = [["vase blue!"], ["vase blue!"]]
        batch = table(draft=["tray", "box"], deck=["tray"], collections=collections, tokens=[1, 2])
        play(batch, "keep box")
        assert (batch.describe()["phase"], mover(batch)) == ("repair", 1)

    @pytest.mark.clause("KIN-16", "KIN-13")
    def test_a_free_repair_can_always_be_paid_for(self) -> None:
        batch = after_break(leftover="gold", top="tray", supply=0, collections=[["vase blue!"], ["teapot blue!"]])
        assert (batch.describe()["phase"], mover(batch)) == ("repair", 0)
        play(batch, "pass")
        assert mover(batch) == 1

    @pytest.mark.clause("KIN-15", "KIN-16")
    @both_editions
    def test_it_is_a_pass_like_any_other(self, name: str) -> None:
        batch = repair_table(name, players=3, collections=[BROKEN, [], BROKEN], tokens=[20, 0, 20], deck=["box"])
        play(batch, "repair cup blue")
        assert [seat(batch, i)["passed"] for i in range(3)] == [False, True, False]
        play(batch, "pass")
        assert [seat(batch, i)["passed"] for i in range(3)] == [False, True, True]
        play(batch, "pass")
        assert mover(batch) == -1

    @pytest.mark.clause("KIN-16", "KIN-51")
    def test_a_player_with_one_repair_to_make_is_asked(self) -> None:
        batch = after_break(leftover="cup blue", top="tray", supply=0, collections=[[], ["cup blue"]], tokens=[0, 1])
        assert mover(batch) == 1
        assert legal(batch) == {"repair cup blue", "pass"}
