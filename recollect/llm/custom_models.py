"""Model objects that the caller brings: usage recording, error mapping and timeouts around them."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Any

from recollect.core import tokens
from recollect.core.errors import ModelFailed, RecollectError
from recollect.core.sanitize import sanitized
from recollect.core.types import Json
from recollect.llm.openai import count_input
from recollect.llm.protocols import (
    CallContext,
    CallRecord,
    ChatMessage,
    ChatModel,
    CompletionModel,
    Delta,
    Embedder,
    Reply,
    UsageRecorder,
    check_vectors,
    metered,
)
from recollect.llm.variants import DEFAULT_ANSWER_TOKENS, Variant


class CustomCompletionModel:
    def __init__(self, model: CompletionModel, *, usage_recorder: UsageRecorder) -> None:
        self.model = model.model
        self.window = model.window
        self._completion_model = model
        self._usage_recorder = usage_recorder

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        timeout_seconds: float | None = None,
        **options: Any,
    ) -> Reply:
        record = CallRecord(call=call, model=self.model, estimated_in=await count_input(messages))
        async with metered(record, self._usage_recorder):
            with _mapped_errors(self.model):
                async with asyncio.timeout(timeout_seconds):
                    reply = await self._completion_model.complete(
                        messages, call=call, timeout_seconds=timeout_seconds, **options
                    )
            return await _counted(reply, record)


class CustomChatModel(CustomCompletionModel):
    def __init__(self, model: ChatModel, *, usage_recorder: UsageRecorder) -> None:
        super().__init__(model, usage_recorder=usage_recorder)
        self.variant = Variant(
            name="default",
            model=model.model,
            window=model.window,
            answer_tokens=min(DEFAULT_ANSWER_TOKENS, model.window // 4),
            is_custom=True,
        )
        self._chat_model = model

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        tools: Sequence[Mapping[str, Json]] = (),
        **options: Any,
    ) -> AsyncGenerator[Delta, None]:
        record = CallRecord(
            call=call,
            model=self.model,
            variant=self.variant.name,
            estimated_in=await count_input(messages, tools),
        )
        text: list[str] = []
        thinking: list[str] = []
        reply: Reply | None = None
        stream = self._chat_model.stream(messages, call=call, tools=tools, **options)
        async with metered(record, self._usage_recorder):
            with _mapped_errors(self.model):
                async with aclosing(stream) as deltas:
                    async for delta in deltas:
                        reply = delta.reply or reply
                        if delta.text or delta.thinking:
                            text.append(delta.text)
                            thinking.append(delta.thinking)
                            record.output += [delta.thinking, delta.text]
                            yield replace(delta, reply=None)
            reply = reply or Reply(text="".join(text), thinking="".join(thinking))
            reply = await _counted(reply, record)
        yield Delta(reply=reply)


class CustomEmbedder:
    def __init__(self, embedder: Embedder, *, usage_recorder: UsageRecorder) -> None:
        self.model = embedder.model
        self.dimensions = embedder.dimensions
        self._embedder = embedder
        self._usage_recorder = usage_recorder

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        if not texts:
            return []
        estimated_in = sum(map(tokens.count, texts))
        record = CallRecord(call=call, model=self.model, estimated_in=estimated_in)
        async with metered(record, self._usage_recorder):
            with _mapped_errors(self.model):
                vectors = await self._embedder.embed(texts, call=call)
            check_vectors(vectors, len(texts), self.dimensions, source=self.model)
        return vectors


@contextmanager
def _mapped_errors(model: str) -> Iterator[None]:
    try:
        yield
    except RecollectError:
        raise
    except TimeoutError as error:
        raise ModelFailed(f"{model} did not answer in time.") from error
    except Exception as error:
        raise ModelFailed(f"{model} failed ({type(error).__name__})", detail=str(error)) from error


async def _counted(reply: Reply, record: CallRecord) -> Reply:
    """Return the reply as it can be stored, with token counts; count it in `record`."""
    record.reported_in = reply.tokens_in or None
    record.reported_out = reply.tokens_out or None
    record.reported_cached = reply.tokens_cached
    record.output = [reply.thinking, reply.text, *(call.arguments for call in reply.tool_calls)]
    await record.count_output()
    return replace(
        reply,
        text=sanitized(reply.text),
        thinking=sanitized(reply.thinking),
        tokens_in=record.tokens_in,
        tokens_out=record.tokens_out,
    )
