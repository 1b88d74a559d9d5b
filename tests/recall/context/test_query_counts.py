"""The number of queries for a context does not depend on the length of the conversation.

Nothing is indexed here: the cost of a search grows with the conversation, and `bench.search`
measures it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import apsw
import psycopg
import pytest
import sqlite_vec

from bench.context import TAIL, USER, fill
from recollect import Context, Memory, MemoryFilters, MessageIn, engine
from recollect.core.ids import new_id
from recollect.core.types import Row
from recollect.recall.search.retriever import MAX_CANDIDATES
from recollect.store import memories
from recollect.store.database import Run, SqlValue
from recollect.store.queries import load_queries, percent_parameters
from recollect.store.url import parse_database_url

T = TypeVar("T")

_MAX_QUERIES = 12
_FEW, _MANY = 100, 100_000
_FEW_KNOWN, _MANY_KNOWN = 50, 10_000
_NOW = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass
class Counted:
    """The queries that were run, with their parameters and number of rows."""

    calls: list[tuple[str, dict[str, SqlValue], int]] = field(default_factory=list)

    def watch(self, memory: engine.Recollect, monkeypatch: pytest.MonkeyPatch) -> None:
        read = memory._database.read

        async def counting_read(fn: Callable[[Run], T], *, user_id: str) -> T:
            return await read(lambda run: fn(self._counting(run)), user_id=user_id)

        monkeypatch.setattr(memory._database, "read", counting_read)

    def _counting(self, run: Run) -> Run:
        def counting(query: str, /, **params: SqlValue) -> list[Row]:
            given = dict(params)
            rows = run(query, **params)
            self.calls.append((query, given, len(rows)))
            return rows

        return counting

    @property
    def rows(self) -> list[tuple[str, int]]:
        return [(query, rows) for query, _, rows in self.calls]


def test_a_context_needs_the_same_queries_for_100_and_100_000_messages(
    own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = asyncio.run(_build_both(own_database, monkeypatch))
    for context in (few.context, many.context):
        sections = [item.section for item in context.receipt.items]
        assert sections.count("summary") == 2
        assert sections.count("tail") == TAIL
    assert few.counted.rows == many.counted.rows
    assert len(many.counted.calls) <= _MAX_QUERIES
    assert few.context.tokens == pytest.approx(many.context.tokens, rel=0.1)
    assert _visited(own_database, few.counted) == _visited(own_database, many.counted)


@dataclass(frozen=True)
class Built:
    context: Context
    counted: Counted


async def _build_both(url: str, monkeypatch: pytest.MonkeyPatch) -> list[Built]:
    built = []
    async with engine.Recollect.open(url) as memory:
        await memory.user(USER).conversation("another").add("Searched for passages, too.")
        for count in (_FEW, _MANY):
            chat = await memory.conversations.create_conversation(user_id=USER)
            await fill(url, chat.id, count)
            counted = Counted()
            with monkeypatch.context() as patch:
                counted.watch(memory, patch)
                context = await memory.contexts.build_context(
                    "And now?", conversation_id=chat.id, user_id=USER
                )
            built.append(Built(context, counted))
    return built


def _visited(url: str, counted: Counted) -> dict[str, int]:
    """Return the rows or steps that the database needed for each query."""
    dialect, address = parse_database_url(url)
    count = _sqlite_steps if dialect == "sqlite" else _postgres_rows
    statements = load_queries(dialect, str if dialect == "sqlite" else percent_parameters).user
    return {
        query: count(address, statements[query], {**params, "user_id": USER})
        for query, params, _ in counted.calls
    }


def _sqlite_steps(path: str, statement: str, params: dict[str, SqlValue]) -> int:
    steps: list[int] = []
    connection = apsw.Connection(path)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.trace_v2(
        apsw.SQLITE_TRACE_PROFILE,
        lambda event: steps.append(event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"]),
    )
    connection.execute(statement, params).fetchall()
    connection.close()
    return sum(steps)


def _postgres_rows(address: str, statement: str, params: dict[str, SqlValue]) -> int:
    with psycopg.connect(address) as session:
        explain = f"explain (analyze, costs off, timing off, format json) {statement}"
        ((plans,),) = session.execute(explain.encode(), params).fetchall()
    return sum(_rows_of(plan["Plan"]) for plan in plans)


def _rows_of(node: dict[str, Any]) -> int:
    rows = node["Actual Rows"] + node.get("Rows Removed by Filter", 0)
    below = sum(_rows_of(child) for child in node.get("Plans", ()))
    return int(rows * node["Actual Loops"]) + below


def test_10_000_memories_need_as_many_queries_as_50(
    own_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = asyncio.run(_ask_both(own_database, monkeypatch))
    assert few.keys() == many.keys()
    for call, counted in many.items():
        assert [query for query, _ in counted.rows] == [query for query, _ in few[call].rows], call
        most = max(rows for _, rows in counted.rows)
        assert most <= MAX_CANDIDATES, "no more is fetched than is looked at"
    assert [len(counted.calls) for counted in many.values()] == [1, 1, 1, 5, 11]


async def _ask_both(url: str, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Counted]]:
    asked = []
    async with engine.Recollect.open(url) as memory:
        for user, count in (("few", _FEW_KNOWN), ("many", _MANY_KNOWN)):
            await memory._database.write(partial(_know, user=user, count=count), user_id=user)
            said = [MessageIn(role="user", content="Hello")]
            chat = await memory.conversations.create_conversation(user_id=user, messages=said)
            asked.append(await _count_calls(memory, user, chat.id, monkeypatch))
    return asked


async def _count_calls(
    memory: engine.Recollect, user: str, chat: str, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Counted]:
    known = memory.memories
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "list": lambda: known.get_memories(user_id=user),
        "filter": lambda: known.get_memories(
            MemoryFilters(category="sevens", memory_type="fact", query="number 49"), user_id=user
        ),
        "filter by nothing there is": lambda: known.get_memories(
            MemoryFilters(query="xyz"), user_id=user
        ),
        "choose": lambda: known.get_context_memories("What about number 7?", user_id=user),
        "context": lambda: memory.contexts.build_context(
            "What about number 7?", conversation_id=chat, user_id=user
        ),
    }
    counts = {}
    for name, call in calls.items():
        counts[name] = Counted()
        with monkeypatch.context() as patch:
            counts[name].watch(memory, patch)
            await call()
    return counts


def _know(run: Run, user: str, count: int) -> None:
    memories.lock(run, now=_NOW)
    for number in range(count):
        memory = Memory(
            id=new_id(),
            user_id=user,
            memory_type="fact",
            category="sevens" if number % 7 == 0 else None,
            content=f"Knows number {number}",
            subject=None,
            attribute=None,
            author="user",
            source_conversation_id=None,
            source_message_id=None,
            created_at=_NOW,
            updated_at=_NOW,
            last_accessed_at=None,
            access_count=0,
            is_pinned=number < 3,
            is_archived=False,
            confidence=1.0,
            valid_from=_NOW,
            valid_to=None,
            confirmed_at=_NOW,
            superseded_by=None,
        )
        memories.insert(run, memory, actor="user", message_id=None, now=_NOW)
