"""The AI SDK (`ai` and `@ai-sdk/react` from npm) against the service.

Its transport validates each part of a stream with the SDK's own schema.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from recollect.sync import Recollect
from tests.aisdk import node
from tests.scripted_model import Answer, Body, Plain, Request, ScriptedModel, fails, stalls
from tests.server.process import running

pytestmark = [pytest.mark.xdist_group("ai-sdk"), pytest.mark.torture]

ROOT = Path(__file__).parents[2]
WELL = {"status": "ready", "error": None}


class Script:
    """The model's replies for the scenes in tests/aisdk/chats.mjs."""

    def __init__(self) -> None:
        self._may_go_on: defaultdict[str, Event] = defaultdict(Event)
        self._numbers = count(1)
        self._failures = iter([fails(403)])

    def __call__(self, body: Body) -> Plain:
        messages = body["messages"]
        said = next(one["content"] for one in reversed(messages) if one["role"] == "user")
        if messages[-1]["role"] == "tool":
            return self._go_on(said)
        if wanted := re.fullmatch(r"Room in (\w+), \w+\.", said):
            return _calls("find_room", f'{{"city": "{wanted[1]}"}}', text="One moment.")
        if wanted := re.fullmatch(r"Go on in (\w+)\.", said):
            self._may_go_on[wanted[1]].set()
        return self._answer(said)

    def _go_on(self, said: str) -> Plain:
        """After a tool call; in some cities only on request."""
        if wanted := re.fullmatch(r"Room in (\w+), slowly\.", said):
            assert self._may_go_on[wanted[1]].wait(60)
        return "There is one for 94 euros."

    def _answer(self, said: str) -> Plain:
        answers: dict[str, Callable[[], Plain]] = {
            "And break down.": lambda: _calls("break_down", "{}"),
            "Say nothing.": stalls,
            "Begin, and never end.": lambda: stalls("It has begun, and"),
            "Number, please.": lambda: f"Number {next(self._numbers)}.",
            "Think.": lambda: Answer(thinking="Hm, let me see.", text="Therefore I am."),
            "Go on and on.": lambda: Answer(text="On and", finish="length"),
            "Fail once.": lambda: next(self._failures, "Fine now."),
            "Fail always.": lambda: fails(403),
        }
        return answers.get(said, lambda: f"You said: {said}")()


def _calls(name: str, arguments: str, text: str = "") -> Answer:
    call = {"id": f"call_{name}", "name": name, "arguments": arguments}
    return Answer(text=text, tool_calls=[call], finish="tool_calls")


