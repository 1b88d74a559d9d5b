"""Fills every table of a database through the public interface."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from recollect import MemoryIn, MessageIn
from recollect.core.types import Role
from recollect.engine import open_database
from recollect.store import conversations, messages, search, usage, vectors
from recollect.store.database import Database, Run
from recollect.store.vectors import EmbeddedText, QueryVector
from recollect.sync import Recollect

USERS = ("alice", "Bøb 'o' \"q\" % _")
MODEL, DIMENSIONS = "embedder/one", 16
AT = datetime(2030, 1, 1, 12, 30, 15, 123456, tzinfo=UTC)
AT_TEXT = "2030-01-01T12:30:15.123456Z"


def fill(url: str, *users: str) -> None:
    for user in users:
        with Recollect.open(url) as memory:
            _live(memory, user)
        asyncio.run(_use_models(url, user))


def said(content: str, role: Role = "user") -> MessageIn:
    return MessageIn(role=role, content=content)


def vector(seed: int) -> list[float]:
    """Numbers that need the full precision of a float."""
    return [math.sin(seed * DIMENSIONS + index) / 3 for index in range(DIMENSIONS)]


def near(url: str, user: str, seed: int) -> dict[str, float]:
    """Return the messages with the nearest vectors."""

    def find(run: Run) -> dict[str, float]:
        query = QueryVector(MODEL, vector(seed))
        return search.nearest(run, "message", query, limit=5)

    async def ask() -> dict[str, float]:
        database = await open_database(url)
        try:
            return await database.read(find, user_id=user)
        finally:
            await database.close()

    return asyncio.run(ask())


def _live(memory: Recollect, user: str) -> None:
    key = memory.keys.create_key(user_id=user, is_admin=True)
    memory.keys.create_key(user_id=user)
    known = memory.keys.find_key(key)
    assert known is not None
    memory.keys.revoke_key(key_id=known.id)

    days = [
        message
        for day in range(14)
        for message in (
            said(f"What did we see in the harbour of Trieste on day {day}?"),
            said(f"A ship, number {day}.", "assistant"),
        )
    ]
    days[6] = replace(days[6], is_pinned=True)
    chat = memory.conversations.create_conversation(
        user_id=user,
        policy="rolling",
        messages=days,
        project_id="Ships & harbours",
        recall_scope="project",
        idempotency_key="once",
    )
    odd = MessageIn(
        role="assistant",
        content="Ça va 🛥️ 船が港に着いた, 'quoted' \\ \"twice\"",
        thinking="hm",
        tool_calls=[
            {
                "tool_name": "ships",
                "input": {"a": 1.0, "z": None, "b": "é\u2028"},
                "output": "A ship of the line. " * 200,
            }
        ],
        suggested_values=[1e-7, 12345678901234567890],
        suggested_actions=[{"label": "go"}],
        custom_payload={"b": 1, "a": [True, False, None]},
        model_variant="deep",
        metadata={"speaker": "Ann", "  ": ""},
        event_at=datetime(1, 2, 3, 4, 5, 6, 7, tzinfo=UTC),
    )
    answer = memory.conversations.add_message(odd, conversation_id=chat.id, user_id=user)
    memory.history.add_turn(user_id=user, user_query="Which ship?", ai_response="The blue one.")
    memory.work()
    memory.conversations.update_conversation(
        {"title": "Ships", "is_archived": True}, conversation_id=chat.id, user_id=user
    )
    memory.summaries.edit_summary(
        "They watch ships.", conversation_id=chat.id, user_id=user, version=1
    )
    memory.conversations.rate_message(
        message_id=answer.id, user_id=user, rating="down", note="Too short."
    )
    context = memory.contexts.build_context("And now?", conversation_id=chat.id, user_id=user)
    memory.contexts.store_receipt(context.receipt, message_id=answer.id, user_id=user)
    memory.conversations.fork_conversation(
        conversation_id=chat.id, user_id=user, at=5, title="Fork"
    )

    home = memory.conversations.create_conversation(
        user_id=user, messages=[said("I live in Lisbon.")]
    )
    memory.memories.extract_memories(conversation_id=home.id, user_id=user)
    new = MemoryIn(memory_type="preference", content="Likes tea.", confidence=0.1)
    tea = memory.memories.create_memory(new, user_id=user)
    memory.memories.update_memory({"content": "Likes green tea."}, memory_id=tea.id, user_id=user)
    gone = memory.memories.create_memory(
        MemoryIn(memory_type="fact", content="Has a cat."), user_id=user
    )
    memory.memories.delete_memory(memory_id=gone.id, user_id=user)
    memory.audit.record(user_id=user, actor="cli", action="read", operation="list")
    left = memory.conversations.create_conversation(
        user_id=user, messages=[said("Never mind.")], idempotency_key="left"
    )
    memory.conversations.delete_conversation(conversation_id=left.id, user_id=user)
    memory.memories.request_extraction(conversation_id=chat.id, user_id=user)


async def _use_models(url: str, user: str) -> None:
    database = await open_database(url)
    try:
        await _do(database, user)
    finally:
        await database.close()


async def _do(database: Database, user: str) -> None:
    register = partial(vectors.register, model=MODEL, dimensions=DIMENSIONS, now=AT)
    await database.system(register)
    await database.write(_embed, user_id=user)
    call: Callable[[Run], None] = partial(
        usage.insert_call,
        purpose="summary",
        conversation_id=None,
        message_id=None,
        model="m",
        variant=None,
        tokens_in=3,
        tokens_out=1,
        tokens_cached=2,
        estimated_in=2,
        duration_ms=12,
        error=None,
        now=AT,
    )
    await database.write(call, user_id=user)


def _embed(run: Run) -> None:
    (chat,) = conversations.page(run, archived=True, pattern="%", limit=1)
    found = messages.page(run, chat.id, order="asc", limit=100)
    embedded = [
        EmbeddedText(kind="message", owner_id=one.id, text=one.content, vector=vector(one.seq))
        for one in found
    ]
    vectors.put(run, MODEL, embedded, now=AT)
    vectors.set_progress(run, chat.id, MODEL, read_from=0, through_seq=found[-1].seq)
