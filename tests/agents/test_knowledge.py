"""Where playouts stop, and which deals are believed."""

from typing import Any

import numpy as np

from parlour.agents import mcts
from parlour.agents.mcts import NODE, Mcts, klink
from parlour.agents.mcts.knowledge import Knowledge
from parlour.envs.core.batch import Batch
from parlour.envs.core.jit import plain
from parlour.envs.klink.rules import KEEP
from tests.envs.klink.build import table, triad

rounds_begun, obvious, plausible = plain(klink.rounds_begun), plain(klink.obvious), plain(klink.plausible)

EIGHT = [[-5, -3, -1, 1, 3, 5, 7, 9], [-4, -2, 0, 2, 4, 6, 8, 10]]


def nodes_grown(batch: Batch) -> int:
    """How many nodes a tree of 50 iterations has."""
    forest = np.empty((1, 1, 60), NODE)
    search, kinds = mcts._searching(batch.game.rules, True), np.zeros(batch.game.num_actions, np.int64)
    told = (kinds, batch.game.layout.size, 0, 50, Mcts()._options(Knowledge()), forest)
    search(batch.states, np.zeros(1, np.int64), np.zeros(1, np.uint64), *told)
    return int(forest[0, 0, 0]["action"])


class TestClock:
    def test_stands_still_in_a_round_and_goes_on_with_the_next(self) -> None:
        batch = table(face_up=[EIGHT[0]], drawn=[15, 17], looks={0: 0})
        twin = table(drawn=[15, 17], looks={0: 0})
        before = rounds_begun(batch._states[0]), rounds_begun(twin._states[0])
        batch.step([KEEP])
        twin.step([KEEP])
        assert (rounds_begun(batch._states[0]), rounds_begun(twin._states[0])) == (before[0] + 1, before[1])

    def test_ends_playouts(self) -> None:
        """Where whoever keeps the cards ends the round, only abilities come before the next one."""
        given: dict[str, Any] = {"drawn": [15, 17], "looks": {0: 0}, "players": 2}
        assert nodes_grown(table(face_up=EIGHT, **given)) < nodes_grown(table(**given)) / 2


class TestObvious:
    def test_only_keeping_or_passing_is_searched(self) -> None:
        looking = table(drawn=[4, 5])
        assert obvious(looking._states[0])
        assert not obvious(table(drawn=[4, 5], looks={0: 0})._states[0])
        assert obvious(triad()._states[0])

    def test_what_is_obvious_is_left_to_greedy(self) -> None:
        """A look at what another player refused, and nothing else, though 2 iterations cannot tell."""
        one = table(drawn=[19, 5], holders=[0, 1], looks={0: 0})
        batch = one.copy(np.zeros(40, np.int64))
        batch._sampler[:, 0] = np.arange(40)
        assert not Mcts(2).act(batch.copy(), np.arange(40)).any()
        assert Mcts(2, prior=False).act(batch, np.arange(40)).any()


class TestPlausible:
    """Seat 0 has looked at slot 0 and passed the cards on to seat 1."""

    def passed(self, value: int, **given: Any) -> bool:
        batch = table(drawn=[value, 5], holders=[0, 1], looks={0: 0}, **given)
        before = batch.states.copy()
        found = plausible(batch.copy()._states[0])
        assert (batch.states == before).all()
        return bool(found)

    def test_nobody_passes_on_the_lowest_card(self) -> None:
        assert not self.passed(-5)
        assert self.passed(19)

    def test_nobody_passes_on_a_high_card_that_makes_a_pair(self) -> None:
        assert not self.passed(19, face_up=[[19]])

    def test_nobody_passes_a_high_card_to_whom_it_makes_a_pair(self) -> None:
        assert not self.passed(19, face_up=[[], [19]])
        assert self.passed(19, face_up=[[], [], [19]])

    def test_every_hand_counts(self) -> None:
        given: dict[str, Any] = {"holders": [2, 0, 1], "looks": {2: 1, 0: 0}}
        assert plausible(table(drawn=[19, 18], **given)._states[0])
        assert not plausible(table(drawn=[19, -5], **given)._states[0])
        assert not plausible(table(drawn=[-5, 18], **given)._states[0])

    def test_turns_without_cards_on_offer_tell_nothing(self) -> None:
        assert plausible(table(drawn=[-5, 5], holders=[0])._states[0])


def kept(slot: int) -> float:
    """How often seat 1, who sees a 4 in slot 1, keeps what seat 0 has passed on after a look at this slot."""
    one = table(face_up=[[1], [2], [0], [7]], drawn=[12, 4], holders=[0, 1], looks={0: slot, 1: 1})
    batch = one.copy(np.zeros(100, np.int64))
    batch._sampler[:, 0] = np.arange(100)
    return float((Mcts(600).act(batch, np.arange(100)) == KEEP).mean())


def test_a_card_that_was_looked_at_and_passed_on_is_trusted_less() -> None:
    assert kept(slot=0) < kept(slot=1) - 0.1
