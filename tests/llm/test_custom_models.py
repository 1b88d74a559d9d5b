"""Models and embedders that a caller brings, and a registry without any model."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from recollect import Recollect
from recollect.core.errors import (
    InvalidInput,
    Misconfigured,
    ModelFailed,
    NoModelConfigured,
    Unavailable,
)
from recollect.core.policy import PRESETS
from recollect.digest.summaries.summarizer import SummarizerSelector
from recollect.llm.protocols import (
    CallContext,
    CallRecord,
    ChatMessage,
    ChatModel,
    Delta,
    Embedder,
    Reply,
)
from recollect.llm.registry import EmbedderRegistry, ModelRegistry
from recollect.llm.variants import LOCAL

CALL = CallContext(purpose="chat", user_id="alice")
HELLO: list[ChatMessage] = [{"role": "user", "content": "Hello"}]


class EchoModel:
    model = "echo"
    window = 8_000

    async def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Reply:
        return Reply(text=f"Echo: {messages[-1]['content']}")

    async def stream(
        self, messages: Sequence[ChatMessage], **options: Any
    ) -> AsyncGenerator[Delta, None]:
        for word in ("Echo: ", messages[-1]["content"]):
            yield Delta(text=word)


class CountingModel(EchoModel):
    """Reports its usage, as a caller's adapter of a provider does."""

    async def stream(
        self, messages: Sequence[ChatMessage], **options: Any
    ) -> AsyncGenerator[Delta, None]:
        yield Delta(text="Well.")
        yield Delta(reply=Reply(text="Well.", tokens_in=900, tokens_out=2, tokens_cached=768))


class LengthEmbedder:
    model = "length"
    dimensions = 8

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        return [[float(len(text)), *[1.0] * 7] for text in texts]


class BrokenModel(EchoModel):
    async def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Reply:
        raise OSError("no route to the host")

    async def stream(
        self, messages: Sequence[ChatMessage], **options: Any
    ) -> AsyncGenerator[Delta, None]:
        yield Delta(text="Ech")
        raise OSError("no route to the host")


class SlowModel(EchoModel):
    async def complete(self, messages: Sequence[ChatMessage], **options: Any) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError


class Recorder:
    def __init__(self) -> None:
        self.records: list[CallRecord] = []

    async def __call__(self, record: CallRecord) -> None:
        self.records.append(record)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def registry(recorder: Recorder, chat_model: ChatModel | None = None) -> ModelRegistry:
    return ModelRegistry({}, default=None, usage_recorder=recorder, chat_model=chat_model)


async def streamed(models: ModelRegistry) -> list[Delta]:
    return [delta async for delta in models.get().stream(HELLO, call=CALL)]


def test_custom_chat_model_completes_and_streams(recorder: Recorder) -> None:
    models = registry(recorder, EchoModel())
    reply = asyncio.run(models.get().complete(HELLO, call=CALL))
    assert (reply.text, reply.finish, reply.tokens_out > 0) == ("Echo: Hello", "stop", True)
    *parts, last = asyncio.run(streamed(models))
    assert [part.text for part in parts] == ["Echo: ", "Hello"]
    assert last.reply == reply
    assert [(r.model, r.call, r.error, r.is_reported) for r in recorder.records] == [
        ("echo", CALL, None, False)
    ] * 2


def test_usage_reported_by_a_custom_model_is_recorded(recorder: Recorder) -> None:
    *_, last = asyncio.run(streamed(registry(recorder, CountingModel())))
    assert last.reply == Reply(text="Well.", tokens_in=900, tokens_out=2, tokens_cached=768)
    (record,) = recorder.records
    assert (record.tokens_in, record.tokens_out, record.reported_cached) == (900, 2, 768)


def test_custom_model_is_a_variant(recorder: Recorder) -> None:
    models = ModelRegistry(
        {"local": LOCAL},
        default="local",
        usage_recorder=recorder,
        chat_model=EchoModel(),
    )
    assert models.default == "default"
    variant = models.get("default").variant
    assert (variant.name, variant.model, variant.window) == ("default", "echo", 8_000)
    assert not variant.is_local
    assert not models.is_openai
    assert variant.answer_tokens < variant.window
    assert [*models.variants] == ["local", "default"]


