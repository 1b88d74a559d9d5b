"""Answers as OpenAI's clients read them: whole, or in chunks.

Tools that were run here are no business of the client's, so of the tools that the model called only
those are named that the client is to run.
"""

import json
import time
from collections.abc import Iterator
from typing import Literal

from recollect.chat import (
    AnswerResult,
    AnswerStream,
    Chat,
    Cursor,
    Finished,
    KeepAlive,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
)
from recollect.core.types import Json, Message
from recollect.server.errors import openai_error
from recollect.server.schema_base import Out
from recollect.server.ui_stream import DONE, KEEP_ALIVE, why_broken

Finish = Literal["stop", "length", "tool_calls", "content_filter"]


class Function(Out):
    name: str
    arguments: str


class ToolCall(Out):
    id: str
    type: Literal["function"]
    function: Function


class Said(Out):
    """`reasoning_content` is there where the model thought aloud."""

    role: Literal["assistant"]
    content: str | None
    refusal: None
    tool_calls: list[ToolCall] | None = None
    reasoning_content: str | None = None


class Choice(Out):
    index: int
    message: Said
    logprobs: None
    finish_reason: Finish


class Usage(Out):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Completion(Out):
    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[Choice]
    usage: Usage
    conversation: str


class Model(Out):
    """A variant; `root` is the model behind it."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    root: str


class OpenAiModelList(Out):
    object: Literal["list"]
    data: list[Model]


def completion_of(answered: AnswerResult) -> Completion:
    message = answered.message
    said: dict[str, Json] = {
        "role": "assistant",
        "content": message.content or None,
        "refusal": None,
    }
    if calls := _calls(message):
        said["tool_calls"] = calls
    if message.thinking:
        said["reasoning_content"] = message.thinking
    return Completion.model_validate(
        {
            "id": _id(message.id),
            "object": "chat.completion",
            "created": int(message.created_at.timestamp()),
            "model": message.model_variant or "",
            "choices": [
                {"index": 0, "message": said, "logprobs": None, "finish_reason": _finish(message)}
            ],
            "usage": _usage(answered),
            "conversation": message.conversation_id,
        }
    )


def has_ended_well(message: Message, chat: Chat) -> bool:
    """What somebody has stopped ends there. As a failure, clients would ask for it again."""
    is_stopped = message.status == "interrupted" and not chat.is_closing
    return message.status == "complete" or is_stopped


class ChunkStream:
    """An answer's pieces as `chat.completion.chunk` objects."""

    is_new = True
    cursor = Cursor()

    def __init__(self, answering: AnswerStream, chat: Chat, *, wants_usage: bool) -> None:
        self._answering = answering
        self._chat = chat
        self._wants_usage = wants_usage
        self._created = int(time.time())

    def start(self) -> bytes:
        return self._delta({"role": "assistant", "content": ""})

    def events(self, piece: StreamEvent) -> Iterator[bytes]:
        match piece:
            case KeepAlive():
                yield KEEP_ALIVE
            case ThinkingDelta(text):
                yield self._delta({"reasoning_content": text})
            case TextDelta(text):
                yield self._delta({"content": text})
            case Finished(message) if has_ended_well(message, self._chat):
                yield from self._end(message)
            case Finished(message):
                yield from self.fail(why_broken(message))

    def fail(self, reason: str) -> Iterator[bytes]:
        yield _data({"error": openai_error(503, reason)})
        yield DONE

    def _end(self, message: Message) -> Iterator[bytes]:
        for index, call in enumerate(_calls(message)):
            yield self._delta({"tool_calls": [{"index": index, **call}]})
        yield self._delta({}, finish=_finish(message))
        if self._wants_usage:
            yield self._chunk([], usage=_usage(self._answering.answered(message)))
        yield DONE

    def _delta(self, delta: Json, *, finish: Finish | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return self._chunk([choice])

    def _chunk(self, choices: list[Json], usage: Json = None) -> bytes:
        chunk = {
            "id": _id(self._answering.message_id),
            "object": "chat.completion.chunk",
            "created": self._created,
            "model": self._answering.model_variant or "",
            "choices": choices,
            "conversation": self._answering.conversation_id,
        }
        return _data(chunk | {"usage": usage} if self._wants_usage else chunk)


def _id(message_id: str) -> str:
    return f"chatcmpl-{message_id}"


def _calls(message: Message) -> list[dict[str, Json]]:
    """The tools that the client is to run: they have no output yet."""
    return [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["tool_name"], "arguments": _arguments(call.get("input"))},
        }
        for call in message.tool_calls or ()
        if "output" not in call
    ]


def _arguments(given: Json) -> str:
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def _finish(message: Message) -> Finish:
    if _calls(message):
        return "tool_calls"
    match message.metadata.get("finish"):
        case "length":
            return "length"
        case "content_filter":
            return "content_filter"
        case _:
            return "stop"


def _usage(answered: AnswerResult) -> dict[str, int]:
    read, written = answered.tokens_in, answered.tokens_out
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def _data(body: Json) -> bytes:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return f"data: {text}\n\n".encode("utf-8", "replace")
