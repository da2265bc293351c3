"""The page of each game is its package's docstring; the tables in it are generated from the game itself.

`python -m parlour.envs.core.pages` rewrites what is stale, and a test fails when something is.
"""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from textwrap import dedent

from parlour.envs.core.files import write_whole
from parlour.envs.core.game import Game
from parlour.envs.core.registry import door, games, make_game

BEGIN, END = "<!-- generated -->", "<!-- end of generated -->"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(list(head)), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def generated(name: str) -> str:
    """The generated part of a game's page: sizes by number of players, and every entry of every table."""
    import_module(door(name).module)
    game = make_game(name)
    parts = [
        "## Specs",
        table(("players", "actions", "observe", "remember", "reveal"), _sizes(name, game)),
        f"One game takes {game.rules.record.dtype.itemsize} bytes. "
        f"Tables below are those of {game.players} players; seats are counted clockwise from the observer.",
        "## Actions",
        table(("ids", "name", "meaning"), game.actions.rows()),
        "## Observation",
        _layout(game.layout.rows()),
    ]
    for title, layout in (("Information state (`remember`)", game.memory), ("Whole state (`reveal`)", game.whole)):
        parts.append(f"## {title}")
        if layout is game.layout or layout.digest() == game.layout.digest():
            parts.append("The same as the observation.")
        else:
            known = {entry.name for entry in game.layout.entries}
            added = [row for row in layout.rows() if row[1] not in known]
            kept = len(layout.entries) - len(added)
            parts += [f"{kept} entries of the observation, and:", _layout(added)]
    return "\n\n".join(parts)


def _sizes(name: str, game: Game) -> list[tuple[str, ...]]:
    counts = import_module(door(name).module).PLAYERS
    made = [game if n == game.players else make_game(name, players=n) for n in counts]
    return [
        (str(g.players), *(str(size) for size in (g.num_actions, g.layout.size, g.memory.size, g.whole.size)))
        for g in made
    ]


def _layout(rows: Iterable[Iterable[str]]) -> str:
    return table(("indices", "name", "shape", "range", "meaning"), rows)


def page_file(name: str) -> Path:
    """The file whose docstring is the game's page."""
    found = import_module(door(name).module).__file__
    assert found is not None
    return Path(found)


def with_generated(source: str, text: str) -> str:
    """The source with what stands between the marks replaced."""
    head, _, rest = source.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{text}\n\n{END}{tail}"


def stale() -> list[str]:
    """The games whose page does not tell what the game is."""
    sources = {name: page_file(name).read_text() for name in games()}
    return [name for name, source in sources.items() if with_generated(source, generated(_first(name))) != source]


def _first(name: str) -> str:
    """Editions of one package share a page, which is made from the first of them."""
    return next(other for other in games() if door(other).module == door(name).module)


def read_page(name: str) -> str:
    """The page of a game as Markdown."""
    return dedent(import_module(door(name).module).__doc__ or "")


def main() -> None:
    for name in stale():
        file = page_file(name)
        write_whole(file, with_generated(file.read_text(), generated(_first(name))))
        print(f"rewrote {file}")


if __name__ == "__main__":
    main()