@dataclass(frozen=True, slots=True)
class Played:
    scenes: dict[str, Any]
    requests: list[Request]

    def shown_to_model(self, question: str) -> list[list[tuple[str, str]]]:
        """The requests that end with this question."""
        contexts = [request.body["messages"] for request in self.requests]
        return [
            [(one["role"], one["content"]) for one in context if one["role"] != "system"]
            for context in contexts
            if context[-1]["content"] == question
        ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """All scenes, run once in parallel."""
    url = f"sqlite:///{tmp_path_factory.mktemp('ai-sdk')}/recollect.db"
    with Recollect.open(url) as memory:
        key = memory.keys.create_key(user_id="ada")
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


def texts(scene: Any) -> list[str]:
    """The texts that the client shows, by message."""
    return [_text_of(message) for message in scene["messages"]]


def standing(scene: Any) -> list[str]:
    """The stored messages of the conversation."""
    return [one["content"] for one in scene["stored"] if one["superseded_at"] is None]


def superseded(scene: Any) -> list[str]:
    return [one["content"] for one in scene["stored"] if one["superseded_at"] is not None]


def kinds(message: Any) -> list[str]:
    return [part["type"] for part in message["parts"]]


def _text_of(message: Any) -> str:
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")


def test_message_is_answered(played: Played) -> None:
    first = played.scenes["asks"]["first"]
    assert first | WELL == first
    assert texts(first) == ["Hello!", "You said: Hello!"]
    assert first["statuses"] == ["submitted", "streaming", "ready"]
    assert first["finishes"] == [{"isAbort": False, "isDisconnect": False, "isError": False}]
    stored = played.scenes["asks"]["second"]["stored"][1]
    answer = first["messages"][1]
    assert answer["id"] == stored["id"]
    assert answer["metadata"] == {
        "conversation_id": stored["conversation_id"],
        "status": "complete",
        "tokens": stored["tokens"],
        "model_variant": "default",
    }


def test_receipt_is_a_part_of_the_answer(played: Played) -> None:
    scene = played.scenes["asks"]["second"]
    receipts = [one["parts"][0] for one in scene["messages"] if one["role"] == "assistant"]
    assert [one["type"] for one in receipts] == scene["data"] == ["data-receipt", "data-receipt"]
    assert receipts[0]["data"]["memory_tokens"] == 0 < receipts[1]["data"]["memory_tokens"]
    assert receipts[0]["data"]["mode"] == "compressed"


def test_next_message_continues_the_conversation(played: Played) -> None:
    said = ["Hello!", "You said: Hello!", "And again.", "You said: And again."]
    scene = played.scenes["asks"]["second"]
    assert texts(scene) == standing(scene) == said
    assert len({one["conversation_id"] for one in scene["stored"]}) == 1
    (context,) = played.shown_to_model("And again.")
    assert context == [
        ("user", "Hello!"),
        ("assistant", "You said: Hello!"),
        ("user", "And again."),
    ]


def test_regenerate_replaces_the_answer(played: Played) -> None:
    scenes = played.scenes["regenerates"]
    assert texts(scenes["first"]) == ["Number, please.", "Number 1."]
    second = scenes["second"]
    assert texts(second) == standing(second) == ["Number, please.", "Number 2."]
    assert superseded(second) == ["Number 1."]
    assert second["messages"][1]["id"] == second["stored"][-1]["id"]


@pytest.mark.parametrize(("named", "number"), [("third", 3), ("fourth", 4)])
def test_regenerating_an_earlier_answer_supersedes_later_messages(
    played: Played, named: str, number: int
) -> None:
    """By the answer's id, and by the client's own id of the question."""
    scene = played.scenes["regenerates"][named]
    assert texts(scene) == standing(scene) == ["Number, please.", f"Number {number}."]


def test_options_are_sent_again_on_regenerate(played: Played) -> None:
    asked = [
        [one["content"] for one in request.body["messages"] if one["role"] != "assistant"]
        for request in played.requests
        if request.body["messages"][-1]["content"] == "Number, please."
    ]
    assert asked == [["Be brief.", "Number, please."]] * 4


def test_edit_supersedes_later_messages(played: Played) -> None:
    second, first = played.scenes["edits"]["second"], played.scenes["edits"]["first"]
    assert texts(second) == standing(second) == ["One.", "You said: One.", "Two.", "You said: Two."]
    assert superseded(second) == ["Tow.", "You said: Tow.", "Three.", "You said: Three."]
    assert texts(first) == standing(first) == ["Zero.", "You said: Zero."]
    assert len(first["stored"]) == 10


def test_only_stop_ends_an_answer(played: Played) -> None:
    scene = played.scenes["stops"]
    left, after = scene["left"], scene["after"]
    assert left | WELL == left
    assert left["finishes"][0]["isAbort"]
    assert texts(left)[1] == "It has begun, and"
    assert left["stored"][1]["status"] == "streaming"
    assert scene["stopped"]["status"] == "interrupted"
    assert scene["again"] is None
    assert standing(after) == ["Begin, and never end.", "It has begun, and"]
    assert after["stored"][1] == scene["stopped"]


def test_abandoned_answer_is_recognized_by_its_id(played: Played) -> None:
    """The client has only a part of it, so it is not recognized by its text."""
    scene = played.scenes["edits_after_leaving"]
    rest = ["And then?", "You said: And then?"]
    assert texts(scene) == ["Room in Porto, slowly.", "One moment.", *rest]
    whole = "One moment.\n\nThere is one for 94 euros."
    assert standing(scene) == ["Room in Porto, slowly.", whole, *rest]
    assert superseded(scene) == ["And tehn?", "You said: And tehn?"]


@pytest.mark.parametrize("name", ["goes_on_before_the_first_word", "goes_on_after_a_failure"])
def test_empty_answer_does_not_duplicate_messages(played: Played, name: str) -> None:
    scene = played.scenes[name]
    assert scene | WELL == scene
    assert standing(scene) == texts(scene)
    assert texts(scene)[1:] == ["", "Never mind.", "You said: Never mind."]


def test_running_answer_is_resumed_completely(played: Played) -> None:
    scene = played.scenes["resumes"]
    assert texts(scene["back"]) == ["Room in Lisbon, slowly.", "One moment."]
    assert scene["back"]["status"] == "streaming"
    ended = scene["ended"]
    assert ended | WELL == ended
    assert ended["messages"] == scene["first"]["messages"]
    assert texts(ended)[1] == "One moment.\n\nThere is one for 94 euros."


def test_resume_without_running_answer_does_nothing(played: Played) -> None:
    scene = played.scenes["resumes"]
    assert scene["later"] == scene["ended"]
    nothing = played.scenes["resumes_nothing"]
    assert nothing | WELL == nothing
    assert (nothing["messages"], nothing["statuses"]) == ([], [])


def test_server_tools_are_parts_of_the_answer(played: Played) -> None:
    scene = played.scenes["calls_tools"]
    assert scene | WELL == scene
    found, broken = scene["messages"][1], scene["messages"][3]
    assert kinds(found) == ["data-receipt", "text", "dynamic-tool", "text"]
    assert found["parts"][1]["text"] == "One moment."
    assert found["parts"][2] == {
        "type": "dynamic-tool",
        "toolName": "find_room",
        "toolCallId": "call_find_room",
        "state": "output-available",
        "input": {"city": "Lisbon"},
        "output": {"city": "Lisbon", "price": 94},
        "providerExecuted": True,
    }
    assert found["parts"][3]["text"].strip() == "There is one for 94 euros."
    assert kinds(broken) == ["data-receipt", "dynamic-tool", "text"]
    assert broken["parts"][1]["state"] == "output-error"
    assert broken["parts"][1]["errorText"] == "The tool failed: RuntimeError."
    assert texts(scene) == standing(scene)


def test_reasoning_is_a_separate_part(played: Played) -> None:
    answer = played.scenes["thinks"]["messages"][1]
    assert kinds(answer) == ["data-receipt", "reasoning", "text"]
    reasoning, text = answer["parts"][1:]
    assert (reasoning["text"], reasoning["state"]) == ("Hm, let me see.", "done")
    assert (text["text"], text["state"]) == ("Therefore I am.", "done")


def test_answer_at_its_limit_has_a_finish_reason(played: Played) -> None:
    scene = played.scenes["is_cut_short"]
    assert scene | WELL == scene
    assert [one["finishReason"] for one in scene["finishes"]] == ["length"]
    assert texts(scene) == ["Go on and on.", "On and"]


def test_model_failure_is_reported_and_can_be_retried(played: Played) -> None:
    failed, again = played.scenes["fails"]["failed"], played.scenes["fails"]["again"]
    assert failed["status"] == "error"
    assert failed["error"] == again["stored"][1]["metadata"]["error"]
    assert "refused the request (403)" in failed["error"]
    assert failed["finishes"] == [{"isAbort": False, "isDisconnect": False, "isError": True}]
    assert again | WELL == again
    assert texts(again) == standing(again) == ["Fail once.", "Fine now."]


def test_refused_question_can_be_retried(played: Played) -> None:
    scene = played.scenes["tries_again_after_a_refusal"]
    assert scene["refused"]["status"] == "error"
    assert "This API key is unknown, revoked or expired." in scene["refused"]["error"]
    again = scene["again"]
    assert texts(again) == standing(again)
    assert standing(again) == ["First.", "You said: First.", "Second.", "You said: Second."]
    assert superseded(again) == []


def test_files_are_stored_with_their_message(played: Played) -> None:
    scene = played.scenes["sends_files"]
    assert texts(scene) == standing(scene) == ["Read this.", "You said: Read this."]
    assert scene["stored"][0]["custom_payload"] == {"parts": scene["messages"][0]["parts"][:1]}


def test_use_chat_renders_the_stream(played: Played) -> None:
    assert played.scenes["draws"] == [
        ["user", "<span>Hello!</span>"],
        ["assistant", "<span>You said: Hello!</span>"],
        ["user", "<span>Room in Lisbon, please.</span>"],
        [
            "assistant",
            "<span>One moment.</span><code>find_room: output-available</code>"
            "<span>\n\nThere is one for 94 euros.</span>",
        ],
    ]


@pytest.mark.torture
def test_local_model_answers(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with Recollect.open(url) as memory:
        key = memory.keys.create_key(user_id="ada")
    with running(url) as server:
        scene = node.run("chats.mjs", server.url, key, "asks")["asks"]["second"]
    assert scene | WELL == scene
    assert texts(scene) == standing(scene)
    assert [one["status"] for one in scene["stored"]] == ["complete"] * 4
    assert all(texts(scene))
