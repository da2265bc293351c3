"""What a run shows while it lasts: a live table in a terminal, plain lines elsewhere."""

from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table


class Display:
    """A progress bar with the rate, the time left and the latest win rates."""

    def __init__(self, console: Console, title: str) -> None:
        self.console, self.title = console, title
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%  {task.fields[told]}"),
            console=console,
        )
        self._task = self._bar.add_task(title, total=1.0, told="")
        self._rates: dict[str, list[float]] = {}
        self._live = Live(self._shown(), console=console, refresh_per_second=4) if console.is_terminal else None

    def __enter__(self) -> "Display":
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def say(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def progress(self, done: float, steps: int, rate: float, seconds_left: float) -> None:
        """How far the run is."""
        told = f"{steps:,} steps, {rate:,.0f}/s, {clock(seconds_left)} left"
        self._bar.update(self._task, completed=done, told=told)
        if self._live:
            self._live.update(self._shown())

    def evaluated(self, seconds: float, steps: int, rates: dict[str, float]) -> None:
        """The win rates of an evaluation."""
        for name, rate in rates.items():
            self._rates.setdefault(name, []).append(rate)
        if self._live:
            self._live.update(self._shown())
        else:
            told = ", ".join(f"{name} {rate:.3f}" for name, rate in rates.items())
            self.say(f"{clock(seconds)}  {steps:>10,} steps  {told}")

    def _shown(self) -> RenderableType:
        table = Table("win rate", "now", "best", "so far", box=None)
        for name, rates in self._rates.items():
            table.add_row(name, f"{rates[-1]:.3f}", f"{max(rates):.3f}", sparks(rates[-40:]))
        return Group(self._bar, table) if self._rates else Group(self._bar)


def clock(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    return f"{minutes}:{rest:02d}"


def sparks(rates: list[float]) -> str:
    """Win rates as a row of little bars."""
    return "".join("▁▂▃▄▅▆▇█"[min(7, int(rate * 8))] for rate in rates)