def test_errors_of_a_custom_model_are_model_failures(recorder: Recorder) -> None:
    models = registry(recorder, BrokenModel())
    for call in (models.get().complete(HELLO, call=CALL), streamed(models)):
        with pytest.raises(ModelFailed, match=r"OSError.*no route"):
            asyncio.run(call)
    assert all(record.error for record in recorder.records)


def test_the_timeout_covers_a_custom_model(recorder: Recorder) -> None:
    models = registry(recorder, SlowModel())
    with pytest.raises(ModelFailed, match="in time"):
        asyncio.run(models.get().complete(HELLO, call=CALL, timeout_seconds=0.01))


def test_without_any_model_asking_says_what_to_set(recorder: Recorder) -> None:
    models = registry(recorder)
    assert (models.default, models.variants, models.summarizer("gpt")) == (None, {}, None)
    for name in (None, "deep"):
        with pytest.raises(NoModelConfigured, match="RECOLLECT_CHAT_MODEL") as raised:
            models.get(name)
        assert isinstance(raised.value, Unavailable)
    with pytest.raises(InvalidInput, match="one of default"):
        registry(recorder, EchoModel()).get("deep")


def test_custom_model_summarizes_unless_a_summarizer_is_given(recorder: Recorder) -> None:
    def model_of(models: ModelRegistry) -> str | None:
        selector = SummarizerSelector(models, default_policy=PRESETS["chunked"], hosted_prompt=None)
        model = selector.extraction_model()
        return model.model if model else None

    summarizer = EchoModel()
    summarizer.model = "summarizer"
    for chosen, expected in ((None, "echo"), (summarizer, "summarizer")):
        models = ModelRegistry(
            {}, default=None, usage_recorder=recorder, chat_model=EchoModel(), summarizer=chosen
        )
        assert model_of(models) == expected
    alone = ModelRegistry(
        {"local": LOCAL}, default="local", usage_recorder=recorder, summarizer=summarizer
    )
    assert model_of(alone) == "summarizer"


def embedders(recorder: Recorder, embedder: Embedder) -> EmbedderRegistry:
    return EmbedderRegistry(
        "",
        endpoint=None,
        model="",
        dimensions=0,
        related_cosine=0.35,
        deadline_seconds=1,
        usage_recorder=recorder,
        embedder=embedder,
    )


def test_custom_embedder_embeds_texts_and_queries(recorder: Recorder) -> None:
    async def use() -> None:
        registry = embedders(recorder, LengthEmbedder())
        await registry.probe()
        assert recorder.records == []
        assert registry.set_active("length", 8) is False
        found = await registry.embed_query("heron", user_id="alice")
        assert found is not None
        model, query = found
        assert (model, query.vector[0]) == ("length", 5.0)
        assert query.scale == pytest.approx(0.8)
        assert await registry.embed_texts(["a", "bc"], user_id="alice") == (
            "length",
            [[1.0, *[1.0] * 7], [2.0, *[1.0] * 7]],
        )
        assert await registry.word_similarities(["a"], ["b"]) is None
        await registry.close()

    asyncio.run(use())
    assert [record.model for record in recorder.records] == ["length"] * 2


def test_custom_embedder_with_wrong_dimensions_is_misconfigured(recorder: Recorder) -> None:
    embedder = LengthEmbedder()
    embedder.dimensions = 16
    with pytest.raises(Misconfigured, match="8 numbers, not 16"):
        asyncio.run(embedders(recorder, embedder).probe())


def test_engine_uses_the_objects_that_the_caller_brings() -> None:
    summarizer = EchoModel()
    summarizer.model = "summarizer"

    async def use() -> None:
        async with Recollect(
            "sqlite:///:memory:",
            chat_model=EchoModel(),
            summarizer=summarizer,
            embedder=LengthEmbedder(),
            worker=False,
        ) as memory:
            chat = await memory.conversations.create_conversation(user_id="alice")
            stream = await memory.chat.ask("Hello", conversation_id=chat.id, user_id="alice")
            assert (await stream.result()).message.content == "Echo: Hello"
            await memory.work()
            assert memory.embedder == "length"
            (hit, *_) = await memory.recall.search("Hello", user_id="alice")
            assert hit.text == "Hello"
            spent = await memory.analytics.get_analytics(user_id="alice")
            assert {"chat", "embedding", "topic"} <= spent.by_purpose.keys()

    asyncio.run(use())
