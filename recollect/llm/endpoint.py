"""One endpoint: its client, its attempts, and its errors as ours.

Retries are ours and not the client's, because one deadline bounds all attempts together. What an
endpoint may not know (JSON schemas, usage in a stream) is asked for first and left out once it is
refused: a request has `forms`, the best one first, and the one that was taken is remembered.
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
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from recollect.core.errors import ModelFailed, ModelRejected, ModelUnknown
from recollect.core.types import Json

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI, AsyncStream, RequestOptions

CONNECT_SECONDS = 5.0

_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_MALFORMED = {400, 422}
_PASSING = {408, 409, 429}
"""What another attempt may get past, beside everything from 500 on."""
_VERSION = re.compile(r"/v\d")
_NOT_JSON = (ValueError, RecursionError)
"""What the client raises then: also for numbers that are too long, and lists that are too deep."""

T = TypeVar("T")
Body = dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where a model answers."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)


Locate = Callable[[], Awaitable[Endpoint]]
"""Says before every attempt where the model is: a local server may have moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """Up to `attempts` in all, after pauses that double and are shortened at random, lest callers
    march in step. An endpoint that asks for more than `longest_pause` is not waited for."""

    attempts: int = 3
    first_pause: float = 0.5
    longest_pause: float = 20.0

    def pause(self, attempt: int, *, asked: float) -> float | None:
        """How long to wait after an attempt; None is to give up."""
        if attempt >= self.attempts or asked > self.longest_pause:
            return None
        own = min(self.longest_pause, self.first_pause * 2.0 ** (attempt - 1))
        return max(asked, own * random.uniform(0.5, 1.0))  # noqa: S311  nobody gains by guessing


class Link:
    """One endpoint: its client, its attempts, and its errors as ours."""

    def __init__(self, locate: Locate, model: str, retries: Retries) -> None:
        self._locate = locate
        self._model = model
        self._retries = retries
        self._endpoint: Endpoint | None = None
        self._client: AsyncOpenAI | None = None
        self._taken: dict[str, int] = {}
        """Which form of each kind of request the endpoint took."""

    def __str__(self) -> str:
        host = urlsplit(self._endpoint.base_url).netloc if self._endpoint else ""
        return f"{self._model} at {host.rpartition('@')[2]}" if host else self._model

    async def post(
        self, path: str, forms: Sequence[Body], *, within: float, kind: str = "text"
    ) -> Json:
        async def send(client: "AsyncOpenAI", body: Body) -> Json:
            return await client.post(path, body=body, cast_to=object, options=_options(within))

        return await self._ask(send, forms, within=within, kind=kind)

    async def stream(
        self, path: str, forms: Sequence[Body], *, within: float
    ) -> "AsyncStream[object]":
        async def send(client: "AsyncOpenAI", body: Body) -> "AsyncStream[object]":
            from openai import AsyncStream

            return await client.post(
                path,
                body=body,
                cast_to=object,
                options=_options(within),
                stream=True,
                stream_cls=AsyncStream[object],
            )

        return await self._ask(send, forms, within=within, kind="stream")

    async def next(self, pieces: "AsyncStream[object]", *, within: float) -> Json:
        """The next piece of a stream, None at its end."""
        from openai import APIError

        try:
            async with asyncio.timeout(within):
                return await anext(pieces, None)
        except TimeoutError as exc:
            raise ModelFailed(f"{self} stalled for {within:g} seconds.") from exc
        except _NOT_JSON as exc:
            raise ModelFailed(f"{self} streamed something that is not JSON.") from exc
        except APIError as exc:
            raise self._failure(exc) from exc

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask(
        self,
        send: Callable[["AsyncOpenAI", Body], Awaitable[T]],
        forms: Sequence[Body],
        *,
        within: float,
        kind: str,
    ) -> T:
        await load_client()
        from openai import APIError

        form, attempt = self._taken.get(kind, 0), 1
        try:
            async with asyncio.timeout(within) as limit:
                while True:
                    try:
                        answer = await send(await self._ready_client(), forms[form])
                    except APIError as exc:
                        if _status(exc) in _MALFORMED and form + 1 < len(forms):
                            form += 1
                        else:
                            await self._pause(attempt, exc, until=limit.when())
                            attempt += 1
                    else:
                        self._taken[kind] = form
                        return answer
        except TimeoutError as exc:
            raise ModelFailed(f"{self} did not answer within {within:g} seconds.") from exc
        except _NOT_JSON as exc:
            raise ModelFailed(f"{self} answered something that is not JSON.") from exc

    async def _ready_client(self) -> "AsyncOpenAI":
        endpoint = await self._locate()
        if self._client is None or endpoint != self._endpoint:
            stale, self._client, self._endpoint = self._client, _new_client(endpoint), endpoint
            if stale is not None:
                await stale.close()
        return self._client

    async def _pause(self, attempt: int, exc: "APIError", *, until: float | None) -> None:
        """Waits before the next attempt, or raises if there is to be none."""
        pause = self._retries.pause(attempt, asked=_asked_pause(exc)) if _may_pass(exc) else None
        now = asyncio.get_running_loop().time()
        if pause is None or (until is not None and now + pause >= until):
            raise self._failure(exc) from exc
        await asyncio.sleep(pause)

    def _failure(self, exc: "APIError") -> ModelFailed:
        from openai import APIConnectionError

        if isinstance(exc, APIConnectionError):
            reason = str(exc.__cause__ or "") or exc.message
            return ModelFailed(f"The connection to {self} failed: {reason}")
        status = _status(exc)
        if status == 401:  # what else it says may quote the key
            return ModelRejected(f"{self} does not accept the API key (401).")
        key = self._endpoint.api_key if self._endpoint else None
        said = _said(exc) if not key else _said(exc).replace(key, "…")
        if status is None:
            return ModelFailed(f"{self} broke off", said=said)
        if _may_pass(exc):
            return ModelFailed(f"{self} failed ({status})", said=said)
        is_unknown = status == 404 or exc.code == "model_not_found"  # OpenAI's 403, without access
        refusal = ModelUnknown if is_unknown else ModelRejected
        hint = ", and its base URL does not end in /v1" if self._lacks_version(status) else ""
        return refusal(f"{self} refused the request ({status}){hint}", said=said)

    def _lacks_version(self, status: int) -> bool:
        """Where nothing is found there, that is the likeliest reason. Gemini's has its own."""
        path = urlsplit(self._endpoint.base_url).path if self._endpoint else ""
        return status == 404 and not _VERSION.search(path)


