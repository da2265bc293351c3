"""A `BotNet` as stable-baselines3 wants it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from gymnasium import Space
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor

from parlour.agents.nets import BotNet, choose

Masks = NDArray[Any] | Tensor | None


class NetPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy around any `BotNet`; probabilities are computed once and over legal actions only.

    Args:
        observation_space: The observations.
        action_space: The actions.
        lr_schedule: The learning rate, by what remains of the run.
        make_net: Builds the network, with fresh weights.
    """

    net: BotNet

    def __init__(
        self,
        observation_space: Space[Any],
        action_space: Space[Any],
        lr_schedule: Schedule,
        make_net: Callable[[], BotNet],
    ) -> None:
        self._make_net = make_net
        super().__init__(observation_space, action_space, lr_schedule)

    def _build(self, lr_schedule: Schedule) -> None:
        self.net = self._make_net()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr_schedule(1), eps=1e-5, fused=True)

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values [B, 1] and log probabilities."""
        logits, values = self.net(obs, self._legal(obs, action_masks))
        chances = torch.log_softmax(logits, dim=1)
        actions = choose(logits, None if deterministic else torch.rand(len(logits)))
        return actions, values[:, None], _picked(chances, actions)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Masks = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values [B, 1], log probabilities of the actions, and entropies."""
        logits, values = self.net(obs, self._legal(obs, action_masks))
        chances = torch.log_softmax(logits, dim=1)
        entropy = -(chances.exp() * chances).sum(dim=1)
        return values[:, None], _picked(chances, actions), entropy

    def get_distribution(self, obs: Any, action_masks: NDArray[Any] | None = None) -> MaskableDistribution:
        legal = self._legal(obs, action_masks)
        distribution = self.action_dist.proba_distribution(action_logits=self.net.logits(obs, legal))
        distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Any) -> Tensor:
        return self.net.values(obs)[:, None]

    def _legal(self, obs: Tensor, masks: Masks) -> Tensor:
        if masks is None:
            return torch.ones((len(obs), self.action_space.n), dtype=torch.bool)  # type: ignore[attr-defined]
        legal = masks if isinstance(masks, Tensor) else torch.from_numpy(np.array(masks, bool))
        return legal.reshape(len(obs), -1).bool()


def _picked(chances: Tensor, actions: Tensor) -> Tensor:
    return chances.gather(1, actions.reshape(-1, 1).long()).squeeze(1)
