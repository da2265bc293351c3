"""Scores, ties, editions and rewards of Kintsugi and Broken and Beautiful against the rules."""

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.envs.kintsugi.build import final_rewards, mover, points, repair_table

FR, EN = "kintsugi", "broken_and_beautiful"
EXAMPLE_EN = [
    "teapot brown",
    "saucer brown!",
    "bowl brown",
    "bowl blue*",
    "plate brown",
    "plate white*",
    "vase brown*",
    "cup blue",
]
EXAMPLE_FR = [
    *("teapot brown", "saucer brown", "bowl brown", "bowl blue*", "plate brown", "plate white*", "vase brown*"),
    *("cup blue*", "cup white*"),
]
THREE_POINTS_ONE_REPAIRED = ["cup blue*"]
THREE_POINTS_THREE_CARDS = ["cup blue", "cup brown", "cup white"]

both_editions = pytest.mark.parametrize("name", [FR, EN])


def scored(*cases: tuple[list[str], int]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("cards", "expected"), cases, ids=[", ".join(cards) or "none" for cards, _ in cases])


class TestCupsAndSaucers:
    @pytest.mark.clause("KIN-20")
    @scored((["cup blue"], 1), (["cup blue*"], 3), (["cup blue", "cup blue*", "cup white"], 5), (["cup blue!"], 0))
    @both_editions
    def test_a_cup_scores_1_and_a_repaired_cup_3(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-21")
    @scored(
        (["cup blue", "saucer blue"], 2),
        (["cup blue*", "saucer blue"], 6),
        (["cup blue", "saucer blue*"], 3),
        (["cup blue*", "saucer blue*"], 9),
    )
    @both_editions
    def test_a_saucer_doubles_and_a_repaired_one_triples(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-21")
    @scored((["saucer blue"], 0), (["saucer blue*", "saucer white"], 0), (["saucer blue", "plate blue"], 0))
    def test_a_saucer_without_a_cup_scores_nothing(self, cards: list[str], expected: int) -> None:
        assert points(cards) == expected

    @pytest.mark.clause("KIN-21")
    def test_patterns_do_not_matter(self) -> None:
        assert points(["cup blue*", "saucer white*"]) == 9

    @pytest.mark.clause("KIN-21")
    @scored(
        (["cup blue", "saucer blue", "saucer blue"], 2),
        (["cup blue", "cup blue", "saucer blue"], 3),
        (["cup blue", "cup blue", "saucer blue*"], 4),
        (["cup blue*", "saucer blue*", "saucer white*"], 9),
    )
    def test_one_saucer_to_a_cup_and_one_cup_to_a_saucer(self, cards: list[str], expected: int) -> None:
        assert points(cards) == expected

    @pytest.mark.clause("KIN-21")
    @scored(
        (["cup blue", "cup white*", "saucer blue"], 6 + 1),
        (["cup blue", "cup white*", "saucer blue", "saucer white*"], 9 + 2),
        (["cup blue", "saucer blue", "saucer white*"], 3),
        (["cup blue*", "cup white*", "cup brown", "saucer blue*", "saucer white", "saucer brown"], 9 + 6 + 2),
    )
    def test_the_best_cup_gets_the_best_saucer(self, cards: list[str], expected: int) -> None:
        assert points(cards) == expected

    @pytest.mark.clause("KIN-21")
    @scored((["cup blue", "saucer blue!"], 1), (["cup blue!", "saucer blue"], 0))
    def test_broken_cups_and_saucers_do_not_pair(self, cards: list[str], expected: int) -> None:
        assert points(cards) == expected


class TestPlatesAndBowls:
    @pytest.mark.clause("KIN-22")
    @scored((["plate blue"], 0), (["plate blue"] * 2, 6), (["plate blue", "plate white", "plate brown"], 6),
            (["plate blue"] * 4, 12), (["plate blue", "plate white!"], 0))  # fmt: skip
    @both_editions
    def test_every_pair_of_plates_scores_6(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-22")
    @scored(
        (["plate blue*"], 2), (["plate blue*", "plate white"], 8), (["plate blue*"] * 2, 10), (["plate blue*"] * 3, 12)
    )
    @both_editions
    def test_each_repaired_plate_scores_2_more(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-23")
    @scored((["bowl blue"], 1), (["bowl blue", "bowl white"], 4), (["bowl blue"] * 2 + ["bowl white"] * 2, 16),
            (["bowl blue", "bowl blue!"], 1))  # fmt: skip
    @both_editions
    def test_bowls_score_their_square(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-23")
    @scored((["bowl blue*"], 2), (["bowl blue*", "bowl white*", "bowl brown"], 11))
    @both_editions
    def test_each_repaired_bowl_scores_1_more(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected


class TestTeaJars:
    @pytest.mark.clause("KIN-24")
    @pytest.mark.parametrize(
        ("own", "other", "expected"),
        [
            (["tea jar blue"], [], 6),
            (["tea jar blue"] * 2, ["tea jar white"], 6),
            (["tea jar blue"], ["tea jar white", "tea jar brown"], 0),
            (["tea jar blue", "tea jar brown"], ["tea jar white", "tea jar white!"], 6),
            (["tea jar blue"], ["tea jar white", "tea jar white!"], 6),
            (["tea jar blue", "tea jar brown!"], ["tea jar white", "tea jar white*"], 0),
            ([], [], 0),
            (["tea jar blue!"], [], 0),
        ],
    )
    @both_editions
    def test_the_most_tea_jars_score_6(self, name: str, own: list[str], other: list[str], expected: int) -> None:
        assert points(own, other, name=name) == expected

    @pytest.mark.clause("KIN-24")
    def test_everyone_level_at_the_top_scores_6(self) -> None:
        batch = repair_table(
            players=4,
            collections=[["tea jar blue"], ["tea jar blue"] * 2, ["tea jar white", "tea jar brown"], []],
        )
        assert batch.scores()[0].tolist() == [0, 6, 6, 0]

    @pytest.mark.clause("KIN-24")
    @pytest.mark.parametrize(
        ("own", "other", "expected"),
        [
            (["tea jar blue*"], [], 7),
            (["tea jar blue*"] * 2, ["tea jar white"] * 3, 2),
            (["tea jar blue*"], ["tea jar white"], 7),
        ],
    )
    @both_editions
    def test_a_repaired_jar_scores_1_more_with_the_majority_or_without(
        self, name: str, own: list[str], other: list[str], expected: int
    ) -> None:
        assert points(own, other, name=name) == expected


class TestVases:
    @pytest.mark.clause("KIN-25")
    @scored((["vase blue"], 1), (["vase blue", "vase white"], 5), (["vase blue", "vase white", "vase brown"], 15),
            (["vase blue", "vase white!", "vase brown"], 5))  # fmt: skip
    @both_editions
    def test_vases_score_1_5_and_15(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-25", "KIN-40")
    @pytest.mark.parametrize(("name", "more"), [(FR, 2), (EN, 1)])
    def test_a_repaired_vase_scores_2_more_in_french_and_1_in_english(self, name: str, more: int) -> None:
        assert points(["vase blue*"], name=name) == 1 + more
        assert points(["vase blue*", "vase white*", "vase brown"], name=name) == 15 + 2 * more

    @pytest.mark.clause("KIN-25")
    @pytest.mark.parametrize(("vases", "expected"), [(4, 16), (5, 20), (6, 30), (7, 31)])
    def test_more_than_three_vases_score_by_sets_of_three(self, vases: int, expected: int) -> None:
        assert points(["vase red"] * vases, custom_deck=[("vase", "red", 2, 8)]) == expected


class TestTeapots:
    @pytest.mark.clause("KIN-26")
    @scored(
        (["teapot brown"], 1),
        (["teapot brown", "saucer brown"], 2),
        (["teapot brown", "saucer blue"], 1),
        (["teapot brown", "saucer brown!"], 1),
        (["teapot brown", "saucer brown*", "saucer brown"], 3),
        (["teapot brown", "teapot brown"], 4),
        (["teapot brown", "teapot blue"], 2),
        (["teapot brown", "teapot brown!"], 1),
        (["teapot brown!", "saucer brown"], 0),
    )
    @both_editions
    def test_a_teapot_scores_the_cards_of_its_pattern(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-26")
    @pytest.mark.parametrize("type", ["cup", "saucer", "plate", "bowl", "tea jar", "vase", "teapot"])
    def test_every_type_of_pottery_counts_for_a_teapot(self, type: str) -> None:
        alone = points([f"{type} white"])
        assert points([f"{type} white", "teapot white"]) == alone + (3 if type == "teapot" else 2)

    @pytest.mark.clause("KIN-26")
    @scored((["teapot brown*"], 2), (["teapot brown*", "saucer brown"], 4), (["teapot brown*", "teapot brown"], 6),
            (["teapot brown*", "teapot brown*", "saucer brown"], 12))  # fmt: skip
    @both_editions
    def test_a_repaired_teapot_scores_twice(self, name: str, cards: list[str], expected: int) -> None:
        assert points(cards, name=name) == expected

    @pytest.mark.clause("KIN-26")
    def test_wood_has_no_pattern_to_count(self) -> None:
        assert points(["teapot white", "tray", "box"]) == 1 + 2

    @pytest.mark.clause("KIN-26")
    def test_only_the_own_collection_counts(self) -> None:
        assert points(["teapot white"], ["saucer white", "plate white"]) == 1


class TestWood:
    @pytest.mark.clause("KIN-27")
    @both_editions
    def test_a_tray_scores_2(self, name: str) -> None:
        assert points(["tray"], name=name, tokens=9) == 2
        assert points(["tray", "tray"], name=name) == 4

    @pytest.mark.clause("KIN-27")
    @pytest.mark.parametrize(("tokens", "expected"), [(0, 0), (3, 3), (4, 4), (5, 4), (18, 4)])
    @both_editions
    def test_a_box_scores_the_tokens_but_no_more_than_4(self, name: str, tokens: int, expected: int) -> None:
        assert points(["box"], name=name, tokens=tokens) == expected

    @pytest.mark.clause("KIN-27")
    def test_two_boxes_count_the_same_tokens(self) -> None:
        assert points(["box", "box"], tokens=3) == 6

    @pytest.mark.clause("KIN-27")
    def test_tokens_alone_score_nothing(self) -> None:
        assert points([], tokens=9) == 0


class TestWorkedExamples:
    @pytest.mark.clause("KIN-30", "KIN-20", "KIN-22", "KIN-23", "KIN-25", "KIN-26")
    @pytest.mark.parametrize(("name", "expected"), [(EN, 20), (FR, 21)])
    def test_the_english_example(self, name: str, expected: int) -> None:
        assert points(EXAMPLE_EN, name=name) == expected

    @pytest.mark.clause("KIN-31", "KIN-21")
    @pytest.mark.parametrize(("name", "expected"), [(FR, 30), (EN, 29)])
    def test_the_french_example(self, name: str, expected: int) -> None:
        assert points(EXAMPLE_FR, name=name) == expected


class TestWinning:
    @pytest.mark.clause("KIN-28")
    @both_editions
    def test_the_most_points_win(self, name: str) -> None:
        assert final_rewards(["tray"], ["cup blue", "cup blue", "cup blue"], name=name) == [-1, 1]
        assert final_rewards(["tray", "tray"], ["cup blue*"], name=name) == [1, -1]

    @pytest.mark.clause("KIN-28")
    @both_editions
    def test_level_on_points_the_most_repaired_cards_win(self, name: str) -> None:
        assert final_rewards(THREE_POINTS_THREE_CARDS, THREE_POINTS_ONE_REPAIRED, name=name) == [-1, 1]

    @pytest.mark.clause("KIN-28", "KIN-40")
    @pytest.mark.parametrize(("name", "expected"), [(EN, [-1, 1]), (FR, [0, 0])])
    @pytest.mark.parametrize(
        ("fewer", "more"),
        [
            (["tray"], ["cup blue", "cup white"]),
            (["cup blue"], ["cup blue", "bowl white!"]),
            (["tray"], ["tray", "box"]),
            (["cup blue", "cup white"], ["tray", "box", "saucer white"]),
            (["cup blue*", "vase blue!"], ["cup blue*", "vase blue!", "vase white!"]),
        ],
    )
    def test_then_in_english_alone_the_most_cards_win(
        self, name: str, expected: list[float], fewer: list[str], more: list[str]
    ) -> None:
        assert final_rewards(fewer, more, name=name) == expected

    @pytest.mark.clause("KIN-28")
    @both_editions
    def test_players_still_level_share_the_win(self, name: str) -> None:
        assert final_rewards(["cup blue"], ["cup white"], name=name) == [0, 0]

    @pytest.mark.clause("KIN-28")
    def test_only_players_level_on_points_come_to_the_tie_break(self) -> None:
        assert final_rewards(["tray", "tray"], ["cup blue*"], ["tray", "cup blue", "cup white"]) == [0.25, -0.5, 0.25]


class TestEditions:
    @pytest.mark.clause("KIN-40")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_apart_from_the_four_points_they_play_alike(self, players: int) -> None:
        """With tokens for all and nobody passing of their own will, only the scores of repaired vases differ."""
        options: dict[str, Any] = {"size": 20, "seed": 7, "players": players, "unlimited_supply": True}
        french, english = parlour.batch(FR, **options), parlour.batch(EN, **options)
        while (french.current_player >= 0).any():
            assert (french.current_player == english.current_player).all()
            assert (french.legal == english.legal).all()
            for row in range(20):
                assert common(french, row) == common(english, row)
            actions = eager(french)
            french.step(actions)
            english.step(actions)
        assert (english.current_player < 0).all()


def eager(batch: Batch) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Random actions, but a pass only when there is nothing else."""
    actions = batch.sample_legal()
    passing = actions == batch.game.num_actions - 1
    actions[passing] = batch.legal[passing].argmax(axis=1)
    return actions


def common(batch: Batch, row: int) -> dict[str, Any]:
    """The state without who has passed, and with the scores as if no vase were repaired."""
    told = batch.describe(row)
    more = 2 if batch.game.name == FR else 1
    for number, zone in enumerate(told["seats"]):
        del zone["passed"]
        told["scores"][number] -= more * sum(card.startswith("vase") for card in zone["repaired"])
    return told


class TestRewards:
    @pytest.mark.clause("KIN-28")
    @pytest.mark.parametrize(
        ("winners", "players", "expected"),
        [
            (1, 2, [1, -1]),
            (2, 2, [0, 0]),
            (1, 3, [1, -1 / 2, -1 / 2]),
            (2, 3, [1 / 4, 1 / 4, -1 / 2]),
            (3, 3, [0, 0, 0]),
            (1, 4, [1, -1 / 3, -1 / 3, -1 / 3]),
            (2, 4, [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
            (3, 4, [1 / 9, 1 / 9, 1 / 9, -1 / 3]),
            (4, 4, [0, 0, 0, 0]),
        ],
    )
    @both_editions
    def test_the_outcome_is_shared_by_the_winners(
        self, name: str, winners: int, players: int, expected: list[float]
    ) -> None:
        collections = [["cup blue"]] * winners + [[]] * (players - winners)
        assert final_rewards(*collections, name=name) == pytest.approx(expected)

    @pytest.mark.clause("KIN-28")
    @pytest.mark.parametrize(
        ("scores", "expected"),
        [
            ([3, 1], [2 / 20, -2 / 20]),
            ([2, 2], [0, 0]),
            ([4, 1, 0], [3.5 / 20, -1 / 20, -2.5 / 20]),
            ([2, 2, 2], [0, 0, 0]),
            ([6, 3, 0, 0], [5 / 20, 1 / 20, -3 / 20, -3 / 20]),
        ],
    )
    @both_editions
    def test_the_margin_is_own_score_minus_the_mean_of_the_others(
        self, name: str, scores: list[int], expected: list[float]
    ) -> None:
        collections = [["cup blue"] * score for score in scores]
        assert final_rewards(*collections, name=name, reward="margin") == pytest.approx(expected)

    @pytest.mark.clause("KIN-28")
    @both_editions
    def test_tie_breaks_play_no_part_in_the_margin(self, name: str) -> None:
        assert final_rewards(THREE_POINTS_THREE_CARDS, THREE_POINTS_ONE_REPAIRED, name=name, reward="margin") == [0, 0]

    @pytest.mark.parametrize("reward", ["outcome", "margin"])
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_rewards_are_zero_until_the_end_and_add_up_to_zero(self, players: int, reward: str) -> None:
        batch = parlour.batch(FR, seed=3, players=players, reward=reward)
        while mover(batch) >= 0:
            rewards, terminated, truncated = batch.step(batch.sample_legal())
            assert bool(terminated[0]) == (mover(batch) < 0)
            assert terminated[0] or not rewards.any()
            assert rewards.sum() == pytest.approx(0, abs=1e-6)
            assert not truncated[0]
        assert rewards.any()
