"""What a network is shown, and a network that begins as `greedy`."""

import numpy as np
import pytest
import torch

import parlour
from parlour.agents.greedy import worths
from parlour.agents.nets import ILLEGAL, GuidedNet, NetSpec, build
from parlour.agents.sight import FAR_BEHIND, Sight, guidance
from parlour.training import SelfPlayVecEnv
from tests.envs.core.play import first_legal

GUIDED = Sight(guided=True)
SPECS = {"patchwork": NetSpec("quilt", (16,), 4)}


def positions(game: str, games: int = 40) -> parlour.Batch:
    """Games stopped at all stages, after good and bad moves."""
    batch, greedy = parlour.batch(game, games, seed=3), parlour.agents.load("greedy")
    for turn in range(games):
        rows = np.flatnonzero((np.arange(games) > turn) & (batch.current_player >= 0))
        if rows.size:
            batch.step(greedy.act(batch, rows) if turn % 3 else batch.sample_legal(rows), rows)
    return batch


def guided_net(batch: parlour.Batch) -> GuidedNet:
    torch.manual_seed(0)
    net = build(SPECS.get(batch.game.name, NetSpec("mlp", (16,))), GUIDED.layout(batch.game), batch.game.num_actions)
    assert isinstance(net, GuidedNet)
    return net


def playing(batch: parlour.Batch) -> np.ndarray:
    return np.flatnonzero(batch.current_player >= 0)


@pytest.mark.parametrize("game", parlour.games())
class TestGuidance:
    def test_is_in_the_bounds_of_its_layout_behind_what_is_seen(self, game: str) -> None:
        batch = positions(game)
        rows, layout = playing(batch), GUIDED.layout(batch.game)
        seen = GUIDED.of(batch, rows)
        assert layout.space.contains(seen[0])
        assert ((seen >= layout.space.low) & (seen <= layout.space.high)).all()
        np.testing.assert_array_equal(seen[:, : batch.game.layout.size], batch.observe(None, rows))

    def test_tells_how_far_each_action_is_behind_the_best(self, game: str) -> None:
        batch = positions(game)
        rows, legal = playing(batch), batch.legal[playing(batch)]
        told, found = GUIDED.layout(batch.game).view(GUIDED.of(batch, rows), "worth"), worths(batch, rows)
        near = legal & (found > found.max(axis=1, keepdims=True) - FAR_BEHIND)
        behind = (found.max(axis=1, keepdims=True) - found)[near]
        np.testing.assert_allclose(1 - told[near], behind / FAR_BEHIND, atol=1e-5)
        assert not told[~near].any()
        assert (told.max(axis=1) == 1).all()

    def test_is_blind_to_what_the_player_cannot_know(self, game: str) -> None:
        batch = positions(game)
        rows = playing(batch)
        dealt_anew = batch.determinize(None, rows, seed=5)
        assert (batch.states[rows] != dealt_anew.states).any() or game == "patchwork"
        np.testing.assert_array_equal(guidance(batch, rows), guidance(dealt_anew))

    def test_a_net_begins_as_greedy_and_scores_no_illegal_action(self, game: str) -> None:
        batch = positions(game)
        rows, net = playing(batch), guided_net(batch)
        legal = torch.from_numpy(batch.legal[rows])
        for layer in net.net.modules():
            if isinstance(layer, torch.nn.Linear | torch.nn.Conv2d):
                torch.nn.init.zeros_(layer.weight)
        with torch.no_grad():
            logits = net.logits(torch.from_numpy(GUIDED.of(batch, rows)), legal)
        told = worths(batch, rows)
        np.testing.assert_allclose(told[np.arange(rows.size), logits.argmax(dim=1)], told.max(axis=1), atol=1e-3)
        assert (logits[~legal] < ILLEGAL / 2).all()


def test_nobody_is_guided_when_a_game_is_over() -> None:
    batch = parlour.batch("klink", 3, seed=0)
    first = np.array([1])
    while batch.current_player[1] >= 0:
        batch.step(first_legal(batch, first), first)
    told = guidance(batch)
    assert not told[1].any()
    assert told[[0, 2]].any(axis=1).all()
    assert guidance(batch, first).shape == (1, 1 + batch.game.num_actions)


def test_how_much_greedy_counts_is_learned() -> None:
    batch = positions("kintsugi")
    rows, net = playing(batch), guided_net(batch)
    net.logits(torch.from_numpy(GUIDED.of(batch, rows)), torch.from_numpy(batch.legal[rows])).max().backward()
    assert net.sharpness.grad is not None
    assert net.sharpness.grad != 0


def test_learners_are_guided_in_the_seat_they_play() -> None:
    env = SelfPlayVecEnv("kitsu", 16, seed=1, guided=True, whole_clan=True)
    seen = env.reset()
    assert env.observation_space == GUIDED.layout(env.game).space
    for _ in range(100):
        np.testing.assert_array_equal(seen[:, env.game.layout.size :], guidance(env.solo.batch))
        seen, _, dones, infos = env.step(env.action_masks().argmax(axis=1))
        for row in np.flatnonzero(dones):
            assert not infos[row]["terminal_observation"][env.game.layout.size :].any()
