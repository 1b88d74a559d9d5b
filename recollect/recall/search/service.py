"""Search: what was said, found by its words and by its meaning.

Messages are put in order by `rank`. A conversation is as good as its best messages, helped by what
it is about as a whole, and shows the best as its passage. Memories stand for themselves.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never, get_args

from recollect.core.errors import InvalidInput, NotFound, TooLarge
from recollect.core.ids import canonical_id
from recollect.core.types import Role
from recollect.core.validation import check_text, utc_moment
from recollect.recall.search.conversation_ranking import rank_conversations, read_matches
from recollect.recall.search.ranking import blend
from recollect.recall.search.retriever import Query, SearchService, find_memories
from recollect.store import memories, messages
from recollect.store.database import Run
from recollect.store.search_index import INDEXED_ROLES, Filters, Scope

SearchKind = Literal["messages", "conversations", "memories"]

_KINDS: tuple[str, ...] = get_args(SearchKind)
_LONGEST_QUERY = 100_000
_MOST_HITS = 200
_TOPIC = 0.1
"""What the topic counts in a conversation; its best messages count the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """Something found. `text` is what was said; of a conversation it is the best passage, and `seq`
    the message it is from, or None if that is the topic. Scores compare within one search."""

    kind: SearchKind
    id: str
    conversation_id: str | None
    seq: int | None
    text: str
    score: float
    created_at: datetime


class Search(SearchService):
    async def search(
        self,
        query: str,
        *,
        user_id: str,
        kind: SearchKind = "messages",
        conversation_id: str | None = None,
        role: Role | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 10,
    ) -> list[SearchHit]:
        """Best first. `after` and `before` bound when it was said; the former is included."""
        check_query(query)
        if kind not in _KINDS:
            raise InvalidInput(f"kind must be one of {', '.join(_KINDS)}.", field="kind")
        if role is not None and role not in INDEXED_ROLES:
            raise InvalidInput(f"role must be one of {', '.join(INDEXED_ROLES)}.", field="role")
        if not isinstance(limit, int) or not 1 <= limit <= _MOST_HITS:
            raise InvalidInput(f"limit must be between 1 and {_MOST_HITS}.", field="limit")
        times = {"after": after, "before": before}
        filters = Filters(
            conversation_id=_known_id(conversation_id),
            role=role,
            **{name: at and utc_moment(at, name) for name, at in times.items()},
        )
        match kind:
            case "messages":
                return await self._messages(user_id, query, filters, limit)
            case "conversations":
                return await self._conversations(user_id, query, filters, limit)
            case "memories":
                return await self._memories(user_id, query, filters, limit)
            case _:
                assert_never(kind)

    async def _messages(
        self, user_id: str, query: str, filters: Filters, limit: int
    ) -> list[SearchHit]:
        found = await self._retriever.find(query, user_id, weights=self._weights, filters=filters)
        best = [one.candidate for one in found.ranked[:limit]]
        unread = [one.id for one in best if one.id not in found.texts]
        said = dict(found.texts)
        if unread:
            said |= await self._read(lambda run: messages.texts(run, unread), user_id)
        return [
            SearchHit(
                kind="messages",
                id=one.candidate.id,
                conversation_id=one.candidate.conversation_id,
                seq=one.candidate.seq,
                text=said[one.candidate.id],
                score=one.score,
                created_at=one.candidate.created_at,
            )
            for one in found.ranked[:limit]
            if one.candidate.id in said
        ]

    async def _conversations(
        self, user_id: str, query: str, filters: Filters, limit: int
    ) -> list[SearchHit]:
        about = filters.role is None and filters.after is None and filters.before is None
        found = await self._retriever.find(
            query, user_id, weights=self._weights, filters=filters, topics=about
        )
        best = rank_conversations(found, topic=_TOPIC)[:limit]
        passages = await self._read(lambda run: read_matches(run, best), user_id)
        return [
            SearchHit(
                kind="conversations",
                id=one.conversation.id,
                conversation_id=one.conversation.id,
                seq=one.seq,
                text=one.text,
                score=one.score,
                created_at=one.conversation.created_at,
            )
            for one in passages
        ]

    async def _memories(
        self, user_id: str, query: str, filters: Filters, limit: int
    ) -> list[SearchHit]:
        def look(run: Run, question: Query, scope: Scope) -> list[SearchHit]:
            return self._look_for_memories(run, question, filters)

        hits, _ = await self._retriever.ask(
            query, user_id, look, conversation_id=filters.conversation_id
        )
        return hits[:limit]

    def _look_for_memories(self, run: Run, question: Query, filters: Filters) -> list[SearchHit]:
        found = find_memories(run, question, filters)
        scores = blend(found.lexical, found.similarity, weight=self._weights.lexical)
        hits = [
            SearchHit(
                kind="memories",
                id=known.id,
                conversation_id=known.source_conversation_id,
                seq=None,
                text=known.content,
                score=scores[known.id],
                created_at=known.created_at,
            )
            for known in memories.current(run, [*scores])
        ]
        return sorted(hits, key=lambda hit: (round(hit.score, 3), hit.created_at), reverse=True)


def check_query(query: str, field: str = "q") -> None:
    check_text(query, field)
    if not query.strip():
        raise InvalidInput(f"{field} is empty.", field=field)
    if len(query) > _LONGEST_QUERY:
        raise TooLarge(f"{field} may have at most {_LONGEST_QUERY:,} characters.", field=field)


def _known_id(conversation_id: str | None) -> str | None:
    if conversation_id is None:
        return None
    if id := canonical_id(conversation_id):
        return id
    raise NotFound("There is no such conversation.")
