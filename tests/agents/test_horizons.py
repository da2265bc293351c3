"""Where playouts stop, and what is guessed there."""

import numpy as np
from numpy.typing import NDArray

import parlour
from parlour.agents import load, mcts
from parlour.agents.mcts import NODE, Mcts, klink
from parlour.envs.core.batch import Batch
from parlour.envs.core.jit import plain
from parlour.envs.klink.rules import KEEP
from tests.envs.klink.build import table

clock, appraise = plain(klink.cards_drawn), plain(klink.appraise)


def guessed(batch: Batch, row: int = 0) -> NDArray[np.float64]:
    """What each seat is thought to be ahead by at the end of the round, in points."""
    margins = np.zeros(batch.game.players)
    appraise(batch._states[row], margins)
    return 100 * margins


def nodes_grown(span: int) -> int:
    """How many nodes a tree of 50 iterations has when playouts go so far."""
    batch, forest = parlour.batch("klink", 1, seed=1), np.empty((1, 1, 60), NODE)
    search, options = mcts._searching(batch.game.rules, True), Mcts()._options(batch.game)._replace(span=span)
    sizes = batch.game.num_actions, batch.game.layout.size
    search(batch.states, np.zeros(1, np.int64), np.zeros(1, np.uint64), *sizes, 0, 50, options, forest)
    return int(forest[0, 0, 0]["action"])


class TestClock:
    def test_goes_on_with_a_turn(self) -> None:
        batch = table(drawn=[1, 5], looks={0: 0})
        before = clock(batch._states[0])
        batch.step([KEEP])
        assert clock(batch._states[0]) == before + 2

    def test_leaps_with_a_round(self) -> None:
        batch = table(face_up=[[-5, -4, -2, -1, 1, 2, 4, 5]], drawn=[7, 8], looks={0: 0})
        before = clock(batch._states[0])
        batch.step([KEEP])
        assert batch.states["round_number"][0] == 2
        assert clock(batch._states[0]) >= before + klink.SPAN

    def test_ends_playouts(self) -> None:
        assert nodes_grown(span=0) == 1
        assert nodes_grown(span=klink.SPAN) > 5


class TestGuess:
    def test_sums_to_nothing(self) -> None:
        assert abs(guessed(table(face_up=[[20], [1, 4], [2], []])).sum()) < 1e-9

    def test_high_cards_are_bad(self) -> None:
        margins = guessed(table(face_up=[[1, 3], [20, 18], [1, 3], [1, 3]]))
        assert margins.argmin() == 1

    def test_the_most_cards_are_good_near_the_end(self) -> None:
        cards = [[0, 2, 4, 6], [0, 2, 4, 6], [0, 2], [4, 6]]
        margins = guessed(table(face_up=cards, face_down=[[7, 7, 8, 8], [9, 9]], holders=[3]))
        assert margins[0] > margins[1]

    def test_nothing_is_added_when_the_game_is_over(self) -> None:
        batch = table(face_up=[[20]])
        batch._states[0].player = -1
        assert not guessed(batch).any()

    def test_foretells_rounds_of_greedy(self) -> None:
        """The correlation with what came of 200 rounds after 24 moves is about 0.5; with nothing it would be 0."""
        batch = parlour.batch("klink", 200, seed=8)
        greedy, rows = load("greedy", batch.game), np.arange(200)
        for _ in range(24):
            batch.step(greedy.act(batch, rows))
        expected = np.array([guessed(batch, row) for row in rows])
        while (rows := np.flatnonzero(batch.states["round_number"] == 1)).size:
            rows = rows[batch.current_player[rows] >= 0]
            if not rows.size:
                break
            batch.step(greedy.act(batch, rows), rows)
        points = -batch.states["totals"][:, :4].astype(float)
        margins = (points - points.mean(axis=1, keepdims=True)) * 4 / 3
        assert np.corrcoef(expected.ravel(), margins.ravel())[0, 1] > 0.35
