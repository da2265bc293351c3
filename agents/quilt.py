"""A network for Patchwork: convolutions read the quilts, and all placements share one set of weights."""

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from parlour.agents.nets import ILLEGAL, BotNet, NetSpec, dense, orthogonal
from parlour.agents.sight import WORTH
from parlour.envs.core.errors import ConfigError
from parlour.envs.core.layout import Layout
from parlour.envs.patchwork.components import AREA, CELLS, CHOICES, COST, INCOME, OFFSETS, ORIENTATIONS, SIDE, TIME
from parlour.envs.patchwork.rules import ADVANCE, BUY_FROM, LEATHER_FROM, NUM_ACTIONS, PER_CHOICE

PLANE = CELLS + 1
"""The cells of a quilt, and one that stands for none."""
TOUCHED = 26
"""The most cells that a placement covers or borders on."""
PATCH_WORDS = 16
"""Length of what is learned about each patch."""


class QuiltNet(BotNet):
    """Reads both quilts with the same convolutions and values placements cell by cell.

    The feature maps of the own quilt, mixed as the position and the patch ask for, say what each cell is worth covered
    and what it is worth as a neighbour. A placement is worth the sum over its cells and its border, plus what the
    patch itself is worth. Only legal placements are computed.
    """

    trust = 64.0
    patch_numbers: Tensor
    touched: Tensor

    def __init__(self, spec: NetSpec, layout: Layout, actions: int) -> None:
        super().__init__()
        if actions != NUM_ACTIONS:
            raise ConfigError(f'a "quilt" network has the {NUM_ACTIONS} actions of patchwork, not {actions}')
        maps, width = spec.channels, spec.hidden[-1]
        self._quilts, self._circle = layout.slices["quilt"], layout.slices["circle"]
        self._rest = slice(self._quilts.stop, layout.slices[WORTH].start if WORTH in layout.slices else layout.size)
        self.reader = nn.Sequential(
            orthogonal(nn.Conv2d(2, maps, 5, padding=2), 1.4),
            nn.ReLU(),
            orthogonal(nn.Conv2d(maps, maps, 3, padding=1), 1.4),
            nn.ReLU(),
        )
        self.summary = orthogonal(nn.Conv2d(maps, 4, 1), 1.4)
        self.trunk = nn.Sequential(
            dense((2 * 4 * CELLS + self._rest.stop - self._rest.start, *spec.hidden), 1.4), nn.ReLU()
        )
        self.patch_words = nn.Embedding(len(AREA), PATCH_WORDS)
        self.offer = nn.Sequential(dense((width + PATCH_WORDS + 4, 64), 1.4), nn.ReLU())
        self.mixer = orthogonal(nn.Linear(64, 2 * maps + 1), 0.1)
        self.plain = orthogonal(nn.Linear(width, maps + 1), 0.1)
        self.value = dense((width, 64, 1))
        numbers = np.stack([AREA / 8, COST / 10, TIME / 6, INCOME / 3], axis=1).astype(np.float32)
        self.register_buffer("patch_numbers", torch.from_numpy(numbers), persistent=False)
        self.register_buffer("touched", torch.from_numpy(touched_cells()), persistent=False)

    def read(self, seen: Tensor) -> tuple[Tensor, ...]:
        """The own quilt's feature maps [B, maps, 81], a vector for the position [B, width], the next patches [B, 3]."""
        empty = 1 - seen[:, self._quilts].reshape(-1, 1, SIDE, SIDE)
        maps = self.reader(torch.cat([empty, torch.ones_like(empty)], dim=1))
        told = self.summary(maps).relu().reshape(len(seen), 2 * 4 * CELLS)
        trunk = self.trunk(torch.cat([told, seen[:, self._rest]], dim=1))
        own = maps.reshape(len(seen), 2, maps.shape[1], CELLS)[:, 0]
        return own, trunk, seen[:, self._circle].topk(CHOICES).indices

    def judge(self, read: tuple[Tensor, ...]) -> Tensor:
        value: Tensor = self.value(read[1])
        return value.squeeze(1)

    def score(self, read: tuple[Tensor, ...], legal: Tensor) -> Tensor:
        own, trunk, patches = read
        logits = torch.full(legal.shape, ILLEGAL, dtype=trunk.dtype)
        plain = self.plain(trunk)
        logits[:, ADVANCE] = torch.where(legal[:, ADVANCE], plain[:, 0], ILLEGAL)
        leather = torch.bmm(plain[:, None, 1:], own).squeeze(1)
        squares = slice(LEATHER_FROM, BUY_FROM)
        logits[:, squares] = torch.where(legal[:, squares], leather, ILLEGAL)
        row, placement = legal[:, BUY_FROM:].nonzero(as_tuple=True)
        logits[row, BUY_FROM + placement] = self._placements(own, trunk, patches, row, placement)
        return logits

    def _placements(self, own: Tensor, trunk: Tensor, patches: Tensor, row: Tensor, placement: Tensor) -> Tensor:
        """The logit of each legal placement."""
        words = torch.cat([self.patch_words(patches), self.patch_numbers[patches]], dim=2)
        position = trunk[:, None].expand(-1, CHOICES, -1)
        mixed = self.mixer(self.offer(torch.cat([position, words], dim=2)))
        covered, bordering = (
            torch.bmm(mixed[..., 1:].reshape(len(own), 2 * CHOICES, own.shape[1]), own)
            .reshape(len(own), CHOICES, 2, CELLS)
            .unbind(2)
        )
        none = torch.zeros_like(covered[..., :1])
        cells = torch.cat([covered, none, bordering, none], dim=2).reshape(-1)
        choice, place = placement // PER_CHOICE, placement % PER_CHOICE
        offer = row * CHOICES + choice
        touched = self.touched[patches.reshape(-1)[offer], place] + (offer * 2 * PLANE).int()[:, None]
        worth = cells.index_select(0, touched.reshape(-1)).reshape(touched.shape).sum(dim=1)
        logits: Tensor = worth + mixed[..., 0].reshape(-1)[offer]
        return logits


@cache
def touched_cells() -> NDArray[np.int32]:
    """int32 [patches, 648, TOUCHED]: the cells that a placement covers, then those it borders on, then none.

    Numbers index a row of two planes: covered cells and none, bordering cells and none.
    """
    table = np.full((len(AREA), ORIENTATIONS * CELLS, TOUCHED), CELLS, np.int32)
    for patch, area in enumerate(AREA):
        for orientation in range(ORIENTATIONS):
            for corner in range(CELLS):
                covered = OFFSETS[patch, orientation, :area] + corner
                if covered.max() < CELLS:
                    touched = [*covered, *(PLANE + cell for cell in _border({int(cell) for cell in covered}))]
                    table[patch, orientation * CELLS + corner, : len(touched)] = touched
    return table


def _border(covered: set[int]) -> list[int]:
    """The cells beside these, on the quilt."""
    beside = set()
    for cell in covered:
        row, column = divmod(cell, SIDE)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < SIDE and 0 <= c < SIDE:
                beside.add(r * SIDE + c)
    return sorted(beside - covered)
