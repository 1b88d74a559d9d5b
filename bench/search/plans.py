"""Checks which indexes PostgreSQL uses for a search under row-level security."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg.rows import dict_row

from bench.common.corpus import Corpus, CorpusUser, EmbeddedQuestion
from bench.common.report import verdict
from recollect.core.types import Row
from recollect.language.analyzer import query_terms
from recollect.recall.search.retriever import MAX_CANDIDATES
from recollect.store import search, vectors
from recollect.store.database import Run, SqlValue
from recollect.store.queries import load_queries, percent_parameters

_CALLS = 12


@dataclass(frozen=True, slots=True)
class Plans:
    """Index scans per lookup in `_CALLS` calls."""

    small: int
    vectors_of_big: Mapping[str, int]
    vectors_of_small: Mapping[str, int]
    words_of_big: Mapping[str, int]
    rows_of_small: int


def find_plans(
    url: str, model: str, corpus: Corpus, *, big: CorpusUser, small: CorpusUser
) -> Plans:
    asked = corpus.questions(big.id, _CALLS)

    def nearest(run: Run, question: EmbeddedQuestion) -> Mapping[str, float]:
        query = vectors.QueryVector(model, question.vector)
        return search.nearest(run, "message", query, limit=MAX_CANDIDATES)

    def matching(run: Run, question: EmbeddedQuestion) -> Mapping[str, float]:
        rows = search.search(
            run,
            "message",
            terms=query_terms(question.text),
            vector=None,
            user_id=big.id,
            filters=search.NO_FILTERS,
            among=big.messages,
            limit=MAX_CANDIDATES,
        )
        return {row["id"]: row["score"] for row in rows}

    rows, of_small = _indexes_read(url, small.id, nearest, asked)
    return Plans(
        small=small.messages,
        vectors_of_big=_indexes_read(url, big.id, nearest, asked)[1],
        vectors_of_small=of_small,
        words_of_big=_indexes_read(url, big.id, matching, asked)[1],
        rows_of_small=rows,
    )


def _indexes_read(
    url: str,
    user_id: str,
    look: Callable[[Run, EmbeddedQuestion], Mapping[str, float]],
    asked: Sequence[EmbeddedQuestion],
) -> tuple[int, dict[str, int]]:
    """How many rows the last one found, and by which indexes: under a search's role and policies.

    The server counts for itself. A session may get another plan when it asks for the sixth time.
    """
    statements = load_queries("postgres", percent_parameters).user
    counting = "select indexrelname, idx_scan from pg_stat_user_indexes"
    with psycopg.connect(url, autocommit=True) as watch, psycopg.connect(url) as session:
        before: dict[str, int] = dict(watch.execute(counting).fetchall())
        session.execute("set local role recollect_app")
        session.execute("select set_config('recollect.user_id', %s, true)", (user_id,))

        def run(query: str, /, **params: SqlValue) -> list[Row]:
            cursor = session.cursor(row_factory=dict_row)
            given = {**params, "user_id": user_id}
            return [*cursor.execute(statements[query].encode(), given).fetchall()]

        found = [look(run, question) for question in asked]
        session.execute("reset role")
        session.execute("select pg_stat_force_next_flush()")
        session.commit()
        after: dict[str, int] = dict(watch.execute(counting).fetchall())
    read = {name: count - before[name] for name, count in after.items() if count > before[name]}
    return len(found[-1]), read


def verdicts(plans: Plans) -> list[str]:
    own = {"embeddings_pkey", "embeddings_by_conversation"}
    by_vector = {name: count for name, count in plans.vectors_of_big.items() if name not in own}
    return [
        verdict(
            sum(by_vector.values()) == _CALLS,
            "the nearest of many vectors are found by the HNSW index, under row-level security",
            _counts(plans.vectors_of_big),
        ),
        verdict(
            plans.vectors_of_small.keys() <= own and plans.rows_of_small == plans.small,
            f"a user with {plans.small} messages is searched by an index of the user, and exactly",
            f"{_counts(plans.vectors_of_small)}; {plans.rows_of_small} of {plans.small} vectors",
        ),
        verdict(
            plans.words_of_big.get("documents_by_term", 0) >= _CALLS,
            "words are found by the GIN index",
            _counts(plans.words_of_big),
        ),
    ]


def _counts(read: Mapping[str, int]) -> str:
    """Format the index scans."""
    named = [f"`{name}` {count:,} times" for name, count in sorted(read.items())]
    return f"in {_CALLS} calls {' and '.join(named) or 'none'}"
