"""The rewards at the end of a game, the same in all games: zero everywhere else, and always summing to zero."""

from parlour.envs.core.jit import kernel
from parlour.envs.core.record import MARGIN, NOBODY, Numbers, State


@kernel
def team_of(s: State, seat: int) -> int:
    """The side a seat plays for: its own in most games, its clan in a team game."""
    return int(seat) % int(s.teams)


@kernel
def share_win(s: State, winners: int, out: Numbers) -> None:
    """Pay the outcome: `winners` is a bit mask of the sides that share the win.

    With n sides and k winners a winner gets (n/k - 1)/(n - 1), everyone else -1/(n - 1).
    """
    n = int(s.teams)
    k = 0
    for team in range(n):
        k += (winners >> team) & 1
    for seat in range(s.players):
        won = (winners >> team_of(s, seat)) & 1
        out[seat] = (n / k - 1) / (n - 1) if won else -1 / (n - 1)


@kernel
def pay_margin(s: State, scale: float, out: Numbers) -> None:
    """Turn the results in `out` into margins: own result minus the mean of the other sides', over `scale`."""
    n = int(s.teams)
    total = 0.0
    for team in range(n):
        total += float(out[team])
    for seat in range(s.players):
        own = float(out[seat])
        out[seat] = (own - (total - own) / (n - 1)) / scale


@kernel
def forfeit(s: State, out: Numbers) -> None:
    """The game ended by an illegal action: its side loses, the others share the win."""
    for seat in range(s.players):
        out[seat] = -1.0 if team_of(s, seat) == team_of(s, s.offender) else 1.0 / (int(s.teams) - 1)


@kernel
def wants_margin(s: State) -> bool:
    return int(s.reward) == MARGIN


@kernel
def is_over(s: State) -> bool:
    return int(s.player) == NOBODY
