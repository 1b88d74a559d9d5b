"""Chat models and embedders behind OpenAI-compatible endpoints.

The official client does not validate what endpoints answer. It handles connections, authorization
and server-sent events here; `endpoint` retries and maps errors, `response_parser` reads the JSON.
"""

import dataclasses
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING

from recollect.core import tokens
from recollect.core.errors import ModelFailed
from recollect.core.offload import Pacer, rough_size, run_off_loop
from recollect.core.types import Json
from recollect.llm.endpoint import Body, Endpoint, EndpointClient, Locate, Retries
from recollect.llm.protocols import (
    CallContext,
    CallRecord,
    ChatMessage,
    Delta,
    HostedPrompt,
    Reply,
    UsageRecorder,
    check_vectors,
    metered,
)
from recollect.llm.response_parser import ResponseParser, parse_usage
from recollect.llm.stall_timer import StallTimer
from recollect.llm.variants import Variant

if TYPE_CHECKING:
    from openai import AsyncStream

OPENAI_URL = "https://api.openai.com/v1"
EMBEDDING_BATCH = 64
_MAX_FLOAT32 = 3.4e38  # vectors are stored in 32 bits


class OpenAIChatModel:
    def __init__(
        self,
        variant: Variant,
        *,
        usage_recorder: UsageRecorder,
        locate: Locate | None = None,
        retries: Retries | None = None,
    ) -> None:
        if locate is None and variant.is_local:
            raise ValueError("The local variant has no endpoint: use LocalChatModel.")
        endpoint = Endpoint(base_url=variant.base_url or OPENAI_URL, api_key=variant.api_key)
        self.variant = variant
        self.model = variant.model
        self.window = variant.window
        self._usage_recorder = usage_recorder
        self._client = EndpointClient(locate or endpoint, variant.model, retries)

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        body = self._body(messages, max_tokens)
        async with self._metered(call, await count_input(messages)) as parser:
            completion = await self._client.post(
                "/chat/completions",
                [body] if schema is None else _json_bodies(body, schema),
                kind="text" if schema is None else "json",
                timeout_seconds=timeout_seconds or self.variant.timeout_seconds,
            )
            parser.add(completion)
            if not parser.has_choice:
                raise ModelFailed(f"{self._client} answered without a choice.")
        reply = await run_off_loop(parser.reply, size=parser.size)
        return reply if schema is None else dataclasses.replace(reply, text=_unfenced(reply.text))

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
    ) -> AsyncGenerator[Delta, None]:
        body = self._body(messages, max_tokens) | dict(options or {}) | {"stream": True}
        if tools:
            body["tools"] = list(tools)
        bodies = [body | {"stream_options": {"include_usage": True}}, body]
        timer, pacer = StallTimer(self.variant.timeout_seconds), Pacer()
        async with self._metered(call, await count_input(messages, tools)) as parser:
            async with await self._client.stream(
                "/chat/completions", bodies, timeout_seconds=self.variant.timeout_seconds
            ) as chunks:
                while (chunk := await self._next(chunks, parser, timer)) is not None:
                    before = parser.size
                    if delta := parser.add(chunk):
                        yield delta
                    if parser.size > before:  # empty chunks are no progress
                        timer.reset()
                    await pacer.pause()
            if parser.finish is None:
                raise ModelFailed(f"{self._client} broke off in the middle of its answer.")
        yield Delta(reply=await run_off_loop(parser.reply, size=parser.size))

    async def complete_hosted(
        self,
        prompt: HostedPrompt,
        input: str,
        *,
        call: CallContext,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """Return the answer of a prompt that is stored at the provider (Responses API)."""
        reference = {"id": prompt.id} | ({"version": prompt.version} if prompt.version else {})
        body: Body = {"prompt": reference, "input": input}
        async with self._metered(call, tokens.count(input)) as parser:
            response = await self._client.post(
                "/responses",
                [body],
                timeout_seconds=timeout_seconds or self.variant.timeout_seconds,
            )
            parser.add_response(response)
        return await run_off_loop(parser.reply, size=parser.size)

    async def close(self) -> None:
        await self._client.close()

    async def _next(
        self, chunks: "AsyncStream[object]", parser: ResponseParser, timer: StallTimer
    ) -> Json:
        try:
            return await self._client.next(chunks, timer)
        except ModelFailed:
            if parser.finish is None:
                raise
            return None  # the answer is complete, only its usage is missing

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> Body:
        return {
            "model": self.variant.model,
            "messages": list(messages),
            self.variant.limit_field: max_tokens or self.variant.answer_tokens,
        }

    def _metered(
        self, call: CallContext, estimated_in: int
    ) -> AbstractAsyncContextManager[ResponseParser]:
        parser = ResponseParser(
            call=call, model=self.model, variant=self.variant.name, estimated_in=estimated_in
        )
        return metered(parser, self._usage_recorder)


class OpenAIEmbedder:
    def __init__(
        self,
        endpoint: Endpoint,
        *,
        model: str,
        dimensions: int,
        usage_recorder: UsageRecorder,
        timeout_seconds: float = 60.0,
        retries: Retries | None = None,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self._usage_recorder = usage_recorder
        self._timeout_seconds = timeout_seconds
        self._client = EndpointClient(endpoint, model, retries)

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        """Return one vector for each text. Raises Misconfigured if `dimensions` is wrong."""
        if not texts:
            return []
        estimated_in = sum(map(tokens.count, texts))
        record = CallRecord(call=call, model=self.model, estimated_in=estimated_in)
        vectors: list[list[float]] = []
        async with metered(record, self._usage_recorder):
            for start in range(0, len(texts), EMBEDDING_BATCH):
                batch = list(texts[start : start + EMBEDDING_BATCH])
                body = {"model": self.model, "input": batch, "encoding_format": "float"}
                response = await self._client.post(
                    "/embeddings", [body], timeout_seconds=self._timeout_seconds
                )
                vectors += self._vectors(response, len(batch))
                tokens_in = parse_usage(response).read
                record.is_partly_estimated |= not tokens_in
                tokens_in = tokens_in or sum(map(tokens.count, batch))
                record.reported_in = (record.reported_in or 0) + tokens_in
        return vectors

    async def close(self) -> None:
        await self._client.close()

    def _vectors(self, response: Json, expected: int) -> list[list[float]]:
        by_index: dict[int, list[float]] = {}
        match response:
            case {"data": list(items)}:
                is_numbered = any(isinstance(item, dict) and "index" in item for item in items)
                for position, item in enumerate(items):
                    match item:
                        case {"index": int(index), "embedding": list(vector)}:
                            by_index[index] = vector
                        case {"embedding": [_, *_] as vector}:  # Gemini omits an index of 0
                            by_index[0 if is_numbered else position] = vector
        is_complete = sorted(by_index) == list(range(expected))
        vectors = [by_index[index] for index in range(expected)] if is_complete else []
        check_vectors(vectors, expected, self.dimensions, source=str(self._client))
        if not all(_is_float32(number) for vector in vectors for number in vector):
            raise ModelFailed(f"{self._client} answered with a vector that has an invalid number.")
        return vectors


def _is_float32(value: Json) -> bool:
    return type(value) in (int, float) and -_MAX_FLOAT32 <= value <= _MAX_FLOAT32


def estimate_tokens(
    messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Json]] = ()
) -> int:
    parts = [message.get(name) for message in messages for name in ("content", "tool_calls")]
    return sum(
        tokens.count(part if isinstance(part, str) else json.dumps(part, ensure_ascii=False))
        for part in [*parts, *tools]
        if part
    )


