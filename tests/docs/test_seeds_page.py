"""`docs/seeds.md` is whole: every section has its row, and whatever a row names is there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "seeds.md"

SECTIONS = {"000": 10, "001": 25, "002": 44, "003": 23, "004": 21}
"""How many sections, steps and methods each paper has: a row that is dropped is missed."""
QUESTIONS = {"001": 5, "003": 5}


class Link(NamedTuple):
    text: str
    path: Path

    @property
    def is_test(self) -> bool:
        name = self.path.name
        return name.startswith("test_") or ".test." in name


def part(heading: str) -> str:
    """What stands below a heading, up to the next of its own rank."""
    text = PAGE.read_text(encoding="utf-8")
    match = re.search(rf"^(#+) {heading}.*?\n(.*?)(?=^\1 |\Z)", text, re.M | re.S)
    assert match, heading
    return match[2]


def rows(heading: str) -> list[list[str]]:
    lines = [line for line in part(heading).splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def links(text: str) -> list[Link]:
    """Those that lead to files of the project; the others are other pages, and places on them."""
    found = re.findall(r"\[([^\]]+)\]\(\.\./([^)]+)\)", text)
    return [Link(text, ROOT / target) for text, target in found]


@cache
def names_in(path: Path) -> set[str]:
    """As a link names them: functions in Python, sentences in TypeScript."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return {f'"{name}"' for name in re.findall(r'\bit\("([^"]+)"', source)}
    return {
        f"`{node.name}`"
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


def proofs(seed: str) -> Iterator[tuple[str, str]]:
    """Of each row that owes them: its cells for code and for tests."""
    for *_, code, tests in rows(f"Seed {seed}: "):
        yield code, tests
    for *_, code, tests in rows(f"Open questions of seed {seed}") if seed in QUESTIONS else ():
        yield code, tests


@pytest.mark.parametrize("seed", SECTIONS)
def test_every_section_has_one_row(seed: str) -> None:
    listed = rows(f"Seed {seed}: ")
    assert {len(row) for row in listed} == {5}
    assert len(listed) == SECTIONS[seed]
    numbers = [row[0] for row in listed]
    assert len(set(numbers)) == len(numbers)
    titles = [(number.rpartition(".")[0], title) for number, title, *_ in listed]
    assert len(set(titles)) == len(titles)
    assert numbers == sorted(numbers, key=lambda number: [*map(int, number.split("."))])


@pytest.mark.parametrize("seed", QUESTIONS)
def test_every_question_has_one_answer(seed: str) -> None:
    asked = [question for question, *_ in rows(f"Open questions of seed {seed}")]
    assert len(set(asked)) == len(asked) == QUESTIONS[seed]


@pytest.mark.parametrize("seed", SECTIONS)
def test_every_row_names_code_and_tests_that_are_there(seed: str) -> None:
    for code, tests in proofs(seed):
        files, named = links(code), links(tests)
        assert files
        assert named
        assert not [link for link in files if link.is_test or not link.path.is_file()]
        for link in files:
            path = link.path.relative_to(ROOT).as_posix()
            assert path.removeprefix("recollect/") == link.text, "it says where it leads"
        for link in named:
            assert link.is_test
            assert link.text in names_in(link.path), link.text


def test_every_link_leads_to_a_file() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / target).is_file(), target


def test_every_deviation_has_its_reason() -> None:
    listed = re.findall(r"^### (.+)$", part("Deviations"), re.M)
    assert listed == ["Of all or several", *(f"Of seed {seed}" for seed in SECTIONS)]
    for heading in listed:
        deviations = rows(heading)
        assert deviations
        assert all(len(row) == 4 and all(map(str.strip, row)) for row in deviations)
