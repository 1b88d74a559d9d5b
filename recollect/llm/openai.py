"""Models behind OpenAI's protocol, whoever speaks it: chat, hosted prompts, embeddings.

The official client does not check what endpoints answer. So we leave to it what it does well
(connections, authorization, server-sent events) and read the answers ourselves: see `link` for how
an endpoint is talked to, and `answer` for what is made of its words.
"""

import dataclasses
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from recollect.core import tokens
from recollect.core.errors import Misconfigured, ModelFailed
from recollect.core.types import Json
from recollect.llm.endpoint import Body, Endpoint, Link, Locate, Retries, at
from recollect.llm.protocols import (
    LOCAL_NEAR,
    Asked,
    CallContext,
    ChatMessage,
    Delta,
    HostedPrompt,
    Reply,
    Usage,
    UsageRecorder,
    metered,
)
from recollect.llm.response_parser import Answer, usage
from recollect.llm.variants import Variant

if TYPE_CHECKING:
    from openai import AsyncStream

OPENAI_URL = "https://api.openai.com/v1"
EMBEDDING_BATCH = 64
_LARGEST = 3.4e38  # in 32 bits, as vectors are kept


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint. The port says what it raises."""

    def __init__(
        self,
        variant: Variant,
        *,
        meter: UsageRecorder,
        locate: Locate | None = None,
        retries: Retries | None = None,
    ) -> None:
        if locate is None and variant.is_local:
            raise ValueError("The local variant has no endpoint of its own: use LocalChat.")
        endpoint = Endpoint(base_url=variant.base_url or OPENAI_URL, api_key=variant.api_key)
        self.variant = variant
        self._meter = meter
        self._link = Link(locate or at(endpoint), variant.model, retries or Retries())

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109  it bounds all attempts together
    ) -> Reply:
        body = self._body(messages, max_tokens)
        async with self._metered(purpose, _estimate(messages)) as answer:
            completion = await self._link.post(
                "/chat/completions",
                [body] if schema is None else _json_forms(body, schema),
                kind="text" if schema is None else "json",
                within=timeout or self.variant.timeout_seconds,
            )
            answer.add(completion)
            if not answer.started:
                raise ModelFailed(f"{self._link} answered without a choice.")
        reply = answer.reply()
        return reply if schema is None else dataclasses.replace(reply, text=_unfenced(reply.text))

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: CallContext,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
    ) -> AsyncGenerator[Delta, None]:
        body = self._body(messages, max_tokens) | dict(options or {}) | {"stream": True}
        if tools:
            body["tools"] = list(tools)
        forms = [body | {"stream_options": {"include_usage": True}}, body]
        within = self.variant.timeout_seconds
        async with self._metered(purpose, _estimate(messages, tools)) as answer:
            async with await self._link.stream("/chat/completions", forms, within=within) as pieces:
                while (piece := await self._next(pieces, answer)) is not None:
                    if delta := answer.add(piece):
                        yield delta
            if answer.finish is None:
                raise ModelFailed(f"{self._link} broke off in the middle of its answer.")
        yield Delta(reply=answer.reply())

    async def complete_hosted(
        self,
        prompt: HostedPrompt,
        input: str,
        *,
        purpose: CallContext,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> Reply:
        kept = {"id": prompt.id} | ({"version": prompt.version} if prompt.version else {})
        body: Body = {"prompt": kept, "input": input}
        async with self._metered(purpose, tokens.count(input)) as answer:
            within = timeout or self.variant.timeout_seconds
            answer.add_response(await self._link.post("/responses", [body], within=within))
        return answer.reply()

    async def close(self) -> None:
        await self._link.close()

    async def _next(self, pieces: "AsyncStream[object]", answer: Answer) -> Json:
        try:
            return await self._link.next(pieces, within=self.variant.timeout_seconds)
        except ModelFailed:
            if answer.finish is None:
                raise
            return None  # the answer is whole, and only its usage is missing

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> Body:
        return {
            "model": self.variant.model,
            "messages": list(messages),
            self.variant.limit_field: max_tokens or self.variant.answer_tokens,
        }

    def _metered(
        self, purpose: CallContext, estimated_in: int
    ) -> AbstractAsyncContextManager[Answer]:
        answer = Answer(model=self.variant.model, estimated_in=estimated_in)
        return metered(answer, meter=self._meter, purpose=purpose, variant=self.variant.name)


class OpenAIEmbedder:
    """Embeddings from an OpenAI-compatible endpoint."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        model: str,
        dimensions: int,
        meter: UsageRecorder,
        near: float = LOCAL_NEAR,
        timeout_seconds: float = 60.0,
        retries: Retries | None = None,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self._meter = meter
        self._near = near
        self._timeout_seconds = timeout_seconds
        self._link = Link(at(endpoint), model, retries or Retries())

    async def embed(self, texts: Sequence[str], *, purpose: CallContext) -> list[list[float]]:
        """Raises Misconfigured if the vectors are not of the dimensions that were promised."""
        if not texts:
            return []
        tally = Usage(model=self.model, estimated_in=sum(map(tokens.count, texts)))
        vectors: list[list[float]] = []
        async with metered(tally, meter=self._meter, purpose=purpose):
            for start in range(0, len(texts), EMBEDDING_BATCH):
                batch = list(texts[start : start + EMBEDDING_BATCH])
                body = {"model": self.model, "input": batch, "encoding_format": "float"}
                answer = await self._link.post("/embeddings", [body], within=self._timeout_seconds)
                vectors += self._vectors(answer, len(batch))
                read = usage(answer)[0]
                tally.is_partly_guessed |= not read
                read = read or sum(map(tokens.count, batch))
                tally.reported_in = (tally.reported_in or 0) + read
        return vectors

    async def embed_question(
        self, text: str, *, purpose: CallContext, across_languages: bool = False
    ) -> Asked:
        (vector,) = await self.embed([text], purpose=purpose)
        return Asked(vector, scale=LOCAL_NEAR / self._near)

    async def load(self) -> None:
        """Others have."""

    async def closeness(self, words: Sequence[str], texts: Sequence[str]) -> list[float] | None:
        """An endpoint gives whole vectors only."""
        return None

    async def close(self) -> None:
        await self._link.close()

    def _vectors(self, answer: Json, expected: int) -> list[list[float]]:
        by_index: dict[int, list[float]] = {}
        match answer:
            case {"data": list(items)}:
                is_numbered = any(isinstance(item, dict) and "index" in item for item in items)
                for place, item in enumerate(items):
                    match item:
                        case {"index": int(index), "embedding": list(vector)}:
                            by_index[index] = vector
                        case {"embedding": [_, *_] as vector}:  # Gemini leaves a 0 out
                            by_index[0 if is_numbered else place] = vector
        if sorted(by_index) != list(range(expected)):
            raise ModelFailed(f"{self._link} did not answer with one vector for each text.")
        for vector in by_index.values():
            if not all(map(_is_number, vector)):
                raise ModelFailed(f"{self._link} answered with something that is no number.")
            if len(vector) != self.dimensions:
                raise Misconfigured(
                    f"{self._link} gives vectors of {len(vector)} numbers, not {self.dimensions}."
                )
        return [by_index[index] for index in range(expected)]


