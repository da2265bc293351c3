"""A network that begins as `greedy`: it must find in an observation what `greedy` finds in the game."""

import numpy as np
import torch

import parlour
from parlour.agents.greedy import worths
from parlour.agents.guided import GuidedQuiltNet
from parlour.agents.nets import ILLEGAL, NetSpec, build


def positions(games: int = 40) -> parlour.Batch:
    """Games stopped at all stages, after good and bad moves."""
    batch, greedy = parlour.batch("patchwork", games, seed=3), parlour.agents.load("greedy")
    for turn in range(games):
        rows = np.flatnonzero((np.arange(games) > turn) & (batch.current_player >= 0))
        if rows.size:
            batch.step(greedy.act(batch, rows) if turn % 3 else batch.sample_legal(rows), rows)
    return batch


def guided(batch: parlour.Batch) -> GuidedQuiltNet:
    net = build(NetSpec("guided", (16,), 4), batch.game.layout, batch.game.num_actions)
    assert isinstance(net, GuidedQuiltNet)
    return net


def test_worths_are_read_from_what_a_player_sees() -> None:
    batch = positions()
    rows = np.flatnonzero(batch.current_player >= 0)
    legal = batch.legal[rows]
    found = guided(batch).read(torch.from_numpy(batch.observation[rows]))[-1].numpy()
    assert {0, 1} == set(batch.game.layout.view(batch.observation[rows], "leather_in_hand").ravel())
    np.testing.assert_allclose(found[legal], worths(batch, rows)[legal], rtol=1e-6)


def test_it_begins_as_greedy_and_no_illegal_action_is_scored() -> None:
    batch = positions()
    rows = np.flatnonzero(batch.current_player >= 0)
    net, legal = guided(batch), torch.from_numpy(batch.legal[rows])
    with torch.no_grad():
        for part in (net.mixer, net.plain):
            part.weight.zero_()
            part.bias.zero_()
        logits = net.logits(torch.from_numpy(batch.observation[rows]), legal)
    told = worths(batch, rows)
    np.testing.assert_allclose(told[np.arange(rows.size), logits.argmax(dim=1)], told.max(axis=1), rtol=1e-6)
    assert (logits[~legal] < ILLEGAL / 2).all()


def test_how_much_greedy_counts_is_learned() -> None:
    batch = positions()
    rows = np.flatnonzero(batch.current_player >= 0)
    net = guided(batch)
    net.logits(torch.from_numpy(batch.observation[rows]), torch.from_numpy(batch.legal[rows])).max().backward()
    assert net.sharpness.grad is not None
