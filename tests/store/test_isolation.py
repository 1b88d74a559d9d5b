"""Isolation of users: no store function and no query reaches another user's rows.

Every public function of the store is called as bob with alice's ids, and must find or change
nothing. A function that is missing from the table fails the test. On PostgreSQL row-level security
is tried on its own: a statement without a predicate must see its own user's rows only.
"""

import asyncio
import importlib
import inspect
import pkgutil
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from recollect import (
    Conversation,
    Job,
    Memory,
    MemoryEvent,
    MemoryFilters,
    MemoryIn,
    Message,
    MessageIn,
    NotFound,
    Summary,
    store,
)
from recollect.core.ids import new_id
from recollect.engine import open_database
from recollect.language.normalize import content_hash
from recollect.store import (
    answers,
    api_keys,
    audit,
    conversations,
    extraction_progress,
    idempotency,
    jobs,
    memories,
    messages,
    search,
    search_index,
    summaries,
    usage,
    users,
    vectors,
)
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest
from recollect.store.migrations import known_migrations
from recollect.store.queries import load_queries
from recollect.store.search_index import Filters
from recollect.store.vectors import EmbeddedText
from recollect.sync import Recollect
from tests.raw import RawDatabase

OWNED = {
    table
    for dialect in ("sqlite", "postgres")
    for migration in known_migrations(dialect)
    for table in re.findall(r"create table (\w+) \((?:\n    doc .*)?\n    user_id", migration.sql)
}
NOW = datetime(2030, 1, 1, tzinfo=UTC)
AT = "2030-01-01T00:00:00.000000Z"
LATER = datetime(2031, 1, 1, tzinfo=UTC)
SEEN = answers.AnswerDraft(content="seen")
NO_ID = "00000000-0000-0000-0000-000000000000"
GONE_ID = "00000000-0000-7000-8000-000000000001"
LAST_ID = NO_ID.replace("0", "f")
VECTOR = vectors.QueryVector("m", [1.0] + [0.0] * 7)


@dataclass(frozen=True, slots=True)
class Theirs:
    """Alice's rows."""

    chat: Conversation
    message: Message
    answer: Message
    """Streaming."""
    summary: Summary
    job: Job
    """Failed; another one is waiting."""
    memory: Memory
    """Pinned, and changed once."""
    older: Memory
    """Superseded by `memory`."""
    event: MemoryEvent


def _waiting(run: Run, its: Theirs) -> Job | None:
    try:
        return jobs.get_waiting(run, "extract", its.chat.id)
    except ValueError:  # it is asked for right after it was owed, so there is one
        return None


StoreCall = Callable[[Run, Theirs], object]
Rows = dict[str, list[tuple[Any, ...]]]

