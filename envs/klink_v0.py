"""The PettingZoo door of Klink; its page is the documentation of `parlour.envs.klink`."""

from functools import partial

from parlour.envs.core import aec

env = partial(aec.env, "klink")
raw_env = partial(aec.raw_env, "klink")
