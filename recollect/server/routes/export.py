"""A conversation as a file."""

from collections.abc import AsyncIterator
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from recollect.core.types import Message
from recollect.server.auth import Caller, Memory
from recollect.transfer.conversation_export import (
    conversation_heading,
    conversation_line,
    message_line,
    message_section,
)

router = APIRouter(prefix="/api", tags=["conversations"])

_PAGE = 200


_FILES: dict[int | str, Any] = {
    200: {
        "content": {
            "text/markdown": {"schema": {"type": "string"}},
            "application/jsonl": {"itemSchema": {"type": "object"}},
        }
    }
}


@router.get(
    "/conversations/{conversation_id}/export", response_class=StreamingResponse, responses=_FILES
)
async def export(
    conversation_id: str,
    caller: Caller,
    memory: Memory,
    format: Literal["markdown", "jsonl"] = "markdown",
) -> StreamingResponse:
    """Streamed page by page, however long the conversation is."""
    conversation = await memory.conversations.get_conversation(
        conversation_id=conversation_id, user_id=caller.user_id
    )
    is_markdown = format == "markdown"
    heading = conversation_heading if is_markdown else conversation_line
    entry = message_section if is_markdown else message_line

    async def text() -> AsyncIterator[str]:
        yield heading(conversation)
        async for message in _messages(memory, conversation.id, caller.user_id):
            yield entry(message)

    name = f"{conversation.id}.{'md' if is_markdown else 'jsonl'}"
    return StreamingResponse(
        text(),
        media_type="text/markdown" if is_markdown else "application/jsonl",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def _messages(memory: Memory, conversation_id: str, user_id: str) -> AsyncIterator[Message]:
    cursor = None
    while True:
        page = await memory.conversations.get_messages(
            _PAGE, conversation_id=conversation_id, user_id=user_id, cursor=cursor
        )
        for message in page:
            yield message
        cursor = page.next_cursor
        if cursor is None:
            return
