"""The PettingZoo door of Kitsu; its page is the documentation of `parlour.envs.kitsu`."""

from functools import partial

from parlour.envs.core import aec

env = partial(aec.env, "kitsu")
raw_env = partial(aec.raw_env, "kitsu")
