"""Embeddings, each with its text, and the progress of embedding in each conversation.

Search uses the vectors of the active embedder. The table `embedders` names it, and the embedder
whose vectors are being filled in to replace it.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.core.types import Stored, utc_text
from recollect.store.database import MIN_ID, Run, SqlValue, require_row
from recollect.store.search_index import Kind, part_id

_DELETE_BATCH_ROWS = 500


@dataclass(frozen=True, slots=True)
class RegisteredEmbedder(Stored):
    model: str
    dimensions: int
    state: Literal["active", "filling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedText:
    kind: Kind
    owner_id: str
    part: int = 0
    """The number of a message's passage."""
    text: str
    vector: Sequence[float]


@dataclass(frozen=True, slots=True)
class QueryVector:
    model: str
    vector: Sequence[float]
    scale: float = 1.0
    """Multiplies the cosines, if a part of the embedder does not contribute."""

    def params(self) -> dict[str, SqlValue]:
        return {
            "model": self.model,
            "vector": array("f", self.vector),
            "dimensions": len(self.vector),
        }


def put(run: Run, model: str, embedded: Sequence[EmbeddedText], *, now: datetime) -> None:
    """Store embeddings, except of texts that were deleted meanwhile."""
    for item in embedded:
        run(
            "put_embedding",
            kind=item.kind,
            owner_id=part_id(item.owner_id, item.part),
            model=model,
            text=item.text,
            dimensions=len(item.vector),
            vector=array("f", item.vector),
            now=utc_text(now),
        )


def replace_messages(
    run: Run,
    model: str,
    message_ids: Sequence[str],
    embedded: Sequence[EmbeddedText],
    *,
    now: datetime,
) -> None:
    """Store the embeddings of messages in place of earlier ones."""
    for id in message_ids:
        run("delete_message_embeddings", owner_id=id, model=model)
    put(run, model, embedded, now=now)


def embedded_text(run: Run, kind: Kind, owner_id: str, *, model: str) -> str | None:
    """Return the text that was embedded last."""
    rows = run("get_embedded_text", kind=kind, owner_id=owner_id, model=model)
    return rows[0]["text"] if rows else None


def unembedded_memories(
    run: Run, model: str, *, limit: int, after_id: str | None = None
) -> list[tuple[str, str]]:
    """List (id, content) of memories that `model` has not embedded, by id."""
    after_id = after_id or MIN_ID
    rows = run("list_unembedded_memories", model=model, after_id=after_id, limit=limit)
    return [(row["id"], row["content"]) for row in rows]


def get_progress(run: Run, conversation_id: str, model: str) -> tuple[int, int]:
    """Return the last embedded seq and the last seq."""
    rows = run("get_embedding_progress", conversation_id=conversation_id, model=model)
    row = require_row(rows, "conversation")
    return row["through_seq"], row["last_seq"]


def set_progress(
    run: Run, conversation_id: str, model: str, *, read_from: int, through_seq: int
) -> None:
    """Does nothing if the progress is not `read_from` any more."""
    run(
        "put_embedding_progress",
        conversation_id=conversation_id,
        model=model,
        read_from=read_from,
        through_seq=through_seq,
    )


def rewind(run: Run, conversation_id: str, *, through_seq: int) -> None:
    """Embed the messages after `through_seq` again."""
    run("rewind_embedding_progress", conversation_id=conversation_id, through_seq=through_seq)


def list_embedders(run: Run) -> list[RegisteredEmbedder]:
    return RegisteredEmbedder.from_rows(run("list_embedders"))


def register(run: Run, model: str, dimensions: int, *, now: datetime) -> list[RegisteredEmbedder]:
    """Register an embedder, and return all. Another one that was being filled is unregistered.

    The first embedder is active at once; a later one is filled until `activate_if_complete`.
    """
    run("lock_embedders")
    known = list_embedders(run)
    has_active = any(embedder.state == "active" for embedder in known)
    for embedder in known:
        if embedder.state == "filling" and embedder.model != model:
            run("delete_embedder", model=embedder.model)
    state = "filling" if has_active else "active"
    run("insert_embedder", model=model, dimensions=dimensions, state=state, now=utc_text(now))
    return list_embedders(run)


def activate_if_complete(run: Run, model: str) -> bool:
    """Activate an embedder if it has embedded everything that the active one has."""
    run("lock_embedders")
    by_state = {embedder.state: embedder.model for embedder in list_embedders(run)}
    if by_state.get("filling") != model:
        return False
    (row,) = run("has_unembedded", model=model, active=by_state["active"])
    if row["is_unread"]:
        return False
    run("delete_embedder", model=by_state["active"])
    run("activate_embedder", model=model)
    return True


def list_unregistered(run: Run) -> list[str]:
    """Return the models of embedders that are not registered any more but have vectors."""
    return [row["model"] for row in run("list_unregistered_embedders")]


def delete_batch(run: Run, model: str) -> bool:
    """Delete a batch of vectors. Return whether there may be more."""
    deleted = run("delete_model_embeddings", model=model, limit=_DELETE_BATCH_ROWS)
    if not deleted:
        run("delete_model_progress", model=model)
    return bool(deleted)


def unembedded_conversations(
    run: Run, model: str, *, failed_since: datetime, limit: int
) -> list[tuple[str, str]]:
    """List (user, conversation) pairs that `model` has not embedded completely."""
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
