"""/api/conversations/{id}/messages, and feedback on a message."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field, StrictBool

from recollect.core.types import Message, Page, Rating
from recollect.record.append import MAX_BATCH_MESSAGES, check_count
from recollect.server.auth import Caller, Engine, InConversation
from recollect.server.errors import locate_message_errors
from recollect.server.schema_base import FailFastList, IdempotencyKey, Limit, RequestModel
from recollect.server.schemas import Deletion, Items, MessageInSchema, Router

router = Router(prefix="/api", tags=["messages"])

_MESSAGES = "/conversations/{conversation_id}/messages"
MAX_PAGE_BYTES = 4_000_000
"""Of the texts and JSON fields of a page's messages. One message may have more."""
_MESSAGE = f"{_MESSAGES}/{{message_id}}"


class MessagesIn(RequestModel):
    messages: Annotated[FailFastList[MessageInSchema], Field(min_length=1)]


class MessageUpdate(RequestModel):
    is_pinned: StrictBool


class FeedbackIn(RequestModel):
    rating: Rating | None
    note: str | None = None


@router.get(_MESSAGES)
async def list_messages(
    ids: InConversation,
    engine: Engine,
    limit: Limit = 50,
    cursor: str | None = None,
    order: Literal["asc", "desc"] = "asc",
    from_seq: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Page[Message]:
    """From one end, or from the message number `from_seq` on. A page of long messages has fewer
    than `limit`."""
    return await engine.conversations.get_messages(
        limit, **ids, cursor=cursor, order=order, from_seq=from_seq, max_bytes=MAX_PAGE_BYTES
    )


@router.post(_MESSAGES, status_code=201)
async def append_messages(
    body: MessagesIn,
    ids: InConversation,
    engine: Engine,
    idempotency_key: IdempotencyKey = None,
) -> Items[Message]:
    """Append all messages or none. A retry with the same key returns the stored messages."""
    check_count(len(body.messages), MAX_BATCH_MESSAGES)
    with locate_message_errors():
        stored = await engine.conversations.add_messages(
            [message.to_model() for message in body.messages],
            **ids,
            idempotency_key=idempotency_key,
        )
    return Items(stored)


@router.get(_MESSAGE)
async def get_message(
    conversation_id: str, message_id: str, caller: Caller, engine: Engine
) -> Message:
    return await engine.conversations.get_message(
        message_id=message_id, user_id=caller.user_id, conversation_id=conversation_id
    )


@router.patch(_MESSAGE)
async def update_message(
    conversation_id: str, message_id: str, body: MessageUpdate, caller: Caller, engine: Engine
) -> Message:
    return await engine.conversations.pin_message(
        message_id=message_id,
        user_id=caller.user_id,
        conversation_id=conversation_id,
        is_pinned=body.is_pinned,
    )


@router.delete(_MESSAGE)
async def delete_message(
    conversation_id: str, message_id: str, caller: Caller, engine: Engine
) -> Deletion:
    deleted = await engine.conversations.delete_message(
        message_id=message_id, user_id=caller.user_id, conversation_id=conversation_id
    )
    return Deletion(deleted)


@router.put("/messages/{message_id}/feedback")
async def rate_message(
    message_id: str, body: FeedbackIn, caller: Caller, engine: Engine
) -> Message:
    return await engine.conversations.rate_message(
        message_id=message_id, user_id=caller.user_id, rating=body.rating, note=body.note
    )
