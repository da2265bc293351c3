"""The networks that bots are made of: from what a player sees to the worth of each action and of the position.

Plain torch. A network is described by a small `NetSpec`, so that a file can name it without holding code.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

import torch
from torch import Tensor, nn

from parlour.agents.sight import WORTH
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.layout import Layout
from parlour.envs.core.options import read_choice, read_whole

ILLEGAL = -1e8
"""The logit of an action that is not legal."""
BELOW_ALL = 1 - 2.0**-20
"""Keeps a draw below the sum of all chances, which rounding could reach: beyond it there is no action."""
WIDEST, DEEPEST = 4096, 8
"""Bounds of a spec, so that a file cannot ask for all the memory there is."""


@dataclass(frozen=True)
class NetSpec:
    """What a network looks like; `build` makes it for a game."""

    kind: str = "mlp"
    """One of `NETS`: "mlp" reads any vector, "quilt" reads Patchwork's."""
    hidden: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers."""
    channels: int = 16
    """Feature maps of the convolutions, where there are any."""

    def __post_init__(self) -> None:
        if not isinstance(self.hidden, tuple) or not 1 <= len(self.hidden) <= DEEPEST:
            raise ConfigError(f"hidden must list 1 to {DEEPEST} widths, got {self.hidden!r}")
        for width in (*self.hidden, self.channels):
            if not 1 <= read_whole("a width of a network", width) <= WIDEST:
                raise ConfigError(f"a width of a network must be from 1 to {WIDEST}, got {width}")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "hidden": list(self.hidden)}

    @classmethod
    def from_json(cls, told: Any) -> "NetSpec":
        """The spec that `to_json` wrote; anything else is a `ConfigError`."""
        if not isinstance(told, Mapping) or set(told) != {"kind", "hidden", "channels"}:
            raise ConfigError(f"a network is described by kind, hidden and channels, got {told!r}")
        hidden = told["hidden"]
        return cls(told["kind"], tuple(hidden) if isinstance(hidden, list) else hidden, told["channels"])


class BotNet(nn.Module):
    """From observations [B, D] and legal actions [B, A] to logits [B, A] and values [B].

    A kind of network says how to `read` an observation, how to `score` the actions, and how to `judge` the position.
    Only the logits of legal actions mean anything.
    """

    trust = 32.0
    """In greedy, where guided: how much likelier, as a power of e, its best action is at first than one far behind."""

    def read(self, seen: Tensor) -> Any:
        """What both heads start from."""
        raise NotImplementedError

    def score(self, read: Any, legal: Tensor) -> Tensor:
        """The logits [B, A], `ILLEGAL` where an action is not legal."""
        raise NotImplementedError

    def judge(self, read: Any) -> Tensor:
        """The expected return [B] of the player who sees this."""
        raise NotImplementedError

    def forward(self, seen: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        read = self.read(seen)
        return self.score(read, legal), self.judge(read)

    def logits(self, seen: Tensor, legal: Tensor) -> Tensor:
        return self.score(self.read(seen), legal)

    def values(self, seen: Tensor) -> Tensor:
        return self.judge(self.read(seen))


class MlpNet(BotNet):
    """Two stacks of dense layers side by side: one for the actions, one for the value."""

    def __init__(self, spec: NetSpec, layout: Layout, actions: int) -> None:
        super().__init__()
        self.policy = dense((layout.size, *spec.hidden, actions), last_gain=0.01)
        self.value = dense((layout.size, *spec.hidden, 1))

    def read(self, seen: Tensor) -> Tensor:
        return seen

    def score(self, read: Tensor, legal: Tensor) -> Tensor:
        logits: Tensor = self.policy(read)
        return logits.masked_fill(~legal, ILLEGAL)

    def judge(self, read: Tensor) -> Tensor:
        value: Tensor = self.value(read)
        return value.squeeze(1)


class GuidedNet(BotNet):
    """A network that begins with the rules of thumb of `greedy` and learns where they are wrong."""

    def __init__(self, net: BotNet, worth: slice) -> None:
        super().__init__()
        self.net, self._worth = net, worth
        self.sharpness = nn.Parameter(torch.tensor(net.trust))

    def read(self, seen: Tensor) -> tuple[Any, Tensor]:
        return self.net.read(seen), seen[:, self._worth]

    def score(self, read: tuple[Any, Tensor], legal: Tensor) -> Tensor:
        return self.net.score(read[0], legal) + self.sharpness * read[1]

    def judge(self, read: tuple[Any, Tensor]) -> Tensor:
        return self.net.judge(read[0])


def dense(widths: Sequence[int], last_gain: float = 1.0) -> nn.Sequential:
    """Linear layers with ReLU between them, orthogonal to begin with."""
    layers: list[nn.Module] = []
    for into, out in pairwise(widths):
        layers += [orthogonal(nn.Linear(into, out), sqrt(2)), nn.ReLU()]
    orthogonal(layers[-2], last_gain)
    return nn.Sequential(*layers[:-1])


def orthogonal(layer: Any, gain: float) -> Any:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _quilt(spec: NetSpec, layout: Layout, actions: int) -> BotNet:
    from parlour.agents.quilt import QuiltNet

    return QuiltNet(spec, layout, actions)


NETS: dict[str, Callable[[NetSpec, Layout, int], BotNet]] = {"mlp": MlpNet, "quilt": _quilt}
"""Every kind of network: `(spec, layout, number of actions) -> network`. Add your own to train and load it by name."""


def build(spec: NetSpec, layout: Layout, actions: int) -> BotNet:
    """The network that a spec describes, for these observations and actions, with fresh weights."""
    net = NETS[read_choice("the kind of a network", spec.kind, list(NETS))](spec, layout, actions)
    return GuidedNet(net, layout.slices[WORTH]) if WORTH in layout.slices else net


def choose(logits: Tensor, chance: Tensor | None = None) -> Tensor:
    """int64 [B]: the best actions; or, with numbers [B] in [0, 1), actions drawn as the logits say."""
    if chance is None:
        return logits.argmax(dim=1)
    reached = torch.softmax(logits, dim=1).cumsum(dim=1)
    wanted = chance.to(reached.dtype) * BELOW_ALL * reached[:, -1]
    return (reached <= wanted[:, None]).sum(dim=1)
