"""What the arena found, as tables, a plot and JSON."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from parlour.envs.core.errors import ConfigError, MissingExtra
from parlour.envs.core.files import refuse_unwritable, write_whole
from parlour.training.arena import ArenaResult, arena

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLOTS = (".png", ".svg")


def run(
    console: Console,
    game: str,
    agents: Sequence[str],
    games: int,
    seed: int,
    players: int | None,
    until_sure: bool,
    json_file: Path | None,
    plot_file: Path | None,
) -> None:
    """The command `parlour arena`: what cannot be written is refused before anything is played."""
    for file in (json_file, plot_file):
        if file:
            refuse_unwritable(file)
    if plot_file:
        _check_plot(plot_file)
    config = {} if players is None else {"players": players}
    result = arena(game, agents, games, seed, until_sure=until_sure, progress=True, **config)
    show(console, result)
    if json_file:
        write_json(result, json_file)
    if plot_file:
        write_plot(result, plot_file)


# --- files


def write_json(result: ArenaResult, path: str | Path) -> None:
    write_whole(path, json.dumps(result.report(), indent=2) + "\n")


def write_plot(result: ArenaResult, path: str | Path) -> None:
    """The ratings with their intervals as a picture, of the kind that the name ends with."""
    _check_plot(Path(path))
    drawn = io.BytesIO()
    draw_ratings(result).savefig(drawn, format=Path(path).suffix[1:].lower(), dpi=150)
    write_whole(path, drawn.getvalue())


def _check_plot(path: Path) -> None:
    if path.suffix.lower() not in PLOTS:
        raise ConfigError(f"a plot is a file that ends with {' or '.join(PLOTS)}, got {path}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as missing:
        raise MissingExtra("plots need matplotlib: pip install 'parlour[train]'") from missing


def draw_ratings(result: ArenaResult) -> "Figure":
    """The agents from the weakest at the bottom to the strongest, each with the interval of its rating."""
    from matplotlib.figure import Figure

    order = sorted(range(len(result.agents)), key=lambda number: result.agents[number].rating)
    names, agents = labels(result), [result.agents[number] for number in order]
    figure = Figure(figsize=(7, 1.4 + 0.42 * len(agents)), layout="constrained")
    axes = figure.add_subplot()
    ratings = [agent.rating for agent in agents]
    reach = [
        [agent.rating - agent.rating_low for agent in agents],
        [agent.rating_high - agent.rating for agent in agents],
    ]
    axes.errorbar(ratings, range(len(agents)), xerr=reach, fmt="o", color="#1f4e79", capsize=4, linewidth=1.5)
    axes.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(agents)), [names[number] for number in order])
    axes.set_ylim(-0.6, len(agents) - 0.4)
    axes.set_xlabel("rating, Elo points (mean 0), with intervals of 95 %")
    axes.set_title(f"{_title(result)}: {result.games:,} games a pairing", loc="left", fontsize=10)
    axes.grid(axis="x", color="#e5e5e5")
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    return figure


# --- tables


def show(console: Console, result: ArenaResult) -> None:
    """The results as tables, the strongest first."""
    names = labels(result)
    console.print(agents_table(result, names))
    if len(result.pairs) > 1:
        console.print(pairs_table(result, names))
    for circle in result.circles:
        a, b, c = (names[number] for number in circle)
        console.print(
            f"Not transitive: {a} beats {b}, {b} beats {c}, and {c} beats {a}. One rating cannot say that.",
            markup=False,
            highlight=False,
        )


def agents_table(result: ArenaResult, names: Sequence[str]) -> Table:
    table = Table(title=f"{_title(result)}, seed {result.seed}", title_justify="left", box=SIMPLE_HEAD)
    table.add_column("agent", overflow="fold")
    for column in ("games", "win rate", "rating", "score", "a move"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, agent in sorted(zip(names, result.agents, strict=True), key=lambda line: -line[1].rating):
        table.add_row(
            escape(name),
            f"{agent.games:,}",
            _within(agent.win_rate, agent.win_rate_low, agent.win_rate_high),
            f"{agent.rating:+.0f} [{agent.rating_low:+.0f}, {agent.rating_high:+.0f}]",
            f"{agent.mean_score:.1f}",
            _duration(agent.seconds_per_move),
        )
    return table


def pairs_table(result: ArenaResult, names: Sequence[str]) -> Table:
    table = Table("agent", "against", title="Pairings", title_justify="left", box=SIMPLE_HEAD)
    for column in ("games", "win rate"):
        table.add_column(column, justify="right", no_wrap=True)
    numbers = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    for (a, b), pair in zip(numbers, result.pairs, strict=True):
        rate = _within(pair.a_win_rate, pair.a_win_rate_low, pair.a_win_rate_high)
        table.add_row(escape(names[a]), escape(names[b]), f"{pair.games:,}", rate)
    return table


def labels(result: ArenaResult) -> list[str]:
    """The names of the agents, numbered where one comes more than once."""
    names = [agent.name for agent in result.agents]
    return [f"{name} ({names[:i].count(name) + 1})" if names.count(name) > 1 else name for i, name in enumerate(names)]


def _title(result: ArenaResult) -> str:
    return f"{result.game}, {result.config['players']} players" if "players" in result.config else result.game


def _within(estimate: float, low: float, high: float) -> str:
    return f"{estimate:.2f} [{low:.2f}, {high:.2f}]"


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.2g} µs"
