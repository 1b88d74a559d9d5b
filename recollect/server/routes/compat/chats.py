"""/api/chats of specification 000: chats as turns of a user and a model."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import HTTPException, Response
from pydantic import Field

from recollect.compat.chats import Chats, ChatSearchResult, ChatView
from recollect.core import types
from recollect.core.offload import LARGE, run_off_loop
from recollect.engine import Recollect
from recollect.record.append import MAX_BATCH_MESSAGES, check_count
from recollect.server.auth import Caller, Engine
from recollect.server.errors import locate_message_errors
from recollect.server.json_body import encode_in_parts
from recollect.server.schema_base import FailFastList, IdempotencyKey, RequestModel, ResponseModel
from recollect.server.schemas import Deletion, Router, publish

router = Router(prefix="/api/chats", tags=["chats"])

_POLICY = "window"


class PartIn(RequestModel):
    text: str


class TurnIn(RequestModel):
    role: Literal["user", "model"]
    parts: Annotated[FailFastList[PartIn], Field(min_length=1)]
    thinking: str | None = None

    def to_model(self) -> types.MessageIn:
        return types.MessageIn(
            role="user" if self.role == "user" else "assistant",
            content="".join(part.text for part in self.parts),
            thinking=self.thinking,
        )


async def _to_messages(turns: Sequence[TurnIn]) -> list[types.MessageIn]:
    """Convert the turns, in a thread because one may have many parts."""
    check_count(len(turns), MAX_BATCH_MESSAGES)
    return await run_off_loop(lambda: [turn.to_model() for turn in turns], size=LARGE)


class ChatIn(RequestModel):
    title: str | None = None
    messages: FailFastList[TurnIn] = Field(default=[])


class ChatAppend(RequestModel):
    id: str
    messages: Annotated[FailFastList[TurnIn], Field(min_length=1)]


class ChatPart(ResponseModel):
    text: str


class ChatTurn(ResponseModel):
    role: Literal["user", "model"]
    parts: list[ChatPart]
    thinking: str | None = None


publish(
    ChatView,
    "Chat",
    description="`full_history` is for display, `assistant_history` for the model: the summary "
    "first, if\nthere is one, and never more turns than the window.",
    full_history=list[ChatTurn],
    assistant_history=list[ChatTurn],
)
publish(ChatSearchResult, "FoundChats")


@router.post("", status_code=201, response_model=ChatView)
async def create_chat(
    caller: Caller,
    engine: Engine,
    body: ChatIn | None = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    body = body or ChatIn()
    with locate_message_errors(content="parts"):
        created = await engine.conversations.create_conversation(
            body.title,
            user_id=caller.user_id,
            policy=_POLICY,
            messages=await _to_messages(body.messages) if body.messages else (),
            idempotency_key=idempotency_key,
        )
    response = await _get(engine, created.id, caller.user_id)
    response.status_code = 201
    return response


@router.get("", response_model=ChatView | ChatSearchResult)
async def get_chat(
    caller: Caller, engine: Engine, id: str | None = None, search: str | None = None
) -> Response:
    """Get the chat with this `id`, or find chats whose meaning is close to `search`."""
    if id is not None and search is None:
        return await _get(engine, id, caller.user_id)
    if search is not None and id is None:
        return await _respond(await Chats(engine).search_chats(search, user_id=caller.user_id))
    raise HTTPException(400, "Give either id= or search=, not both or neither.")


@router.patch("", response_model=ChatView)
async def append_to_chat(
    body: ChatAppend, caller: Caller, engine: Engine, idempotency_key: IdempotencyKey = None
) -> Response:
    """Append all turns or none. A retry with the same key appends nothing."""
    with locate_message_errors(content="parts"):
        await engine.conversations.add_messages(
            await _to_messages(body.messages),
            conversation_id=body.id,
            user_id=caller.user_id,
            idempotency_key=idempotency_key,
        )
    return await _get(engine, body.id, caller.user_id)


@router.delete("")
async def delete_chat(id: str, caller: Caller, engine: Engine) -> Deletion:
    deleted = await engine.conversations.delete_conversation(
        conversation_id=id, user_id=caller.user_id
    )
    return Deletion(deleted)


async def _get(engine: Recollect, id: str, user_id: str) -> Response:
    return await _respond(await Chats(engine).get_chat(conversation_id=id, user_id=user_id))


async def _respond(result: ChatView | ChatSearchResult) -> Response:
    """A chat has its whole history, which may be very long."""
    content = await run_off_loop(lambda: encode_in_parts(result), size=LARGE)
    return Response(content, media_type="application/json")