REACHES_NOTHING: dict[Callable[..., object] | str, StoreCall] = {
    answers.open_answer: lambda run, its: answers.open_answer(
        run, its.chat.id, new_id(), variant="v", owner="o", now=NOW
    ),
    answers.flush: lambda run, its: (
        answers.flush(run, its.answer.id, SEEN, owner="o", now=NOW) != "lost"
    ),
    answers.finish: lambda run, its: answers.finish(
        run, its.answer, SEEN, owner="o", status="complete", metadata={}, now=NOW
    ),
    answers.mark_interrupted: lambda run, its: answers.mark_interrupted(
        run, its.answer, tokens=1, now=LATER
    ),
    answers.add_tokens: lambda run, its: answers.add_tokens(run, its.answer, tokens=1, now=NOW),
    answers.request_stop: lambda run, its: answers.request_stop(run, its.answer.id, now=NOW),
    answers.find_streaming: lambda run, its: answers.find_streaming(run, its.chat.id),
    answers.mark_answering: lambda run, its: any(
        one.is_answering for one in answers.mark_answering(run, [its.chat], now=NOW)
    ),
    answers.find_last: lambda run, its: answers.find_last(run, its.chat.id),
    answers.find_question: lambda run, its: answers.find_question(run, its.answer),
    answers.supersede: lambda run, its: (
        answers.supersede(run, its.chat.id, from_seq=1, now=NOW).embeddings
    ),
    answers.has_active_between: lambda run, its: answers.has_active_between(
        run, its.answer, from_seq=1
    ),
    messages.iter_active: lambda run, its: list(messages.iter_active(run, its.chat.id)),
    messages.find_last: lambda run, its: messages.find_last(run, its.chat.id, role="user"),
    messages.last_user_seq: lambda run, its: messages.last_user_seq(run, its.chat.id),
    conversations.get: lambda run, its: conversations.get(run, its.chat.id),
    conversations.find: lambda run, its: conversations.find(run, its.chat.id),
    conversations.find_key: lambda run, its: conversations.find_key(run, "lisbon"),
    conversations.by_id_or_key: lambda run, its: conversations.by_id_or_key(
        run, "lisbon", lambda id: id
    ),
    conversations.lock: lambda run, its: conversations.lock(run, its.chat.id),
    conversations.find_history: lambda run, its: conversations.find_history(run),
    conversations.page: lambda run, its: conversations.page(
        run, archived=False, pattern="%", limit=9
    ),
    conversations.update: lambda run, its: conversations.update(run, its.chat, now=NOW),
    conversations.set_topic: lambda run, its: conversations.set_topic(
        run, replace(its.chat, topic="seen"), now=NOW
    ),
    conversations.clear_topic: lambda run, its: conversations.clear_topic(
        run, its.chat.id, now=NOW
    ),
    idempotency.retire: lambda run, its: idempotency.retire(run, its.chat.id, now=NOW),
    audit.page: lambda run, its: audit.page(run, limit=9),
    conversations.deleted_at: lambda run, its: conversations.deleted_at(run, GONE_ID),
    conversations.delete_tombstone: lambda run, its: conversations.delete_tombstone(run, GONE_ID),
    conversations.delete: lambda run, its: conversations.delete(run, its.chat.id, now=NOW).messages,
    messages.reserve_seqs: lambda run, its: messages.reserve_seqs(
        run,
        its.chat.id,
        count=1,
        inner_starts=0,
        opens_with_user=True,
        last_role="user",
        tokens=1,
        now=AT,
    ),
    messages.get: lambda run, its: messages.get(run, its.message.id),
    messages.find_rows: lambda run, its: messages.find_rows(run, [its.message.id]),
    messages.page: lambda run, its: messages.page(run, its.chat.id, order="asc", limit=9),
    messages.page_within: lambda run, its: messages.page_within(
        run, its.chat.id, order="asc", limit=9, max_bytes=1_000_000
    )[0],
    messages.backlog: lambda run, its: messages.backlog(run, its.chat.id, through_seq=0, limit=9),
    messages.list_between: lambda run, its: messages.list_between(
        run, its.chat.id, through_seq=0, before_seq=9, limit=9
    ),
    messages.tail_start: lambda run, its: messages.tail_start(
        run, its.chat.id, through_seq=0, keep_turns=1
    ),
    messages.texts: lambda run, its: messages.texts(run, [its.message.id]),
    messages.system_texts: lambda run, its: messages.system_texts(run, its.chat.id, limit=9),
    messages.turn_of: lambda run, its: messages.turn_of(run, its.chat.id, seq=1, turn=1),
    messages.turn_at: lambda run, its: messages.turn_at(run, its.chat.id, -1),
    messages.turn_numbered: lambda run, its: messages.turn_numbered(run, its.chat.id, 1),
    messages.pinned: lambda run, its: messages.pinned(run, its.chat.id),
    messages.pinned_tokens: lambda run, its: messages.pinned_tokens(run, its.chat.id),
    messages.find_by_seq: lambda run, its: messages.find_by_seq(run, its.chat.id, its.message.seq),
    messages.pin: lambda run, its: messages.pin(run, its.message.id, is_pinned=False),
    messages.count_through: lambda run, its: messages.count_through(
        run, its.chat.id, its.message.seq
    ),
    messages.expired: lambda run, its: messages.expired(run, its.chat.id, max_turns=1, before=NOW),
    messages.delete: lambda run, its: messages.delete(run, its.message, now=NOW).summaries,
    summaries.get_state: lambda run, its: summaries.get_state(run, its.chat.id),
    summaries.current: lambda run, its: summaries.current(run, its.chat.id),
    summaries.get: lambda run, its: summaries.get(run, its.chat.id, its.summary.version),
    summaries.page: lambda run, its: summaries.page(run, its.chat.id, limit=9),
    summaries.find_last_covered: lambda run, its: any(
        summaries.find_last_covered(run, its.chat.id, 9)
    ),
    summaries.clear_current: lambda run, its: summaries.clear_current(run, its.chat.id),
    summaries.delete_covering: lambda run, its: summaries.delete_covering(
        run, its.chat.id, 0, now=NOW
    ),
    jobs.get: lambda run, its: jobs.get(run, its.job.id),
    jobs.page: lambda run, its: jobs.page(run, limit=9),
    jobs.retry: lambda run, its: jobs.retry(run, its.job.id, now=NOW),
    jobs.expedite: lambda run, its: jobs.expedite(run, "extract", its.chat.id, now=NOW),
    jobs.get_waiting: _waiting,
    jobs.cancel_pending: lambda run, its: jobs.cancel_pending(run, "extract", its.chat.id),
    usage.find_receipt: lambda run, its: usage.find_receipt(run, its.message.id),
    usage.last_prefix: lambda run, its: usage.last_prefix(run, its.chat.id),
    usage.get_receipt: lambda run, its: usage.get_receipt(run, its.message.id),
    usage.message_sizes: lambda run, its: (
        usage.message_sizes(run, its.chat.id) + usage.message_sizes(run, None)
    ),
    usage.summary_versions: lambda run, its: (
        usage.summary_versions(run, its.chat.id) + usage.summary_versions(run, None)
    ),
    usage.feedback: lambda run, its: usage.feedback(run, its.chat.id) + usage.feedback(run, None),
    usage.calls_by_day: lambda run, its: (
        usage.calls_by_day(run, its.chat.id) + usage.calls_by_day(run, None)
    ),
    idempotency.find_result: lambda run, its: idempotency.find_result(
        run, IdempotentRequest("s", "k", "h")
    ),
    idempotency.replace_result: lambda run, its: idempotency.replace_result(
        run, IdempotentRequest("conversations", "k", "h"), ["seen"]
    ),
    search.scope: lambda run, its: search.scope(run, its.chat.id).messages,
    search.search: lambda run, its: search.search(
        run,
        "message",
        terms=["secret"],
        vector=VECTOR,
        user_id="alice",
        filters=Filters(),
        among=2,
        limit=9,
    ),
    search.nearest: lambda run, its: search.nearest(run, "message", VECTOR, limit=9),
    search.texts: lambda run, its: search.texts(run, [its.message.id]),
    search.titles: lambda run, its: search.titles(run, [its.chat.id]),
    search_index.has_conversations: lambda run, its: search_index.has_conversations(
        run, Filters(other_than=NO_ID)
    ),
    search_index.split_whole_messages: lambda run, its: search_index.split_whole_messages(
        run, [its.message], user_id="bob"
    ),
    search_index.delete: lambda run, its: search_index.delete(run, "message", its.message.id),
    memories.get: lambda run, its: memories.get(run, its.memory.id),
    memories.page: lambda run, its: memories.page(run, MemoryFilters(), limit=9),
    memories.pinned: lambda run, its: memories.pinned(run),
    memories.recent: lambda run, its: memories.recent(run, limit=9),
    memories.current: lambda run, its: memories.current(run, [its.memory.id]),
    memories.find_related: lambda run, its: memories.find_related(
        run, texts=["secret"], keys=[("user", "home")], ids=[its.memory.id]
    ),
    memories.find_conflicting: lambda run, its: memories.find_conflicting(
        run, replace(its.memory, id=new_id())
    ),
    memories.list_superseded_by: lambda run, its: memories.list_superseded_by(run, its.memory.id),
    memories.delete: lambda run, its: memories.delete(run, its.memory, now=NOW).embeddings,
    memories.detach_sources: lambda run, its: (
        memories.detach_sources(run, its.memory).source_message_id
    ),
    memories.sources: lambda run, its: any(memories.sources(run, [its.memory.id]).values()),
    memories.find_tombstones: lambda run, its: (
        memories.find_tombstones(run, user_id="alice", texts=["gone"], message_ids=[])
        + memories.find_tombstones(run, user_id="alice", texts=[], message_ids=[its.message.id])
    ),
    memories.find_existing_hashes: lambda run, its: memories.find_existing_hashes(
        run, [content_hash("secret")]
    ),
    memories.events: lambda run, its: memories.events(run, its.memory.id, limit=9),
    memories.find_undoable_event: lambda run, its: memories.find_undoable_event(run, its.memory.id),
    memories.find_superseding_event: lambda run, its: memories.find_superseding_event(
        run, its.older.id
    ),
    memories.mark_undone: lambda run, its: memories.mark_undone(run, its.event, now=NOW),
    memories.list_extracted_since: lambda run, its: memories.list_extracted_since(
        run, its.chat.id, NO_ID
    ),
    memories.record_access: lambda run, its: memories.record_access(
        run, its.memory.id, count=1, at=NOW
    ),
    extraction_progress.get: lambda run, its: extraction_progress.get(run, its.chat.id),
    extraction_progress.set_progress: lambda run, its: extraction_progress.set_progress(
        run, its.chat.id, through_seq=2, turn=1
    ),
    extraction_progress.skip_to_end: lambda run, its: extraction_progress.skip_to_end(
        run, its.chat.id
    ),
    memories.unlink_message: lambda run, its: (
        memories.unlink_message(run, its.message.id, now=NOW).memories
    ),
    memories.list_from_conversation: lambda run, its: memories.list_from_conversation(
        run, its.chat.id
    ),
    memories.unlink_conversation: lambda run, its: (
        memories.unlink_conversation(run, its.chat.id, now=NOW).memories
    ),
    vectors.embedded_text: lambda run, its: vectors.embedded_text(
        run, "message", its.message.id, model="m"
    ),
    vectors.replace_messages: lambda run, its: vectors.replace_messages(
        run,
        "m",
        [its.message.id],
        [EmbeddedText(kind="message", owner_id=its.message.id, text="seen", vector=VECTOR.vector)],
        now=NOW,
    ),
    vectors.put: lambda run, its: vectors.put(
        run,
        "n",
        [EmbeddedText(kind="message", owner_id=its.message.id, text="seen", vector=VECTOR.vector)],
        now=NOW,
    ),
    vectors.get_progress: lambda run, its: vectors.get_progress(run, its.chat.id, "m"),
    vectors.rewind: lambda run, its: vectors.rewind(run, its.chat.id, through_seq=0),
    vectors.unembedded_memories: lambda run, its: vectors.unembedded_memories(run, "n", limit=9),
    users.count_rows: lambda run, its: any(asdict(users.count_rows(run)).values()),
    users.delete: lambda run, its: users.delete(run),
}


