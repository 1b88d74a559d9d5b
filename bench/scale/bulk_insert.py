"""Bulk-inserts up to a million messages as the rows that the engine would write.

On PostgreSQL it uses COPY without foreign key checks and rebuilds the search indexes after
a large step.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol
from uuid import UUID

import numpy as np
import psycopg

from bench.common.corpus_writer import connect_sqlite
from bench.scale.axes import Part
from bench.scale.texts import DIMENSIONS, MODEL, Text, Texts
from recollect.core.ids import new_id
from recollect.core.types import utc_text
from recollect.store import search_index
from recollect.store.url import parse_database_url

Row = tuple[Any, ...]

_AT_ONCE = 20_000
"""Messages per batch."""
_START = datetime(2026, 1, 1, tzinfo=UTC)
_BETWEEN = timedelta(seconds=20)

_COLUMNS = {
    "users": "user_id created_at",
    "conversations": "user_id id kind title title_source policy remember search_text metadata"
    " is_archived message_count token_count last_seq last_turn last_role summary_version"
    " last_summary_version extracted_through_seq extracted_turn created_at updated_at"
    " last_activity_at",
    "jobs": "user_id id kind conversation_id dedupe_key payload state attempts run_at created_at"
    " updated_at",
    "embedding_progress": "user_id conversation_id model through_seq",
    "messages": "user_id conversation_id seq id turn role content status metadata tokens is_pinned"
    " created_at event_at",
    "documents": "user_id kind owner_id conversation_id role at length end_offset terms",
    "embeddings": "user_id kind owner_id model conversation_id text dimensions vector created_at",
}
_EMBEDDING_TYPES = ("text", "text", "uuid", "text", "uuid", "text", "int4", "bytea", "timestamptz")
_COUNTED = """
update conversations
set message_count = {last}, last_seq = {last}, last_turn = ({last} + 1) / 2, last_role = '{role}',
    extracted_through_seq = {last}, extracted_turn = ({last} + 1) / 2,
    token_count = token_count + {tokens}
where user_id = '{user_id}' and id = '{id}'
"""


class BulkWriter(Protocol):
    """Direct write access to a database."""

    def put(self, table: str, rows: Iterable[Row]) -> None: ...

    def terms(self, prefix: str, text: Text) -> str:
        """Return the terms in the database's own format."""
        ...

    def execute(self, statement: str) -> list[Row]: ...

    def begin(self, *, is_large: bool) -> None: ...

    def end(self, *, is_large: bool) -> None: ...

    def size(self) -> int:
        """Return the size on disk in bytes."""
        ...

    def close(self) -> None: ...


def bulk_writer_for(url: str) -> BulkWriter:
    dialect, address = parse_database_url(url)
    return SqliteBulkWriter(address) if dialect == "sqlite" else PostgresBulkWriter(address)


def fill(target: BulkWriter, parts: Iterable[Part], texts: Texts, *, with_vectors: bool) -> None:
    pieces = [piece for part in parts for piece in _cut(part)]
    is_large = sum(part.count for part in pieces) > _AT_ONCE
    target.begin(is_large=is_large)
    left = iter(pieces)
    while batch := _some(left):
        _put(target, batch, texts, with_vectors)
    target.end(is_large=is_large)


def _cut(part: Part) -> Iterator[Part]:
    for first in range(part.first, part.last + 1, _AT_ONCE):
        count = min(_AT_ONCE, part.last + 1 - first)
        yield replace(part, first=first, count=count)


def _some(pieces: Iterator[Part]) -> list[Part]:
    taken: list[Part] = []
    room = _AT_ONCE
    for part in pieces:
        taken.append(part)
        room -= part.count
        if room <= 0:
            break
    return taken


