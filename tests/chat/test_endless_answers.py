"""Models that never end, and event loops that are busy: answers end all the same."""

import asyncio
import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from recollect import Recollect, Settings
from recollect.core.types import utc_text
from recollect.llm.protocols import Delta, Reply
from recollect.sync import Recollect as BlockingRecollect
from tests.conftest import Open
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel, endless_arguments, stalls


def test_endless_tool_arguments_end_the_answer(open_with_model: Open, model: ScriptedModel) -> None:
    memory = open_with_model()
    model.answers(endless_arguments())
    answer = memory.chat.ask("Search.", user_id="alice").result().message
    assert (answer.status, answer.tool_calls) == ("error", None)
    assert "1,000,000 characters of arguments" in answer.metadata["error"]
    model.wait_for_hangup()


def test_answer_has_a_time_limit(open_with_model: Open, model: ScriptedModel) -> None:
    """Its text is kept."""
    memory = open_with_model(answer_seconds=1)
    model.answers(stalls("It begins "))
    answer = memory.chat.ask("Write.", user_id="alice").result().message
    assert (answer.status, answer.content) == ("error", "It begins ")
    assert answer.metadata["error"] == "It took over 1 seconds."
    model.wait_for_hangup()


class StubbornModel:
    """Goes on after it was cancelled."""

    model = "stubborn"
    window = 10_000

    async def complete(self, *_: Any, **__: Any) -> Reply:
        return Reply(text="")

    async def stream(self, *_: Any, **__: Any) -> AsyncGenerator[Delta, None]:
        yield Delta(text="No. ")
        try:
            await asyncio.sleep(3_600)
        except asyncio.CancelledError:
            while True:
                await asyncio.sleep(0.01)
                yield Delta(text="Never. ")


def test_stop_does_not_wait_for_the_model(database_url: str) -> None:
    with BlockingRecollect.open(database_url, chat_model=StubbornModel()) as memory:
        stream = memory.chat.ask("Stop!", user_id="alice")
        next(event for event in stream if getattr(event, "text", ""))
        stopped = memory.chat.stop(stream.message_id, user_id="alice")
        assert stopped
        assert (stopped.status, stopped.content) == ("interrupted", "No. ")
        again = memory.conversations.get_message(message_id=stream.message_id, user_id="alice")
        assert again.content == "No. "


@pytest.mark.both_databases
def test_busy_loop_does_not_miss_heartbeats(database_url: str, model: ScriptedModel) -> None:
    """Another server would mark the answer as interrupted."""
    settings = Settings(
        database_url=database_url,
        chat_model="scripted",
        openai_base_url=model.url,
        embedder="none",
        extraction="manual",
    )
    model.always = stalls("It begins ")
    raw = RawDatabase(database_url)

    async def ask() -> tuple[object, object]:
        async with Recollect.open(settings=settings) as memory:
            stream = await memory.chat.ask("Write.", user_id="alice")
            async for event in stream:
                if getattr(event, "text", ""):
                    break
            before = after = heartbeat(stream.message_id)
            deadline = time.monotonic() + 20
            while after == before and time.monotonic() < deadline:
                time.sleep(0.05)  # noqa: ASYNC251  this blocks the loop
                after = heartbeat(stream.message_id)
            return before, after

    def heartbeat(id: str) -> object:
        ((at,),) = raw.execute("select heartbeat_at from messages where id = :id", id=id)
        return at if isinstance(at, str) else utc_text(at)

    before, after = asyncio.run(ask())
    assert before != after
