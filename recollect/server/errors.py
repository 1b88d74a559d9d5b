"""Errors as `application/problem+json` (RFC 9457), with the status of each exception class."""

import logging
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from recollect.core.errors import (
    BrokenCursor,
    BrokenFile,
    Conflict,
    Forbidden,
    InvalidInput,
    Misconfigured,
    ModelFailed,
    NotFound,
    RateLimited,
    RecollectError,
    TooLarge,
    Unauthorized,
    Unavailable,
)
from recollect.core.sanitize import sanitized_json
from recollect.server.schema_base import JsonObject, ResponseModel

logger = logging.getLogger(__name__)

_STATUS: dict[type[RecollectError], int] = {
    BrokenCursor: 400,
    BrokenFile: 400,
    TooLarge: 413,
    InvalidInput: 422,
    NotFound: 404,
    Conflict: 409,
    Unauthorized: 401,
    Forbidden: 403,
    RateLimited: 429,
    Misconfigured: 503,
    Unavailable: 503,
    RecollectError: 500,
}
TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    409: "Conflict",
    413: "Too large",
    422: "Invalid input",
    429: "Too many requests",
    431: "Headers too large",
    500: "Internal error",
    503: "Unavailable",
}
_MESSAGES = {
    "extra_forbidden": "Unknown field.",
    "model_attributes_type": "Input should be a JSON object.",
}
_UNION_TAGS = frozenset({"plain", "ui"})
"""Names of the two forms of a chat body, which pydantic puts into the location of an error."""
_OPENAI_PREFIX = "/v1/"
_ERROR_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_ERROR_CODES = {
    401: "invalid_api_key",
    413: "context_length_exceeded",
    429: "rate_limit_exceeded",
}
_HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}


class ProblemBody(ResponseModel):
    """The body of every error, as application/problem+json."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[JsonObject] | None = None
    error: JsonObject | None = None


class Problem(JSONResponse):
    """Under /v1 it also has an `error`, where OpenAI's clients look for the message."""

    media_type = "application/problem+json"

    def __init__(
        self,
        status: int,
        detail: str,
        errors: list[dict[str, Any]] | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        field: str | None = None,
    ) -> None:
        body: dict[str, Any] = {
            "type": "about:blank",
            "title": TITLES.get(status, "Error"),
            "status": status,
            "detail": detail,
        }
        if errors:
            body["errors"] = errors
        self._problem = sanitized_json(body)  # it may quote lone surrogates
        super().__init__(self._problem, status, {**_HEADERS.get(status, {}), **(headers or {})})
        self._field = field

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith(_OPENAI_PREFIX):
            error = openai_error(self.status_code, self._openai_message(), self._field)
            self.body = self.render({**self._problem, "error": error})
            self.headers["content-length"] = str(len(self.body))
        await super().__call__(scope, receive, send)

    def _openai_message(self) -> str:
        """The detail, or the first field error: OpenAI's clients show only one sentence."""
        detail: str = self._problem["detail"]
        for error in self._problem.get("errors", ()):
            if error["message"] != detail and error["field"]:
                return f"{error['field']}: {error['message']}"
        return detail


def openai_error(status: int, message: str, field: str | None = None) -> dict[str, Any]:
    is_model = status == 404 and field == "model"
    return {
        "message": message,
        "type": _ERROR_TYPES.get(status, "invalid_request_error" if status < 500 else "api_error"),
        "param": field,
        "code": "model_not_found" if is_model else _ERROR_CODES.get(status),
    }


def problem_of(error: RecollectError, headers: Mapping[str, str] | None = None) -> Problem:
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    if status >= 500:  # details go to the log only: they may name hosts and paths
        logger.warning("request.unavailable", extra={"reason": error.log_message})
        is_shown = isinstance(error, ModelFailed)  # as in a streamed answer
        detail = error.public_message if is_shown else type(error).__doc__ or ""
        return Problem(status, detail, headers=headers)
    errors = None
    if status == 422 and error.field:
        errors = [{"field": error.field, "message": error.message}]
    if isinstance(error, RateLimited):
        retry_after = str(max(1, math.ceil(error.retry_after)))
        headers = {**(headers or {}), "Retry-After": retry_after}
    return Problem(status, error.message, errors, headers, field=error.field)


@contextmanager
def locate_message_errors(**names: str) -> Iterator[None]:
    """Put the index of the invalid message into an error's field, as schema errors have it.

    `names` maps our names of fields to the names in the body.
    """
    try:
        yield
    except InvalidInput as error:
        if error.field and error.location:
            error.field = f"{error.location}.{names.get(error.field, error.field)}"
        raise


def install(app: FastAPI) -> None:
    @app.exception_handler(RecollectError)
    async def _recollect_error(request: Request, error: RecollectError) -> Problem:
        return problem_of(error)

    @app.exception_handler(HTTPException)
    async def _http_error(request: Request, error: HTTPException) -> Problem:
        if isinstance(error.__cause__, UnicodeDecodeError):
            return Problem(400, "The body is not valid UTF-8.")
        return Problem(error.status_code, error.detail, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def _validation_error(request: Request, error: RequestValidationError) -> Problem:
        items = error.errors()
        if any(item["type"] == "json_invalid" for item in items):
            return Problem(400, "The body is not valid JSON.")
        errors = [
            {
                "field": ".".join(str(part) for part in item["loc"][1:] if part not in _UNION_TAGS),
                "message": _MESSAGES.get(item["type"], item["msg"]),
            }
            for item in items
        ]
        detail = "The request does not match its schema."
        is_json = "json" in request.headers.get("content-type", "")
        if not is_json and any(item["loc"][0] == "body" for item in items):
            detail = "The body must be JSON, with the header content-type: application/json."
        return Problem(422, detail, errors, field=errors[0]["field"] or None)