def _messages_of(its: Theirs) -> dict[str, Any]:
    return {"conversation_id": its.chat.id, "after_seq": 0, "through_seq": 9}


def _summaries_of(its: Theirs) -> dict[str, Any]:
    return {"conversation_id": its.chat.id, "after_version": 0, "through_version": 9}


TRANSFER_QUERIES: dict[str, Callable[[Theirs], dict[str, Any]]] = {
    "export_conversation_sizes": lambda its: {"after_id": NO_ID, "limit": 9},
    "export_conversations": lambda its: {"after_id": NO_ID, "through_id": LAST_ID},
    "export_message_sizes": lambda its: {**_messages_of(its), "limit": 9},
    "export_messages": _messages_of,
    "export_receipts": lambda its: {
        "conversation_id": its.chat.id,
        "first_seq": 1,
        "last_seq": 9,
    },
    "export_feedback": lambda its: {"conversation_id": its.chat.id, "first_seq": 1, "last_seq": 9},
    "export_summary_sizes": lambda its: {**_summaries_of(its), "limit": 9},
    "export_summaries": _summaries_of,
    "export_memories": lambda its: {"after_id": NO_ID, "limit": 9},
    "export_memory_sources": lambda its: {"memory_id": its.older.id},
    "export_memory_events": lambda its: {
        "memory_id": its.memory.id,
        "after_id": NO_ID,
        "limit": 9,
    },
    "export_tombstones": lambda its: {"after_id": NO_ID, "limit": 9},
    "export_conversation_tombstones": lambda its: {"after_id": NO_ID, "limit": 9},
    "export_model_call_sizes": lambda its: {"after_id": NO_ID, "limit": 9},
    "export_model_calls": lambda its: {"after_id": NO_ID, "through_id": LAST_ID},
    "get_last_numbers": lambda its: {"id": its.chat.id},
    "list_message_numbers": lambda its: {"conversation_id": its.chat.id},
    "reinstate_message": lambda its: {"id": its.message.id},
    "extend_conversation": lambda its: {
        "id": its.chat.id,
        **dict.fromkeys(("messages", "tokens", "superseded_messages", "superseded_tokens"), 1),
        "is_read": True,
        "last_seq": 99,
        "last_turn": 99,
        "last_role": "user",
        "updated_at": AT,
        "last_activity_at": AT,
    },
}
"""The queries of `recollect.transfer`, besides those that insert rows."""


