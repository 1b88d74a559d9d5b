"""A summarizer model that the endpoint lacks is replaced by the chat model."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from recollect import ModelFailed, ModelUnknown, Settings
from recollect.digest.summaries.summarizer import SummarizerSelector
from recollect.llm.openai import OpenAIChatModel
from recollect.llm.protocols import CallContext, CallRecord, ChatMessage
from recollect.llm.registry import FallbackModel, ModelRegistry
from recollect.llm.variants import Variant
from tests.scripted_model import Body, Plain, ScriptedModel, fails

SAY: list[ChatMessage] = [{"role": "user", "content": "Hello"}]
CALL = CallContext(purpose="summary", user_id="alice")


async def usage_recorder(call: CallRecord) -> None:
    """Record nothing."""


@asynccontextmanager
async def pair(model: ScriptedModel) -> AsyncIterator[FallbackModel]:
    named, own = (
        OpenAIChatModel(
            Variant(name="v", model=name, base_url=model.url), usage_recorder=usage_recorder
        )
        for name in ("named", "own")
    )
    try:
        yield FallbackModel(named, own)
    finally:
        for one in (named, own):
            await one.close()


async def ask(model: ScriptedModel, times: int = 1) -> list[str]:
    async with pair(model) as either:
        return [(await either.complete(SAY, call=CALL)).text for _ in range(times)]


def test_missing_model_is_tried_once(model: ScriptedModel) -> None:
    model.always = _without_named
    assert asyncio.run(ask(model, times=2)) == ["By own."] * 2
    assert [request.body["model"] for request in model.requests] == ["named", "own", "own"]


def test_concurrent_calls_fall_back(model: ScriptedModel) -> None:
    model.always = _without_named

    async def ask_at_once() -> list[str]:
        async with pair(model) as either:
            asking = (either.complete(SAY, call=CALL) for _ in range(3))
            return [reply.text for reply in await asyncio.gather(*asking)]

    assert asyncio.run(ask_at_once()) == ["By own."] * 3


def test_no_access_falls_back(model: ScriptedModel) -> None:
    model.answers(fails(403, "You have no access to it.", code="model_not_found"), "By own.")
    assert asyncio.run(ask(model)) == ["By own."]


def test_failing_model_is_not_replaced(model: ScriptedModel) -> None:
    model.always = fails(400)
    with pytest.raises(ModelFailed):
        asyncio.run(ask(model))
    assert {request.body["model"] for request in model.requests} == {"named"}


def test_both_models_missing_is_an_error(model: ScriptedModel) -> None:
    model.always = fails(404)
    with pytest.raises(ModelUnknown):
        asyncio.run(ask(model))


def test_configured_summarizer_has_no_fallback() -> None:
    variables = {"OPENAI_API_KEY": "k", "RECOLLECT_CHAT_MODEL": "chat"}
    outright = {**variables, "MEMORY_SUMMARIZER_MODEL": "mine"}
    for given, expected in ((variables, FallbackModel), (outright, OpenAIChatModel)):
        settings = Settings.from_environment(given)
        summarizers = SummarizerSelector(
            ModelRegistry(
                settings.chat_variants(), default="default", usage_recorder=usage_recorder
            ),
            default_policy=settings.policies()["chunked"],
            hosted_prompt=None,
        )
        assert isinstance(summarizers.extraction_model(), expected)


def _without_named(body: Body) -> Plain:
    return fails(404) if body["model"] == "named" else f"By {body['model']}."
