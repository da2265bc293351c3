"""Learning from a teacher: what a lesson holds, and what a pass over it does."""

import numpy as np
import pytest
import torch

import parlour
from parlour.agents.nets import NetSpec, build
from parlour.agents.sight import Sight
from parlour.training import imitate
from parlour.training.imitate import Lesson, learn_lesson, play_lesson


class Loud:
    """Plays the first or the last legal action, and remembers for how many positions it was asked."""

    def __init__(self, last: bool) -> None:
        self.last, self.asked = last, 0

    def act(self, batch: parlour.Batch, rows: np.ndarray) -> np.ndarray:
        self.asked += rows.size
        legal = batch.legal[rows]
        return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1) if self.last else legal.argmax(axis=1)


def lesson_of(teacher: Loud, learner: Loud, games: int = 20, seed: int = 0) -> Lesson:
    return play_lesson(parlour.make_game("kintsugi"), teacher, learner, games, seed, Sight())


class TestLesson:
    def test_every_position_has_the_advice_of_the_teacher_whoever_moved(self) -> None:
        seen, masks, advice, worth = lesson_of(Loud(last=False), Loud(last=True))
        legal = np.unpackbits(masks, axis=1, count=parlour.make_game("kintsugi").num_actions).view(bool)
        assert len(seen) == len(masks) == len(advice) == len(worth)
        np.testing.assert_array_equal(advice, legal.argmax(axis=1))

    def test_the_learner_makes_a_share_of_the_moves(self) -> None:
        teacher, learner = Loud(last=False), Loud(last=True)
        lesson_of(teacher, learner, games=100)
        assert learner.asked / teacher.asked == pytest.approx(imitate.STRAY, abs=0.03)

    def test_the_moves_of_the_learner_lead_elsewhere(self) -> None:
        alone = lesson_of(Loud(last=False), Loud(last=False))
        together = lesson_of(Loud(last=False), Loud(last=True))
        assert alone[0].shape != together[0].shape or (alone[0] != together[0]).any()

    def test_what_came_of_the_positions_is_what_the_games_paid(self) -> None:
        *_, worth = lesson_of(Loud(last=False), Loud(last=False))
        assert set(np.unique(worth)) <= {-1.0, 0.0, 1.0}
        assert {-1.0, 1.0} <= set(np.unique(worth))


def test_passes_over_a_lesson_teach_it() -> None:
    game = parlour.make_game("kintsugi")
    torch.manual_seed(0)
    net = build(NetSpec(hidden=(64,)), game.layout, game.num_actions)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    lesson = lesson_of(Loud(last=False), Loud(last=True), games=50)
    agreed = [learn_lesson(net, optimizer, lesson, game.num_actions, 128) for _ in range(6)]
    assert agreed[0] < 0.8 < 0.95 < agreed[-1]
