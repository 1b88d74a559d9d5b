"""Find candidates for a query, by words (BM25) and by meaning (vectors).

Each of the two searches returns its best candidates, and scores those of the other one too. The
query is embedded before the database is read, by the embedder that this process last saw active.
If another one has become active since, the snapshot shows it, and the search is repeated: vectors
of two embedders are never compared. The best candidates are reranked outside the transaction.
Callers read more of the results later, and skip what has been deleted since.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from recollect.core.errors import NotFound
from recollect.core.types import parse_json
from recollect.core.validation import check_user_id
from recollect.language.analyzer import content_words, folded_words, names_and_numbers, query_terms
from recollect.llm.registry import EmbedderRegistry
from recollect.recall.search.ranking import WHOLE_TEXT_END, PassageCandidate, Weights, blend, rank
from recollect.store import conversations, messages, search_index, vectors
from recollect.store.database import Database, Run
from recollect.store.search_index import Filters, Kind, Scope
from recollect.store.service_base import ServiceBase

T = TypeVar("T")
SnapshotSearch = Callable[[Run, "SearchQuery", Scope], T]

NO_FILTERS = Filters()
MAX_CANDIDATES = 200
"""Of each of the two searches."""
_MAX_RERANKED = 50
_ASSUMED_MEMORIES = 1_000
"""Size of the corpus of memories for BM25, where only its order of magnitude matters."""
_MIN_COSINE = 0.05
"""Below this, a candidate without a common word is not returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery:
    """A query for both searches. Without a vector, the words alone decide."""

    text: str
    terms: Sequence[str]
    user_id: str
    vector: vectors.QueryVector | None = None
    is_late: bool = False
    """Whether the embedder did not answer in time."""


@dataclass(frozen=True, slots=True)
class Scores:
    """BM25 scores and cosines by id; candidates without a vector have no cosine."""

    lexical: Mapping[str, float]
    similarity: Mapping[str, float] = field(default_factory=dict)

    def blended(self, weights: Weights) -> dict[str, float]:
        return blend(self.lexical, self.similarity, weight=weights.lexical)


