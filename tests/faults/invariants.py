"""Checks the design's invariants by reading all tables.

Numbers refer to the invariants of the design. `tests.faults.faulty_model` checks the sixth: no
model call before the question is committed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from recollect import MessagesContext
from recollect.core.types import JobState
from recollect.sync import Recollect
from tests.faults.append_log import all_messages
from tests.faults.client_load import unpaired_tool_calls
from tests.faults.expected_state import ExpectedState, owners, words
from tests.faults.fault_report import Findings
from tests.raw import RawDatabase

_TABLES = {
    "sqlite": "select tables.name from sqlite_schema as tables, pragma_table_info(tables.name) as c"
    " where tables.type = 'table' and c.name = 'user_id'",
    "postgres": "select table_name from information_schema.columns where column_name = 'user_id'"
    " and table_schema = 'public'",
}
_INDEXED = "select distinct term from document_vocabulary"
_BUDGETS = (200, 1_000, 10_000)
QUESTION = "And now?"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of any table as text."""

    table: str
    user: str
    text: str


def check_invariants(url: str, expected: ExpectedState) -> Findings:
    """Return all violations; call it when the load is over and no job is pending."""
    raw = RawDatabase(url)
    lost, duplicated = _compare(raw, expected)
    rows = list(_rows(raw))
    with Recollect.open(url) as memory:
        broken = [
            *expected.wrong,
            *_numbers(raw),
            *_vectors_without_text(raw),
            *_unfinished(raw),
            *(one for chat in _conversations(raw) for one in _contexts(memory, *chat)),
            *_search_errors(memory, expected),
        ]
    return Findings(
        lost=tuple(lost),
        duplicated=tuple(duplicated),
        leaked=(
            *expected.leaks,
            *_rows_with_foreign_marks(rows),
            *_deleted_words_left(raw, rows, expected),
        ),
        broken=tuple(broken),
    )


def _compare(raw: RawDatabase, expected: ExpectedState) -> tuple[list[str], list[str]]:
    """1: acknowledged messages exist once, unchanged, with their seq."""
    stored = {
        str(id): (user, str(conversation), role, content, status, seq)
        for id, user, conversation, role, content, status, seq in raw.execute(
            "select id, user_id, conversation_id, role, content, status, seq from messages"
        )
    }
    lost = []
    for id, said in expected.said.items():
        *found, seq = stored.get(id, (None,))
        row = [said.user, said.conversation_id, said.role, said.content, "complete"]
        if found != row or said.seq not in (None, seq):
            lost.append(f"{said} is {stored.get(id)}")
    contents = Counter(message[:4] for message in stored.values())
    lost += [
        f"the question {said} is gone"
        for said in expected.asked
        if (said.user, said.conversation_id, said.role, said.content) not in contents
    ]
    kept = {str(id): text for id, text in raw.execute("select id, content from memories")}
    lost += [
        f"the memory {text!r} is {kept.get(id)!r}"
        for id, text in expected.memories.items()
        if kept.get(id) != text
    ]
    twice = [
        f"{message} is there {times} times"
        for message, times in contents.items()
        if times > 1 and words(message[3])
    ]
    return lost, twice


def _numbers(raw: RawDatabase) -> Iterator[str]:
    """1: seq is unique and the conversation's counters are right."""
    for id, messages, tokens, last, count, total, distinct, highest in raw.execute(
        "select conversations.id, message_count, token_count, last_seq, count(seq),"
        " coalesce(sum(tokens), 0), count(distinct seq), coalesce(max(seq), 0)"
        " from conversations left join messages on messages.user_id = conversations.user_id"
        " and messages.conversation_id = conversations.id"
        " group by conversations.id, message_count, token_count, last_seq"
    ):
        if not (messages == count == distinct and tokens == total and highest <= last):
            yield (
                f"conversation {id} says {messages} messages, {tokens} tokens up to {last},"
                f" and has {count}, {distinct} numbers, {total} tokens up to {highest}"
            )


def _contexts(memory: Recollect, user: str, chat: str) -> Iterator[str]:
    messages = all_messages(memory, chat, user)
    present = {message.seq for message in messages if message.superseded_at is None}
    through_seq = memory.summaries.get_summary(conversation_id=chat, user_id=user).through_seq
    undigested = {seq for seq in present if seq > through_seq}
    for budget in _BUDGETS:
        built = memory.contexts.build_context(
            QUESTION, conversation_id=chat, user_id=user, budget=budget
        )
        yield from (f"{chat}: {one}" for one in check_context(built, undigested, budget))


