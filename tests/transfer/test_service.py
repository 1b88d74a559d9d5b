"""Export and import of all of a user's data, between both databases."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from recollect import (
    BrokenFile,
    Conversation,
    MemoryIn,
    Message,
    MessageIn,
    Overloaded,
    Settings,
)
from recollect.sync import Recollect
from recollect.transfer import export as export_module
from recollect.transfer.service import MAX_CONCURRENT_IMPORTS
from recollect.transfer.types import Counts, Imported
from tests.chatgpt_export import conversations, export_chunks
from tests.conftest import Clock, PostgresServer
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel
from tests.store.full_database import fill

Json = Any
COUNTERS = (
    "message_count, token_count, superseded_messages, superseded_tokens, last_seq, last_turn,"
    " last_role, summary_version, last_summary_version, through_seq, digested_turn,"
    " digested_messages, digested_tokens, summary_tokens, extracted_through_seq, extracted_turn,"
    " removals"
)


def export(memory: Recollect, user: str) -> bytes:
    return "".join(memory.data.export_lines(user_id=user)).encode()


def bring_in(memory: Recollect, user: str, data: bytes) -> Imported:
    return memory.data.import_file(BytesIO(data), user_id=user)


def chatgpt(*elements: Json) -> bytes:
    return json.dumps(elements).encode()


def all_chats(memory: Recollect, user: str) -> list[Conversation]:
    return [
        chat
        for archived in (False, True)
        for chat in memory.conversations.list_conversations(200, user_id=user, archived=archived)
    ]


def all_messages(memory: Recollect, user: str, id: str) -> list[Message]:
    return list(memory.conversations.get_messages(200, conversation_id=id, user_id=user))


def standing(memory: Recollect, user: str, id: str) -> list[str]:
    return [
        message.content
        for message in all_messages(memory, user, id)
        if message.superseded_at is None
    ]


def counters(url: str, user: str) -> list[tuple[Any, ...]]:
    statement = f"select {COUNTERS} from conversations where user_id = :user order by id"
    return RawDatabase(url).execute(statement, user=user)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, bytes]]:
    """A database with all kinds of rows of alice, and her export."""
    url = f"sqlite:///{tmp_path_factory.mktemp('everything')}/recollect.db"
    fill(url, "alice")
    with Recollect.open(url) as memory:
        bring_in(memory, "alice", b"".join(export_chunks(60)))
        chat = next(chat for chat in all_chats(memory, "alice") if chat.message_count > 5)
        *gone, last = all_messages(memory, "alice", chat.id)
        for message in gone[:4]:
            memory.conversations.delete_message(message_id=message.id, user_id="alice")
        memory.conversations.fork_conversation(
            conversation_id=chat.id, user_id="alice", at=last.seq
        )
        memory.conversations.create_conversation(
            "secret", user_id="bob", messages=[MessageIn(role="user", content="secret")]
        )
        memory.memories.create_memory(_note("A secret."), user_id="bob")
        yield url, export(memory, "alice")


def test_export_and_import_round_trip(
    everything: tuple[str, bytes], postgres: PostgresServer, tmp_path: Path
) -> None:
    source, exported = everything
    urls = [postgres.create(), f"sqlite:///{tmp_path}/back.db"]
    for url in urls:
        with Recollect.open(url) as memory:
            done = bring_in(memory, "alice", exported)
            assert (done.failures, done.skipped) == (0, Counts())
            assert export(memory, "alice") == exported
            again = bring_in(memory, "alice", exported)
            assert (again.imported, again.skipped, again.failures) == (Counts(), done.imported, 0)
            assert export(memory, "alice") == exported
        assert counters(url, "alice") == counters(source, "alice")
    lines = [json.loads(line) for line in exported.splitlines()]
    kinds = [line["kind"] for line in lines]
    assert done.imported == Counts(
        conversations=kinds.count("conversation"),
        messages=kinds.count("message"),
        summaries=kinds.count("summary"),
        receipts=kinds.count("receipt"),
        feedback=kinds.count("feedback"),
        memories=kinds.count("memory"),
        memory_events=kinds.count("memory_event"),
        tombstones=kinds.count("tombstone") + kinds.count("conversation_tombstone"),
        model_calls=kinds.count("model_call"),
    )
    assert all(value for value in vars_of(done.imported).values())
    assert ("Ships & harbours", "project") in {
        (line.get("project_id"), line.get("recall_scope")) for line in lines
    }
    assert lines[0] == {"kind": "recollect", "version": 1, "user_id": "alice"}
    assert lines[-1] == {"kind": "end", "lines": len(lines) - 1}


def vars_of(counts: Counts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in counts.__slots__}


def test_export_has_own_rows_and_import_assigns_them(
    everything: tuple[str, bytes],
) -> None:
    source, exported = everything
    with Recollect.open(source) as memory:
        before = export(memory, "bob")
        ids = {line["id"] for line in map(json.loads, before.splitlines()) if "id" in line}
        assert not any(id.encode() in exported for id in ids)
        assert b"secret" not in exported.lower()
        done = bring_in(memory, "carol", exported)
        assert (done.failures, done.skipped) == (0, Counts())
        hers = export(memory, "carol").splitlines()
        assert hers[0] != exported.splitlines()[0]
        assert hers[1:] == exported.splitlines()[1:]
        assert export(memory, "alice") == exported
        assert export(memory, "bob") == before


@pytest.mark.both_databases
def test_deleted_conversation_does_not_come_back(memory: Recollect, clock: Clock) -> None:
    said = [
        MessageIn(role="user", content="Never mind."),
        MessageIn(role="assistant", content="Ok"),
    ]
    chat = memory.conversations.create_conversation(user_id="alice", messages=said)
    exported = export(memory, "alice")
    clock.advance(hours=1)
    memory.conversations.delete_conversation(conversation_id=chat.id, user_id="alice")
    done = bring_in(memory, "alice", exported)
    assert (done.imported, done.failures) == (Counts(), 0)
    assert (done.skipped.conversations, done.skipped.messages) == (1, 2)
    assert all_chats(memory, "alice") == []
    assert bring_in(memory, "bob", exported).imported.messages == 2  # a deletion is one user's

    after = export(memory, "alice")
    assert bring_in(memory, "carol", after).imported == Counts(tombstones=1)
    assert bring_in(memory, "carol", exported).imported == Counts()

    done = memory.data.import_file(BytesIO(exported), user_id="alice", restore_deleted=True)
    assert (done.imported.conversations, done.imported.messages) == (1, 2)
    assert export(memory, "alice") == exported
    clock.advance(hours=1)
    memory.conversations.add_message(said[0], conversation_id=chat.id, user_id="alice")
    longer = export(memory, "alice")
    assert bring_in(memory, "carol", longer).imported.messages == 3  # changed after the deletion


@pytest.mark.both_databases
@pytest.mark.parametrize("what", ["message", "conversation"])
def test_memories_of_deleted_messages_do_not_come_back(
    memory: Recollect, clock: Clock, what: str
) -> None:
    said = [
        MessageIn(role="user", content="My name is Ada and I live in Porto."),
        MessageIn(role="assistant", content="Welcome, Ada."),
    ]
    chat = memory.conversations.create_conversation(user_id="alice", messages=said)
    assert memory.memories.extract_memories(conversation_id=chat.id, user_id="alice")
    exported = export(memory, "alice")
    clock.advance(hours=1)
    if what == "conversation":
        memory.conversations.delete_conversation(conversation_id=chat.id, user_id="alice")
    else:
        first = all_messages(memory, "alice", chat.id)[0]
        memory.conversations.delete_message(message_id=first.id, user_id="alice")
    assert not memory.memories.get_memories(user_id="alice")
    assert bring_in(memory, "alice", exported).imported == Counts()
    assert not memory.memories.get_memories(user_id="alice")

    if what == "conversation":
        memory.data.import_file(BytesIO(exported), user_id="alice", restore_deleted=True)
        assert memory.memories.get_memories(user_id="alice")


def test_chatgpt_import_is_idempotent_and_keeps_dates(memory: Recollect, database_url: str) -> None:
    elements = list(conversations(60))
    data = b"".join(export_chunks(60))
    done = bring_in(memory, "alice", data)
    assert (done.imported.conversations, done.failures, done.skipped) == (60, 0, Counts())
    first = export(memory, "alice")
    again = bring_in(memory, "alice", data)
    assert (again.imported, again.skipped) == (Counts(), done.imported)
    assert export(memory, "alice") == first
    bring_in(memory, "bob", data)
    assert export(memory, "bob").splitlines()[1:] == first.splitlines()[1:]

    by_source = {chat.metadata["source_id"]: chat for chat in all_chats(memory, "alice")}
    assert len(by_source) == 60
    for element in elements:
        chat = by_source[element["id"]]
        assert chat.created_at.timestamp() == element["create_time"]
        assert chat.last_activity_at.timestamp() == pytest.approx(element["update_time"], abs=1e-5)
        assert chat.is_archived is element["is_archived"]
        assert chat.title == (element["title"] or None)
        assert chat.policy == "chunked"
    times = {
        message["create_time"]
        for element in elements
        for node in element["mapping"].values()
        if (message := node["message"]) and message["create_time"]
    }
    said = all_messages(memory, "alice", by_source[elements[0]["id"]].id)
    assert {round(message.event_at.timestamp(), 6) for message in said} <= {
        *times,
        elements[0]["create_time"],
    }
    _check_numbers(memory, database_url)


def _check_numbers(memory: Recollect, url: str) -> None:
    """As if only the active messages had been appended."""
    for chat in all_chats(memory, "alice")[:12]:
        said = all_messages(memory, "alice", chat.id)
        stand = [message for message in said if message.superseded_at is None]
        drafts = [
            MessageIn(role=one.role, content=one.content, tool_calls=one.tool_calls)
            for one in stand
        ]
        twin = memory.conversations.create_conversation(user_id="twin", messages=drafts)
        appended = all_messages(memory, "twin", twin.id)
        assert [one.turn for one in stand] == [one.turn for one in appended]
        assert [one.tokens for one in stand] == [one.tokens for one in appended]
        assert [one.seq for one in said] == [*range(1, len(said) + 1)]
        assert sorted(one.turn for one in said) == [one.turn for one in said]
        got, wanted = (
            RawDatabase(url).execute(
                "select message_count - superseded_messages, token_count - superseded_tokens,"
                " last_seq - superseded_messages, last_turn, last_role from conversations"
                " where id = :id and user_id = :user",
                id=one.id,
                user=one.user_id,
            )
            for one in (chat, twin)
        )
        assert got == wanted


def test_longer_export_adds_new_messages(memory: Recollect) -> None:
    """A conversation continues, an answer is regenerated, a question is edited, and the first
    branch is active again."""
    steps = [
        ("q1", None), ("a1", "q1"), ("q2", "a1"), ("a2", "q2"),
        ("b2", "q2"), ("q3", "b2"), ("a3", "q3"),
        ("q2b", "a1"), ("a2b", "q2b"),
        ("q4", "a3"), ("a4", "q4"),
    ]  # fmt: skip
    shown = {
        "a2": "q1 a1 q2 a2",
        "b2": "q1 a1 q2 b2",
        "a3": "q1 a1 q2 b2 q3 a3",
        "a2b": "q1 a1 q2b a2b",
        "a4": "q1 a1 q2 b2 q3 a3 q4 a4",
    }
    stored = 0
    for number, (current, texts) in enumerate(shown.items()):
        end = [name for name, _ in steps].index(current) + 1
        data = chatgpt(_tree(steps[:end], current))
        done = bring_in(memory, "alice", data)
        assert (done.imported.messages, done.skipped.messages) == (end - stored, stored)
        assert done.imported.conversations == (1 if number == 0 else 0)
        stored = end
        (chat,) = all_chats(memory, "alice")
        assert " ".join(standing(memory, "alice", chat.id)) == texts
        said = all_messages(memory, "alice", chat.id)
        assert [one.seq for one in said] == [*range(1, end + 1)]
        assert bring_in(memory, "alice", data).imported == Counts()
        memory.work()
        found = memory.recall.search("q3", user_id="alice", kind="messages")
        assert [hit.text for hit in found] == (["q3"] if "q3" in texts else [])
    memory.conversations.add_message(
        MessageIn(role="user", content="mine"), conversation_id=chat.id, user_id="alice"
    )
    assert standing(memory, "alice", chat.id)[-2:] == ["a4", "mine"]
    assert all_messages(memory, "alice", chat.id)[-1].turn > said[-1].turn


def test_reinstated_branch_deletes_covering_summaries(memory: Recollect, database_url: str) -> None:
    """The first import ends with an inactive answer, which is active in the second import."""
    bring_in(memory, "alice", chatgpt(_tree([("q1", None), ("a1", "q1")], "q1")))
    (chat,) = all_chats(memory, "alice")
    mine = [MessageIn(role="user", content="mine"), MessageIn(role="assistant", content="yours")]
    memory.conversations.add_messages(mine * 5, conversation_id=chat.id, user_id="alice")
    memory.summaries.compact(conversation_id=chat.id, user_id="alice", force=True)
    assert memory.summaries.get_summary(conversation_id=chat.id, user_id="alice").through_seq > 2
    longer = _tree([("q1", None), ("a1", "q1"), ("q2", "a1")], "q2")
    bring_in(memory, "alice", chatgpt(longer))
    assert standing(memory, "alice", chat.id) == [
        *("q1", "a1"),
        *("mine", "yours") * 5,
        "q2",
    ]
    assert memory.summaries.get_summary(conversation_id=chat.id, user_id="alice").version == 0
    columns = "digested_messages, through_seq, superseded_messages, message_count"
    raw = RawDatabase(database_url).execute(f"select {columns} from conversations")
    assert raw == [(0, 0, 0, 13)]


def test_local_replacements_are_kept(database_url: str) -> None:
    """A regenerated answer and an edited question stay, whatever the file says."""
    steps: list[tuple[str, str | None]] = [("q1", None), ("a1", "q1"), ("q2", "a1"), ("a2", "q2")]
    first, longer = _tree(steps, "a2"), _tree([*steps, ("q3", "a2"), ("a3", "q3")], "a3")
    with ScriptedModel() as model:
        settings = Settings(
            database_url=database_url,
            chat_model="scripted",
            openai_base_url=model.url,
            embedder="none",
        )
        with Recollect.open(settings=settings) as memory:
            bring_in(memory, "alice", chatgpt(first))
            (chat,) = all_chats(memory, "alice")
            said = all_messages(memory, "alice", chat.id)
            model.answers("anew", "edited")
            memory.chat.regenerate(message_id=said[3].id, user_id="alice").result()
            bring_in(memory, "alice", chatgpt(first))
            assert standing(memory, "alice", chat.id) == ["q1", "a1", "q2", "anew"]
            memory.chat.edit("mine", message_id=said[2].id, user_id="alice").result()
            bring_in(memory, "alice", chatgpt(longer))
            now = standing(memory, "alice", chat.id)
    assert now == ["q1", "a1", "mine", "edited", "q3", "a3"]


def _tree(steps: list[tuple[str, str | None]], current: str) -> Json:
    mapping: Json = {}
    for number, (name, parent) in enumerate(steps):
        role = "user" if name.startswith("q") else "assistant"
        message = {
            "author": {"role": role},
            "create_time": 1_700_000_000 + number,
            "content": {"content_type": "text", "parts": [name]},
        }
        mapping[name] = {"id": name, "message": message, "parent": parent, "children": []}
    times = {"create_time": 1_700_000_000, "update_time": 1_699_999_999 + len(steps)}
    return {"id": "c", "title": "Tree", "mapping": mapping, "current_node": current, **times}


def test_deleted_messages_are_not_imported_again(memory: Recollect) -> None:
    steps: list[tuple[str, str | None]] = [("q1", None), ("a1", "q1"), ("q2", "a1"), ("a2", "q2")]
    bring_in(memory, "alice", chatgpt(_tree(steps[:3], "q2")))
    (chat,) = all_chats(memory, "alice")
    exported = export(memory, "alice")
    memory.conversations.delete_message(
        message_id=all_messages(memory, "alice", chat.id)[1].id, user_id="alice"
    )
    for data in (exported, chatgpt(_tree(steps[:3], "q2"))):
        assert bring_in(memory, "alice", data).imported == Counts()
        assert standing(memory, "alice", chat.id) == ["q1", "q2"]
    bring_in(memory, "alice", chatgpt(_tree(steps, "a2")))
    assert standing(memory, "alice", chat.id) == ["q1", "q2", "a2"]

    note = memory.memories.create_memory(_note("Has a boat."), user_id="alice")
    exported = export(memory, "alice")
    memory.memories.delete_memory(memory_id=note.id, user_id="alice")
    assert bring_in(memory, "alice", exported).imported == Counts()
    assert list(memory.memories.get_memories(user_id="alice")) == []


def _note(content: str) -> MemoryIn:
    return MemoryIn(memory_type="fact", content=content)


def test_diverged_copies_are_merged(memory: Recollect, tmp_path: Path) -> None:
    def say(where: Recollect, id: str, *texts: str) -> None:
        messages = [MessageIn(role="user", content=text) for text in texts]
        where.conversations.add_messages(messages, conversation_id=id, user_id="alice")

    chat = memory.conversations.create_conversation(user_id="alice")
    say(memory, chat.id, "one", "two")
    with Recollect.open(f"sqlite:///{tmp_path}/other.db") as other:
        bring_in(other, "alice", export(memory, "alice"))
        say(memory, chat.id, "three", "four")
        done = bring_in(other, "alice", export(memory, "alice"))
        assert (done.imported.messages, done.skipped.messages) == (2, 2)
        assert export(other, "alice") == export(memory, "alice")
        say(other, chat.id, "mine")
        say(memory, chat.id, "five")
        bring_in(other, "alice", export(memory, "alice"))
        said = all_messages(other, "alice", chat.id)
    assert [one.content for one in said] == ["one", "two", "three", "four", "mine", "five"]
    assert [one.seq for one in said] == [1, 2, 3, 4, 5, 6]


def test_existing_memories_take_precedence(memory: Recollect, tmp_path: Path) -> None:
    memory.memories.create_memory(_note("Lives in Lisbon."), user_id="alice")
    with Recollect.open(f"sqlite:///{tmp_path}/other.db") as other:
        theirs = other.memories.create_memory(_note("Lives in Porto."), user_id="alice")
        exported = export(other, "alice")
    for imported in (1, 0):
        assert bring_in(memory, "alice", exported).imported.memories == imported
        (holds,) = memory.memories.get_memories(user_id="alice")
        assert holds.content == "Lives in Lisbon."
    older = memory.memories.get_memory(memory_id=theirs.id, user_id="alice")
    assert older.superseded_by == holds.id
    assert memory.memories.undo(memory_id=theirs.id, user_id="alice").is_current


def test_import_enqueues_one_job_per_kind_and_no_extraction(
    database_url: str, clock: Clock
) -> None:
    settings = Settings(database_url=database_url, embedder="none", extraction="automatic")
    home = _tree([("q1", None), ("a1", "q1")], "a1")
    home["mapping"]["q1"]["message"]["content"]["parts"] = ["I live in Lisbon."]
    with Recollect.open(settings=settings, clock=clock) as memory:
        bring_in(memory, "alice", chatgpt(home))
        assert [job.kind for job in memory.jobs.list_jobs(user_id="alice")] == ["index"]
        memory.work()
        clock.advance(days=2)
        memory.sweep()
        memory.work()
        assert list(memory.memories.get_memories(user_id="alice")) == []
        (chat,) = all_chats(memory, "alice")
        assert chat.topic is not None
        assert memory.recall.search("Lisbon", user_id="alice")[0].conversation_id == chat.id
        (known,) = memory.memories.extract_memories(conversation_id=chat.id, user_id="alice")
        assert "Lisbon" in known.content
        assert known.valid_from == datetime.fromtimestamp(1_700_000_000, UTC)


def test_concurrent_imports_of_one_file(memory: Recollect) -> None:
    data = b"".join(export_chunks(30, seed=3))
    engine = memory._engine

    async def both() -> list[Imported]:
        async def chunks() -> Any:
            for start in range(0, len(data), 5_000):
                yield data[start : start + 5_000]

        return await asyncio.gather(
            *(engine.data.import_file(chunks(), user_id="alice") for _ in "ab")
        )

    one, other = memory._loop.wait(both)
    assert (one.failures, other.failures) == (0, 0)
    assert one.imported + other.imported == one.skipped + other.skipped
    assert (one.imported + other.imported).conversations == 30
    first = export(memory, "alice")
    assert bring_in(memory, "alice", data).imported == Counts()
    assert export(memory, "alice") == first


def test_long_conversation_is_exported_in_pages(memory: Recollect) -> None:
    chat = memory.conversations.create_conversation(user_id="alice")
    batch = [MessageIn(role="user", content=f"number {n}") for n in range(500)]
    memory.conversations.add_messages(batch, conversation_id=chat.id, user_id="alice")
    memory.summaries.edit_summary("first", conversation_id=chat.id, user_id="alice", version=0)
    header, row, *rest, first, end = map(json.loads, export(memory, "alice").splitlines())
    row |= {"summary_version": 450, "last_summary_version": 450}
    versions = [{**first, "version": version + 1} for version in range(450)]
    end["lines"] += 449
    lines = [header, row, *rest, *versions, end]
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    assert bring_in(memory, "bob", data).imported == Counts(
        conversations=1, messages=500, summaries=450
    )
    pages = list(memory.data.export_lines(user_id="bob"))
    assert len(pages) > 3
    found = [json.loads(line) for line in "".join(pages).splitlines()]
    assert found[1:] == [json.loads(line) for line in data.splitlines()][1:]


def test_large_rows_make_smaller_pages(memory: Recollect, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines do not depend on the pages."""
    large = "ö" * 20_000
    said = [MessageIn(role="user", content=f"{n}") for n in range(20)]
    said += [MessageIn(role="user", content="x", metadata={"x": large}) for _ in range(3)]
    for _ in range(3):
        chat = memory.conversations.create_conversation(
            user_id="alice", metadata={"x": large}, messages=[*said, *said]
        )
        for version in range(3):
            memory.summaries.edit_summary(
                "short", conversation_id=chat.id, user_id="alice", version=version
            )
    data = export(memory, "alice").replace(b'"text":"short"', f'"text":"{large}"'.encode())
    assert bring_in(memory, "bob", data).failures == 0
    few = list(memory.data.export_lines(user_id="bob"))
    monkeypatch.setattr(export_module, "_MAX_PAGE_BYTES", 50_000)
    many = list(memory.data.export_lines(user_id="bob"))
    assert "".join(few) == "".join(many)
    assert [page.count(large) for page in few] == [3 * (1 + 6 + 3), 0]
    assert max(page.count(large) for page in many) == 4


