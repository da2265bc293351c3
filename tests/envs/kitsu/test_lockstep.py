"""Kitsu's kernels against the independent implementation in `tests/reference/kitsu.py`."""

import random
from collections import Counter
from typing import Any

import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.lockstep import Policy, Reference, anything, play_in_lockstep
from tests.reference.kitsu import Kitsu

OPTIONS: list[dict[str, Any]] = [{}, {"reward": "margin", "track_length": 5}, {"track_length": 40, "first_player": 1}]
NAMES = ["default", "short, margin", "long"]
LIKED_TOKENS = ("HIDE", "RECOVER", "PLUS3")
any_number = pytest.mark.parametrize("players", [2, 4, 6])


def reference(batch: Batch, row: int) -> Kitsu:
    """The reference whose leaders and deals are those of a row, which is always stepped before its reference is."""

    def chance(purpose: str, options: list[Any]) -> Any:
        told = batch.describe(row)
        if purpose == "leader":
            return told["leader"]
        return [card for hand in told["hands"] for card in hand] + told["pile"]

    config = {name: batch.game.config[name] for name in ("players", "track_length", "reward")}
    return Kitsu(**config, chance=chance)


def wizard(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Uses every token at once, and takes those that hide and recover cards before others."""
    told = {a: reference.action_meaning(a) for a in legal}  # type: ignore[attr-defined]
    liked = [a for a, (verb, *what) in told.items() if (verb == "play" and what[1]) or what[0] in LIKED_TOKENS]
    return rng.choice(liked if liked and rng.random() < 0.9 else legal)


def demander(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Plays a Black Kitsune when it can, else gets rid of the colour it has least of: many demands are not met."""
    told = {a: reference.action_meaning(a) for a in legal}  # type: ignore[attr-defined]
    black = [a for a, (verb, *what) in told.items() if verb == "play" and what[0] == "black"]
    recover = [a for a, (verb, *what) in told.items() if what[0] == "RECOVER" or what[-1] == "RECOVER"]
    colour = [a for a, (verb, *what) in told.items() if verb == "play" and what[0].startswith("blue")]
    for liked in (recover, black, colour):
        if liked and rng.random() < 0.8:
            return rng.choice(liked)
    return rng.choice(legal)


@pytest.mark.parametrize("policy", [anything, wizard, demander])
@pytest.mark.parametrize("options", OPTIONS, ids=NAMES)
@any_number
def test_kernels_and_reference_agree(players: int, options: dict[str, Any], policy: Policy) -> None:
    batch = parlour.batch("kitsu", size=10, seed=5, players=players, **options)
    assert play_in_lockstep(batch, reference, policy, every=5) > 4 * players


@pytest.mark.slow
@pytest.mark.parametrize("policy", [anything, wizard, demander])
@any_number
def test_kernels_and_reference_agree_over_thousands_of_games(players: int, policy: Policy) -> None:
    play_in_lockstep(parlour.batch("kitsu", size=1500, seed=11, players=players), reference, policy, seed=1, every=29)


@pytest.mark.clause("KIT-46")
@any_number
def test_they_agree_on_games_cut_short_in_any_phase(players: int) -> None:
    cut: Counter[str] = Counter()
    phases: dict[int, str] = {}

    def watch(game: Reference) -> None:
        told = game.describe()
        if told["truncated"]:
            cut[phases.get(id(game), "first decision")] += 1
        phases[id(game)] = told["phase"]

    def nearly_over(batch: Batch, row: int) -> Kitsu:
        made = reference(batch, row)
        made.decisions = int(batch._states[row].decisions)
        return made

    batch = parlour.batch("kitsu", size=60, seed=6, players=players, track_length=60)
    batch._states["decisions"] = [1999 - row for row in range(60)]
    play_in_lockstep(batch, nearly_over, wizard, every=50, watch=watch)
    assert sum(cut.values()) == 60
    assert {"play", "take token"} <= set(cut)
    assert players == 2 or "exchange" in cut


@any_number
def test_the_policies_reach_the_rare_states(players: int) -> None:
    seen: Counter[str] = Counter()
    before: dict[int, dict[str, Any]] = {}

    def watch(game: Reference) -> None:
        now, was = game.describe(), before.get(id(game))
        before[id(game)] = now
        seen["void"] += any(now["voids"])
        seen["katana and recover"] += now["phase"] == "recover" and now["trick"][-1]["card"] == "katana"
        seen["black and recover"] += now["phase"] == "recover" and now["trick"][-1]["card"] == "black"
        seen["hidden under a demand"] += any(
            card["hidden"] and now["trick"][i - 1]["card"] == "black" for i, card in enumerate(now["trick"]) if i
        )
        seen["two toggles"] += now["toggles"] >= 2
        seen["token in every clan"] += sum(token is not None for token in now["tokens"]) == 2
        seen["pool of one"] += now["phase"] == "take token" and len(now["pool"]) == 1
        seen["third round"] += now["rounds_won"] == [1, 1]
        if was:
            seen["card left over at a redeal"] += now["tricks"] == 0 < was["tricks"] and any(was["hands"][1:])

    for policy in (anything, wizard, demander):
        batch = parlour.batch("kitsu", size=60, seed=3, players=players, track_length=25)
        play_in_lockstep(batch, reference, policy, every=200, watch=watch)
    rare = {state for state, count in seen.items() if not count}
    assert not rare, rare
