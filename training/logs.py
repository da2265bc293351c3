"""What a run writes down: a CSV file of its evaluations, tensorboard, and the learning curve as a picture."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from parlour.envs.core.files import write_whole

Row = dict[str, float]


class Log:
    """The evaluations of a run, as rows of `progress.csv`, and curves for tensorboard."""

    def __init__(self, folder: Path, steps: int = 0) -> None:
        """Go on with the log in a folder, without what came after `steps`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "progress.csv"
        self.rows = [row for row in read_rows(self.path) if row["steps"] <= steps] if steps else []
        self._write()
        self._board: Any = SummaryWriter(str(folder / "tensorboard"), purge_step=steps or None)

    def curve(self, values: Mapping[str, float], steps: int) -> None:
        """Points of tensorboard's curves."""
        for name, value in values.items():
            self._board.add_scalar(name, value, steps)

    def row(self, values: Row) -> None:
        """An evaluation."""
        self.rows.append(values)
        self._write()
        self.curve({f"evaluation/{name}": value for name, value in values.items()}, int(values["steps"]))
        self._board.flush()

    def close(self) -> None:
        self._board.close()

    def _write(self) -> None:
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        text = io.StringIO()
        table = csv.DictWriter(text, names, lineterminator="\n")
        table.writeheader()
        table.writerows({name: f"{value:.6g}" for name, value in row.items()} for row in self.rows)
        write_whole(self.path, text.getvalue())


def read_rows(path: Path) -> list[Row]:
    """The rows of a `progress.csv`."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [{name: float(value) for name, value in row.items() if value} for row in csv.DictReader(file)]


def draw_curve(rows: list[Row], title: str, path: Path) -> None:
    """Win rates over time as a picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name in dict.fromkeys(name for row in rows for name in row if name.startswith("against ")):
        points = [(row["seconds"] / 60, row[name]) for row in rows if name in row]
        axes.plot(*zip(*points, strict=True), marker=".", label=name)
    axes.axhline(0.5, color="grey", linewidth=0.8, linestyle=":")
    axes.set(title=title, xlabel="minutes", ylabel="win rate", ylim=(0, 1.02))
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    write_whole(path, picture.getvalue())
