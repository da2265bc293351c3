"""The cards, decks that replace the default one, and the action ids of Kintsugi."""

import re
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.kintsugi.build import legal, mover, play, points, repair_table, seat, table

Rows = list[Any]
POTTERY = ("cup", "saucer", "plate", "bowl", "tea jar", "vase", "teapot")
PATTERNS = ("blue", "brown", "white")
ONE_PATTERN: Rows = [("cup", "red", 3, 4), ("bowl", "red", 2, 4)]
FOUR_PATTERNS: Rows = [
    ("cup", "red", 1, 3),
    ("vase", "green", 4, 5),
    ("teapot", "ash", 2, 6),
    ("bowl", "sea", 0, 7),
    ("cup", "sea", 5, 1),
    ("tray", None, 2, 1),
    ("gold", None, 7, 3),
]


def action_words(batch: Batch) -> list[str]:
    return [batch.game.action_text(action) for action in range(batch.game.num_actions)]


def expected_words(patterns: tuple[str, ...]) -> list[str]:
    pottery = [f"{type} {pattern}" for type in POTTERY for pattern in patterns]
    return [
        *(f"keep {kind}" for kind in [*pottery, "tray", "box"]),
        *(f"sell {kind}" for kind in [*pottery, "tray", "box", "gold"]),
        *(f"repair {kind}" for kind in pottery),
        "pass",
    ]


class TestDefaultDeck:
    @pytest.mark.clause("KIN-4", "KIN-1", "KIN-2", "KIN-3")
    @pytest.mark.parametrize("name", ["kintsugi", "broken_and_beautiful"])
    def test_its_table(self, name: str) -> None:
        expected: Rows = [
            *([type, pattern, 1, 2] for type in POTTERY[:5] for pattern in PATTERNS),
            *(["vase", pattern, 2, 1] for pattern in PATTERNS),
            *(["teapot", pattern, 2, 2] for pattern in PATTERNS),
            ["tray", None, 1, 2],
            ["box", None, 1, 2],
            ["gold", None, 3, 3],
        ]
        assert sorted(parlour.make_game(name).config["deck"], key=str) == sorted(expected, key=str)
        assert sum(count for *_, count in expected) == 46

    @pytest.mark.clause("KIN-4")
    def test_it_is_shuffled_with_the_seed(self) -> None:
        orders = {tuple(parlour.batch("kintsugi", seed=seed).describe()["deck"]) for seed in range(20)}
        assert len(orders) == 20
        assert tuple(parlour.batch("kintsugi", seed=7).describe()["deck"]) in orders

    @pytest.mark.clause("KIN-4")
    def test_every_card_is_on_top_about_as_often_as_it_is_in_the_deck(self) -> None:
        batch = parlour.batch("kintsugi", size=4600, seed=1)
        tops = batch.game.layout.view(batch.observation, "top_card").sum(axis=0)
        counts = np.array([2] * 15 + [1] * 3 + [2] * 3 + [2, 2, 3])
        assert np.abs(tops - 100 * counts).max() < 6 * 10 * np.sqrt(3)


