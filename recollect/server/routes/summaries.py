"""/api/conversations/{id}/summary, and compaction on demand."""

from fastapi import APIRouter

from recollect.server import rate_limit
from recollect.server.auth import Caller, Memory
from recollect.server.routes.conversations import Limit
from recollect.server.schemas import (
    CompactIn,
    Compaction,
    Comparison,
    Page,
    RollbackIn,
    Summary,
    SummaryEdit,
    SummaryWithCoverage,
)

router = APIRouter(prefix="/api/conversations/{conversation_id}", tags=["summaries"])


@router.get("/summary")
async def get(conversation_id: str, caller: Caller, memory: Memory) -> SummaryWithCoverage:
    """The current one; version 0 and empty text where there is none yet."""
    summary = await memory.summaries.get_summary(
        conversation_id=conversation_id, user_id=caller.user_id
    )
    coverage = await memory.summaries.get_coverage(
        conversation_id=conversation_id, user_id=caller.user_id
    )
    return SummaryWithCoverage(
        **Summary.model_validate(summary).model_dump(),
        last_message_id=coverage.message_id,
        last_summarized_message_id=coverage.answer_id,
    )


@router.put("/summary")
async def edit(conversation_id: str, body: SummaryEdit, caller: Caller, memory: Memory) -> Summary:
    """A new version by the user, if `version` is still the current one."""
    edited = await memory.summaries.edit_summary(
        body.text, conversation_id=conversation_id, user_id=caller.user_id, version=body.version
    )
    return Summary.model_validate(edited)


@router.get("/summary/versions")
async def versions(
    conversation_id: str,
    caller: Caller,
    memory: Memory,
    limit: Limit = 50,
    cursor: str | None = None,
) -> Page[Summary]:
    """Newest first."""
    page = await memory.summaries.list_versions(
        limit, conversation_id=conversation_id, user_id=caller.user_id, cursor=cursor
    )
    return Page[Summary].model_validate(page)


@router.get("/summary/compare")
async def compare(
    conversation_id: str, older: int, newer: int, caller: Caller, memory: Memory
) -> Comparison:
    """What one version says that another does not."""
    compared = await memory.summaries.compare_versions(
        older, newer, conversation_id=conversation_id, user_id=caller.user_id
    )
    return Comparison.model_validate(compared)


@router.post("/summary/rollback")
async def roll_back(
    conversation_id: str, body: RollbackIn, caller: Caller, memory: Memory
) -> Summary:
    """An earlier version once more, as a new one."""
    restored = await memory.summaries.roll_back_summary(
        conversation_id=conversation_id, user_id=caller.user_id, version=body.version
    )
    return Summary.model_validate(restored)


@router.post("/summary/rebuild")
async def rebuild(conversation_id: str, caller: rate_limit.AnswerStream, memory: Memory) -> Summary:
    """Made anew from the raw messages; what a user wrote stays."""
    rebuilt = await memory.summaries.rebuild_summary(
        conversation_id=conversation_id, user_id=caller.user_id
    )
    return Summary.model_validate(rebuilt)


@router.post("/compact")
async def compact(
    conversation_id: str,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    body: CompactIn | None = None,
) -> Compaction:
    """Compacts now if the policy says so, or with `force`."""
    done = await memory.summaries.compact(
        conversation_id=conversation_id, user_id=caller.user_id, force=body.force if body else False
    )
    return Compaction.model_validate(done)