def _is_number(value: Json) -> bool:
    """One that a vector can hold."""
    return type(value) in (int, float) and -_LARGEST <= value <= _LARGEST


def _estimate(messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Json]] = ()) -> int:
    parts = [message.get(name) for message in messages for name in ("content", "tool_calls")]
    return sum(
        tokens.count(part if isinstance(part, str) else json.dumps(part, ensure_ascii=False))
        for part in [*parts, *tools]
        if part
    )


def _json_forms(body: Body, schema: Mapping[str, Json]) -> list[Body]:
    """The ways to ask for JSON: by its schema, as JSON mode with the schema in words, in words."""
    wish = f"Answer with JSON only, fitting this JSON schema: {json.dumps(schema)}"
    match body["messages"]:
        case [{"role": "system", "content": str(system)}, *others]:
            messages = [{"role": "system", "content": f"{system}\n\n{wish}"}, *others]
        case others:
            messages = [{"role": "system", "content": wish}, *others]
    by_schema = {"name": "answer", "schema": schema, "strict": True}
    in_words = body | {"messages": messages}
    return [
        body | {"response_format": {"type": "json_schema", "json_schema": by_schema}},
        in_words | {"response_format": {"type": "json_object"}},
        in_words,
    ]


def _unfenced(text: str) -> str:
    """JSON without the code fence that models like to put around it."""
    fenced = re.fullmatch(r"\s*```(?:json)?\s*(.*?)\s*```\s*", text, re.DOTALL)
    return fenced[1] if fenced else text
