"""A process that appends messages and prints what was acknowledged.

    python -m tests.faults.appender URL RUN TASKS REQUESTS

Each task sends REQUESTS requests (0: until killed) of one to five messages, half of them with an
idempotency key, some of those twice. It prints a line at the start, before each request with a key,
and for each acknowledged message. Every content names its request and batch size, so that
incomplete batches can be detected in the database.
"""

import asyncio
import json
import os
import random
import sys
from itertools import count

from recollect import Message, MessageIn, Recollect

USER = "alice"
CONVERSATIONS = 3


async def main(url: str, run: str, tasks: int, requests: int) -> None:
    write_line({"starting": run})
    async with Recollect.open(url) as memory:
        chats = [
            (
                await memory.conversations.create_conversation(
                    f"Chat {number}", user_id=USER, idempotency_key=f"chat {number}"
                )
            ).id
            for number in range(CONVERSATIONS)
        ]
        async with asyncio.TaskGroup() as group:
            for task in range(tasks):
                group.create_task(append(memory, chats, f"{run}/{task}", requests))


async def append(memory: Recollect, chats: list[str], task: str, requests: int) -> None:
    chosen = random.Random(task)
    for number in range(requests) if requests else count():
        size = chosen.choice([1, 1, 2, 3, 4, 5])
        contents = contents_of(f"{task}/{number}", size, chosen)
        chat = chosen.choice(chats)
        if chosen.random() < 0.5:
            stored = await add(memory, chat, contents, None)
        else:
            key = f"{task}/{number}"
            write_line({"key": key, "conversation_id": chat, "contents": contents})
            stored = await add(memory, chat, contents, key)
            if chosen.random() < 0.5:
                again = await add(memory, chat, contents, key)
                assert again == stored, f"{key} gave {again}, then {stored}"
            write_line({"done": key})
        for message in stored:
            write_line(
                {
                    "id": message.id,
                    "conversation_id": message.conversation_id,
                    "seq": message.seq,
                    "content": message.content,
                }
            )


async def add(memory: Recollect, chat: str, contents: list[str], key: str | None) -> list[Message]:
    messages = [MessageIn(role="user", content=content) for content in contents]
    return await memory.conversations.add_messages(
        messages, conversation_id=chat, user_id=USER, idempotency_key=key
    )


def contents_of(request: str, size: int, chosen: random.Random) -> list[str]:
    return [f"{request}|{index}|{size}|{'x' * chosen.randrange(800)}" for index in range(size)]


def write_line(line: dict[str, object]) -> None:
    """Print with a single write, so that a kill cannot split the line."""
    os.write(1, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
