"""Size limits of request bodies."""

from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.core.errors import RecollectError
from recollect.server.errors import Problem, problem_of
from recollect.server.json_body import INLINE_BODY_BYTES

_IMPORT_PATH = "/api/import"


class BodyLimit:
    """Refuses a body by its Content-Length, or once more bytes arrive than allowed.

    FastAPI reads the body before it authenticates. So the sender of a body that is large, or of
    unknown size, is identified here first. Bodies are not buffered.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        identify: Callable[[Request], Awaitable[object]],
        max_bytes: int,
        max_import_bytes: int,
    ) -> None:
        self._app = app
        self._identify = identify
        self._max_bytes = max_bytes
        self._max_import_bytes = max_import_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._max_import_bytes if scope["path"] == _IMPORT_PATH else self._max_bytes
        headers = Headers(scope=scope)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length) > limit:
            await Problem(413, _refusal(limit))(scope, receive, send)
            return
        if int(length) > INLINE_BODY_BYTES or "transfer-encoding" in headers:
            try:
                await self._identify(Request(scope))
            except RecollectError as error:
                await problem_of(error)(scope, receive, send)
                return
        received = 0

        async def limited_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(413, _refusal(limit))
            return message

        await self._app(scope, limited_receive, send)


def _refusal(limit: int) -> str:
    return f"The body is over the limit of {limit:,} bytes."
