"""Train a bot with a loop of your own: `parlour.batch`, torch, and nothing else.

One net plays every seat of 512 tables at once; each decision is credited with the return of the seat that took it,
less what the net expected. `python notebooks/own_loop.py patchwork`, or any other game; kintsugi by default.
"""

import sys

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import parlour


def choose(net: nn.Module, seen: Tensor, legal: Tensor) -> tuple[Categorical, Tensor]:
    """The policy over legal actions, and the expected return."""
    out = net(seen)
    return Categorical(logits=out[:, :-1].masked_fill(~legal, -1e9)), out[:, -1]


def play(batch: parlour.Batch, net: nn.Module) -> list[Tensor]:
    """New games to their end: what was seen, legal and played, and the return of whoever played it."""
    batch.reset()
    returns, turns = np.zeros((batch.size, batch.game.players), np.float32), []
    while (rows := np.flatnonzero(batch.current_player >= 0)).size:
        seen, legal = torch.tensor(batch.observation[rows]), torch.tensor(batch.legal[rows])
        with torch.no_grad():
            actions = choose(net, seen, legal)[0].sample()
        turns.append((seen, legal, actions, rows, batch.current_player[rows]))
        returns[rows] += batch.step(actions.numpy(), rows)[0]
    earned = torch.cat([torch.tensor(returns[rows, seats]) for *_, rows, seats in turns])
    return [*(torch.cat(column) for column in zip(*[turn[:3] for turn in turns], strict=True)), earned]


def learn(net: nn.Module, optimizer: torch.optim.Optimizer, data: list[Tensor]) -> None:
    for part in torch.randperm(data[0].shape[0]).split(4096):
        seen, legal, actions, earned = (column[part] for column in data)
        policy, expected = choose(net, seen, legal)
        surprise = earned - expected
        loss = surprise.square() - policy.log_prob(actions) * surprise.detach() - 0.01 * policy.entropy()
        optimizer.zero_grad()
        loss.mean().backward()
        optimizer.step()


def main(game: str = "kintsugi", rounds: int = 60, tables: int = 512) -> nn.Module:
    batch = parlour.batch(game, tables, seed=0)
    net = nn.Sequential(nn.Linear(batch.game.layout.size, 256), nn.ReLU(), nn.Linear(256, batch.game.num_actions + 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for number in range(rounds):
        learn(net, optimizer, play(batch, net))
        print(f"round {number + 1} of {rounds}: mean score {batch.scores().mean():.1f}")
    return net


if __name__ == "__main__":
    main(*sys.argv[1:2])
