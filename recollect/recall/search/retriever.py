"""Finding candidates: what the words and what the meaning of a question lead to.

Both searches name their best, and each is asked for its opinion of what the other one named. A
question is embedded before the database is read, by the embedder that was active when this process
last looked. Should another one have taken over meanwhile, the reading tells, and is repeated with
the question embedded anew: vectors of two embedders are never compared. The best candidates are
then looked at more closely, outside of the transaction. Whoever needs more of what was found reads
it after that, and what has been deleted meanwhile is not there.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar

from recollect.core.errors import NotFound
from recollect.core.types import Row, json_object
from recollect.core.validation import check_user_id
from recollect.language.analyzer import content_words, folded_words, names_and_numbers, query_terms
from recollect.llm.registry import EmbedderRegistry
from recollect.recall.search.ranking import MessageCandidate, RankedMessage, Weights, blend, rank
from recollect.store import messages, search_index, vectors
from recollect.store.database import Database, Run
from recollect.store.search_index import Filters, Kind, Scope
from recollect.store.service_base import ServiceBase

T = TypeVar("T")
Look = Callable[[Run, "Query", Scope], T]

MOST_CANDIDATES = 200
"""How many each of the two searches may name."""
_LOOKED_AT_CLOSELY = 50
_MEMORIES_GUESSED = 1_000
"""How many memories a user has, for the weight of a rare word: the order of size is enough."""
_NOT_FAR = 0.05
"""The cosine from which on something is found that has no word in common with the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for, ready for both searches. Without a vector the words decide alone."""

    text: str
    terms: Sequence[str]
    user_id: str
    vector: vectors.QueryVector | None = None
    is_late: bool = False
    """Whether there is an embedder, and it did not answer in time."""


@dataclass(frozen=True, slots=True)
class Scores:
    """By id, what the two searches think; cosines are missing where there is no vector."""

    lexical: Mapping[str, float]
    similarity: Mapping[str, float] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        return [*dict.fromkeys([*self.lexical, *self.similarity])]


class SearchService(ServiceBase):
    """What the services that find have in common. `margin` is by how much a match has to lead, and
    `window` how many entries of a chat a model is given."""

    def __init__(
        self,
        database: Database,
        retriever: "Retriever",
        *,
        clock: Callable[[], datetime],
        margin: float = 0.0,
        window: int = 30,
        weights: Weights | None = None,
    ) -> None:
        super().__init__(database, clock=clock)
        self._retriever = retriever
        self._margin = margin
        self._window = window
        self._weights = weights or Weights()


@dataclass(frozen=True, slots=True)
class SearchResults:
    """Messages, best first; what the best of them say; what is thought of topics: of each
    conversation's title and topic, by its id; and what is thought of memories."""

    question: Query
    ranked: Sequence[RankedMessage]
    texts: Mapping[str, str]
    about: Scores
    topics: Mapping[str, float]
    known: Scores


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
        filters: Filters | None = None,
        before_seq: int = messages.MAX_SEQ,
        topics: bool = False,
        memories: bool = False,
        across_languages: bool = False,
    ) -> SearchResults:
        """Messages that a question leads to; `topics` and `memories` if they are wanted. In one
        conversation, `before_seq` leaves out what comes from there on."""
        given = filters or Filters()

        def look(
            run: Run, question: Query, scope: Scope
        ) -> tuple[list[MessageCandidate], dict[str, str], Scores, Scores]:
            found = _find_messages(run, question, scope, given)
            candidates = [one for one in found if one.seq < before_seq]
            best = rank(candidates, question.text, weights=weights)[:_LOOKED_AT_CLOSELY]
            said = messages.texts(run, [one.candidate.id for one in best])
            about = known = Scores({})
            if topics:
                about = scores(run, "topic", question, filters=given, among=scope.conversations)
            if memories:
                known = find_memories(run, question)
            return candidates, said, about, known

        (candidates, said, about, known), question = await self.ask(
            text,
            user_id,
            look,
            conversation_id=given.conversation_id,
            across_languages=across_languages,
        )
        if question.vector is not None and weights.closeness:
            candidates = await self._look_closely(text, candidates, said)
        candidates = _marked(candidates, said, names_and_numbers(text))
        topics_fit = blend(about.lexical, about.similarity, weight=weights.lexical)
        ranked = rank(candidates, text, weights=weights)
        return SearchResults(question, ranked, said, about, topics_fit, known)

    async def find_memories(self, text: str, user_id: str) -> Scores:
        """What is thought of memories alone."""
        found, _ = await self.ask(text, user_id, lambda run, asked, _: find_memories(run, asked))
        return found

    async def _look_closely(
        self, text: str, candidates: Sequence[MessageCandidate], said: Mapping[str, str]
    ) -> list[MessageCandidate]:
        speakers = {one.id: one.speaker for one in candidates}
        texts = [
            f"{speakers[id]}: {words}" if speakers[id] else words for id, words in said.items()
        ]
        close = await self._embedders.word_similarities(content_words(text), texts)
        by_id = dict(zip(said, close or (), strict=False))
        return [replace(one, closeness=by_id.get(one.id)) for one in candidates]

    async def ask(
        self,
        text: str,
        user_id: str,
        look: Look[T],
        *,
        conversation_id: str | None = None,
        across_languages: bool = False,
    ) -> tuple[T, Query]:
        """Runs `look` on one snapshot, with the question as that can use it."""
        check_user_id(user_id)

        def read(run: Run) -> tuple[Scope, T | None]:
            scope = search_index.scope(run, conversation_id)
            if conversation_id is not None and not scope.conversations:
                raise NotFound("There is no such conversation.")
            if question.vector is not None and question.vector.model != scope.model:
                return scope, None
            return scope, look(run, question, scope)

        while True:
            question = await self._question(text, user_id, across_languages)
            scope, found = await self._database.read(read, user_id=user_id)
            is_current = self._embedders.set_active(scope.model, scope.dimensions)
            if found is not None and is_current:
                return found, question

    async def _question(self, text: str, user_id: str, across_languages: bool) -> Query:
        terms = query_terms(text)
        if self._embedders.active is None:
            return Query(text=text, terms=terms, user_id=user_id)
        answer = await self._embedders.embed_query(
            text, user_id=user_id, across_languages=across_languages
        )
        if answer is None:
            return Query(text=text, terms=terms, user_id=user_id, is_late=True)
        model, asked = answer
        return Query(
            text=text,
            terms=terms,
            user_id=user_id,
            vector=vectors.QueryVector(model, asked.vector, asked.scale),
        )


