"""Exports of a user's data and of one conversation, and imports."""

import asyncio
from collections.abc import AsyncIterator
from typing import Literal

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from recollect.core.errors import BrokenFile
from recollect.core.types import Message
from recollect.engine import Recollect
from recollect.server.auth import Caller, ConversationIds, Engine, InConversation
from recollect.server.routes.messages import MAX_PAGE_BYTES
from recollect.server.schemas import Router, publish
from recollect.transfer.conversation_export import (
    conversation_heading,
    conversation_line,
    message_line,
    message_section,
)
from recollect.transfer.types import Counts, Imported

router = Router(prefix="/api")

_CHUNK_TIMEOUT_SECONDS = 30.0
"""A stalled upload blocks other imports."""
_PAGE_SIZE = 200
_FILE = {"schema": {"type": "string", "format": "binary"}}
_JSON_LINES = {"application/jsonl": {"itemSchema": {"type": "object"}}}
_MARKDOWN = {"text/markdown": {"schema": {"type": "string"}}}


publish(Counts, "ImportCounts")
publish(
    Imported,
    "ImportReport",
    description="`skipped` was there already. `failed` has the first 100 of all `failures`.",
)


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": _JSON_LINES}},
    tags=["data"],
)
async def export_data(caller: Caller, engine: Engine) -> StreamingResponse:
    """Stream everything as JSON lines."""
    return StreamingResponse(
        engine.data.export_lines(user_id=caller.user_id),
        media_type="application/jsonl",
        headers={"Content-Disposition": 'attachment; filename="recollect.jsonl"'},
    )


@router.get(
    "/conversations/{conversation_id}/export",
    response_class=StreamingResponse,
    responses={200: {"content": {**_MARKDOWN, **_JSON_LINES}}},
    tags=["conversations"],
)
async def export_conversation(
    ids: InConversation, engine: Engine, format: Literal["markdown", "jsonl"] = "markdown"
) -> StreamingResponse:
    """Stream one conversation as Markdown or as JSON lines."""
    conversation = await engine.conversations.get_conversation(**ids)
    is_markdown = format == "markdown"
    heading = conversation_heading if is_markdown else conversation_line
    entry = message_section if is_markdown else message_line

    async def text() -> AsyncIterator[str]:
        yield heading(conversation)
        async for message in _messages(engine, ids):
            yield entry(message)

    name = f"{conversation.id}.{'md' if is_markdown else 'jsonl'}"
    return StreamingResponse(
        text(),
        media_type="text/markdown" if is_markdown else "application/jsonl",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def _messages(engine: Recollect, ids: ConversationIds) -> AsyncIterator[Message]:
    cursor = None
    while True:
        page = await engine.conversations.get_messages(
            _PAGE_SIZE, **ids, cursor=cursor, max_bytes=MAX_PAGE_BYTES
        )
        for message in page:
            yield message
        cursor = page.next_cursor
        if cursor is None:
            return


@router.post(
    "/import",
    tags=["data"],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/jsonl": _FILE, "application/json": _FILE},
        }
    },
)
async def import_data(
    request: Request, caller: Caller, engine: Engine, restore_deleted: bool = False
) -> Imported:
    """Import a file of `GET /api/export`, or the conversations.json of ChatGPT or Claude."""
    return await engine.data.import_file(
        _chunks(request), user_id=caller.user_id, restore_deleted=restore_deleted
    )


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(_CHUNK_TIMEOUT_SECONDS):
                chunk = await anext(stream, None)
        except ClientDisconnect as error:
            raise BrokenFile("The connection was lost before the end of the file.") from error
        except TimeoutError as error:
            raise BrokenFile(
                f"No data for {_CHUNK_TIMEOUT_SECONDS:g} seconds before the end of the file."
            ) from error
        if chunk is None:
            return
        yield chunk
