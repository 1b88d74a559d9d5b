"""Searches by words (BM25) and by meaning (vectors) at once.

Each of the two finds its best documents, and each document found is scored by both.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from recollect.core.types import Row, Stored
from recollect.store.database import Run
from recollect.store.search_index import Filters, Kind, searchable_text, stored_terms
from recollect.store.vectors import QueryVector

NO_FILTERS = Filters()
_NO_VECTOR = {"model": None, "vector": None, "dimensions": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope(Stored):
    """The size of the searched data, and the active embedder."""

    messages: int
    conversations: int
    model: str | None
    dimensions: int | None


def scope(run: Run, conversation_id: str | None = None) -> Scope:
    if conversation_id is None:
        (row,) = run("get_search_scope")
    else:
        (row,) = run("get_conversation_scope", id=conversation_id)
    return Scope.from_row(row)


def search(
    run: Run,
    kind: Kind,
    *,
    terms: Sequence[str],
    vector: QueryVector | None,
    user_id: str,
    filters: Filters,
    among: int,
    limit: int,
) -> list[Row]:
    """Return the best documents with `score` (BM25) and `similarity` (cosine), in no particular
    order; each of the two may be None. `among` is the number of documents.

    `id` is that of the message, the conversation or the memory. Messages come with their position
    and times, and with the extent of the passage.
    """
    if not terms and vector is None:
        return []
    stored = stored_terms(kind, terms, user_id=user_id)
    return _search(run, kind, stored, vector, filters=filters, among=among, limit=limit)


def _search(
    run: Run,
    kind: Kind,
    terms: Sequence[str],
    vector: QueryVector | None,
    *,
    filters: Filters,
    among: int,
    limit: int,
) -> list[Row]:
    return run(
        "search_documents",
        kind=kind,
        terms=json.dumps(terms),
        documents=among,
        limit=limit,
        **(vector.params() if vector else _NO_VECTOR),
        **filters.params(kind),
    )


def cosine(row: Row, vector: QueryVector) -> float | None:
    """Return the cosine of a document. A zero vector has none: SQLite returns null, PostgreSQL
    NaN."""
    similarity = row["similarity"]
    if similarity is None or not isfinite(similarity):
        return None
    return float(vector.scale * similarity)


def nearest(run: Run, kind: Kind, vector: QueryVector, *, limit: int) -> dict[str, float]:
    """Return the cosines of the nearest topics or memories by id, best first."""
    rows = _search(run, kind, [], vector, filters=NO_FILTERS, among=0, limit=limit)
    cosines = {row["id"]: cosine(row, vector) for row in rows}
    found = {id: value for id, value in cosines.items() if value is not None}
    return dict(sorted(found.items(), key=lambda item: (item[1], item[0]), reverse=True))


def texts(run: Run, message_ids: Sequence[str]) -> dict[str, str]:
    """Return the searchable texts of messages by id."""
    rows = run("list_message_texts", ids=json.dumps(message_ids)) if message_ids else []
    return {
        row["id"]: searchable_text(
            row["content"], json.loads(row["tool_calls"]) if row["tool_calls"] else None
        )
        for row in rows
    }


def titles(run: Run, conversation_ids: Sequence[str]) -> dict[str, str | None]:
    """Return the titles of conversations by id."""
    rows = run("list_titles", ids=json.dumps(conversation_ids)) if conversation_ids else []
    return {row["id"]: row["title"] for row in rows}
