"""What a newcomer copies from the README works as it stands there, in that order."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.scripted_model import ScriptedModel
from tests.server.process import Server, running, wait_until

README = (Path(__file__).parents[2] / "README.md").read_text()
ADDRESS = "http://127.0.0.1:8000"
CURL = r"curl --silent --show-error --fail-with-body --write-out '\n%{http_code}' "

pytestmark = pytest.mark.skipif(not shutil.which("curl"), reason="The examples need curl.")


def blocks() -> Iterator[str]:
    """Those that are indented; the fenced one is run in test_docs.py."""
    unfenced = re.sub(r"^```.*?^```$", "", README, flags=re.DOTALL | re.MULTILINE)
    for block in re.findall(r"(?:^ {4}.*\n)+", unfenced, re.MULTILINE):
        yield dedent(block)


def commands(block: str) -> list[str]:
    """Those of curl, each with the lines that belong to it."""
    return re.findall(r"^curl (?:.*\\\n)*.*$", block, re.MULTILINE)


class Newcomer:
    """Copies and runs, on the server's own address, and with the last answer's `id` for `ID`."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._id = "ID"
        self.answers: dict[str, str] = {}
        """What was answered last, by the path as the README has it."""

    def follow(self) -> None:
        for block in blocks():
            if block.startswith("from openai import"):
                self._run(sys.executable, "-W", "error", "-c", block)
            for command in commands(block):
                self.ask(command)

    def ask(self, command: str) -> None:
        """Fails unless the answer is a success."""
        (path,) = re.findall(rf"{ADDRESS}([\w/]+)", command)
        asked = re.sub(r"\bID\b", self._id, command.replace("curl ", CURL, 1))
        answer, _, status = self._run("sh", "-c", asked).rpartition("\n")
        assert re.fullmatch(r"2\d\d", status), (command, status, answer)
        self.answers[path] = answer
        if answer.startswith("{"):
            self._id = self.json(path).get("id", self._id)

    def json(self, path: str) -> Any:
        return json.loads(self.answers[path])

    def ask_until_found(self, path: str, text: str) -> None:
        """What has just been said is found by its meaning a moment later, before all else."""
        (command,) = re.findall(rf"^    (curl -G {ADDRESS}{path} .*)$", README, re.MULTILINE)

        def is_found() -> bool:
            self.ask(command)
            match self.json(path):
                case {"items": [{"text": first}, *_]} | {"match": {"title": first}}:
                    return bool(first == text)
            return False

        wait_until(is_found, f"{command} finds {text}")

    def _run(self, *arguments: str) -> str:
        ran = subprocess.run(
            [argument.replace(ADDRESS, self._server.url) for argument in arguments],
            env=os.environ | {"no_proxy": "*", "NO_PROXY": "*"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.stderr, ran.returncode) == ("", 0), (arguments, ran.stdout)
        return ran.stdout


def check(newcomer: Newcomer) -> None:
    """That the answers are what the text around the commands promises."""
    answered = newcomer.json("/api/chat")
    assert answered["message"]["status"] == "complete"
    assert answered["receipt"]["items"]
    context = newcomer.json("/api/conversations/ID/context")
    said = [message["content"] for message in context["messages"]]
    assert said[-2:] == ["When is it warm there?", "And in winter?"]
    known = " ".join(item["content"] for item in newcomer.json("/api/memories")["items"])
    assert "vegetarian" in known
    assert "Turin" in known


def test_the_commands_of_the_readme_run_in_order(tmp_path: Path) -> None:
    with ScriptedModel() as model:
        local = {"local": {"model": "scripted", "base_url": model.url}}
        variables = {"RECOLLECT_VARIANTS": json.dumps(local)}
        with running(f"sqlite:///{tmp_path}/chat.db", variables=variables) as server:
            newcomer = Newcomer(server)
            newcomer.follow()
    check(newcomer)
    asked = [request.body["messages"][-1]["content"] for request in model.requests]
    assert {"Tell me about Lisbon.", "Hello!"} <= set(asked)
    assert "Traceback" not in server.log, server.log


@pytest.mark.torture
def test_they_run_as_they_do_on_a_new_machine(tmp_path: Path) -> None:
    """With nothing set: the local model answers, and the local embedders find."""
    as_delivered = {"RECOLLECT_EMBEDDER": "", "RECOLLECT_EXTRACTION": ""}
    with running(f"sqlite:///{tmp_path}/chat.db", variables=as_delivered) as server:
        newcomer = Newcomer(server)
        newcomer.follow()
        newcomer.ask_until_found("/api/search", "When is it warm there?")
        newcomer.ask_until_found("/api/switch", "Trip to Lisbon")
    check(newcomer)
    assert "Traceback" not in server.log, server.log
