"""Vectors, each with the text it stands for, and how far a conversation has them.

A search is answered by the vectors of one embedder, the active one. `embedders` says which that
is, and which one is being filled in to take its place.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Literal

from recollect.core.errors import NotFound
from recollect.core.types import Row, utc_text
from recollect.store.database import Run
from recollect.store.search_index import Filters, Kind

_DELETED_AT_ONCE = 500
_BEFORE_ALL_IDS = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True, slots=True)
class RegisteredEmbedder:
    """An embedder whose vectors there are, or will be."""

    model: str
    dimensions: int
    state: Literal["active", "filling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedText:
    """A text and its vector."""

    kind: Kind
    owner_id: str
    text: str
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A question's vector, by the embedder that made it."""

    model: str
    vector: Sequence[float]
    scale: float = 1.0
    """What its cosines are to be multiplied by, where a part of it is silent."""

    def params(self) -> dict[str, str]:
        return {"model": self.model, "vector": _text(self.vector)}


def put(run: Run, model: str, embedded: Sequence[EmbeddedText], *, now: datetime) -> None:
    """Of what has not been deleted meanwhile."""
    for one in embedded:
        run(
            "put_embedding",
            kind=one.kind,
            owner_id=one.owner_id,
            model=model,
            text=one.text,
            dimensions=len(one.vector),
            vector=_text(one.vector),
            now=utc_text(now),
        )


def embedded_text(run: Run, kind: Kind, owner_id: str, *, model: str) -> str | None:
    """What was embedded the last time."""
    rows = run("get_embedded_text", kind=kind, owner_id=owner_id, model=model)
    return rows[0]["text"] if rows else None


def nearest(
    run: Run, kind: Kind, query: QueryVector, *, filters: Filters, limit: int
) -> dict[str, float]:
    """Cosine similarity of the nearest, by id. A memory is in the conversation it is from."""
    params = {"kind": kind, "limit": limit, **query.params(), **filters.params()}
    if kind == "memory" and filters.conversation_id is not None:
        rows = run("nearest_memories", **params)
    else:
        rows = run("nearest_embeddings", dimensions=len(query.vector), **params)
    return _cosines(rows, query)


def similarities(run: Run, kind: Kind, ids: Sequence[str], query: QueryVector) -> dict[str, float]:
    """Cosine similarity of those that were found in another way."""
    if not ids:
        return {}
    rows = run("list_similarities", kind=kind, ids=json.dumps(ids), **query.params())
    return _cosines(rows, query)


def unembedded_memories(
    run: Run, model: str, *, limit: int, after_id: str | None = None
) -> list[tuple[str, str]]:
    """(id, content) of memories whose words `model` has not read, in the order of their ids."""
    after_id = after_id or _BEFORE_ALL_IDS
    rows = run("list_unembedded_memories", model=model, after_id=after_id, limit=limit)
    return [(row["id"], row["content"]) for row in rows]


def get_progress(run: Run, conversation_id: str, model: str) -> tuple[int, int]:
    """The last seq that is embedded, and the last there is."""
    rows = run("get_embedding_progress", conversation_id=conversation_id, model=model)
    if not rows:
        raise NotFound("There is no such conversation.")
    return rows[0]["through_seq"], rows[0]["last_seq"]


def set_progress(
    run: Run, conversation_id: str, model: str, *, read_from: int, through_seq: int
) -> None:
    """From `read_from` on; if that is not where it stands any more, it stays there."""
    run(
        "put_embedding_progress",
        conversation_id=conversation_id,
        model=model,
        read_from=read_from,
        through_seq=through_seq,
    )


def rewind(run: Run, conversation_id: str, *, through_seq: int) -> None:
    """What comes after that is read again."""
    run("rewind_embedding_progress", conversation_id=conversation_id, through_seq=through_seq)


def list_embedders(run: Run) -> list[RegisteredEmbedder]:
    rows = run("list_embedders")
    return [RegisteredEmbedder(row["model"], row["dimensions"], row["state"]) for row in rows]


def register(run: Run, model: str, dimensions: int, *, now: datetime) -> list[RegisteredEmbedder]:
    """From now on there are to be vectors of this embedder, and of the active one until then.

    The first one is active at once. One that was being filled in and is not wanted any more goes.
    """
    run("lock_embedders")
    known = list_embedders(run)
    active = any(one.state == "active" for one in known)
    for one in known:
        if one.state == "filling" and one.model != model:
            run("delete_embedder", model=one.model)
    state = "filling" if active else "active"
    run("insert_embedder", model=model, dimensions=dimensions, state=state, now=utc_text(now))
    return list_embedders(run)


def activate_if_complete(run: Run, model: str) -> bool:
    """Makes it the active embedder, if it has read all that the active one has."""
    run("lock_embedders")
    by_state = {one.state: one.model for one in list_embedders(run)}
    if by_state.get("filling") != model:
        return False
    (row,) = run("has_unembedded", model=model, active=by_state["active"])
    if row["is_unread"]:
        return False
    run("delete_embedder", model=by_state["active"])
    run("activate_embedder", model=model)
    return True


def list_unregistered(run: Run) -> list[str]:
    """Embedders that are not registered any more, and have left vectors behind."""
    return [row["model"] for row in run("list_unregistered_embedders")]


def delete_batch(run: Run, model: str) -> bool:
    """Removes some vectors of such an embedder; whether there may be more."""
    gone = run("delete_model_embeddings", model=model, limit=_DELETED_AT_ONCE)
    if not gone:
        run("delete_model_progress", model=model)
    return bool(gone)


def unembedded_conversations(
    run: Run, model: str, *, failed_since: datetime, limit: int
) -> list[tuple[str, str]]:
    """(user, conversation) pairs that `model` has not read to the end."""
    rows = run(
        "list_unembedded_conversations",
        model=model,
        failed_since=utc_text(failed_since),
        limit=limit,
    )
    return [(row["user_id"], row["id"]) for row in rows]


def users_with_unembedded_memories(
    run: Run, model: str, *, failed_since: datetime, limit: int
) -> list[str]:
    rows = run(
        "list_users_with_unembedded_memories",
        model=model,
        failed_since=utc_text(failed_since),
        limit=limit,
    )
    return [row["user_id"] for row in rows]


def _cosines(rows: Sequence[Row], query: QueryVector) -> dict[str, float]:
    """By id. A vector of no length has none: SQLite says null, and PostgreSQL NaN."""
    return {
        row["owner_id"]: query.scale * row["similarity"]
        for row in rows
        if row["similarity"] is not None and isfinite(row["similarity"])
    }


def _text(vector: Sequence[float]) -> str:
    return "[" + ",".join([f"{number:.7g}" for number in vector]) + "]"
