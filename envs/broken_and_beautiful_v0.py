"""The PettingZoo door of Broken and Beautiful; its page is the documentation of `parlour.envs.kintsugi`."""

from functools import partial

from parlour.envs.core import aec

env = partial(aec.env, "broken_and_beautiful")
raw_env = partial(aec.raw_env, "broken_and_beautiful")
