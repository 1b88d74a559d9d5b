"""Select the user's memories for a context.

Pinned memories are always shown. The others fill up to a limit: those relevant to the current
message first, then the newest. If all fit within the limit, nothing is searched.

Showing a memory counts as an access. Accesses are counted in process and written later, because a
read must not wait for a write.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Self

from recollect.core.errors import RecollectError
from recollect.core.memory_types import Memory
from recollect.recall.context.types import ContextMemory
from recollect.recall.search.ranking import Weights, meets_relevance_floor
from recollect.recall.search.retriever import Retriever, Scores, SearchService
from recollect.store import memories
from recollect.store.database import Database, Run

logger = logging.getLogger(__name__)

DEFAULT_LIMIT = 10
_NEAREST_SHARE = 0.6
"""Of the limit: the nearest memories that are shown even below the floor of relevance."""


@dataclass(frozen=True, slots=True)
class UserMemories:
    """Pinned memories, and the newest of the others: up to one more than the limit."""

    pinned: Sequence[Memory]
    newest: Sequence[Memory]

    @classmethod
    def read(cls, run: Run, *, limit: int) -> Self:
        if not limit:
            return cls((), ())
        return cls(memories.pinned(run), memories.recent(run, limit=limit + 1))

    def fit(self, limit: int) -> bool:
        return len(self.newest) <= limit

    def choose_relevant(self, scores: Scores, limit: int, run: Run) -> list[ContextMemory]:
        return self.choose(limit, _relevant(run, scores, limit=limit))

    def choose(self, limit: int, relevant: Sequence[Memory] = ()) -> list[ContextMemory]:
        by_relevance = {memory.id: memory for memory in relevant if not memory.is_pinned}
        newest = {memory.id: memory for memory in self.newest}
        chosen = [*{**by_relevance, **newest}.values()][:limit]
        return [ContextMemory(m.id, m.content, is_pinned=True) for m in self.pinned] + [
            ContextMemory(
                m.id,
                m.content,
                is_relevant=m.id in by_relevance,
                created_at=m.created_at,
                source_message_id=m.source_message_id,
            )
            for m in chosen
        ]


def _relevant(run: Run, scores: Scores, *, limit: int) -> list[Memory]:
    """Return the memories above the floor of relevance, and the nearest of the others.

    A diet has little in common with the question for a recipe, but more than other memories have.
    """
    blended = scores.blended(Weights())
    near = {
        id
        for id in blended
        if meets_relevance_floor(scores.lexical.get(id, 0.0), scores.similarity.get(id))
    }
    ranked = sorted(blended, key=lambda id: (id in near, round(blended[id], 3), id), reverse=True)
    best = ranked[: max(min(len(near), 2 * limit), round(limit * _NEAREST_SHARE))]
    by_id = {memory.id: memory for memory in memories.current(run, best)}
    return [by_id[id] for id in best if id in by_id]


@dataclass(slots=True)
class AccessCounter:
    """Counts how often each memory was shown since the last flush."""

    _by_user: dict[str, dict[str, tuple[int, datetime]]] = field(default_factory=dict)

    def add(self, user_id: str, memory_ids: Iterable[str], *, at: datetime, count: int = 1) -> None:
        counts = self._by_user.setdefault(user_id, {})
        for id in memory_ids:
            counted, last = counts.get(id, (0, at))
            counts[id] = counted + count, max(at, last)

    async def flush(self, database: Database) -> None:
        """Write the counts. Those that cannot be written are kept for the next flush."""
        by_user, self._by_user = self._by_user, {}
        for user_id, counts in by_user.items():
            try:
                await database.write(partial(_record, counts=counts), user_id=user_id)
            except RecollectError as error:
                logger.warning("memory_access.flush_failed", extra={"reason": error.log_message})
                for id, (count, at) in counts.items():
                    self.add(user_id, [id], at=at, count=count)


def _record(run: Run, counts: Mapping[str, tuple[int, datetime]]) -> None:
    for id, (count, at) in sorted(counts.items()):
        memories.record_access(run, id, count=count, at=at)


class MemorySelector(SearchService):
    """Selects memories for callers that build their own prompts."""

    def __init__(
        self,
        database: Database,
        retriever: Retriever,
        *,
        accesses: AccessCounter,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, retriever, clock=clock)
        self._accesses = accesses

    async def choose(self, message: str | None, *, user_id: str) -> list[Memory]:
        limit = DEFAULT_LIMIT
        stored = await self._read(lambda run: UserMemories.read(run, limit=limit), user_id)
        relevant: list[Memory] = []
        if message and message.strip() and not stored.fit(limit):
            scores = await self._retriever.find_memories(message, user_id)
            relevant = await self._read(lambda run: _relevant(run, scores, limit=limit), user_id)
        by_id = {memory.id: memory for memory in (*stored.pinned, *stored.newest, *relevant)}
        chosen = [by_id[memory.id] for memory in stored.choose(limit, relevant)]
        self._accesses.add(user_id, [memory.id for memory in chosen], at=self._clock())
        return chosen
