"""The documentation is complete, and its links, settings, commands and calls exist."""

import argparse
import ast
import asyncio
import inspect
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import recollect
from recollect.analytics.service import Analytics
from recollect.chat.service import Chat
from recollect.cli import parser
from recollect.digest.jobs import Jobs
from recollect.digest.summaries.service import Summaries
from recollect.engine import Recollect
from recollect.recall.context.service import Contexts
from recollect.recall.service import Recall
from recollect.record.api_keys import Keys
from recollect.record.conversations import Conversations
from recollect.record.memories import Memories
from recollect.record.turn_history import History
from recollect.record.users import Users
from recollect.server.app import create_app
from recollect.server.metrics import Metrics
from recollect.settings import VARIABLES, Settings
from recollect.transfer.service import DataTransfer
from tests.docs.pages import ADDRESS, DOCS, REFERENCE, ROOT, Page, pages
from tools.http_reference import PAGE, with_table

PAGES = pages()
CODE = ROOT / "recollect"
UNEXPLAINED = {"ApiKey", "Conversation", "ConversationTurn", "Page", "Settings", "Turn"}
"""Return types without an entry of their own."""
FOREIGN = {
    "RECOLLECT_TEST_POSTGRES_URL",  # tests, browser, benchmarks
    "RECOLLECT_CHROMIUM",
    "RECOLLECT_EXAMPLES",
    "RECOLLECT_DEV_SERVER",
    "OLLAMA_CONTEXT_LENGTH",  # other software
    "FORWARDED_ALLOW_IPS",
    "MEM0_TELEMETRY",
    "HOUSE_KEY",  # example
    "GEMINI_API_KEY",
    "TURN_REFERENCES",  # a Python constant
    "MEMORY_CARD",  # a specification
}
"""Names in capitals that are not settings."""
NOT_DESCRIBED = {"/", "/openapi.json"}
"""Served paths that are not in the OpenAPI description."""


def test_every_setting_is_documented() -> None:
    page = (REFERENCE / "settings.md").read_text()
    defaults = Settings(database_url="sqlite:///:memory:")
    for field, variable in VARIABLES.items():
        default = re.escape(_shown(field, getattr(defaults, field)))
        assert re.search(rf"^\| `{variable}` \| {default} ", page, re.M), variable
    lines = re.findall(r"^\| `(\w+)`", page, re.M)
    assert sorted(lines) == sorted(VARIABLES.values())


def _shown(field: str, default: object) -> str:
    if field == "database_url":
        return "a SQLite file in the user's data folder"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return "not set" if default == "" else f"`{default}`"


@cache
def routes() -> frozenset[str]:
    """Return all routes, such as `GET /api/me`."""

    async def described() -> frozenset[str]:
        async with Recollect.open("sqlite:///:memory:") as memory:
            paths = create_app(memory).openapi()["paths"]
        return frozenset(f"{verb.upper()} {path}" for path in paths for verb in paths[path])

    return asyncio.run(described())


def is_route(verb: str, path: str) -> bool:
    """Whether a route matches; any text matches an id."""
    shapes = (re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(route)) for route in routes())
    return path in NOT_DESCRIBED or any(re.fullmatch(shape, f"{verb} {path}") for shape in shapes)


def test_endpoint_table_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page), "run: make openapi"
    assert set(re.findall(r"^\| `([A-Z]+ /\S*)` \|", page, re.M)) == routes()


def test_every_metric_is_documented() -> None:
    async def exposed() -> str:
        async with Recollect.open("sqlite:///:memory:") as memory:
            return (await Metrics(memory).expose()).decode()

    told = re.findall(r"^# TYPE (\w+) (\w+)$", asyncio.run(exposed()), re.M)
    kinds = {(name, kind) for name, kind in told if not name.endswith("_created")}
    page = (REFERENCE / "metrics.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \| (\w+) \|", page, re.M)) == kinds


def test_every_log_event_is_documented() -> None:
    page = (REFERENCE / "metrics.md").read_text().partition("## Log events")[2]
    lines = dict(re.findall(r"^\| `([\w.]+)` \| ([^|]+) \|", page, re.M))
    logged = [event for path in CODE.rglob("*.py") for event in _events(path)]
    assert {name for name, _ in logged} == lines.keys()
    for name, fields in logged:
        assert fields <= set(re.findall(r"`(\w+)`", lines[name])), name


