"""The player at the terminal: what is shown, how a move is chosen, and that nothing hidden is told."""

import builtins
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.agents import completion
from parlour.agents.completion import completions, read_line
from parlour.agents.human import COMMANDS, Human, LeftTable, Terminal, Turn
from parlour.agents.menu import Menu, Move, in_columns
from parlour.envs.core.batch import Batch
from parlour.envs.core.registry import door

TABLES = [
    pytest.param(name, players, id=f"{name}-{players}")
    for name in parlour.games()
    for players in import_module(door(name).module).PLAYERS
]


class Script:
    """A terminal at which these lines are typed; then there is no more input."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.told, self.possible = list(lines), [], []  # type: tuple[list[str], list[str], list[str]]
        self.terminal = Terminal(self.ask, self.told.append)

    def ask(self, _: str, possible: Sequence[str]) -> str:
        self.possible = list(possible)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    @property
    def text(self) -> str:
        return "\n".join(self.told)


def choose(batch: Batch, *lines: str) -> tuple[str, Script]:
    """What is played when these lines are typed."""
    script = Script(*lines)
    action = Turn(batch, 0, script.terminal).choose()
    assert not script.lines, "it was chosen before all was typed"
    return batch.say(action), script


def later(name: str, steps: int, seed: int = 0, **config: Any) -> Batch:
    batch = parlour.batch(name, seed=seed, **config)
    for _ in range(steps):
        batch.step(batch.sample_legal())
    return batch


def moves(batch: Batch) -> list[Move]:
    state = batch.states[0]
    return [Move(a, batch.say(a), batch.game.choices(state, a)) for a in np.flatnonzero(batch.legal[0]).tolist()]


SECRETIVE = ("kitsu", "klink")
"""Where players hide things from each other; elsewhere only decks lie face down."""


def each_stage(name: str, players: int, try_it: Callable[[Batch], None]) -> None:
    """Random play, with something to try before every step."""
    batch = parlour.batch(name, seed=players, players=players)
    steps = 120 if name in SECRETIVE else 30
    for _ in range(steps):
        if batch.current_player[0] < 0:
            batch.reset()
        try_it(batch)
        batch.step(batch.sample_legal())


class TestSecrets:
    @pytest.mark.parametrize(("name", "players"), TABLES)
    def test_dealing_anew_what_a_seat_cannot_know_does_not_change_its_board(self, name: str, players: int) -> None:
        def try_it(batch: Batch) -> None:
            for seat in range(players):
                assert batch.determinize(seat, seed=9).board(0, seat) == batch.board(0, seat)

        each_stage(name, players, try_it)

    @pytest.mark.parametrize(("name", "players"), [table for table in TABLES if table.values[0] in SECRETIVE])
    def test_moves_that_leave_a_listener_with_the_same_knowledge_are_told_in_the_same_words(
        self, name: str, players: int
    ) -> None:
        def try_it(batch: Batch) -> None:
            legal = np.flatnonzero(batch.legal[0])
            after = batch.copy(np.zeros(legal.size, np.int64))
            after.step(legal)
            if name == "kitsu" and (after.states["on_table"] < batch.states["on_table"]).any():
                return  # the trick is over, and what lay open may be forgotten
            for seat in set(range(players)) - {int(batch.current_player[0])}:
                heard: dict[bytes, str] = {}
                for action, known in zip(legal.tolist(), after.remember(seat), strict=True):
                    words = batch.say(action, 0, seat)
                    assert heard.setdefault(known.tobytes(), words) == words

        each_stage(name, players, try_it)

    def test_a_seat_of_kitsu_sees_its_own_hand_and_no_other(self) -> None:
        batch = parlour.batch("kitsu", seed=4)
        for seat, hand in enumerate(batch.describe()["hands"]):
            board = batch.board(0, seat)
            assert f"player_{seat} holds {', '.join(hand)}." in board
            assert board.count("holds") == 1

    def test_a_seat_of_klink_sees_the_card_it_has_looked_at(self) -> None:
        batch = parlour.batch("klink", seed=4)
        mover = int(batch.current_player[0])
        batch.step([1])
        assert f"player_{mover} knows: slot 1 is {batch.describe()['drawn'][1]}." in batch.board(0, mover)
        assert "knows" not in batch.board(0, (mover + 1) % 4)

    def test_others_hear_of_cards_that_lie_open(self) -> None:
        batch = later("kitsu", 4, seed=1)
        action = int(batch.sample_legal()[0])
        other = (int(batch.current_player[0]) + 1) % 4
        assert batch.say(action, 0, other) == batch.say(action) != "put a card aside"


class TestChoosing:
    def test_a_number_and_enter_play_the_move_in_the_list(self) -> None:
        batch = later("kintsugi", 0)
        words, script = choose(batch, "2", "")
        assert f"  2  {words}" in script.text
        assert f'"{words}": Enter plays it, back takes it back.' in script.told[-1]

    def test_the_board_of_the_seat_comes_first(self) -> None:
        batch = later("klink", 1)
        _, script = choose(batch, "1!")
        assert script.told[0].strip() == batch.board(0, int(batch.current_player[0]))

    def test_words_choose_as_well(self) -> None:
        assert choose(later("patchwork", 0, seed=5), "advance", "y")[0] == "advance"
        assert choose(later("patchwork", 0, seed=5), "ADV", "yes")[0] == "advance"

    def test_a_mark_plays_without_asking_again(self) -> None:
        assert choose(later("patchwork", 0, seed=5), "adv!")[0] == "advance"

    def test_a_patch_is_chosen_then_turned_then_placed(self) -> None:
        words, script = choose(later("patchwork", 0, seed=5), "buy F", "turned 90", "c4", "")
        assert words == "buy F, turned 90, at c4"
        assert "buy F, turned 90: XX/XX/.X\n" in script.text

    def test_a_patch_is_drawn_on_the_quilt_before_it_is_placed(self) -> None:
        batch = later("patchwork", 6, seed=5)
        mover, action = int(batch.current_player[0]), int(np.flatnonzero(batch.legal[0])[-1])
        words, script = choose(batch, batch.say(action), "")
        drawn = script.told[-2].strip("\n").splitlines()[1:]
        patch = words.split()[1].rstrip(",")
        batch.step([action])
        assert [row[3:].replace(" ", "").replace("#", patch) for row in drawn] == batch.describe()["seats"][mover][
            "quilt"
        ]

    def test_parts_of_the_words_choose_at_once(self) -> None:
        assert choose(later("patchwork", 0, seed=5), "F flip 270 c4", "")[0] == "buy F, flipped, turned 270, at c4"

    def test_back_takes_back_one_thing_at_a_time(self) -> None:
        words, _ = choose(later("patchwork", 0, seed=5), "F", "2", "c4", "back", "d4", "back", "back", "1", "a1", "")
        assert words == "buy F, at a1"

    def test_back_at_the_start_says_that_there_is_nothing(self) -> None:
        _, script = choose(later("patchwork", 0, seed=5), "back", "1!")
        assert "There is nothing to take back." in script.told

    def test_a_single_legal_move_still_waits_for_enter(self) -> None:
        batch = parlour.batch("klink", seed=0, players=2)
        while batch.legal[0].sum() > 1:
            batch.step(batch.sample_legal())
        for line in ("", "y", "1", batch.say(int(batch.legal[0].argmax()))):
            _, script = choose(batch, "2", line)
            assert "there is no other move" in script.told[-2]
            assert script.told[-1].startswith('Nothing here fits "2".')

    @pytest.mark.parametrize("typed", ["xyzzy", "99", "-1", "buy Q", "1.5", "advanced", "0", "9" * 5000, "²"])
    def test_what_fits_nothing_asks_again_and_says_what_is_possible(self, typed: str) -> None:
        words, script = choose(later("patchwork", 0, seed=5), typed, "advance!")
        assert words == "advance"
        assert any("Type a number from 1 to 4" in told or "Did you mean" in told for told in script.told)

    def test_a_slip_of_the_finger_gets_a_suggestion(self) -> None:
        _, script = choose(later("patchwork", 0, seed=5), "advnace", "1!")
        assert 'Nothing here fits "advnace". Did you mean "advance"?' in script.told

    def test_what_fits_everything_changes_nothing(self) -> None:
        _, script = choose(later("patchwork", 0, seed=5), "buy", "buy", ",", "back", "1!")
        assert '"buy" fits all that is here.' in script.told
        assert '"," fits all that is here.' in script.told

    def test_enter_alone_lists_the_moves_again(self) -> None:
        _, script = choose(later("patchwork", 0, seed=5), "", "1!")
        assert script.text.count("Your move?") == 2

    def test_every_command_of_the_help_answers(self) -> None:
        batch = later("kintsugi", 3)
        _, script = choose(batch, "?", "board", "moves", "rules", "help", "1!")
        assert script.text.count(batch.board()) == 2
        assert script.text.count("Your move?") == 2
        assert "KIN-13" in script.text
        assert all(script.text.count(meaning) == 2 for meaning in COMMANDS.values())

    @pytest.mark.parametrize("typed", ["quit", "q", " QUIT "])
    def test_quitting_leaves_the_table(self, typed: str) -> None:
        with pytest.raises(LeftTable, match="has left the table"):
            choose(later("kintsugi", 0), typed)

    def test_no_more_input_is_passed_on(self) -> None:
        with pytest.raises(EOFError):
            choose(later("kintsugi", 0), "2")

    def test_the_agent_asks_row_by_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        batch = parlour.batch("kintsugi", size=3, seed=1)
        typed = iter(["1", "", "2!"])
        monkeypatch.setattr(builtins, "input", lambda _: next(typed))
        chosen = parlour.agents.load("human", batch.game).act(batch, np.array([0, 2]))
        first, last = (np.flatnonzero(batch.legal[row]) for row in (0, 2))
        np.testing.assert_array_equal(chosen, [first[0], last[1]])

    def test_it_has_no_options(self) -> None:
        assert parlour.agents.load("human") == Human()
        with pytest.raises(parlour.ConfigError, match="human has no option 'me'; it has none"):
            parlour.agents.load("human:me")


class TestMenu:
    @pytest.mark.parametrize("name", parlour.games())
    def test_every_legal_move_is_reached_by_its_words_and_by_numbers(self, name: str) -> None:
        batch = later(name, 0, seed=3)
        for _ in range(30):
            listed = moves(batch)
            for move in listed[:: max(1, len(listed) // 12)]:
                by_words = Menu(listed)
                assert len(listed) == 1 or by_words.narrow(move.words) is None
                assert by_words.settled == move
                assert self.by_numbers(Menu(listed), move) == move
            batch.step(batch.sample_legal())

    @staticmethod
    def by_numbers(menu: Menu, wanted: Move) -> Move | None:
        while menu.settled is None:
            number = [wanted in left for left in menu.choices().values()].index(True) + 1
            assert menu.narrow(str(number)) is None
        return menu.settled

    def test_the_case_of_letters_counts_where_it_tells_moves_apart(self) -> None:
        menu = Menu([Move(0, "buy F", ("buy F",)), Move(1, "buy f", ("buy f",))])
        assert menu.narrow("f") is None
        assert menu.settled == Move(1, "buy f", ("buy f",))

    def test_moves_in_the_same_words_are_still_told_apart(self) -> None:
        menu = Menu([Move(0, "buy F", ("buy",)), Move(1, "buy f", ("buy",))])
        assert list(menu.choices()) == ["buy F", "buy f"]

    def test_columns_are_read_downwards_and_fit_the_width(self) -> None:
        assert in_columns(["a", "bb", "c", "dd", "e"], 12) == "a   c   e\nbb  dd"
        assert in_columns(["long", "line"], 3) == "long\nline"


class TestCompletion:
    def test_the_moves_and_the_commands_are_offered(self) -> None:
        _, script = choose(later("patchwork", 0, seed=5), "1!")
        assert script.possible == ["advance", "buy F", "buy B", "buy Z", *COMMANDS]

    def test_what_begins_as_typed_is_offered_in_any_case(self) -> None:
        assert completions("BU", ["advance", "buy F", "Buy B"]) == ["buy F", "Buy B"]

    def test_the_tab_key_asks_for_one_completion_after_the_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        readline = pytest.importorskip("readline")
        monkeypatch.setattr(builtins, "input", lambda prompt: prompt)
        assert read_line("> ", ["keep cup", "keep vase", "sell cup"]) == "> "
        complete = readline.get_completer()
        assert [complete("keep", number) for number in range(3)] == ["keep cup", "keep vase", None]
        assert readline.get_completer_delims() == ""

    def test_lines_are_read_where_there_is_no_readline(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(completion, "readline", None)
        monkeypatch.setattr(builtins, "input", lambda _: "typed")
        assert read_line("> ", ["keep cup"]) == "typed"
