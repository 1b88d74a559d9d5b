"""Shutdown during requests: started answers are finished, and nothing else delays it."""

import asyncio
from pathlib import Path

import pytest

from recollect import MessageIn, Recollect, Settings
from recollect.core.errors import Stopping
from tests.scripted_model import Answer, Body, ScriptedModel, stalls

pytestmark = [pytest.mark.timeout(60), pytest.mark.torture]

_LONG = 600.0


def _settings(folder: Path, model: ScriptedModel, *, eager_seconds: int = 10) -> Settings:
    return Settings(
        database_url=f"sqlite:///{folder}/recollect.db",
        chat_model="scripted",
        openai_base_url=model.url,
        embedder="none",
        eager_seconds=eager_seconds,
    )


def test_question_in_progress_is_answered(tmp_path: Path) -> None:
    """The answer starts after the shutdown began."""

    async def stop(settings: Settings) -> None:
        async with Recollect.open(settings=settings) as memory:
            asking = [
                asyncio.create_task(memory.chat.ask("Yes?", user_id="alice")) for _ in range(5)
            ]
            await asyncio.sleep(0)  # all requests are sent, none is stored yet
            await memory.drain(_LONG)
            for asked in asking:
                answered = await (await asked).result()
                assert (answered.message.status, answered.message.content) == ("complete", "Yes!")
            with pytest.raises(Stopping):
                await memory.chat.ask("And this?", user_id="alice")

    with ScriptedModel() as model:
        model.always = "Yes!"
        asyncio.run(stop(_settings(tmp_path, model)))


def test_inline_digest_does_not_delay_shutdown(tmp_path: Path) -> None:
    """Its digest job is pending already."""

    def reply(body: Body) -> str | Answer:
        return "Yes!" if body.get("stream") else stalls()

    async def stop(settings: Settings, model: ScriptedModel) -> None:
        async with Recollect.open(settings=settings) as memory:
            said = [MessageIn(role="user", content=f"Message {n}") for n in range(29)]
            chat = await memory.conversations.create_conversation(
                user_id="alice", policy="window", messages=said
            )
            asked = await memory.chat.ask("Yes?", user_id="alice", conversation_id=chat.id)
            assert (await asked.result()).message.status == "complete"
            await asyncio.to_thread(model.wait_for_requests, 2)  # the second call is the digest
            await memory.drain(0)
            await asyncio.to_thread(model.wait_for_hangup)
            assert [job.kind for job in await memory.jobs.list_jobs(user_id="alice")].count(
                "digest"
            ) == 1
            summary = await memory.summaries.get_summary(conversation_id=chat.id, user_id="alice")
            assert summary.version == 0

    with ScriptedModel() as model:
        model.always = reply
        asyncio.run(stop(_settings(tmp_path, model, eager_seconds=600), model))


def test_reader_of_other_servers_answer_is_disconnected(tmp_path: Path) -> None:
    async def stop(settings: Settings) -> None:
        async with Recollect.open(settings=settings) as writing:
            asked = await writing.chat.ask("Are you there?", user_id="alice")
            async with Recollect.open(settings=settings) as reading:
                found = await reading.chat.find(asked.message_id, user_id="alice")
                assert found is not None
                answer = asyncio.create_task(reading.chat.read(found, user_id="alice").result())
                await reading.drain(_LONG)
                with pytest.raises(Stopping):
                    await answer
            found = await writing.chat.find(asked.message_id, user_id="alice")
            assert found is not None
            assert found.status == "streaming"

    with ScriptedModel() as model:
        model.always = stalls("Not any more")
        asyncio.run(stop(_settings(tmp_path, model)))
