"""Things that choose actions, all behind one batched protocol: `act(batch, rows) -> actions`.

An agent holds no state between moves and no rng of its own: what it leaves to chance it draws from the seeded stream of
each row (`Batch.draw_bits`, `Batch.sample_legal`), so the same seed gives the same choices for any batch size.

An agent whose choices are compiled may offer them too: `picker(game)` returns a kernel `pick(states, row, masks,
actions, sampler) -> action` that chooses as `act` does. As an opponent it then plays on without coming back to Python.
"""

from parlour.agents.spec import load, names
from parlour.agents.uniform import Random
from parlour.agents.wrap import wrap
from parlour.envs.core.solo import Agent

__all__ = ["Agent", "Random", "load", "names", "wrap"]
