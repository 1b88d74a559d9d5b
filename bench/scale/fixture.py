"""One database along one axis: grows, is measured, and is restored."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from functools import partial
from typing import cast

from bench.context import long_summary
from bench.scale.axes import MEASURED, Axis
from bench.scale.bulk_insert import BulkWriter, bulk_writer_for, fill
from bench.scale.instruments import CountingDatabase, Embedders
from bench.scale.texts import DIMENSIONS, MODEL, Texts
from recollect.core.ids import new_id
from recollect.engine import Recollect, open_database, utc_now
from recollect.llm.registry import EmbedderRegistry as Registry
from recollect.recall.search.retriever import Retriever
from recollect.recall.search.service import Search
from recollect.settings import Settings
from recollect.store import summaries, vectors

TAIL = 8
"""Messages that no summary covers."""
FOLDED = 100
"""Messages that one digest summarizes."""

_COUNTERS = (
    "message_count", "token_count", "last_seq", "last_turn", "summary_version",
    "last_summary_version", "through_seq", "digested_turn", "digested_messages", "digested_tokens",
    "summary_tokens",
)  # fmt: skip
_APPENDED = "user_id = '{user}' and conversation_id = '{chat}' and seq > {last_seq}"


@dataclass(slots=True, kw_only=True)
class ScaleFixture:
    axis: Axis
    database: CountingDatabase
    memory: Recollect
    writer: BulkWriter
    texts: Texts
    search: Search
    by_words: Search
    chat: str = field(default_factory=new_id)
    size: int = 0
    filled: int = 0
    """Number of messages in the database."""
    max_vectors: int
    _counters: dict[str, int] = field(default_factory=dict)
    """Counters of the measured conversation at this size."""

    async def grow(self, size: int) -> None:
        parts = [*self.axis.growth(self.chat, self.size, size)]
        self.filled += sum(part.count for part in parts)
        if self.has_vectors:
            await self.database.drop_vectors(MODEL)  # rebuilding it is faster
        await asyncio.to_thread(fill, self.writer, parts, self.texts, with_vectors=self.has_vectors)
        if self.has_vectors:
            await self.database.prepare_vectors(MODEL, DIMENSIONS)
        await asyncio.to_thread(os.sync)  # otherwise commits wait for the bulk insert
        self.size = size
        through = self.messages - TAIL
        self._counters = self._read_counters()
        if through > self._counters["through_seq"]:
            new = long_summary(
                self.chat, version=self._counters["last_summary_version"] + 1, through_seq=through
            )
            await self.database.write(partial(summaries.insert, new=new), user_id=MEASURED)
            self._counters = self._read_counters()

    @property
    def messages(self) -> int:
        """Size of the measured conversation."""
        return self.axis.messages_measured(self.size)

    @property
    def has_vectors(self) -> bool:
        """Whether all messages have vectors."""
        return self.filled <= self.max_vectors

    @property
    def can_digest(self) -> bool:
        return self.messages >= TAIL + FOLDED

    def restore(self) -> None:
        """Undo all appends and digests since `grow`."""
        given = {"user": MEASURED, "chat": self.chat, **self._counters}
        appended = _APPENDED.format(**given)
        mine = f"user_id = '{MEASURED}' and conversation_id = '{self.chat}'"
        for statement in (
            f"delete from documents where user_id = '{MEASURED}' and kind = 'message'"
            f" and owner_id in (select id from messages where {appended})",
            f"delete from messages where {appended}",
            f"delete from summaries where {mine} and version > {self._counters['summary_version']}",
            "delete from jobs where state <> 'done' or kind = 'digest'",
            self._set(self._counters),
        ):
            self.writer.execute(statement)

    def uncover_last_messages(self) -> None:
        """Move the summary's end back, so that a digest has work to do."""
        self.restore()
        through = self._counters["through_seq"]
        covered = range(through - FOLDED + 1, through + 1)
        spent = sum(self.texts.message(seq).tokens for seq in covered)
        self.writer.execute(
            self._set(
                {
                    "through_seq": through - FOLDED,
                    "digested_turn": (through - FOLDED + 1) // 2,
                    "digested_messages": self._counters["digested_messages"] - FOLDED,
                    "digested_tokens": self._counters["digested_tokens"] - spent,
                }
            )
        )

    def _read_counters(self) -> dict[str, int]:
        (row,) = self.writer.execute(
            f"select {', '.join(_COUNTERS)} from conversations"
            f" where user_id = '{MEASURED}' and id = '{self.chat}'"
        )
        return dict(zip(_COUNTERS, row, strict=True))

    def _set(self, counters: dict[str, int]) -> str:
        values = ", ".join(f"{name} = {value}" for name, value in counters.items())
        return (
            f"update conversations set {values} where user_id = '{MEASURED}' and id = '{self.chat}'"
        )


@asynccontextmanager
async def open_fixture(
    url: str, axis: Axis, texts: Texts, *, max_vectors: int
) -> AsyncIterator[ScaleFixture]:
    """Open an empty database for one axis."""
    database = CountingDatabase(await open_database(url))
    settings = Settings(database_url=url)
    memory = await Recollect(settings=settings, database=database, worker=False)
    register = partial(vectors.register, model=MODEL, dimensions=DIMENSIONS, now=utc_now())
    await database.system(register)
    finders = [
        Retriever(database, cast(Registry, Embedders(texts, embeds=embeds)))
        for embeds in (True, False)
    ]
    memory.contexts._retriever = finders[0]
    try:
        with closing(bulk_writer_for(url)) as writer:
            yield ScaleFixture(
                axis=axis,
                database=database,
                memory=memory,
                writer=writer,
                texts=texts,
                search=Search(database, finders[0], clock=utc_now),
                by_words=Search(database, finders[1], clock=utc_now),
                max_vectors=max_vectors,
            )
    finally:
        await memory.close()
