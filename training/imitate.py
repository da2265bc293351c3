"""Learning from a teacher: supervised learning on the moves of another agent, as a warm start."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from parlour.agents.nets import BotNet
from parlour.agents.sight import Sight
from parlour.envs.core.batch import Batch
from parlour.envs.core.game import Game
from parlour.envs.core.record import NOBODY
from parlour.envs.core.solo import Agent

STRAY = 0.2
"""How often the learner's own move is played instead of the teacher's, so that the teacher shows what to do then."""

Lesson = tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]]


def play_lesson(game: Game, teacher: Agent, learner: Agent, games: int, seed: int, sight: Sight) -> Lesson:
    """Games of a teacher against itself: observations, packed masks, its actions, and what came of each position."""
    batch, chance = Batch(game, games, seed), np.random.default_rng(seed)
    seen, masks, actions, movers, tables = [], [], [], [], []
    returns = np.zeros((games, game.players), np.float32)
    while (alive := np.flatnonzero(batch.current_player != NOBODY)).size:
        advice = np.asarray(teacher.act(batch, alive))
        seen.append(sight.of(batch, alive))
        masks.append(np.packbits(batch.legal[alive], axis=1))
        actions.append(advice)
        movers.append(batch.current_player[alive])
        tables.append(alive)
        stray = np.flatnonzero(chance.random(alive.size) < STRAY)
        played = advice.copy()
        played[stray] = learner.act(batch, alive[stray])
        returns[alive] += batch.step(played, alive)[0]
    worth = returns[np.concatenate(tables), np.concatenate(movers)]
    return np.concatenate(seen), np.concatenate(masks), np.concatenate(actions), worth


def learn_lesson(net: BotNet, optimizer: torch.optim.Optimizer, lesson: Lesson, actions: int, size: int) -> float:
    """One pass over a lesson; returns how often the net would have moved as the teacher did."""
    seen, masks, advice, worth = lesson
    order, agreed = torch.randperm(len(seen)).numpy(), 0
    for start in range(0, len(seen), size):
        some = order[start : start + size]
        legal = torch.from_numpy(np.unpackbits(masks[some], axis=1, count=actions).view(bool))
        logits, values = net(torch.from_numpy(seen[some]), legal)
        target = torch.from_numpy(advice[some])
        loss = functional.cross_entropy(logits, target)
        loss = loss + functional.mse_loss(values, torch.from_numpy(worth[some]))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
        agreed += int((logits.argmax(dim=1) == target).sum())
    return agreed / len(seen)