def _running(query: str) -> StoreCall:
    return lambda run, its: run(query, **TRANSFER_QUERIES[query](its))


CALLS = REACHES_NOTHING | {query: _running(query) for query in TRANSFER_QUERIES}
MAKES_BOBS_OWN = {
    search_index.put,
    search_index.put_messages,
    search_index.put_parts,
    search_index.put_topic,
    search_index.delete_orphans,
    vectors.set_progress,
    conversations.insert,
    conversations.insert_tombstone,
    conversations.lock_user,
    users.lock,
    messages.rate,
    messages.copy,
    summaries.insert,
    jobs.enqueue,
    memories.lock,
    memories.insert,
    memories.add_source,
    memories.copy_sources,
    memories.update,
    memories.insert_tombstones,
    memories.index,
    usage.insert_call,
    usage.put_receipt,
    idempotency.store_result,
    api_keys.insert,
}
LOOKS_ACROSS_USERS = {
    answers.list_expired,
    idempotency.delete_retired,
    conversations.page_of_all,
    vectors.list_embedders,
    vectors.register,
    vectors.activate_if_complete,
    vectors.list_unregistered,
    vectors.delete_batch,
    vectors.unembedded_conversations,
    vectors.users_with_unembedded_memories,
    messages.list_over_retention,
    jobs.claim,
    jobs.extend_lease,
    jobs.finish,
    jobs.reschedule,
    jobs.release,
    jobs.reset_future_jobs,
    jobs.delete_finished,
    jobs.count,
    jobs.count_pending_index_jobs,
    jobs.delete_failed_embeds,
    jobs.next_run_at,
    jobs.list_missing_digests,
    jobs.list_missing_extractions,
    memories.list_users,
    search_index.list_unsplit_conversations,
    usage.totals_by_model,
    audit.insert,
    audit.page_of_all,
    audit.delete_older,
    api_keys.find,
    api_keys.get,
    api_keys.expire,
    api_keys.record_uses,
    api_keys.count,
    api_keys.keep_auth_required,
    api_keys.page,
    api_keys.revoke,
}
WITHOUT_ROWS = {
    idempotency.external_scope,
    search.cosine,
    search_index.message_parts,
    search_index.message_passages,
    search_index.part_id,
    search_index.passage_text,
    search_index.prepare_parts,
    search_index.searchable_text,
    search_index.stored_terms,
    search_index.speaker_of,
    search_index.topic_text,
    api_keys.hash_key,
    memories.columns,
    memories.revert,
}
LEAVES_NO_TRACE = {conversations.lock, conversations.find_history, idempotency.find_result}
"""These change nothing and return nothing for alice either."""


