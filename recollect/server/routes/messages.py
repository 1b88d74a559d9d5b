"""/api/conversations/{id}/messages, and feedback on a message."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from recollect.server.auth import Caller, Memory
from recollect.server.errors import placed
from recollect.server.routes.conversations import IdempotencyKey, Limit
from recollect.server.schemas import (
    DeletedCounts,
    Deletion,
    FeedbackIn,
    Items,
    Message,
    MessagesIn,
    MessageUpdate,
    Page,
)

router = APIRouter(prefix="/api", tags=["messages"])


@router.get("/conversations/{conversation_id}/messages")
async def list_all(
    conversation_id: str,
    caller: Caller,
    memory: Memory,
    limit: Limit = 50,
    cursor: str | None = None,
    order: Literal["asc", "desc"] = "asc",
    from_seq: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Page[Message]:
    """From one end, or from the message of a number. A cursor says where it goes on."""
    page = await memory.conversations.get_messages(
        limit,
        conversation_id=conversation_id,
        user_id=caller.user_id,
        cursor=cursor,
        order=order,
        from_seq=from_seq,
    )
    return Page[Message].model_validate(page)


@router.post("/conversations/{conversation_id}/messages", status_code=201)
async def append(
    conversation_id: str,
    body: MessagesIn,
    caller: Caller,
    memory: Memory,
    idempotency_key: IdempotencyKey = None,
) -> Items[Message]:
    """All or none. A retry under the same key answers what the first attempt stored."""
    with placed():
        stored = await memory.conversations.add_messages(
            [message.to_model() for message in body.messages],
            conversation_id=conversation_id,
            user_id=caller.user_id,
            idempotency_key=idempotency_key,
        )
    return Items(items=[Message.model_validate(message) for message in stored])


@router.get("/conversations/{conversation_id}/messages/{message_id}")
async def get(conversation_id: str, message_id: str, caller: Caller, memory: Memory) -> Message:
    found = await memory.conversations.get_message(
        message_id=message_id, user_id=caller.user_id, conversation_id=conversation_id
    )
    return Message.model_validate(found)


@router.patch("/conversations/{conversation_id}/messages/{message_id}")
async def update(
    conversation_id: str, message_id: str, body: MessageUpdate, caller: Caller, memory: Memory
) -> Message:
    pinned = await memory.conversations.pin_message(
        message_id=message_id,
        user_id=caller.user_id,
        conversation_id=conversation_id,
        is_pinned=body.is_pinned,
    )
    return Message.model_validate(pinned)


@router.delete("/conversations/{conversation_id}/messages/{message_id}")
async def delete(conversation_id: str, message_id: str, caller: Caller, memory: Memory) -> Deletion:
    deleted = await memory.conversations.delete_message(
        message_id=message_id, user_id=caller.user_id, conversation_id=conversation_id
    )
    return Deletion(deleted=DeletedCounts.model_validate(deleted))


@router.put("/messages/{message_id}/feedback")
async def rate(message_id: str, body: FeedbackIn, caller: Caller, memory: Memory) -> Message:
    rated = await memory.conversations.rate_message(
        message_id=message_id, user_id=caller.user_id, rating=body.rating, note=body.note
    )
    return Message.model_validate(rated)
