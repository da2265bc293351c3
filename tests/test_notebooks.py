"""The notebooks run from top to bottom, and the example beside them learns."""

import sys
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient

import parlour
from parlour.training import arena

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PICTURES = {"01_first_steps": 1, "02_train_and_judge": 1, "03_head_to_head": 2, "04_research": 1}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_and_is_stored_with_its_pictures(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    stored = pictures(notebook)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    assert stored == pictures(notebook) == PICTURES[path.stem]


def pictures(notebook: Any) -> int:
    """How many pictures its cells show."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.fixture
def own_loop(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(NOTEBOOKS))
    import own_loop

    yield own_loop
    sys.modules.pop("own_loop")


def test_the_example_is_short() -> None:
    assert len((NOTEBOOKS / "own_loop.py").read_text().splitlines()) < 60


def test_the_example_learns(own_loop: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Some rounds are enough to be clearly better than random."""
    torch.manual_seed(0)
    net = own_loop.main(rounds=16, tables=128)
    assert capsys.readouterr().out.count("\n") == 16

    def best(seen: Any, legal: Any) -> Any:
        with torch.no_grad():
            return own_loop.choose(net, torch.tensor(seen), torch.tensor(legal))[0].probs.argmax(dim=1).numpy()

    result = arena("kintsugi", [parlour.agents.wrap(best), "random"], games=400)
    assert result.pairs[0].a_win_rate > 0.65
    assert np.isfinite(result.agents[0].rating)
