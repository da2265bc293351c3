"""Trained bots as files and as agents: what they play, and what is refused."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import torch

import parlour
from parlour.agents import load
from parlour.agents.bot import CARD, HALVED_FROM, WEIGHTS, Bot, load_bot, shipped
from parlour.agents.nets import NetSpec, build
from parlour.agents.sight import PLAIN, Sight
from parlour.agents.tensors import pack, unpack


def made_bot(game: str = "kintsugi", spec: NetSpec | None = None, sight: Sight = PLAIN, **config: object) -> Bot:
    torch.manual_seed(1)
    made, spec = parlour.make_game(game), spec or NetSpec("mlp", (16,))
    net = build(spec, sight.layout(made), made.num_actions)
    return Bot(made, net, spec, sight, {"steps": 7})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made_bot().save(tmp_path / "bot")
    return tmp_path / "bot"


def test_a_saved_bot_plays_as_before(folder: Path) -> None:
    batch = parlour.batch("kintsugi", 32, seed=0)
    logits = made_bot().net.logits(torch.from_numpy(batch.observation.copy()), torch.from_numpy(batch.legal.copy()))
    played = load(f"ppo:{folder}", batch.game).act(batch, np.arange(32))
    assert np.array_equal(np.asarray(played), logits.argmax(dim=1).numpy())
    assert load_bot(folder).record == {"steps": 7}


@pytest.mark.parametrize("options", ["", ",sample=true"])
@pytest.mark.parametrize(
    ("game", "sight"),
    [("kintsugi", PLAIN), ("kitsu", Sight("remember")), ("patchwork", Sight(guided=True, ahead=True))],
)
def test_a_bot_plays_whole_games(tmp_path: Path, game: str, sight: Sight, options: str) -> None:
    made_bot(game, sight=sight).save(tmp_path)
    batch = parlour.batch(game, 8, seed=0)
    agent = load(f"ppo:{tmp_path}{options}", batch.game)
    while (rows := np.flatnonzero(batch.current_player >= 0)).size:
        batch.step(agent.act(batch, rows), rows)


def test_sampled_choices_follow_the_seed_and_not_the_batch(folder: Path) -> None:
    agent = load(f"ppo:{folder},sample=true")
    large, small = parlour.batch("kintsugi", 64, seed=5), parlour.batch("kintsugi", 16, seed=5)
    drawn = np.asarray(agent.act(large, np.arange(64)))
    assert np.array_equal(drawn[:16], np.asarray(agent.act(small, np.arange(16))))
    assert len(set(drawn.tolist())) > 1


def test_other_seats_see_nothing_more(folder: Path) -> None:
    """The agent acts on the observation of the player to move alone: redealing what it cannot know changes nothing."""
    made_bot("kitsu").save(folder)
    batch = parlour.batch("kitsu", 32, seed=0)
    agent = load(f"ppo:{folder}", batch.game)
    assert np.array_equal(agent.act(batch, np.arange(32)), agent.act(batch.determinize(seed=9), np.arange(32)))


def test_files_are_those_of_the_safetensors_library(folder: Path) -> None:
    theirs, (ours, _) = safetensors.numpy.load_file(folder / WEIGHTS), unpack((folder / WEIGHTS).read_bytes())
    assert set(theirs) == set(ours)
    assert all(np.array_equal(theirs[name], ours[name]) for name in ours)
    written = safetensors.numpy.save({"a": np.arange(6, dtype=np.float32).reshape(2, 3)}, {"note": "hello"})
    arrays, notes = unpack(written)
    assert arrays["a"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert notes == {"note": "hello"}


def test_large_nets_are_stored_in_half_precision(tmp_path: Path) -> None:
    bot = made_bot(spec=NetSpec("mlp", (900, 900)))
    bot.save(tmp_path)
    assert (tmp_path / WEIGHTS).stat().st_size < HALVED_FROM
    loaded = load_bot(tmp_path)
    for name, value in bot.net.state_dict().items():
        torch.testing.assert_close(loaded.net.state_dict()[name], value, atol=1e-3, rtol=1e-3)


def change_card(**changes: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        card = json.loads((folder / CARD).read_text())
        (folder / CARD).write_text(json.dumps({**card, **changes}))

    return change


def change_weights(change: Callable[[dict[str, np.ndarray]], object]) -> Callable[[Path], None]:
    def rewrite(folder: Path) -> None:
        arrays, _ = unpack((folder / WEIGHTS).read_bytes())
        change(arrays)
        (folder / WEIGHTS).write_bytes(pack(arrays))

    return rewrite


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes())) and None


TAMPERINGS = {
    "cut short": (rewrite(WEIGHTS, lambda data: data[:-5]), "cut short"),
    "cut in the head": (rewrite(WEIGHTS, lambda data: data[:50]), "cut short"),
    "longer": (rewrite(WEIGHTS, lambda data: data + b"x"), "belong to nothing"),
    "empty weights": (rewrite(WEIGHTS, lambda _: b""), "no safetensors"),
    "a pickle": (rewrite(WEIGHTS, lambda _: b"\x80\x04cos\nsystem\n(S'false'\ntR."), "cut short or no safetensors"),
    "a zip": (rewrite(WEIGHTS, lambda _: b"PK\x03\x04\0\0\0\0" + b"\0" * 99), "no safetensors"),
    "overlapping": (rewrite(WEIGHTS, lambda data: data.replace(b'"data_offsets":[0', b'"data_offsets":[4', 1)), "lie"),
    "no JSON": (rewrite(CARD, lambda _: b"{"), "no JSON"),
    "nested JSON": (rewrite(CARD, lambda _: b"[" * 100_000), "no JSON"),
    "a list": (rewrite(CARD, lambda _: b"[]"), "no 'parlour bot 1'"),
    "another format": (change_card(format="parlour bot 2"), "no 'parlour bot 1'"),
    "another version": (change_card(version=7), "kintsugi_v7"),
    "another layout": (change_card(layout="0" * 16), "layout 0000"),
    "another game": (change_card(game="klink", config={}), "layout"),
    "no game": (change_card(game="chess"), "no game 'chess'"),
    "an odd option": (change_card(config={"players": "many"}), "players"),
    "an unknown option": (change_card(config={"colour": 1}), "no option 'colour'"),
    "another net": (change_card(net={"kind": "mlp", "hidden": [17], "channels": 16}), "shape"),
    "a giant": (change_card(net={"kind": "mlp", "hidden": [4096] * 9, "channels": 16}), "widths"),
    "no net": (change_card(net=None), "described by"),
    "a nan": (change_weights(lambda arrays: arrays["policy.0.bias"].fill(np.nan)), "finite"),
    "whole numbers": (
        change_weights(lambda arrays: arrays.update({"value.0.bias": np.zeros(16, np.int64)})),
        "floating-point",
    ),
    "a weight more": (change_weights(lambda arrays: arrays.update(more=np.zeros(1))), "'more' is no part"),
    "a weight less": (change_weights(lambda arrays: arrays.pop("value.0.bias")), "'value.0.bias' is missing"),
    "no weights": (lambda folder: (folder / WEIGHTS).unlink(), "cannot be read"),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_a_file_that_is_not_right_is_refused_in_one_line(folder: Path, tampering: str) -> None:
    tamper, complaint = TAMPERINGS[tampering]
    tamper(folder)
    with pytest.raises(parlour.ConfigError) as refused:
        load(f"ppo:{folder}")
    assert complaint in str(refused.value)
    assert str(folder) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_bot_of_another_game_is_refused(folder: Path) -> None:
    with pytest.raises(parlour.ConfigError, match="plays kintsugi_v0, not klink_v0"):
        load(f"ppo:{folder}", parlour.make_game("klink"))


def test_a_bot_of_another_table_is_refused(folder: Path) -> None:
    with pytest.raises(parlour.ConfigError, match=r"players=2.*not with players=4"):
        load(f"ppo:{folder}", parlour.make_game("kintsugi", players=4))


def test_a_bot_does_not_care_what_reward_is_paid(folder: Path) -> None:
    load(f"ppo:{folder}", parlour.make_game("kintsugi", reward="margin"))


@pytest.mark.parametrize("spec", ["ppo", "ppo:nobody"])
def test_a_name_that_is_no_bot_gets_the_choices(spec: str) -> None:
    with pytest.raises(parlour.ConfigError) as refused:
        load(spec)
    for name in shipped():
        assert name in str(refused.value)


def test_playing_needs_neither_sb3_nor_gymnasium_extras(folder: Path) -> None:
    code = f"""
import sys
for name in ("stable_baselines3", "sb3_contrib", "safetensors", "tensorboard", "matplotlib", "rich", "typer"):
    sys.modules[name] = None
import numpy as np, parlour
batch = parlour.batch("kintsugi", 4, seed=0)
print(len(parlour.agents.load("ppo:{folder}", batch.game).act(batch, np.arange(4))))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "4", done.stderr
