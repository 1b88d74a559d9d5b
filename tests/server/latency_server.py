"""The server with a probe: `/-/latency` returns how long its event loop was blocked at most since
the last call, in milliseconds."""

import asyncio
import json

from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.cli import main
from recollect.engine import Recollect
from recollect.server import run
from recollect.server.app import create_app

LATENCY_PATH = "/-/latency"
_TICK_SECONDS = 0.002


class LatencyProbe:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._longest = 0.0
        self._ticker: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._ticker is None:
            self._ticker = asyncio.create_task(self._tick())
        if scope["type"] != "http" or scope["path"] != LATENCY_PATH:
            await self._app(scope, receive, send)
            return
        await asyncio.sleep(2 * _TICK_SECONDS)  # a tick that was late has to end first
        longest, self._longest = self._longest, 0.0
        body = json.dumps({"milliseconds": round(longest * 1000, 1)}).encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(_TICK_SECONDS)
            self._longest = max(self._longest, loop.time() - before - _TICK_SECONDS)


def _with_probe(engine: Recollect) -> ASGIApp:
    return LatencyProbe(create_app(engine))


if __name__ == "__main__":
    vars(run)["create_app"] = _with_probe
    main()
