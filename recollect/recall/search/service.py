"""Search messages, conversations and memories, by words and by meaning."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, assert_never, get_args

from recollect.core.errors import InvalidInput, TooLarge
from recollect.core.types import Role
from recollect.core.validation import check_choice, check_project_id, check_text, utc_moment
from recollect.recall.search.conversation_ranking import rank_conversations, read_matches
from recollect.recall.search.ranking import PassageCandidate
from recollect.recall.search.retriever import (
    SearchQuery,
    SearchService,
    find_memories,
    read_texts,
)
from recollect.store import memories, messages
from recollect.store.database import Run
from recollect.store.search import Scope
from recollect.store.search_index import INDEXED_ROLES, Filters

SearchKind = Literal["messages", "conversations", "memories"]

_KINDS: tuple[str, ...] = get_args(SearchKind)
_MAX_QUERY_CHARS = 100_000
_MAX_HITS = 200
_MAX_PASSAGES = 3
"""Of a message."""
_TOPIC_SHARE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A passage of a message that matches: `[start:end]` of its content, in characters. The outputs
    of tools follow the content."""

    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A result. `text` is a whole message or memory; for a conversation, its best passage, in the
    message `seq`, or its topic. Scores are comparable within one search."""

    kind: SearchKind
    id: str
    conversation_id: str | None
    seq: int | None
    text: str
    score: float
    created_at: datetime
    passages: tuple[PassageHit, ...] = ()
    """The passages of a message that match best, best first."""


class Search(SearchService):
    async def search(
        self,
        query: str,
        *,
        user_id: str,
        kind: SearchKind = "messages",
        conversation_id: str | None = None,
        project_id: str | None = None,
        role: Role | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 10,
    ) -> list[SearchHit]:
        """Return the best hits first, said from `after` on and before `before`. A message is found
        by its best passage. A memory counts as part of its source conversation."""
        check_query(query)
        check_choice(kind, "kind", _KINDS)
        if role is not None:
            check_choice(role, "role", INDEXED_ROLES)
        if not isinstance(limit, int) or not 1 <= limit <= _MAX_HITS:
            message = f"limit must be between 1 and {_MAX_HITS} (got {limit!r})."
            raise InvalidInput(message, field="limit")
        check_project_id(project_id)
        if conversation_id is not None:
            conversation_id = await self._conversation_id(conversation_id, user_id)
        filters = Filters(
            conversation_id=conversation_id,
            project_id=project_id,
            role=role,
            after=after and utc_moment(after, "after"),
            before=before and utc_moment(before, "before"),
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
        results = await self._retriever.find(
            query, user_id, weights=self._weights, filters=filters, hits=limit
        )
        found: dict[str, list[PassageCandidate]] = {}
        for c in results.ranked:
            if c.message_id in found or len(found) < limit:
                found.setdefault(c.message_id, []).append(c)
        best = [c for of_message in found.values() for c in of_message[:_MAX_PASSAGES]]

        def read(run: Run) -> list[SearchHit]:
            texts = {
                **results.texts,
                **read_texts(run, [c for c in best if c.key not in results.texts]),
            }
            contents = messages.texts(run, [*found])
            return [
                SearchHit(
                    kind="messages",
                    id=id,
                    conversation_id=of_message[0].conversation_id,
                    seq=of_message[0].seq,
                    text=contents[id],
                    score=of_message[0].score,
                    created_at=of_message[0].created_at,
                    passages=tuple(
                        _passage_hit(c, texts[c.key])
                        for c in of_message[:_MAX_PASSAGES]
                        if c.key in texts
                    ),
                )
                for id, of_message in found.items()
                if id in contents
            ]

        return await self._read(read, user_id)

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


def _passage_hit(candidate: PassageCandidate, text: str) -> PassageHit:
    start = candidate.start
    return PassageHit(start=start, end=start + len(text), text=text, score=candidate.score)


def check_query(query: str, field: str = "q") -> None:
    check_text(query, field)
    if not query.strip():
        raise InvalidInput(f"{field} is empty.", field=field)
    if len(query) > _MAX_QUERY_CHARS:
        raise TooLarge(f"{field} may have at most {_MAX_QUERY_CHARS:,} characters.", field=field)
