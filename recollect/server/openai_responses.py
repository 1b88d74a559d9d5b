"""Answers as OpenAI's chat completions, complete or in chunks.

Of the tool calls only those are included that the client has to run.
"""

import json
import time
from collections.abc import Iterator
from typing import Literal

from recollect.chat.active_answer import AnswerResult, AnswerStream
from recollect.chat.service import Chat
from recollect.chat.stream_events import (
    Finished,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
)
from recollect.core.types import Json, Message
from recollect.server.errors import openai_error
from recollect.server.schema_base import ResponseModel
from recollect.server.sse import DONE, EventEncoder, failure_reason, sse_event

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
_FINISH_REASONS: dict[Json, FinishReason] = {"length": "length", "content_filter": "content_filter"}


class FunctionCall(ResponseModel):
    name: str
    arguments: str


class CompletionToolCall(ResponseModel):
    id: str
    type: Literal["function"]
    function: FunctionCall


class CompletionMessage(ResponseModel):
    """`reasoning_content` is there only for models that show their reasoning."""

    role: Literal["assistant"]
    content: str | None
    refusal: None
    tool_calls: list[CompletionToolCall] | None = None
    reasoning_content: str | None = None


class Choice(ResponseModel):
    index: int
    message: CompletionMessage
    logprobs: None
    finish_reason: FinishReason


class PromptTokensDetails(ResponseModel):
    cached_tokens: int


class UsageSchema(ResponseModel):
    """`prompt_tokens_details` are there only if the provider reported cached tokens."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    prompt_tokens_details: PromptTokensDetails | None = None


class Completion(ResponseModel):
    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[Choice]
    usage: UsageSchema
    conversation: str


class Model(ResponseModel):
    """A variant; `root` is the name of its model."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    root: str


class OpenAiModelList(ResponseModel):
    object: Literal["list"]
    data: list[Model]


def completion_of(result: AnswerResult) -> Completion:
    message = result.message
    optional = {"tool_calls": _calls(message), "reasoning_content": message.thinking}
    content = CompletionMessage.model_validate(
        {
            "role": "assistant",
            "content": message.content or None,
            "refusal": None,
            **{name: value for name, value in optional.items() if value},
        }
    )
    reason = _finish_reason(message)
    return Completion(
        id=_id(message.id),
        object="chat.completion",
        created=int(message.created_at.timestamp()),
        model=message.model_variant or "",
        choices=[Choice(index=0, message=content, logprobs=None, finish_reason=reason)],
        usage=UsageSchema.model_validate(_usage(result)),
        conversation=message.conversation_id,
    )


def is_success(message: Message, chat: Chat) -> bool:
    """A stopped answer is a success: clients would retry a failed one."""
    is_stopped = message.status == "interrupted" and not chat.is_closing
    return message.status == "complete" or is_stopped


class ChunkEncoder(EventEncoder):
    """Encodes an answer's events as `chat.completion.chunk` objects."""

    def __init__(self, answer: AnswerStream, chat: Chat, *, wants_usage: bool) -> None:
        self._answer = answer
        self._chat = chat
        self._wants_usage = wants_usage
        self._created = int(time.time())

    def start(self) -> bytes:
        return self._delta({"role": "assistant", "content": ""})

    def encode(self, event: StreamEvent) -> Iterator[bytes]:
        match event:
            case ThinkingDelta(text):
                yield self._delta({"reasoning_content": text})
            case TextDelta(text):
                yield self._delta({"content": text})
            case Finished(message, receipt) if is_success(message, self._chat):
                yield from self._finish(self._answer.result_of(message, receipt))
            case Finished(message):
                yield from self.fail(failure_reason(message))

    def fail(self, reason: str) -> Iterator[bytes]:
        yield sse_event({"error": openai_error(503, reason)})
        yield DONE

    def _finish(self, result: AnswerResult) -> Iterator[bytes]:
        message = result.message
        for index, call in enumerate(_calls(message)):
            yield self._delta({"tool_calls": [{"index": index, **call}]})
        yield self._delta({}, finish_reason=_finish_reason(message))
        if self._wants_usage:
            yield self._chunk([], usage=_usage(result))
        yield DONE

    def _delta(self, delta: Json, *, finish_reason: FinishReason | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return self._chunk([choice])

    def _chunk(self, choices: list[Json], usage: Json = None) -> bytes:
        chunk = {
            "id": _id(self._answer.message_id),
            "object": "chat.completion.chunk",
            "created": self._created,
            "model": self._answer.model_variant or "",
            "choices": choices,
            "conversation": self._answer.conversation_id,
        }
        return sse_event(chunk | {"usage": usage} if self._wants_usage else chunk)


def _id(message_id: str) -> str:
    return f"chatcmpl-{message_id}"


def _calls(message: Message) -> list[dict[str, Json]]:
    """The tool calls that the client has to run: those without an output."""
    return [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["tool_name"], "arguments": _arguments(call.get("input"))},
        }
        for call in message.tool_calls or ()
        if "output" not in call
    ]


def _arguments(input: Json) -> str:
    return input if isinstance(input, str) else json.dumps(input, ensure_ascii=False)


def _finish_reason(message: Message) -> FinishReason:
    if _calls(message):
        return "tool_calls"
    return _FINISH_REASONS.get(message.metadata.get("finish"), "stop")


def _usage(result: AnswerResult) -> dict[str, Json]:
    read, written, cached = result.tokens_in, result.tokens_out, result.tokens_cached
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    details = {} if cached is None else {"prompt_tokens_details": {"cached_tokens": cached}}
    return {**usage, **details}
