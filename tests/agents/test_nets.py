"""The networks: shapes, weights shared over placements, drawing actions."""

import numpy as np
import pytest
import torch

import parlour
from parlour.agents.nets import ILLEGAL, NETS, NetSpec, build, choose
from parlour.agents.quilt import CELLS, PLANE, touched_cells
from parlour.envs.patchwork.components import AREA, OFFSETS, PATCHES


def positions(game: str, moves: int = 9, size: int = 16) -> tuple[parlour.Batch, torch.Tensor, torch.Tensor]:
    batch = parlour.batch(game, size, seed=3)
    for _ in range(moves):
        batch.step(batch.sample_legal())
    return batch, torch.from_numpy(batch.observation.copy()), torch.from_numpy(batch.legal.copy())


def net_for(batch: parlour.Batch, spec: NetSpec) -> torch.nn.Module:
    torch.manual_seed(0)
    return build(spec, batch.game.layout, batch.game.num_actions)


@pytest.mark.parametrize(("game", "spec"), [("kintsugi", NetSpec()), ("patchwork", NetSpec("quilt", (32,), 16))])
def test_a_net_gives_a_logit_for_every_legal_action_and_one_value(game: str, spec: NetSpec) -> None:
    batch, seen, legal = positions(game)
    logits, values = net_for(batch, spec)(seen, legal)
    assert logits.shape == legal.shape
    assert values.shape == (batch.size,)
    assert (logits[~legal] == ILLEGAL).all()
    assert (logits[legal].abs() < 100).all()


@pytest.mark.parametrize("game", ["kintsugi", "patchwork"])
def test_rows_are_judged_one_by_one(game: str) -> None:
    batch, seen, legal = positions(game)
    net = net_for(batch, NetSpec("quilt", (32,), 16) if game == "patchwork" else NetSpec())
    together, one = net(seen, legal), net(seen[5:6], legal[5:6])
    torch.testing.assert_close(together[0][5:6], one[0])
    torch.testing.assert_close(together[1][5:6], one[1])


def test_touched_cells_are_those_a_placement_covers_and_borders_on() -> None:
    table = touched_cells()
    square = next(i for i, patch in enumerate(PATCHES) if patch.shape == ("XX", "XX"))
    told = table[square, 0 * CELLS + 10]
    assert set(told[:4]) == {10, 11, 19, 20}
    assert set(told[4:12] - PLANE) == {1, 2, 9, 12, 18, 21, 28, 29}
    assert (told[12:] == CELLS).all()


def test_touched_cells_never_lie_outside_the_two_planes() -> None:
    table = touched_cells()
    assert table.min() >= 0
    assert table.max() < 2 * PLANE
    assert (table[np.arange(len(AREA)), 0, 0] == OFFSETS[:, 0, 0]).all()


def test_placements_are_worth_the_sum_over_their_cells() -> None:
    batch, seen, legal = positions("patchwork", moves=0, size=1)
    net = net_for(batch, NetSpec("quilt", (32,), 16))
    own, trunk, patches = net.read(seen)  # type: ignore[operator]
    rows, places = legal[:, 82:].nonzero(as_tuple=True)

    def worth(maps: torch.Tensor) -> torch.Tensor:
        return net._placements(maps, trunk, patches, rows, places)  # type: ignore[operator,no-any-return]

    nothing, mark = torch.zeros_like(own), torch.zeros_like(own)
    mark[..., 40] = 1.0
    moved = worth(mark) != worth(nothing)  # only a mark on a cell that the placement touches can matter
    table = touched_cells()[patches[0, places // 648].numpy(), places.numpy() % 648]
    assert moved.tolist() == ((table == 40) | (table == PLANE + 40)).any(axis=1).tolist()


def test_gradients_reach_every_weight() -> None:
    batch, seen, legal = positions("patchwork", moves=6)
    legal[0] = False
    legal[0, 1:82] = True  # a leather patch to place
    net = net_for(batch, NetSpec("quilt", (32,), 16))
    logits, values = net(seen, legal)
    (torch.log_softmax(logits, dim=1)[legal].sum() + values.sum()).backward()
    for name, weights in net.named_parameters():
        assert weights.grad is not None, name
        assert weights.grad.abs().sum() > 0, name


def test_choose_takes_the_best_or_draws_in_proportion() -> None:
    logits = torch.tensor([[0.0, 2.0, ILLEGAL, 1.0]]).expand(4000, -1)
    assert (choose(logits) == 1).all()
    drawn = choose(logits, (torch.arange(4000) + 0.5) / 4000)
    shares = torch.bincount(drawn, minlength=4) / 4000
    torch.testing.assert_close(shares, torch.softmax(logits[0], dim=0), atol=1e-3, rtol=0)


def test_choose_never_draws_an_illegal_action_at_the_ends() -> None:
    logits = torch.tensor([[ILLEGAL, 0.0, 0.0, ILLEGAL]] * 2)
    assert choose(logits, torch.tensor([0.0, 1 - 2.0**-53], dtype=torch.float64)).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("told", "complaint"),
    [
        ({"kind": "mlp"}, "described by kind, hidden and channels"),
        ({"kind": "mlp", "hidden": [10**9], "channels": 1}, "from 1 to 4096"),
        ({"kind": "mlp", "hidden": [8] * 99, "channels": 1}, "1 to 8 widths"),
        ({"kind": "mlp", "hidden": "256", "channels": 1}, "1 to 8 widths"),
        ({"kind": "mlp", "hidden": [1.5], "channels": 1}, "whole number"),
    ],
)
def test_a_spec_refuses_what_cannot_be_built(told: object, complaint: str) -> None:
    with pytest.raises(parlour.ConfigError, match=complaint):
        NetSpec.from_json(told)


def test_an_unknown_kind_gets_the_choices() -> None:
    game = parlour.make_game("kintsugi")
    with pytest.raises(parlour.ConfigError, match="one of mlp, quilt"):
        build(NetSpec("transformer"), game.layout, game.num_actions)


def test_a_quilt_net_is_for_patchwork() -> None:
    game = parlour.make_game("klink")
    with pytest.raises(parlour.ConfigError, match="2026 actions of patchwork"):
        build(NetSpec("quilt"), game.layout, game.num_actions)


def test_a_spec_survives_json() -> None:
    spec = NetSpec("quilt", (64, 32), 8)
    assert NetSpec.from_json(spec.to_json()) == spec
    assert set(NETS) == {"mlp", "quilt"}
