"""Throughput of the embedding job compared with the embedder alone."""

import json
import time
from functools import partial
from pathlib import Path

import apsw

from bench.common.timing import Series, Slice
from recollect.core.types import MessageIn
from recollect.engine import Recollect, utc_now
from recollect.llm.local_embedder import LocalEmbedder
from recollect.llm.protocols import CallContext
from recollect.settings import Settings
from recollect.store import jobs

_DATA = Path(__file__).parents[1] / "data"
_ROUNDS = 3
_EACH = 90
_USER = "alice"


async def measure(folder: Path) -> tuple[Series, Series]:
    """Measure texts per second of the job and of the embedder, with the same texts."""
    path = folder / "indexing.db"
    settings = Settings(database_url=f"sqlite:///{path}")
    chats = await _record(settings)
    ours, baseline = Series(), Series()
    embedder, call = LocalEmbedder(), CallContext(purpose="embedding", user_id=_USER)
    await embedder.embed(["It has to be loaded first."], call=call)
    async with Recollect.open(settings=settings) as memory:
        for number, chat in enumerate(chats, 1):
            now = utc_now()
            enqueue = partial(jobs.enqueue, kind="embed", conversation_id=chat, run_at=now, now=now)
            await memory._database.write(enqueue, user_id=_USER)
            start = time.perf_counter()
            await memory.work()
            worked = time.perf_counter()
            texts = _texts(path, chat)
            begun = time.perf_counter()
            await embedder.embed(texts, call=call)
            elapsed = time.perf_counter() - begun
            ours.rounds[number] = Slice((0.0,) * len(texts), worked - start, ())
            baseline.rounds[number] = Slice((0.0,) * len(texts), elapsed, ())
    return ours, baseline


async def _record(settings: Settings) -> list[str]:
    """Record one conversation per round, with embedding as the only pending work."""
    messages = _messages()
    chats = []
    async with Recollect.open(settings=settings) as memory:
        for number in range(_ROUNDS):
            chat = await memory.conversations.create_conversation(user_id=_USER)
            part = messages[number * _EACH : (number + 1) * _EACH]
            await memory.conversations.add_messages(part, conversation_id=chat.id, user_id=_USER)
            chats.append(chat.id)
    connection = apsw.Connection(settings.database_url.removeprefix("sqlite:///"))
    connection.execute("delete from jobs")
    connection.close()
    return chats


def _messages() -> list[MessageIn]:
    """Return user messages of about 120 characters."""
    chats = json.loads((_DATA / "assistants.json").read_text(encoding="utf-8"))["sessions"]
    conversations = json.loads((_DATA / "switch.json").read_text(encoding="utf-8"))["conversations"]
    texts = [turn["text"] for chat in chats for turn in chat["turns"] if turn["role"] == "user"]
    texts += [asked for conversation in conversations for asked, *_ in conversation["turns"]]
    assert len(texts) >= _ROUNDS * _EACH
    return [MessageIn(role="user", content=text) for text in texts]


def _texts(path: Path, chat: str) -> list[str]:
    """Return the embedded texts."""
    connection = apsw.Connection(str(path))
    rows = connection.execute("select text from embeddings where conversation_id = ?", (chat,))
    texts = [str(text) for (text,) in rows]
    connection.close()
    return texts
