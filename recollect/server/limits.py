"""A limit on the bodies of requests."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.problems import Problem

_IMPORT = "/api/import"


class BodyLimit:
    """Refuses by the announced length at once, and by the real one as soon as it is exceeded.

    Nothing is held back: who reads a body in pieces gets it in pieces.
    """

    def __init__(self, app: ASGIApp, *, max_bytes: int, max_import_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._max_import_bytes = max_import_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._max_import_bytes if scope["path"] == _IMPORT else self._max_bytes
        announced = _announced(scope)
        if not announced.isdigit() or int(announced) > limit:
            await Problem(413, _refusal(limit))(scope, receive, send)
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


def _announced(scope: Scope) -> bytes:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return bytes(value)
    return b"0"
