"""/api/memories: what is known about the user, and its history."""

from fastapi import APIRouter, Response

from recollect.core.memory_types import MemoryFilters
from recollect.core.types import MemoryType
from recollect.server import rate_limit, schemas
from recollect.server.auth import Caller, Memory
from recollect.server.routes.conversations import Limit
from recollect.server.schemas import (
    DeletedCounts,
    Deletion,
    ExtractIn,
    Items,
    Job,
    MemoryEvent,
    MemoryIn,
    MemoryUpdate,
    Page,
)

router = APIRouter(prefix="/api/memories", tags=["memories"])


@router.get("")
async def list_all(
    caller: Caller,
    memory: Memory,
    type: MemoryType | None = None,
    category: str | None = None,
    pinned: bool | None = None,
    archived: bool = False,
    superseded: bool = False,
    q: str | None = None,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[schemas.Memory]:
    """Newest first: what holds, or with `superseded` what held before."""
    filters = MemoryFilters(
        memory_type=type,
        category=category,
        pinned=pinned,
        archived=archived,
        superseded=superseded,
        query=q,
    )
    page = await memory.memories.get_memories(filters, limit, user_id=caller.user_id, cursor=cursor)
    return Page[schemas.Memory].model_validate(page)


@router.post("", status_code=201)
async def create(body: MemoryIn, caller: Caller, memory: Memory) -> schemas.Memory:
    created = await memory.memories.create_memory(body.to_model(), user_id=caller.user_id)
    return schemas.Memory.model_validate(created)


@router.post(
    "/extract",
    status_code=202,
    response_model=Job,
    responses={200: {"model": Items[schemas.Memory], "description": "What was added or changed."}},
)
async def extract(
    body: ExtractIn, caller: rate_limit.AnswerStream, memory: Memory, wait: bool = False
) -> Job | Response:
    """The job that reads on where the last one ended; with `wait`, what came of it."""
    if not wait:
        job = await memory.memories.request_extraction(
            conversation_id=body.conversation_id, user_id=caller.user_id
        )
        return Job.model_validate(job)
    found = await memory.memories.extract_memories(
        conversation_id=body.conversation_id, user_id=caller.user_id
    )
    items = Items[schemas.Memory].model_validate({"items": found})
    return Response(items.model_dump_json(), media_type="application/json")


@router.get("/{memory_id}")
async def get(memory_id: str, caller: Caller, memory: Memory) -> schemas.Memory:
    return schemas.Memory.model_validate(
        await memory.memories.get_memory(memory_id=memory_id, user_id=caller.user_id)
    )


@router.put("/{memory_id}")
@router.patch("/{memory_id}")
async def update(
    memory_id: str, body: MemoryUpdate, caller: Caller, memory: Memory
) -> schemas.Memory:
    """Only what is given changes. Content that is given is the user's own from then on."""
    updated = await memory.memories.update_memory(
        body.model_dump(exclude_unset=True), memory_id=memory_id, user_id=caller.user_id
    )
    return schemas.Memory.model_validate(updated)


@router.delete("/{memory_id}")
async def delete(memory_id: str, caller: Caller, memory: Memory) -> Deletion:
    """It does not come back from what it was read in."""
    deleted = await memory.memories.delete_memory(memory_id=memory_id, user_id=caller.user_id)
    return Deletion(deleted=DeletedCounts.model_validate(deleted))


@router.get("/{memory_id}/history")
async def history(
    memory_id: str, caller: Caller, memory: Memory, limit: Limit = 50, cursor: str | None = None
) -> Page[MemoryEvent]:
    """Every change, newest first."""
    page = await memory.memories.get_history(
        limit, memory_id=memory_id, user_id=caller.user_id, cursor=cursor
    )
    return Page[MemoryEvent].model_validate(page)


@router.post("/{memory_id}/undo")
async def undo(memory_id: str, caller: Caller, memory: Memory) -> schemas.Memory:
    """Takes back the last change that has not been undone."""
    return schemas.Memory.model_validate(
        await memory.memories.undo(memory_id=memory_id, user_id=caller.user_id)
    )
