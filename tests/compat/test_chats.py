"""`Chats` over an open engine, as in specification 000."""

import asyncio

import pytest

from recollect import MessageIn, Recollect, Settings, Unavailable
from recollect.compat.chats import Chats, ChatView

TURNS = [
    MessageIn(role="system", content="Be brief."),
    MessageIn(role="user", content="When is it warm in Lisbon?"),
    MessageIn(role="assistant", content="", tool_calls=[{"tool_name": "s", "output": "May"}]),
    MessageIn(role="assistant", content="From May on.", thinking="Hm."),
]


def test_a_chat_has_both_histories(database_url: str) -> None:
    async def view() -> ChatView:
        settings = Settings(database_url=database_url, embedder="none")
        async with Recollect.open(settings=settings) as memory:
            chat = await memory.conversations.create_conversation(
                "Lisbon", user_id="ada", policy="window", messages=TURNS
            )
            return await Chats(memory).get_chat(conversation_id=chat.id, user_id="ada")

    chat = asyncio.run(view())
    assert chat.title == "Lisbon"
    assert chat.full_history == chat.assistant_history
    assert [(turn["role"], turn["parts"]) for turn in chat.full_history] == [
        ("user", [{"text": "When is it warm in Lisbon?"}]),
        ("model", [{"text": "[Tool interaction]"}]),
        ("model", [{"text": "From May on."}]),
    ]
    assert chat.full_history[-1]["thinking"] == "Hm."


def test_search_needs_an_embedder(database_url: str) -> None:
    async def search() -> None:
        settings = Settings(database_url=database_url, embedder="none")
        async with Recollect.open(settings=settings) as memory:
            await Chats(memory).search_chats("the trip", user_id="ada")

    with pytest.raises(Unavailable):
        asyncio.run(search())