async def load_client() -> None:
    """Which takes nearly half a second."""
    if "openai" not in sys.modules:
        await asyncio.to_thread(importlib.import_module, "openai")


def at(endpoint: Endpoint) -> Locate:
    async def locate() -> Endpoint:
        return endpoint

    return locate


def _new_client(endpoint: Endpoint) -> "AsyncOpenAI":
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    # What is left open, the client takes from the environment: it would send OPENAI_API_KEY to
    # whoever this is, and what is said to this machine through HTTP_PROXY.
    address = urlsplit(endpoint.base_url)
    nearby = None
    if address.hostname in _LOOPBACK:
        # Certificates are not loaded where none is needed: that takes 20 ms. Without any, whoever
        # a redirect leads to by HTTPS is refused.
        verify = address.scheme == "https" or SSLContext(PROTOCOL_TLS_CLIENT)
        nearby = DefaultAsyncHttpxClient(trust_env=False, verify=verify)
    return AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or "none",
        max_retries=0,
        http_client=nearby,
    )


def _options(within: float) -> "RequestOptions":
    from openai import Timeout

    return {"timeout": Timeout(within, connect=CONNECT_SECONDS)}


def _status(exc: "APIError") -> int | None:
    status: int | None = getattr(exc, "status_code", None)
    return status


def _may_pass(exc: "APIError") -> bool:
    """Whether the same request may succeed a little later."""
    if exc.code == "insufficient_quota":  # OpenAI's 429 for an empty account
        return False
    status = _status(exc)
    return status is None or status in _PASSING or status >= 500


def _asked_pause(exc: "APIError") -> float:
    """The seconds in a Retry-After header, which may hold a date instead."""
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


def _said(exc: "APIError") -> str:
    """What an endpoint says is wrong, on one short line."""
    match exc.body:
        case {"message": str(said)} | {"error": str(said)} | str(said):
            return " ".join(said.split())[:300]
        case _:
            return " ".join(exc.message.split())[:300]
