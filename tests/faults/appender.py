"""A process that appends, and says what was acknowledged: to be killed, or to run beside others.

python -m tests.faults.appender URL RUN TASKS REQUESTS

Each task sends REQUESTS requests (0: until it is killed) of one to five messages to a few
conversations, some under an idempotency key, and some of those twice. A line goes to stdout when
the process starts, before each request under a key, and for each acknowledged message, after the
await returned. Every content says which request it came with and how many came with it, so that
the database alone shows whether a batch was torn.
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
    say({"starting": run})
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
            say({"key": key, "conversation_id": chat, "contents": contents})
            stored = await add(memory, chat, contents, key)
            if chosen.random() < 0.5:
                again = await add(memory, chat, contents, key)
                assert again == stored, f"{key} gave {again}, then {stored}"
            say({"done": key})
        for message in stored:
            say(
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


def say(line: dict[str, object]) -> None:
    """In one write, so that a kill does not tear it."""
    os.write(1, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