def _put(target: BulkWriter, parts: Sequence[Part], texts: Texts, with_vectors: bool) -> None:
    new = [part for part in parts if part.is_new]
    known = {row[0] for row in target.execute("select user_id from users")}
    users = {part.user_id for part in new} - known
    target.put("users", ((user_id, utc_text(_START)) for user_id in users))
    target.put("conversations", (_conversation(part, texts) for part in new))
    target.put("jobs", map(_job, new))
    target.put("embedding_progress", map(_progress, new))
    messages = [
        (part, seq, new_id(), _said(part, seq, texts)) for part in parts for seq in _seqs(part)
    ]
    target.put("messages", (_message(*one) for one in messages))
    target.put("documents", _documents(target, messages, new, texts))
    if with_vectors:
        target.put("embeddings", _embeddings(messages, texts))
    for part in parts:
        if not part.is_new:
            target.execute(
                _COUNTED.format(
                    last=part.last,
                    role=_role(part.last),
                    tokens=_tokens(part, texts),
                    user_id=part.user_id,
                    id=part.conversation_id,
                )
            )


CorpusMessage = tuple[Part, int, str, Text]


def _seqs(part: Part) -> range:
    return range(part.first, part.last + 1)


def _said(part: Part, seq: int, texts: Texts) -> Text:
    """Return the text; only the first measured message contains the rare word."""
    if part.is_measured:
        return texts.first if seq == 1 else texts.message(seq)
    return texts.message(seq + int(part.conversation_id[-6:], 16))


def _tokens(part: Part, texts: Texts) -> int:
    return sum(_said(part, seq, texts).tokens for seq in _seqs(part))


def _role(seq: int) -> str:
    return "user" if seq % 2 else "assistant"


def _at(seq: int) -> str:
    return utc_text(_START + seq * _BETWEEN)


def _conversation(part: Part, texts: Texts) -> Row:
    title = texts.message(part.count).content[:40]
    spent = _tokens(part, texts)
    last, turn = part.last, (part.last + 1) // 2
    at = _at(last)
    return (
        *(part.user_id, part.conversation_id, "chat", title, "auto", "chunked", True, title, "{}"),
        *(False, part.count, spent, last, turn, _role(last), 0, 0, last, turn, _at(0), at, at),
    )


def _job(part: Part) -> Row:
    """Finished jobs are kept for a day, so add one per conversation."""
    at = utc_text(datetime.now(UTC))
    id = part.conversation_id
    return part.user_id, new_id(), "topic", id, id, "null", "done", 1, at, at, at


def _progress(part: Part) -> Row:
    return part.user_id, part.conversation_id, MODEL, part.last


