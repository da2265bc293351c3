"""`python -m parlour.training`, and what the `parlour` command calls."""

import sys


def main() -> None:
    try:
        from parlour.training.cli import main as run
    except ModuleNotFoundError as missing:
        if missing.name not in ("rich", "typer"):
            raise
        sys.exit(f"the command line needs {missing.name}: pip install 'parlour[play]'")
    run()


if __name__ == "__main__":
    main()
