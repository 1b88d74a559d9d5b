"""/api/chats: conversations as turns of a user and a model, for voice clients and the like."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException
from pydantic import Field

from recollect.core import types
from recollect.server.auth import Caller, Memory
from recollect.server.errors import placed
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.schema_base import In, Listed, Out
from recollect.server.schemas import DeletedCounts, Deletion

router = APIRouter(prefix="/api/chats", tags=["chats"])

_POLICY = "window"


class PartIn(In):
    text: str


class TurnIn(In):
    """A turn as clients keep it."""

    role: Literal["user", "model"]
    parts: Annotated[Listed[PartIn], Field(min_length=1)]
    thinking: str | None = None

    def to_model(self) -> types.MessageIn:
        return types.MessageIn(
            role="user" if self.role == "user" else "assistant",
            content="".join(part.text for part in self.parts),
            thinking=self.thinking,
        )


class ChatIn(In):
    title: str | None = None
    messages: Listed[TurnIn] = Field(default=[])


class ChatAppend(In):
    id: str
    messages: Annotated[Listed[TurnIn], Field(min_length=1)]


class Part(Out):
    text: str


class ChatTurn(Out):
    role: Literal["user", "model"]
    parts: list[Part]
    thinking: str | None = None


class Chat(Out):
    """`full_history` is for people, `assistant_history` for the model: the summary first, if there
    is one, and never more turns than the window holds."""

    id: str
    title: str | None
    full_history: list[ChatTurn]
    assistant_history: list[ChatTurn]
    summary_text: str | None
    last_activity_at: datetime
    created_at: datetime


class ChatCandidate(Out):
    chat: Chat
    similarity: float


class FoundChats(Out):
    match: Chat | None
    candidates: list[ChatCandidate]
    needs_confirmation: bool


@router.post("", status_code=201, response_model_exclude_unset=True)
async def create(
    caller: Caller,
    memory: Memory,
    body: ChatIn | None = None,
    idempotency_key: IdempotencyKey = None,
) -> Chat:
    given = body or ChatIn()
    with placed(content="parts"):
        created = await memory.conversations.create_conversation(
            given.title,
            user_id=caller.user_id,
            policy=_POLICY,
            messages=[turn.to_model() for turn in given.messages],
            idempotency_key=idempotency_key,
        )
    return Chat.model_validate(
        await memory.recall.get_chat(conversation_id=created.id, user_id=caller.user_id)
    )


@router.get("", response_model_exclude_unset=True)
async def get(
    caller: Caller, memory: Memory, id: str | None = None, search: str | None = None
) -> Chat | FoundChats:
    """The chat of this `id`; or, by its meaning, the one that a `search` asks for."""
    if id is not None and search is None:
        return Chat.model_validate(
            await memory.recall.get_chat(conversation_id=id, user_id=caller.user_id)
        )
    if search is not None and id is None:
        return FoundChats.model_validate(
            await memory.recall.search_chats(search, user_id=caller.user_id)
        )
    raise HTTPException(400, "Either id= names a chat, or search= says what it was about.")


@router.patch("", response_model_exclude_unset=True)
async def append(
    body: ChatAppend, caller: Caller, memory: Memory, idempotency_key: IdempotencyKey = None
) -> Chat:
    """All or none. A retry under the same key adds nothing."""
    with placed(content="parts"):
        await memory.conversations.add_messages(
            [turn.to_model() for turn in body.messages],
            conversation_id=body.id,
            user_id=caller.user_id,
            idempotency_key=idempotency_key,
        )
    return Chat.model_validate(
        await memory.recall.get_chat(conversation_id=body.id, user_id=caller.user_id)
    )


@router.delete("")
async def delete(id: str, caller: Caller, memory: Memory) -> Deletion:
    deleted = await memory.conversations.delete_conversation(
        conversation_id=id, user_id=caller.user_id
    )
    return Deletion(deleted=DeletedCounts.model_validate(deleted))