def test_every_store_function_is_in_the_table() -> None:
    public = {function for functions in _modules() for function in functions}
    assert public == REACHES_NOTHING.keys() | MAKES_BOBS_OWN | LOOKS_ACROSS_USERS | WITHOUT_ROWS


def test_every_transfer_query_is_in_the_table() -> None:
    file = Path(store.__path__[0], "sql", "shared", "transfer.sql")
    names = {*re.findall(r"^-- name: (\w+)", file.read_text(), re.MULTILINE)}
    inserts = {name for name in names if name.startswith("restore_")}
    assert names - inserts == TRANSFER_QUERIES.keys()


def _modules() -> Iterator[set[Callable[..., object]]]:
    """The public functions of each store module with a function that takes `run`."""
    for found in pkgutil.iter_modules(store.__path__, "recollect.store."):
        module = importlib.import_module(found.name)
        public: set[Callable[..., object]] = {
            function
            for name, function in inspect.getmembers(module, inspect.isfunction)
            if function.__module__ == module.__name__ and not name.startswith("_")
        }
        if any("run" in inspect.signature(function).parameters for function in public):
            yield public


def test_other_users_rows_are_unreachable(
    memory: Recollect, database_url: str, raw: RawDatabase
) -> None:
    its = _alices(memory, database_url, raw)
    before = _everything(raw)
    for function, call in CALLS.items():

        def as_bob(run: Run, call: StoreCall = call) -> object:
            try:
                return call(run, its)
            except NotFound:
                return None

        assert not _write_in(memory, as_bob, user_id="bob"), function
        assert _everything(raw) == before, function


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_own_rows_are_reachable(
    memory: Recollect, database_url: str, raw: RawDatabase, tmp_path: Path
) -> None:
    """Proves that each line of the table would reach the rows of their owner."""
    its = _alices(memory, database_url, raw)
    before = _everything(raw)
    memory.close()
    original = tmp_path / "recollect.db"
    for number, function in enumerate(CALLS.keys() - LEAVES_NO_TRACE):
        copy = tmp_path / f"{number}.db"
        shutil.copy(original, copy)
        url = f"sqlite:///{copy}"
        call = CALLS[function]
        found = _write(url, lambda run, call=call: call(run, its), user_id="alice")  # type: ignore[misc]
        assert found or _everything(RawDatabase(url)) != before, function


