"""The minimal index lookups of a hybrid search in plain SQL."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import apsw
import numpy as np
import psycopg

from bench.common.corpus import DIMENSIONS, Corpus
from bench.common.corpus_writer import connect_sqlite
from recollect.store import search_index

_BEST = 200
_TERMS = "unicode61 remove_diacritics 0 categories 'L* N* Co M* P* S*'"
"""Terms are separated by blanks only."""

_NEAREST_SQLITE = "select rowid, distance from vectors where vector match ? and k = ?"
_MATCHING_SQLITE = "select rowid, rank from words where words match ? order by rank limit ?"
_NEAREST_POSTGRES = {
    "halfvec_cosine_ops": f"""
select owner_id, cast(vector as halfvec({DIMENSIONS})) <=> cast(%(vector)s as halfvec({DIMENSIONS}))
    as distance
from embeddings where model = %(model)s and user_id = %(user_id)s and kind = 'message'
order by distance limit {_BEST}
""",
    "bit_hamming_ops": f"""
select owner_id, vector <=> cast(%(vector)s as vector) as distance from (
    select owner_id, vector from embeddings
    where model = %(model)s and user_id = %(user_id)s and kind = 'message'
    order by cast(binary_quantize(vector) as bit({DIMENSIONS}))
        <~> cast(binary_quantize(cast(%(vector)s as vector)) as bit({DIMENSIONS}))
    limit {_BEST} * 2 + 100
) as alike
order by distance limit {_BEST}
""",
}
"""By operator class: full vectors, or binary quantization with reranking."""
_MATCHING_POSTGRES = f"""
select owner_id, ts_rank(terms, cast(%(query)s as tsquery)) as score from documents
where user_id = %(user_id)s and kind = 'message' and terms @@ cast(%(query)s as tsquery)
order by score desc limit {_BEST}
"""


class Baseline(Protocol):
    """Plain lookups. `prepare` converts the query and is not timed."""

    vectors: str
    """Table labels of the vector and the text lookup."""
    words: str

    def prepare(self, terms: Sequence[str], vector: Sequence[float]) -> tuple[Any, Any]: ...

    def match(self, query: Any) -> int: ...

    def nearest(self, vector: Any) -> int: ...


class SqliteBaseline:
    """A database with the vectors and terms of one user only."""

    vectors = "`sqlite-vec`, a scan of `vec0`"
    words = "FTS5, `order by rank`"

    def __init__(self, path: Path, corpus: Corpus, user_id: str) -> None:
        self._connection = connect_sqlite(str(path))
        self._connection.pragma("journal_mode", "wal")
        self._connection.pragma("synchronous", "off")
        _fill(self._connection, corpus, user_id)

    def prepare(self, terms: Sequence[str], vector: Sequence[float]) -> tuple[str, bytes]:
        return " OR ".join(f'"{term}"' for term in terms), np.array(vector, np.float32).tobytes()

    def match(self, query: str) -> int:
        return len(self._connection.execute(_MATCHING_SQLITE, (query, _BEST)).fetchall())

    def nearest(self, vector: bytes) -> int:
        return len(self._connection.execute(_NEAREST_SQLITE, (vector, _BEST)).fetchall())


def _fill(connection: apsw.Connection, corpus: Corpus, user_id: str) -> None:
    metric = "distance_metric=cosine"
    connection.execute(
        f"create virtual table vectors using vec0 (vector float[{DIMENSIONS}] {metric})"
    )
    connection.execute(
        f"create virtual table words using fts5 (terms, content = '', tokenize = \"{_TERMS}\")"
    )
    for conversation in corpus.conversations:
        if conversation.user_id == user_id:
            with connection:
                rows = [(vector.tobytes(),) for vector in conversation.vectors]
                connection.executemany("insert into vectors (vector) values (?)", rows)
                texts = [(" ".join(messages.terms),) for messages in conversation.messages]
                connection.executemany("insert into words (terms) values (?)", texts)


class PostgresBaseline:
    """Plain SQL on the same tables and indexes, without row-level security."""

    vectors = "pgvector, the same HNSW index"
    words = "`@@` and `ts_rank`, the same GIN index"

    def __init__(self, url: str, model: str, user_id: str) -> None:
        # A prepared statement gets a generic plan without the index.
        self._session = psycopg.connect(url, autocommit=True, prepare_threshold=None)
        self._session.execute("set hnsw.ef_search = 200")
        self._session.execute("set hnsw.iterative_scan = 'relaxed_order'")
        self._given = {"user_id": user_id, "model": model}
        self._prefix = search_index._prefix(user_id, "message")
        index, statement = self._by_index()
        self._nearest = statement.encode()
        zeros = {**self._given, "vector": f"[1{',0' * (DIMENSIONS - 1)}]"}
        plan = self._session.execute(b"explain " + self._nearest, zeros).fetchall()
        assert any(index in line for (line,) in plan), "It has to use the index."

    def _by_index(self) -> tuple[str, str]:
        """Return the HNSW index and the statement that uses it."""
        rows = self._session.execute("select indexname, indexdef from pg_indexes").fetchall()
        for index, definition in rows:
            for operators, statement in _NEAREST_POSTGRES.items():
                if operators in definition:
                    return index, statement
        raise AssertionError("There is no index of the vectors.")

    def prepare(self, terms: Sequence[str], vector: Sequence[float]) -> tuple[str, str]:
        query = " | ".join(f"'{self._prefix}{term}'" for term in terms)
        return query, f"[{','.join(map(str, vector))}]"

    def match(self, query: str) -> int:
        given = {**self._given, "query": query}
        return len(self._session.execute(_MATCHING_POSTGRES.encode(), given).fetchall())

    def nearest(self, vector: str) -> int:
        given = {**self._given, "vector": vector}
        return len(self._session.execute(self._nearest, given).fetchall())

    def close(self) -> None:
        self._session.close()