def test_concurrent_imports_are_limited(memory: Recollect) -> None:
    """Further imports raise Overloaded until one ends, with or without an error."""
    data = b"".join(export_chunks(1))

    async def bring_in_many() -> None:
        import_file = memory._engine.data.import_file
        go_on = asyncio.Event()

        async def held(begun: asyncio.Event, rest: bytes) -> AsyncIterator[bytes]:
            yield data[:10]
            begun.set()
            await go_on.wait()
            yield rest

        begun = [asyncio.Event() for _ in range(MAX_CONCURRENT_IMPORTS)]
        ends = [b"broken", *[data[10:]] * (MAX_CONCURRENT_IMPORTS - 1)]
        running = [
            asyncio.create_task(import_file(held(event, rest), user_id=f"user {number}"))
            for number, (event, rest) in enumerate(zip(begun, ends, strict=True))
        ]
        for event in begun:
            await event.wait()
        with pytest.raises(Overloaded, match="try again later"):
            await import_file(held(asyncio.Event(), b""), user_id="bob")
        running[-1].cancel()
        await asyncio.wait([running.pop()])
        running.append(asyncio.create_task(import_file(held(begun[0], data[10:]), user_id="bob")))
        go_on.set()
        broken, *done = await asyncio.gather(*running, return_exceptions=True)
        assert isinstance(broken, BrokenFile)
        assert all(isinstance(one, Imported) for one in done)
        for _ in range(MAX_CONCURRENT_IMPORTS + 1):
            await import_file(held(asyncio.Event(), data[10:]), user_id="bob")

    memory._loop.wait(bring_in_many)


