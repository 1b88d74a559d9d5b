"""A process with a file size limit that is lifted after the first failure.

    python -m tests.faults.disk_filler URL CONVERSATION BYTES

No file may exceed BYTES. Callers append concurrently until each gets an error; then the limit is
removed and each appends once more. It prints a line per result.
"""

import asyncio
import json
import os
import resource
import signal
import sys

from recollect import MessageIn, Recollect, RecollectError

_CALLERS = 8


async def main(url: str, chat: str, limit: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    async with Recollect.open(url) as memory:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        await asyncio.gather(*(fill(memory, chat, f"before {n}") for n in range(_CALLERS)))
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        await asyncio.gather(*(append(memory, chat, f"after {n}") for n in range(_CALLERS)))


async def fill(memory: Recollect, chat: str, caller: str) -> None:
    number = 0
    try:
        while True:
            await append(memory, chat, f"{caller}, {number}: {'x' * 2000}")
            number += 1
    except RecollectError as error:
        write_line({"error": type(error).__name__, "message": error.message})


async def append(memory: Recollect, chat: str, content: str) -> None:
    message = MessageIn(role="user", content=content)
    stored = await memory.conversations.add_message(message, conversation_id=chat, user_id="alice")
    write_line({"id": stored.id, "conversation_id": chat, "seq": stored.seq, "content": content})


def write_line(line: dict[str, object]) -> None:
    os.write(1, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
