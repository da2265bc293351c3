"""What `mcts` finds, what it may not see, and that chance, threads and batches do not change it."""

from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.agents import load, mcts
from parlour.agents.greedy.patchwork import KINDS
from parlour.agents.mcts import Mcts, run_for
from parlour.agents.mcts.knowledge import Knowledge
from parlour.envs.core.batch import Batch
from parlour.envs.core.errors import ConfigError
from parlour.envs.klink.rules import KEEP
from parlour.training.standings import ahead
from tests.envs.klink import build as klink
from tests.envs.patchwork import build as patchwork

ONE = np.zeros(1, np.int64)


def choice(batch: Batch, spec: str = "mcts:iterations=200") -> str:
    """What the player to move does, in words."""
    return batch.say(int(load(spec, batch.game).act(batch, ONE)[0]))


def played(game: str, size: int, moves: int, **config: Any) -> Batch:
    """Games after some random moves."""
    batch = parlour.batch(game, size, seed=3, **config)
    for _ in range(moves):
        batch.step(batch.sample_legal())
    return batch


def all_rows(batch: Batch) -> NDArray[np.int64]:
    return np.flatnonzero(batch.current_player >= 0)


def kept(hidden: int) -> float:
    """How often a player who looked at a 5 keeps it with a card not looked at, over many draws of chance."""
    one = klink.table(face_up=[[20], [1], [2], [3]], drawn=[5, hidden], looks={0: 0}, round_number=4)
    batch = one.copy(np.zeros(200, np.int64))
    batch._sampler[:, 0] = np.arange(200)
    return float((Mcts(40).act(batch, np.arange(200)) == KEEP).mean())


class TestFinds:
    def test_the_last_move_that_wins(self) -> None:
        """Only the two cells of patch A win: advancing brings a button for the last space, and too little."""
        given: dict[str, Any] = {"quilts": [patchwork.filled("a1", "b1"), patchwork.filled()], "patches_left": 3}
        batch = patchwork.table(circle=["A"], buttons=[5, 7], time=[52, 53], first_home=1, bonus=1, **given)
        batch.states["bonus"] = -1
        assert "buy A, " in choice(batch, "mcts:iterations=200,prior=false")

    def test_not_to_buy_what_costs_the_win(self) -> None:
        """The same, but for the price of the patch: now the button for the last space wins."""
        given: dict[str, Any] = {"quilts": [patchwork.filled("a1"), patchwork.filled()], "leather_left": [False] * 5}
        batch = patchwork.table(circle=["A"], buttons=[5, 3], time=[52, 53], first_home=1, **given)
        assert choice(batch, "mcts:iterations=50,prior=false") == "advance"

    def test_a_pair_of_high_cards(self) -> None:
        """In the last turns of the last round twenty points for the pair win, and without it they lose."""
        batch = klink.table(
            face_up=[[20], [1], [2], [3]], drawn=[20, 4], looks={0: 0}, totals=[50, 60, 60, 60], round_number=4
        )
        assert choice(batch) == "keep both"

    def test_few_points_where_few_are_good(self) -> None:
        """The pair saves twenty points, and who plays for points alone wants it though the game is lost."""
        batch = klink.table(
            face_up=[[20], [1], [2], [3]], drawn=[20, 4], looks={0: 0}, totals=[76, 0, 0, 0], round_number=4
        )
        assert choice(batch, "mcts:iterations=200,points=true") == "keep both"


class TestSees:
    def test_no_card_that_lies_face_down(self) -> None:
        """A 20 makes a pair and wins twenty points, a 19 costs as many: whoever knew would keep only the one."""
        shares = [kept(hidden) for hidden in (20, 19)]
        assert abs(shares[0] - shares[1]) < 0.2

    def test_the_game_is_left_alone(self) -> None:
        batch = played("klink", 4, 20)
        before = batch.states.copy()
        Mcts(20).act(batch, all_rows(batch))
        assert (batch.states == before).all()


class TestSameChoices:
    def test_for_any_batch_and_order(self) -> None:
        batch = played("klink", 6, 25)
        rows = all_rows(batch)
        together = Mcts(50).act(batch.copy(), rows)
        assert (Mcts(50).act(batch.copy(), rows[::-1])[::-1] == together).all()
        assert [int(Mcts(50).act(batch.copy([row]), ONE)[0]) for row in rows] == together.tolist()

    def test_in_little_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        batch = played("klink", 6, 25)
        together = Mcts(50).act(batch.copy(), all_rows(batch))
        monkeypatch.setattr(mcts, "MEMORY", 3 * 2 * 26 * mcts.NODE.itemsize)
        assert (Mcts(50).act(batch.copy(), all_rows(batch)) == together).all()

    def test_for_any_number_of_threads(self) -> None:
        batch = played("klink", 3, 25)
        rows, threads = all_rows(batch), numba.get_num_threads()
        usual = Mcts(50, trees=4).act(batch.copy(), rows)
        try:
            numba.set_num_threads(1)
            assert (Mcts(50, trees=4).act(batch.copy(), rows) == usual).all()
        finally:
            numba.set_num_threads(threads)

    def test_but_chance_is_drawn_anew_for_every_move(self) -> None:
        batch = parlour.batch("patchwork", 1, seed=0)
        agent = Mcts(2, prior=False)
        assert len({int(agent.act(batch, ONE)[0]) for _ in range(10)}) > 1


