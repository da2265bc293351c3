"""`make demo`: random games of every edition, as a first sign of life."""

import time

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from parlour.envs.core.batch import batch
from parlour.envs.core.record import NOBODY
from parlour.envs.core.registry import door, games

GAMES = 2_000


def main() -> None:
    console = Console()
    table = Table(title=f"{GAMES:,} random games of each edition", title_justify="left")
    for column in ("game", "players", "decisions a game", "mean score", "wins by seat", "games/s"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for name in track(games(), description="Playing", console=console):
        table.add_row(*play(name))
    console.print(table)


def play(name: str) -> tuple[str, ...]:
    """Play the games of one edition; returns its line of the table."""
    games = batch(name, GAMES, seed=0)
    players = games.game.players
    games.step(games.sample_legal())
    begin, decisions, wins = time.perf_counter(), GAMES, np.zeros(players)
    while (alive := np.flatnonzero(games.current_player != NOBODY)).size:
        rewards, _, _ = games.step(games.sample_legal(alive), alive)
        wins += (rewards > 0).sum(axis=0)
        decisions += alive.size
    spent = time.perf_counter() - begin
    shares = " ".join(f"{share:.2f}" for share in wins / GAMES)
    mean = f"{games.scores().mean():.1f}"
    return door(name).title, str(players), f"{decisions / GAMES:.1f}", mean, shares, f"{GAMES / spent:,.0f}"


if __name__ == "__main__":
    main()
