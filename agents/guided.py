"""A network for Patchwork that begins with the rules of thumb of `greedy` and learns where they are wrong."""

import numpy as np
import torch
from torch import Tensor, nn

from parlour.agents.greedy.patchwork import weigh
from parlour.agents.nets import NetSpec
from parlour.agents.quilt import QuiltNet
from parlour.envs.core.jit import entry, kernel
from parlour.envs.core.layout import Layout
from parlour.envs.core.record import NOBODY, Numbers, State
from parlour.envs.patchwork.components import CELLS, CHOICES, HOME, LEATHERS, LOW_CELLS
from parlour.envs.patchwork.observation import BUTTON_SCALE, LAYOUT
from parlour.envs.patchwork.rules import MANY, RECORD

SHARPNESS = 4.0
"""How many times likelier, as a power of e, an action is that is worth a point more; learned from there."""
BUTTONS, TIME, BONUS, LEATHER_IN_HAND, LEATHER_LEFT, CIRCLE = (
    LAYOUT.slices[name].start for name in ("buttons", "time", "bonus", "leather_in_hand", "leather_left", "circle")
)


class GuidedQuiltNet(QuiltNet):
    """A `QuiltNet` whose logits are added to what `greedy` thinks an action is worth, as told by the observation."""

    def __init__(self, spec: NetSpec, layout: Layout, actions: int) -> None:
        super().__init__(spec, layout, actions)
        self.actions = actions
        self.sharpness = nn.Parameter(torch.tensor(SHARPNESS))

    def read(self, seen: Tensor) -> tuple[Tensor, ...]:
        """As a `QuiltNet`, and the worths [B, A]."""
        worths = np.zeros((len(seen), self.actions), np.float32)
        weigh_sights(seen.detach().numpy(), np.zeros(1, RECORD.dtype), worths)
        return *super().read(seen), torch.from_numpy(worths)

    def score(self, read: tuple[Tensor, ...], legal: Tensor) -> Tensor:
        own, trunk, patches, worths = read
        return super().score((own, trunk, patches), legal) + self.sharpness * worths


@entry
def weigh_sights(seen: Numbers, states: Numbers, worths: Numbers) -> None:
    """What every legal action is worth to players who see this; `states` [1] is scratch."""
    mask = np.zeros(worths.shape[1], np.bool_)
    for row in range(seen.shape[0]):
        rebuild(seen[row], states[0])
        weigh(states[0], mask, worths[row])


@kernel
def rebuild(seen: Numbers, s: State) -> None:
    """Fill in what `greedy` looks at, with the player to move in seat 0 and leather as it usually lies."""
    s.player = 0
    s.mirror = 1
    for seat in range(2):
        s.buttons[seat] = tally(seen[BUTTONS + seat], BUTTON_SCALE)
        s.time[seat] = tally(seen[TIME + seat], HOME)
    s.quilt[0, 0] = bits(seen[:LOW_CELLS])
    s.quilt[0, 1] = bits(seen[LOW_CELLS:CELLS])
    s.bonus = 0 if seen[BONUS] + seen[BONUS + 1] > 0 else NOBODY
    s.leather_in_hand = tally(seen[LEATHER_IN_HAND], 1)
    s.leather_left = bits(seen[LEATHER_LEFT : LEATHER_LEFT + LEATHERS])
    rebuild_circle(seen[CIRCLE : CIRCLE + MANY], s)


@kernel
def rebuild_circle(places: Numbers, s: State) -> None:
    left = 0
    for patch in range(MANY):
        if places[patch] > 0:
            left += 1
            place = MANY - tally(places[patch], MANY)
            if place < CHOICES:
                s.circle[place] = patch
    s.patches_left = left


@kernel
def tally(entry: float, scale: float) -> int:
    """The whole number that an entry stands for."""
    return int(entry * scale + 0.5)


@kernel
def bits(cells: Numbers) -> int:
    found = 0
    for i in range(cells.size):
        if cells[i] > 0:
            found |= 1 << i
    return found
