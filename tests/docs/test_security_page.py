"""`docs/security.md` is true: every point has its row, and every test that it names is there."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.docs.pages import DOCS

PAGE = DOCS / "security.md"
POINTS = [f"API{number}" for number in range(1, 11)]
POINTS += [f"LLM{number:02}" for number in range(1, 11)]

_ROW = re.compile(r"^\| ((?:API|LLM)\d+) [^|]+\| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.M)
_TEST = re.compile(r"\[`(test_\w+)`\]\(([^)]+)\)")


def test_every_point_has_its_row_with_code_and_a_test() -> None:
    rows = _ROW.findall(PAGE.read_text())
    assert [point for point, _, _ in rows] == POINTS
    for point, where, tests in rows:
        assert "](../" in where, point
        assert _TEST.search(tests), point


def test_every_test_that_it_names_is_there() -> None:
    named = _TEST.findall(PAGE.read_text())
    assert len(named) > 70
    for name, target in named:
        assert name in _tests_in((PAGE.parent / target).resolve()), (name, target)


@cache
def _tests_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}
