"""Reading a line from the terminal, with the Tab key completing it where the platform can."""

from collections.abc import Sequence

try:
    import readline
except ImportError:  # Windows has none
    readline = None  # type: ignore[assignment]


def read_line(prompt: str, possible: Sequence[str] = ()) -> str:
    """A line as typed.

    Args:
        prompt: What stands before it.
        possible: What the Tab key completes it to.

    Raises:
        EOFError: If there is nothing more to read.
    """
    if readline is not None:
        _offer(possible)
    return input(prompt)


def completions(typed: str, possible: Sequence[str]) -> list[str]:
    """What begins as typed, in any case."""
    return [line for line in possible if line.casefold().startswith(typed.casefold())]


def _offer(possible: Sequence[str]) -> None:
    def complete(typed: str, number: int) -> str | None:
        return dict(enumerate(completions(typed, possible))).get(number)

    readline.set_completer(complete)
    readline.set_completer_delims("")  # whole lines are completed, not their words
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