async def count_input(
    messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Json]] = ()
) -> int:
    """Estimate the tokens of a call, in a thread if it is long."""
    estimate = partial(estimate_tokens, messages, tools)
    return await run_off_loop(estimate, size=rough_size(list(messages), list(tools)))


def _json_bodies(body: Body, schema: Mapping[str, Json]) -> list[Body]:
    """Return the ways to request JSON: by schema, by JSON mode and prompt, by prompt only."""
    instruction = f"Answer with JSON only, fitting this JSON schema: {json.dumps(schema)}"
    match body["messages"]:
        case [{"role": "system", "content": str(system)}, *others]:
            messages = [{"role": "system", "content": f"{system}\n\n{instruction}"}, *others]
        case others:
            messages = [{"role": "system", "content": instruction}, *others]
    by_schema = {"name": "answer", "schema": schema, "strict": True}
    prompted = body | {"messages": messages}
    return [
        body | {"response_format": {"type": "json_schema", "json_schema": by_schema}},
        prompted | {"response_format": {"type": "json_object"}},
        prompted,
    ]


def _unfenced(text: str) -> str:
    """Remove a code fence around JSON."""
    fenced = re.fullmatch(r"\s*```(?:json)?\s*(.*?)\s*```\s*", text, re.DOTALL)
    return fenced[1] if fenced else text
