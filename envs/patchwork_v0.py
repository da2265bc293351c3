"""The PettingZoo door of Patchwork; its page is the documentation of `parlour.envs.patchwork`."""

from functools import partial

from parlour.envs.core import aec

env = partial(aec.env, "patchwork")
raw_env = partial(aec.raw_env, "patchwork")
