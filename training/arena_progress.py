"""How far the arena is, while it plays."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from parlour.training.arena import Watcher


class Speed(ProgressColumn):
    """Finished games per second."""

    def render(self, task: Task) -> Text:
        speed = f"{task.completed / task.elapsed:,.0f} games/s" if task.elapsed else ""
        return Text(speed, style="progress.data.speed")


class Bar(Watcher):
    """A bar with games per second and the time left; silent where there is no terminal."""

    def __init__(self, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), Speed(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
        self._games = self._progress.add_task("games", total=None)

    def expects(self, games: int) -> None:
        task = self._progress.tasks[0]
        self._progress.update(self._games, total=(task.total or 0) + games)

    def finished(self, games: int) -> None:
        self._progress.advance(self._games, games)

    def __enter__(self) -> "Bar":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
