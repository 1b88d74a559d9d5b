"""Cost of listing, selecting and searching 10,000 memories, compared with 100 and with messages.

    python -m bench.memory_selection [--write docs/benchmarks.md]

One database of each kind. Texts and vectors are synthetic (`common.corpus`) and the same for the
memories and for as many messages. Query vectors are precomputed. Calls alternate.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from bench.common.corpus import Corpus, CorpusConversation, CorpusUser, EmbeddedQuestion
from bench.common.corpus_writer import fill
from bench.common.databases import postgres_server
from bench.common.report import machine, parse_target, publish, table, verdict
from bench.common.timing import Series, Slice, time_ratio
from recollect.core.ids import new_id
from recollect.core.memory_types import Memory, MemoryFilters
from recollect.engine import Recollect, utc_now
from recollect.llm.protocols import QueryEmbedding
from recollect.llm.registry import EmbedderRegistry
from recollect.recall.context.memory_selection import AccessCounter, MemorySelector
from recollect.recall.search.retriever import Retriever
from recollect.recall.search.service import Search
from recollect.settings import Settings
from recollect.store import memories, vectors
from recollect.store.database import Run

_MANY = CorpusUser("many", 20, 500)
_FEW = CorpusUser("few", 1, 100)
_ROUNDS = 40
_MAX_RATIO_TO_MESSAGES = 1.0


class _PreparedEmbedders:
    """Embedders with precomputed query vectors and without word similarities."""

    def __init__(self, active: tuple[str, int]) -> None:
        self.active = active
        self.known: dict[str, list[float]] = {}

    def set_active(self, model: str | None, dimensions: int | None) -> bool:
        return True

    async def embed_query(
        self, text: str, *, user_id: str, across_languages: bool
    ) -> tuple[str, QueryEmbedding]:
        return self.active[0], QueryEmbedding(self.known[text])

    async def word_similarities(self, words: Sequence[str], texts: Sequence[str]) -> None:
        return None


def main() -> None:
    target = parse_target(__doc__)
    with TemporaryDirectory() as folder:
        publish("memory-selection", asyncio.run(_measure(Path(folder))), target)


async def _measure(folder: Path) -> str:
    corpus = Corpus([_MANY, _FEW], seed=2026)
    results = {"SQLite": await _measure_database(f"sqlite:///{folder / 'ours.db'}", corpus)}
    with postgres_server(folder) as url:
        results["PostgreSQL"] = await _measure_database(url, corpus)
    return _text(results)


async def _measure_database(url: str, corpus: Corpus) -> dict[str, Series]:
    async with Recollect.open(settings=Settings(database_url=url)) as memory:
        await memory.work()
        active = memory._embedders.active
        assert active is not None, "The local embedder has to be installed: its name is needed."
        await asyncio.to_thread(fill, url, corpus, model=active[0])
        for user in corpus.users:
            await _add_memories(memory, corpus, user, active[0])
        return await _time_calls(memory, corpus, _PreparedEmbedders(active))


async def _add_memories(memory: Recollect, corpus: Corpus, user: CorpusUser, model: str) -> None:
    """Add one memory per message, with the same text and vector."""
    now = utc_now()
    for conversation in corpus.conversations:
        if conversation.user_id != user.id:
            continue

        store = partial(_store, conversation=conversation, model=model, now=now)
        await memory._database.write(store, user_id=user.id)


def _store(run: Run, conversation: CorpusConversation, model: str, now: datetime) -> None:
    for message, vector in zip(conversation.messages, conversation.vectors, strict=True):
        new = _memory(conversation.user_id, message.content)
        memories.insert(run, new, actor="user", message_id=None, now=now)
        embedded = vectors.EmbeddedText(
            kind="memory", owner_id=new.id, text=new.content, vector=vector.tolist()
        )
        vectors.put(run, model, [embedded], now=now)


def _memory(user_id: str, content: str) -> Memory:
    now = utc_now()
    return Memory(
        id=new_id(),
        user_id=user_id,
        memory_type="fact",
        category="made up",
        content=content,
        subject=None,
        attribute=None,
        author="user",
        source_conversation_id=None,
        source_message_id=None,
        created_at=now,
        updated_at=now,
        last_accessed_at=None,
        access_count=0,
        is_pinned=False,
        is_archived=False,
        confidence=1.0,
        valid_from=now,
        valid_to=None,
        confirmed_at=now,
        superseded_by=None,
    )


async def _time_calls(
    memory: Recollect, corpus: Corpus, prepared: _PreparedEmbedders
) -> dict[str, Series]:
    retriever = Retriever(memory._database, cast(EmbedderRegistry, prepared))
    search = Search(memory._database, retriever, clock=utc_now)
    selector = MemorySelector(memory._database, retriever, accesses=AccessCounter(), clock=utc_now)
    listed = memory.memories.get_memories
    filtered = MemoryFilters(category="made up", query="ba")

    def for_user(id: str, name: str) -> dict[str, Callable[[EmbeddedQuestion], Awaitable[object]]]:
        return {
            f"list {name}": lambda _: listed(user_id=id),
            f"filter {name}": lambda _: listed(filtered, user_id=id),
            f"choose {name}": lambda asked: selector.choose(asked.text, user_id=id),
            f"search {name}": lambda asked: search.search(asked.text, user_id=id, kind="memories"),
            f"messages {name}": lambda asked: search.search(asked.text, user_id=id),
        }

    calls = for_user(_MANY.id, "10,000") | for_user(_FEW.id, "100")
    series = {name: Series() for name in calls}
    for number, asked in enumerate(corpus.questions(_MANY.id, _ROUNDS)):
        prepared.known[asked.text] = asked.vector
        for name, ask in calls.items():
            start = time.perf_counter()
            await ask(asked)
            elapsed = time.perf_counter() - start
            series[name].rounds[number] = Slice((elapsed,), elapsed, ())
    return series


def _text(results: dict[str, dict[str, Series]]) -> str:
    rows = [
        [
            f"{label}: {what}",
            *(f"{series[f'{what} {n}'].p50 * 1000:.2f}" for n in ("10,000", "100")),
        ]
        for label, series in results.items()
        for what in ("list", "filter", "choose", "search")
    ]
    rows += [
        [f"{label}: search of 10,000 messages", f"{series['messages 10,000'].p50 * 1000:.2f}", ""]
        for label, series in results.items()
    ]
    ratios = {
        label: time_ratio(series["search 10,000"], series["messages 10,000"])
        for label, series in results.items()
    }
    found = ", ".join(f"{label} {ratio:.2f}" for label, ratio in ratios.items())
    aim = "searching 10,000 memories takes no longer than searching as many messages"
    return "\n\n".join(
        [
            table(["p50 in ms", "of 10,000 memories", "of 100"], rows),
            verdict(max(ratios.values()) <= _MAX_RATIO_TO_MESSAGES, aim, f"{found} times as long"),
            machine(),
        ]
    )


if __name__ == "__main__":
    main()
