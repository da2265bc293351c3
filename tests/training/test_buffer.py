"""The packed rollout buffer gives the samples of the stock one, in far less room."""

from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

import parlour
from parlour.training import PackedMaskableRolloutBuffer

STEPS, ENVS, ACTIONS, SIGHT = 5, 3, 21, 4


def filled(kind: type[MaskableRolloutBuffer], with_masks: bool = True) -> MaskableRolloutBuffer:
    """A full buffer of numbers that follow from a seed."""
    rng = np.random.default_rng(0)
    buffer = kind(STEPS, Box(-1, 1, (SIGHT,)), Discrete(ACTIONS), "cpu", gamma=0.9, gae_lambda=0.8, n_envs=ENVS)
    for _ in range(STEPS):
        buffer.add(
            rng.random((ENVS, SIGHT), np.float32),
            rng.integers(0, ACTIONS, (ENVS, 1)),
            rng.random(ENVS, np.float32),
            rng.random(ENVS) < 0.3,
            torch.tensor(rng.random(ENVS, np.float32)),
            torch.tensor(rng.random(ENVS, np.float32)),
            action_masks=rng.random((ENVS, ACTIONS)) < 0.5 if with_masks else None,
        )
    buffer.compute_returns_and_advantage(torch.tensor(rng.random(ENVS, np.float32)), rng.random(ENVS) < 0.3)
    return buffer


def samples(buffer: MaskableRolloutBuffer, batch_size: int | None) -> list[Any]:
    """Two epochs of minibatches."""
    np.random.seed(1)
    return [sample for _ in range(2) for sample in buffer.get(batch_size)]


@pytest.mark.parametrize("with_masks", [True, False])
@pytest.mark.parametrize("batch_size", [None, 4, 15])
def test_samples_are_those_of_the_stock_buffer(batch_size: int | None, with_masks: bool) -> None:
    ours = samples(filled(PackedMaskableRolloutBuffer, with_masks), batch_size)
    stock = samples(filled(MaskableRolloutBuffer, with_masks), batch_size)
    assert len(ours) == len(stock)
    for sample, expected in zip(ours, stock, strict=True):
        for name in sample._fields[:-1]:
            one, other = getattr(sample, name), getattr(expected, name)
            assert one.dtype == other.dtype, name
            torch.testing.assert_close(one, other, rtol=0, atol=0, msg=name)
        assert sample.action_masks.dtype == torch.bool
        assert torch.equal(sample.action_masks, expected.action_masks.bool())


def test_patchwork_fits_in_300_megabytes() -> None:
    game = parlour.make_game("patchwork")
    buffer = PackedMaskableRolloutBuffer(128, game.layout.space, Discrete(game.num_actions), "cpu", n_envs=1024)
    held = [value for value in vars(buffer).values() if isinstance(value, np.ndarray)]
    assert sum(array.nbytes for array in held) < 300e6


def test_a_minibatch_leaves_the_arrays_where_they_are() -> None:
    buffer = filled(PackedMaskableRolloutBuffer)
    before = {name: value for name, value in vars(buffer).items() if isinstance(value, np.ndarray)}
    samples(buffer, 4)
    assert all(vars(buffer)[name] is array for name, array in before.items())


def test_other_actions_are_refused() -> None:
    with pytest.raises(parlour.ConfigError, match="Discrete"):
        PackedMaskableRolloutBuffer(2, Box(-1, 1, (SIGHT,)), MultiDiscrete([2, 3]), "cpu")
