"""Nobody reaches another user's rows: not through any store function, not through any query.

Every public function of the store is called as bob with alice's ids, and must find or change
nothing. A function that is missing from the table fails the test. On PostgreSQL row-level security
is tried on its own: a statement without a predicate must see its own user's rows only.
"""

import asyncio
import inspect
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from recollect import Conversation, Message, MessageIn, NotFound
from recollect.engine import open_database
from recollect.ids import new_id
from recollect.store import conversations, idempotency, keys, messages
from recollect.store.database import Run
from recollect.store.idempotency import Attempt
from recollect.store.queries import load_queries
from recollect.sync import Recollect
from tests.raw import RawDatabase

NOW = datetime(2030, 1, 1, tzinfo=UTC)
Call = Callable[[Run, Conversation, Message], object]

REACHES_NOTHING: dict[Callable[..., object], Call] = {
    conversations.get: lambda run, c, m: conversations.get(run, c.id),
    conversations.lock: lambda run, c, m: conversations.lock(run, c.id),
    conversations.find_history: lambda run, c, m: conversations.find_history(run),
    conversations.page: lambda run, c, m: conversations.page(
        run, archived=False, pattern="%", limit=9
    ),
    conversations.update: lambda run, c, m: conversations.update(run, c, search_text="", now=NOW),
    conversations.delete: lambda run, c, m: conversations.delete(run, c.id).messages,
    messages.claim_numbers: lambda run, c, m: messages.claim_numbers(
        run,
        c.id,
        count=1,
        inner_starts=0,
        opens_with_user=True,
        last_role="user",
        tokens=1,
        now="2030-01-01T00:00:00.000000Z",
    ),
    messages.get: lambda run, c, m: messages.get(run, m.id),
    messages.existing_rows: lambda run, c, m: messages.existing_rows(run, [m.id]),
    messages.page: lambda run, c, m: messages.page(run, c.id, order="asc", limit=9),
    messages.exists: lambda run, c, m: messages.exists(run, c.id, m.seq),
    messages.pin: lambda run, c, m: messages.pin(run, m.id, is_pinned=True),
    messages.count_through: lambda run, c, m: messages.count_through(run, c.id, m.seq),
    messages.expired: lambda run, c, m: messages.expired(run, c.id, max_turns=0, before=NOW),
    messages.delete: lambda run, c, m: messages.delete(run, m, now=NOW).summaries,
    idempotency.recall: lambda run, c, m: idempotency.recall(run, Attempt("s", "k", "h")),
}
MAKES_BOBS_OWN = {
    conversations.insert,
    conversations.lock_user,
    messages.rate,
    messages.copy,
    idempotency.claim,
    keys.insert,
}
LOOKS_ACROSS_USERS = {messages.overdue, keys.find, keys.count, keys.list_all, keys.revoke}
WITHOUT_ROWS = {keys.hash_key}


