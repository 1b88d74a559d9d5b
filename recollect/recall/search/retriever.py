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
from recollect.core.types import Row, parse_json
from recollect.core.validation import check_user_id
from recollect.language.analyzer import content_words, folded_words, names_and_numbers, query_terms
from recollect.language.normalize import fold
from recollect.llm.registry import EmbedderRegistry
from recollect.recall.search.ranking import PassageCandidate, Weights, blend, order, rank
from recollect.store import conversations, messages, search, vectors
from recollect.store.database import Database, Run
from recollect.store.search import NO_FILTERS, Scope
from recollect.store.search_index import Filters, Kind, speaker_of
from recollect.store.service_base import ServiceBase

T = TypeVar("T")
SnapshotSearch = Callable[[Run, "SearchQuery", Scope], T]

MAX_CANDIDATES = 300
"""Topics or memories of each of the two searches."""
_MAX_PASSAGES = 150
"""Passages of each of the two searches: by the user, and as many by others."""
_MAX_TEXTS, _MAX_TEXTS_ELSEWHERE = 160, 24
"""The best passages, which are read."""
_MAX_RERANKED = 64
"""The best of them, which are reranked."""
_ASSUMED_MEMORIES, _ASSUMED_ELSEWHERE = 1_000, 10_000
"""Sizes of corpora for BM25, where only the order of magnitude matters."""
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
    """Passages, best first, with the texts of the best; topics by the id of their conversation."""

    query: SearchQuery
    ranked: Sequence[PassageCandidate]
    elsewhere: Sequence[PassageCandidate] = ()
    """Passages of the second filter. Their scores are comparable with those of the first."""
    texts: Mapping[tuple[str, int], str]
    """By message and part."""
    titles: Mapping[str, str | None] = field(default_factory=dict)
    """Of the conversations of the best passages elsewhere."""
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
        elsewhere: Filters | None = None,
        before_seq: int = messages.MAX_SEQ,
        topics: bool = False,
        memories: bool = False,
        across_languages: bool = False,
        hits: int = 0,
    ) -> SearchResults:
        """Search messages and, if wanted, messages elsewhere, topics and memories. `before_seq` is
        for searches in one conversation, `hits` the number of messages that are wanted. The number
        of queries does not depend on the results."""
        limit = max(_MAX_PASSAGES, 2 * hits)

        def find(run: Run, query: SearchQuery, scope: Scope) -> SearchResults:
            found = _find_passages(run, query, filters, among=scope.messages, limit=limit)
            near = [c for c in found if c.seq < before_seq]
            other = (
                _find_passages(run, query, elsewhere, among=_ASSUMED_ELSEWHERE, limit=limit)
                if elsewhere
                else []
            )
            # both together, so that their scores are comparable
            ordered = order([*near, *other], text, weights=weights)
            ranked, far = _split(ordered, other)
            best_far = far[:_MAX_TEXTS_ELSEWHERE]
            return SearchResults(
                query=query,
                ranked=ranked,
                elsewhere=far,
                texts=read_texts(run, [*ranked[:_MAX_TEXTS], *best_far]),
                titles=search.titles(run, [*dict.fromkeys(c.conversation_id for c in best_far)]),
                topic_scores=_score(run, "topic", query, filters, scope.conversations)
                if topics
                else Scores({}),
                memory_scores=find_memories(run, query) if memories else Scores({}),
            )

        results = await self.search_snapshot(
            text,
            user_id,
            find,
            conversation_id=filters.conversation_id,
            across_languages=across_languages,
        )
        return await self._rerank(text, results, weights)

    async def find_memories(self, text: str, user_id: str) -> Scores:
        return await self.search_snapshot(
            text, user_id, lambda run, query, _: find_memories(run, query)
        )

    async def _rerank(self, text: str, results: SearchResults, weights: Weights) -> SearchResults:
        """Rank again by how close the best passages come to each word of the query, and mark those
        that share a name with it."""
        texts, both = results.texts, [*results.ranked, *results.elsewhere]
        best = [*results.ranked[:_MAX_RERANKED], *results.elsewhere]
        read = [c for c in best if c.key in texts]
        closeness: Sequence[float | None] | None = None
        if results.query.vector is not None and weights.closeness:
            spoken = [f"{c.speaker}: {texts[c.key]}" if c.speaker else texts[c.key] for c in read]
            closeness = await self._embedders.word_similarities(content_words(text), spoken)
        names = names_and_numbers(text)
        for candidate, close in zip(read, closeness or [None] * len(read), strict=True):
            candidate.closeness = close
            candidate.shares_name = bool(names) and _has_any(names, texts[candidate.key])
        ordered = rank(both, text, weights=weights)
        ranked, elsewhere = _split(ordered, results.elsewhere)
        return replace(results, ranked=ranked, elsewhere=elsewhere)

    async def search_snapshot(
        self,
        text: str,
        user_id: str,
        find: SnapshotSearch[T],
        *,
        conversation_id: str | None = None,
        across_languages: bool = False,
    ) -> T:
        """Run `find` in one transaction, with a vector of the embedder that is active in it."""
        check_user_id(user_id)

        def read(run: Run) -> tuple[Scope, T | None]:
            scope = search.scope(run, conversation_id)
            if conversation_id is not None and not scope.conversations:
                raise NotFound("There is no such conversation.")
            if query.vector is not None and query.vector.model != scope.model:
                return scope, None
            return scope, find(run, query, scope)

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