@pytest.mark.parametrize(
    "attack",
    [
        *("message", "rating", "copy", "summary", "job", "call", "receipt", "key"),
        *("memory", "memory of a chat", "source", "source of theirs", "change", "burial"),
        *("restored message", "restored event", "restored receipt"),
    ],
)
def test_rows_cannot_refer_to_other_users_rows(
    memory: Recollect, database_url: str, raw: RawDatabase, attack: str
) -> None:
    its = _alices(memory, database_url, raw)
    chat, message = its.chat, its.message
    own = memory.conversations.create_conversation(user_id="bob")
    mine = replace(its.memory, id=new_id(), user_id="bob", source_message_id=None)
    before = _everything(raw)

    def as_bob(run: Run) -> None:
        match attack:
            case "message":
                run("insert_message", **{**raw_row(message), "id": new_id(), "seq": 9})
            case "restored message":
                row = {**raw_row(message), "id": new_id(), "seq": 9, "superseded_at": None}
                row.pop("conversation_id")
                run("restore_message", conversation_id=chat.id, **row)
            case "restored event":
                columns = ("action", "actor", "before", "after", "source_message_id", "undone_at")
                event = dict.fromkeys(columns) | {"action": "created", "actor": "user"}
                row = {**event, "id": new_id(), "after": "{}", "created_at": AT}
                run("insert_memory_event", memory_id=its.memory.id, **row)
            case "restored receipt":
                row = {"receipt": "{}", "mode": "full", "tokens": 1, "full_history_tokens": 1}
                row |= {"prefix": "[]", "unchanged_tokens": 0, "cached_tokens": None}
                receipt = {**row, "message_id": message.id, "created_at": AT}
                run("put_receipt", conversation_id=own.id, **receipt)
            case "rating":
                messages.rate(run, message.id, rating="up", note=None, mode="compressed", now=NOW)
            case "copy":
                messages.copy(
                    run,
                    source_id=chat.id,
                    target_id=own.id,
                    through_seq=1,
                    as_of=None,
                    ids=[new_id()],
                    now=NOW,
                )
            case "summary":
                summaries.insert(run, replace(its.summary, version=9))
            case "job":
                jobs.enqueue(run, "digest", chat.id, run_at=NOW, now=NOW)
            case "call":
                _call(run, chat.id)
            case "receipt":
                _put_receipt(run, message)
            case "memory":
                _remember(run, replace(mine, source_message_id=message.id), message_id=None)
            case "memory of a chat":
                _remember(run, mine, message_id=None)
            case "source":
                _remember(run, replace(mine, source_conversation_id=own.id), message_id=message.id)
            case "source of theirs":
                memories.add_source(run, its.memory.id, message.id, now=NOW)
            case "change":
                seen = replace(its.memory, content="seen", is_archived=True)
                memories.update(run, its.memory, seen, action="updated", actor="user", now=NOW)
            case "burial":
                memories.insert_tombstones(run, its.memory, now=NOW)
            case _:
                attempt = IdempotentRequest("s", "k", "h")
                idempotency.store_result(run, attempt, conversation_id=chat.id, result=[], now=NOW)

    if attack in ("call", "burial"):  # these are bob's, and hang on nothing
        _write(database_url, as_bob, user_id="bob")
        assert _of("alice", _everything(raw)) == _of("alice", before)
    else:
        with pytest.raises(NotFound):
            _write(database_url, as_bob, user_id="bob")
        assert _everything(raw) == before


