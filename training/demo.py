"""`make demo`: trains a bot for Kintsugi from nothing in about two minutes, then lets it play random and greedy."""

import tempfile

from rich.console import Console

from parlour.training.args import TrainArgs
from parlour.training.trainer import train

MINUTES = 2.0


def main() -> None:
    console = Console()
    console.print(f"Learning Kintsugi from nothing, for about {MINUTES:g} minutes, by playing against itself.")
    with tempfile.TemporaryDirectory() as folder:
        train(TrainArgs.of("kintsugi", out=folder, minutes=MINUTES, evaluate_every=15.0), console=console)
    console.print("To keep a bot: parlour train kintsugi --out runs/mine. To meet it: parlour play kintsugi.")


if __name__ == "__main__":
    main()
