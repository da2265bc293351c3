"""Every clause of every game's rules page is cited by a test, and tests cite only clauses that exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
PAGES = sorted((ROOT / "envs").glob("*/RULES.md"))


def clauses(page: str) -> list[str]:
    """The ids that a rules page defines, which it prints in bold."""
    return re.findall(r"\*\*([A-Z]+-\d+)\*\*", page)


def citations(source: str) -> set[str]:
    """The ids in the `pytest.mark.clause(...)` decorators of the tests of a file."""
    return {
        ast.literal_eval(given)
        for test in ast.walk(ast.parse(source))
        if isinstance(test, (ast.ClassDef, ast.FunctionDef)) and test.name.lower().startswith("test")
        for mark in test.decorator_list
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause"
        for given in mark.args
    }


def cited() -> Iterator[tuple[str, str]]:
    """(file, id) of everything that the tests cite."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for clause in sorted(citations(file.read_text())):
            yield str(file.relative_to(ROOT)), clause


def test_there_are_rules_pages() -> None:
    assert {"kintsugi", "patchwork"} <= {page.parent.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_clause_is_cited_by_a_test(page: Path) -> None:
    known = clauses(page.read_text())
    assert known, f"{page} has no clause in bold, such as **KIN-13**"
    tested = {clause for _, clause in cited()}
    missing = [clause for clause in known if clause not in tested]
    assert not missing, f"no test cites {', '.join(missing)} with @pytest.mark.clause"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_every_clause_has_an_id_of_its_own(page: Path) -> None:
    known = clauses(page.read_text())
    twice = sorted({clause for clause in known if known.count(clause) > 1})
    assert not twice, f"{page} defines {', '.join(twice)} more than once"


def test_every_cited_clause_exists() -> None:
    known = {clause for page in PAGES for clause in clauses(page.read_text())}
    unknown = [f"{clause} in {file}" for file, clause in cited() if clause not in known]
    assert not unknown, f"no RULES.md has {', '.join(unknown)}"


def test_citations_are_read_from_tests_alone() -> None:
    source = """
@pytest.mark.clause("ABC-1", "ABC-2")
@pytest.mark.slow
class TestThis:
    @pytest.mark.parametrize("x", ["ABC-8"])
    @pytest.mark.clause("ABC-3")
    def test_that(self): ...

@pytest.mark.clause("ABC-9")
def helper(): ...

# pytest.mark.clause("ABC-9")
"""
    assert citations(source) == {"ABC-1", "ABC-2", "ABC-3"}


def test_clauses_are_the_ids_in_bold() -> None:
    assert clauses("- **ABC-1** as in ABC-2, **our reading**\n**ABC-30** too") == ["ABC-1", "ABC-30"]
