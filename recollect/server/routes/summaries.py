"""/api/conversations/{id}/summary, and compaction on demand."""

from datetime import datetime
from typing import Annotated

from pydantic import AliasChoices, Field, StrictBool, StrictInt

from recollect.core.types import Author, ExactValue, Page, Summary
from recollect.core.validation import check_size
from recollect.digest.summaries.compaction import CompactionResult
from recollect.digest.summaries.service import SummaryDiff
from recollect.server.auth import Engine, InConversation
from recollect.server.rate_limit import AnswerCaller
from recollect.server.schema_base import Limit, RequestModel, ResponseModel
from recollect.server.schemas import Published, Router, publish

router = Router(prefix="/api/conversations/{conversation_id}", tags=["summaries"])


MAX_SUMMARY_BYTES = 100_000
"""Checked before the tokens are counted, which the policy limits."""


class SummaryEdit(RequestModel):
    text: str
    version: StrictInt


class RollbackIn(RequestModel):
    version: Annotated[StrictInt, Field(ge=0, lt=2**31)]


class CompactIn(RequestModel):
    force: StrictBool = False


publish(ExactValue, "Atom", hidden=["weight"])
publish(SummaryDiff, "Comparison")


class SummarySchema(ResponseModel):
    conversation_id: str
    text: str
    ledger: list[Published[ExactValue]]
    version: int
    base_version: int
    through_seq: int
    author: Author
    model: str | None
    prompt_version: str | None
    tokens: int
    tokens_in: int
    tokens_out: int
    duration_ms: int
    facts_found: int
    facts_kept: int
    kept: Annotated[str, Field(validation_alias=AliasChoices("user_text", "kept"))]
    created_at: datetime


class SummaryWithCoverage(SummarySchema):
    """With the ids of the last message and the last answer that it covers."""

    last_message_id: str | None
    last_summarized_message_id: str | None


publish(CompactionResult, "Compaction", hidden=["more"], summary=SummarySchema)


@router.get("/summary")
async def get_summary(ids: InConversation, engine: Engine) -> SummaryWithCoverage:
    """The current version; version 0 with empty text if there is no summary yet."""
    summary = await engine.summaries.get_summary(**ids)
    coverage = await engine.summaries.get_coverage(**ids)
    return SummaryWithCoverage(
        **SummarySchema.model_validate(summary).model_dump(),
        last_message_id=coverage.message_id,
        last_summarized_message_id=coverage.answer_id,
    )


@router.put("/summary", response_model=SummarySchema)
async def edit_summary(body: SummaryEdit, ids: InConversation, engine: Engine) -> Summary:
    """Store a new version, written by the user, if `version` is still the current one."""
    check_size(body.text, "text", limit=MAX_SUMMARY_BYTES)
    return await engine.summaries.edit_summary(body.text, **ids, version=body.version)


@router.get("/summary/versions", response_model=Page[SummarySchema])
async def list_summary_versions(
    ids: InConversation, engine: Engine, limit: Limit = 50, cursor: str | None = None
) -> Page[Summary]:
    """Newest first."""
    return await engine.summaries.list_versions(limit, **ids, cursor=cursor)


@router.get("/summary/compare")
async def compare_summaries(
    older: int, newer: int, ids: InConversation, engine: Engine
) -> SummaryDiff:
    """The sentences and values that differ between two versions."""
    return await engine.summaries.compare_versions(older, newer, **ids)


@router.post("/summary/rollback", response_model=SummarySchema)
async def roll_back_summary(body: RollbackIn, ids: InConversation, engine: Engine) -> Summary:
    """Store an earlier version again, as a new one."""
    return await engine.summaries.roll_back_summary(**ids, version=body.version)


@router.post("/summary/rebuild", response_model=SummarySchema)
async def rebuild_summary(conversation_id: str, caller: AnswerCaller, engine: Engine) -> Summary:
    """Summarize the raw messages again. Text that the user wrote is kept."""
    return await engine.summaries.rebuild_summary(
        conversation_id=conversation_id, user_id=caller.user_id
    )


@router.post("/compact")
async def compact_conversation(
    conversation_id: str, caller: AnswerCaller, engine: Engine, body: CompactIn | None = None
) -> CompactionResult:
    """Compact now if the policy's threshold is exceeded, or always with `force`."""
    return await engine.summaries.compact(
        conversation_id=conversation_id, user_id=caller.user_id, force=body.force if body else False
    )
