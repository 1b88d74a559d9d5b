"""The AI SDK's chats against the service: `ai` and `@ai-sdk/react` as npm has them, over HTTP.

Its transport checks each part of a stream against the SDK's own schema, and fails on the first that
does not fit.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from recollect.sync import Recollect
from tests.aisdk import node
from tests.scripted_model import Answer, Body, Plain, Request, ScriptedModel, fails, stalls
from tests.server.process import running

pytestmark = pytest.mark.xdist_group("ai-sdk")

ROOT = Path(__file__).parents[2]
WELL = {"status": "ready", "error": None}


class Script:
    """The other half of the scenes in tests/aisdk/chats.mjs: what the model says to which words."""

    def __init__(self) -> None:
        self._may_go_on: defaultdict[str, Event] = defaultdict(Event)
        self._numbers = iter(range(1, 100))
        self._failures = iter([fails(400, "No such luck.")])

    def __call__(self, body: Body) -> Plain:
        messages = body["messages"]
        said = next(one["content"] for one in reversed(messages) if one["role"] == "user")
        if messages[-1]["role"] != "tool":
            return self._answer(said)
        if wanted := re.fullmatch(r"Room in (\w+), slowly\.", said):
            assert self._may_go_on[wanted[1]].wait(60)
        return "It cost nothing." if "break" in said else "There is one for 94 euros."

    def _answer(self, said: str) -> Plain:
        if wanted := re.fullmatch(r"Room in (\w+), \w+\.", said):
            return _calls("find_room", f'{{"city": "{wanted[1]}"}}', text="One moment.")
        if wanted := re.fullmatch(r"Go on in (\w+)\.", said):
            self._may_go_on[wanted[1]].set()
        match said:
            case "And break down.":
                return _calls("break_down", "{}")
            case "Begin, and never end.":
                return stalls("It has begun, and")
            case "Number, please.":
                return f"Number {next(self._numbers)}."
            case "Think.":
                return Answer(thinking="Hm, let me see.", text="Therefore I am.")
            case "Fail once.":
                return next(self._failures, "Fine now.")
        return f"You said: {said}"


def _calls(name: str, arguments: str, text: str = "") -> Answer:
    call = {"id": f"call_{name}", "name": name, "arguments": arguments}
    return Answer(text=text, tool_calls=[call], finish="tool_calls")


@dataclass(frozen=True, slots=True)
class Played:
    scenes: dict[str, Any]
    requests: list[Request]

    def shown_to_model(self, question: str) -> list[list[tuple[str, str]]]:
        """The contexts that end with this question."""
        contexts = [request.body["messages"] for request in self.requests]
        return [
            [(one["role"], one["content"]) for one in context if one["role"] != "system"]
            for context in contexts
            if context[-1]["content"] == question
        ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """All scenes, played once and at the same time."""
    url = f"sqlite:///{tmp_path_factory.mktemp('ai-sdk')}/recollect.db"
    with Recollect.open(url) as memory:
        key = memory.keys.create_key("ada")
    with ScriptedModel() as model:
        model.always = Script()
        variables = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "k",
            "RECOLLECT_CHAT_MODEL": "scripted",
            "RECOLLECT_TOOLS": "tests.aisdk.tools:TOOLS",
            "RECOLLECT_WORKER": "false",
            "PYTHONPATH": str(ROOT),
        }
        with running(url, variables=variables) as server:
            yield Played(node.run("chats.mjs", server.url, key), model.requests)
