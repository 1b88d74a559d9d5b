"""Memories on both databases: stored, found, updated, undone and deleted."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from recollect import (
    Conflict,
    InvalidInput,
    Memory,
    MemoryFilters,
    MemoryIn,
    MessageIn,
    NotFound,
    TooLarge,
    engine,
)
from recollect.recall.search import retriever
from recollect.sync import Recollect
from tests.conftest import Clock, Open
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel

ALICE = "alice"


def write(memory: Recollect, content: str, user: str = ALICE, **given: Any) -> Memory:
    new = MemoryIn(**{"memory_type": "fact", "content": content, **given})
    return memory.memories.create_memory(new, user_id=user)


def chat(memory: Recollect, *said: str, user: str = ALICE) -> str:
    messages = [MessageIn(role="user", content=text) for text in said]
    return memory.conversations.create_conversation(user_id=user, messages=messages).id


def read(memory: Recollect, *said: str) -> Memory:
    """Extract the only memory of a message."""
    (found, *_) = memory.memories.extract_memories(
        conversation_id=chat(memory, *said), user_id=ALICE
    )
    return found


def known(memory: Recollect, user: str = ALICE, **filters: Any) -> list[str]:
    found = memory.memories.get_memories(MemoryFilters(**filters), user_id=user)
    return [one.content for one in found]


def actions(memory: Recollect, one: Memory) -> list[tuple[str, str]]:
    history = memory.memories.get_history(memory_id=one.id, user_id=ALICE)
    return [(event.action, event.actor) for event in history]


# Keeping and finding


def test_created_memory_keeps_its_fields(memory: Recollect, clock: Clock) -> None:
    one = write(
        memory, "  Speaks Català. ", memory_type="entity", category="family", confidence=0.5
    )
    assert memory.memories.get_memory(memory_id=one.id, user_id=ALICE) == one
    assert (one.content, one.memory_type, one.category) == ("Speaks Català.", "entity", "family")
    assert (one.author, one.confidence, one.is_pinned, one.is_archived) == (
        "user",
        0.5,
        False,
        False,
    )
    assert one.created_at == one.valid_from == clock.now
    assert (one.access_count, one.last_accessed_at, one.valid_to) == (0, None, None)


def test_filters_and_query_select_memories(memory: Recollect) -> None:
    write(memory, "Lives in Malmö", category="home")
    write(memory, "Likes tea", memory_type="preference", category="food", is_pinned=True)
    write(memory, "Likes 100% cotton_shirts", memory_type="preference")
    put_away = write(memory, "Likes coffee", memory_type="preference")
    memory.memories.update_memory({"is_archived": True}, memory_id=put_away.id, user_id=ALICE)
    assert known(memory, memory_type="preference") == ["Likes 100% cotton_shirts", "Likes tea"]
    assert known(memory, category="home") == ["Lives in Malmö"]
    assert known(memory, pinned=True) == ["Likes tea"]
    assert known(memory, pinned=False) == ["Likes 100% cotton_shirts", "Lives in Malmö"]
    assert known(memory, archived=True) == ["Likes coffee"]
    assert known(memory, query="MALMO") == ["Lives in Malmö"]
    assert known(memory, query="0% c") == ["Likes 100% cotton_shirts"]
    assert known(memory, query="likes", category="food") == ["Likes tea"]
    assert known(memory, query="%") == ["Likes 100% cotton_shirts"]


def test_cursors_page_through_memories(memory: Recollect) -> None:
    for number in range(7):
        write(memory, f"Fact number {number}")
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.memories.get_memories(user_id=ALICE, limit=3, cursor=cursor)
        seen += [one.content for one in page]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == [f"Fact number {number}" for number in range(6, -1, -1)]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"memory_type": "rumour"}, InvalidInput),
        ({"content": "  \n"}, InvalidInput),
        ({"content": "a\0b"}, InvalidInput),
        ({"content": "x" * 1_000_000}, TooLarge),
        ({"confidence": 1.1}, InvalidInput),
        ({"confidence": -0.1}, InvalidInput),
        ({"confidence": float("nan")}, InvalidInput),
        ({"confidence": True}, InvalidInput),
        ({"category": "x" * 101}, InvalidInput),
        ({"is_pinned": "yes"}, InvalidInput),
        ({"source_conversation_id": "nobody's"}, NotFound),
        ({"source_message_id": "01a1e309-b2c4-7daf-a5a8-c0b042133252"}, NotFound),
    ],
)
def test_invalid_input_stores_nothing(
    memory: Recollect, raw: RawDatabase, given: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        write(memory, **{"content": "Lives in Lisbon", **given})
    assert raw.count("memories") == 0


def test_source_must_belong_to_the_user(memory: Recollect, raw: RawDatabase) -> None:
    bobs = chat(memory, "I live in Rome.", user="bob")
    (message,) = memory.conversations.get_messages(conversation_id=bobs, user_id="bob")
    own = chat(memory, "Hello")
    for source in (
        {"source_conversation_id": bobs},
        {"source_message_id": message.id},
    ):
        with pytest.raises(NotFound):
            write(memory, "Lives in Rome", **source)
    (hello,) = memory.conversations.get_messages(conversation_id=own, user_id=ALICE)
    other = chat(memory, "Hi")
    with pytest.raises(InvalidInput, match="not in that conversation"):
        write(memory, "x", source_conversation_id=other, source_message_id=hello.id)
    assert raw.count("memories") == 0
    one = write(memory, "Said hello", source_message_id=hello.id)
    assert (one.source_conversation_id, one.source_message_id) == (own, hello.id)


SERVICE_CALLS: dict[str, Callable[[Recollect, str], object]] = {
    "get_memory": lambda memory, id: memory.memories.get_memory(memory_id=id, user_id="bob"),
    "update_memory": lambda memory, id: memory.memories.update_memory(
        {"content": "Was here"}, memory_id=id, user_id="bob"
    ),
    "delete_memory": lambda memory, id: memory.memories.delete_memory(memory_id=id, user_id="bob"),
    "get_history": lambda memory, id: memory.memories.get_history(memory_id=id, user_id="bob"),
    "undo": lambda memory, id: memory.memories.undo(memory_id=id, user_id="bob"),
    "extract_memories": lambda memory, id: memory.memories.extract_memories(
        conversation_id=id, user_id="bob"
    ),
    "request_extraction": lambda memory, id: memory.memories.request_extraction(
        conversation_id=id, user_id="bob"
    ),
}
FINDING_NOTHING: dict[str, Callable[[Recollect], object]] = {
    "get_memories": lambda memory: list(memory.memories.get_memories(user_id="bob")),
    "get_context_memories": lambda memory: memory.memories.get_context_memories(
        "Rome", user_id="bob"
    ),
    "create_memory": lambda memory: None,
}


@pytest.mark.parametrize("call", SERVICE_CALLS)
def test_other_users_memories_are_not_found(memory: Recollect, call: str) -> None:
    canary = write(memory, "The secret is in Rome")
    conversation = chat(memory, "I live in Rome.")
    id = conversation if "extract" in call else canary.id
    with pytest.raises(NotFound) as theirs:
        SERVICE_CALLS[call](memory, id)
    with pytest.raises(NotFound) as nobodys:
        SERVICE_CALLS[call](memory, "01a1e309-b2c4-7daf-a5a8-c0b042133252")
    assert str(theirs.value) == str(nobodys.value)
    assert memory.memories.get_memory(memory_id=canary.id, user_id=ALICE) == canary


def test_every_service_call_is_isolated(memory: Recollect) -> None:
    write(memory, "The secret is in Rome")
    calls = {name for name in dir(memory.memories) if not name.startswith("_")}
    assert calls == SERVICE_CALLS.keys() | FINDING_NOTHING.keys()
    for call in FINDING_NOTHING.values():
        assert not call(memory)


# Correcting


def test_update_changes_only_given_memory_fields(memory: Recollect, clock: Clock) -> None:
    one = write(memory, "Likes tea", category="food")
    clock.advance(minutes=1)
    changed = memory.memories.update_memory(
        {"is_pinned": True, "confidence": 0.3}, memory_id=one.id, user_id=ALICE
    )
    assert (changed.content, changed.category, changed.is_pinned) == ("Likes tea", "food", True)
    assert (changed.confidence, changed.updated_at) == (0.3, clock.now)
    event = memory.memories.get_history(memory_id=one.id, user_id=ALICE)[0]
    assert (event.action, event.actor) == ("updated", "user")
    assert event.before == {"is_pinned": False, "confidence": 1.0}
    assert event.after == {"is_pinned": True, "confidence": 0.3}


def test_update_without_change_adds_no_event(memory: Recollect) -> None:
    one = write(memory, "Likes tea")
    assert (
        memory.memories.update_memory({"content": "Likes tea"}, memory_id=one.id, user_id=ALICE)
        == one
    )
    assert actions(memory, one) == [("created", "user")]


@pytest.mark.parametrize(
    ("updates", "field"),
    [
        ({"author": "model"}, "author"),
        ({"content": ""}, "content"),
        ({"content": None}, "content"),
        ({"memory_type": None}, "memory_type"),
        ({"confidence": "high"}, "confidence"),
        ({"is_archived": None}, "is_archived"),
    ],
)
def test_invalid_memory_updates_are_rejected(
    memory: Recollect, updates: dict[str, Any], field: str
) -> None:
    one = write(memory, "Likes tea")
    with pytest.raises(InvalidInput) as refused:
        memory.memories.update_memory(updates, memory_id=one.id, user_id=ALICE)
    assert refused.value.field == field
    assert memory.memories.get_memory(memory_id=one.id, user_id=ALICE) == one


def test_edited_memory_is_found_by_its_new_content_only(memory: Recollect) -> None:
    one = write(memory, "Likes tea")
    memory.memories.update_memory({"content": "Likes juice"}, memory_id=one.id, user_id=ALICE)
    assert memory.recall.search("tea", user_id=ALICE, kind="memories") == []
    (hit,) = memory.recall.search("juice", user_id=ALICE, kind="memories")
    assert (hit.id, hit.text) == (one.id, "Likes juice")


def test_archived_memory_is_not_found(memory: Recollect) -> None:
    one = write(memory, "Likes tea")
    memory.memories.update_memory({"is_archived": True}, memory_id=one.id, user_id=ALICE)
    assert memory.recall.search("tea", user_id=ALICE, kind="memories") == []
    assert memory.memories.get_context_memories(user_id=ALICE) == []
    memory.memories.update_memory({"is_archived": False}, memory_id=one.id, user_id=ALICE)
    assert len(memory.recall.search("tea", user_id=ALICE, kind="memories")) == 1


@pytest.mark.parametrize("question", ["beans", "espresso"])
def test_search_in_a_conversation_is_not_crowded_out(
    open_with_model: Open, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """By lexical and by vector search."""
    monkeypatch.setattr(retriever, "MAX_CANDIDATES", 2)
    monkeypatch.setattr(model, "_vector", lambda text: [1.0] * 7 + [float("cellar" not in text)])
    memory = open_with_model(
        embedding_model="scripted", embedding_dimensions=8, embedding_base_url=model.url
    )
    here, there = chat(memory), chat(memory)
    one = write(memory, "Keeps the beans in the old cellar", source_conversation_id=here)
    for number in range(3):
        write(memory, f"Beans {number}", source_conversation_id=there)
    memory.work()
    look = partial(memory.recall.search, question, user_id=ALICE, kind="memories")
    assert one.id not in [hit.id for hit in look()]
    assert [hit.id for hit in look(conversation_id=here)] == [one.id]
    assert [hit.id for hit in look(conversation_id=here, after=one.valid_from)] == [one.id]
    assert look(conversation_id=here, before=one.valid_from) == []
    assert look(conversation_id=here, role="user") == []


def test_users_memory_supersedes_an_extracted_one(memory: Recollect) -> None:
    found = read(memory, "I live in Lisbon.")
    own = write(memory, "Lives in Rome")
    assert known(memory) == ["Lives in Rome"]
    assert memory.memories.get_memory(memory_id=found.id, user_id=ALICE).superseded_by == own.id


def test_users_memories_do_not_supersede_each_other(memory: Recollect) -> None:
    write(memory, "Lives in Rome")
    write(memory, "Lives in Milan")
    assert known(memory) == ["Lives in Milan", "Lives in Rome"]


def test_pinned_memories_have_a_token_limit(memory: Recollect) -> None:
    one = write(memory, "word " * 900, is_pinned=True)
    with pytest.raises(TooLarge, match="Unpin another"):
        write(memory, "word " * 200, is_pinned=True)
    other = write(memory, "word " * 200)
    with pytest.raises(TooLarge, match="Unpin another"):
        memory.memories.update_memory({"is_pinned": True}, memory_id=other.id, user_id=ALICE)
    memory.memories.update_memory({"is_pinned": False}, memory_id=one.id, user_id=ALICE)
    assert memory.memories.update_memory(
        {"is_pinned": True}, memory_id=other.id, user_id=ALICE
    ).is_pinned


def test_editing_a_pinned_memory_respects_the_limit(memory: Recollect) -> None:
    one = write(memory, "word " * 900, is_pinned=True)
    other = write(memory, "word", is_pinned=True)
    with pytest.raises(TooLarge, match="Unpin another"):
        memory.memories.update_memory({"content": "word " * 200}, memory_id=other.id, user_id=ALICE)
    memory.memories.update_memory({"is_archived": True}, memory_id=one.id, user_id=ALICE)
    memory.memories.update_memory({"content": "word " * 200}, memory_id=other.id, user_id=ALICE)
    with pytest.raises(TooLarge, match="Unpin another"):
        memory.memories.update_memory({"is_archived": False}, memory_id=one.id, user_id=ALICE)


def test_same_content_is_stored_once(memory: Recollect) -> None:
    one = write(memory, "Has a boat")
    assert write(memory, "has a boat!") == one
    again = write(memory, "Has a boat", is_pinned=True, category="home")
    assert (again.id, again.is_pinned, again.category) == (one.id, True, "home")
    assert known(memory) == ["Has a boat"]


def test_edited_extracted_memory_becomes_the_users(memory: Recollect) -> None:
    one = read(memory, "I live in Lisbon.")
    memory.memories.update_memory({"confidence": 0.1}, memory_id=one.id, user_id=ALICE)
    memory.memories.extract_memories(
        conversation_id=chat(memory, "I live in Lisbon."), user_id=ALICE
    )
    memory.memories.extract_memories(
        conversation_id=chat(memory, "I live in Porto."), user_id=ALICE
    )
    (left,) = memory.memories.get_memories(user_id=ALICE)
    assert (left.content, left.confidence) == ("Lives in Lisbon", 0.1)


# Undoing


def test_changes_are_undone_in_reverse_order(memory: Recollect) -> None:
    one = write(memory, "Likes tea")
    memory.memories.update_memory({"content": "Likes juice"}, memory_id=one.id, user_id=ALICE)
    memory.memories.update_memory(
        {"is_pinned": True, "category": "food"}, memory_id=one.id, user_id=ALICE
    )
    assert memory.memories.undo(memory_id=one.id, user_id=ALICE).category is None
    undone = memory.memories.undo(memory_id=one.id, user_id=ALICE)
    assert (undone.content, undone.is_pinned) == ("Likes tea", False)
    with pytest.raises(Conflict, match="nothing to undo"):
        memory.memories.undo(memory_id=one.id, user_id=ALICE)
    assert actions(memory, one) == [
        ("undone", "user"),
        ("undone", "user"),
        ("updated", "user"),
        ("updated", "user"),
        ("created", "user"),
    ]
    (hit,) = memory.recall.search("tea", user_id=ALICE, kind="memories")
    assert hit.id == one.id


@pytest.mark.parametrize("which", ["old", "new"])
def test_undo_restores_a_superseded_memory(memory: Recollect, which: str) -> None:
    old = read(memory, "I live in Lisbon.")
    new = next(
        one
        for one in memory.memories.extract_memories(
            conversation_id=chat(memory, "I live in Porto."), user_id=ALICE
        )
        if one.id != old.id
    )
    assert known(memory) == ["Lives in Porto"]
    memory.memories.undo(memory_id=old.id if which == "old" else new.id, user_id=ALICE)
    assert known(memory) == ["Lives in Lisbon"]
    retired = memory.memories.get_memory(memory_id=new.id, user_id=ALICE)
    assert retired.superseded_by == old.id
    assert (
        memory.memories.extract_memories(
            conversation_id=chat(memory, "I live in Porto."), user_id=ALICE
        )
        == []
    )
    memory.memories.undo(memory_id=new.id, user_id=ALICE)
    assert known(memory) == ["Lives in Porto"], "an undo can be undone from the other side"


def test_edit_of_an_extracted_memory_can_be_undone(memory: Recollect) -> None:
    one = read(memory, "I live in Lisbon.")
    edited = memory.memories.update_memory(
        {"content": "Lives near Lisbon"}, memory_id=one.id, user_id=ALICE
    )
    assert edited.author == "user"
    undone = memory.memories.undo(memory_id=one.id, user_id=ALICE)
    assert (undone.content, undone.author, undone.key) == (one.content, "pattern", one.key)


def test_undo_does_not_supersede_a_newer_user_memory(memory: Recollect) -> None:
    one = write(memory, "Lives in Rome")
    memory.memories.update_memory({"content": "Likes tea"}, memory_id=one.id, user_id=ALICE)
    write(memory, "Lives in Paris", is_pinned=True)
    memory.memories.undo(memory_id=one.id, user_id=ALICE)
    assert sorted(known(memory)) == ["Lives in Paris", "Lives in Rome"]


def test_restored_memory_has_nothing_to_undo(memory: Recollect) -> None:
    old = read(memory, "I live in Lisbon.")
    later = chat(memory, "I live in Rome.")
    memory.memories.extract_memories(conversation_id=later, user_id=ALICE)
    memory.conversations.delete_conversation(conversation_id=later, user_id=ALICE)
    with pytest.raises(Conflict, match="nothing to undo"):
        memory.memories.undo(memory_id=old.id, user_id=ALICE)
    memory.memories.extract_memories(
        conversation_id=chat(memory, "I live in Paris."), user_id=ALICE
    )
    assert known(memory) == ["Lives in Paris"]


def test_history_is_ordered_within_a_transaction(memory: Recollect) -> None:
    id = chat(memory, *(f"I live in {city}." for city in ("Rome", "Oslo", "Bonn", "Graz", "Linz")))
    for one in memory.memories.extract_memories(conversation_id=id, user_id=ALICE):
        order = [action for action, _ in actions(memory, one)]
        assert order in (["superseded", "created"], ["created"])


# Deleting


def test_deleted_memory_leaves_only_a_tombstone(memory: Recollect, raw: RawDatabase) -> None:
    one = read(memory, "I live in Lisbon.")
    memory.memories.update_memory({"category": "x"}, memory_id=one.id, user_id=ALICE)
    receipt = memory.memories.delete_memory(memory_id=one.id, user_id=ALICE)
    assert (receipt.memories, receipt.messages) == (1, 0)
    for table in ("memories", "memory_events", "memory_sources"):
        assert raw.count(table) == 0
    assert raw.execute("select count(*) from documents where kind = 'memory'") == [(0,)]
    with pytest.raises(NotFound):
        memory.memories.get_memory(memory_id=one.id, user_id=ALICE)


def test_tombstone_hash_does_not_reveal_content(memory: Recollect, raw: RawDatabase) -> None:
    one = read(memory, "I am allergic to peanuts.")
    memory.memories.delete_memory(memory_id=one.id, user_id=ALICE)
    (row,) = raw.execute("select * from memory_tombstones")
    assert not any("peanut" in str(value) or "allergy" in str(value) for value in row)


def test_deleting_an_extracted_memory_restores_the_superseded_one(memory: Recollect) -> None:
    read(memory, "I live in Lisbon.")
    wrong = read(memory, "I live in Rome.")
    wrong = wrong if wrong.valid_to is None else memory.memories.get_memories(user_id=ALICE)[0]
    memory.memories.delete_memory(memory_id=wrong.id, user_id=ALICE)
    assert known(memory) == ["Lives in Lisbon"]


def test_rewritten_memory_survives_deletion_of_its_source(
    memory: Recollect, raw: RawDatabase
) -> None:
    id = chat(memory, "I live in Lisbon.")
    (one,) = memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
    memory.memories.update_memory(
        {"content": "Has a cat called Momo"}, memory_id=one.id, user_id=ALICE
    )
    assert memory.conversations.delete_conversation(conversation_id=id, user_id=ALICE).memories == 0
    (left,) = memory.memories.get_memories(user_id=ALICE)
    assert (left.content, left.source_message_id) == ("Has a cat called Momo", None)
    kept = [str(row) for row in raw.execute("select before, after from memory_events")]
    assert not any("Lisbon" in row for row in kept), "its history told what the message said"
    with pytest.raises(Conflict):
        memory.memories.undo(memory_id=left.id, user_id=ALICE)


def test_application_memory_is_deleted_with_its_last_source(memory: Recollect) -> None:
    id = chat(memory, "My cat is called Momo.")
    (message,) = memory.conversations.get_messages(conversation_id=id, user_id=ALICE)
    write(memory, "Cat's name is Momo", source_message_id=message.id)
    other = chat(memory, "My cat is called Momo.")
    memory.memories.extract_memories(conversation_id=other, user_id=ALICE)
    assert memory.conversations.delete_conversation(conversation_id=id, user_id=ALICE).memories == 0
    assert (
        memory.conversations.delete_conversation(conversation_id=other, user_id=ALICE).memories == 1
    )


def test_deleting_a_message_deletes_memories_without_other_source(memory: Recollect) -> None:
    id = chat(memory, "I live in Lisbon.", "I am allergic to peanuts.")
    memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
    memory.memories.extract_memories(
        conversation_id=chat(memory, "I live in Lisbon."), user_id=ALICE
    )
    home, allergy = memory.conversations.get_messages(conversation_id=id, user_id=ALICE)
    assert memory.conversations.delete_message(message_id=allergy.id, user_id=ALICE).memories == 1
    assert memory.conversations.delete_message(message_id=home.id, user_id=ALICE).memories == 0
    (left,) = memory.memories.get_memories(user_id=ALICE)
    assert left.content == "Lives in Lisbon"
    assert left.source_conversation_id != id
    assert left.source_message_id != home.id
    for event in memory.memories.get_history(memory_id=left.id, user_id=ALICE):
        assert event.source_message_id != home.id


@pytest.mark.parametrize("stands_again", [False, True])
def test_superseded_message_is_no_source(
    open_with_model: Open, database_url: str, stands_again: bool
) -> None:
    memory = open_with_model()
    id, other = (chat(memory, "I live in Lisbon.") for _ in range(2))
    for one in (id, other):
        memory.memories.extract_memories(conversation_id=one, user_id=ALICE)
    (home,) = memory.conversations.get_messages(conversation_id=id, user_id=ALICE)
    memory.chat.edit("Good morning.", message_id=home.id, user_id=ALICE).result()
    (left,) = memory.memories.get_memories(user_id=ALICE)
    assert left.source_conversation_id == other
    if stands_again:
        reinstate = "update messages set superseded_at = null where id = :id"
        RawDatabase(database_url).execute(reinstate, id=home.id)
    gone = memory.conversations.delete_conversation(conversation_id=other, user_id=ALICE)
    assert gone.memories == (0 if stands_again else 1)
    left_on = [one.source_message_id for one in memory.memories.get_memories(user_id=ALICE)]
    assert left_on == ([home.id] if stands_again else [])


def test_deleting_a_conversation_deletes_memories_without_other_source(memory: Recollect) -> None:
    id = chat(memory, "I live in Lisbon.", "I am allergic to peanuts.")
    memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
    other = chat(memory, "I live in Lisbon.")
    memory.memories.extract_memories(conversation_id=other, user_id=ALICE)
    write(memory, "Likes tea")
    assert memory.conversations.delete_conversation(conversation_id=id, user_id=ALICE).memories == 1
    assert known(memory) == ["Likes tea", "Lives in Lisbon"]
    assert (
        memory.conversations.delete_conversation(conversation_id=other, user_id=ALICE).memories == 1
    )
    assert known(memory) == ["Likes tea"]


def test_fork_adds_sources_to_memories(memory: Recollect) -> None:
    id = chat(memory, "I live in Lisbon.")
    memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
    fork = memory.conversations.fork_conversation(conversation_id=id, user_id=ALICE, at=1)
    assert memory.conversations.delete_conversation(conversation_id=id, user_id=ALICE).memories == 0
    (left,) = memory.memories.get_memories(user_id=ALICE)
    assert left.source_conversation_id == fork.id


def test_deleting_the_source_restores_superseded_memories(memory: Recollect) -> None:
    old = read(memory, "I live in Lisbon.")
    middle = chat(memory, "I live in Porto.")
    memory.memories.extract_memories(conversation_id=middle, user_id=ALICE)
    last = chat(memory, "I live in Rome.")
    memory.memories.extract_memories(conversation_id=last, user_id=ALICE)
    memory.conversations.delete_conversation(conversation_id=middle, user_id=ALICE)
    assert known(memory) == ["Lives in Rome"]
    (now,) = memory.memories.get_memories(user_id=ALICE)
    assert memory.memories.get_memory(memory_id=old.id, user_id=ALICE).superseded_by == now.id
    memory.conversations.delete_conversation(conversation_id=last, user_id=ALICE)
    assert known(memory) == ["Lives in Lisbon"]
    assert actions(memory, old)[0] == ("restored", "user")
    assert len(memory.recall.search("Lisbon", user_id=ALICE, kind="memories")) == 1


def test_retention_deletes_memories_of_expired_messages(memory: Recollect, clock: Clock) -> None:
    id = memory.conversations.create_conversation(user_id=ALICE, policy="ephemeral").id
    memory.conversations.add_message(
        MessageIn(role="user", content="I live in Rome."), conversation_id=id, user_id=ALICE
    )
    memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
    assert known(memory) == ["Lives in Rome"]
    clock.advance(hours=25)
    assert memory.sweep().deleted.memories == 1
    assert known(memory) == []


# In a context


def test_context_lists_pinned_memories_first(memory: Recollect) -> None:
    write(memory, "Likes tea")
    pinned = write(memory, "Is called Marta", is_pinned=True)
    newest = write(memory, "Plays the cello")
    id = chat(memory, "Hello")
    built = memory.contexts.build_context(conversation_id=id, user_id=ALICE)
    assert built.messages is not None
    block = next(m for m in built.messages if "What You Know" in m["content"])["content"]
    assert block.startswith(
        "## What You Know About the User\n- Is called Marta\n- Plays the cello\n- Likes tea\n"
    )
    items = [item for item in built.receipt.items if item.section == "memories"]
    assert [item.source for item in items][:2] == [pinned.id, newest.id]
    assert [item.reason for item in items] == [
        "Pinned by the user.",
        "One of the newest.",
        "One of the newest.",
    ]


def test_relevant_memories_come_before_recent_ones(memory: Recollect) -> None:
    old = write(memory, "Plays the cello in an orchestra")
    for number in range(20):
        write(memory, f"Knows person number {number}")
    id = chat(memory, "Hello")
    built = memory.contexts.build_context(
        "Which strings suit my cello?", conversation_id=id, user_id=ALICE
    )
    items = [item for item in built.receipt.items if item.section == "memories"]
    assert len(items) == 10
    assert (items[0].source, items[0].reason) == (old.id, "Relevant to the current message.")
    chosen = memory.memories.get_context_memories("Which strings suit my cello?", user_id=ALICE)
    assert [one.id for one in chosen] == [item.source for item in items]
    assert (
        memory.memories.get_context_memories(user_id=ALICE)[0].content == "Knows person number 19"
    )


def test_memories_over_budget_are_dropped_in_the_receipt(memory: Recollect) -> None:
    for number in range(5):
        write(memory, f"Fact {number}: " + "word " * 50)
    pinned = write(memory, "Is called Marta", is_pinned=True)
    id = chat(memory, "Hello")
    built = memory.contexts.build_context(conversation_id=id, user_id=ALICE, budget=150)
    items = [item for item in built.receipt.items if item.section == "memories"]
    assert {item.outcome for item in items} == {"included", "dropped"}
    assert next(item for item in items if item.source == pinned.id).outcome == "included"
    assert built.receipt.memory_tokens <= 150


def test_access_counts_are_written_later(memory: Recollect, raw: RawDatabase, clock: Clock) -> None:
    shown = write(memory, "Likes tea")
    id = chat(memory, "Hello")
    for _ in range(3):
        memory.contexts.build_context(conversation_id=id, user_id=ALICE)
    memory.memories.get_context_memories(user_id=ALICE)
    assert memory.memories.get_memory(memory_id=shown.id, user_id=ALICE) == shown
    clock.advance(minutes=1)
    memory.sweep()
    counted = memory.memories.get_memory(memory_id=shown.id, user_id=ALICE)
    assert counted.access_count == 4
    assert counted.last_accessed_at is not None
    assert counted.updated_at == shown.updated_at
    memory.sweep()
    assert memory.memories.get_memory(memory_id=shown.id, user_id=ALICE) == counted


def test_access_counts_are_written_on_close(database_url: str) -> None:
    with Recollect.open(database_url) as memory:
        shown = write(memory, "Likes tea")
        memory.memories.get_context_memories(user_id=ALICE)
    with Recollect.open(database_url) as memory:
        assert memory.memories.get_memory(memory_id=shown.id, user_id=ALICE).access_count == 1


# At once


def test_concurrent_extractions_leave_one_current_value(database_url: str) -> None:
    """Conversations that contradict each other are extracted in parallel, each twice."""

    async def race() -> tuple[list[Memory], list[Memory]]:
        async with engine.Recollect.open(database_url) as memory:
            ids = []
            for city in ("Lisbon", "Porto", "Rome", "Oslo", "Paris", "Vienna"):
                said = [MessageIn(role="user", content=f"I live in {city}.")]
                created = await memory.conversations.create_conversation(
                    user_id=ALICE, messages=said
                )
                ids.append(created.id)
            await asyncio.gather(
                *(
                    memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
                    for id in ids * 2
                ),
                return_exceptions=True,
            )
            for id in ids:  # whoever lost a race three times has left it unread
                await memory.memories.extract_memories(conversation_id=id, user_id=ALICE)
            holds = await memory.memories.get_memories(user_id=ALICE)
            held = await memory.memories.get_memories(MemoryFilters(superseded=True), user_id=ALICE)
            return [*holds], [*held]

    holds, held = asyncio.run(race())
    assert [one.content for one in holds] == ["Lives in Vienna"]
    assert len({one.content for one in held}) == len(held)
