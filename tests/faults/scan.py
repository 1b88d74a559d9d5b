"""Every promise that the tables can show, by reading all of them: the invariants of the design.

Numbers are those of its first section. The sixth, that no model is asked before what it is asked
about is on disk, is watched by the model itself, see `tests.faults.talking`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from recollect import Context
from recollect.core.types import JobState
from recollect.sync import Recollect
from tests.faults.facts import Facts, owners, words
from tests.faults.ledger import all_messages
from tests.faults.tally import Findings
from tests.faults.traffic import half_pairs
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
    """Of any table, as one text."""

    table: str
    user: str
    text: str


def scan(url: str, facts: Facts) -> Findings:
    """What is wrong once the load is over and nothing is owed any more."""
    raw = RawDatabase(url)
    lost, duplicated = _compare(raw, facts)
    rows = list(_rows(raw))
    with Recollect.open(url) as memory:
        broken = [
            *facts.wrong,
            *_numbers(raw),
            *_vectors_without_text(raw),
            *_unfinished(raw),
            *(one for chat in _conversations(raw) for one in _contexts(memory, *chat)),
            *_wrongly_found(memory, facts),
        ]
    return Findings(
        lost=tuple(lost),
        duplicated=tuple(duplicated),
        leaked=(*facts.leaks, *_foreign(rows), *_left_behind(raw, rows, facts)),
        broken=tuple(broken),
    )


def _compare(raw: RawDatabase, facts: Facts) -> tuple[list[str], list[str]]:
    """1: what was acknowledged is there, unchanged, in its place, and once."""
    stored = {
        str(id): (user, str(conversation), role, content, status, seq)
        for id, user, conversation, role, content, status, seq in raw.execute(
            "select id, user_id, conversation_id, role, content, status, seq from messages"
        )
    }
    lost = []
    for id, said in facts.said.items():
        *found, seq = stored.get(id, (None,))
        expected = [said.user, said.conversation_id, said.role, said.content, "complete"]
        if found != expected or said.seq not in (None, seq):
            lost.append(f"{said} is {stored.get(id)}")
    contents = Counter(message[:4] for message in stored.values())
    lost += [
        f"the question {said} is gone"
        for said in facts.asked
        if (said.user, said.conversation_id, said.role, said.content) not in contents
    ]
    kept = {str(id): text for id, text in raw.execute("select id, content from memories")}
    lost += [
        f"the memory {text!r} is {kept.get(id)!r}"
        for id, text in facts.memories.items()
        if kept.get(id) != text
    ]
    twice = [
        f"{message} is there {times} times"
        for message, times in contents.items()
        if times > 1 and words(message[3])
    ]
    return lost, twice


def _numbers(raw: RawDatabase) -> Iterator[str]:
    """1: they have no number twice, count as many as there are, and go as far as they say."""
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
        yield from (f"{chat}: {one}" for one in judge(built, undigested, budget))


def judge(built: Context, undigested: set[int], budget: int) -> Iterator[str]:
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
    messages = built.messages or ()
    if not messages or messages[-1]["content"] != QUESTION:
        yield "the context does not end with the question"
    if halves := half_pairs(messages):
        yield f"the context has halves of {halves}"


def _vectors_without_text(raw: RawDatabase) -> Iterator[str]:
    """4: every vector has its text beside it, and stands for something that is there."""
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


def _foreign(rows: list[Row]) -> Iterator[str]:
    """5: nothing of anybody's is among another's rows."""
    for row in rows:
        if foreign := owners(row.text) - {row.user.lower()}:
            yield f"{row.table} of {row.user} has something of {foreign}: {row.text[:500]}"


def _left_behind(raw: RawDatabase, rows: list[Row], facts: Facts) -> Iterator[str]:
    """7: of what was deleted, no word is left anywhere, nor in an index."""
    for row in rows:
        if found := facts.gone_words.intersection(words(row.text)):
            yield f"{row.table} still has the deleted {found}: {row.text[:500]}"
    if raw.dialect == "sqlite":  # on PostgreSQL, terms stand in their documents' rows
        indexed = " ".join(term for (term,) in raw.execute(_INDEXED))
        if found := facts.gone_words.intersection(words(indexed)):
            yield f"the index still has the deleted {found}"


def _unfinished(raw: RawDatabase) -> Iterator[str]:
    states: tuple[JobState, ...] = ("waiting", "running", "failed")
    for kind, state, error in raw.execute("select kind, state, last_error from jobs"):
        if state in states:
            yield f"a job is left: {kind}, {state}, {error}"
    for (id,) in raw.execute("select id from messages where status = 'streaming'"):
        yield f"the answer {id} never ended"


def _wrongly_found(memory: Recollect, facts: Facts) -> Iterator[str]:
    """What was said is found by its words, what was deleted is not."""
    users = {said.user for said in facts.said.values()}
    for word in sorted(facts.gone_words)[::25]:
        for user in users:
            hits = memory.recall.search(word, user_id=user, kind="messages", limit=10)
            if any(word in words(hit.text) for hit in hits):
                yield f"the deleted {word} is found by {user}"
    for said in list(facts.said.values())[::25]:
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
