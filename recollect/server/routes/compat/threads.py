"""/api/ai: chat threads whose older messages are a summary that their user can read and correct."""

from typing import Any

from fastapi import APIRouter, Response

from recollect.chat import Prompt
from recollect.core.types import Json
from recollect.recall.context.receipt import Mode
from recollect.record.answers import ChatRequest
from recollect.record.places import Place
from recollect.server import rate_limit
from recollect.server.auth import Caller, Memory
from recollect.server.routes.chat import STREAMED, Answer, respond
from recollect.server.routes.conversations import IdempotencyKey
from recollect.server.schema_base import In, Out

router = APIRouter(prefix="/api/ai", tags=["threads"])

_POLICY = "tiered"


class ThreadChatIn(In):
    """The contexts may be text, or any other JSON."""

    message: str
    threadId: str | None = None
    pageContext: Any = None
    goalsContext: Any = None
    system: str | None = None
    model: str | None = None
    mode: Mode = "compressed"

    def prompt(self) -> Prompt:
        contexts: dict[str, Json] = {
            "Page Context": self.pageContext,
            "Goals Context": self.goalsContext,
        }
        return Prompt(
            model=self.model,
            mode=self.mode,
            system=self.system,
            context={name: given for name, given in contexts.items() if given not in (None, "")},
        )


class ThreadSummaryIn(In):
    summary: str


class ThreadSummary(Out):
    """All null where there is none yet; one that covers no message is its user's own."""

    summary: str | None
    summaryUpToMessageId: str | None
    summaryTokenCount: int | None


@router.post("/chat", response_model=Answer, responses=STREAMED)
async def ask(
    body: ThreadChatIn,
    caller: rate_limit.AnswerStream,
    memory: Memory,
    stream: bool = True,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """As `/api/chat`; a thread is a conversation."""
    place: Place = body.threadId
    if place is None:
        place = memory.chat.place(user_id=caller.user_id, policy=_POLICY)
    question = ChatRequest.of(body.message, place, idempotency_key)
    answering = await memory.chat.answer(question, body.prompt(), user_id=caller.user_id)
    answer = await respond(answering, memory, stream=stream)
    answer.headers["x-thread-id"] = answering.conversation_id
    return answer


@router.get("/threads/{thread_id}/summary")
async def get_summary(thread_id: str, caller: Caller, memory: Memory) -> ThreadSummary:
    summary = await memory.summaries.get_summary(conversation_id=thread_id, user_id=caller.user_id)
    coverage = await memory.summaries.get_coverage(
        conversation_id=thread_id, user_id=caller.user_id
    )
    return ThreadSummary(
        summary=summary.text or None,
        summaryUpToMessageId=coverage.message_id,
        summaryTokenCount=summary.tokens or None,
    )


@router.put("/threads/{thread_id}/summary")
async def edit_summary(
    thread_id: str, body: ThreadSummaryIn, caller: Caller, memory: Memory
) -> ThreadSummary:
    """What the user makes of it. The last one who writes is right."""
    await memory.summaries.edit_summary(
        body.summary, conversation_id=thread_id, user_id=caller.user_id, version=None
    )
    return await get_summary(thread_id, caller, memory)
