"""Models behind OpenAI's protocol, whoever speaks it: chat, hosted prompts, embeddings.

"Compatible" endpoints agree on little beyond the paths, and the official client does not check what
they answer. So we leave to the client what it does well (connections, authorization, server-sent
events), take the answers as plain JSON, and match them by their shape: what does not fit is a
ModelFailed, never an AttributeError. A whole completion is read as a stream of one piece.

What an endpoint may not know (JSON schemas, usage in a stream) is asked for first and left out once
it is refused: a request has `forms`, the best one first, and the one that was taken is remembered.
Retries are ours and not the client's, because one deadline bounds all attempts together.
"""

import asyncio
import dataclasses
import importlib
import json
import random
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from recollect import tokens
from recollect.errors import Misconfigured, ModelFailed, ModelRejected
from recollect.model import Json
from recollect.models.base import (
    ChatMessage,
    Delta,
    HostedPrompt,
    Meter,
    Purpose,
    Reply,
    Tally,
    ToolCall,
    metered,
)
from recollect.variants import Variant

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI, AsyncStream, RequestOptions

OPENAI_URL = "https://api.openai.com/v1"
CONNECT_SECONDS = 5.0
EMBEDDING_BATCH = 64

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_MALFORMED = {400, 422}
_PASSING = {408, 409, 429}
"""What another attempt may get past, beside everything from 500 on."""
_NOT_JSON = (json.JSONDecodeError, UnicodeDecodeError)

T = TypeVar("T")
Body = dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)


Locate = Callable[[], Awaitable[Endpoint]]
"""Says before every attempt where the model is: a local server may have moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """Up to `attempts` in all, after pauses that double and are shortened at random, lest callers
    march in step. An endpoint that asks for more than `longest_pause` is not waited for."""

    attempts: int = 3
    first_pause: float = 0.5
    longest_pause: float = 20.0

    def pause(self, attempt: int, *, asked: float) -> float | None:
        """How long to wait after an attempt; None is to give up."""
        if attempt >= self.attempts or asked > self.longest_pause:
            return None
        own = min(self.longest_pause, self.first_pause * 2.0 ** (attempt - 1))
        return max(asked, own * random.uniform(0.5, 1.0))  # noqa: S311  nobody gains by guessing


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint. The port says what it raises."""

    def __init__(
        self,
        variant: Variant,
        *,
        meter: Meter,
        locate: Locate | None = None,
        retries: Retries | None = None,
    ) -> None:
        if locate is None and variant.is_local:
            raise ValueError("The local variant has no endpoint of its own: use LocalChat.")
        endpoint = Endpoint(base_url=variant.base_url or OPENAI_URL, api_key=variant.api_key)
        self.variant = variant
        self._meter = meter
        self._link = _Link(locate or _at(endpoint), variant.model, retries or Retries())

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: Purpose,
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
        purpose: Purpose,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
    ) -> AsyncGenerator[Delta, None]:
        body = self._body(messages, max_tokens) | {"stream": True}
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
        purpose: Purpose,
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

    async def _next(self, pieces: "AsyncStream[object]", answer: "_Answer") -> Json:
        try:
            return await self._link.next(pieces, within=self.variant.timeout_seconds)
        except ModelFailed:
            if answer.finish is None:
                raise
            return None  # the answer is whole, and only its usage is missing

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> Body:
        limit = "max_completion_tokens" if self.variant.is_openai else "max_tokens"
        return {
            "model": self.variant.model,
            "messages": list(messages),
            limit: max_tokens or self.variant.answer_tokens,
        }

    def _metered(
        self, purpose: Purpose, estimated_in: int
    ) -> AbstractAsyncContextManager["_Answer"]:
        answer = _Answer(model=self.variant.model, estimated_in=estimated_in)
        return metered(answer, meter=self._meter, purpose=purpose, variant=self.variant.name)