def _message(part: Part, seq: int, id: str, text: Text) -> Row:
    at = _at(seq)
    return (
        *(part.user_id, part.conversation_id, seq, id, (seq + 1) // 2, _role(seq), text.content),
        *("complete", "{}", text.tokens, False, at, at),
    )


def _documents(
    target: BulkWriter, messages: Sequence[CorpusMessage], new: Sequence[Part], texts: Texts
) -> Iterator[Row]:
    for part, seq, id, text in messages:
        terms = target.terms(search_index._prefix(part.user_id, "message"), text)
        chat = part.conversation_id
        end = len(text.content)
        yield part.user_id, "message", id, chat, _role(seq), _at(seq), text.length, end, terms
    for part in new:
        text = texts.message(part.count)
        terms = target.terms(search_index._prefix(part.user_id, "topic"), text)
        chat = part.conversation_id
        end = search_index.WHOLE_TEXT_END
        yield part.user_id, "topic", chat, chat, None, None, text.length, end, terms


def _embeddings(messages: Sequence[CorpusMessage], texts: Texts) -> Iterator[Row]:
    at = utc_text(_START)
    for (part, _, id, text), vector in zip(messages, texts.vectors(len(messages)), strict=True):
        chat = part.conversation_id
        yield part.user_id, "message", id, MODEL, chat, text.content, DIMENSIONS, vector, at


class SqliteBulkWriter:
    def __init__(self, path: str) -> None:
        self._connection = connect_sqlite(path)
        self._connection.pragma("synchronous", "off")
        self._connection.pragma("cache_size", -200_000)
        self._connection.execute(
            "insert into document_terms (document_terms, rank) values ('hashsize', 16000000)"
        )

    def put(self, table: str, rows: Iterable[Row]) -> None:
        with self._connection:
            if table == "documents":
                self._put_documents([*rows])
            elif table == "embeddings":
                self._insert(table, ((*row[:7], row[7].tobytes(), row[8]) for row in rows))
            else:
                self._insert(table, rows)

    def _put_documents(self, rows: Sequence[Row]) -> None:
        """Insert directly, without the view's trigger that checks for duplicates."""
        deleted = "(select doc from deleted_documents)"  # whose words may still be there
        self.execute(f"delete from document_terms where rowid in {deleted}")
        self.execute(f"delete from document_words where doc in {deleted}")
        self.execute("delete from deleted_documents")
        ((last,),) = self.execute("select coalesce(max(doc), 0) from documents")
        self._insert("documents", (row[:-1] for row in rows), without="terms")
        numbered = [*enumerate((row[-1] for row in rows), last + 1)]
        self._connection.executemany(
            "insert into document_words (doc, prefix, words) values (?, ?, ?)",
            (
                (doc, terms[:13], f" {terms}".replace(f" {terms[:13]}", " "))
                for doc, terms in numbered
            ),
        )
        self._connection.executemany(
            "insert into document_terms (rowid, terms) values (?, ?)", numbered
        )

    def _insert(self, table: str, rows: Iterable[Row], *, without: str = "") -> None:
        columns = [column for column in _COLUMNS[table].split() if column != without]
        places = ", ".join("?" * len(columns))
        self._connection.executemany(
            f"insert into {table} ({', '.join(columns)}) values ({places})", rows
        )

    def terms(self, prefix: str, text: Text) -> str:
        return " ".join([prefix + term for term, count in text.counts for _ in range(count)])

    def execute(self, statement: str) -> list[Row]:
        return [*self._connection.execute(statement)]

    def begin(self, *, is_large: bool) -> None: ...

    def end(self, *, is_large: bool) -> None:
        """No `analyze`: the engine does not run it either."""
        self._connection.execute("pragma wal_checkpoint(truncate)")

    def size(self) -> int:
        ((size,),) = self.execute(
            "select page_count * page_size from pragma_page_count, pragma_page_size"
        )
        return int(size)

    def close(self) -> None:
        self._connection.close()


class PostgresBulkWriter:
    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        for setting in ("synchronous_commit = off", "session_replication_role = replica"):
            self._connection.execute(f"set {setting}".encode())
        self._connection.execute("set maintenance_work_mem = '1GB'")

    def put(self, table: str, rows: Iterable[Row]) -> None:
        columns = _COLUMNS[table].split()
        statement = f"copy {table} ({', '.join(columns)}) from stdin"
        written: Callable[[Row], Sequence[Any]] = tuple
        with self._connection.cursor() as cursor:
            if table == "embeddings":
                statement, written = f"{statement} (format binary)", _binary
            with cursor.copy(statement.encode()) as copy:
                if table == "embeddings":
                    copy.set_types(_EMBEDDING_TYPES)
                for row in rows:
                    copy.write_row(written(row))

    def terms(self, prefix: str, text: Text) -> str:
        return " ".join(
            [
                f"'{prefix}{term}':{','.join(map(str, range(1, count + 1)))}"
                for term, count in text.counts
            ]
        )

    def execute(self, statement: str) -> list[Row]:
        cursor = self._connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []

    def begin(self, *, is_large: bool) -> None:
        if is_large:
            self.execute("drop index documents_by_term")

    def end(self, *, is_large: bool) -> None:
        if is_large:
            self.execute("create index documents_by_term on documents using gin (terms)")
        self.execute("vacuum analyze")
        self.execute("checkpoint")

    def size(self) -> int:
        ((size,),) = self.execute("select pg_database_size(current_database())")
        return int(size)

    def close(self) -> None:
        self._connection.close()


def _binary(row: Row) -> Sequence[Any]:
    """Encode a vector for COPY: length, two zero bytes, big-endian floats."""
    user_id, kind, owner, model, chat, text, dimensions, vector, at = row
    sent = np.array([dimensions, 0], ">i2").tobytes() + vector.astype(">f4").tobytes()
    when = datetime.fromisoformat(at)
    return user_id, kind, UUID(owner), model, UUID(chat), text, dimensions, sent, when