class TestReplacedDeck:
    @pytest.mark.clause("KIN-4")
    def test_its_cards_and_no_others_are_dealt(self) -> None:
        told = parlour.batch("kintsugi", seed=1, deck=FOUR_PATTERNS).describe()
        cards = [
            kind if pattern is None else f"{kind} {pattern}" for kind, pattern, _, n in FOUR_PATTERNS for _ in range(n)
        ]
        assert sorted(told["draft"] + told["deck"]) == sorted(cards)

    @pytest.mark.clause("KIN-2", "KIN-4")
    @pytest.mark.parametrize(
        ("card", "value"),
        [("vase green", 4), ("bowl sea", 0), ("cup sea", 5), ("cup red", 1), ("tray", 2), ("gold", 7)],
    )
    def test_a_kind_sells_for_the_value_of_its_row(self, card: str, value: int) -> None:
        batch = table(custom_deck=FOUR_PATTERNS, draft=[card, "tray"], deck=["tray"])
        play(batch, f"sell {card}")
        assert seat(batch, 0)["tokens"] == value

    @pytest.mark.clause("KIN-2", "KIN-4", "KIN-14")
    @pytest.mark.parametrize(("card", "value"), [("vase green", 4), ("bowl sea", 0), ("cup sea", 5), ("cup red", 1)])
    def test_a_kind_is_repaired_for_the_value_of_its_row(self, card: str, value: int) -> None:
        batch = repair_table(custom_deck=FOUR_PATTERNS, collections=[[f"{card}!"]], tokens=[9], deck=["tray"])
        play(batch, f"repair {card}")
        assert seat(batch, 0)["tokens"] == 9 - value

    @pytest.mark.clause("KIN-4", "KIN-16")
    def test_a_card_of_value_nothing_is_repaired_without_tokens(self) -> None:
        batch = repair_table(custom_deck=FOUR_PATTERNS, collections=[["bowl sea!", "bowl sea!"]], deck=["tray"])
        assert legal(batch) == {"repair bowl sea", "pass"}
        play(batch, "repair bowl sea")
        assert mover(batch) == -1

    @pytest.mark.clause("KIN-13")
    def test_a_type_breaks_in_all_four_patterns(self) -> None:
        cups = [f"cup {pattern}" for pattern in ("red", "green", "ash", "sea")]
        batch = table(
            custom_deck=FOUR_PATTERNS, collections=[[], [*cups, "bowl red"]], draft=["cup ash", "tray"], deck=["tray"]
        )
        play(batch, "sell tray")
        assert (seat(batch, 1)["broken"], seat(batch, 1)["unbroken"]) == (cups, ["bowl red"])

    @pytest.mark.clause("KIN-22", "KIN-26")
    def test_all_four_patterns_score(self) -> None:
        plates = [f"plate {pattern}" for pattern in ("red", "green", "ash", "sea")]
        assert points(plates, custom_deck=FOUR_PATTERNS) == 12
        assert points(["teapot sea*", "saucer sea", "saucer red"], custom_deck=FOUR_PATTERNS) == 4

    @pytest.mark.clause("KIN-4")
    def test_rows_of_one_kind_add_up(self) -> None:
        rows = [("cup", "red", 1, 2), ("bowl", "red", 1, 2), ("cup", "red", 1, 2)]
        told = parlour.batch("kintsugi", seed=1, deck=rows).describe()
        assert sorted(told["draft"] + told["deck"]) == ["bowl red"] * 2 + ["cup red"] * 4

    @pytest.mark.clause("KIN-10")
    def test_it_makes_as_many_rounds_as_it_has_cards_for(self) -> None:
        batch = parlour.batch("kintsugi", seed=1, deck=[("cup", "red", 1, 23)])
        while mover(batch) >= 0:
            batch.step(batch.sample_legal())
        assert batch.describe()["round"] == 4
        assert len(batch.describe()["deck"]) == 3


def refusal(rows: Rows, **options: Any) -> str:
    """What the error about this deck says."""
    with pytest.raises(parlour.ConfigError) as caught:
        parlour.make_game("kintsugi", deck=rows, **options)
    return str(caught.value)


