"""Bulk-insert a corpus as the rows that the engine would have written.

It runs the store's own statements. On PostgreSQL vectors go through COPY, because sending 100,000
of them as text takes a minute.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import apsw
import psycopg
import sqlite_vec

from bench.common.corpus import Corpus, CorpusConversation, CorpusMessage, Vectors
from recollect.core.types import Row, utc_text
from recollect.store import search_index
from recollect.store.database import SqlValue
from recollect.store.queries import load_queries, percent_parameters
from recollect.store.search_index import DocumentPart
from recollect.store.url import parse_database_url

Params = dict[str, SqlValue]

_COUNTED = """
update conversations set last_seq = :count, last_turn = :count / 2, last_role = 'assistant',
    message_count = :count, token_count = 40 * :count
where user_id = :user_id and id = :conversation_id
"""
_COPIED = """
copy embeddings (
    user_id, kind, owner_id, model, conversation_id, text, dimensions, vector, created_at
) from stdin (format binary)
"""
_COPIED_TYPES = ("text", "text", "uuid", "text", "uuid", "text", "int4", "bytea", "timestamptz")


def fill(url: str, corpus: Corpus, *, model: str) -> None:
    """Insert the corpus into a migrated database."""
    dialect, address = parse_database_url(url)
    if dialect == "sqlite":
        _fill_sqlite(address, corpus, model)
    else:
        _fill_postgres(address, corpus, model)


def connect_sqlite(path: str) -> apsw.Connection:
    connection = apsw.Connection(path)
    connection.set_busy_timeout(10_000)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    return connection


def _fill_sqlite(path: str, corpus: Corpus, model: str) -> None:
    statements = {**load_queries("sqlite").user, "counted": _COUNTED}
    connection = connect_sqlite(path)
    connection.pragma("synchronous", "off")
    for conversation in corpus.conversations:  # one commit each: the full-text index needs it
        with connection:
            for name, rows in _rows(conversation, model):
                connection.executemany(statements[name], rows)
            connection.executemany(statements["put_embedding"], _embeddings(conversation, model))
    connection.execute("analyze")
    connection.close()


def _fill_postgres(url: str, corpus: Corpus, model: str) -> None:
    statements = load_queries("postgres", percent_parameters).user
    statements = {**statements, "counted": percent_parameters(_COUNTED)}
    with psycopg.connect(url, autocommit=True) as session, session.cursor() as cursor:
        cursor.execute("set synchronous_commit to off")
        for conversation in corpus.conversations:
            with session.transaction():
                for name, rows in _rows(conversation, model):
                    cursor.executemany(statements[name].encode(), rows)
                with cursor.copy(_COPIED) as copy:
                    copy.set_types(_COPIED_TYPES)
                    for row in _embeddings(conversation, model):
                        copy.write_row(_copied(row, conversation))
        cursor.execute("vacuum analyze")


def _rows(conversation: CorpusConversation, model: str) -> Iterator[tuple[str, list[Params]]]:
    """Yield the rows of each statement, without the vectors."""
    given: Params = {"user_id": conversation.user_id, "conversation_id": conversation.id}
    now = utc_text(conversation.messages[0].at)
    row: Params = {
        **given,
        "id": conversation.id,
        "now": now,
        "kind": "chat",
        "title": conversation.title,
        "title_source": "auto",
        "policy": "balanced",
        "remember": True,
        "topic": None,
        "search_text": conversation.title,
        "metadata": "{}",
        "forked_from": None,
        "external_id": None,
        "project_id": None,
        "recall_scope": None,
        **dict.fromkeys(("created_at", "updated_at", "last_activity_at"), now),
        "model": model,
        "read_from": 0,
        "through_seq": len(conversation.messages),
        "count": len(conversation.messages),
    }
    yield "insert_user", [row]
    yield "insert_conversation", [row]
    yield "counted", [row]
    yield "insert_message", [given | _message(message) for message in conversation.messages]
    yield "put_document", [given | params for params in _documents(conversation)]
    yield "put_embedding_progress", [row]


def _message(message: CorpusMessage) -> Params:
    missing = "thinking tool_calls suggested_values suggested_actions custom_payload model_variant"
    return {
        "seq": message.seq,
        "id": message.id,
        "turn": (message.seq + 1) // 2,
        "role": message.role,
        "content": message.content,
        **dict.fromkeys(missing.split()),
        "status": "complete",
        "metadata": "{}",
        "tokens": 40,
        "is_pinned": False,
        "created_at": utc_text(message.at),
        "event_at": utc_text(message.at),
    }


def _documents(conversation: CorpusConversation) -> list[Params]:
    taken: list[Params] = []

    def take(query: str, /, **params: SqlValue) -> list[Row]:
        assert query == "put_document"
        taken.append(params)
        return []

    ids = {"user_id": conversation.user_id, "conversation_id": conversation.id}
    for message in conversation.messages:
        part = DocumentPart(0, len(message.content), message.terms)
        at = utc_text(message.at)
        search_index.put_parts(take, message.id, [part], role=message.role, at=at, **ids)
    title = conversation.title.split()
    search_index.put(take, "topic", conversation.id, title, at=None, **ids)
    return taken


def _embeddings(conversation: CorpusConversation, model: str) -> Iterator[Params]:
    vectors: Vectors = conversation.vectors
    topic: Vectors = vectors.mean(axis=0)
    for kind, owner_id, text, vector in (
        *(
            ("message", message.id, message.content, vector)
            for message, vector in _pairs(conversation)
        ),
        ("topic", conversation.id, conversation.title, topic),
    ):
        yield {
            "user_id": conversation.user_id,
            "kind": kind,
            "owner_id": owner_id,
            "model": model,
            "text": text,
            "dimensions": len(vector),
            "vector": vector.tobytes(),
            "now": utc_text(conversation.messages[0].at),
        }


def _pairs(conversation: CorpusConversation) -> Iterator[tuple[CorpusMessage, Vectors]]:
    return zip(conversation.messages, conversation.vectors, strict=True)


def _copied(row: Params, conversation: CorpusConversation) -> Sequence[Any]:
    """Return the columns for COPY; a vector is its length and its big-endian floats."""
    vector = row["vector"]
    assert isinstance(vector, bytes)
    numbers = struct.unpack(f"={len(vector) // 4}f", vector)
    return (
        row["user_id"],
        row["kind"],
        UUID(str(row["owner_id"])),
        row["model"],
        UUID(conversation.id),
        row["text"],
        row["dimensions"],
        struct.pack(f">hh{len(numbers)}f", len(numbers), 0, *numbers),
        conversation.messages[0].at,
    )
