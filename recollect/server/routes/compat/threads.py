"""/api/ai of specification 003: chat threads with a summary that the user can read and edit."""

from typing import Any

from fastapi import Response

from recollect.chat.tool_loop import PromptOptions
from recollect.core.types import Json
from recollect.core.validation import check_size
from recollect.recall.context.receipt import Mode
from recollect.record.answer_start import ChatRequest
from recollect.server.auth import Caller, Engine
from recollect.server.rate_limit import AnswerCaller
from recollect.server.routes.chat import Answer, respond
from recollect.server.routes.summaries import MAX_SUMMARY_BYTES
from recollect.server.schema_base import IdempotencyKey, RequestModel, ResponseModel
from recollect.server.schemas import Router
from recollect.server.stream_schemas import UI_STREAM

router = Router(prefix="/api/ai", tags=["threads"])

_POLICY = "tiered"


class ThreadChatIn(RequestModel):
    """The contexts may be text or any other JSON."""

    message: str
    threadId: str | None = None
    pageContext: Any = None
    goalsContext: Any = None
    system: str | None = None
    model: str | None = None
    mode: Mode = "compressed"

    def prompt(self) -> PromptOptions:
        contexts: dict[str, Json] = {
            "Page Context": self.pageContext,
            "Goals Context": self.goalsContext,
        }
        return PromptOptions(
            model=self.model,
            mode=self.mode,
            system=self.system,
            context={name: value for name, value in contexts.items() if value not in (None, "")},
        )


class ThreadSummaryIn(RequestModel):
    summary: str


class ThreadSummary(ResponseModel):
    """All null without a summary. A summary that covers no message was written by the user."""

    summary: str | None
    summaryUpToMessageId: str | None
    summaryTokenCount: int | None


@router.post("/chat", response_model=Answer, responses=UI_STREAM)
async def chat_in_thread(
    body: ThreadChatIn,
    caller: AnswerCaller,
    engine: Engine,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Like `/api/chat`; a thread is a conversation."""
    target = engine.chat.target(
        user_id=caller.user_id, conversation_id=body.threadId, policy=_POLICY
    )
    request = ChatRequest.from_text(body.message, target, idempotency_key)
    answer = await engine.chat.answer(request, body.prompt(), user_id=caller.user_id)
    response = await respond(answer, engine, stream=stream)
    response.headers["x-thread-id"] = answer.conversation_id
    return response


@router.get("/threads/{thread_id}/summary")
async def get_thread_summary(thread_id: str, caller: Caller, engine: Engine) -> ThreadSummary:
    summary = await engine.summaries.get_summary(conversation_id=thread_id, user_id=caller.user_id)
    coverage = await engine.summaries.get_coverage(
        conversation_id=thread_id, user_id=caller.user_id
    )
    return ThreadSummary(
        summary=summary.text or None,
        summaryUpToMessageId=coverage.message_id,
        summaryTokenCount=summary.tokens or None,
    )


@router.put("/threads/{thread_id}/summary")
async def edit_thread_summary(
    thread_id: str, body: ThreadSummaryIn, caller: Caller, engine: Engine
) -> ThreadSummary:
    """Replace the summary. Without a version check: the last write wins."""
    check_size(body.summary, "summary", limit=MAX_SUMMARY_BYTES)
    await engine.summaries.edit_summary(
        body.summary, conversation_id=thread_id, user_id=caller.user_id, version=None
    )
    return await get_thread_summary(thread_id, caller, engine)
