"""A rollout buffer for large action spaces: masks as bits, and nothing copied to be shuffled."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Discrete
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples

from parlour.envs.core.errors import ConfigError


class PackedMaskableRolloutBuffer(MaskableRolloutBuffer):
    """sb3-contrib's buffer in a thirtieth of the room for masks: `MaskablePPO(..., rollout_buffer_class=...)`.

    Masks take one bit per action and are unpacked for each minibatch. Minibatches are read from the arrays as they were
    filled, in the order in which the stock buffer gives them after it has copied everything.
    """

    def reset(self) -> None:
        """Empty the buffer."""
        if not isinstance(self.action_space, Discrete):
            raise ConfigError(f"packed masks are for Discrete actions, got {self.action_space}")
        self.mask_dims = int(self.action_space.n)
        self.action_masks = np.zeros((self.buffer_size, self.n_envs, -(-self.mask_dims // 8)), np.uint8)
        super(MaskableRolloutBuffer, self).reset()

    def add(self, *args: Any, action_masks: NDArray[Any] | None = None, **kwargs: Any) -> None:
        """Add one step of all environments; without masks every action is legal."""
        if action_masks is None:
            self.action_masks[self.pos] = np.uint8(0xFF)
        else:
            legal = np.asarray(action_masks, bool).reshape(self.n_envs, self.mask_dims)
            self.action_masks[self.pos] = np.packbits(legal, axis=1)
        super(MaskableRolloutBuffer, self).add(*args, **kwargs)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """All samples in random order, in minibatches."""
        assert self.full, "a rollout must be full before it is learned from"
        many = self.buffer_size * self.n_envs
        shuffled = np.random.permutation(many)
        for start in range(0, many, batch_size or many):
            yield self._get_samples(shuffled[start : start + (batch_size or many)])

    def _get_samples(  # type: ignore[override]
        self,
        batch_inds: NDArray[np.int64],
        env: Any = None,  # noqa: ARG002
    ) -> MaskableRolloutBufferSamples:
        """The samples with these numbers, which count the steps of the first environment first."""
        environment, step = np.divmod(batch_inds, self.buffer_size)
        place = step * self.n_envs + environment

        def taken(array: NDArray[Any]) -> NDArray[Any]:
            found: NDArray[Any] = array.reshape(len(array) * self.n_envs, -1)[place]
            return found

        values, log_probs, advantages, returns = (
            self.to_torch(taken(column).ravel())
            for column in (self.values, self.log_probs, self.advantages, self.returns)
        )
        legal = np.unpackbits(taken(self.action_masks), axis=1, count=self.mask_dims).view(bool)
        return MaskableRolloutBufferSamples(
            self.to_torch(taken(self.observations).reshape(-1, *self.obs_shape)),
            self.to_torch(taken(self.actions)),
            values,
            log_probs,
            advantages,
            returns,
            torch.from_numpy(legal).to(self.device),
        )
