"""`docs/seeds.md` covers every section of the specifications and names existing files."""

import re

import pytest

from tests.docs.pages import DOCS, ROOT

PAGE = DOCS / "seeds.md"
SECTIONS = {"000": 10, "001": 8, "002": 10, "003": 13, "004": 5}
"""Number of top-level sections per paper."""

_LINK = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def rows(seed: str) -> list[list[str]]:
    text = PAGE.read_text(encoding="utf-8")
    match = re.search(rf"^## Seed {seed}: .*?\n(.*?)(?=^## )", text, re.M | re.S)
    assert match, seed
    lines = [line for line in match[1].splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


@pytest.mark.parametrize("seed", SECTIONS)
def test_every_section_is_listed(seed: str) -> None:
    listed = {int(number.partition(".")[0]) for row in rows(seed) for number in row[0].split(", ")}
    assert listed == {*range(1, SECTIONS[seed] + 1)}


@pytest.mark.parametrize("seed", SECTIONS)
def test_every_row_names_existing_code_and_tests(seed: str) -> None:
    for _, topic, code, tests in rows(seed):
        for cell in (code, tests):
            links = _LINK.findall(cell)
            assert links, topic
            for text, target in links:
                assert (ROOT / target).exists(), target
                assert target.endswith(text), "the text is the path"
        for _, target in _LINK.findall(tests):
            assert target.startswith("tests/") or ".test." in target, target


def test_deviations_have_three_cells() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## Deviations")[2]
    listed = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert all(len(row) == 3 and all(map(str.strip, row)) for row in listed)
    assert {row[0] for row in listed} >= {"all", *SECTIONS}
