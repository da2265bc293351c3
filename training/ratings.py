"""The statistics of the arena: intervals, ratings, when to stop, and who beats whom in a circle.

The unit is the **block**: one deal played in every seating of a pairing. A block's result is the share in [0, 1] that
the first agent takes of it. Blocks of one pairing are independent; games inside a block are not.

Intervals come from a Bayesian bootstrap over blocks [Rubin 1981]: each resample weighs the blocks by independent
exponential draws. A block weighs the same in all pairings that played its deal, so what a deal does to all of them at
once is in the intervals too. Two imagined half-blocks per pairing are added, one won and one lost, without which ten
wins in ten blocks would leave no doubt at all. Where blocks are plainly won or lost this is Jeffreys' interval of a
share, whose coverage is known to be good [Brown, Cai, DasGupta 2001].

Ratings are fitted here, not by a library: `choix`, the maintained one of this field, knows no ties by itself, fits one
table at a time where the intervals need thousands, and brings scipy. The tests compare with it.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ELO = 400 / np.log(10)
"""Rating points for each factor e in the odds of winning."""
RESAMPLES = 2_000
LEVEL = 0.95
ERROR = 0.05
"""How often `is_sure` may be wrong about two equal agents, however often it is asked."""
BETS = np.outer([1, -1], 1.95 * 0.5 ** np.arange(8)).ravel()
"""Stakes on the first agent (or against it) that `evidence` tries, from nearly all it has to very little."""
_SLICE = 2_048


def resample(results: Sequence[Floats], seed: int, resamples: int = RESAMPLES) -> tuple[Floats, Floats]:
    """Win rates of each pairing as they might have been.

    Args:
        results: The blocks' results of each pairing, in the order of the deals, which all pairings share.
        seed: Of the weights.
        resamples: How many.

    Returns:
        What the first agents won and what there was to win, in blocks, both [resamples, pairings].
    """
    rng = np.random.default_rng(seed)
    many = len(results)
    half_won, half_lost = rng.gamma(0.5, size=(2, resamples, many))
    won, weight = half_won.copy(), half_won + half_lost
    for start in range(0, max(map(len, results)), _SLICE):
        parts = [result[start : start + _SLICE] for result in results]
        weights = rng.exponential(size=(resamples, max(map(len, parts))))
        for pairing, part in enumerate(parts):
            won[:, pairing] += weights[:, : part.size] @ part
            weight[:, pairing] += weights[:, : part.size].sum(axis=1)
    return won, weight


def interval(estimate: Floats, resampled: Floats) -> tuple[Floats, Floats]:
    """The bounds of the middle 95 % of the resamples [R, ...], which the estimate [...] itself is never outside of."""
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return np.minimum(low, estimate), np.maximum(high, estimate)


def bradley_terry(wins: Floats) -> Floats:
    """Maximum-likelihood ratings of the Bradley-Terry model, in Elo points, with mean 0.

    Args:
        wins: `[..., n, n]`: how often the agent of the row won against that of the column; a tie is half a win each.
            Every agent must have some share, however small, of wins and of losses (see `add_doubt`).

    Returns:
        `[..., n]`, such that the odds of i against j are `10 ** ((rating_i - rating_j) / 400)`.
    """
    games = wins + wins.swapaxes(-1, -2)
    strength: Floats = np.zeros(wins.shape[:-1])
    for _ in range(100):  # Newton's method, in short steps while far away
        odds = 1 / (1 + np.exp(strength[..., None, :] - strength[..., :, None]))
        slope = (wins - games * odds).sum(axis=-1)
        bend = games * odds * (1 - odds)
        curvature = np.eye(wins.shape[-1]) * bend.sum(axis=-1)[..., None] - bend
        step = np.linalg.solve(curvature + 1.0, slope[..., None])[..., 0]  # + 1.0 keeps the mean at 0
        strength += step / np.maximum(1, np.abs(step).max(axis=-1, keepdims=True))
        if np.abs(step).max() < 1e-9:
            break
    rating: Floats = strength * ELO
    return rating


def add_doubt(won: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """One more block, tied, for each pairing: an agent that has won every game is not infinitely strong."""
    return won + 0.5, weight + 1


def tabulated(pairs: Sequence[tuple[int, int]], agents: int, won: Floats, weight: Floats) -> Floats:
    """The wins [..., agents, agents] out of those of the pairings [..., pairings]."""
    wins = np.zeros((*won.shape[:-1], agents, agents))
    for pairing, (a, b) in enumerate(pairs):
        wins[..., a, b] = won[..., pairing]
        wins[..., b, a] = weight[..., pairing] - won[..., pairing]
    return wins


def evidence(results: Floats) -> Floats:
    """How many times a bettor would have multiplied their stake, after each block, who bets that agents are not equal.

    If the agents are equal (the mean result is 0.5, whatever its distribution) bets are fair, and the chance that the
    stake is ever multiplied by 20 is at most 1/20 [Ville 1939; Waudby-Smith and Ramdas 2024]. So one may look after
    every block and stop when it has been. The stake is split between the `BETS`.
    """
    growth = np.log1p(np.outer(results - 0.5, BETS)).cumsum(axis=0)
    found: Floats = np.exp(growth).mean(axis=1)
    return found


def is_sure(results: Floats) -> bool:
    """Whether one of two agents is the better one, beyond the doubt of `ERROR`."""
    with np.errstate(over="ignore"):
        return bool(evidence(results).max(initial=0) >= 1 / ERROR)


def circles(beats: NDArray[Any]) -> list[tuple[int, int, int]]:
    """Triples (a, b, c) in which a beats b, b beats c and c beats a, each named once.

    Where every pairing has a winner, longer circles always contain one of three.
    """
    triples = permutations(range(len(beats)), 3)
    return [(a, b, c) for a, b, c in triples if a == min(a, b, c) and beats[a, b] and beats[b, c] and beats[c, a]]
