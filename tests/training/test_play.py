"""`parlour play` and `parlour watch`, as typed at a terminal."""

import builtins
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import parlour
from parlour.agents.human import Terminal
from parlour.agents.spec import split_specs
from parlour.training.cli import app
from parlour.training.table import play_game, read_options, told_winners

FIRST = "1!\n"
"""Plays the first move of the list, or narrows down to it."""
GO_ON = FIRST * 2000


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a game is kept as by default lands in a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, typed: str = "") -> Any:
    return CliRunner().invoke(app, list(arguments), input=typed, catch_exceptions=False)


def saved(file: Path) -> parlour.Replay:
    """The replay in a file, after it has been played again to the bit."""
    replay = parlour.Replay.load(file)
    assert len(list(replay.play())) == len(replay.actions) + 1
    return replay


class TestPlay:
    @pytest.mark.parametrize("name", parlour.games())
    def test_a_game_against_an_agent_is_played_to_its_end_and_kept(self, name: str, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        done = run("play", name, "--as", "human,random", "--seed", "3", "--save", str(file), typed=GO_ON)
        assert done.exit_code == 0, done.output
        replay = saved(file)
        assert replay.seed == 3
        assert any(replay.returns)
        ending = done.output.split("Final scores\n")[1]
        assert [int(line.rsplit(": ")[1]) for line in ending.splitlines()[: len(replay.scores)]] == replay.scores
        best = [seat for seat, paid in enumerate(replay.returns) if paid == max(replay.returns)]
        assert all(f"player_{seat}" in ending.splitlines()[len(replay.scores)] for seat in best)

    def test_agents_among_themselves_are_told_move_by_move(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        done = run("play", "kintsugi", "--as", "random", "--players", "3", "--seed", "1", "--save", str(file))
        replay = saved(file)
        told = re.findall(r"^player_\d \(random\): [a-z].*$", done.output, re.MULTILINE)
        expected = [
            f"player_{int(batch.current_player[0])} (random): {batch.say(action)}"
            for batch, action in zip(replay.play(), replay.actions, strict=False)
        ]
        assert told == expected

    def test_the_same_seed_gives_the_same_game(self) -> None:
        first, again = (run("play", "klink", "--as", "random", "--seed", "8") for _ in range(2))
        assert first.output == again.output

    def test_seats_are_filled_in_order_and_the_last_fills_the_rest(self) -> None:
        done = run("play", "klink", "--as", "random,human", "--seed", "1", typed="quit\n\n")
        assert "player_0 is random, player_1 is human, player_2 is human, player_3 is human." in done.output

    def test_a_person_plays_against_greedy_if_nothing_else_is_said(self) -> None:
        done = run("play", "patchwork", "--seed", "5", typed="quit\n\n")
        assert "Patchwork, seed 5: player_0 is human, player_1 is greedy." in done.output

    def test_options_of_the_game_are_taken(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        run("play", "kitsu", "--as", "random", "--option", "track_length=5", "--players", "2", "--save", str(file))
        assert saved(file).config["track_length"] == 5
        assert saved(file).config["players"] == 2

    def test_what_others_do_is_told_without_their_secrets(self) -> None:
        done = run("play", "kitsu", "--as", "human,random", "--seed", "5", typed=GO_ON)
        assert done.output.count("(random): put a card aside") >= 3
        assert "(random): put aside" not in done.output
        assert set(re.findall(r"^(player_\d) holds", done.output, re.MULTILINE)) == {"player_0"}

    def test_people_with_secrets_hand_over_the_keyboard(self) -> None:
        done = run("play", "kitsu", "--as", "human", "--seed", "5", "--option", "first_player=0", typed="1!\n\nquit\n")
        first, second = done.output.split("Press Enter when only player_1 is looking.")
        assert "player_0 holds" in first
        assert "player_1 holds" in second
        assert "player_0 holds" not in second
        assert "player_0 (human): put a card aside" in second

    def test_people_without_secrets_just_go_on(self) -> None:
        assert (
            "Press Enter" not in run("play", "patchwork", "--as", "human", "--seed", "5", typed="1!\nquit\n\n").output
        )


class TestLeaving:
    def test_a_game_that_is_left_is_offered_as_a_replay(self, tmp_path: Path) -> None:
        taken, file = tmp_path / "taken.json", tmp_path / "game.json"
        taken.write_text("something else")
        typed = f"1!\nquit\n{taken}\n{tmp_path / 'nowhere' / 'x'}\n{file}\n"
        done = run("play", "patchwork", "--as", "human", "--seed", "5", typed=typed)
        assert done.exit_code == 0
        assert "player_1 has left the table, after 1 moves." in done.output
        assert f"{taken} exists already." in done.output
        assert "cannot be written: No such file or directory." in done.output
        assert f"parlour watch {file}" in done.output
        assert taken.read_text() == "something else"
        assert saved(file).returns == [0.0, 0.0]

    def test_yes_saves_under_a_name_of_its_own(self, tmp_path: Path) -> None:
        run("play", "patchwork", "--as", "human", "--seed", "5", typed="quit\ny\n")
        assert saved(tmp_path / "patchwork-5.json").actions == []

    @pytest.mark.parametrize("answer", ["\n", "no\n", ""])
    def test_no_answer_saves_nothing(self, answer: str, tmp_path: Path) -> None:
        assert run("play", "patchwork", "--as", "human", "--seed", "5", typed=f"quit\n{answer}").exit_code == 0
        assert list(tmp_path.iterdir()) == []

    def test_the_end_of_the_input_ends_the_game_politely(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        done = run("play", "patchwork", "--as", "human", "--seed", "5", "--save", str(file), typed="advance!\n")
        assert done.exit_code == 1
        assert "There is no more input: the game ends after 1 moves." in done.output
        assert saved(file).actions == [0]

    def test_an_interrupt_ends_the_game_politely(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(prompt: str) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr(builtins, "input", interrupted)
        file = tmp_path / "game.json"
        done = run("play", "patchwork", "--as", "human", "--seed", "5", "--save", str(file))
        assert done.exit_code == 130
        assert "Stopped after 0 moves." in done.output
        assert saved(file).actions == []


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("kitsu", "--as", "human,gready"), "no agent 'gready'; the agents are random, greedy"),
            (("patchwork", "--as", "human,random,random"), "Patchwork has 2 seats here, got 3 players"),
            (("chess",), "no game 'chess'; the games are kintsugi"),
            (("kitsu", "--players", "3"), "players must be one of 2, 4, 6, got 3"),
            (("kitsu", "--option", "length=3"), "kitsu has no option 'length'; its options are players"),
            (("kitsu", "--option", "length"), "an option is given as KEY=VALUE, such as players=2, got 'length'"),
            (("kitsu", "--save", "/nowhere/game.json"), "there is no folder /nowhere"),
            (("kitsu", "--save", "."), "cannot save to .: it is a folder"),
            (("kitsu", "--as", "random", "--seed", "-1"), "seed must be from 0"),
        ],
    )
    def test_what_cannot_be_played_is_said_before_the_game(self, arguments: tuple[str, ...], told: str) -> None:
        with pytest.raises(parlour.ConfigError, match=re.escape(told)):
            run("play", *arguments)


class TestReading:
    def test_specs_may_have_options_with_commas(self) -> None:
        assert split_specs("human,greedy") == ["human", "greedy"]
        assert split_specs("mcts:iterations=9,exploration=1,greedy") == ["mcts:iterations=9,exploration=1", "greedy"]
        assert split_specs("ppo:bots/mine,mcts:iterations=9, random") == [
            "ppo:bots/mine",
            "mcts:iterations=9",
            "random",
        ]

    def test_values_are_json_or_words(self) -> None:
        assert read_options(["first_player=2", "reward=margin", "mirror=false"]) == {
            "first_player": 2,
            "reward": "margin",
            "mirror": False,
        }

    @pytest.mark.parametrize(
        ("returns", "told"),
        [
            ([1.0, -1.0], "player_0 wins."),
            ([-1.0, 1.0, -1.0, 1.0], "player_1 and player_3 win."),
            ([0.0, 0.0], "Nobody wins."),
        ],
    )
    def test_the_highest_return_wins(self, returns: list[float], told: str) -> None:
        assert told_winners(returns) == told


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any) -> Path:
    """A game of Kitsu, recorded."""
    target: Path = tmp_path_factory.mktemp("replays") / "game.json"
    play_game("kitsu", "random", 7, target, {}, Terminal(tell=lambda _: None))
    return target


class TestWatch:
    def places(self, done: Any) -> list[int]:
        return [int(place) for place in re.findall(r"--- Kitsu, (\d+) of \d+ moves ---", done.output)]

    def test_it_steps_forwards_backwards_and_anywhere(self, file: Path) -> None:
        done = run("watch", str(file), typed="\nn\nb\n9\nback\n0\nb\nq\n")
        assert self.places(done) == [0, 1, 2, 1, 9, 8, 0, 0]
        assert done.exit_code == 0

    def test_what_it_does_not_know_it_asks_again(self, file: Path) -> None:
        done = run("watch", str(file), typed="sideways\n9999\nq\n")
        assert self.places(done) == [0]
        assert done.output.count("Enter next, b back, a number jumps there, q quits (0 to ") == 2

    def test_enter_after_the_last_move_ends_it(self, file: Path) -> None:
        replay = parlour.Replay.load(file)
        done = run("watch", str(file), typed=f"{len(replay.actions) - 1}\n\n\n")
        assert self.places(done)[-1] == len(replay.actions)
        assert f"Scores: {replay.scores}." in done.output
        assert done.exit_code == 0

    def test_it_shows_every_board_move_and_hand(self, file: Path) -> None:
        replay = parlour.Replay.load(file)
        done = run("watch", str(file), "--all")
        assert done.output.count("Last trick:") == sum("Last trick:" in shown for shown in done.output.split("---"))
        assert self.places(done) == list(range(len(replay.actions) + 1))
        for batch, action in zip(replay.play(), replay.actions, strict=False):
            assert batch.game.show(batch.states[0], 0, 1, 2, 3) in done.output
            assert f"Next, player_{int(batch.current_player[0])}: {batch.say(action)}" in done.output

    def test_the_end_of_the_input_stops_it(self, file: Path) -> None:
        assert run("watch", str(file), typed="\n").exit_code == 1
