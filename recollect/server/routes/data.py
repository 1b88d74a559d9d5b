"""Your data: all of it as a file, and such files in again."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from recollect.core.errors import BrokenFile
from recollect.server.auth import Caller, Memory
from recollect.server.schema_base import Out

router = APIRouter(prefix="/api", tags=["data"])

_PATIENCE_SECONDS = 30.0
"""For the next piece of a file: others wait until it has ended."""
_FILE = {"schema": {"type": "string", "format": "binary"}}
_LINES: dict[int | str, Any] = {
    200: {"content": {"application/jsonl": {"itemSchema": {"type": "object"}}}}
}


class ImportCounts(Out):
    conversations: int
    messages: int
    summaries: int
    receipts: int
    feedback: int
    memories: int
    memory_events: int
    tombstones: int
    model_calls: int


class ImportFailure(Out):
    where: str
    reason: str


class ImportReport(Out):
    """What is new, what was there already, and what could not be imported: the first hundred of so
    many `failures`."""

    imported: ImportCounts
    skipped: ImportCounts
    failed: list[ImportFailure]
    failures: int


@router.get("/export", response_class=StreamingResponse, responses=_LINES)
async def export(caller: Caller, memory: Memory) -> StreamingResponse:
    """Everything, streamed page by page as JSON lines."""
    return StreamingResponse(
        memory.data.export_lines(user_id=caller.user_id),
        media_type="application/jsonl",
        headers={"Content-Disposition": 'attachment; filename="recollect.jsonl"'},
    )


@router.post(
    "/import",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/jsonl": _FILE, "application/json": _FILE},
        }
    },
)
async def import_file(request: Request, caller: Caller, memory: Memory) -> ImportReport:
    """Takes what `export` gives, or the conversations.json of ChatGPT or Claude, as the body."""
    report = await memory.data.import_file(_chunks(request), user_id=caller.user_id)
    return ImportReport.model_validate(report)


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                chunk = await anext(stream, None)
        except ClientDisconnect as error:
            raise BrokenFile("The connection was lost before the file was whole.") from error
        except TimeoutError as error:
            raise BrokenFile("Nothing came any more before the file was whole.") from error
        if chunk is None:
            return
        yield chunk
