"""Checks that a provider would make, and the tokens that it would count."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from recollect.recall.context.types import Context, ContextRequest, TextContext

Sent = Sequence[Mapping[str, Any]]
Count = Callable[[str], int]
PER_MESSAGE = 4
"""Role and delimiters."""


def check_openai(messages: Sent) -> None:
    """Raise AssertionError if the chat completions API would answer 400."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        role, content = message["role"], message["content"]
        assert role in ("system", "user", "assistant", "tool")
        assert isinstance(content, str)
        if role == "tool":
            assert message["tool_call_id"] in waiting, "a tool result without its call"
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting, "a tool call without its result"
        calls = message.get("tool_calls", [])
        assert "tool_calls" not in message or (role == "assistant" and calls)
        assert content.strip() or calls, "an empty message"
        for call in calls:
            assert call["id"] not in seen, "two calls with one id"
            assert call["type"] == "function"
            assert call["function"]["name"]
            json.loads(call["function"]["arguments"])
            seen.add(call["id"])
            waiting.append(call["id"])
    assert not waiting, "a tool call without its result"


def check_gemini(turns: Sent) -> None:
    waiting: list[str] = []
    for turn in turns:
        assert turn["role"] in ("user", "model")
        assert turn["parts"], "a turn without parts"
        answers = [part["functionResponse"] for part in turn["parts"] if "functionResponse" in part]
        assert [answer["name"] for answer in answers] == waiting
        assert not answers or turn["role"] == "user"
        calls = [part["functionCall"] for part in turn["parts"] if "functionCall" in part]
        assert not calls or turn["role"] == "model"
        assert all(isinstance(call["args"], dict) for call in calls)
        waiting = [call["name"] for call in calls]
    assert not waiting, "a function call without its response"


def check_anthropic(messages: Sent) -> None:
    """Raise AssertionError if Anthropic's Messages API would answer 400."""
    waiting: list[str] = []
    previous = "assistant"
    for message in messages:
        assert message["role"] in ("user", "assistant")
        assert message["role"] != previous, "roles alternate from a user on"
        previous = message["role"]
        blocks = message["content"]
        assert blocks, "a message without content"
        assert all(block["text"].strip() for block in blocks if block["type"] == "text")
        results = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        assert results == waiting
        kinds = [block["type"] for block in blocks]
        assert kinds[: len(results)] == ["tool_result"] * len(results), "results come first"
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        assert not waiting or message["role"] == "assistant"
    assert not waiting, "a tool call without its result"
    marked = [b for m in messages for b in m["content"] if "cache_control" in b]
    assert len(marked) <= 3


def recount(context: Context, count: Count) -> int:
    """Count the tokens of the rendered context."""
    if isinstance(context, TextContext):
        return count(context.text)
    system = context.system or ""
    if not isinstance(system, str):
        system = "\n\n".join(block["text"] for block in system)
    total = count(system) + PER_MESSAGE if system else 0
    for message in context.messages:
        total += PER_MESSAGE
        if isinstance(message.get("content"), list):
            total += sum(_block(block, count) for block in message["content"])
        elif "parts" in message:
            total += sum(_part(part, count) for part in message["parts"])
        else:
            total += count(message["content"])
            for call in message.get("tool_calls", ()):
                total += count(call["function"]["name"]) + count(call["function"]["arguments"])
    return total


def _block(block: Mapping[str, Any], count: Count) -> int:
    if block["type"] == "text":
        return count(block["text"])
    if block["type"] == "tool_use":
        return count(block["name"]) + count(json.dumps(block["input"], ensure_ascii=False))
    return count(block["content"])


def _part(part: Mapping[str, Any], count: Count) -> int:
    if "text" in part:
        return count(part["text"])
    if "functionCall" in part:
        call = part["functionCall"]
        return count(call["name"]) + count(json.dumps(call["args"], ensure_ascii=False))
    return count(part["functionResponse"]["response"]["output"])


def rendered(context: Context) -> str:
    """Return everything that a model would see, as one text."""
    if isinstance(context, TextContext):
        return context.text
    return json.dumps([context.system, context.messages], ensure_ascii=False)


def is_text(request: ContextRequest) -> bool:
    return request.format in ("text", "turns")
