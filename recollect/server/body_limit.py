"""A limit on the bodies of requests."""

from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.core.errors import RecollectError
from recollect.server.errors import Problem, problem_of

_IMPORT = "/api/import"
_SMALL = 65_536


class BodyLimit:
    """Refuses by the announced length at once, and by the real one as soon as it is exceeded.

    A body that is read takes time, and it is read before anybody asks whose it is: so the sender of
    one that is not small has to be known to `identify` first. Nothing is held back: who reads a
    body in pieces gets it in pieces.
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
        limit = self._max_import_bytes if scope["path"] == _IMPORT else self._max_bytes
        headers = Headers(scope=scope)
        announced = headers.get("content-length", "0")
        if not (announced.isascii() and announced.isdigit()) or int(announced) > limit:
            await Problem(413, _refusal(limit))(scope, receive, send)
            return
        if int(announced) > _SMALL or "transfer-encoding" in headers:
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
