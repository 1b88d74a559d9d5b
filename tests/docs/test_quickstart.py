"""The commands of the quickstart work in their order."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ADDRESS, DOCS, Page
from tests.scripted_model import ScriptedModel
from tests.server.process import Server, environment, running, wait_until

PAGE = Page(DOCS / "quickstart.md")

pytestmark = pytest.mark.skipif(not shutil.which("curl"), reason="The examples need curl.")


def run_all(server: Server) -> list[Any]:
    """Run every curl command, with the last `id` of a response in place of ID."""
    id = "ID"
    responses: list[Any] = []
    for command in PAGE.curls():
        response = run(command, server, id)
        responses.append(response)
        if isinstance(response, dict):
            id = response.get("id", id)
    return responses


def run(command: str, server: Server, id: str = "ID") -> Any:
    """Return the JSON, or the text of a stream. Fails unless the response is a success."""
    command = re.sub(r"\bID\b", id, command.replace(ADDRESS, server.url))
    ran = subprocess.run(
        ["sh", "-c", command.replace("curl ", "curl --fail-with-body ", 1)],
        env=environment({"no_proxy": "*", "NO_PROXY": "*"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, (command, ran.stdout)
    return json.loads(ran.stdout) if ran.stdout.startswith("{") else ran.stdout


def check(responses: list[Any]) -> None:
    stream, conversation, appended, listed, context, _, extracted, found, _ = responses
    assert '"finish"' in stream
    assert conversation["title"] == "Trip to Lisbon"
    assert [message["seq"] for message in appended["items"]] == [1, 2]
    assert [message["seq"] for message in listed["items"]] == [2, 1]
    assert context["messages"][-1]["content"] == "And in winter?"
    assert "vegetarian" in " ".join(memory["content"] for memory in extracted["items"])
    assert found["items"][0]["text"] == "When is it warm there?"


def test_commands_run_with_a_model(tmp_path: Path) -> None:
    with ScriptedModel() as model:
        variables = {"OPENAI_BASE_URL": model.url, "RECOLLECT_CHAT_MODEL": "scripted"}
        with running(f"sqlite:///{tmp_path}/chat.db", variables=variables) as server:
            check(run_all(server))
    assert "Traceback" not in server.log, server.log


@pytest.mark.torture
def test_commands_run_on_a_new_machine(tmp_path: Path) -> None:
    """Without settings: the local model answers, the local embedders search."""
    defaults = {"RECOLLECT_EMBEDDER": "", "RECOLLECT_EXTRACTION": ""}
    with running(f"sqlite:///{tmp_path}/chat.db", variables=defaults) as server:
        check(run_all(server))
        *_, switch = PAGE.curls()

        def is_found() -> bool:
            found = run(switch, server)
            listed = [candidate["conversation"]["title"] for candidate in found["candidates"]]
            return "Trip to Lisbon" in [(found["match"] or {}).get("title"), *listed]

        wait_until(is_found, "switch finds the conversation")
    assert "Traceback" not in server.log, server.log