def test_every_user_query_has_the_user_in_its_predicate() -> None:
    for dialect in ("sqlite", "postgres"):
        for name, statement in load_queries(dialect).user.items():
            assert ":user_id" in statement, name
            tables = [
                table
                for table in re.findall(r"\b(?:from|update) (\w+)", statement)
                if table in OWNED
            ]
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
            user_id=user_id, messages=[MessageIn(role="user", content="x")]
        )
    protected = raw.execute(
        "select relname from pg_class"
        " where relkind = 'r' and relrowsecurity and relforcerowsecurity"
    )
    with_users = raw.execute(
        "select table_name from information_schema.columns"
        " where column_name = 'user_id' and table_schema = 'public' and table_name <> 'chats'"
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


def _alices(memory: Recollect, database_url: str, raw: RawDatabase) -> Theirs:
    """Create one row of every kind."""
    chat = memory.conversations.create_conversation(
        "Secret",
        user_id="alice",
        external_id="lisbon",
        messages=[
            MessageIn(role="user", content="An older turn,"),
            MessageIn(role="assistant", content="in which nobody writes."),
            MessageIn(role="user", content="secret", is_pinned=True),
            MessageIn(role="assistant", content="kept"),
            MessageIn(role="system", content="Keep it a secret."),
        ],
        idempotency_key="k",
    )
    *_, question, answer, _ = memory.conversations.get_messages(
        conversation_id=chat.id, user_id="alice"
    )
    memory.summaries.edit_summary(
        "They have a secret.", conversation_id=chat.id, user_id="alice", version=0
    )
    memory.conversations.rate_message(message_id=answer.id, user_id="alice", rating="up")

    answer_id = new_id()

    def use(run: Run) -> None:
        answers.open_answer(run, chat.id, answer_id, variant="v", owner="o", now=NOW)
        _call(run, chat.id)
        _put_receipt(run, question)
        run("set_topic", id=chat.id, topic="secrets", title="Secret", search_text="secret", now=AT)
        secret = EmbeddedText(
            kind="message", owner_id=question.id, text="secret", vector=VECTOR.vector
        )
        vectors.put(run, "m", [secret], now=NOW)
        vectors.set_progress(run, chat.id, "m", read_from=0, through_seq=2)

        memories.lock(run, now=NOW)
        _remember_more(run, known)

    new = MemoryIn(memory_type="fact", content="secret", source_message_id=question.id)
    known = memory.memories.create_memory(new, user_id="alice")
    _write(database_url, use, user_id="alice")
    memory.audit.record(user_id="alice", actor="cli", action="read", operation="list")
    memory.audit.flush()
    memory.memories.request_extraction(conversation_id=chat.id, user_id="alice")
    raw.execute("update jobs set state = 'failed', last_error = 'secret' where kind <> 'extract'")
    raw.execute("update documents set end_offset = 2147483647 where kind = 'message'")
    (job,) = memory.jobs.list_jobs(user_id="alice", state="failed")
    *_, created = memory.memories.get_history(memory_id=known.id, user_id="alice")
    (older,) = memory.memories.get_memories(MemoryFilters(superseded=True), user_id="alice")
    return Theirs(
        memory.conversations.get_conversation(conversation_id=chat.id, user_id="alice"),
        question,
        memory.conversations.get_message(message_id=answer_id, user_id="alice"),
        memory.summaries.get_summary(conversation_id=chat.id, user_id="alice"),
        job,
        memory.memories.get_memory(memory_id=known.id, user_id="alice"),
        older,
        created,
    )


def _remember_more(run: Run, known: Memory) -> None:
    """Add a superseded, another and a deleted memory, and a deleted conversation."""
    home = replace(known, subject="user", attribute="home", is_pinned=True)
    before = replace(known, id=new_id(), content="before")
    superseded = replace(before, valid_to=NOW, superseded_by=known.id)
    other = replace(known, id=new_id(), content="other")
    gone = replace(known, id=new_id(), content="gone")
    memories.update(run, known, home, action="updated", actor="user", now=NOW)
    for one in (before, other, gone):
        _remember(run, one, message_id=known.source_message_id)
    memories.update(run, before, superseded, action="superseded", actor="pattern", now=NOW)
    memories.insert_tombstones(run, gone, now=NOW)
    conversations.insert_tombstone(run, GONE_ID, created_at=AT)
    memories.delete(run, gone, now=NOW)


def _remember(run: Run, one: Memory, *, message_id: str | None) -> None:
    memories.insert(run, one, actor="pattern", message_id=message_id, now=NOW)


def _call(run: Run, conversation_id: str) -> None:
    usage.insert_call(
        run,
        purpose="summary",
        conversation_id=conversation_id,
        message_id=None,
        model="m",
        variant=None,
        tokens_in=1,
        tokens_out=1,
        tokens_cached=1,
        estimated_in=1,
        duration_ms=1,
        error=None,
        now=NOW,
    )


def _put_receipt(run: Run, message: Message) -> None:
    sizes = {"tokens": 1, "full_history_tokens": 1, "unchanged_tokens": 1, "cached_tokens": 1}
    receipt = {"mode": "compressed", "prefix": ["1f0c9e2b:1"], **sizes}
    usage.put_receipt(run, message, receipt, now=NOW)


def _everything(raw: RawDatabase) -> Rows:
    """All rows, without the table of users."""
    tables = (
        "conversations",
        "messages",
        "summaries",
        "jobs",
        "model_calls",
        "receipts",
        "feedback",
        "idempotency_keys",
        "deleted_idempotency_keys",
        "embeddings",
        "embedding_progress",
        "documents",
        "memories",
        "memory_sources",
        "memory_events",
        "memory_tombstones",
        "conversation_tombstones",
    )
    found = raw.execute_all([f"select * from {table}" for table in tables])
    return {table: sorted(rows, key=repr) for table, rows in zip(tables, found, strict=True)}


def _of(user_id: str, rows: Rows) -> Rows:
    return {table: [row for row in found if user_id in row] for table, found in rows.items()}


def raw_row(message: Message) -> dict[str, Any]:
    """Return the stored row of a message."""
    times = {"created_at": AT, "event_at": AT}
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


def _write_in(memory: Recollect, fn: Callable[[Run], object], *, user_id: str) -> object:
    """Use the open database."""

    async def go() -> object:
        return await memory._engine._database.write(fn, user_id=user_id)

    return memory._loop.wait(go)


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
