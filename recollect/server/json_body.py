"""Large JSON bodies: parsed, validated and written outside the event loop, and limited in the
number of values.

`BodyLimit` has authenticated the sender of a large body. Parsing is one call into C, during which
no other thread can run, and takes time for each value rather than for each byte; so values are
counted first, which can be done in parts.
"""

import json
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic_core import to_json
from starlette.exceptions import HTTPException

from recollect.core.offload import LARGE, run_off_loop

INLINE_BODY_BYTES = 16_384
"""Smaller bodies are parsed in the event loop, which takes a few milliseconds at most."""
MAX_JSON_VALUES = 100_000
_PART_BYTES = 65_536

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class JsonRoute(APIRoute):
    """A route that validates large bodies outside the event loop."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        if len(self.dependant.body_params) != 1:
            return handle
        (field,) = self.dependant.body_params

        def validate(body: Any) -> Any:
            validated, errors = field.validate(body, {}, loc=("body",))
            if errors:
                raise _InvalidBody(errors)
            return validated

        async def handle_parsed(request: Request) -> Response:
            parsed = _JsonRequest(request.scope, request.receive, validate=validate)
            try:
                return await handle(parsed)
            except _InvalidBody as invalid:
                raise RequestValidationError(invalid.errors) from invalid

        return handle_parsed


class _InvalidBody(HTTPException):
    """An HTTPException, because FastAPI replaces others by "error parsing the body"."""

    def __init__(self, errors: Any) -> None:
        super().__init__(422)
        self.errors = errors


class _JsonRequest(Request):
    def __init__(self, *args: Any, validate: Callable[[Any], Any]) -> None:
        super().__init__(*args)
        self._validate = validate

    async def json(self) -> Any:
        """Return the body, if it is large already validated: FastAPI accepts a valid object."""
        body = await self.body()
        if len(body) <= INLINE_BODY_BYTES:
            return json.loads(body)
        return await run_off_loop(lambda: self._parse(body), size=LARGE)

    def _parse(self, body: bytes) -> Any:
        if count_values(body) > MAX_JSON_VALUES:
            raise HTTPException(413, f"The body has over {MAX_JSON_VALUES:,} JSON values.")
        return self._validate(json.loads(body))


def encode_in_parts(value: object) -> bytes:
    """Return a value as JSON like pydantic, but item by item, so that other threads can run."""
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        items = [to_json(key) + b":" + encode_in_parts(item) for key, item in value.items()]
        return b"{" + b",".join(items) + b"}"
    if isinstance(value, list | tuple):
        return b"[" + b",".join([encode_in_parts(item) for item in value]) + b"]"
    return to_json(value)


def count_values(body: bytes) -> int:
    """Return about how many values a JSON text has: its commas and brackets outside strings."""
    values = start = 0
    is_in_string = False
    while start < len(body):
        end = min(start + _PART_BYTES, len(body))
        part = body[start:end]
        end += (len(part) - len(part.rstrip(b"\\"))) % 2  # not between a backslash and its quote
        plain = body[start:end].replace(rb"\\", b"").replace(rb"\"", b"")
        pieces = plain.split(b'"')
        outside = b"".join(pieces[is_in_string::2])
        values += outside.count(b",") + outside.count(b"[") + outside.count(b"{")
        is_in_string ^= len(pieces) % 2 == 0
        start = end
    return values
