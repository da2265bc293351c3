"""The greedy player of Kintsugi and Broken and Beautiful."""

import pytest

from parlour.agents import load
from tests.agents.play import choice, weights, win_rate
from tests.envs.kintsugi.build import repair_table, table

both_editions = pytest.mark.parametrize("name", ["kintsugi", "broken_and_beautiful"])
REST = ["tray", "box", "gold", "cup blue", "bowl blue", "plate blue", "vase blue", "teapot blue"]
"""What may follow on the deck."""


class TestDraft:
    @both_editions
    def test_what_the_top_card_will_break_is_not_kept(self, name: str) -> None:
        draft = ["vase blue", "plate brown", "gold", "tray", "box"]
        for top, kept in (("vase brown", False), ("gold", True)):
            batch = table(name, draft=draft, deck=[top], collections=[["vase brown*", "vase white*"], []])
            assert (choice(batch) == "keep vase blue") is kept

    def test_a_card_that_may_be_left_over_threatens_its_like(self) -> None:
        calm = table(draft=["bowl blue", "tray", "box"], deck=["gold"], mover=0)
        tense = table(draft=["bowl blue", "bowl white", "box"], deck=["gold"], mover=0)
        assert weights(tense)["keep bowl blue"] < weights(calm)["keep bowl blue"]

    def test_the_last_drafter_leaves_what_breaks_only_the_others_cards(self) -> None:
        collections = [["bowl blue", "bowl white"], ["plate blue", "plate white"]]
        batch = table(draft=["bowl brown", "plate brown"], deck=["gold"], collections=collections)
        assert choice(batch) == "keep bowl brown"

    def test_breakage_does_not_frighten_who_can_pay_for_it(self) -> None:
        def gain(tokens: int) -> float:
            draft, collections = ["cup blue", "tray"], [["saucer blue*"], []]
            worth = weights(table(draft=draft, deck=["cup white"], collections=collections, tokens=[tokens, 0]))
            return worth["keep cup blue"] - worth["sell cup blue"]

        assert gain(0) <= 0 < gain(3)

    def test_the_card_that_completes_a_set_is_worth_most(self) -> None:
        collections = [["vase blue", "vase white", "tray"], []]
        batch = table(
            draft=["cup blue", "vase brown", "tray", "box", "plate blue"], deck=["gold"], collections=collections
        )
        assert choice(batch) == "keep vase brown"

    def test_gold_is_taken_when_everything_is_broken_and_there_are_no_tokens(self) -> None:
        collections = [["vase blue!", "vase white!", "vase brown!", "teapot blue!"], []]
        batch = table(draft=["gold", "saucer blue", "tea jar blue"], deck=["gold", *REST], collections=collections)
        assert choice(batch) == "sell gold"

    def test_an_empty_supply_pays_nothing(self) -> None:
        draft, deck, collections = ["gold", "tray", "box"], ["gold", *REST], [["vase blue!"], []]
        rich, poor = (weights(table(supply=n, draft=draft, deck=deck, collections=collections)) for n in (18, 0))
        assert rich["sell gold"] > rich["sell tray"]
        assert poor["sell gold"] == poor["sell tray"]

    @pytest.mark.parametrize("patterns", [1, 4])
    def test_other_decks_are_understood(self, patterns: int) -> None:
        types = ("cup", "saucer", "plate", "bowl", "tea jar", "vase", "teapot")
        deck = [(type, str(pattern), 1, 8 // patterns) for type in types for pattern in range(patterns)]
        batch = table(
            custom_deck=deck, draft=["bowl 0", "cup 0", "saucer 0"], deck=["plate 0"], collections=[["bowl 0*"] * 3]
        )
        assert choice(batch) == "keep bowl 0"


class TestRepair:
    @both_editions
    def test_the_last_tokens_mend_what_gains_most(self, name: str) -> None:
        cards = ["vase blue*", "vase white*", "vase brown!", "tea jar blue!", "saucer blue!"]
        assert choice(repair_table(name, collections=[cards, []], tokens=[2], deck=["gold"])) == "repair vase brown"

    @both_editions
    def test_tokens_are_kept_for_boxes_when_these_bring_more(self, name: str) -> None:
        for boxes, chosen in ((["box", "box"], "pass"), ([], "repair saucer blue")):
            collections = [["saucer blue!", "cup blue", *boxes], []]
            batch = repair_table(name, collections=collections, tokens=[3], deck=["gold"])
            assert choice(batch) == chosen

    def test_a_free_repair_goes_to_the_dear_card(self) -> None:
        cards = ["plate blue!", "teapot white!", "plate white*", "bowl white*"]
        batch = repair_table(collections=[cards, []], tokens=[1], free=True, deck=["gold"])
        worth = weights(batch)
        assert worth["repair teapot white"] > worth["repair plate blue"] > worth["pass"]

    def test_nothing_is_repaired_for_nothing(self) -> None:
        batch = repair_table(collections=[["saucer blue!", "box"], []], tokens=[2], deck=["gold"])
        assert choice(batch) == "pass"


@both_editions
def test_it_beats_random(name: str) -> None:
    assert win_rate(load("greedy"), load("random"), name, games=240) > 0.97
