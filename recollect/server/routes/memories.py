"""/api/memories: facts known about the user, and their history."""

from typing import Annotated

from fastapi import Response
from pydantic import Field, StrictBool

from recollect.core import memory_types
from recollect.core.memory_types import Memory, MemoryEvent, MemoryFilters
from recollect.core.types import Job, MemoryType, Page
from recollect.server.auth import Caller, Engine
from recollect.server.rate_limit import AnswerCaller
from recollect.server.schema_base import Limit, RequestModel
from recollect.server.schemas import Deletion, Items, Router, publish, schema_of

router = Router(prefix="/api/memories", tags=["memories"])

Confidence = Annotated[float, Field(strict=True, ge=0, le=1)]


class MemoryInSchema(RequestModel):
    memory_type: MemoryType
    content: str
    category: str | None = None
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    is_pinned: StrictBool = False
    confidence: Confidence = 1.0


class MemoryUpdate(RequestModel):
    memory_type: MemoryType = "fact"
    category: str | None = None
    content: str = ""
    is_pinned: StrictBool = False
    is_archived: StrictBool = False
    confidence: Confidence = 1.0


class ExtractIn(RequestModel):
    conversation_id: str


publish(Memory, hidden=["user_id"])
publish(
    MemoryEvent,
    description="`before` and `after` hold the fields that changed; "
    "`before` of a new memory is null.",
)
_EXTRACTED = schema_of(Items[Memory])


@router.get("")
async def list_memories(
    caller: Caller,
    engine: Engine,
    type: MemoryType | None = None,
    category: str | None = None,
    pinned: bool | None = None,
    archived: bool = False,
    superseded: bool = False,
    q: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[Memory]:
    """Newest first: current memories, or with `superseded` those that are no longer valid."""
    filters = MemoryFilters(
        memory_type=type,
        category=category,
        pinned=pinned,
        archived=archived,
        superseded=superseded,
        query=q,
    )
    return await engine.memories.get_memories(filters, limit, user_id=caller.user_id, cursor=cursor)


@router.post("", status_code=201)
async def create_memory(body: MemoryInSchema, caller: Caller, engine: Engine) -> Memory:
    memory = memory_types.MemoryIn(**dict(body))
    return await engine.memories.create_memory(memory, user_id=caller.user_id)


@router.post(
    "/extract",
    status_code=202,
    response_model=Job,
    responses={200: {"model": _EXTRACTED, "description": "The memories added or changed."}},
)
async def extract_memories(
    body: ExtractIn, caller: AnswerCaller, engine: Engine, wait: bool = False
) -> Job | Response:
    """Enqueue a job that reads the messages since the last extraction. With `wait`, run it now and
    return its result."""
    if not wait:
        return await engine.memories.request_extraction(
            conversation_id=body.conversation_id, user_id=caller.user_id
        )
    memories = await engine.memories.extract_memories(
        conversation_id=body.conversation_id, user_id=caller.user_id
    )
    items = _EXTRACTED.model_validate(Items(memories))
    return Response(items.model_dump_json(), media_type="application/json")


@router.get("/{memory_id}")
async def get_memory(memory_id: str, caller: Caller, engine: Engine) -> Memory:
    return await engine.memories.get_memory(memory_id=memory_id, user_id=caller.user_id)


@router.put("/{memory_id}", operation_id="putMemory")
@router.patch("/{memory_id}")
async def update_memory(
    memory_id: str, body: MemoryUpdate, caller: Caller, engine: Engine
) -> Memory:
    """Change only the fields in the body. New content makes the user its author."""
    return await engine.memories.update_memory(
        body.model_dump(exclude_unset=True), memory_id=memory_id, user_id=caller.user_id
    )


@router.delete("/{memory_id}")
async def delete_memory(memory_id: str, caller: Caller, engine: Engine) -> Deletion:
    """Later extractions do not create it again from the same messages."""
    deleted = await engine.memories.delete_memory(memory_id=memory_id, user_id=caller.user_id)
    return Deletion(deleted)


@router.get("/{memory_id}/history")
async def get_memory_history(
    memory_id: str, caller: Caller, engine: Engine, limit: Limit = 50, cursor: str | None = None
) -> Page[MemoryEvent]:
    """Every change, newest first."""
    return await engine.memories.get_history(
        limit, memory_id=memory_id, user_id=caller.user_id, cursor=cursor
    )


@router.post("/{memory_id}/undo")
async def undo_memory_change(memory_id: str, caller: Caller, engine: Engine) -> Memory:
    """Undo the last change that has not been undone."""
    return await engine.memories.undo(memory_id=memory_id, user_id=caller.user_id)