class TestRefusedDeck:
    """One card too few or too odd makes an error that says what was expected and what came."""

    @pytest.mark.clause("KIN-4")
    def test_another_type(self) -> None:
        said = refusal([*ONE_PATTERN, ("mug", "red", 1, 3)])
        assert said == f"no card type 'mug'; the types are {', '.join([*POTTERY, 'tray', 'box', 'gold'])}"

    @pytest.mark.clause("KIN-4")
    def test_a_fifth_pattern(self) -> None:
        said = refusal([("cup", pattern, 1, 3) for pattern in ("red", "green", "ash", "sea", "sky")])
        assert said == "a deck has 1 to 4 patterns, got 5: red, green, ash, sea, sky"

    @pytest.mark.clause("KIN-4")
    def test_no_pottery_at_all(self) -> None:
        assert "1 to 4 patterns, got 0" in refusal([("tray", None, 1, 6)])

    @pytest.mark.clause("KIN-4", "KIN-2")
    def test_two_values_of_one_kind(self) -> None:
        said = refusal([*ONE_PATTERN, ("cup", "red", 1, 2)])
        assert said == "cup red has the values 3 and 1: a kind has one value"

    @pytest.mark.clause("KIN-4")
    @pytest.mark.parametrize("pattern", [None, "", 3])
    def test_pottery_without_a_pattern(self, pattern: Any) -> None:
        assert refusal([*ONE_PATTERN, ("vase", pattern, 1, 3)]) == f"a vase has a pattern, got {pattern!r}"

    @pytest.mark.clause("KIN-4")
    @pytest.mark.parametrize("type", ["tray", "box", "gold"])
    def test_a_pattern_on_wood_or_gold(self, type: str) -> None:
        assert refusal([*ONE_PATTERN, (type, "red", 1, 3)]) == f"a {type} has no pattern (None), got 'red'"

    @pytest.mark.clause("KIN-4")
    @pytest.mark.parametrize("value", [-1, 21, 1.5, "1", None, True])
    def test_a_value_out_of_range(self, value: Any) -> None:
        said = refusal([*ONE_PATTERN, ("bowl", "ash", value, 3)])
        assert said == f"the value of a bowl must be from 0 to 20, got {value!r}"

    @pytest.mark.clause("KIN-4")
    @pytest.mark.parametrize("count", [0, -1, 93, 2.0, None, True])
    def test_a_count_out_of_range(self, count: Any) -> None:
        said = refusal([*ONE_PATTERN, ("bowl", "ash", 1, count)])
        assert said == f"the count of a bowl must be from 1 to 92, got {count!r}"

    @pytest.mark.clause("KIN-4")
    @pytest.mark.parametrize("row", [("cup", "red", 1), ("cup", "red", 1, 2, 3), 7, None])
    def test_a_row_of_another_form(self, row: Any) -> None:
        assert refusal([row]) == f"a row of the deck is (type, pattern or None, value, count), got {row!r}"

    @pytest.mark.clause("KIN-4")
    def test_more_cards_than_twice_the_default_deck(self) -> None:
        assert refusal([("cup", "red", 1, 50), ("bowl", "red", 1, 43)]) == "a deck has at most 92 cards, got 93"

    @pytest.mark.clause("KIN-4", "KIN-10")
    @pytest.mark.parametrize(
        ("players", "cards"), [(2, 4), (2, 5), (2, 10), (2, 45), (3, 6), (3, 7), (3, 42), (4, 8), (4, 9), (4, 45)]
    )
    def test_a_size_that_leaves_no_card_on_the_deck_in_some_break_phase(self, players: int, cards: int) -> None:
        said = refusal([("cup", "red", 1, cards)], players=players)
        assert re.match(rf"{cards} cards do not leave one on the deck in every break phase", said)
        assert f"{players} players are dealt {2 * players + 1} a round" in said

    @pytest.mark.clause("KIN-4", "KIN-10")
    @pytest.mark.parametrize(("players", "cards"), [(2, 6), (2, 42), (3, 8), (3, 45), (4, 10), (4, 92)])
    def test_any_other_size_is_accepted(self, players: int, cards: int) -> None:
        told = parlour.batch("kintsugi", seed=1, players=players, deck=[("cup", "red", 1, cards)]).describe()
        assert len(told["draft"]) + len(told["deck"]) == cards


