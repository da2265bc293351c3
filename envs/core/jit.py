"""The one place that talks to numba: how rules are compiled, cached and announced.

Rules are scalar functions marked `@kernel`. Loops over a batch are plain functions that call the rules by *global*
name; `bind` gives a loop the rules of one game and compiles it. Compiled code is kept in a folder named after a
hash of the sources, because numba's own check sees an edit only in the file of the function itself.
"""

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

JIT = not numba.config.DISABLE_JIT
KEPT_CACHES = 24
_PACKAGE = Path(__file__).resolve().parents[1]
_SOURCES = (_PACKAGE, _PACKAGE.parent / "agents")


_OPTIONS = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile one rule, to be called from compiled code; its caller is what is cached.

    Uncompiled (`NUMBA_DISABLE_JIT=1`) it stays the plain function. Python calls a rule through `plain`.
    """
    return cast(F, numba.njit(**_OPTIONS)(function))


def entry(function: F) -> F:
    """Compile a function that Python calls."""
    with _cache_of(function):
        return cast(F, numba.njit(cache=True, **_OPTIONS)(function))


def bind(loop: F, owner: str, functions: Mapping[str, Callable[..., Any]], *, parallel: bool) -> F:
    """Compile `loop` with its global names bound to `functions`, under a name that carries its `owner`."""
    code = cast(FunctionType, loop)
    bound = FunctionType(code.__code__, {**code.__globals__, **functions}, code.__name__)
    bound.__qualname__ = f"{code.__qualname__}.{owner}.{'parallel' if parallel else 'serial'}"
    bound.__module__ = code.__module__
    with _cache_of(code, *functions.values()):
        return cast(F, numba.njit(cache=True, parallel=parallel, **_OPTIONS)(bound))


def unbound(*_: Any) -> Any:
    """Stands for a rule in a loop, until `bind` gives the loop the rules of a game."""
    raise AssertionError("a loop is called only after its rules are bound")


def tied(function: F, functions: Mapping[str, Callable[..., Any]]) -> F:
    """A kernel whose global names are bound to `functions`, to be called from compiled code."""
    source = cast(FunctionType, getattr(function, "py_func", function))
    twin = FunctionType(source.__code__, {**source.__globals__, **functions}, source.__name__)
    twin.__module__ = source.__module__
    return cast(F, kernel(twin))


def alone(loop: Callable[..., Any], *told: Any) -> Any:
    """Call a parallel loop on this thread only: for a little work the others are not worth waking."""
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        return loop(*told)
    finally:
        numba.set_num_threads(threads)


def plain(function: F, known: dict[int, Any] | None = None) -> F:
    """The uncompiled twin of a kernel, all the kernels it calls uncompiled too."""
    known = {} if known is None else known
    source = cast(FunctionType, getattr(function, "py_func", function))
    if id(source) not in known:
        names = dict(source.__globals__)
        known[id(source)] = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
        for name in source.__code__.co_names:
            if isinstance(names.get(name), CPUDispatcher):
                names[name] = plain(names[name], known)
    return cast(F, known[id(source)])


def signatures(function: Callable[..., Any]) -> int:
    """How many times a kernel was compiled: more than one means that a caller passed another type."""
    return len(getattr(function, "signatures", ()))


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Run what is compiled for several threads on one of them, inside."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(before)


@contextlib.contextmanager
def _cache_of(*functions: Callable[..., Any]) -> Iterator[None]:
    """Let numba cache what is decorated inside in the folder of the sources of these functions."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_folder(frozenset(_home(f) for f in functions)))
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _home(function: Callable[..., Any]) -> Path:
    source = cast(FunctionType, getattr(function, "py_func", function))
    return Path(source.__code__.co_filename).resolve().parent


@cache
def _folder(homes: frozenset[Path]) -> Path:
    trees = sorted({tree for home in homes for tree in _trees(home)})
    digest = hashlib.sha256(repr((sys.version, numba.config.BOUNDSCHECK)).encode())
    for tree in trees:
        for file in sorted(f for f in tree.rglob("*") if f.suffix in (".py", ".json")):
            digest.update(f"{file.relative_to(tree)}\0".encode() + file.read_bytes() + b"\0")
    root = _cache_root()
    folder = root / digest.hexdigest()[:16]
    if not folder.exists():
        _forget_old_caches(root)
    return folder


def _trees(home: Path) -> set[Path]:
    """The folders whose sources may be compiled into a function that lives in `home`.

    A game knows the core and itself; agents and games from elsewhere may know all of them.
    """
    games, agents = _SOURCES
    if home.parent == games:
        return {games / "core", home}
    return {games, agents} if home.is_relative_to(agents) else {games, agents, home}


def _cache_root() -> Path:
    if numba.config.CACHE_DIR:
        return Path(numba.config.CACHE_DIR) / "parlour"
    local = {"win32": "AppData/Local", "darwin": "Library/Caches"}.get(sys.platform, ".cache")
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / local
    return Path(base) / "parlour" / "kernels"


def _forget_old_caches(root: Path) -> None:
    """Every edit of a source starts new folders, one for each game that it touches: keep the last few."""
    with contextlib.suppress(OSError):
        folders = sorted(root.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
        for old in folders[KEPT_CACHES - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says once per game that it is compiling, so that the first seconds do not look like a hang."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def on_start(self, event: event.Event) -> None:
        function = event.data["dispatcher"].py_func
        if str(function.__module__).startswith("parlour."):
            parts = function.__qualname__.split(".")
            subject = parts[1].partition("-")[0] if len(parts) > 2 else function.__module__.split(".")[2]
            if subject not in self.said and subject not in ("core", "any"):
                self.said.add(subject)
                print(f"parlour: compiling {subject} (once: the result is cached)", file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        pass


SPINS = 600
"""About 25 microseconds."""


def _load_threads() -> None:
    """Load GNU OpenMP, which numba's threads come from on Linux, so that idle threads soon fall asleep.

    By default they spin for milliseconds, and starve the very thread they wait for as soon as anything else runs on the
    machine: batches then take ten times as long and more. Without any spinning every loop has to wake the threads anew,
    which takes as long as a small loop. So they wait for the next loop of the same step, and no longer. The setting is
    read when the library is loaded, and is ours alone.
    """
    if "OMP_WAIT_POLICY" in os.environ or "GOMP_SPINCOUNT" in os.environ:
        return
    os.environ["GOMP_SPINCOUNT"] = str(SPINS)
    with contextlib.suppress(ImportError):
        import_module("numba.np.ufunc.omppool")
    del os.environ["GOMP_SPINCOUNT"]


if JIT:
    event.register("numba:compile", _Announcer())
    _load_threads()