def test_every_store_function_is_in_the_table() -> None:
    public = {
        function
        for module in (conversations, messages, idempotency, keys)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert public == REACHES_NOTHING.keys() | MAKES_BOBS_OWN | LOOKS_ACROSS_USERS | WITHOUT_ROWS


@pytest.mark.parametrize("function", REACHES_NOTHING, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_another_users_rows_are_out_of_reach(
    memory: Recollect, database_url: str, function: Callable[..., object]
) -> None:
    conversation = memory.conversations.create_conversation("alice", "Secret")
    (message,) = memory.conversations.add_messages(
        conversation.id, "alice", [MessageIn(role="user", content="secret")], idempotency_key="k"
    )
    conversation = memory.conversations.get_conversation(conversation.id, "alice")

    def as_bob(run: Run) -> object:
        try:
            return REACHES_NOTHING[function](run, conversation, message)
        except NotFound:
            return None

    assert not _write(database_url, as_bob, user_id="bob")
    assert memory.conversations.get_conversation(conversation.id, "alice") == conversation
    assert list(memory.conversations.get_messages(conversation.id, "alice")) == [message]


@pytest.mark.parametrize("attack", ["message", "rating", "copy", "key"])
def test_nothing_of_ones_own_can_hang_on_another_users_rows(
    memory: Recollect, database_url: str, raw: RawDatabase, attack: str
) -> None:
    chat = memory.conversations.create_conversation(
        "alice", messages=[MessageIn(role="user", content="secret")]
    )
    (message,) = memory.conversations.get_messages(chat.id, "alice")
    own = memory.conversations.create_conversation("bob")
    tables = ("messages", "feedback", "idempotency_keys")
    before = {table: raw.count(table) for table in tables}

    def as_bob(run: Run) -> None:
        if attack == "message":
            row = raw_row(message)
            run("insert_message", **{**row, "id": new_id(), "seq": 2})
        elif attack == "rating":
            messages.rate(run, message.id, rating="up", note=None, now=NOW)
        elif attack == "copy":
            messages.copy(
                run, source_id=chat.id, target_id=own.id, through_seq=1, ids=[new_id()], now=NOW
            )
        else:
            idempotency.claim(
                run, Attempt("s", "k", "h"), conversation_id=chat.id, result=[], now=NOW
            )

    if attack == "copy":  # it finds nothing to copy
        _write(database_url, as_bob, user_id="bob")
        assert not memory.conversations.get_messages(own.id, "bob")
    else:
        with pytest.raises(NotFound):
            _write(database_url, as_bob, user_id="bob")
    assert {table: raw.count(table) for table in tables} == before


def test_every_user_query_has_the_user_in_its_predicate() -> None:
    for dialect in ("sqlite", "postgres"):
        for name, statement in load_queries(dialect).user.items():
            assert ":user_id" in statement, name
            tables = re.findall(r"\b(?:from|update) (?!\(|json|set)\w+", statement)
            assert statement.count("user_id = :user_id") >= len(tables), name


def test_system_queries_and_user_queries_do_not_mix(memory: Recollect, database_url: str) -> None:
    with pytest.raises(KeyError):
        _write(database_url, lambda run: run("list_api_keys"), user_id="alice")
    with pytest.raises(KeyError):
        _system(database_url, lambda run: run("get_conversation", id=new_id()))


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_row_level_security_holds_without_any_predicate(
    memory: Recollect, database_url: str, raw: RawDatabase
) -> None:
    for user_id in ("alice", "bob"):
        memory.conversations.create_conversation(
            user_id, messages=[MessageIn(role="user", content="x")]
        )
    protected = raw.execute(
        "select relname from pg_class"
        " where relkind = 'r' and relrowsecurity and relforcerowsecurity"
    )
    with_users = raw.execute(
        "select table_name from information_schema.columns"
        " where column_name = 'user_id' and table_schema = 'public'"
    )
    assert sorted(protected) == sorted(with_users)
    with psycopg.connect(database_url) as connection:
        connection.execute("set role recollect_app")
        assert _users_seen(connection) == []
        connection.execute("select set_config('recollect.user_id', 'bob', true)")
        assert _users_seen(connection) == ["bob"]
        changed = connection.execute("update messages set content = 'seen'")
        assert changed.rowcount == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("insert into users (user_id, created_at) values ('mallory', now())")


def _users_seen(connection: psycopg.Connection[tuple[str]]) -> Sequence[str]:
    return [user for (user,) in connection.execute("select distinct user_id from messages")]


def raw_row(message: Message) -> dict[str, Any]:
    """A message as the row it was stored as."""
    times = {"created_at": "2030-01-01T00:00:00.000000Z", "event_at": "2030-01-01T00:00:00.000000Z"}
    plain = {
        name: getattr(message, name)
        for name in (
            "conversation_id",
            "turn",
            "role",
            "content",
            "thinking",
            "status",
            "tool_calls",
            "suggested_values",
            "suggested_actions",
            "custom_payload",
            "model_variant",
            "tokens",
            "is_pinned",
        )
    }
    return {**plain, **times, "metadata": "{}"}


def _write(url: str, fn: Callable[[Run], object], *, user_id: str) -> object:
    async def go() -> object:
        database = await open_database(url)
        try:
            return await database.write(fn, user_id=user_id)
        finally:
            await database.close()

    return asyncio.run(go())


def _system(url: str, fn: Callable[[Run], object]) -> object:
    async def go() -> object:
        database = await open_database(url)
        try:
            return await database.system(fn)
        finally:
            await database.close()

    return asyncio.run(go())
