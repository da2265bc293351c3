"""Redeals of Kitsu: always possible, and as likely as the courses of the deal make them."""

import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.envs.core.batch import Batch
from parlour.envs.kitsu.components import TOKENS
from tests.envs.kitsu.build import action_in, dealt, play, told
from tests.envs.kitsu.enumeration import Deal, played_again, positions, possible_deals, sampled_deals
from tests.envs.kitsu.test_lockstep import demander, reference, wizard
from tests.lockstep import Policy, anything
from tests.reference.kitsu import COLOURS, UNSEEN, clan_of, colour_of

any_number = pytest.mark.parametrize("players", [2, 4, 6])
COMMON = {"loot", "loot played again?", "void", "hidden"}
REACHED = {2: COMMON, 4: COMMON | {"gift played?"}, 6: COMMON | {"gift played?"}}


def most_deals(knows: dict[str, Any]) -> int:
    """At most so many deals fit."""
    sizes = [size for seat, size in enumerate(knows["hand_sizes"]) if seat != knows["seat"]]
    elsewhere = knows["pile_size"] + sum(knows["chosen"]) + sum(card["card"] == UNSEEN for card in knows["trick"])
    many = math.factorial(sum(sizes) + elsewhere) // math.factorial(elsewhere)
    return many // math.prod(map(math.factorial, sizes)) * len(set((knows["recovered"] or {}).get("from", "?")))


def features(knows: dict[str, Any]) -> frozenset[str]:
    """What makes a position hard to redeal."""
    players = len(knows["hand_sizes"])
    size = 6 if players == 6 else 4
    recovered = knows["recovered"] or {"seat": -1, "from": []}
    plays: list[tuple[int, str]] = []
    found: set[str] = set()
    looted = False
    for kind, who, what in knows["history"]:
        looted |= kind == "recover" and what == UNSEEN
        if kind == "play":
            asked = COLOURS[clan_of(plays[-1][0])] if len(plays) % size and plays[-1][1] == "black" else None
            if asked and who != knows["seat"] and what[0] != UNSEEN and colour_of(what[0]) != asked:
                found.add("void")
            if looted and who == recovered["seat"] and what[0] in recovered["from"]:
                found.add("loot played again?")
            if (who, what[0]) == ((knows["seat"] + 2) % players, knows["given"]):
                found.add("gift played?")
            plays.append((who, what[0]))
    found |= {"loot"} if looted else set()
    found |= {"hidden"} if any(card["card"] == UNSEEN for card in knows["trick"]) else set()
    return frozenset(found)


def surprise(expected: Counter[Deal], found: Counter[Deal]) -> float:
    """How far a sample is from what was expected: about 0 on average, with a standard deviation of 1."""
    samples, total = found.total(), expected.total()
    rest, cells = [0.0, 0.0], []
    for deal, ways in expected.items():
        mean = samples * ways / total
        if mean >= 5:
            cells.append((mean, found[deal]))
        else:
            rest = [rest[0] + mean, rest[1] + found[deal]]
    cells += [(rest[0], int(rest[1]))] if rest[0] >= 5 else []
    chi_square = sum((seen - mean) ** 2 / mean for mean, seen in cells)
    freedom = max(len(cells) - 1, 1)
    return (chi_square - freedom) / math.sqrt(2 * freedom)


def compare(players: int, policy: Policy, seed: int, games: int, each: int, samples: int, most: int) -> set[str]:
    """Compare redeals with the enumeration in positions with many features; returns all features there were."""
    tried: Counter[frozenset[str]] = Counter()
    surprises: list[float] = []
    for position in positions(players, policy, seed, games, track_length=40):
        for seat in range(players):
            knows = position.game.knows(seat)
            kind = features(knows)
            if kind and tried[kind] < each and 4 <= most_deals(knows) <= most:
                tried[kind] += 1
                expected = possible_deals(knows)
                found = sampled_deals(position.batch, seat, samples, seed=len(surprises))
                assert set(found) <= set(expected), kind
                surprises.append(surprise(expected, found))
    assert max(surprises) < 6, max(surprises)
    assert abs(sum(surprises) / len(surprises)) < 4 / math.sqrt(len(surprises))
    return set().union(*tried)


