"""Kintsugi's kernels against the independent implementation in `tests/reference/kintsugi.py`."""

import random
from collections import Counter
from typing import Any

import pytest

import parlour
from parlour.envs.core.batch import Batch
from tests.lockstep import Policy, Reference, anything, play_in_lockstep
from tests.reference.kintsugi import Kintsugi

EDITION = {"kintsugi": "FR", "broken_and_beautiful": "EN"}
FOUR_PATTERNS = [
    ("vase", "red", 2, 3), ("cup", "red", 1, 4), ("saucer", "green", 0, 4), ("plate", "ash", 3, 4),
    ("bowl", "ash", 1, 5), ("tea jar", "sea", 1, 5), ("vase", "sea", 4, 4), ("teapot", "red", 2, 4),
    ("teapot", "ash", 2, 3), ("tray", None, 1, 1), ("box", None, 2, 4), ("gold", None, 5, 6),
]  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {},
    {"reward": "margin", "novices": (0, 1), "first_player": 1},
    {"deck": FOUR_PATTERNS},
    {"deck": FOUR_PATTERNS, "unlimited_supply": True},
]


def reference(batch: Batch, row: int) -> Reference:
    told, config = batch.describe(row), dict(batch.game.config)
    table = [tuple(line) for line in config.pop("deck")]
    config.pop("first_player")
    dealt = [batch.game.describe.__self__.kinds[k] for k in batch._states[row].deck[: len(told["draft"])]]  # type: ignore[attr-defined]
    return Kintsugi(
        edition=EDITION[batch.game.name],
        deck=dealt + told["deck"],
        first_player=told["first_player"],
        table=tuple(table),
        **config,
    )


def hoarder(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Keeps nearly everything and repairs when it can: many broken cards, full repair phases, an empty supply."""
    verbs = {a: reference.action_meaning(a)[0] for a in legal}  # type: ignore[attr-defined]
    liked = [a for a in legal if verbs[a] in ("keep", "repair")]
    return rng.choice(liked if liked and rng.random() < 0.9 else legal)


def seller(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Sells nearly everything: the supply runs dry, and collections stay so small that games tie."""
    liked = [a for a in legal if reference.action_meaning(a)[0] in ("sell", "pass")]  # type: ignore[attr-defined]
    return rng.choice(liked if liked and rng.random() < 0.9 else legal)


@pytest.mark.parametrize("policy", [anything, hoarder, seller])
@pytest.mark.parametrize("options", OPTIONS, ids=["default", "margin", "four patterns", "unlimited"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", list(EDITION))
def test_kernels_and_reference_agree(name: str, players: int, options: dict[str, Any], policy: Policy) -> None:
    batch = parlour.batch(name, size=20, seed=5, players=players, **options)
    assert play_in_lockstep(batch, reference, policy, every=7) > 2 * players


@pytest.mark.slow
@pytest.mark.parametrize("policy", [anything, hoarder, seller])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", list(EDITION))
def test_kernels_and_reference_agree_over_thousands_of_games(name: str, players: int, policy: Policy) -> None:
    play_in_lockstep(parlour.batch(name, size=1500, seed=11, players=players), reference, policy, seed=1, every=29)


def test_the_policies_reach_the_rare_states() -> None:
    seen: Counter[str] = Counter()

    def watch(game: Reference) -> None:
        told = game.describe()
        seen["free repair"] += any(seat["free_repair"] for seat in told["seats"])
        seen["empty supply"] += told["supply"] == 0
        seen["third repair"] += any(seat["repairs"] >= 3 for seat in told["seats"])
        if told["phase"] == "over":
            best = max(told["scores"])
            tied = told["scores"].count(best) > 1
            seen["tie broken"] += tied and max(game.returns()) == 1
            seen["win shared"] += tied and max(game.returns()) < 1

    for policy in (anything, hoarder, seller):
        batch = parlour.batch("broken_and_beautiful", size=150, seed=3, players=2)
        play_in_lockstep(batch, reference, policy, every=50, watch=watch)
    assert all(seen[state] > 0 for state in ("free repair", "empty supply", "third repair", "tie broken", "win shared"))
