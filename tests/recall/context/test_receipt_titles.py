"""Receipts are stored without the titles of other conversations: an automatic title may have words
of a message that is deleted later."""

import json
from io import BytesIO

import pytest

from recollect import Message, MessageIn, Receipt
from recollect.sync import Recollect
from tests.raw import RawDatabase

USER = "ada"
SECRET = "Zanzibar"
FACT = f"Our dog Biscuit sees the vet of {SECRET}."
QUESTION = "Which vet does our dog Biscuit see?"

pytestmark = pytest.mark.both_databases


@pytest.fixture
def other(memory: Recollect) -> str:
    """A conversation whose automatic title has words of its message."""
    messages = [MessageIn(role="user", content=FACT), MessageIn(role="assistant", content="Noted.")]
    chat = memory.conversations.create_conversation(user_id=USER, messages=messages)
    memory.work()
    assert SECRET in (title_of(memory, chat.id) or "")
    return chat.id


@pytest.fixture
def answer(memory: Recollect, other: str) -> Message:
    """An answer in a new conversation that quotes the other one, with its receipt."""
    here = memory.conversations.create_conversation(user_id=USER)
    question = MessageIn(role="user", content=QUESTION)
    memory.conversations.add_message(question, conversation_id=here.id, user_id=USER)
    context = memory.contexts.build_context(conversation_id=here.id, user_id=USER)
    assert titles(context.receipt) == {other: title_of(memory, other)}
    said = MessageIn(role="assistant", content="I do not know.")
    written = memory.conversations.add_message(said, conversation_id=here.id, user_id=USER)
    memory.contexts.store_receipt(context.receipt, message_id=written.id, user_id=USER)
    return written


def titles(receipt: Receipt) -> dict[str | None, str | None]:
    retrieved = [item for item in receipt.items if item.section == "retrieved"]
    return {item.conversation_id: item.title for item in retrieved}


def title_of(memory: Recollect, id: str) -> str | None:
    return memory.conversations.get_conversation(conversation_id=id, user_id=USER).title


def read_titles(memory: Recollect, answer: Message) -> dict[str | None, str | None]:
    return titles(memory.contexts.get_receipt(message_id=answer.id, user_id=USER))


def stored(raw: RawDatabase) -> str:
    ((receipt,),) = raw.execute("select cast(receipt as text) from receipts")
    return str(receipt)


def exported(memory: Recollect) -> list[str]:
    return "".join(memory.data.export_lines(user_id=USER)).splitlines()


def test_a_deleted_word_is_in_no_stored_receipt(
    memory: Recollect, raw: RawDatabase, other: str, answer: Message
) -> None:
    said = memory.conversations.get_messages(conversation_id=other, user_id=USER)[0]
    memory.conversations.delete_message(message_id=said.id, user_id=USER)
    memory.work()
    assert other in stored(raw)
    assert SECRET not in stored(raw)
    assert SECRET not in "".join(exported(memory))
    assert read_titles(memory, answer) == {other: title_of(memory, other)}
    assert SECRET not in (title_of(memory, other) or "")


def test_a_receipt_has_the_present_title(memory: Recollect, other: str, answer: Message) -> None:
    assert read_titles(memory, answer) == {other: title_of(memory, other)}
    memory.conversations.update_conversation(
        {"title": "Our pets"}, conversation_id=other, user_id=USER
    )
    assert read_titles(memory, answer) == {other: "Our pets"}
    memory.conversations.delete_conversation(conversation_id=other, user_id=USER)
    assert read_titles(memory, answer) == {other: None}


def test_a_title_of_an_older_version_is_neither_shown_nor_transferred(
    memory: Recollect, raw: RawDatabase, other: str, answer: Message
) -> None:
    receipt = json.loads(stored(raw))
    for item in receipt["items"]:
        item["title"] = "an old title"
    raw.execute("update receipts set receipt = :receipt", receipt=json.dumps(receipt))
    assert read_titles(memory, answer) == {other: title_of(memory, other)}
    lines = exported(memory)
    assert "an old title" not in "".join(lines)

    titled = [json.loads(line) for line in lines]
    for line in titled:
        if line["kind"] == "receipt":
            line["receipt"] = receipt
    memory.users.delete_user(user_id=USER)
    file = "".join(f"{json.dumps(line)}\n" for line in titled).encode()
    assert memory.data.import_file(BytesIO(file), user_id=USER).failures == 0
    assert "an old title" not in stored(raw)
    assert read_titles(memory, answer) == {other: title_of(memory, other)}
