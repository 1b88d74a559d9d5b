"""Passages may come from the user's other conversations, as far as the scope allows."""

from datetime import UTC, datetime
from typing import Any

import pytest

from recollect import Context, InvalidInput, MessageIn, MessagesContext
from recollect.sync import Recollect

USER = "ada"
QUESTION = "Which vet does our dog Biscuit see?"
FACT = "Our dog Biscuit sees doctor Moreau, the vet."
SAID_AT = datetime(2024, 5, 3, 9, 0, tzinfo=UTC)

pytestmark = pytest.mark.both_databases


def conversation(memory: Recollect, *texts: str, **fields: Any) -> str:
    messages = [
        MessageIn(role="user" if index % 2 == 0 else "assistant", content=text, event_at=SAID_AT)
        for index, text in enumerate(texts)
    ]
    chat = memory.conversations.create_conversation(user_id=USER, messages=messages, **fields)
    memory.work()
    return chat.id


def ask(memory: Recollect, chat: str, **options: Any) -> MessagesContext:
    context: Context = memory.contexts.build_context(
        QUESTION, conversation_id=chat, user_id=USER, **options
    )
    assert isinstance(context, MessagesContext)
    return context


def retrieved(context: Context) -> list[str | None]:
    return [
        item.conversation_id
        for item in context.receipt.items
        if item.section == "retrieved" and item.outcome == "included"
    ]


def shown(context: MessagesContext) -> str:
    return "\n".join(str(message["content"]) for message in context.messages)


def test_another_conversation_is_quoted_with_title_and_day(memory: Recollect) -> None:
    other = conversation(memory, FACT, "Noted.", title="Our pets")
    here = conversation(memory, "Hello there!", "Hello!")
    context = ask(memory, here)
    assert retrieved(context) == [other]
    assert "Another conversation, “Our pets”, 3 May 2024" in shown(context)
    assert FACT in shown(context)
    (item,) = [item for item in context.receipt.items if item.section == "retrieved"]
    assert (item.title, item.start, item.end) == ("Our pets", 0, len(FACT))
    assert item.reason == "Relevant to the current message, from another conversation."


def test_a_deleted_conversation_is_out_of_the_next_context(memory: Recollect) -> None:
    other = conversation(memory, FACT, "Noted.")
    here = conversation(memory, "Hello there!", "Hello!")
    assert retrieved(ask(memory, here)) == [other]
    memory.conversations.delete_conversation(conversation_id=other, user_id=USER)
    assert retrieved(ask(memory, here)) == []


@pytest.mark.parametrize("scope", ["conversation", "project"])
def test_a_narrower_scope_keeps_other_conversations_out(memory: Recollect, scope: Any) -> None:
    conversation(memory, FACT, "Noted.")
    here = conversation(memory, "Hello there!", "Hello!")
    assert retrieved(ask(memory, here, recall_scope=scope)) == []
    narrow = conversation(memory, "Hello again!", "Hello!", recall_scope=scope)
    assert retrieved(ask(memory, narrow)) == []
    assert retrieved(ask(memory, narrow, recall_scope="user")) != []


def test_a_project_is_a_scope(memory: Recollect) -> None:
    conversation(memory, FACT, "Noted.", project_id="garden")
    mine = conversation(memory, FACT, "Noted.", project_id="pets")
    here = conversation(memory, "Hello there!", "Hello!", project_id="pets")
    assert retrieved(ask(memory, here, recall_scope="project")) == [mine]


def test_conversations_that_are_private_or_archived_are_not_quoted(memory: Recollect) -> None:
    private = conversation(memory, FACT, "Noted.")
    memory.conversations.update_conversation(
        {"remember": False}, conversation_id=private, user_id=USER
    )
    archived = conversation(memory, FACT, "Noted.")
    memory.conversations.update_conversation(
        {"is_archived": True}, conversation_id=archived, user_id=USER
    )
    here = conversation(memory, "Hello there!", "Hello!")
    assert retrieved(ask(memory, here)) == []


def test_nothing_is_quoted_into_a_private_conversation(memory: Recollect) -> None:
    conversation(memory, FACT, "Noted.")
    here = conversation(memory, "Hello there!", "Hello!")
    memory.conversations.update_conversation(
        {"remember": False}, conversation_id=here, user_id=USER
    )
    assert retrieved(ask(memory, here, recall_scope="user")) == []


def test_another_users_conversation_is_never_quoted(memory: Recollect) -> None:
    messages = [MessageIn(role="user", content=FACT)]
    memory.conversations.create_conversation(user_id="eve", messages=messages)
    memory.work()
    here = conversation(memory, "Hello there!", "Hello!")
    assert retrieved(ask(memory, here)) == []


def test_an_unknown_scope_or_layout_is_an_error(memory: Recollect) -> None:
    here = conversation(memory, "Hello there!", "Hello!")
    for option in ({"recall_scope": "galaxy"}, {"layout": "pretty"}):
        with pytest.raises(InvalidInput, match=next(iter(option))):
            ask(memory, here, **option)


@pytest.mark.parametrize("policy", ["window", "ephemeral"])
def test_policies_without_retrieval_quote_nothing(memory: Recollect, policy: str) -> None:
    conversation(memory, FACT, "Noted.")
    here = conversation(memory, "Hello there!", "Hello!", policy=policy)
    assert retrieved(ask(memory, here)) == []