@pytest.mark.clause("KIT-45")
@any_number
def test_redeals_are_as_likely_as_their_courses(players: int) -> None:
    reached = compare(players, wizard, seed=7, games=8, each=1, samples=2000, most=400)
    reached |= compare(players, demander, seed=8, games=8, each=1, samples=2000, most=400)
    assert reached == REACHED[players]


@pytest.mark.slow
@pytest.mark.parametrize("policy", [anything, wizard, demander])
@any_number
def test_redeals_are_as_likely_as_their_courses_in_many_positions(players: int, policy: Policy) -> None:
    compare(players, policy, seed=9, games=60, each=12, samples=5000, most=1500)


@any_number
def test_a_redealt_game_could_have_been_played(players: int) -> None:
    """Going through the deal again with the cards of a redeal is legal and shows the seat the same."""
    replay(players, wizard, seed=3, games=2, every=5)
    replay(players, demander, seed=4, games=2, every=5)


@pytest.mark.slow
@pytest.mark.parametrize("policy", [anything, wizard, demander])
@any_number
def test_many_redealt_games_could_have_been_played(players: int, policy: Policy) -> None:
    replay(players, policy, seed=5, games=20, every=1)


def replay(players: int, policy: Policy, seed: int, games: int, every: int) -> None:
    rng = random.Random(seed)
    for step, position in enumerate(positions(players, policy, seed, games, track_length=40)):
        for seat in range(players) if step % every == 0 else ():
            twin = position.batch.determinize(seat, seed=step)
            game = played_again(position, seat, twin, rng)
            assert game.knows(seat) == position.game.knows(seat)
            assert game.describe() == twin.describe()


def blue_shares(deals: Counter[Deal]) -> dict[int, float]:
    """How often player 1 has so many blue cards."""
    counts: Counter[int] = Counter()
    for deal, times in deals.items():
        counts[sum(card.startswith("blue") for card in deal.hands[1])] += times
    return {blue: times / counts.total() for blue, times in counts.items()}


