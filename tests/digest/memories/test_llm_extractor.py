"""Extraction with a model whose answers are invalid."""

import asyncio
import json
from collections.abc import Sequence

import pytest

from recollect.core import tokens
from recollect.core.types import Message
from recollect.digest.memories.llm_extractor import extract_with_model
from recollect.llm.openai import OpenAIChatModel
from recollect.llm.protocols import CallContext, CallRecord
from recollect.llm.variants import Variant
from tests.recall.sample_conversations import said, user
from tests.scripted_model import ScriptedModel

CALL = CallContext(purpose="extraction", user_id="ada")
SAID = said(user("I live in Rome."))


def ask_about(model: ScriptedModel, messages: Sequence[Message]) -> list[str]:
    async def usage_recorder(call: CallRecord) -> None: ...

    async def run() -> list[str]:
        variant = Variant(name="nano", model="nano-1", base_url=model.url, window=8_000)
        chat = OpenAIChatModel(variant, usage_recorder=usage_recorder)
        notes = await extract_with_model(chat, messages, call=CALL)
        await chat.close()
        return [note.content for note in notes or ()]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("answer", "is_whole"), [("It lives in Rome.", True), ("blah blah " * 50_000, False)]
)
def test_invalid_answer_is_sent_back_truncated(
    model: ScriptedModel, answer: str, is_whole: bool
) -> None:
    model.answers(answer, '{"memories": []}')
    assert ask_about(model, SAID) == []
    first, second = model.requests
    sent_back = second.body["messages"][-2]
    assert sent_back["role"] == "assistant"
    assert (sent_back["content"] == answer) == is_whole
    assert tokens.count(sent_back["content"]) <= first.body["max_tokens"]


def test_memory_from_a_long_chat_is_grounded(model: ScriptedModel) -> None:
    much = " ".join(f"Extraordinarily{n} complicated{n} arrangements{n}." for n in range(160))
    text = f"{much} My dog eats raw fish. {much}"
    note = {"memory_type": "fact", "content": "Dog eats raw fish", "category": "pets",
            "subject": "dog", "attribute": None, "confidence": 0.9, "source": 1}  # fmt: skip
    model.answers(json.dumps({"memories": [note]}))
    assert ask_about(model, said(user(text))) == [note["content"]]
