"""/api/conversations"""

from typing import Annotated

from fastapi import APIRouter, Header, Query

from recollect.server.auth import Caller, Memory
from recollect.server.errors import placed
from recollect.server.schemas import (
    Conversation,
    ConversationIn,
    ConversationUpdate,
    ConversationWithMessages,
    DeletedCounts,
    Deletion,
    ForkIn,
    Message,
    Page,
)

router = APIRouter(prefix="/api/conversations", tags=["conversations"])

IdempotencyKey = Annotated[str | None, Header(alias="Idempotency-Key", max_length=255)]
Limit = Annotated[int, Query(ge=1, le=200)]


@router.post("", status_code=201)
async def create(
    caller: Caller,
    memory: Memory,
    body: ConversationIn | None = None,
    idempotency_key: IdempotencyKey = None,
) -> Conversation:
    body = body or ConversationIn()
    with placed():
        conversation = await memory.conversations.create_conversation(
            body.title,
            user_id=caller.user_id,
            policy=body.policy,
            metadata=body.metadata,
            remember=body.remember,
            messages=[message.to_model() for message in body.messages],
            idempotency_key=idempotency_key,
        )
    return Conversation.model_validate(conversation)


@router.get("")
async def list_all(
    caller: Caller,
    memory: Memory,
    archived: bool = False,
    q: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[Conversation]:
    """Newest activity first."""
    page = await memory.conversations.list_conversations(
        limit, user_id=caller.user_id, cursor=cursor, archived=archived, query=q
    )
    return Page[Conversation].model_validate(page)


@router.get("/current")
async def current(caller: Caller, memory: Memory) -> Conversation:
    """The latest active one, created if there is none."""
    return Conversation.model_validate(
        await memory.conversations.current_conversation(user_id=caller.user_id)
    )


@router.get("/{conversation_id}")
async def get(
    conversation_id: str,
    caller: Caller,
    memory: Memory,
    messages: Annotated[int, Query(ge=0, le=200)] = 50,
) -> ConversationWithMessages:
    """With its latest messages, oldest of them first."""
    conversation = await memory.conversations.get_conversation(
        conversation_id=conversation_id, user_id=caller.user_id
    )
    latest: list[Message] = []
    if messages:
        page = await memory.conversations.get_messages(
            messages, conversation_id=conversation_id, user_id=caller.user_id, order="desc"
        )
        latest = [Message.model_validate(message) for message in reversed(page)]
    return ConversationWithMessages(
        **Conversation.model_validate(conversation).model_dump(), messages=latest
    )


@router.put("/{conversation_id}")
@router.patch("/{conversation_id}")
async def update(
    conversation_id: str, body: ConversationUpdate, caller: Caller, memory: Memory
) -> Conversation:
    """Only what is given changes. A title that is given is the user's; null gives it back."""
    updated = await memory.conversations.update_conversation(
        body.model_dump(exclude_unset=True), conversation_id=conversation_id, user_id=caller.user_id
    )
    return Conversation.model_validate(updated)


@router.delete("/{conversation_id}")
async def delete(conversation_id: str, caller: Caller, memory: Memory) -> Deletion:
    deleted = await memory.conversations.delete_conversation(
        conversation_id=conversation_id, user_id=caller.user_id
    )
    return Deletion(deleted=DeletedCounts.model_validate(deleted))


@router.post("/{conversation_id}/fork", status_code=201)
async def fork(conversation_id: str, body: ForkIn, caller: Caller, memory: Memory) -> Conversation:
    """With all messages, or with those up to the number `at`."""
    forked = await memory.conversations.fork_conversation(
        conversation_id=conversation_id, user_id=caller.user_id, at=body.at, title=body.title
    )
    return Conversation.model_validate(forked)
