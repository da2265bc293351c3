"""Klink's kernels against the independent implementation in `tests/reference/klink.py`."""

import random
from collections import Counter
from typing import Any

import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.lockstep import Policy, Reference, anything, play_in_lockstep
from tests.reference.klink import Klink

KEEP, DRAW_ALL = 2, 9
FEW_VALUES = {-5: 12, 0: 14, 1: 14, 2: 14, 3: 14, 20: 12}
BELOW_ZERO = {-5: 16, -4: 16, -3: 16, -2: 16, -1: 16}
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "margin to 100": {"reward": "margin", "target": 100, "first_player": 1},
    "few values": {"numbers": FEW_VALUES, "abilities": {"SWAP": 2, "DRAW_ALL": 2, "HIGH_LOW": 1}},
    "swaps alone": {"numbers": FEW_VALUES, "abilities": {"SWAP": 3}, "reward": "margin"},
}


def reference(batch: Batch, row: int) -> Reference:
    """The same game, dealt whatever the kernels have dealt by the time it asks."""
    config = dict(batch.game.config)
    config.pop("first_player")
    config["numbers"], config["abilities"] = dict(config["numbers"]), dict(config["abilities"])
    abilities = sum(config["abilities"].values())

    def chance(purpose: str, options: list[Any]) -> Any:
        now = batch.describe(row)
        if purpose == "starter":
            return now["turn_player"]
        if purpose == "numbers":
            return now["drawn"] + now["number_deck"]
        if len(options) == abilities:
            return now["visible"] + now["ability_deck"]
        return reshuffled(options, now["ability_deck"])

    return Klink(chance=chance, **config)


def reshuffled(discard: list[str], deck: list[str]) -> list[str]:
    """The order in which the discard became this deck: the card that is not in it any more was on top.

    When the round has ended since, the deck is another one and the order of the discard does not matter.
    """
    gone = Counter(discard) - Counter(deck)
    return [*gone.elements(), *deck] if len(deck) + 1 == len(discard) and gone.total() == 1 else discard


def hog(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Keeps nearly everything: one full collection and empty ones, so abilities without effect, and shared wins."""
    return KEEP if KEEP in legal and rng.random() < 0.95 else rng.choice(legal)


def triad_maker(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Knows the cards, gives them to whoever they make a triad for, else to whoever has least: many abilities."""
    now = reference.describe()
    if now["phase"] == "ability":
        return max(legal, key=lambda action: action != DRAW_ALL)
    if now["phase"] != "keep or pass" or rng.random() < 0.02:
        return rng.choice(legal)
    receivers = {action: (now["player"] + action - KEEP) % len(now["scores"]) for action in legal}
    liked = [a for a in legal if _makes_triad(now["face_up"][receivers[a]], now["drawn"])]
    return min(liked or legal, key=lambda a: len(now["face_up"][receivers[a]] + now["face_down"][receivers[a]]))


def _makes_triad(face_up: list[int], new: list[int]) -> bool:
    cards = {*face_up, *new} - ({*face_up} & {*new})
    return any({v - i, v - i + 1, v - i + 2} <= cards for v in new for i in range(3))


policies = pytest.mark.parametrize("policy", [anything, hog, triad_maker])
any_number = pytest.mark.parametrize("players", [2, 3, 4, 5, 6])


@policies
@pytest.mark.parametrize("options", OPTIONS.values(), ids=list(OPTIONS))
@any_number
def test_kernels_and_reference_agree(players: int, options: dict[str, Any], policy: Policy) -> None:
    batch = parlour.batch("klink", size=6, seed=5, players=players, **options)
    assert play_in_lockstep(batch, reference, policy, every=5) > 20


@any_number
def test_they_agree_on_games_that_are_truncated(players: int) -> None:
    batch = parlour.batch("klink", size=1, seed=5, players=players, numbers=BELOW_ZERO)
    play_in_lockstep(batch, reference, every=20)
    assert batch._states["truncated"].all()
    assert batch.describe()["round"] == 50


@pytest.mark.slow
@policies
@any_number
def test_kernels_and_reference_agree_over_thousands_of_games(players: int, policy: Policy) -> None:
    play_in_lockstep(parlour.batch("klink", size=1500, seed=11, players=players), reference, policy, seed=1, every=29)


@pytest.mark.slow
@policies
@pytest.mark.parametrize("options", [OPTIONS["few values"], OPTIONS["swaps alone"]], ids=["few values", "swaps alone"])
@any_number
def test_they_agree_over_hundreds_of_games_with_other_cards(
    players: int, options: dict[str, Any], policy: Policy
) -> None:
    batch = parlour.batch("klink", size=300, seed=12, players=players, **options)
    play_in_lockstep(batch, reference, policy, seed=2, every=29)


class Sights:
    """Counts the rare states that a reference passes through."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.before: dict[int, dict[str, Any]] = {}

    def watch(self, game: Reference) -> None:
        now, before = game.describe(), self.before.get(id(game))
        self.before[id(game)] = now
        self.seen["forced keep"] += now["phase"] == "ability" and now["looked"][now["holder"]] is None
        self.seen["negative total"] += min(now["scores"]) < 0
        if before is not None and before["round"] == now["round"]:
            self.compare(before, now)
        if now["phase"] == "over":
            tied = now["scores"].count(min(now["scores"])) > 1
            self.seen["win shared"] += tied
            self.seen["truncated"] += max(now["scores"]) < 77

    def compare(self, before: dict[str, Any], now: dict[str, Any]) -> None:
        """One action within a round."""
        used = before["phase"] == "ability" and now["phase"] in ("look", "over")
        nothing_moved = before["face_up"] == now["face_up"]
        self.seen["ability without effect"] += used and nothing_moved
        self.seen["ability reshuffle"] += len(now["ability_deck"]) > len(before["ability_deck"])
        down = [len(cards) for cards in before["face_down"]], [len(cards) for cards in now["face_down"]]
        swapped = before["phase"] in ("swap their", "high low player")
        self.seen["pair by exchange"] += swapped and down[0] != down[1]
        self.seen["equal values exchanged"] += swapped and nothing_moved


def test_the_policies_reach_the_rare_states() -> None:
    sights = Sights()
    for policy, players, options in (
        (triad_maker, 6, {}),
        (hog, 4, {"abilities": {"SWAP": 4, "HIGH_LOW": 4}}),
        (triad_maker, 3, {"numbers": FEW_VALUES, "abilities": {"SWAP": 2, "HIGH_LOW": 2}}),
        (anything, 2, {"numbers": BELOW_ZERO}),
    ):
        batch = parlour.batch("klink", size=30 if players > 2 else 1, seed=3, players=players, **options)
        play_in_lockstep(batch, reference, policy, every=50, watch=sights.watch)
    wanted = (
        "forced keep", "negative total", "win shared", "truncated", "ability without effect", "ability reshuffle",
        "pair by exchange", "equal values exchanged",
    )  # fmt: skip
    assert {sight: sights.seen[sight] for sight in wanted if not sights.seen[sight]} == {}


def test_the_default_cards_are_reshuffled_too() -> None:
    sights = Sights()
    batch = parlour.batch("klink", size=60, seed=9, players=6)
    play_in_lockstep(batch, reference, triad_maker, every=50, watch=sights.watch)
    assert sights.seen["ability reshuffle"] > 0
