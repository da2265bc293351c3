"""Every Python snippet of the README runs."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_the_readme_has_snippets() -> None:
    assert len(SNIPPETS) >= 4


@pytest.mark.parametrize("snippet", SNIPPETS, ids=range(len(SNIPPETS)))
def test_snippets_run(snippet: str) -> None:
    exec(compile(snippet, str(README), "exec"), {})


def test_the_readme_names_the_two_commands() -> None:
    assert "make demo" in README.read_text()
    assert "make test" in README.read_text()