class TestActions:
    @pytest.mark.clause("KIN-50")
    @pytest.mark.parametrize("name", ["kintsugi", "broken_and_beautiful"])
    def test_the_69_ids_of_the_default_deck(self, name: str) -> None:
        words = action_words(parlour.batch(name, seed=1))
        assert words == expected_words(PATTERNS)
        assert len(words) == 69
        assert [words[a] for a in (0, 1, 3, 20, 21, 22)] == [
            *("keep cup blue", "keep cup brown", "keep saucer blue", "keep teapot white", "keep tray", "keep box"),
        ]
        assert [words[a] for a in (23, 46, 47, 67, 68)] == [
            *("sell cup blue", "sell gold", "repair cup blue", "repair teapot white", "pass"),
        ]

    @pytest.mark.clause("KIN-50", "KIN-12")
    @pytest.mark.parametrize("kind", range(23))
    def test_a_keep_id_keeps_its_kind_and_a_sell_id_sells_it(self, kind: int) -> None:
        name = [f"{type} {pattern}" for type in POTTERY for pattern in PATTERNS] + ["tray", "box"]
        kept = table(draft=[name[kind], "gold", "gold"], deck=["gold"], mover=1)
        assert np.flatnonzero(kept.legal[0]).tolist() == [kind, 23 + kind, 46]
        sold = kept.copy()
        kept.step([kind])
        sold.step([23 + kind])
        assert (seat(kept, 1)["unbroken"], seat(kept, 1)["tokens"]) == ([name[kind]], 0)
        assert seat(sold, 1)["unbroken"] == []
        assert seat(sold, 1)["tokens"] > 0

    @pytest.mark.clause("KIN-50", "KIN-14")
    @pytest.mark.parametrize("kind", range(21))
    def test_a_repair_id_repairs_its_kind(self, kind: int) -> None:
        name = [f"{type} {pattern}" for type in POTTERY for pattern in PATTERNS][kind]
        batch = repair_table(collections=[[f"{name}!"]], tokens=[2], deck=["box"])
        assert np.flatnonzero(batch.legal[0]).tolist() == [47 + kind, 68]
        batch.step([47 + kind])
        assert seat(batch, 0)["repaired"] == [name]

    @pytest.mark.clause("KIN-50")
    def test_two_equal_cards_are_one_action(self) -> None:
        batch = table(draft=["cup blue", "cup blue", "cup blue"], deck=["box"], mover=1)
        assert legal(batch) == {"keep cup blue", "sell cup blue"}
        assert batch.legal[0].sum() == 2

    @pytest.mark.clause("KIN-50")
    @pytest.mark.parametrize(
        "patterns", [("red",), ("red", "ash"), ("sea", "red", "ash"), ("sea", "sky", "red", "ash")]
    )
    def test_other_numbers_of_patterns_scale_the_blocks(self, patterns: tuple[str, ...]) -> None:
        p = len(patterns)
        batch = parlour.batch("kintsugi", seed=1, deck=[("bowl", pattern, 1, 11) for pattern in patterns])
        assert [family.count for family in batch.game.actions.families] == [7 * p + 2, 7 * p + 3, 7 * p, 1]
        assert action_words(batch) == expected_words(patterns)

    @pytest.mark.clause("KIN-50")
    def test_four_patterns_play_the_scaled_ids(self) -> None:
        batch = table(custom_deck=FOUR_PATTERNS, draft=["gold", "cup sea", "tray"], deck=["tray"], mover=1)
        words = action_words(batch)
        assert len(words) == 3 * 28 + 6
        assert np.flatnonzero(batch.legal[0]).tolist() == [3, 28, 30 + 3, 30 + 28, 30 + 30]
        batch = repair_table(custom_deck=FOUR_PATTERNS, collections=[["teapot ash!"]], tokens=[5], deck=["tray"])
        assert np.flatnonzero(batch.legal[0]).tolist() == [61 + 6 * 4 + 2, 89]

    @pytest.mark.clause("KIN-50")
    def test_patterns_come_in_the_order_in_which_the_table_names_them(self) -> None:
        batch = parlour.batch("kintsugi", seed=1, deck=[("vase", "red", 2, 3), ("cup", "blue", 1, 8)])
        assert action_words(batch)[:2] == ["keep cup red", "keep cup blue"]

    @pytest.mark.clause("KIN-50")
    @pytest.mark.parametrize("rows", [[("vase", "red", 2, 3), ("cup", "blue", 1, 8)], [("cup", "dark red", 1, 6)]])
    def test_the_config_makes_the_same_game_again(self, rows: Rows) -> None:
        batch = parlour.batch("kintsugi", seed=1, deck=rows)
        again = parlour.Batch.from_bytes(batch.to_bytes())
        assert action_words(again) == action_words(batch)
        assert again.describe() == batch.describe()
