"""The lexical index of messages, topics and memories.

A document has the analyzed terms of a text (see `language.analyzer`), and is written in the
transaction that writes the text. Each stored term has a prefix for its user and kind, so a search
reads the posting lists of one user only. Queries check the user of the rows all the same.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Literal

from recollect.core.types import Conversation, Message, Role, Row, Stored, utc_text
from recollect.language.analyzer import analyze
from recollect.store.database import Run

Kind = Literal["message", "topic", "memory"]
INDEXED_ROLES: tuple[Role, ...] = ("user", "assistant", "tool")
"""System prompts are instructions, not part of the conversation."""

_MAX_SPEAKER_CHARS = 100
_MAX_UNCHECKED_TERMS = 8_000
"""Fewer terms than these always fit."""
_MAX_TERMS_BYTES = 1_000_000
"""PostgreSQL's tsvector holds a little more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope(Stored):
    """The size of the searched data, and the active embedder."""

    messages: int
    conversations: int
    model: str | None
    dimensions: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    conversation_id: str | None = None
    role: Role | None = None
    after: datetime | None = None
    before: datetime | None = None

    def params(self) -> dict[str, str | None]:
        return {
            "conversation_id": self.conversation_id,
            "role": self.role,
            "after": utc_text(self.after) if self.after else None,
            "before": utc_text(self.before) if self.before else None,
        }


def speaker_of(metadata: object) -> str | None:
    """Return the speaker that the caller named in the metadata of a message, or None."""
    match metadata:
        case {"speaker": str(name)} if 0 < len(name.strip()) <= _MAX_SPEAKER_CHARS:
            return name.strip()
    return None


def message_terms(content: str, metadata: object) -> list[str]:
    """Return the terms of a message, including its speaker's name."""
    speaker = speaker_of(metadata)
    return analyze(f"{speaker}: {content}" if speaker else content)


def put(
    run: Run,
    kind: Kind,
    owner_id: str,
    terms: Sequence[str],
    *,
    user_id: str,
    conversation_id: str | None,
    role: Role | None = None,
    at: datetime | str | None = None,
) -> None:
    prefix = _prefix(user_id, kind)
    if len(terms) > _MAX_UNCHECKED_TERMS:
        terms = _truncate_terms(terms, prefix)
    run(
        "put_document",
        kind=kind,
        owner_id=owner_id,
        conversation_id=conversation_id,
        role=role,
        at=utc_text(at) if isinstance(at, datetime) else at,
        length=len(terms),
        terms=" ".join([prefix + term for term in terms]),
    )


def put_messages(run: Run, messages: Iterable[Message], *, user_id: str) -> None:
    """Index stored messages, without superseded ones and those without terms."""
    for message in messages:
        if message.role not in INDEXED_ROLES or message.superseded_at is not None:
            continue
        if terms := message_terms(message.content, message.metadata):
            put(
                run,
                "message",
                message.id,
                terms,
                user_id=user_id,
                conversation_id=message.conversation_id,
                role=message.role,
                at=message.event_at,
            )


def put_topic(run: Run, conversation: Conversation) -> None:
    """Index the title and the topic of a conversation."""
    text = topic_text(conversation.title, conversation.topic)
    if not text:
        delete(run, "topic", conversation.id)
        return
    put(
        run,
        "topic",
        conversation.id,
        analyze(text),
        user_id=conversation.user_id,
        conversation_id=conversation.id,
    )


def topic_text(title: str | None, topic: str | None) -> str:
    return "\n".join(part for part in (title, topic) if part)


def delete(run: Run, kind: Kind, owner_id: str) -> int:
    """Delete a document and its vectors of all embedders. Return the number of vectors."""
    run("delete_document", kind=kind, owner_id=owner_id)
    return len(run("delete_embeddings", kind=kind, owner_id=owner_id))


def delete_orphans(run: Run, conversation_id: str) -> None:
    """Delete the documents of deleted messages."""
    run("delete_orphan_documents", conversation_id=conversation_id)


def scope(run: Run, conversation_id: str | None = None) -> Scope:
    if conversation_id is None:
        (row,) = run("get_search_scope")
    else:
        (row,) = run("get_conversation_scope", id=conversation_id)
    return Scope.from_row(row)


def match(
    run: Run,
    kind: Kind,
    terms: Sequence[str],
    *,
    user_id: str,
    filters: Filters,
    among: int,
    limit: int,
) -> dict[str, float]:
    """Return the BM25 scores of the best documents by id. `among` is the number of documents.

    A memory counts as part of its source conversation.
    """
    if not terms:
        return {}
    prefix = _prefix(user_id, kind)
    rows = run(
        "match_documents",
        kind=kind,
        terms=json.dumps([prefix + term for term in terms]),
        documents=among,
        limit=limit,
        **filters.params(),
    )
    return {row["owner_id"]: row["score"] for row in rows}


def candidates(run: Run, message_ids: Sequence[str]) -> list[Row]:
    """Return position, role and times of messages."""
    return run("list_candidates", ids=json.dumps(message_ids)) if message_ids else []


def _truncate_terms(terms: Sequence[str], prefix: str) -> Sequence[str]:
    """Remove terms from the middle until they fit into a row."""
    overhead = len(prefix) + 6
    while sum(len(t.encode()) + overhead for t in {*terms}) + 2 * len(terms) > _MAX_TERMS_BYTES:
        part = len(terms) * 2 // 5
        terms = [*terms[:part], *terms[-part:]]
    return terms


@lru_cache(maxsize=1024)
def _prefix(user_id: str, kind: Kind) -> str:
    user = hashlib.blake2b(user_id.encode(), digest_size=5).hexdigest()
    return f"{user}{kind[:3]}"
