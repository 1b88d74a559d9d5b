"""`docs/security.md` has a row with existing code and tests for every risk."""

import re

from tests.docs.pages import DOCS

PAGE = DOCS / "security.md"
RISKS = [f"API{number}" for number in range(1, 11)]
RISKS += [f"LLM{number:02}" for number in range(1, 11)]

_ROW = re.compile(r"^\| ((?:API|LLM)\d+) [^|]+\| [^|]+ \| ([^|]+) \| ([^|]+) \|$", re.M)
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
