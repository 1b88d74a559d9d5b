"""/api/conversations"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from pydantic import Field, StrictBool, StrictInt

from recollect.core.policy import RecallScope
from recollect.core.types import Conversation, Message, Page
from recollect.record.append import MAX_BATCH_MESSAGES, check_count
from recollect.server.auth import Caller, Engine, InConversation, Writer
from recollect.server.errors import locate_message_errors
from recollect.server.routes.messages import MAX_PAGE_BYTES
from recollect.server.schema_base import (
    FailFastList,
    IdempotencyKey,
    JsonObject,
    Limit,
    RequestModel,
)
from recollect.server.schemas import Deletion, MessageInSchema, Router, field_values, publish

router = Router(prefix="/api/conversations", tags=["conversations"])


class ConversationIn(RequestModel):
    title: str | None = None
    policy: str | None = None
    metadata: JsonObject | None = None
    remember: StrictBool = True
    messages: FailFastList[MessageInSchema] = Field(default=[])
    external_id: str | None = None
    project_id: str | None = None
    recall_scope: RecallScope | None = None


class ConversationUpdate(RequestModel):
    title: str | None = None
    is_archived: StrictBool = False
    metadata: JsonObject = Field(default={})
    policy: str = ""
    remember: StrictBool = True
    project_id: str | None = None
    recall_scope: RecallScope | None = None


class ForkIn(RequestModel):
    at: StrictInt | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationWithMessages(Conversation):
    messages: list[Message]


publish(ConversationWithMessages, hidden=["user_id"])


@router.post("", status_code=201)
async def create_conversation(
    caller: Caller,
    engine: Engine,
    body: ConversationIn | None = None,
    idempotency_key: IdempotencyKey = None,
) -> Conversation:
    body = body or ConversationIn()
    check_count(len(body.messages), MAX_BATCH_MESSAGES)
    with locate_message_errors():
        return await engine.conversations.create_conversation(
            **{**dict(body), "messages": [message.to_model() for message in body.messages]},
            user_id=caller.user_id,
            idempotency_key=idempotency_key,
        )


@router.get("")
async def list_conversations(
    caller: Caller,
    engine: Engine,
    archived: bool = False,
    q: str | None = None,
    project_id: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[Conversation]:
    """Newest activity first."""
    return await engine.conversations.list_conversations(
        limit,
        user_id=caller.user_id,
        cursor=cursor,
        archived=archived,
        query=q,
        project_id=project_id,
    )


@router.get("/current")
async def get_current_conversation(writer: Writer, engine: Engine) -> Conversation:
    """The latest conversation that is not archived, created if there is none."""
    return await engine.conversations.current_conversation(user_id=writer.user_id)


@router.get("/{conversation_id}")
async def get_conversation(
    ids: InConversation,
    engine: Engine,
    messages: Annotated[int, Query(ge=0, le=200)] = 50,
) -> ConversationWithMessages:
    """With its latest messages, the oldest of them first: fewer if they are long."""
    conversation = await engine.conversations.get_conversation(**ids)
    latest: list[Message] = []
    if messages:
        page = await engine.conversations.get_messages(
            messages, **ids, order="desc", max_bytes=MAX_PAGE_BYTES
        )
        latest = [*reversed(page)]
    return ConversationWithMessages(**field_values(conversation), messages=latest)


@router.put("/{conversation_id}", operation_id="putConversation")
@router.patch("/{conversation_id}")
async def update_conversation(
    body: ConversationUpdate, ids: InConversation, engine: Engine
) -> Conversation:
    """Change only the fields in the body. After a title is set it is never generated again; null
    lets it be generated."""
    return await engine.conversations.update_conversation(
        body.model_dump(exclude_unset=True), **ids
    )


@router.delete("/{conversation_id}")
async def delete_conversation(ids: InConversation, engine: Engine) -> Deletion:
    return Deletion(await engine.conversations.delete_conversation(**ids))


@router.post("/{conversation_id}/fork", status_code=201)
async def fork_conversation(body: ForkIn, ids: InConversation, engine: Engine) -> Conversation:
    """Copy all messages, or those up to the number `at`, into a new conversation."""
    return await engine.conversations.fork_conversation(**ids, at=body.at, title=body.title)
