"""`docs/licences.md` lists all runtime dependencies with their licences."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs.pages import ROOT
from tools.licences import PAGE, Package, page

WEIGHTS = ROOT / "weights.txt"


def test_weights_are_pinned_by_hash() -> None:
    lines = [line for line in WEIGHTS.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 4
    for line in lines:
        assert re.fullmatch(r"[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}", line), line


def test_every_direct_dependency_is_listed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["server"], *extras["postgres"], *extras["local"]]
    wanted += re.findall(r"^[\w-]+(?===)", WEIGHTS.read_text(), re.M)
    named = set(re.findall(r"^\| `([^`]+)` \| directly \| (?!unknown)", PAGE.read_text(), re.M))
    assert {canonicalize_name(Requirement(one).name) for one in wanted} <= named
    web = (ROOT / "web" / "package.json").read_text()
    built = re.search(r'"dependencies": \{(.*?)\}', web, re.DOTALL)
    assert built is not None
    assert set(re.findall(r'"([^"]+)":', built[1])) <= named


def test_web_app_contains_licence_texts() -> None:
    notices = (ROOT / "recollect" / "server" / "static" / "licences.txt").read_text()
    for name in ("react", "react-dom", "react-markdown", "recharts", "virtua"):
        found = re.search(rf"^{name} \S+ \((.+)\)\n\n(.*?)(?:^---$|\Z)", notices, re.M | re.DOTALL)
        assert found, name
        assert "Permission is hereby granted" in found[2], name


def test_page_is_current() -> None:
    """Other platforms need other packages, so only rows on both pages are compared."""
    written, kept = (dict(_rows(text)) for text in (page(), PAGE.read_text()))
    assert len(written) > 50
    for name in written.keys() & kept.keys():
        assert written[name] == kept[name], "python -m tools.licences"


def test_copyleft_licence_needs_a_note() -> None:
    for licence in ("unknown", "GPL-3.0-only", "AGPL-3.0-or-later"):
        with pytest.raises(LookupError, match="anything"):
            _ = Package("anything", licence, direct=True).note
    assert Package("anything", "MIT", direct=True).note == ""


def _rows(text: str) -> list[tuple[str, str]]:
    return re.findall(r"^\| `([^`]+)` \| (.+) \|$", text, re.M)
