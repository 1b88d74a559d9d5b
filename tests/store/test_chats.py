"""The view `chats` and the function `search_chats_semantic` on PostgreSQL."""

import json
import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from recollect import MessageIn, Settings
from recollect.sync import Recollect
from tests.conftest import PostgresServer
from tests.scripted_model import ScriptedModel

Connection = psycopg.Connection[tuple[Any, ...]]

NINE_COLUMNS = (
    *("id", "user_id", "title", "full_history", "assistant_history", "summary_text"),
    *("summary_embedding", "last_activity_at", "created_at"),
)


@pytest.fixture
def plain_url(postgres: PostgresServer) -> Iterator[str]:
    """A database whose owner is subject to row-level security."""
    url = postgres.create(migrated=False)
    parts = urlsplit(url)
    name = sql.Identifier(parts.path.lstrip("/"))
    plain = sql.Identifier(f"plain_{os.getpid()}")
    postgres.execute(sql.SQL("create role {} login").format(plain))
    postgres.execute(sql.SQL("grant recollect_app, recollect_system to {}").format(plain))
    postgres.execute(sql.SQL("alter database {} owner to {}").format(name, plain))
    with psycopg.connect(url) as connection:
        connection.execute("create extension vector")
    host = parts.netloc.rpartition("@")[2]
    yield urlunsplit(parts._replace(netloc=f"plain_{os.getpid()}@{host}"))
    postgres.drop(url)
    postgres.execute(sql.SQL("drop role {}").format(plain))


def test_chats_are_found_by_meaning_in_sql(plain_url: str) -> None:
    with ScriptedModel() as model:
        settings = Settings(
            database_url=plain_url,
            embedding_model="scripted",
            embedding_dimensions=8,
            embedding_base_url=model.url,
        )
        with Recollect.open(settings=settings) as memory:
            for user_id, title in (
                ("alice", "Trip to Lisbon"),
                ("alice", "Mortgage"),
                ("bob", "Lisbon too"),
            ):
                said = MessageIn(role="user", content=f"About: {title}")
                thought = MessageIn(role="assistant", content="Yes.", thinking="Hm.")
                chat = memory.conversations.create_conversation(
                    title, user_id=user_id, messages=[said], policy="window"
                )
                memory.conversations.add_message(thought, conversation_id=chat.id, user_id=user_id)
            memory.summaries.edit_summary(
                "They spoke of Lisbon.", conversation_id=chat.id, user_id="bob", version=0
            )
            memory.work()
            chat = memory.conversations.get_conversation(conversation_id=chat.id, user_id="bob")
        with psycopg.connect(plain_url) as connection:
            connection.execute("set role recollect_app")
            _become(connection, "alice")
            ((lisbon,),) = connection.execute(
                "select summary_embedding from chats where title = 'Trip to Lisbon'"
            ).fetchall()
            (title, nearest), (other, farther) = _found(connection, lisbon)
            assert (title, other) == ("Trip to Lisbon", "Mortgage")
            assert nearest == pytest.approx(0, abs=1e-6)
            assert _found(connection, lisbon, limit=1) == [(title, nearest)]
            assert _found(connection, lisbon, within=farther - 0.01) == [(title, nearest)]
            _become(connection, "")
            assert _found(connection, lisbon) == []
            _become(connection, "bob")
            found = connection.execute("select * from chats")
            (row,) = found.fetchall()
    assert tuple(column.name for column in found.description or ()) == NINE_COLUMNS
    id, owner, title, history, for_model, about, embedding, active_at, created_at = row
    assert (str(id), owner, title) == (chat.id, "bob", "Lisbon too")
    assert (active_at, created_at) == (chat.last_activity_at, chat.created_at)
    assert active_at > created_at
    assert about == f"{chat.title}\n{chat.topic}"
    assert len(json.loads(embedding)) == 8
    said, answered = history
    assert said == {"role": "user", "parts": [{"text": "About: Lisbon too"}]}
    assert answered == {"role": "model", "parts": [{"text": "Yes."}], "thinking": "Hm."}
    assert for_model[0] == {"role": "model", "parts": [{"text": "They spoke of Lisbon."}]}
    assert for_model[1:] == history


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
@pytest.mark.parametrize(
    "call",
    [
        "match_documents('message', array['x'], 1, null, null, null, null, 5)",
        "nearest_embeddings('m', 2, '[1,1]', 'message', null, null, null, null, 5)",
        "find_by_words('message', array['x'], 1, null, null, null, null, null, null, 5)",
        "find_by_meaning('m', 2, '[1,1]', 'message', null, null, null, null, null, null, 5)",
        "search_chats_semantic('[1,1]')",
    ],
)
def test_roles_without_table_access_learn_nothing_through_the_function(
    memory: Recollect, database_url: str, call: str
) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("create role outsider")
        connection.execute("grant usage on schema public to outsider")
        connection.execute("set local role outsider")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"select * from {call}".encode())
        connection.rollback()


def _become(connection: Connection, user_id: str) -> None:
    connection.execute("select set_config('recollect.user_id', %s, true)", (user_id,))


def _found(
    connection: Connection, vector: str, *, limit: int = 5, within: float = 2.0
) -> list[tuple[Any, ...]]:
    return connection.execute(
        "select title, distance from search_chats_semantic(%s::vector, %s, %s)",
        (vector, limit, within),
    ).fetchall()
