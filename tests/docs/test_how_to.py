"""What a reader copies from the quickstart and the how-to pages does what the page says.

The programs of all pages are run by one process, one after the other, against servers that are
configured as their pages say.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ADDRESS, DOCS, Page
from tests.scripted_model import ScriptedModel
from tests.server.process import Server, environment, running

HOW_TO = DOCS / "how-to"
SECRET = "the secret, at least 32 bytes, and not this one"

pytestmark = pytest.mark.xdist_group("how-to")

RUNNER = """
import json, sys
for program in json.load(sys.stdin):
    exec(program, {"__name__": "__main__"})
    print("----")
"""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def server(model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """In local mode, with a model behind an endpoint that speaks OpenAI's protocol."""
    endpoint = {"OPENAI_BASE_URL": model.url, "RECOLLECT_CHAT_MODEL": "scripted"}
    variables = endpoint | {"RECOLLECT_WORKER": "false"}  # what the model is asked, a reader asks
    url = f"sqlite:///{tmp_path_factory.mktemp('how-to')}/recollect.db"
    with running(url, variables=variables) as started:
        yield started
    assert "Traceback" not in started.log, started.log


def test_the_programs_run(server: Server, model: ScriptedModel, tmp_path: Path) -> None:
    pages = sorted(HOW_TO.glob("*.md"))
    programs = {page.stem: Page(page).python() for page in pages if Page(page).python()}
    assert programs.keys() == {"budgets", "clients", "policies", "supabase-auth"}
    issuer = "https://PROJECT.supabase.co/auth/v1"
    tokens = {"RECOLLECT_JWT_SECRET": SECRET, "RECOLLECT_JWT_ISSUER": issuer}
    with running(f"sqlite:///{tmp_path}/tokens.db", variables=tokens) as let_in:
        addresses = {"supabase-auth": let_in.url}
        said = _run(
            [
                program.replace(ADDRESS, addresses.get(page, server.url))
                for page, blocks in programs.items()
                for program in blocks
            ],
            tmp_path,
        )
    budgets, openai, own_model, compared, policy, token = said
    _check_budgets(budgets)
    assert openai == "What is my name?\n"  # the model repeats what it was asked
    shown = [message["content"] for message in model.requests[-1].body["messages"]]
    assert shown[-3:] == ["My name is Alice.", "My name is Alice.", "What is my name?"]
    assert re.fullmatch(r"When is it warm there\? \d+\n", own_model)
    assert compared in (HOW_TO / "policies.md").read_text()
    assert policy == "brisk\n"
    assert token == "7c1a0f0e-5d2b-4c7e-9a55-0c8f3a1b2c3d jwt\n"


def _run(programs: list[str], folder: Path) -> list[str]:
    """What each of them prints."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUNNER],
        input=json.dumps(programs),
        cwd=folder,
        env=environment({"no_proxy": "*", "NO_PROXY": "*"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stderr, ran.returncode) == ("", 0)
    *said, rest = ran.stdout.split("----\n")
    assert (len(said), rest) == (len(programs), "")
    return said


def _check_budgets(said: str) -> None:
    """The more memory may take, the less is left out; and it never takes more."""
    rows = [[int(number) for number in line.split()] for line in said.splitlines()]
    assert all(taken <= budget < full for budget, taken, full, _ in rows[:-1])
    lost = [row[-1] for row in rows]
    assert lost == sorted(lost, reverse=True)
    assert (lost[0] > 0, lost[-1]) == (True, 0)


@pytest.mark.skipif(not shutil.which("curl"), reason="The examples need curl.")
def test_the_commands_of_the_quickstart_run_in_order(server: Server) -> None:
    id = "ID"
    answers: list[Any] = []
    for command in _whole_commands(Page(DOCS / "quickstart.md")):
        asked = re.sub(r"\bID\b", id, command.replace(ADDRESS, server.url))
        answer = _ask(asked)
        answers.append(answer)
        if isinstance(answer, dict):
            id = answer.get("id", id)
    _, conversation, appended, read, context, _, extracted, found, _ = answers
    assert conversation["title"] == "Trip to Lisbon"
    assert [message["seq"] for message in appended["items"]] == [1, 2]
    assert [message["seq"] for message in read["items"]] == [2, 1]
    assert context["messages"][-1]["content"] == "And in winter?"
    known = " ".join(memory["content"] for memory in extracted["items"])
    assert "vegetarian" in known
    assert found["items"][0]["text"] == "When is it warm there?"


def _whole_commands(page: Page) -> Iterator[str]:
    """With bodies that go over several lines."""
    for block in page.blocks():
        yield from re.findall(r"^curl (?:'[^']*'|[^'\n]|(?<=\\)\n)*", block, re.MULTILINE)


def _ask(command: str) -> Any:
    """JSON, or the text of a stream. Fails unless the answer is a success."""
    ran = subprocess.run(
        ["sh", "-c", command.replace("curl ", "curl --fail-with-body ", 1)],
        env=environment({"no_proxy": "*", "NO_PROXY": "*"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, (command, ran.stdout)
    return json.loads(ran.stdout) if ran.stdout.startswith("{") else ran.stdout
