"""`docs/security.md` has a row with existing code and tests for every risk."""

import re

from tests.docs.pages import DOCS

PAGE = DOCS / "security.md"
RISKS = [f"API{number}" for number in range(1, 11)]
RISKS += [f"LLM{number:02}" for number in range(1, 11)]

_ROW = re.compile(r"^\| ((?:API|LLM)\d+) [^|]+\| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.M)
_ATTACK = re.compile(
    r"^\| ([^|]+) \| ([^|]+) \| ((?:\[(?:test_\w+|[\w/]+\.py)\]\([^)]+\)(?:, )?)+) \|$", re.M
)
_TEST = re.compile(r"\[(test_\w+)\]\((../tests/[^)]+)\)")
_LINK = re.compile(r"\]\(([^)]+)\)")


def test_every_risk_has_code_and_tests() -> None:
    rows = _ROW.findall(PAGE.read_text())
    assert [risk for risk, _, _ in rows] == RISKS
    for risk, code, tests in rows:
        for cell in (code, tests):
            targets = _LINK.findall(cell)
            assert targets, risk
            assert [target for target in targets if not (DOCS / target).exists()] == []
        assert all(target.startswith("../tests/") for target in _LINK.findall(tests)), risk


def test_every_attack_has_a_test() -> None:
    section = PAGE.read_text().partition("\n## Attacks\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    rows = _ATTACK.findall(section)
    assert len(rows) == len(lines) > 0
    for attack, _, tests in rows:
        assert all((DOCS / target).exists() for target in _LINK.findall(tests)), attack
        for name, target in _TEST.findall(tests):
            assert f"def {name}(" in (DOCS / target).read_text(), (attack, name)
