"""Helpers for tests of answers."""

from recollect import Message
from recollect.sync import AnswerStream, Recollect
from tests.scripted_model import Body


def stored_messages(memory: Recollect, stream: AnswerStream) -> list[Message]:
    return list(
        memory.conversations.get_messages(conversation_id=stream.conversation_id, user_id="alice")
    )


def active_messages(memory: Recollect, stream: AnswerStream) -> list[tuple[str, str]]:
    found = stored_messages(memory, stream)
    return [(one.role, one.content) for one in found if one.superseded_at is None]


def sent_messages(body: Body) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in body["messages"]]
