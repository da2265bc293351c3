"""Plays a batch and an independent reference side by side and compares everything after every action."""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from parlour.envs.core.batch import Batch


class Reference(Protocol):
    """What the implementations in `tests/reference` offer."""

    @property
    def player(self) -> int: ...
    def legal(self) -> set[int]: ...
    def apply(self, action: int) -> None: ...
    def scores(self) -> list[int]: ...
    def returns(self) -> list[Fraction]: ...
    def describe(self) -> dict[str, Any]: ...


Policy = Callable[[Reference, list[int], random.Random], int]


def anything(reference: Reference, legal: list[int], rng: random.Random) -> int:
    """Uniform over the legal actions."""
    return rng.choice(legal)


def assert_agree(batch: Batch, row: int, reference: Reference) -> None:
    """The kernels' row and the reference tell the same state, legal set and scores."""
    assert int(batch.current_player[row]) == reference.player
    assert set(np.flatnonzero(batch.legal[row]).tolist()) == reference.legal()
    assert batch.scores([row])[0].tolist() == reference.scores()
    assert batch.describe(row) == reference.describe()


def play_in_lockstep(
    batch: Batch,
    make_reference: Callable[[Batch, int], Reference],
    policy: Policy = anything,
    seed: int = 0,
    every: int = 1,
    watch: Callable[[Reference], object] = id,
) -> int:
    """Play every row of the batch to its end against a reference; returns the number of actions played.

    Args:
        batch: Freshly reset games, stepped in here.
        make_reference: The reference that starts from the deal of a row.
        policy: Who chooses the actions.
        seed: Seed of the policy.
        every: How many actions lie between two full comparisons; legal sets are compared after each one.
        watch: Called with the reference after every action, to count rare states.
    """
    rng = random.Random(seed)
    references = [make_reference(batch, row) for row in range(batch.size)]
    played = 0
    while (alive := np.flatnonzero(batch.current_player >= 0)).size:
        actions = []
        for row in alive:
            legal = np.flatnonzero(batch.legal[row]).tolist()
            assert set(legal) == references[row].legal(), batch.describe(int(row))
            actions.append(policy(references[row], legal, rng))
        rewards, terminated, truncated = batch.step(actions, rows=alive)
        played += 1
        for k, row in enumerate(alive.tolist()):
            reference = references[row]
            reference.apply(actions[k])
            watch(reference)
            over = bool(terminated[k] or truncated[k])
            assert over == (reference.player < 0)
            if over or played % every == 0:
                assert_agree(batch, row, reference)
            expected = [float(r) for r in reference.returns()] if over else [0.0] * batch.game.players
            np.testing.assert_allclose(rewards[k], expected, atol=1e-6)
    return played
