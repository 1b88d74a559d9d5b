"""What is known about the user, as far as it goes into a context.

What is pinned always does. Of the rest, up to so many as the policy says: what is nearest to the
current message first, then what was said, confirmed or changed last. Where there are no more than
that, all of it does, and nothing is searched.

Showing a memory counts as an access. That is counted here and written later, in one go: a read
must not wait for a write.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from recollect.core.errors import RecollectError
from recollect.core.memory_types import Memory
from recollect.recall.context.budget import ContextMemory
from recollect.recall.search.ranking import Weights, blend, meets_relevance_floor
from recollect.recall.search.retriever import Retriever, Scores, SearchService
from recollect.store import memories
from recollect.store.database import Database, Run

logger = logging.getLogger(__name__)

USUALLY_SHOWN = 10
_NEAREST_SHARE = 0.6
"""Of what is shown: as many go to what is nearest to the message, however far that is."""


@dataclass(frozen=True, slots=True)
class UserMemories:
    """What is pinned, and the newest of the rest: one more than are shown, where there are."""

    pinned: Sequence[Memory]
    newest: Sequence[Memory]

    @classmethod
    def read(cls, run: Run, *, most: int) -> "UserMemories":
        """In two queries, however much is known."""
        if not most:
            return cls((), ())
        return cls(memories.pinned(run), memories.recent(run, limit=most + 1))

    def shows_all(self, most: int) -> bool:
        return len(self.newest) <= most

    def choose(self, most: int, relevant: Sequence[Memory] = ()) -> list[ContextMemory]:
        relevant_memories = {memory.id: memory for memory in relevant if not memory.is_pinned}
        newest = {memory.id: memory for memory in self.newest}
        chosen = [*{**relevant_memories, **newest}.values()][:most]
        return [
            ContextMemory(memory.id, memory.content, is_pinned=True) for memory in self.pinned
        ] + [
            ContextMemory(memory.id, memory.content, is_relevant=memory.id in relevant_memories)
            for memory in chosen
        ]


def relevant_memories(run: Run, scores: Scores, *, weights: Weights, most: int) -> list[Memory]:
    """Of what a search for the message found, the best: all that have to do with it, and some of
    the others. A diet has little in common with a question for a recipe, but more than the rest."""
    scores = blend(scores.lexical, scores.similarity, weight=weights.lexical)
    near = {
        id
        for id in scores
        if meets_relevance_floor(scores.lexical.get(id, 0.0), scores.similarity.get(id))
    }
    ranked = sorted(scores, key=lambda id: (id in near, round(scores[id], 3), id), reverse=True)
    best = ranked[: max(min(len(near), 2 * most), round(most * _NEAREST_SHARE))]
    by_id = {memory.id: memory for memory in memories.current(run, best)}
    return [by_id[id] for id in best if id in by_id]


@dataclass(slots=True)
class AccessCounter:
    """How often each memory has been shown since this was last written down."""

    _shown: dict[tuple[str, str], tuple[int, datetime]] = field(default_factory=dict)

    def note(self, user_id: str, memory_ids: Iterable[str], *, at: datetime) -> None:
        for id in memory_ids:
            count, _ = self._shown.get((user_id, id), (0, at))
            self._shown[user_id, id] = count + 1, at

    async def write(self, database: Database) -> None:
        """What cannot be written now is written the next time."""
        shown, self._shown = self._shown, {}
        by_user: dict[str, dict[str, tuple[int, datetime]]] = {}
        for (user_id, id), times in shown.items():
            by_user.setdefault(user_id, {})[id] = times
        while by_user:
            user_id, counts = by_user.popitem()
            try:
                await database.write(partial(_touch, counts=counts), user_id=user_id)
            except RecollectError as error:
                logger.warning("accesses_not_written", extra={"reason": error.unquoted})
                self._put_back(user_id, counts)

    def _put_back(self, user_id: str, counts: Mapping[str, tuple[int, datetime]]) -> None:
        for id, (count, at) in counts.items():
            more, later = self._shown.get((user_id, id), (0, at))
            self._shown[user_id, id] = count + more, max(at, later)


def _touch(run: Run, counts: Mapping[str, tuple[int, datetime]]) -> None:
    for id, (count, at) in sorted(counts.items()):
        memories.record_access(run, id, count=count, at=at)


class MemorySelector(SearchService):
    """Choosing for those who build their prompts themselves."""

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
        knowledge = await self._read(partial(UserMemories.read, most=USUALLY_SHOWN), user_id)
        relevant: list[Memory] = []
        if message and message.strip() and not knowledge.shows_all(USUALLY_SHOWN):
            found = await self._retriever.find_memories(message, user_id)
            relevant = await self._read(
                lambda run: relevant_memories(
                    run, found, weights=self._weights, most=USUALLY_SHOWN
                ),
                user_id,
            )
        by_id = {one.id: one for one in (*knowledge.pinned, *knowledge.newest, *relevant)}
        chosen = [by_id[known.id] for known in knowledge.choose(USUALLY_SHOWN, relevant)]
        self._accesses.note(user_id, [one.id for one in chosen], at=self._clock())
        return chosen