class TestTries:
    def tried(self, iterations: int) -> list[int]:
        """What one tree tries at the beginning of a game of Patchwork, in this order."""
        batch, forest = parlour.batch("patchwork", 1, seed=3), np.empty((1, 1, 500), mcts.NODE)
        batch.step([batch.legal[0].argmax()])
        assert len(set(KINDS[batch.legal[0]])) >= 3
        search = mcts._searching(batch.game.rules, True)
        told = (KINDS, batch.game.layout.size, 0, iterations, Mcts()._options(Knowledge()), forest)
        search(batch.states, ONE, np.zeros(1, np.uint64), *told)
        nodes = forest[0, 0, 1 : forest[0, 0, 0]["action"]]
        return [int(node["action"]) for node in nodes if node["parent"] == 0]

    def test_every_kind_of_action_before_two_of_a_kind(self) -> None:
        batch = parlour.batch("patchwork", 1, seed=3)
        batch.step([batch.legal[0].argmax()])
        kinds = len(set(KINDS[batch.legal[0]]))
        first = [KINDS[action] for action in self.tried(200)][:kinds]
        assert len(set(first)) == kinds

    def test_more_of_the_kind_that_does_best(self) -> None:
        tried = [KINDS[action] for action in self.tried(400)]
        counts = np.bincount(tried)
        assert counts.max() > len(tried) / 2


class TestPlays:
    @pytest.mark.parametrize(("game", "players", "prior"), [("klink", 6, True), ("patchwork", 2, False)])
    def test_legal_to_the_end(self, game: str, players: int, prior: bool) -> None:
        config = {} if game == "patchwork" else {"players": players}
        batch = parlour.batch(game, 3, seed=1, **config)
        while (rows := all_rows(batch)).size:
            batch.step(Mcts(6, prior=prior).act(batch, rows), rows)

    def test_no_action_where_the_game_is_over(self) -> None:
        batch = parlour.batch("patchwork", 1, seed=1)
        while all_rows(batch).size:
            batch.step(batch.sample_legal())
        assert Mcts(10, prior=False).act(batch, ONE).tolist() == [-1]

    def test_for_a_given_time(self) -> None:
        batch = parlour.batch("klink", 2, seed=1)
        chosen = load("mcts:seconds=0.02").act(batch, np.arange(2))
        assert batch.legal[np.arange(2), np.asarray(chosen)].all()

    def test_a_full_tree_goes_on_with_what_it_has(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(mcts, "MEMORY", 2 * 5 * mcts.NODE.itemsize)
        batch = parlour.batch("klink", 1, seed=1)
        assert batch.legal[0, Mcts(200).act(batch, ONE)[0]]


def test_slices_follow_upon_each_other_and_grow() -> None:
    slices: list[tuple[int, int]] = []
    done = run_for(0.005, 2, lambda start, stop: slices.append((start, stop)))
    starts, stops = zip(*slices, strict=True)
    assert starts[0] == 0
    assert starts[1:] == stops[:-1]
    assert stops[-1] == done
    assert stops[-1] - starts[-1] > 2


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mcts:iterations=0", "iterations of mcts must be at least 1, got 0"),
        ("mcts:iterations=many", "iterations of mcts must be a whole number, got 'many'"),
        ("mcts:seconds=0", "seconds of mcts must be more than 0, got 0.0"),
        ("mcts:seconds=nan", "seconds of mcts must be more than 0, got nan"),
        ("mcts:trees=0", "trees of mcts must be from 1 to 1024, got 0"),
        ("mcts:iterations=5,seconds=1", "mcts takes iterations or seconds, not both"),
        ("mcts:depth=5", "mcts has no option 'depth'; its options are iterations, seconds, trees, prior, points"),
    ],
)
def test_options_that_do_not_fit_are_refused(spec: str, said: str) -> None:
    with pytest.raises(ConfigError, match=f"^{said}$"):
        load(spec)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kintsugi", "patchwork", "kitsu", "klink"])
def test_more_iterations_win_against_fewer(game: str) -> None:
    """800 against 25 over 32 games: with a true rate of 0.68 or more, below 0.5 is beyond two sigma."""
    batch = parlour.batch(game, 32, seed=5)
    strong = (np.arange(32)[:, None] + np.arange(batch.game.players)) % 2 == 0
    while (rows := all_rows(batch)).size:
        turn = strong[rows, batch.current_player[rows]]
        for agent, own in ((Mcts(800), rows[turn]), (Mcts(25), rows[~turn])):
            if own.size:
                batch.step(agent.act(batch, own), own)
    pairs = strong[:, :, None] & ~strong[:, None, :]
    assert ahead(batch)[pairs].mean() > 0.5
