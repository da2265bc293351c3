"""A menu of moves in words that is narrowed down, choice by choice, by numbers or by parts of the words."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile


@dataclass(frozen=True)
class Move:
    """A legal action in words, whole and as choices to be made one after the other."""

    action: int
    words: str
    parts: tuple[str, ...]

    def vocabulary(self) -> set[str]:
        return {word for text in (self.words, *self.parts) for word in words_of(text)}


Choices = dict[str, list[Move]]
"""What can be chosen next, in words, and the moves that each choice leaves."""


class Menu:
    """Moves to choose from, and what each thing typed has left of them."""

    def __init__(self, moves: list[Move]) -> None:
        self._narrowed = [moves]

    @property
    def moves(self) -> list[Move]:
        """What is still left to choose from."""
        return self._narrowed[-1]

    @property
    def settled(self) -> Move | None:
        """The move, if a single one is left."""
        return self.moves[0] if len(self.moves) == 1 else None

    @property
    def narrowed(self) -> bool:
        """Whether anything typed can be taken back."""
        return len(self._narrowed) > 1

    def choices(self) -> Choices:
        """The moves by the first part in which they differ."""
        for depth in range(max(len(move.parts) for move in self.moves)):
            found: Choices = {}
            for move in self.moves:
                found.setdefault(move.parts[depth] if depth < len(move.parts) else move.words, []).append(move)
            if len(found) > 1:
                return found
        return {move.words: [move] for move in self.moves}

    def narrow(self, typed: str) -> str | None:
        """Keep the moves that a number or a text fits.

        Returns:
            None, or why it was of no use.
        """
        choices = self.choices()
        left = fitting(typed, choices)
        if not left:
            return f'Nothing here fits "{typed}".{_suggestion(typed, choices)}'
        if len(left) < len(self.moves):
            self._narrowed.append(left)
        elif not self.settled:
            return f'"{typed}" fits all that is here.'
        return None

    def back(self) -> bool:
        """Take back what was typed last; False if there is nothing to take back."""
        if not self.narrowed:
            return False
        self._narrowed.pop()
        return True

    def chosen(self) -> list[str]:
        """The parts that all the moves left begin with."""
        shared = zip(*(move.parts for move in self.moves), strict=False)
        return [same[0] for same in takewhile(lambda parts: len(set(parts)) == 1, shared)]

    def listing(self, width: int) -> str:
        """The numbered choices, in columns where several fit side by side."""
        entries = [
            f"{number:3}  {label}" + (f"  ({len(left)} ways)" if len(left) > 1 else "")
            for number, (label, left) in enumerate(self.choices().items(), 1)
        ]
        return in_columns(entries, width)


def words_of(text: str) -> list[str]:
    """The words of a text without the signs between them."""
    return text.replace(",", " ").replace(":", " ").split()


def fitting(typed: str, choices: Choices) -> list[Move]:
    """The moves that a typed number or text leaves; none if it fits nothing."""
    numbered = {str(number): left for number, left in enumerate(choices.values(), 1)}
    if typed in numbered:
        return numbered[typed]
    for same in (str.__eq__, str.startswith):
        named = [label for label in choices if same(_plain(label), _plain(typed))]
        if len(named) == 1:
            return choices[named[0]]
    moves = [move for left in choices.values() for move in left]
    if whole := [move for move in moves if _plain(move.words) == _plain(typed)]:
        return whole
    for word in words_of(typed):
        moves = _having(word, moves)
    return moves


def _plain(text: str) -> str:
    return " ".join(words_of(text))


def _having(word: str, moves: list[Move]) -> list[Move]:
    """The moves with this word, else with it in another case, else with a word that begins so."""
    known, folded = [(move, move.vocabulary()) for move in moves], word.casefold()
    return (
        [move for move, vocabulary in known if word in vocabulary]
        or [move for move, vocabulary in known if folded in {one.casefold() for one in vocabulary}]
        or [move for move, vocabulary in known if any(one.casefold().startswith(folded) for one in vocabulary)]
    )


def _suggestion(typed: str, choices: Choices) -> str:
    near = get_close_matches(typed.casefold(), [label.casefold() for label in choices], n=1)
    original = next((label for label in choices if near and label.casefold() == near[0]), None)
    return f' Did you mean "{original}"?' if original else f" Type a number from 1 to {len(choices)}, words, or help."


def in_columns(entries: Sequence[str], width: int) -> str:
    """Entries in as many columns of equal width as fit, read downwards."""
    wide = max(map(len, entries)) + 2
    rows = -(-len(entries) // max(1, width // wide))
    return "\n".join("".join(f"{entry:{wide}}" for entry in entries[row::rows]).rstrip() for row in range(rows))
