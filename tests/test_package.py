"""The package: what it exports, what importing it costs, what is in the wheel, and who may know whom."""

import ast
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

import parlour
from tests.envs.core.play import ROOT, python

HEAVY = ("torch", "numba", "llvmlite", "stable_baselines3", "sb3_contrib", "matplotlib", "typer", "rich", "pygame")


class TestImport:
    def test_the_package_needs_nothing_heavy(self) -> None:
        source = "import sys, parlour; print(*sorted(name for name in sys.modules if '.' not in name))"
        loaded = python(source).stdout.split()
        assert "parlour" in loaded
        assert not [name for name in HEAVY if name in loaded]

    def test_listing_the_games_needs_nothing_heavy_either(self) -> None:
        source = "import sys, parlour; parlour.games(); parlour.envs; dir(parlour); print(*sys.modules)"
        loaded = python(source).stdout.split()
        assert not [name for name in HEAVY if name in loaded]
        assert not [name for name in loaded if name.startswith(("parlour.agents", "parlour.training"))]

    def test_doors_are_listed_before_they_are_imported(self) -> None:
        source = "import sys, parlour; print(*dir(parlour.envs), *sys.modules)"
        listed = python(source).stdout.split()
        assert {f"{name}_v0" for name in parlour.games()} <= set(listed)
        assert not [name for name in listed if name.startswith("parlour.envs.") and name.endswith("_v0")]

    def test_playing_and_agents_need_no_torch(self) -> None:
        source = "import sys, parlour; parlour.Batch, parlour.agents, parlour.check_game; print(*sys.modules)"
        loaded = python(source).stdout.split()
        assert "numba" in loaded
        assert not [name for name in ("torch", "stable_baselines3", "sb3_contrib") if name in loaded]


class TestNames:
    def test_exported_names_all_resolve(self) -> None:
        for name in parlour.__all__:
            assert getattr(parlour, name) is not None, name
        assert len(set(parlour.__all__)) == len(parlour.__all__)
        assert set(dir(parlour)) >= set(parlour.__all__)

    def test_the_names_of_the_design_are_there(self) -> None:
        assert set(parlour.__all__) >= {
            "batch",
            "Batch",
            "games",
            "agents",
            "envs",
            "training",
            "check_game",
            "IllegalAction",
            "NO_ACTION",
        }
        assert parlour.NO_ACTION == -1

    def test_there_are_five_games(self) -> None:
        assert parlour.games() == ["kintsugi", "broken_and_beautiful", "patchwork", "kitsu", "klink"]

    def test_other_names_do_not_exist(self) -> None:
        with pytest.raises(AttributeError, match="module 'parlour' has no attribute 'chess'"):
            _ = parlour.chess  # type: ignore[attr-defined]

    def test_a_star_import_gives_the_exported_names(self) -> None:
        names: dict[str, object] = {}
        exec("from parlour import *", names)
        assert set(parlour.__all__) <= set(names)

    def test_the_version_is_that_of_the_distribution(self) -> None:
        assert version("parlour") == parlour.__version__


PIP = ("pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir")
BUILD = ("build", "--wheel", "--no-isolation", "--outdir")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of a wheel that is built from a copy of the sources: building leaves its scaffolding behind."""
    if int(version("setuptools").split(".")[0]) < 77:
        pytest.skip("wheels are built with setuptools 77 or newer: pip install 'setuptools>=77'")
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    rubbish = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for part in (*LAYERS, "src"):
        shutil.copytree(ROOT / part, source / part, symlinks=True, ignore=rubbish)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source / file)
    tool = BUILD if find_spec("build") else PIP
    done = subprocess.run([sys.executable, "-m", *tool, str(folder), str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = folder.glob("parlour-*.whl")
    return zipfile.ZipFile(made).namelist()


class TestWheel:
    def test_the_only_top_level_name_is_parlour(self, wheel: list[str]) -> None:
        tops = {name.split("/")[0] for name in wheel}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"parlour"}
        assert len(tops) == 2

    def test_it_has_all_modules_and_no_tests(self, wheel: list[str]) -> None:
        ours = {f"parlour/{path.relative_to(ROOT)}" for part in LAYERS for path in (ROOT / part).rglob("*.py")}
        assert ours <= set(wheel)
        assert not [name for name in wheel if "tests" in name or "__pycache__" in name]

    def test_it_has_rules_tables_and_types(self, wheel: list[str]) -> None:
        pages = {f"parlour/envs/{path.parent.name}/RULES.md" for path in (ROOT / "envs").glob("*/RULES.md")}
        assert len(pages) >= 2
        assert {*pages, "parlour/envs/patchwork/patches.json", "parlour/py.typed"} <= set(wheel)

    def test_it_has_the_license_and_the_command(self, wheel: list[str]) -> None:
        assert [name for name in wheel if name.endswith("LICENSE")]
        assert [name for name in wheel if name.endswith("entry_points.txt")]


LAYERS = ("envs", "agents", "training")
FORBIDDEN = {
    "envs": ("parlour.agents", "parlour.training", "torch", "stable_baselines3", "sb3_contrib", "rich", "typer"),
    "agents": ("parlour.training", "torch", "stable_baselines3", "sb3_contrib"),
    "training": (),
}
"""What the modules of a layer may not import when they are imported themselves."""
NETS = {Path("agents", name) for name in ("bot.py", "nets.py", "ppo.py", "quilt.py")}
"""What is imported only to load a net may import torch."""


def imported(tree: ast.AST, inside: bool = False) -> Iterator[str]:
    """The modules that a module imports, without those inside functions and `if TYPE_CHECKING`, unless asked for."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        late = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        typing_only = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if inside or not (late or typing_only):
            yield from imported(node, inside)


MODULES = [path.relative_to(ROOT) for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


@pytest.mark.parametrize("module", MODULES, ids=str)
class TestLayers:
    def test_a_module_imports_nothing_from_a_layer_above(self, module: Path) -> None:
        found = imported(ast.parse((ROOT / module).read_text()))
        forbidden = set(FORBIDDEN[module.parts[0]]) - ({"torch"} if module in NETS else set())
        assert not [name for name in found if f"{name}.".startswith(tuple(f"{no}." for no in forbidden))]

    def test_a_module_is_imported_by_its_full_name(self, module: Path) -> None:
        found = list(imported(ast.parse((ROOT / module).read_text()), inside=True))
        assert not [name for name in found if name.split(".")[0] in LAYERS], "parlour.envs, never bare envs"
        assert not [name for name in found if name.startswith("None.")], "no relative imports"

    def test_a_game_knows_no_other_game(self, module: Path) -> None:
        if len(module.parts) > 2 and module.parts[0] == "envs" and module.parts[1] != "core":
            own = ("parlour.envs.core.", f"parlour.envs.{module.parts[1]}.")
            found = imported(ast.parse((ROOT / module).read_text()), inside=True)
            assert not [n for n in found if n.startswith("parlour.envs.") and not f"{n}.".startswith(own)]


def test_late_and_typing_imports_are_told_apart() -> None:
    source = """
import a
from b import c
if TYPE_CHECKING:
    import d
def f():
    import e
class G:
    import h
    def i(self):
        from . import j
try:
    import k
except ImportError:
    pass
"""
    assert list(imported(ast.parse(source))) == ["a", "b.c", "h", "k"]
    assert list(imported(ast.parse(source), inside=True)) == ["a", "b.c", "d", "e", "h", "None.j", "k"]