def read_texts(run: Run, candidates: Sequence[PassageCandidate]) -> dict[tuple[str, int], str]:
    """Return the texts of passages by message and part."""
    whole = search.texts(run, [*dict.fromkeys(c.message_id for c in candidates)])
    return {
        c.key: whole[c.message_id][c.start : c.end] for c in candidates if c.message_id in whole
    }


def _find_passages(
    run: Run, query: SearchQuery, filters: Filters, *, among: int, limit: int
) -> list[PassageCandidate]:
    return [
        PassageCandidate(
            message_id=row["id"],
            part=row["part"],
            start=row["start_offset"],
            end=row["end_offset"],
            conversation_id=row["conversation_id"],
            seq=row["seq"],
            turn=row["turn"],
            role=row["role"],
            speaker=_speaker(row["metadata"]),
            said_at=datetime.fromisoformat(row["event_at"]),
            created_at=datetime.fromisoformat(row["created_at"]),
            lexical=row["score"] or 0.0,
            similarity=cosine,
        )
        for row, cosine in _search(run, "message", query, filters, among=among, limit=limit)
    ]


def _score(run: Run, kind: Kind, query: SearchQuery, filters: Filters, corpus_size: int) -> Scores:
    found = _search(run, kind, query, filters, among=corpus_size, limit=MAX_CANDIDATES)
    return Scores(
        {row["id"]: row["score"] for row, _ in found if row["score"] is not None},
        {row["id"]: cosine for row, cosine in found if cosine is not None},
    )


def _search(
    run: Run, kind: Kind, query: SearchQuery, filters: Filters, *, among: int, limit: int
) -> list[tuple[Row, float | None]]:
    """Return the best documents of both searches with their cosines."""
    rows = search.search(
        run,
        kind,
        terms=query.terms,
        vector=query.vector,
        user_id=query.user_id,
        filters=filters,
        among=among,
        limit=limit,
    )
    if (vector := query.vector) is None:
        return [(row, None) for row in rows]
    scored = [(row, search.cosine(row, vector)) for row in rows]
    return [
        (row, cosine)
        for row, cosine in scored
        if row["score"] is not None or (cosine is not None and cosine >= _MIN_COSINE)
    ]


def _split(
    ordered: list[PassageCandidate], elsewhere: Sequence[PassageCandidate]
) -> tuple[list[PassageCandidate], list[PassageCandidate]]:
    """Part the candidates elsewhere from the others, in the same order."""
    if not elsewhere:
        return ordered, []
    far = {c.key for c in elsewhere}
    return [c for c in ordered if c.key not in far], [c for c in ordered if c.key in far]


def _speaker(metadata: str) -> str | None:
    return speaker_of(parse_json(metadata)) if '"speaker"' in metadata else None


def _has_any(names: set[str], text: str) -> bool:
    folded = fold(text)
    return any(name in folded for name in names) and not names.isdisjoint(folded_words(text))
