"""The documentation is true: examples run, links lead somewhere, nothing is left out."""

import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import recollect
from recollect.chat import Chat
from recollect.cli import parser
from recollect.digest.jobs import Jobs
from recollect.digest.summaries import Summaries
from recollect.engine import Recollect
from recollect.recall.analytics import Analytics
from recollect.recall.context import Contexts
from recollect.recall.recall import Recall
from recollect.record.conversations import Conversations
from recollect.record.data import Data
from recollect.record.history import History
from recollect.record.keys import Keys
from recollect.record.memories import Memories
from recollect.record.users import Users
from recollect.server.app import create_app
from recollect.settings import NAMES, Settings
from tests.server.process import environment

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
UNEXPLAINED = {"ApiKey", "Conversation", "ConversationTurn", "Page", "Settings", "Turn"}
"""Values that are only ever received; their fields say it all."""
REFERENCE = ROOT / "docs" / "reference"


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


def output(example: str, folder: Path) -> str:
    """What it prints, if it has nothing to complain about."""
    ran = subprocess.run(
        [sys.executable, "-c", example],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stderr, ran.returncode) == ("", 0)
    return ran.stdout


def test_the_readme_example_runs(tmp_path: Path) -> None:
    (example,) = python_blocks(ROOT / "README.md")
    said = ["When is it warm in Lisbon?", "From May to October.", "And in winter?"]
    for _ in range(2):
        assert re.fullmatch(rf"{re.escape(str(said))} \d+\n", output(example, tmp_path))
    assert len(example.strip().splitlines()) <= 15


def test_the_example_of_a_context_runs(tmp_path: Path) -> None:
    imports, example = python_blocks(REFERENCE / "python.md")
    lines = output(imports + example, tmp_path).splitlines()
    assert lines[0].startswith("summary summary version 1 ")
    assert [line.split(" (")[0] for line in lines if line.startswith("tail ")] == [
        f"tail message {seq}" for seq in range(19, 29)
    ]
    assert lines[-1].startswith("message current message ")
    assert len(example.strip().splitlines()) <= 20


def test_every_setting_has_its_line() -> None:
    page = (REFERENCE / "settings.md").read_text()
    defaults = Settings(database_url="sqlite:///:memory:")
    for field, variable in NAMES.items():
        default = re.escape(_shown(field, getattr(defaults, field)))
        assert re.search(rf"^\| `{variable}` \| {default} ", page, re.M), variable
    lines = re.findall(r"^\| `(\w+)`", page, re.M)
    assert sorted(lines) == sorted(NAMES.values())


def _shown(field: str, default: object) -> str:
    if field == "database_url":
        return "a SQLite file in the user's data folder"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return "none" if default == "" else f"`{default}`"


def test_every_endpoint_has_its_line() -> None:
    async def routes() -> set[str]:
        async with Recollect.open("sqlite:///:memory:") as memory:
            paths = create_app(memory).openapi()["paths"]
        return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    page = (REFERENCE / "http.md").read_text()
    assert set(re.findall(r"^\| `([A-Z]+ /\S*)` \|", page, re.M)) == asyncio.run(routes())


def test_every_method_and_every_public_name_is_documented() -> None:
    page = (REFERENCE / "python.md").read_text()
    for service in (
        Conversations,
        History,
        Summaries,
        Contexts,
        Recall,
        Memories,
        Analytics,
        Jobs,
        Keys,
        Users,
        Data,
        Chat,
        Recollect,
    ):
        for name, _ in inspect.getmembers(service, inspect.iscoroutinefunction):
            assert name.startswith("_") or f"{name}(" in page, name
    for name in recollect.__all__:
        assert re.search(rf"\b{name}\b", page) or name in UNEXPLAINED, name


def test_every_command_has_its_line() -> None:
    page = (REFERENCE / "cli.md").read_text()
    commands = re.findall(r"^    (\w+) ", parser().format_help(), re.M)
    assert commands
    for command in commands:
        assert f"`recollect {command}" in page, command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert "://" in target or (page.parent / target).exists(), target