class OpenAIEmbedder:
    """Embeddings from an OpenAI-compatible endpoint."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        model: str,
        dimensions: int,
        meter: Meter,
        timeout_seconds: float = 60.0,
        retries: Retries | None = None,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self._meter = meter
        self._timeout_seconds = timeout_seconds
        self._link = _Link(_at(endpoint), model, retries or Retries())

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[list[float]]:
        """Raises Misconfigured if the vectors are not of the dimensions that were promised."""
        if not texts:
            return []
        tally = Tally(model=self.model, estimated_in=sum(map(tokens.count, texts)))
        vectors: list[list[float]] = []
        async with metered(tally, meter=self._meter, purpose=purpose):
            for start in range(0, len(texts), EMBEDDING_BATCH):
                batch = list(texts[start : start + EMBEDDING_BATCH])
                body = {"model": self.model, "input": batch, "encoding_format": "float"}
                answer = await self._link.post("/embeddings", [body], within=self._timeout_seconds)
                vectors += self._vectors(answer, len(batch))
                read = _usage(answer)[0] or sum(map(tokens.count, batch))
                tally.reported_in = (tally.reported_in or 0) + read
        return vectors

    async def close(self) -> None:
        await self._link.close()

    def _vectors(self, answer: Json, expected: int) -> list[list[float]]:
        by_index: dict[int, list[float]] = {}
        match answer:
            case {"data": list(items)}:
                for item in items:
                    match item:
                        case {"index": int(index), "embedding": list(vector)}:
                            by_index[index] = vector
        if sorted(by_index) != list(range(expected)):
            raise ModelFailed(f"{self._link} did not answer with one vector for each text.")
        for vector in by_index.values():
            if len(vector) != self.dimensions:
                raise Misconfigured(
                    f"{self._link} gives vectors of {len(vector)} numbers, not {self.dimensions}."
                )
        return [by_index[index] for index in range(expected)]


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


class _Link:
    """One endpoint: its client, its attempts, and its errors as ours."""

    def __init__(self, locate: Locate, model: str, retries: Retries) -> None:
        self._locate = locate
        self._model = model
        self._retries = retries
        self._endpoint: Endpoint | None = None
        self._client: AsyncOpenAI | None = None
        self._taken: dict[str, int] = {}
        """Which form of each kind of request the endpoint took."""

    def __str__(self) -> str:
        host = urlsplit(self._endpoint.base_url).netloc if self._endpoint else ""
        return f"{self._model} at {host.rpartition('@')[2]}" if host else self._model

    async def post(
        self, path: str, forms: Sequence[Body], *, within: float, kind: str = "text"
    ) -> Json:
        async def send(client: "AsyncOpenAI", body: Body) -> Json:
            return await client.post(path, body=body, cast_to=object, options=_options(within))

        return await self._ask(send, forms, within=within, kind=kind)

    async def stream(
        self, path: str, forms: Sequence[Body], *, within: float
    ) -> "AsyncStream[object]":
        async def send(client: "AsyncOpenAI", body: Body) -> "AsyncStream[object]":
            from openai import AsyncStream

            return await client.post(
                path,
                body=body,
                cast_to=object,
                options=_options(within),
                stream=True,
                stream_cls=AsyncStream[object],
            )

        return await self._ask(send, forms, within=within, kind="stream")

    async def next(self, pieces: "AsyncStream[object]", *, within: float) -> Json:
        """The next piece of a stream, None at its end."""
        from openai import APIError

        try:
            async with asyncio.timeout(within):
                return await anext(pieces, None)
        except TimeoutError as exc:
            raise ModelFailed(f"{self} stalled for {within:g} seconds.") from exc
        except _NOT_JSON as exc:
            raise ModelFailed(f"{self} streamed something that is not JSON.") from exc
        except APIError as exc:
            raise self._failure(exc) from exc

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask(
        self,
        send: Callable[["AsyncOpenAI", Body], Awaitable[T]],
        forms: Sequence[Body],
        *,
        within: float,
        kind: str,
    ) -> T:
        await asyncio.to_thread(importlib.import_module, "openai")  # nearly half a second, once
        from openai import APIError

        form, attempt = self._taken.get(kind, 0), 1
        try:
            async with asyncio.timeout(within) as limit:
                while True:
                    try:
                        answer = await send(await self._ready_client(), forms[form])
                    except APIError as exc:
                        if _status(exc) in _MALFORMED and form + 1 < len(forms):
                            form += 1
                        else:
                            await self._pause(attempt, exc, until=limit.when())
                            attempt += 1
                    else:
                        self._taken[kind] = form
                        return answer
        except TimeoutError as exc:
            raise ModelFailed(f"{self} did not answer within {within:g} seconds.") from exc
        except _NOT_JSON as exc:
            raise ModelFailed(f"{self} answered something that is not JSON.") from exc

    async def _ready_client(self) -> "AsyncOpenAI":
        endpoint = await self._locate()
        if self._client is None or endpoint != self._endpoint:
            stale, self._client, self._endpoint = self._client, _new_client(endpoint), endpoint
            if stale is not None:
                await stale.close()
        return self._client

    async def _pause(self, attempt: int, exc: "APIError", *, until: float | None) -> None:
        """Waits before the next attempt, or raises if there is to be none."""
        pause = self._retries.pause(attempt, asked=_asked_pause(exc)) if _may_pass(exc) else None
        now = asyncio.get_running_loop().time()
        if pause is None or (until is not None and now + pause >= until):
            raise self._failure(exc) from exc
        await asyncio.sleep(pause)

    def _failure(self, exc: "APIError") -> ModelFailed:
        from openai import APIConnectionError

        if isinstance(exc, APIConnectionError):
            reason = str(exc.__cause__ or "") or exc.message
            return ModelFailed(f"The connection to {self} failed: {reason}")
        status = _status(exc)
        if status == 401:  # what else it says may quote the key
            return ModelRejected(f"{self} does not accept the API key (401).")
        key = self._endpoint.api_key if self._endpoint else None
        said = _said(exc) if not key else _said(exc).replace(key, "…")
        if status is None:
            return ModelFailed(f"{self} broke off: {said}")
        if _may_pass(exc):
            return ModelFailed(f"{self} failed ({status}): {said}")
        return ModelRejected(f"{self} refused the request ({status}): {said}")


def _at(endpoint: Endpoint) -> Locate:
    async def locate() -> Endpoint:
        return endpoint

    return locate


def _new_client(endpoint: Endpoint) -> "AsyncOpenAI":
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    # What is left open, the client takes from the environment: it would send OPENAI_API_KEY to
    # whoever this is, and what is said to this machine through HTTP_PROXY.
    nearby = urlsplit(endpoint.base_url).hostname in _LOOPBACK
    return AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or "none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False) if nearby else None,
    )


def _options(within: float) -> "RequestOptions":
    from openai import Timeout

    return {
        "timeout": Timeout(within, connect=CONNECT_SECONDS),
        "security": {"bearer_auth": True},  # and never the admin key
    }


def _status(exc: "APIError") -> int | None:
    status: int | None = getattr(exc, "status_code", None)
    return status


def _may_pass(exc: "APIError") -> bool:
    """Whether the same request may succeed a little later."""
    if exc.code == "insufficient_quota":  # OpenAI's 429 for an empty account
        return False
    status = _status(exc)
    return status is None or status in _PASSING or status >= 500


def _asked_pause(exc: "APIError") -> float:
    """The seconds in a Retry-After header, which may hold a date instead."""
    from openai import APIStatusError

    header = exc.response.headers.get("retry-after") if isinstance(exc, APIStatusError) else None
    if not header:
        return 0.0
    try:
        if re.fullmatch(r"[\d.]+", header):
            return float(header)
        return (parsedate_to_datetime(header).astimezone(UTC) - datetime.now(UTC)).total_seconds()
    except ValueError:
        return 0.0


def _said(exc: "APIError") -> str:
    """What an endpoint says is wrong, on one short line."""
    match exc.body:
        case {"message": str(said)} | {"error": str(said)} | str(said):
            return " ".join(said.split())[:300]
        case _:
            return " ".join(exc.message.split())[:300]


@dataclass(slots=True, kw_only=True)
class _ToolCallInParts:
    index: int | None
    id: str
    name: str = ""
    arguments: str = ""


@dataclass(slots=True, kw_only=True)
class _Answer(Tally):
    """An answer as it grows."""

    started: bool = False
    finish: str | None = None
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    tool_calls: list[_ToolCallInParts] = field(default_factory=list)

    def add(self, piece: Json) -> Delta | None:
        """Takes in a piece of a stream, or a completion. A delta, if there was text in it."""
        self._add_usage(piece)
        match piece:
            case {"choices": [{"delta": dict(said), **choice}, *_]}:
                pass
            case {"choices": [{"message": dict(said), **choice}, *_]}:
                pass
            case _:
                return None
        self.started = True
        self.finish = _string(choice.get("finish_reason")) or self.finish
        match said:
            case {"tool_calls": list(parts)}:
                for part in parts:
                    self._add_tool_call(part)
        text = _string(said.get("content") or said.get("refusal"))
        thinking = _string(said.get("reasoning_content") or said.get("reasoning"))
        return self._add_text(text, thinking)

    def add_response(self, response: Json) -> None:
        """Takes in what the Responses API answers."""
        self._add_usage(response)
        match response:
            case {"status": "failed", "error": {"message": message}}:
                raise ModelFailed(f"{self.model} failed: {message}")
            case {"output": list(items), **rest}:
                self.model = _string(rest.get("model")) or self.model
            case _:
                raise ModelFailed(f"{self.model} answered without an output.")
        for item in items:
            match item:
                case {"type": "message", "content": list(parts)}:
                    self._add_text(_joined(parts), "")
                case {"type": "reasoning", "summary": list(parts)}:
                    self._add_text("", _joined(parts))
        match rest:
            case {"incomplete_details": {"reason": "max_output_tokens"}}:
                self.finish = "length"
            case {"incomplete_details": {"reason": str(reason)}}:
                self.finish = reason

    def reply(self) -> Reply:
        return Reply(
            text="".join(self.text),
            thinking="".join(self.thinking),
            tool_calls=tuple(
                ToolCall(id=call.id or f"call_{n}", name=call.name, arguments=call.arguments)
                for n, call in enumerate(self.tool_calls, start=1)
            ),
            finish=self.finish or "stop",
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
        )

    def _add_usage(self, body: Json) -> None:
        read, written = _usage(body)
        self.reported_in = read if read is not None else self.reported_in
        self.reported_out = written if written is not None else self.reported_out

    def _add_text(self, text: str, thinking: str) -> Delta | None:
        if not text and not thinking:
            return None
        self.text.append(text)
        self.thinking.append(thinking)
        self.written += [thinking, text]
        return Delta(text=text, thinking=thinking)

    def _add_tool_call(self, part: Json) -> None:
        """Goes on with a call, or begins one. Some endpoints leave the index out, and some give
        every call the same one: there only the id tells them apart."""
        match part:
            case {"function": dict(function)}:
                index, id = part.get("index"), _string(part.get("id"))
            case _:
                raise ModelFailed(f"{self.model} answered with a tool call that is none.")
        for call in reversed(self.tool_calls):
            if call.index == index and id in ("", call.id):
                break
        else:
            call = _ToolCallInParts(index=index, id=id)
            self.tool_calls.append(call)
        call.name += _string(function.get("name"))
        call.arguments += _string(function.get("arguments"))
        self.written += [_string(function.get("name")), _string(function.get("arguments"))]


def _string(value: Json) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            raise ModelFailed("The model answered with something that is not text.")


def _joined(parts: list[Json]) -> str:
    text = ""
    for part in parts:
        match part:
            case {"text": str(said)} | {"refusal": str(said)}:
                text += said
    return text


def _usage(body: Json) -> tuple[int | None, int | None]:
    """Tokens read and written, in any of the protocol's words for them."""
    match body:
        case {"usage": {"prompt_tokens": int(read), "completion_tokens": int(written)}}:
            return read, written
        case {"usage": {"input_tokens": int(read), "output_tokens": int(written)}}:
            return read, written
        case {"usage": {"prompt_tokens": int(read)}}:
            return read, None
        case _:
            return None, None