def _marked(
    candidates: Sequence[MessageCandidate], said: Mapping[str, str], names: Set[str]
) -> list[MessageCandidate]:
    """With whether they have one of the names, as far as it is known what they say."""
    having = {
        id for id, words in said.items() if names and not names.isdisjoint(folded_words(words))
    }
    return [replace(one, shares_name=True) if one.id in having else one for one in candidates]


def scores(run: Run, kind: Kind, question: Query, *, filters: Filters, among: int) -> Scores:
    """Of the best by either search, what both think of them."""
    lexical = search_index.match(
        run,
        kind,
        question.terms,
        user_id=question.user_id,
        filters=filters,
        among=among,
        limit=MOST_CANDIDATES,
    )
    if question.vector is None:
        return Scores(lexical)
    nearest = vectors.nearest(run, kind, question.vector, filters=filters, limit=MOST_CANDIDATES)
    near = {id: cosine for id, cosine in nearest.items() if cosine >= _NOT_FAR or id in lexical}
    unseen = [id for id in lexical if id not in near]
    return Scores(lexical, near | vectors.similarities(run, kind, unseen, question.vector))


def find_memories(run: Run, question: Query, filters: Filters | None = None) -> Scores:
    return scores(run, "memory", question, filters=filters or Filters(), among=_MEMORIES_GUESSED)


def _find_messages(
    run: Run, question: Query, scope: Scope, filters: Filters
) -> list[MessageCandidate]:
    found = scores(run, "message", question, filters=filters, among=scope.messages)
    return [_candidate(row, found) for row in search_index.candidates(run, found.ids)]


def _candidate(row: Row, found: Scores) -> MessageCandidate:
    return MessageCandidate(
        id=row["id"],
        conversation_id=row["conversation_id"],
        seq=row["seq"],
        turn=row["turn"],
        role=row["role"],
        speaker=search_index.speaker_of(json_object(row["metadata"])),
        said_at=datetime.fromisoformat(row["event_at"]),
        created_at=datetime.fromisoformat(row["created_at"]),
        lexical=found.lexical.get(row["id"], 0.0),
        similarity=found.similarity.get(row["id"]),
    )
