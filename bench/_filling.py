"""Puts a corpus into a database quickly, in the rows that the engine would have written.

The statements are the store's own. Only the vectors on PostgreSQL are copied: to send 100,000 of
them as text takes a minute.
"""

import struct
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import apsw
import psycopg
import sqlite_vec

from bench._corpus import Corpus, Said, Talk, Vectors
from recollect.core.types import Row, utc_text
from recollect.store import search_index
from recollect.store.database import Value
from recollect.store.queries import load_queries, percent_parameters
from recollect.store.url import parse_database_url

Params = dict[str, Value]

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
    """For a database that has been opened by the engine before."""
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
    for talk in corpus.talks:  # a commit for each, as the index of the words depends on them
        with connection:
            for name, rows in _rows(talk, model):
                connection.executemany(statements[name], rows)
            connection.executemany(statements["put_embedding"], _embeddings(talk, model))
    connection.execute("analyze")
    connection.close()


def _fill_postgres(url: str, corpus: Corpus, model: str) -> None:
    statements = load_queries("postgres", percent_parameters).user
    statements = {**statements, "counted": percent_parameters(_COUNTED)}
    with psycopg.connect(url, autocommit=True) as session, session.cursor() as cursor:
        cursor.execute("set synchronous_commit to off")
        for talk in corpus.talks:
            with session.transaction():
                for name, rows in _rows(talk, model):
                    cursor.executemany(statements[name].encode(), rows)
                with cursor.copy(_COPIED) as copy:
                    copy.set_types(_COPIED_TYPES)
                    for row in _embeddings(talk, model):
                        copy.write_row(_copied(row, talk))
        cursor.execute("vacuum analyze")


def _rows(talk: Talk, model: str) -> Iterator[tuple[str, list[Params]]]:
    """By statement. All but the vectors."""
    given: Params = {"user_id": talk.user_id, "conversation_id": talk.id}
    now = utc_text(talk.said[0].at)
    conversation: Params = {
        **given,
        "id": talk.id,
        "now": now,
        "kind": "chat",
        "title": talk.title,
        "title_source": "auto",
        "policy": "balanced",
        "remember": True,
        "topic": None,
        "search_text": talk.title,
        "metadata": "{}",
        "forked_from": None,
        **dict.fromkeys(("created_at", "updated_at", "last_activity_at"), now),
        "model": model,
        "read_from": 0,
        "through_seq": len(talk.said),
        "count": len(talk.said),
    }
    yield "insert_user", [conversation]
    yield "insert_conversation", [conversation]
    yield "counted", [conversation]
    yield "insert_message", [given | _message(said) for said in talk.said]
    yield "put_document", [given | params for params in _documents(talk)]
    yield "put_embedding_progress", [conversation]


def _message(said: Said) -> Params:
    missing = "thinking tool_calls suggested_values suggested_actions custom_payload model_variant"
    return {
        "seq": said.seq,
        "id": said.id,
        "turn": (said.seq + 1) // 2,
        "role": said.role,
        "content": said.content,
        **dict.fromkeys(missing.split()),
        "status": "complete",
        "metadata": "{}",
        "tokens": 40,
        "is_pinned": False,
        "created_at": utc_text(said.at),
        "event_at": utc_text(said.at),
    }


def _documents(talk: Talk) -> list[Params]:
    taken: list[Params] = []

    def take(query: str, /, **params: Value) -> list[Row]:
        assert query == "put_document"
        taken.append(params)
        return []

    put = partial(search_index.put, take, user_id=talk.user_id, conversation_id=talk.id)
    for said in talk.said:
        put("message", said.id, said.terms, role=said.role, at=said.at)
    put("topic", talk.id, talk.title.split())
    return taken


def _embeddings(talk: Talk, model: str) -> Iterator[Params]:
    vectors: Vectors = talk.vectors
    topic: Vectors = vectors.mean(axis=0)
    for kind, owner_id, text, vector in (
        *(("message", said.id, said.content, vector) for said, vector in _pairs(talk)),
        ("topic", talk.id, talk.title, topic),
    ):
        yield {
            "user_id": talk.user_id,
            "kind": kind,
            "owner_id": owner_id,
            "model": model,
            "text": text,
            "dimensions": len(vector),
            "vector": vector.tobytes(),
            "now": utc_text(talk.said[0].at),
        }


def _pairs(talk: Talk) -> Iterator[tuple[Said, Vectors]]:
    return zip(talk.said, talk.vectors, strict=True)


def _copied(row: Params, talk: Talk) -> Sequence[Any]:
    """In the order of the columns. A vector is its length, and then its numbers, big end first."""
    vector = row["vector"]
    assert isinstance(vector, bytes)
    numbers = struct.unpack(f"={len(vector) // 4}f", vector)
    return (
        row["user_id"],
        row["kind"],
        UUID(str(row["owner_id"])),
        row["model"],
        UUID(talk.id),
        row["text"],
        row["dimensions"],
        struct.pack(f">hh{len(numbers)}f", len(numbers), 0, *numbers),
        talk.said[0].at,
    )
