"""Compiling is done once: cached on disk, never stale, announced, and only for the game in use."""

import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numba
import numpy as np
import pytest

import parlour
from parlour.envs.core import jit, loops
from parlour.envs.core.batch import PARALLEL_FROM, Batch
from parlour.envs.core.game import kernels
from parlour.envs.core.jit import KEPT_CACHES, kernel, plain, signatures
from parlour.envs.core.rewards import share_win, team_of
from tests.envs.core.play import finish, play, python

SOURCES = Path(parlour.__file__).resolve().parents[2]
NOTICE = "parlour: compiling patchwork (once: the result is cached)\n"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package that can be edited."""
    return copied(tmp_path_factory.mktemp("package"))


def copied(root: Path) -> Path:
    for part in ("envs", "agents", "training", "src"):
        rubbish = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(SOURCES / part, root / part, symlinks=True, ignore=rubbish)
    return root


def run(package: Path, source: str, cache: str = "cache") -> tuple[Any, str]:
    """What a script prints with the copied package, as JSON, and what it says on stderr."""
    done = python(
        f"{COUNTING}\n{source}",
        cwd=package,
        PYTHONPATH=str(package / "src"),
        NUMBA_CACHE_DIR=str(package / cache),
    )
    return json.loads(done.stdout), done.stderr


COUNTING = """
import json, sys
from numba.core import event

class Note(event.Listener):
    def on_start(self, compile):
        compiled.append(compile.data["dispatcher"].py_func.__module__)

    def on_end(self, compile):
        pass

compiled = []
event.register("numba:compile", Note())
"""

TABLE = """
import parlour
assert parlour.__file__.startswith(sys.path[1] or sys.path[0]), parlour.__file__
env = parlour.envs.patchwork_v0.env(render_mode="ansi")
env.reset(seed=0)
for _ in range(3):
    env.step(int(env.last()[0]["action_mask"].argmax()))
env.render()
games = [name for name in ("kintsugi", "kitsu", "klink") if f"parlour.envs.{name}" in sys.modules]
print(json.dumps({"compiled": sorted(set(compiled)), "other games": games}))
"""

DEAL = """
import parlour
batch = parlour.batch("patchwork", seed=0)
print(json.dumps({"legal": int(batch.legal.sum()), "scores": batch.scores()[0].tolist(), "compiled": len(compiled)}))
"""


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file with its size and time."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in found}


class TestProcesses:
    def test_only_the_game_in_use_is_compiled_and_only_the_first_time(self, package: Path) -> None:
        first, said = run(package, TABLE)
        assert said == NOTICE, "one line, said once"
        assert first["other games"] == []
        assert any(module.startswith("parlour.envs.patchwork.") for module in first["compiled"])
        ours = ("parlour.envs.patchwork.", "parlour.envs.core.", "numba.")
        assert not [module for module in first["compiled"] if not module.startswith(ours)]
        cached = files(package / "cache")
        assert cached
        second, said = run(package, TABLE)
        assert said == "", "nothing to announce"
        assert second["compiled"] == []
        assert files(package / "cache") == cached

    def test_an_edit_in_any_file_is_noticed(self, package: Path) -> None:
        """In a rule that another file calls, in a table, in a json: each is compiled into the loops of the core."""
        before, _ = run(package, DEAL, "edits")
        assert before["compiled"] > 0
        assert before["scores"] == [5 - 2 * 81] * 2

        edit(package / "envs/patchwork/rules.py", "- 2 * int(s.empty[seat])", "- 3 * int(s.empty[seat])")
        rule, _ = run(package, DEAL, "edits")
        assert rule["scores"] == [5 - 3 * 81] * 2
        assert rule["legal"] == before["legal"]

        edit(package / "envs/patchwork/components.py", "[patch.cost for", "[patch.cost + 99 for")
        table, said = run(package, DEAL, "edits")
        assert table["legal"] == 1, "no patch can be paid for any more"
        assert said == NOTICE

        patches = package / "envs/patchwork/patches.json"
        shapes = json.loads(patches.read_text())
        patches.write_text(json.dumps([{**patch, "cost": -99} for patch in shapes]))
        data, _ = run(package, DEAL, "edits")
        assert data["legal"] >= before["legal"] > 1, "every patch can be paid for"
        assert len(list((package / "edits/parlour").iterdir())) == 5, "one for the core, which was not edited"


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


@pytest.fixture
def folder_of_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The folder for the compiled code of a copy of the sources, asked for anew every time."""
    root = copied(tmp_path / "package")
    monkeypatch.setattr(jit, "_SOURCES", (root / "envs", root / "agents"))
    monkeypatch.setattr(jit, "_cache_root", lambda: tmp_path / "caches")
    return lambda *homes: jit._folder.__wrapped__(frozenset(homes or jit._SOURCES[1:]))