def _events(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Yield the name and the literal fields of each logged event."""
    for call in ast.walk(ast.parse(path.read_text())):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("logger")), args=[*_, ast.Constant(str(name))]
            ):
                if re.fullmatch("[a-z_.]+", name):
                    given = [word.value for word in call.keywords if word.arg == "extra"]
                    keys = [key for one in given if isinstance(one, ast.Dict) for key in one.keys]
                    yield name, {str(key.value) for key in keys if isinstance(key, ast.Constant)}


def test_every_method_and_public_name_is_documented() -> None:
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
        DataTransfer,
        Chat,
        Recollect,
    ):
        for name, _ in inspect.getmembers(service, inspect.iscoroutinefunction):
            assert name.startswith("_") or f"{name}(" in page, name
    for name in recollect.__all__:
        assert re.search(rf"\b{name}\b", page) or name in UNEXPLAINED, name


def test_every_command_is_documented() -> None:
    page = (REFERENCE / "cli.md").read_text()
    commands = re.findall(r"^    (\w+) ", parser().format_help(), re.M)
    assert commands
    for command in commands:
        assert f"`recollect {command}" in page, command


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_exist(page: Page) -> None:
    for link in page.links():
        assert link.path.exists(), link
        if link.anchor and link.path.suffix == ".md":
            assert link.anchor in Page(link.path).anchors(), link


def test_every_page_is_reachable_from_the_index() -> None:
    reached: set[Path] = set()
    ahead = [DOCS / "index.md"]
    while ahead:
        path = ahead.pop()
        reached.add(path)
        new = {link.path for link in Page(path).links() if link.path.suffix == ".md"} - reached
        ahead += [path for path in new if path.exists()]
    assert {page.path for page in PAGES if page.path.is_relative_to(DOCS)} - reached == set()


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_settings_exist(page: Page) -> None:
    known = {*VARIABLES.values(), *FOREIGN}
    named = re.findall(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b", page.text)
    assert set(named) - known == set()
    keys = dict.fromkeys(FOREIGN, "a key")
    for given in page.settings():
        Settings.from_environment({**keys, **given})


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_are_valid(page: Page) -> None:
    assert [command for command in page.commands() if not _is_understood(command)] == []
    for span in page.spans():
        if mentioned := re.fullmatch(r"(?:\.venv/bin/)?recollect (.+)", span):
            _check_mentioned(mentioned[1])


def _is_understood(command: str) -> bool:
    try:
        parser().parse_args(shlex.split(command, comments=True))
    except SystemExit as end:
        return end.code == 0
    return True


def _check_mentioned(command: str) -> None:
    """Check a command in inline code, such as `recollect backup FILE [--force]`."""
    found: argparse.ArgumentParser = parser()
    words = re.findall(r"[\w-]+", command)
    while words and (choices := _subcommands(found)) and not words[0].startswith("-"):
        assert words[0] in choices, command
        found = choices[words.pop(0)]
    options = {option for action in found._actions for option in action.option_strings}
    assert {word for word in words if word.startswith("--")} <= options, command


def _subcommands(found: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in found._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def test_curl_commands_call_routes() -> None:
    commands = [command for page in PAGES for command in page.curls()]
    asked = [_asked(command) for command in commands if ADDRESS in command]
    assert len(asked) >= 20
    assert [request for request in asked if not is_route(*request)] == []


def _asked(curl: str) -> tuple[str, str]:
    (path,) = re.findall(rf"{ADDRESS}([^\s'\"?]*)", curl)
    if said := re.search(r" -X (\w+)", curl):
        return said[1], path
    sends = re.search(r" (-d|--data|--data-binary) ", curl)
    return "POST" if sends else "GET", path


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_mentioned_calls_are_routes(page: Page) -> None:
    for span in page.spans():
        if named := re.fullmatch(r"(GET|POST|PUT|PATCH|DELETE) (/[^\s?]*)(\?\S*)?", span):
            assert is_route(named[1], named[2]), span


def test_contributing_names_existing_paths() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:recollect|tests|docs|bench|web)/[^`\s]*)`", text)
    assert len(named) > 40
    assert [path for path in named if not (ROOT / path).exists()] == []
