"""HTTP requests to one OpenAI-compatible endpoint, with retries and error mapping.

The client's own retries are off, because one deadline covers all attempts. Some endpoints reject
optional fields (JSON schemas, usage in a stream): a request therefore has several `bodies`, the
best one first, and the first one that the endpoint accepted is remembered.
"""

import asyncio
import importlib
import random
import re
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from recollect.core.errors import ModelFailed, ModelRejected, ModelUnknown
from recollect.core.types import Json
from recollect.llm.stall_timer import StallTimer

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI, AsyncStream, RequestOptions

CONNECT_SECONDS = 5.0

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_MALFORMED = {400, 422}
_RETRYABLE = {408, 409, 429}
"""Beside everything from 500 on."""
_VERSION = re.compile(r"/v\d")
_NOT_JSON = (ValueError, RecursionError)
"""Raised by the client for invalid JSON, overlong numbers and lists that are nested too deep."""

Body = dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    base_url: str
    api_key: str | None = field(default=None, repr=False)


Locate = Callable[[], Awaitable[Endpoint]]
"""Called before every attempt, because a local server may have restarted on another port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """Exponential backoff with jitter. A Retry-After beyond `max_pause` ends the attempts."""

    attempts: int = 3
    first_pause: float = 0.5
    max_pause: float = 20.0


class EndpointClient:
    """Sends requests to one endpoint. Raises ModelFailed or ModelRejected."""

    def __init__(
        self, source: Endpoint | Locate, model: str, retries: Retries | None = None
    ) -> None:
        self._source = source
        self._endpoint: Endpoint | None = None
        self._model = model
        self._retries = retries or Retries()
        self._client: AsyncOpenAI | None = None
        self._accepted: dict[str, int] = {}
        """The index of the accepted body, by kind of request."""

    def __str__(self) -> str:
        host = urlsplit(self._endpoint.base_url).netloc if self._endpoint else ""
        return f"{self._model} at {host.rpartition('@')[2]}" if host else self._model

    async def stream(
        self, path: str, bodies: Sequence[Body], *, timeout_seconds: float
    ) -> "AsyncStream[object]":
        await load_client()
        from openai import AsyncStream

        streamed = {"stream": True, "stream_cls": AsyncStream[object]}
        chunks: AsyncStream[object] = await self.post(
            path, bodies, timeout_seconds=timeout_seconds, kind="stream", **streamed
        )
        return chunks

    async def next(self, stream: "AsyncStream[object]", stall_timer: StallTimer) -> Json:
        """Return the next chunk of a stream, None at its end."""
        from openai import APIError

        try:
            async with stall_timer.watch():
                return await anext(stream, None)
        except TimeoutError as exc:
            raise ModelFailed(f"{self} stalled for {stall_timer.seconds:g} seconds.") from exc
        except _NOT_JSON as exc:
            raise ModelFailed(f"{self} streamed something that is not JSON.") from exc
        except APIError as exc:
            raise self._map_error(exc) from exc

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def post(
        self,
        path: str,
        bodies: Sequence[Body],
        *,
        timeout_seconds: float,
        kind: str = "text",
        **stream: Any,
    ) -> Any:
        await load_client()
        from openai import APIError, Timeout

        # The client's own timeouts would count the time in which the event loop was blocked.
        options: RequestOptions = {"timeout": Timeout(None, connect=CONNECT_SECONDS)}
        index, attempt = self._accepted.get(kind, 0), 1
        timer = StallTimer(timeout_seconds)
        try:
            async with timer.watch():
                while True:
                    try:
                        client = await self._current_client()
                        response = await client.post(
                            path, body=bodies[index], cast_to=object, options=options, **stream
                        )
                    except APIError as exc:
                        if _status(exc) in _MALFORMED and index + 1 < len(bodies):
                            index += 1
                        else:
                            await self._pause(attempt, exc, left=timer.left)
                            attempt += 1
                    else:
                        self._accepted[kind] = index
                        return response
        except TimeoutError as exc:
            raise ModelFailed(f"{self} did not answer within {timeout_seconds:g} seconds.") from exc
        except _NOT_JSON as exc:
            raise ModelFailed(f"{self} answered something that is not JSON.") from exc

    async def _current_client(self) -> "AsyncOpenAI":
        endpoint = self._source if isinstance(self._source, Endpoint) else await self._source()
        if self._client is None or endpoint != self._endpoint:
            stale, self._client, self._endpoint = self._client, _new_client(endpoint), endpoint
            if stale is not None:
                await stale.close()
        return self._client

    async def _pause(self, attempt: int, exc: "APIError", *, left: float) -> None:
        """Wait before the next attempt; raise if there is none."""
        retries, retry_after = self._retries, _retry_after(exc)
        backoff = min(retries.max_pause, retries.first_pause * 2.0 ** (attempt - 1))
        pause = max(retry_after, backoff * random.uniform(0.5, 1.0))  # noqa: S311  only jitter
        is_last = attempt >= retries.attempts or retry_after > retries.max_pause
        if is_last or pause >= left or not _is_retryable(exc):
            raise self._map_error(exc) from exc
        await asyncio.sleep(pause)

    def _map_error(self, exc: "APIError") -> ModelFailed:
        from openai import APIConnectionError

        if isinstance(exc, APIConnectionError):
            reason = str(exc.__cause__ or "") or exc.message
            return ModelFailed(f"The connection to {self} failed: {reason}")
        status = _status(exc)
        if status == 401:  # the endpoint's message may quote the key
            return ModelRejected(f"{self} does not accept the API key (401).")
        key = self._endpoint.api_key if self._endpoint else None
        detail = _error_message(exc)
        detail = detail.replace(key, "…") if key else detail
        if status is None:
            return ModelFailed(f"{self} broke off", detail=detail)
        if _is_retryable(exc):
            return ModelFailed(f"{self} failed ({status})", detail=detail)
        is_unknown = status == 404 or exc.code == "model_not_found"  # OpenAI's 403, without access
        rejection = ModelUnknown if is_unknown else ModelRejected
        path = urlsplit(self._endpoint.base_url).path if self._endpoint else ""
        lacks_version = status == 404 and not _VERSION.search(path)
        hint = ", and its base URL does not end in /v1" if lacks_version else ""
        return rejection(f"{self} refused the request ({status}){hint}", detail=detail)


async def load_client() -> None:
    """Import `openai` in a thread, because that takes nearly half a second."""
    if "openai" not in sys.modules:
        await asyncio.to_thread(importlib.import_module, "openai")


def _new_client(endpoint: Endpoint) -> "AsyncOpenAI":
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    # The client takes missing values from the environment: it would send OPENAI_API_KEY to any
    # endpoint, and loopback requests through HTTP_PROXY.
    url = urlsplit(endpoint.base_url)
    loopback_client = None
    if url.hostname in _LOOPBACK:
        # Loading certificates takes 20 ms. Without them, redirects to HTTPS fail.
        verify = url.scheme == "https" or SSLContext(PROTOCOL_TLS_CLIENT)
        loopback_client = DefaultAsyncHttpxClient(trust_env=False, verify=verify)
    return AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or "none",
        max_retries=0,
        http_client=loopback_client,
    )


def _status(exc: "APIError") -> int | None:
    status: int | None = getattr(exc, "status_code", None)
    return status


def _is_retryable(exc: "APIError") -> bool:
    if exc.code == "insufficient_quota":  # OpenAI's 429 for an empty account
        return False
    status = _status(exc)
    return status is None or status in _RETRYABLE or status >= 500


def _retry_after(exc: "APIError") -> float:
    """Return the seconds of the Retry-After header, which may also be a date."""
    from openai import APIStatusError

    header = exc.response.headers.get("retry-after") if isinstance(exc, APIStatusError) else None
    if not header:
        return 0.0
    try:
        if re.fullmatch(r"[\d.]+", header):
            return float(header)
        return (parsedate_to_datetime(header).astimezone(UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return 0.0


def _error_message(exc: "APIError") -> str:
    """Return the endpoint's error message as one short line."""
    match exc.body:
        case {"message": str(text)} | {"error": str(text)} | str(text):
            pass
        case _:
            text = exc.message
    return " ".join(text.split())[:300]