class TestCacheFolder:
    def test_is_another_one_after_an_edit_in_each_of_the_files(self, folder_of_sources: Any) -> None:
        sources = [file for tree in jit._SOURCES for file in tree.rglob("*") if file.suffix in (".py", ".json")]
        assert len(sources) > 20
        seen = {folder_of_sources()}
        for file in sources:
            file.write_text(file.read_text() + "\n")
            seen.add(folder_of_sources())
        assert len(seen) == len(sources) + 1

    def test_of_a_game_is_the_same_after_an_edit_in_another_game_or_an_agent(self, folder_of_sources: Any) -> None:
        envs, agents = jit._SOURCES
        klink, kitsu = envs / "klink", envs / "kitsu"
        before = folder_of_sources(klink), folder_of_sources(kitsu), folder_of_sources(agents)
        (klink / "rules.py").write_text("")
        edited = folder_of_sources(klink), folder_of_sources(kitsu), folder_of_sources(agents)
        assert [old == new for old, new in zip(before, edited, strict=True)] == [False, True, False]
        (agents / "__init__.py").write_text("")
        assert (folder_of_sources(klink), folder_of_sources(kitsu)) == edited[:2]
        assert folder_of_sources(agents) != edited[2]

    def test_is_another_one_when_a_file_comes_goes_or_is_renamed(self, folder_of_sources: Any) -> None:
        file = jit._SOURCES[0] / "extra.py"
        before = folder_of_sources()
        file.write_text("")
        added = folder_of_sources()
        file.rename(file.with_name("other.py"))
        renamed = folder_of_sources()
        file.with_name("other.py").unlink()
        assert len({before, added, renamed}) == 3
        assert folder_of_sources() == before

    def test_is_the_same_while_nothing_is_edited(self, folder_of_sources: Any) -> None:
        before = folder_of_sources()
        for file in jit._SOURCES[0].rglob("*.py"):
            os.utime(file, (0, 0))
        assert folder_of_sources() == before

    def test_is_another_one_after_an_edit_in_a_game_from_elsewhere(
        self, folder_of_sources: Any, tmp_path: Path
    ) -> None:
        home = tmp_path / "elsewhere"
        home.mkdir()
        (home / "rules.py").write_text("POINTS = 1")
        before = folder_of_sources(home)
        assert before != folder_of_sources()
        (home / "rules.py").write_text("POINTS = 2")
        assert folder_of_sources(home) != before

    def test_is_another_one_with_bounds_checked(self, folder_of_sources: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        before = folder_of_sources()
        monkeypatch.setattr(numba.config, "BOUNDSCHECK", 1)
        assert folder_of_sources() != before

    def test_old_ones_are_forgotten_when_a_new_one_begins(self, folder_of_sources: Any, tmp_path: Path) -> None:
        caches = tmp_path / "caches"
        for age in range(KEPT_CACHES + 4):
            (caches / f"old{age}").mkdir(parents=True)
            (caches / f"old{age}" / "code.nbi").write_text("")
            os.utime(caches / f"old{age}", (1_000_000 - age, 1_000_000 - age))
        present = folder_of_sources()
        left = sorted(path.name for path in caches.iterdir())
        assert left == sorted(f"old{age}" for age in range(KEPT_CACHES - 1)), "as many as are kept, with the new one"
        present.mkdir()
        (caches / "yet another").mkdir()
        folder_of_sources()
        assert len(list(caches.iterdir())) == KEPT_CACHES + 1, "a known one forgets nothing"

    @pytest.mark.parametrize("given", ["", "there"])
    def test_lies_where_the_user_or_the_system_says(
        self, given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
        monkeypatch.setattr(numba.config, "CACHE_DIR", given)
        assert jit._cache_root() == (Path("there/parlour") if given else tmp_path / "parlour/kernels")

    def test_other_peoples_kernels_keep_their_own(self) -> None:
        before = numba.config.CACHE_DIR
        jit.entry(team_of.py_func)  # type: ignore[attr-defined]
        assert before == numba.config.CACHE_DIR


def test_every_kernel_has_one_signature_after_use_through_all_doors() -> None:
    """Another type or layout of an argument would compile it again."""
    game = parlour.make_game("kintsugi")
    for size in (1, 2, PARALLEL_FROM):
        use_every_method(Batch(game, size, 1, on_illegal="lose"))
    use_every_method(Batch(game, 2, np.array([1, 2**63], np.uint64), autoreset=True))
    for env in (parlour.envs.kintsugi_v0.env(), parlour.envs.kintsugi_v0.raw_env(observation="remember")):
        env.reset()
        env.reset()
        env.step(np.int8(env.last()[0]["action_mask"].argmax()))
        env.state()
    single: Any = gymnasium.make("parlour/Kintsugi-v0")
    single.reset(seed=1)
    single.step(np.int32(single.get_wrapper_attr("action_masks")().argmax()))
    vector = gymnasium.make_vec("parlour/Kintsugi-v0", num_envs=3)
    vector.reset()
    vector.step(vector.action_space.sample())
    found = {}
    for parallel in (False, True):
        bound = vars(kernels(game.rules, parallel=parallel))
        found |= {(name, parallel): signatures(loop) for name, loop in bound.items() if hasattr(loop, "signatures")}
        found["sampling", parallel] = signatures(loops.sampling(parallel=parallel))
    for shared in (loops.spread_seeds, loops.following_seeds):
        found[shared.__name__, False] = signatures(shared)
    assert {loop: many for loop, many in found.items() if many != 1} == {}
    assert len(found) == 20


def use_every_method(batch: Batch) -> None:
    """With arguments of many types and layouts."""
    rows = np.arange(batch.size, dtype=np.int32)
    play(batch, 2)
    batch.step(batch.legal.argmax(axis=1).astype(np.uint8)[::-1], rows[::-1])
    batch.step(np.repeat(batch.sample_legal(), 2)[::2])
    frozen = batch.sample_legal()
    frozen.flags.writeable = False
    batch.step(frozen)
    for seat in (0, np.int8(1), None, (rows % 2).astype(np.uint16)):
        batch.observe(seat)
        batch.remember(seat)
        batch.reveal(0 if seat is None else seat)
        batch.determinize(seat)
    batch.scores(rows > 0)
    assert batch.observation.shape[0] == batch.size
    Batch.from_bytes(batch.to_bytes()).sample_legal(rows[:1].tolist())
    play(batch.copy(rows[::-1]), 2)
    batch.reset(rows=rows[:1])
    batch.reset(seed=np.uint8(7))


def test_functions_of_no_module_can_be_compiled_by_others() -> None:
    names: dict[str, Any] = {"__name__": None}
    exec("def one(): return 1", names)
    assert numba.njit(names["one"])() == 1


class TestThreads:
    def test_few_rows_are_left_to_the_calling_thread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        batch = parlour.batch("kintsugi", PARALLEL_FROM, seed=1)
        before, used = numba.get_num_threads(), []
        step = batch._kernels.step
        noted = SimpleNamespace(step=lambda *told: (used.append(numba.get_num_threads()), step(*told))[1])
        monkeypatch.setattr(batch, "_kernels", noted)
        batch.step(batch.sample_legal())
        batch.step(batch.sample_legal([5, 3]), [5, 3])
        assert used == [before, 1]
        assert numba.get_num_threads() == before

    def test_the_setting_is_given_back_even_after_an_error(self) -> None:
        before = numba.get_num_threads()
        with pytest.raises(ZeroDivisionError):
            jit.alone(lambda: 1 // 0)
        assert numba.get_num_threads() == before

    def test_wait_for_a_moment_unless_the_user_says_otherwise(self) -> None:
        """The variables are set only while the library is loaded: other libraries and processes have their own."""
        told = "import os, parlour; print([os.environ.get(name) for name in ('GOMP_SPINCOUNT', 'OMP_WAIT_POLICY')])"
        assert python(told).stdout == "[None, None]\n"
        assert python(told, GOMP_SPINCOUNT="7").stdout == "['7', None]\n"
        assert python(told, OMP_WAIT_POLICY="active").stdout == "[None, 'active']\n"


class TestPlain:
    def test_all_that_a_plain_twin_calls_is_plain_too(self) -> None:
        twin = plain(share_win)
        assert not hasattr(twin, "signatures")
        assert not hasattr(twin.__globals__["team_of"], "signatures")
        assert hasattr(share_win, "signatures"), "and the kernel is a kernel still"

    def test_a_twin_keeps_defaults_and_can_call_itself(self) -> None:
        assert plain(countdown)(3) == 3
        assert plain(plain(countdown))(2, 5) == 7

    def test_a_function_that_was_never_compiled_is_its_own_twin(self) -> None:
        assert plain(finish).__code__ is finish.__code__


@kernel
def countdown(n: int, start: int = 0) -> int:
    return start if n == 0 else countdown(n - 1, start + 1)


def test_a_loop_without_rules_says_so() -> None:
    with pytest.raises(AssertionError, match="only after its rules are bound"):
        loops.score_rows(np.zeros(1), np.zeros(1, np.int64), np.zeros((1, 2), np.int32))