class TestSmallCases:
    """Cases whose odds can be worked out by hand."""

    HANDS = (
        ["blue 1", "blue 2", "blue 3", "orange 1", "black", "white"],
        ["blue 1", "blue 2", "blue 4", "orange 1", "orange 2", "black"],
        ["blue 1", "orange 3", "blue 5", "orange 1", "orange 4", "white"],
        ["katana", "orange 5", "blue 6", "orange 2", "orange 6", "katana"],
    )

    def redealt(self, batch: Batch, times: int = 400) -> list[dict[str, Any]]:
        twins = batch.determinize(0, rows=np.zeros(times, int), seed=6)
        return [twins.describe(row) for row in range(times)]

    @pytest.mark.clause("KIT-13")
    def test_during_the_exchange_all_but_the_own_cards_may_lie_anywhere(self) -> None:
        batch = dealt(*self.HANDS)
        play(batch, "white", "black")
        unknown = [card for hand in self.HANDS[1:] for card in hand]
        asides: Counter[str] = Counter()
        for state in self.redealt(batch, 1800):
            assert state["hands"][0] == told(batch, "hands")[0]
            assert state["aside"][0] == "white"
            assert [len(hand) for hand in state["hands"]] == [5, 5, 6, 6]
            asides[state["aside"][1]] += 1
        for card, copies in Counter(unknown).items():
            assert asides[card] == pytest.approx(100 * copies, abs=50)  # of 18 cards, 1800 times

    @pytest.mark.clause("KIT-13")
    def test_the_gift_stays_with_the_partner_until_such_a_card_is_played(self) -> None:
        batch = dealt(*self.HANDS)
        play(batch, "blue 1", "black", "white", "katana")
        kept = [state["hands"][2].count("blue 1") for state in self.redealt(batch)]
        assert min(kept) == 1
        play(batch, "white", "orange 1", "blue 1", "orange 2")
        kept = [state["hands"][2].count("blue 1") for state in self.redealt(batch)]
        assert min(kept) == 0
        assert max(kept) == 2  # the one played may not have been the gift

    @pytest.mark.clause("KIT-13")
    def test_what_others_gave_each_other_is_any_card_the_receiver_had(self) -> None:
        batch = dealt(*self.HANDS)
        play(batch, "blue 1", "black", "white", "katana", "white", "orange 1")
        received = 0.0
        for state in self.redealt(batch, 1200):
            had = [*state["hands"][1], "orange 1"]
            assert state["received"][1] == state["given"][3]
            assert state["received"][1] in had
            received += 6 / had.count("orange 1") if state["received"][1] == "orange 1" else 0
        assert received == pytest.approx(1200, abs=300)

    @pytest.mark.clause("KIT-17", "KIT-23")
    def test_a_colour_shown_to_be_absent_can_be_only_among_cards_drawn_since(self) -> None:
        theirs = ["white", "katana", "orange 1", "orange 2", "orange 3", "orange 4"]
        batch = dealt(["black", "blue 1"], theirs, players=2)
        play(batch, "black", "white", "blue 1", "katana", "destroy card 3 of the trick")
        assert [len(hand) for hand in told(batch, "hands")] == [6, 6]
        unseen = [card for card in told(batch, "hands")[1] + told(batch, "pile") if card.startswith("blue")]
        drawn = [sum(card.startswith("blue") for card in s["hands"][1]) for s in self.redealt(batch, 2000)]
        assert max(drawn) == 2
        assert np.mean(drawn) == pytest.approx(2 * len(unseen) / 10, abs=0.06)  # four of 14 unseen cards are not blue

    @pytest.mark.clause("KIT-17", "KIT-23")
    def test_a_card_played_later_may_be_an_old_or_a_new_one(self) -> None:
        ours = ["black", "black", "white", "katana", "orange 6", "orange 5"]
        theirs = ["white", "katana", "orange 1", "orange 2", "orange 3", "orange 4"]
        batch = dealt(ours, theirs, players=2, pile=["orange 1", "orange 1", "blue 6", "blue 5"])
        game = reference(batch, 0)
        for words in ("black", "white", "white", "katana", "orange 1", "orange 1", "orange 2", "orange 1"):
            number = action_in(batch, words)
            batch.step([number])
            game.apply(number)
        expected, found = possible_deals(game.knows(0)), sampled_deals(batch, 0, 8000, seed=1)
        assert blue_shares(found) == pytest.approx(blue_shares(expected), abs=0.02)

    @pytest.mark.clause("KIT-23", "KIT-32")
    def test_a_hidden_card_meets_the_demand_or_the_hand_has_none_of_the_colour(self) -> None:
        batch = dealt(*self.HANDS)
        play(batch, "blue 1", "black", "blue 5", "katana")
        batch._states[0].held[1] = TOKENS.index("HIDE")
        play(batch, "black", "blue 4 with HIDE")
        kinds: Counter[str] = Counter()
        for state in self.redealt(batch, 1500):
            card = state["trick"][1]["card"]
            assert card not in ("black", "katana")
            if not card.startswith("blue"):
                assert not any(other.startswith("blue") for other in state["hands"][1])
            kinds[card.split()[0]] += 1
        assert set(kinds) == {"blue", "orange", "white"}
        # 17 cards are unseen, 5 of them blue, 8 orange, 1 white; a hand of 5 more has no blue one in so many cases:
        without = math.comb(11, 5) / math.comb(16, 5)
        assert kinds["blue"] / 1500 == pytest.approx(5 / (5 + 9 * without), abs=0.04)


def test_a_finished_game_is_left_as_it_is() -> None:
    batch = parlour.batch("kitsu", seed=3, track_length=3)
    while (batch.current_player >= 0).any():
        batch.step(batch.sample_legal())
    assert batch.determinize(0, seed=1).describe() == batch.describe()


def test_redeals_follow_from_the_seed_alone() -> None:
    batch = parlour.batch("kitsu", size=64, seed=3)
    for _ in range(20):
        batch.step(batch.sample_legal())
    again = [batch.determinize(0, seed=seed).reveal(0) for seed in (1, 1, 2)]
    assert np.array_equal(again[0], again[1])
    assert not np.array_equal(again[0], again[2])
