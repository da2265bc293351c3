"""The PettingZoo door of Kintsugi; its page is the documentation of `parlour.envs.kintsugi`."""

from functools import partial

from parlour.envs.core import aec

env = partial(aec.env, "kintsugi")
raw_env = partial(aec.raw_env, "kintsugi")
