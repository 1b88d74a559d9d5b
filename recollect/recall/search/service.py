"""Search messages, conversations and memories, by words and by meaning."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never, get_args

from recollect.core.errors import InvalidInput, TooLarge
from recollect.core.types import Role
from recollect.core.validation import check_choice, check_text, utc_moment
from recollect.recall.search.conversation_ranking import rank_conversations, read_matches
from recollect.recall.search.retriever import SearchQuery, SearchService, find_memories
from recollect.store import memories, messages
from recollect.store.database import Run
from recollect.store.search_index import INDEXED_ROLES, Filters, Scope

SearchKind = Literal["messages", "conversations", "memories"]

_KINDS: tuple[str, ...] = get_args(SearchKind)
_MAX_QUERY_CHARS = 100_000
_MAX_HITS = 200
_TOPIC_SHARE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A result. For a conversation, `text` is its best message, numbered `seq`, or its topic.
    Scores are comparable within one search."""

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
        """Return the best hits first, said from `after` on and before `before`."""
        check_query(query)
        check_choice(kind, "kind", _KINDS)
        if role is not None:
            check_choice(role, "role", INDEXED_ROLES)
        if not isinstance(limit, int) or not 1 <= limit <= _MAX_HITS:
            message = f"limit must be between 1 and {_MAX_HITS} (got {limit!r})."
            raise InvalidInput(message, field="limit")
        times = {"after": after, "before": before}
        if conversation_id is not None:
            conversation_id = await self._conversation_id(conversation_id, user_id)
        filters = Filters(
            conversation_id=conversation_id,
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
        results = await self._retriever.find(query, user_id, weights=self._weights, filters=filters)
        best = results.ranked[:limit]
        texts = dict(results.texts)
        if unread := [c.message_id for c in best if c.message_id not in texts]:
            texts |= await self._read(lambda run: messages.texts(run, unread), user_id)
        return [
            SearchHit(
                kind="messages",
                id=c.message_id,
                conversation_id=c.conversation_id,
                seq=c.seq,
                text=texts[c.message_id],
                score=c.score,
                created_at=c.created_at,
            )
            for c in best
            if c.message_id in texts
        ]

    async def _conversations(
        self, user_id: str, query: str, filters: Filters, limit: int
    ) -> list[SearchHit]:
        has_topics = filters.role is None and filters.after is None and filters.before is None
        results = await self._retriever.find(
            query, user_id, weights=self._weights, filters=filters, topics=has_topics
        )
        topics = results.topic_scores.blended(self._weights)
        best = rank_conversations(results, topics, topic_share=_TOPIC_SHARE)[:limit]
        matches = await self._read(lambda run: read_matches(run, best), user_id)
        return [
            SearchHit(
                kind="conversations",
                id=match.conversation.id,
                conversation_id=match.conversation.id,
                seq=match.best.seq if match.best else None,
                text=match.passage,
                score=match.score,
                created_at=match.conversation.created_at,
            )
            for match in matches
        ]

    async def _memories(
        self, user_id: str, query: str, filters: Filters, limit: int
    ) -> list[SearchHit]:
        def search(run: Run, query: SearchQuery, scope: Scope) -> list[SearchHit]:
            blended = find_memories(run, query, filters).blended(self._weights)
            return [
                SearchHit(
                    kind="memories",
                    id=memory.id,
                    conversation_id=memory.source_conversation_id,
                    seq=None,
                    text=memory.content,
                    score=blended[memory.id],
                    created_at=memory.created_at,
                )
                for memory in memories.current(run, [*blended])
            ]

        hits = await self._retriever.search_snapshot(
            query, user_id, search, conversation_id=filters.conversation_id
        )
        hits.sort(key=lambda hit: (round(hit.score, 3), hit.created_at, hit.id), reverse=True)
        return hits[:limit]


def check_query(query: str, field: str = "q") -> None:
    check_text(query, field)
    if not query.strip():
        raise InvalidInput(f"{field} is empty.", field=field)
    if len(query) > _MAX_QUERY_CHARS:
        raise TooLarge(f"{field} may have at most {_MAX_QUERY_CHARS:,} characters.", field=field)
