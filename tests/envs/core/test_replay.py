"""Replays are played again to the bit and refuse whatever they are not."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import parlour
from parlour.training.cli import app


def recorded(name: str = "kintsugi", steps: int = 10_000, **config: object) -> tuple[parlour.Replay, parlour.Batch]:
    batch, actions = parlour.batch(name, seed=9, **config), []
    while batch.current_player[0] >= 0 and len(actions) < steps:
        actions.append(int(batch.sample_legal()[0]))
        batch.step(actions[-1:])
    return parlour.Replay.of(batch.game, 9, actions), batch


@pytest.mark.parametrize("name", parlour.games())
def test_a_saved_game_is_played_again_to_the_bit(name: str, tmp_path: Path) -> None:
    replay, batch = recorded(name)
    replay.save(tmp_path / "game.json")
    again = parlour.Replay.load(tmp_path / "game.json")
    assert again == replay
    *_, last = again.play()
    assert last._states.tobytes() == batch._states.tobytes()
    assert sum(replay.returns) == pytest.approx(0, abs=1e-6)
    assert any(replay.returns) or name != "patchwork"


def test_the_seed_of_any_row_makes_its_replay() -> None:
    batch, actions = parlour.batch("kintsugi", size=3, seed=4), []
    for _ in range(6):
        chosen = batch.sample_legal()
        actions.append(int(chosen[2]))
        batch.step(chosen)
    *_, last = parlour.Replay.of(batch.game, int(batch.seeds[2]), actions).play()
    assert last.describe() == batch.describe(2)


def test_an_unfinished_game_can_be_recorded() -> None:
    replay, batch = recorded(steps=5)
    *_, last = replay.play()
    assert last.describe() == batch.describe()
    assert replay.returns == [0.0, 0.0]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "chess"}, "is not a"),
        ({"version": 7}, "v7; this Parlour plays v0"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"config": {"players": 9}}, "players must be one of"),
        ({"seed": "x"}, "seed is missing"),
        ({"actions": None}, "actions is missing"),
    ],
)
def test_a_foreign_file_is_refused(change: dict[str, object], complaint: str, tmp_path: Path) -> None:
    replay, _ = recorded(steps=3)
    replay.save(tmp_path / "game.json")
    told = json.loads((tmp_path / "game.json").read_text())
    (tmp_path / "game.json").write_text(json.dumps(told | change))
    with pytest.raises(parlour.ReplayError, match=complaint):
        parlour.Replay.load(tmp_path / "game.json")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{")
    with pytest.raises(parlour.ReplayError, match="cannot be read"):
        parlour.Replay.load(tmp_path / "game.json")
    with pytest.raises(parlour.ReplayError, match="cannot be read"):
        parlour.Replay.load(tmp_path / "nowhere.json")


def test_a_changed_result_or_action_is_noticed() -> None:
    replay, _ = recorded()
    with pytest.raises(parlour.ReplayError, match="does not come out as recorded"):
        list(parlour.Replay(**(vars(replay) | {"scores": [0, 0]})).play())
    with pytest.raises(parlour.ReplayError, match="action 0 of this replay cannot be played"):
        list(parlour.Replay(**(vars(replay) | {"actions": [10**6]})).play())


def test_watch_shows_every_move_and_stops_when_told(tmp_path: Path) -> None:
    replay, batch = recorded("patchwork")
    replay.save(tmp_path / "game.json")
    whole = CliRunner(env={"COLUMNS": "120"}).invoke(app, ["watch", str(tmp_path / "game.json"), "--all"])
    assert whole.exit_code == 0
    assert whole.output.count("player_0: time") == len(replay.actions) + 1
    assert str(batch.scores()[0].tolist()) in whole.output
    part = CliRunner().invoke(app, ["watch", str(tmp_path / "game.json")], input="\nq\n")
    assert part.output.count("player_0: time") == 2
