"""What `greedy` thinks of an action after playing on to the end."""

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.agents.greedy import worths
from parlour.agents.greedy.patchwork import KINDS
from parlour.agents.sight import Sight, guidance
from parlour.envs.core.errors import ConfigError
from parlour.envs.patchwork.rules import ADVANCE, BUY_FROM, LEATHER_FROM, PER_CHOICE
from tests.agents.test_sight import playing, positions

AHEAD = Sight(guided=True, ahead=True)


def played_on(batch: parlour.Batch, row: int, action: int) -> int:
    """What the player to move is ahead by when everyone plays the first action that is worth most."""
    game, seat, only = batch.copy([row]), int(batch.current_player[row]), np.zeros(1, np.int64)
    game.step([action])
    while game.current_player[0] >= 0:
        game.step(worths(game, only).argmax(axis=1))
    scores = game.scores()[0]
    return int(scores[seat] - scores[1 - seat])


def best_of_kinds(batch: parlour.Batch, row: int) -> NDArray[np.int64]:
    """The best action of each kind, as greedy sees it at first sight."""
    first = worths(batch, np.array([row]))[0]
    found = [int(np.where(kind == KINDS, first, -np.inf).argmax()) for kind in range(KINDS.max() + 1)]
    return np.array([action for action in found if np.isfinite(first[action])])


class TestAhead:
    def test_the_best_of_each_kind_is_worth_what_comes_of_it(self) -> None:
        batch = positions("patchwork", 12)
        for row in playing(batch):
            told = worths(batch, np.array([row]), ahead=True)[0]
            for action in best_of_kinds(batch, row):
                assert told[action] == pytest.approx(played_on(batch, row, action), abs=1e-4)

    def test_the_others_are_behind_it_as_at_first_sight(self) -> None:
        batch = positions("patchwork", 12)
        rows = playing(batch)
        first, told = worths(batch, rows), worths(batch, rows, ahead=True)
        for k, row in enumerate(rows):
            for action in best_of_kinds(batch, row):
                alike = (KINDS[action] == KINDS) & batch.legal[row]
                np.testing.assert_allclose(
                    told[k, action] - told[k, alike], first[k, action] - first[k, alike], atol=1e-3
                )

    def test_only_legal_actions_are_worth_anything_and_nothing_changes(self) -> None:
        batch = positions("patchwork", 12)
        rows, before = playing(batch), batch.states.copy()
        np.testing.assert_array_equal(np.isfinite(worths(batch, rows, ahead=True)), batch.legal[rows])
        assert (batch.states == before).all()

    def test_playing_so_beats_greedy(self) -> None:
        """Nearly always: it knows what greedy will do. Below 0.8 in 60 games it does not look ahead."""
        ahead = lambda batch, rows: worths(batch, rows, ahead=True).argmax(axis=1)  # noqa: E731
        env = parlour.batch("patchwork", 60, seed=4)
        first = np.arange(60) % 2
        greedy = parlour.agents.load("greedy")
        while (rows := playing(env)).size:
            turn = env.current_player[rows] == first[rows]
            for act, own in ((ahead, rows[turn]), (greedy.act, rows[~turn])):
                if own.size:
                    env.step(act(env, own), own)
        scores = env.scores()
        won = scores[np.arange(60), first] > scores[np.arange(60), 1 - first]
        assert won.mean() > 0.8


def test_kinds_tell_apart_what_is_bought() -> None:
    assert KINDS[ADVANCE] != KINDS[LEATHER_FROM]
    bought = [KINDS[BUY_FROM + choice * PER_CHOICE : BUY_FROM + (choice + 1) * PER_CHOICE] for choice in range(3)]
    assert [len(set(kinds)) for kinds in bought] == [1, 1, 1]
    assert len({KINDS[ADVANCE], KINDS[LEATHER_FROM], *(kinds[0] for kinds in bought)}) == 5


def test_a_network_sees_it_in_place_of_the_first_thought() -> None:
    batch = positions("patchwork", 12)
    rows = playing(batch)
    seen, layout = AHEAD.of(batch, rows), AHEAD.layout(batch.game)
    assert ((seen >= layout.space.low) & (seen <= layout.space.high)).all()
    np.testing.assert_array_equal(seen[:, batch.game.layout.size :], guidance(batch, rows, ahead=True))
    assert (guidance(batch, rows, ahead=True) != guidance(batch, rows)).any()


@pytest.mark.parametrize("game", ["kintsugi", "kitsu", "klink"])
def test_where_something_is_hidden_nobody_looks_ahead(game: str) -> None:
    with pytest.raises(ConfigError, match=f"greedy can look ahead only in patchwork, not in {game}"):
        AHEAD.layout(parlour.make_game(game))


def test_looking_ahead_without_guiding_is_refused() -> None:
    with pytest.raises(ConfigError, match="greedy looks ahead only to guide: set guided too"):
        Sight(ahead=True)
    with pytest.raises(ConfigError, match="greedy looks ahead only to guide: set guided too"):
        parlour.agents.wrap(lambda _, legal: legal.argmax(axis=1), ahead=True)
