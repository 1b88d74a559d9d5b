"""The search index can be rebuilt, on both databases."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import MemoryIn, MessageIn
from recollect.core.types import Json, Role
from recollect.engine import open_database
from recollect.recall.search.service import SearchKind
from recollect.settings import Settings
from recollect.store.migrations import known_migrations
from recollect.sync import Recollect
from tests.conftest import Clock, PostgresServer
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel
from tests.store.releases import store_as_before

_DERIVED = ("documents", "embeddings", "embedding_progress")
_KINDS: tuple[SearchKind, ...] = ("messages", "conversations", "memories")
_QUESTIONS = ("heron", "What did Ottilie say of the ferry?", "notes number 111", "?!")
_CALLS: list[Json] = [{"tool_name": "ferries", "input": {}, "output": "noon"}]
_SPEAKERS: tuple[Role, ...] = ("user", "assistant")
Found = list[tuple[str, float, str]]


@pytest.fixture
def embedding(database_url: str, clock: Clock) -> Iterator[Recollect]:
    with ScriptedModel(dimensions=8) as model:
        settings = Settings(
            database_url=database_url,
            embedding_model="scripted-a",
            embedding_dimensions=8,
            embedding_base_url=model.url,
        )
        with Recollect.open(settings=settings, clock=clock) as memory:
            yield memory


@pytest.fixture(params=["by words", "by words and meaning"])
def searched(request: pytest.FixtureRequest) -> Recollect:
    name = {"by words": "memory", "by words and meaning": "embedding"}[request.param]
    opened: Recollect = request.getfixturevalue(name)
    return opened


def test_rebuilt_index_gives_the_same_results(searched: Recollect, database_url: str) -> None:
    raw = RawDatabase(database_url)
    chats = _fill(searched)
    searched.sweep()
    searched.work()
    before = _search(searched)
    rows = {table: raw.count(table) for table in _DERIVED}
    assert any(before["alice", "messages"])
    for table in _DERIVED:
        raw.execute(f"delete from {table}")
    assert searched.recall.search("heron", user_id="alice") == []
    assert searched.rebuild() == chats
    searched.work()
    assert {table: raw.count(table) for table in _DERIVED} == rows
    assert _search(searched) == before
    searched.rebuild()
    searched.work()
    assert {table: raw.count(table) for table in _DERIVED} == rows, "nothing is there twice"
    assert not searched.jobs.list_jobs(user_id="alice", state="failed")


def test_rebuild_does_not_restore_deleted_data(embedding: Recollect, database_url: str) -> None:
    raw = RawDatabase(database_url)
    drafts = [MessageIn(role="user", content=text) for text in ("A heron.", "A ferry.")]
    chat = embedding.conversations.create_conversation(user_id="alice", messages=drafts).id
    embedding.work()
    first, second = embedding.conversations.get_messages(conversation_id=chat, user_id="alice")
    embedding.rebuild()
    embedding.conversations.delete_message(message_id=first.id, user_id="alice")
    embedding.work()
    assert [hit.id for hit in embedding.recall.search("heron ferry", user_id="alice")] == [
        second.id
    ]
    embedding.rebuild()
    embedding.conversations.delete_conversation(conversation_id=chat, user_id="alice")
    embedding.work()
    assert {table: raw.count(table) for table in _DERIVED} == dict.fromkeys(_DERIVED, 0)


def test_rebuild_derives_a_missing_topic(memory: Recollect, raw: RawDatabase) -> None:
    talk = [
        MessageIn(role="user", content="When does the ferry to the island leave?"),
        MessageIn(role="assistant", content="The ferry to the island leaves at noon."),
    ]
    chat = memory.conversations.create_conversation(user_id="alice", messages=talk).id
    memory.work()
    topic = memory.conversations.get_conversation(conversation_id=chat, user_id="alice").topic
    assert topic is not None
    raw.execute("update conversations set topic = null")
    memory.rebuild()
    memory.work()
    assert (
        memory.conversations.get_conversation(conversation_id=chat, user_id="alice").topic == topic
    )


@pytest.fixture(params=["sqlite", "postgres"])
def old_url(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Create a database of the release without search."""
    server: PostgresServer | None = None
    url = f"sqlite:///{tmp_path}/old.db"
    if request.param == "postgres":
        server = request.getfixturevalue("postgres")
        url = server.create(migrated=False)

    async def migrate() -> None:
        await (await open_database(url)).close()

    known = known_migrations(request.param)[:2]
    with monkeypatch.context() as patched:
        patched.setattr(f"recollect.store.{request.param}.known_migrations", lambda _: known)
        asyncio.run(migrate())
    yield url
    if server is not None:
        server.drop(url)


def test_rebuild_indexes_older_messages(old_url: str, clock: Clock) -> None:
    raw = RawDatabase(old_url)
    said = ["Where do herons sleep?", "In trees, near the water."]
    chat, ids = store_as_before(raw, *said)
    store_as_before(raw)
    with ScriptedModel(dimensions=8) as model:
        settings = Settings(
            database_url=old_url,
            embedding_model="scripted-a",
            embedding_dimensions=8,
            embedding_base_url=model.url,
        )
        with Recollect.open(settings=settings, clock=clock) as memory:
            assert memory.recall.search("herons", user_id="alice") == []
            memory.work()
            assert (
                memory.conversations.get_conversation(conversation_id=chat, user_id="alice").topic
                is not None
            )
            assert {hit.id for hit in memory.recall.search("herons in trees", user_id="alice")} == {
                *ids
            }
            (hit,) = memory.recall.search("herons", user_id="alice", kind="conversations")
            assert (hit.id, hit.text) == (chat, said[0])
            assert raw.execute(
                "select kind, count(*) from embeddings group by kind order by 1"
            ) == [
                ("message", 2),
                ("topic", 1),
            ]


def _fill(memory: Recollect) -> int:
    """Create several batches with each kind of message; return the number of conversations."""
    notes = [
        MessageIn(role=role, content=f"Notes, number {n}, of a day.")
        for n in range(130)
        for role in _SPEAKERS
    ]
    talk = [
        MessageIn(role="system", content="You know herons."),
        MessageIn(role="user", content="Where is the heron?", metadata={"speaker": "Ottilie"}),
        MessageIn(role="assistant", content="At the harbour, where the ferry leaves."),
        MessageIn(role="tool", content='{"ferry": "noon"}'),
        MessageIn(role="user", content="?!"),
        MessageIn(role="assistant", content=" ", tool_calls=_CALLS),
        MessageIn(role="assistant", content="🛶"),
    ]
    create = memory.conversations.create_conversation
    create(user_id="alice", messages=notes)
    chat = create(user_id="alice", messages=talk).id
    memory.conversations.fork_conversation(
        conversation_id=chat, user_id="alice", at=4, title="A heron, once more"
    )
    create("A title for no words about the harbour", user_id="alice")
    create("My ferry", user_id="bob", messages=talk)
    memory.history.add_turn(
        user_id="alice", user_query="A heron?", ai_response="In the turn history."
    )
    for content in ("Keeps a heron", "Takes the ferry", *(f"Note {n}" for n in range(300))):
        known = MemoryIn(memory_type="fact", content=content)
        memory.memories.create_memory(known, user_id="alice")
    return 5


def _search(memory: Recollect) -> dict[tuple[str, str], list[Found]]:
    return {
        (user, kind): [
            [
                (hit.id, round(hit.score, 9), hit.text)
                for hit in memory.recall.search(question, user_id=user, kind=kind, limit=200)
            ]
            for question in _QUESTIONS
        ]
        for user in ("alice", "bob")
        for kind in _KINDS
    }