def test_export_of_a_user_without_data(memory: Recollect) -> None:
    assert export(memory, "nobody") == (
        b'{"kind":"recollect","version":1,"user_id":"nobody"}\n{"kind":"end","lines":1}\n'
    )
    assert bring_in(memory, "nobody", export(memory, "nobody")) == Imported()
    assert bring_in(memory, "nobody", b"[]") == Imported()


@pytest.mark.torture
@pytest.mark.timeout(1_800)
def test_two_thousand_conversations_round_trip(postgres: PostgresServer, tmp_path: Path) -> None:
    data = b"".join(export_chunks(2_000))
    sqlite = f"sqlite:///{tmp_path}/recollect.db"
    print(f"\n{len(data) / 1e6:.1f} MB")
    with Recollect.open(sqlite) as memory:
        done = _timed("ChatGPT into SQLite", lambda: bring_in(memory, "alice", data))
        assert (done.imported.conversations, done.failures) == (2_000, 0)
        first = _timed("export", lambda: export(memory, "alice"))
        again = _timed("once more", lambda: bring_in(memory, "alice", data))
        assert (again.imported, again.skipped) == (Counts(), done.imported)
        assert export(memory, "alice") == first
    url = postgres.create()
    with Recollect.open(url) as memory:
        moved = _timed("our export into PostgreSQL", lambda: bring_in(memory, "alice", first))
        assert (moved.imported, moved.failures) == (done.imported, 0)
        assert _timed("export", lambda: export(memory, "alice")) == first
        theirs = _timed("ChatGPT into PostgreSQL", lambda: bring_in(memory, "bob", data))
        assert theirs.imported == done.imported
    assert counters(url, "alice") == counters(sqlite, "alice")
    postgres.drop(url)


def _timed(what: str, do: Any) -> Any:
    started = time.perf_counter()
    done = do()
    print(f"{what}: {time.perf_counter() - started:.1f} s")
    return done