def check_context(built: MessagesContext, undigested: set[int], budget: int) -> Iterator[str]:
    """2 and 3: each message is covered, sent or named; the whole keeps its budget, holds no half of
    a tool call, and ends with the question."""
    named: set[int] = set()
    for item in built.receipt.items:
        if item.first_seq is not None:
            named.update(range(item.first_seq, (item.last_seq or item.first_seq) + 1))
    if missing := undigested - named:
        yield f"the receipt does not know of {sorted(missing)}"
    if built.receipt.memory_tokens > budget:
        yield f"{built.receipt.memory_tokens} tokens in a budget of {budget}"
    messages = built.messages
    if not messages or messages[-1]["content"] != QUESTION:
        yield "the context does not end with the question"
    if halves := unpaired_tool_calls(messages):
        yield f"the context has halves of {halves}"


def _vectors_without_text(raw: RawDatabase) -> Iterator[str]:
    """4: every vector has its text and an existing owner."""
    for kind, owner in raw.execute(
        "select kind, owner_id from embeddings where text = '' or not exists ("
        " select 1 from messages where messages.user_id = embeddings.user_id"
        " and messages.id = embeddings.owner_id and embeddings.kind = 'message' union all"
        " select 1 from memories where memories.user_id = embeddings.user_id"
        " and memories.id = embeddings.owner_id and embeddings.kind = 'memory' union all"
        " select 1 from conversations where conversations.user_id = embeddings.user_id"
        " and conversations.id = embeddings.owner_id and embeddings.kind = 'topic')"
    ):
        yield f"the vector of {kind} {owner} has no text, or nothing to stand for"


def _rows_with_foreign_marks(rows: list[Row]) -> Iterator[str]:
    """5: no row contains another user's text."""
    for row in rows:
        if foreign := owners(row.text) - {row.user.lower()}:
            yield f"{row.table} of {row.user} has something of {foreign}: {row.text[:500]}"


def _deleted_words_left(
    raw: RawDatabase, rows: list[Row], expected: ExpectedState
) -> Iterator[str]:
    """7: no table or index contains words of deleted texts."""
    for row in rows:
        if found := expected.deleted_words.intersection(words(row.text)):
            yield f"{row.table} still has the deleted {found}: {row.text[:500]}"
    if raw.dialect == "sqlite":  # on PostgreSQL the terms are in the rows of documents
        indexed = " ".join(term for (term,) in raw.execute(_INDEXED))
        if found := expected.deleted_words.intersection(words(indexed)):
            yield f"the index still has the deleted {found}"


def _unfinished(raw: RawDatabase) -> Iterator[str]:
    states: tuple[JobState, ...] = ("waiting", "running", "failed")
    for kind, state, error in raw.execute("select kind, state, last_error from jobs"):
        if state in states:
            yield f"a job is left: {kind}, {state}, {error}"
    for (id,) in raw.execute("select id from messages where status = 'streaming'"):
        yield f"the answer {id} never ended"


def _search_errors(memory: Recollect, expected: ExpectedState) -> Iterator[str]:
    """Search finds stored messages and no deleted ones."""
    users = {said.user for said in expected.said.values()}
    for word in sorted(expected.deleted_words)[::25]:
        for user in users:
            hits = memory.recall.search(word, user_id=user, kind="messages", limit=10)
            if any(word in words(hit.text) for hit in hits):
                yield f"the deleted {word} is found by {user}"
    for said in list(expected.said.values())[::25]:
        for word in words(said.content)[:1]:
            hits = memory.recall.search(word, user_id=said.user, kind="messages", limit=10)
            if not any(word in words(hit.text) for hit in hits):
                yield f"{word} of {said.user} is not found"


def _conversations(raw: RawDatabase) -> list[tuple[str, str]]:
    found = raw.execute("select user_id, id from conversations")
    return [(user, str(id)) for user, id in found]


def _rows(raw: RawDatabase) -> Iterator[Row]:
    for (table,) in raw.execute(_TABLES[raw.dialect]):
        if raw.dialect == "postgres":
            for user, text in raw.execute(f"select user_id, cast(t as text) from {table} as t"):
                yield Row(table, user, text)
            continue
        columns = [
            name for (name,) in raw.execute(f"select name from pragma_table_info('{table}')")
        ]
        for values in raw.execute(f"select user_id, {', '.join(columns)} from {table}"):
            yield Row(table, values[0], " ".join(_shown(value) for value in values[1:]))


def _shown(value: Any) -> str:
    return "" if isinstance(value, bytes) else str(value)