class SearchService(ServiceBase):
    """Base class of the services that search. `margin` is the lead that an unconfirmed match of
    `switch` needs."""

    def __init__(
        self,
        database: Database,
        retriever: "Retriever",
        *,
        clock: Callable[[], datetime],
        margin: float = 0.0,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(database, clock=clock)
        self._retriever = retriever
        self._margin = margin
        self._weights = weights or Weights()

    async def _conversation_id(self, id_or_key: str, user_id: str) -> str:
        """Return the id of a conversation, or raise NotFound."""
        return await self._read(lambda run: conversations.get(run, id_or_key).id, user_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """Messages, best first, with the texts of the best; topics by the id of their conversation."""

    query: SearchQuery
    ranked: Sequence[PassageCandidate]
    texts: Mapping[str, str]
    topic_scores: Scores
    memory_scores: Scores


class Retriever:
    def __init__(self, database: Database, embedders: EmbedderRegistry) -> None:
        self._database = database
        self._embedders = embedders

    async def find(
        self,
        text: str,
        user_id: str,
        *,
        weights: Weights,
        filters: Filters = NO_FILTERS,
        before_seq: int = messages.MAX_SEQ,
        topics: bool = False,
        memories: bool = False,
        across_languages: bool = False,
    ) -> SearchResults:
        """Search messages and, if wanted, topics and memories. `before_seq` is for searches in one
        conversation."""

        def search(run: Run, query: SearchQuery, scope: Scope) -> SearchResults:
            found = _find_messages(run, query, scope, filters)
            ranked = rank([c for c in found if c.seq < before_seq], text, weights=weights)
            return SearchResults(
                query=query,
                ranked=ranked,
                texts=messages.texts(run, [c.message_id for c in ranked[:_MAX_RERANKED]]),
                topic_scores=_score(run, "topic", query, filters, scope.conversations)
                if topics
                else Scores({}),
                memory_scores=find_memories(run, query) if memories else Scores({}),
            )

        results = await self.search_snapshot(
            text,
            user_id,
            search,
            conversation_id=filters.conversation_id,
            across_languages=across_languages,
        )
        ranked = results.ranked
        if results.query.vector is not None and weights.closeness:
            ranked = await self._rerank(text, ranked, results.texts, weights)
        if names := names_and_numbers(text):
            sharing = {
                id for id, said in results.texts.items() if not names.isdisjoint(folded_words(said))
            }
            ranked = [replace(c, shares_name=c.message_id in sharing) for c in ranked]
        return replace(results, ranked=ranked)

    async def find_memories(self, text: str, user_id: str) -> Scores:
        return await self.search_snapshot(
            text, user_id, lambda run, query, _: find_memories(run, query)
        )

    async def _rerank(
        self,
        text: str,
        candidates: Sequence[PassageCandidate],
        texts: Mapping[str, str],
        weights: Weights,
    ) -> list[PassageCandidate]:
        """Rank again by how close the best candidates come to each word of the query."""
        speakers = {candidate.message_id: candidate.speaker for candidate in candidates}
        spoken = [f"{speakers[id]}: {said}" if speakers[id] else said for id, said in texts.items()]
        closeness = await self._embedders.word_similarities(content_words(text), spoken)
        by_id = dict(zip(texts, closeness or (), strict=False))
        closer = [replace(c, closeness=by_id.get(c.message_id)) for c in candidates]
        return rank(closer, text, weights=weights)

    async def search_snapshot(
        self,
        text: str,
        user_id: str,
        search: SnapshotSearch[T],
        *,
        conversation_id: str | None = None,
        across_languages: bool = False,
    ) -> T:
        """Run `search` in one transaction, with a vector of the embedder that is active in it."""
        check_user_id(user_id)

        def read(run: Run) -> tuple[Scope, T | None]:
            scope = search_index.scope(run, conversation_id)
            if conversation_id is not None and not scope.conversations:
                raise NotFound("There is no such conversation.")
            if query.vector is not None and query.vector.model != scope.model:
                return scope, None
            return scope, search(run, query, scope)

        while True:
            query = await self._query(text, user_id, across_languages)
            scope, results = await self._database.read(read, user_id=user_id)
            is_current = self._embedders.set_active(scope.model, scope.dimensions)
            if results is not None and is_current:
                return results

    async def _query(self, text: str, user_id: str, across_languages: bool) -> SearchQuery:
        query = SearchQuery(text=text, terms=query_terms(text), user_id=user_id)
        if self._embedders.active is None:
            return query
        embedded = await self._embedders.embed_query(
            text, user_id=user_id, across_languages=across_languages
        )
        if embedded is None:
            return replace(query, is_late=True)
        model, embedding = embedded
        vector = vectors.QueryVector(model, embedding.vector, embedding.scale)
        return replace(query, vector=vector)


def find_memories(run: Run, query: SearchQuery, filters: Filters = NO_FILTERS) -> Scores:
    return _score(run, "memory", query, filters, _ASSUMED_MEMORIES)


def _find_messages(
    run: Run, query: SearchQuery, scope: Scope, filters: Filters
) -> list[PassageCandidate]:
    scores = _score(run, "message", query, filters, scope.messages)
    return [
        PassageCandidate(
            message_id=row["id"],
            part=0,
            start=0,
            end=WHOLE_TEXT_END,
            conversation_id=row["conversation_id"],
            seq=row["seq"],
            turn=row["turn"],
            role=row["role"],
            speaker=search_index.speaker_of(parse_json(row["metadata"])),
            said_at=datetime.fromisoformat(row["event_at"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            lexical=scores.lexical.get(row["id"], 0.0),
            similarity=scores.similarity.get(row["id"]),
        )
        for row in search_index.candidates(run, [*{**scores.lexical, **scores.similarity}])
    ]


def _score(run: Run, kind: Kind, query: SearchQuery, filters: Filters, corpus_size: int) -> Scores:
    """Score the best candidates of both searches by words and by meaning."""
    lexical = search_index.match(
        run,
        kind,
        query.terms,
        user_id=query.user_id,
        filters=filters,
        among=corpus_size,
        limit=MAX_CANDIDATES,
    )
    if query.vector is None:
        return Scores(lexical)
    nearest = vectors.nearest(run, kind, query.vector, filters=filters, limit=MAX_CANDIDATES)
    near = {id: cosine for id, cosine in nearest.items() if cosine >= _MIN_COSINE or id in lexical}
    missing = [id for id in lexical if id not in near]
    return Scores(lexical, near | vectors.similarities(run, kind, missing, query.vector))
