"""The rewards of every game: the formulas that all share, for any number of sides and winners."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from parlour.envs.core import rewards
from parlour.envs.core.jit import plain
from parlour.envs.core.record import MARGIN, NOBODY, OUTCOME, Field, Record

SIDES = [(2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (4, 2), (6, 2), (6, 3)]
"""(players, sides)"""


RECORD = Record.of(Field("nothing", "i1", 0, 1, "so that no game's record begins with this one"))


def table(players: int, teams: int, **values: Any) -> Any:
    return RECORD.blank(players=players, teams=teams, **values)[0]


def paid(function: Any, state: Any, *arguments: Any, start: Any = None) -> list[float]:
    """What a function pays, the same compiled and plain."""
    found = []
    for pay in (function, plain(function)):
        out = np.zeros(int(state.players), np.float32) if start is None else np.array(start, np.float32)
        pay(state, *arguments, out)
        found.append(out.tolist())
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize(("players", "teams"), SIDES)
class TestFormulas:
    def test_a_win_is_shared_so_that_the_sum_is_zero(self, players: int, teams: int) -> None:
        for k in range(1, teams + 1):
            for winners in combinations(range(teams), k):
                won = Fraction(Fraction(teams, k) - 1, teams - 1)
                lost = Fraction(-1, teams - 1)
                expected = [float(won if seat % teams in winners else lost) for seat in range(players)]
                found = paid(rewards.share_win, table(players, teams), sum(1 << team for team in winners))
                assert found == pytest.approx(expected)
                assert sum(found) == pytest.approx(0, abs=1e-6)

    def test_a_margin_is_own_minus_the_mean_of_the_other_sides(self, players: int, teams: int) -> None:
        results = [Fraction(7), Fraction(-3), Fraction(12), Fraction(12), Fraction(0), Fraction(5)][:teams]
        state, start = table(players, teams), [float(results[seat % teams]) for seat in range(players)]
        expected = []
        for seat in range(players):
            own = results[seat % teams]
            expected.append(float((own - (sum(results) - own) / (teams - 1)) / 20))
        found = paid(rewards.pay_margin, state, 20.0, start=start)
        assert found == pytest.approx(expected)
        assert sum(found) == pytest.approx(0, abs=1e-6)

    def test_a_forfeit_costs_the_offenders_side_and_the_others_share(self, players: int, teams: int) -> None:
        for offender in range(players):
            found = paid(rewards.forfeit, table(players, teams, offender=offender))
            expected = [-1 if seat % teams == offender % teams else 1 / (teams - 1) for seat in range(players)]
            assert found == pytest.approx(expected)
            assert sum(found) == pytest.approx(0, abs=1e-6)


def test_two_players_win_one_and_lose_one() -> None:
    assert paid(rewards.share_win, table(2, 2), 0b01) == [1, -1]
    assert paid(rewards.share_win, table(2, 2), 0b10) == [-1, 1]


def test_a_draw_of_everyone_pays_nothing() -> None:
    assert paid(rewards.share_win, table(4, 4), 0b1111) == [0, 0, 0, 0]


def test_a_lone_winner_gets_one_and_two_who_share_a_third() -> None:
    assert paid(rewards.share_win, table(4, 4), 0b0100) == pytest.approx([-1 / 3, -1 / 3, 1, -1 / 3])
    assert paid(rewards.share_win, table(4, 4), 0b0101) == pytest.approx([1 / 3, -1 / 3, 1 / 3, -1 / 3])


def test_in_a_team_game_partners_are_paid_alike() -> None:
    assert paid(rewards.share_win, table(4, 2), 0b01) == [1, -1, 1, -1]
    assert paid(rewards.share_win, table(6, 2), 0b10) == [-1, 1, -1, 1, -1, 1]
    assert paid(rewards.pay_margin, table(4, 2), 2.0, start=[1, 0, 1, 0]) == [0.5, -0.5, 0.5, -0.5]


def test_the_side_of_a_seat_goes_round_the_table() -> None:
    state = table(6, 3)
    assert [rewards.team_of(state, seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]


def test_the_header_says_which_reward_is_wanted_and_whether_it_is_over() -> None:
    assert rewards.wants_margin(table(2, 2, reward=MARGIN))
    assert not rewards.wants_margin(table(2, 2, reward=OUTCOME))
    assert rewards.is_over(table(2, 2, player=NOBODY))
    assert not rewards.is_over(table(2, 2, player=0))
