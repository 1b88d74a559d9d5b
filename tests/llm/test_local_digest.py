"""A chat with the real local model, compacted in the background."""

import asyncio
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from recollect import MessageIn, Settings
from recollect.engine import Recollect
from recollect.llm.protocols import CallContext
from tests.scripted_model import Body, ScriptedModel

pytestmark = pytest.mark.xdist_group("local-model")

QUESTIONS = (
    "My name is Ada and I live in Turin. What is a good breakfast?",
    "I have 25 euros for lunch. What can I cook?",
    "Tell me one thing about lakes.",
    "Which colour goes with blue?",
    "How do I keep bread fresh?",
)


@pytest.mark.parametrize("turns", [4, pytest.param(40, marks=pytest.mark.torture)])
def test_chat_with_the_local_model_is_compacted_in_the_background(
    tmp_path: Path, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hanging compaction must not delay the next answer."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    digest_has_begun, answer_has_begun = Event(), Event()

    def slow_summary(body: Body) -> str:
        if "=== NEW_TURNS ===" in body["messages"][-1]["content"]:
            digest_has_begun.set()
            assert answer_has_begun.wait(100)
        return "Ada of Turin asked about food and other things."

    async def chat(memory: Recollect, id: str, question: str) -> None:
        await memory.conversations.add_message(
            MessageIn(role="user", content=question), conversation_id=id, user_id="ada"
        )
        context = await memory.contexts.build_context(
            conversation_id=id, user_id="ada", model="local"
        )
        assert context.messages is not None
        assert context.receipt.memory_tokens <= 1_000
        text = ""
        call = CallContext(purpose="chat", user_id="ada", conversation_id=id)
        async for delta in memory.models.get("local").stream(
            context.messages, call=call, max_tokens=24
        ):
            text += delta.text
            if text and digest_has_begun.is_set():
                answer_has_begun.set()
        assert text.strip()
        await memory.conversations.add_message(
            MessageIn(role="assistant", content=text, model_variant="local"),
            conversation_id=id,
            user_id="ada",
        )

    async def main(scripted: ScriptedModel) -> None:
        settings = replace(
            Settings.from_environment(
                {"DATABASE_URL": f"sqlite:///{tmp_path}/chat.db", "RECOLLECT_EMBEDDER": "none"}
            ),
            chat_model="scripted",
            openai_base_url=scripted.url,
            openai_api_key="test",
            memory_k_raw_turns=1,
            memory_chunk_summarize_threshold=60,
        )
        async with Recollect.open(settings=settings) as memory:
            await memory.start_worker()
            id = (await memory.conversations.create_conversation("Breakfast", user_id="ada")).id
            for turn in range(turns):
                await chat(memory, id, QUESTIONS[turn % len(QUESTIONS)])
                if turn == turns - 2:
                    assert await asyncio.to_thread(digest_has_begun.wait, 100)
            assert answer_has_begun.is_set()
            await _until_digested(memory, id)
            summary = await memory.summaries.get_summary(conversation_id=id, user_id="ada")
            failed = await memory.jobs.list_jobs(user_id="ada", state="failed")
            messages = await memory.conversations.get_messages(
                200, conversation_id=id, user_id="ada"
            )
        assert summary.author == "model"
        assert not list(failed)
        assert [message.seq for message in messages] == list(range(1, 2 * turns + 1))

    with ScriptedModel() as scripted:
        scripted.always = slow_summary
        asyncio.run(main(scripted))


async def _until_digested(memory: Recollect, id: str) -> None:
    async with asyncio.timeout(60):
        while not (await memory.summaries.get_summary(conversation_id=id, user_id="ada")).version:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
