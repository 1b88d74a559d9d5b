"""`recollect memories`."""

import re

import pytest

from recollect import MemoryIn, MessageIn
from recollect.sync import Recollect
from tests.cli.commands import error_of, output, run


@pytest.mark.torture
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_memories_are_added_and_listed(memory: Recollect, database_url: str) -> None:
    def found(*arguments: str) -> list[str]:
        return output("memories", *arguments, "--database", database_url)

    assert found("list", "--user", "alice") == ["No results."]
    (tea,) = found("add", "Takes", "tea.", "--type", "preference", "--user", "alice")
    (bread,) = found("add", "Bakes bread.", "--category", "food", "--pin", "--user", "alice")
    (long,) = found("add", "Talks,\n\nand " + "talks, " * 40, "--user", "alice")
    (own,) = found("add", "Is somebody else.")
    everything = memory.memories.get_memories(user_id="alice")
    ids = [one.id for one in everything]
    day = everything[0].valid_from.date()
    assert tea == f"{ids[2]}  {day}  Takes tea. (preference)"
    assert bread == f"{ids[1]}  {day}  Bakes bread. (fact, pinned)"
    assert re.fullmatch(rf"{ids[0]}  {day}  Talks, and (talks, )+talks, … \(fact\)", long)
    assert everything[1].category == "food"
    memory.memories.update_memory({"is_archived": True}, memory_id=ids[0], user_id="alice")

    assert found("list", "--user", "alice") == [bread, tea]
    assert found("list", "--user", "alice", "--limit", "1") == [bread]
    assert found("list", "BREAD", "--user", "alice") == [bread]
    assert found("list", "takes", "tea", "--user", "alice") == [tea]
    assert found("list", "--type", "preference", "--user", "alice") == [tea]
    assert found("list", "--category", "food", "--user", "alice") == [bread]
    assert found("list", "--pinned", "--user", "alice") == [bread]
    (away,) = found("list", "--archived", "--user", "alice")
    assert away == long.replace("(fact)", "(fact, archived)")
    assert found("list", "--superseded", "--user", "alice") == ["No results."]
    assert found("list") == [own]


@pytest.mark.torture
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_memories_are_extracted_edited_and_deleted(memory: Recollect, database_url: str) -> None:
    chat = memory.conversations.create_conversation(
        user_id="local", messages=[MessageIn(role="user", content="I live in Lisbon.")]
    )

    def memories(action: str, *arguments: str) -> list[str]:
        return output("memories", action, *arguments, "--database", database_url)

    (lisbon,) = memories("extract", chat.id)
    id = lisbon.split()[0]
    assert lisbon.endswith("  Lives in Lisbon (fact)")
    assert memories("extract", chat.id) == ["No new memories."]
    new = MessageIn(role="user", content="I live in Porto now.")
    memory.conversations.add_message(new, conversation_id=chat.id, user_id="local")
    changed = memories("extract", chat.id)
    assert sorted(line.split("  ")[-1] for line in changed) == [
        "Lives in Lisbon (fact, superseded)",
        "Lives in Porto (fact)",
    ]
    assert memories("undo", id) == [lisbon]
    assert memories("list") == [lisbon]
    (alfama,) = memories("edit", id, "Lives", "in", "Alfama")
    assert alfama.endswith("  Lives in Alfama (fact)")

    shown = memories("history", id)
    assert shown[0].endswith("  Lives in Alfama (fact)")
    events = [line for line in shown[1:] if not line.startswith(" ")]
    assert [line.split("  ")[1] for line in events] == [
        "updated by user",
        "undone by user",
        "superseded by pattern (undone)",
        "created by pattern",
    ]
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d  ", line) for line in events)
    assert "      content: Lives in Lisbon → Lives in Alfama" in shown
    assert "      content: Lives in Lisbon" in shown
    assert memories("edit", id, "--pin")[0].endswith("  Lives in Alfama (fact, pinned)")
    assert memories("edit", id, "--no-pin", "--archive")[0].endswith("(fact, archived)")
    assert memories("delete", id) == ["Deleted."]
    assert memories("list") == ["No results."]
    for action in ("history", "undo", "delete"):
        refused = run("memories", action, id, "--database", database_url)
        assert "no such memory" in error_of(refused)


@pytest.mark.torture
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_invalid_memory_commands_are_refused(memory: Recollect, database_url: str) -> None:
    database = ("--database", database_url)
    new = MemoryIn(memory_type="fact", content="Takes tea.")
    known = memory.memories.create_memory(new, user_id="alice")
    chat = memory.conversations.create_conversation(user_id="local")
    memory.conversations.update_conversation(
        {"remember": False}, conversation_id=chat.id, user_id="local"
    )
    for arguments, reason in [
        (("undo", known.id, "--user", "alice"), "nothing to undo"),
        (("undo", known.id), "no such memory"),
        (("delete", "nonsense"), "no such memory"),
        (("extract", known.id), "no such conversation"),
        (("extract", chat.id), "kept out of memory"),
        (("add", " "), "content is empty"),
        (("add", "x" * 8_001), "the limit is 8,000"),
        (("list", "--limit", "0"), "limit"),
    ]:
        assert reason in error_of(run("memories", *arguments, *database))
    assert list(memory.memories.get_memories(user_id="alice")) == [known]
