"""The command line, `parlour`."""

from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.progress import track
from rich.table import Column, Table

from parlour.envs.core.errors import ParlourError
from parlour.envs.core.files import refuse_unwritable, write_whole
from parlour.envs.core.registry import door, games
from parlour.training.train_command import train_command

app = typer.Typer(
    help="Modern tabletop games as reinforcement-learning environments.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    epilog="Try `parlour play patchwork`, or `parlour rules kitsu`. Every command has a `--help` of its own.",
)
console = Console()

GAMES, PLAY, MEASURE, TRAIN = "Games", "Play", "Measure", "Train"
"""The panels of `parlour --help`."""

AGENTS = "`random`, `greedy`, `mcts`, `mcts:iterations=500` or `ppo:FOLDER`"
"""Whom to name in help texts."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of the games that `parlour games` lists.")]


@app.command("games", rich_help_panel=GAMES)
def list_games() -> None:
    """List the games."""
    more = (Column(head, overflow="fold") for head in ("title", "players", "PettingZoo", "Gymnasium"))
    table = Table(Column("name", no_wrap=True), *more)
    for name in games():
        found = door(name)
        players = ", ".join(map(str, import_module(found.module).PLAYERS))
        table.add_row(name, found.title, players, found.pettingzoo_id, found.gymnasium_id)
    console.print(table)


@app.command("rules", rich_help_panel=GAMES)
def print_rules(game: GameName) -> None:
    """Print the rules of a game, clause by clause."""
    text = files(door(game).module).joinpath("RULES.md").read_text()
    console.print(Markdown(text))


@app.command("page", rich_help_panel=GAMES)
def print_page(game: GameName) -> None:
    """Print the page of a game: options, actions, observations."""
    from parlour.envs.core.pages import read_page

    console.print(Markdown(read_page(game)))


@app.command("play", rich_help_panel=PLAY)
def play(
    game: GameName,
    seats: Annotated[
        str,
        typer.Option(
            "--as", metavar="AGENT,...", help=f"Who sits at each seat: `human`, {AGENTS}. The last fills the rest."
        ),
    ] = "human,greedy",
    players: Annotated[int | None, typer.Option(help="How many play; else the game's usual number.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the game.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the game to this replay file.")] = None,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game, as on its page.")
    ] = None,
) -> None:
    """Play a game in the terminal, against agents or other people.

    - `parlour play patchwork`: you against greedy.

    - `parlour play klink --as greedy,human,greedy --players 3`: you sit at the second of three seats.

    - `parlour play kintsugi --as greedy,random --save game.json`: just look on, and `parlour watch` it again.
    """
    from parlour.agents.human import Terminal
    from parlour.training.table import play_game, read_options

    options = read_options(option or []) | ({} if players is None else {"players": players})
    raise typer.Exit(play_game(game, seats, seed, save, options, Terminal()))


@app.command("watch", rich_help_panel=PLAY)
def watch(
    replay: Annotated[Path, typer.Argument(help="A replay file.")],
    all: Annotated[bool, typer.Option("--all", help="Show everything at once instead of step by step.")] = False,
) -> None:
    """Step through a recorded game, forwards and backwards."""
    from parlour.agents.human import Terminal
    from parlour.envs.core.replay import Replay
    from parlour.training.watch import Viewer

    viewer = Viewer(Replay.load(replay), Terminal())
    if all:
        viewer.show_all()
    else:
        viewer.step_through()


@app.command("check", rich_help_panel=MEASURE)
def check(
    game: GameName,
    seed: Annotated[int, typer.Option(help="Seed of the play.")] = 0,
) -> None:
    """Try every promise of Parlour on random play of a game."""
    from parlour.envs.core.check import check_game

    for config in import_module(door(game).module).CONFIGURATIONS:
        console.print(f"[bold]{game}[/] {_options(config)}")
        check_game(game, seed, lambda name: console.print(f"  [green]ok[/] {name}"), **config)


def _options(config: dict[str, Any]) -> str:
    told = {key: value if key != "deck" else "replaced" for key, value in config.items()}
    return ", ".join(f"{key}={value}" for key, value in told.items())


@app.command("warmup", rich_help_panel=GAMES)
def warm_up(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all by default.")] = None,
) -> None:
    """Compile the games now rather than at their first use."""
    from parlour.envs.core.batch import PARALLEL_FROM, batch

    for name in track(game or games(), description="Compiling", console=console):
        for size in (1, PARALLEL_FROM):
            table = batch(name, size, seed=0)
            table.step(table.sample_legal())
            for use in (table.observe, table.remember, table.reveal, table.scores):
                use()
            table.determinize(0)


@app.command("bench", rich_help_panel=MEASURE)
def run_bench(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Which games; all by default.")] = None,
    seconds: Annotated[float, typer.Option(help="Seconds for each contestant.")] = 5.0,
    json: Annotated[Path | None, typer.Option(help="Write the figures to this file too.")] = None,
    training: Annotated[
        bool, typer.Option("--training", help="Measure what the games cost a learner instead.")
    ] = False,
    search: Annotated[bool, typer.Option("--search", help="Measure `mcts` instead; takes an hour or more.")] = False,
) -> None:
    """Measure the speed of games, beside peers that are installed."""
    from parlour.training.bench import bench, dump, show

    names = [door(name).name for name in game or games()]
    if json:
        refuse_unwritable(json)
    if search:
        report = _bench_search(names, seconds)
    else:
        report = _bench_training(names, seconds) if training else bench(names, seconds)
    if json:
        write_whole(json, dump(report))
    if not (search or training):
        show(report)


def _bench_search(names: list[str], seconds: float) -> dict[str, Any]:
    from parlour.training.bench_search import bench_search, show_search

    report = bench_search(names, seconds, console.print)
    show_search(report, console)
    return {"search": report}


def _bench_training(names: list[str], seconds: float) -> dict[str, Any]:
    from parlour.training import bring

    bench_training = bring("parlour.training.bench_training")
    report: dict[str, Any] = bench_training.bench_training(names, seconds, console.print)
    bench_training.show_training(report, console)
    return report


@app.command("arena", rich_help_panel=MEASURE)
def run_arena(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT AGENT", help=f"Two or more, each {AGENTS}."),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each pairing, rounded up to whole blocks.")] = 1_000,
    seed: Annotated[int, typer.Option(help="Seed of the deals and of all that agents leave to chance.")] = 0,
    players: Annotated[int | None, typer.Option(help="Seats at a table, if not the game's usual number.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the results to this file too.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratings to this file, .png or .svg.")] = None,
    until_sure: Annotated[bool, typer.Option("--until-sure", help="Stop a pairing once it is decided.")] = False,
) -> None:
    """Let agents play each other: win rates and ratings, with intervals of 95 %.

    - `parlour arena patchwork greedy random`: one pairing.

    - `parlour arena klink mcts:iterations=100 greedy random --players 3 --games 60`: three pairings, three seats.
    """
    from parlour.training.arena_report import run

    run(console, game, agents or [], games, seed, players, until_sure, json, plot)


app.command("train", rich_help_panel=TRAIN)(train_command())


def main() -> None:
    """Run the command line; what Parlour refuses is told in one line."""
    try:
        app(prog_name="parlour")
    except ParlourError as refused:
        Console(stderr=True).print(f"[red]error:[/] {escape(str(refused))}", highlight=False, soft_wrap=True)
        raise SystemExit(2) from None
