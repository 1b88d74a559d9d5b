"""Every Python block of the documentation type-checks and runs.

A comment before a block names what it needs (`<!-- python: chat, model -->`):

    server   ADDRESS is a running server with a scripted model
    tokens   ADDRESS is a running server that accepts JWTs
    chat     the block is the body of an async function with `memory` and `chat`
    model    a scripted model is configured

All other blocks are complete programs. Each runs in its own folder, all in one process.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import pytest

from tests.docs.pages import ADDRESS, DOCS, ROOT, PythonBlock, pages
from tests.scripted_model import ScriptedModel
from tests.server.process import environment, running

pytestmark = pytest.mark.xdist_group("docs")

SECRET = "the secret, at least 32 bytes, and not this one"
FIXTURES = {"server", "tokens", "chat", "model"}

_CHAT = """import asyncio

from recollect import Recollect
from recollect.handles import ConversationHandle


async def example(memory: Recollect, chat: ConversationHandle) -> None:
{body}

async def main() -> None:
    async with Recollect("sqlite:///example.db") as memory:
        chat = memory.user("alice").conversation("lisbon")
        await chat.add_turn("When is it warm in Lisbon?", "From May to October.")
        await example(memory, chat)


asyncio.run(main())
"""
_RUNNER = """
import json, logging, os, sys
logging.basicConfig(level=logging.ERROR)  # the scripted model's topics are rejected with a warning
for program in json.load(sys.stdin):
    os.makedirs(program["name"])
    os.chdir(program["name"])
    os.environ.update(program["variables"])
    exec(program["code"], {"__name__": "__main__"})
    for name in program["variables"]:
        del os.environ[name]
    os.chdir("..")
    print("----")
"""


@dataclass(frozen=True)
class Example:
    name: str
    """Page and number, as a module name."""
    block: PythonBlock

    @property
    def code(self) -> str:
        if "chat" in self.block.fixtures:
            return _CHAT.format(body=indent(self.block.code, "    "))
        return self.block.code


def collect() -> list[Example]:
    return [
        Example(f"{re.sub(r'[^a-z]', '_', page.path.stem.lower())}_{number}", block)
        for page in pages()
        for number, block in enumerate(page.python(), 1)
    ]


EXAMPLES = collect()


def test_fixtures_are_known() -> None:
    assert len(EXAMPLES) > 10
    assert {name for example in EXAMPLES for name in example.block.fixtures} <= FIXTURES


def test_examples_type_check(tmp_path: Path) -> None:
    for example in EXAMPLES:
        (tmp_path / f"{example.name}.py").write_text(example.code, encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Run all examples; yield what each prints."""
    folder = tmp_path_factory.mktemp("examples")
    issuer = "https://PROJECT.supabase.co/auth/v1"
    tokens = {"RECOLLECT_JWT_SECRET": SECRET, "RECOLLECT_JWT_ISSUER": issuer}
    with ScriptedModel() as model:
        endpoint = {"OPENAI_BASE_URL": model.url, "RECOLLECT_CHAT_MODEL": "scripted"}
        with (
            running(f"sqlite:///{folder}/model.db", variables=endpoint) as server,
            running(f"sqlite:///{folder}/tokens.db", variables=tokens) as token_server,
        ):
            programs = [
                {
                    "name": example.name,
                    "code": example.code.replace(
                        ADDRESS,
                        token_server.url if "tokens" in example.block.fixtures else server.url,
                    ),
                    "variables": endpoint if "model" in example.block.fixtures else {},
                }
                for example in EXAMPLES
            ]
            names = [example.name for example in EXAMPLES]
            yield dict(zip(names, _run(programs, folder), strict=True))
        assert "Traceback" not in server.log, server.log


def _run(programs: Sequence[Mapping[str, object]], folder: Path) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", _RUNNER],
        input=json.dumps(programs),
        cwd=folder,
        env=environment({"no_proxy": "*", "NO_PROXY": "*"}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stderr, ran.returncode) == ("", 0)
    *printed, rest = ran.stdout.split("----\n")
    assert (len(printed), rest) == (len(programs), "")
    return printed


def test_readme_example_prints_the_context(outputs: dict[str, str]) -> None:
    printed = outputs["readme_1"]
    texts = ["When is it warm in Lisbon?", "From May to October.", "And in winter?"]
    assert re.findall(r"'content': '([^']*)'", printed)[-3:] == texts
    (block, *_) = pages()[0].python()
    assert len(block.code.strip().splitlines()) <= 12


def test_receipt_example_lists_summary_and_tail(outputs: dict[str, str]) -> None:
    lines = outputs["python_5"].splitlines()
    assert any(line.startswith("summary summary version 1 ") for line in lines)
    assert [line.split(" (")[0] for line in lines if line.startswith("tail ")] == [
        f"tail message {seq}" for seq in range(19, 29)
    ]
    assert lines[-1].startswith("message current message ")


def test_client_examples_get_answers(outputs: dict[str, str]) -> None:
    assert outputs["readme_2"] == "Hello!\n"  # the scripted model repeats the question
    assert outputs["clients_1"] == "What is my name?\n"
    assert re.fullmatch(r"When is it warm there\? \d+\n", outputs["clients_2"])
    assert outputs["supabase_auth_1"] == "7c1a0f0e-5d2b-4c7e-9a55-0c8f3a1b2c3d jwt\n"


def test_custom_model_answers(outputs: dict[str, str]) -> None:
    assert outputs["python_8"] == "Hello!\n"


def test_larger_budget_drops_less(outputs: dict[str, str]) -> None:
    lines = outputs["budgets_1"].splitlines()
    rows = [[int(number) for number in line.split()] for line in lines]
    assert all(memory <= budget < full for budget, memory, full, _ in rows[:-1])
    dropped = [row[-1] for row in rows]
    assert dropped == sorted(dropped, reverse=True)
    assert (dropped[0] > 0, dropped[-1]) == (True, 0)


def test_policy_examples_print_the_table(outputs: dict[str, str]) -> None:
    assert outputs["policies_1"] in (DOCS / "how-to" / "policies.md").read_text()
    assert outputs["policies_2"] == "brisk\n"
