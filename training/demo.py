"""`make demo`: trains a bot for Kintsugi in about two minutes, then lets it play random and greedy."""

import shutil
from pathlib import Path

from rich.console import Console

from parlour.training.args import TrainArgs
from parlour.training.trainer import train

OUT = Path("runs/demo")
MINUTES = 2.0


def main() -> None:
    console = Console()
    console.print(f"Learning Kintsugi for about {MINUTES:g} minutes: first by watching greedy, then by playing.")
    shutil.rmtree(OUT, ignore_errors=True)
    train(TrainArgs.of("kintsugi", out=str(OUT), minutes=MINUTES, evaluate_every=15.0), console=console)
    console.print(f"To meet it: parlour play kintsugi --as human,ppo:{OUT}")


if __name__ == "__main__":
    main()
