"""Errors as `application/problem+json` (RFC 9457): one place turns each kind into its status."""

import logging
import math
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from recollect.errors import (
    BrokenCursor,
    Conflict,
    Forbidden,
    InvalidInput,
    Misconfigured,
    NotFound,
    RateLimited,
    RecollectError,
    TooLarge,
    Unauthorized,
    Unavailable,
)

logger = logging.getLogger(__name__)

_STATUS: dict[type[RecollectError], int] = {
    BrokenCursor: 400,
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
_TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    422: "Invalid input",
    429: "Too many requests",
    500: "Internal error",
    503: "Unavailable",
}
_MESSAGES = {
    "extra_forbidden": "There is no such field.",
    "model_attributes_type": "Input should be a JSON object.",
}
_HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}


class Problem(JSONResponse):
    media_type = "application/problem+json"

    def __init__(
        self,
        status: int,
        detail: str,
        errors: list[dict[str, Any]] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        body: dict[str, Any] = {
            "type": "about:blank",
            "title": _TITLES.get(status, "Error"),
            "status": status,
            "detail": detail,
        }
        if errors:
            body["errors"] = errors
        super().__init__(body, status, headers or _HEADERS.get(status))


def problem_of(error: RecollectError) -> Problem:
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    if status >= 500:  # what exactly failed is for the log: it may name hosts and paths
        logger.warning("%s", error.unquoted)
        return Problem(status, type(error).__doc__ or "")
    errors = None
    if status == 422 and error.field:
        errors = [{"field": error.field, "message": error.message}]
    headers = None
    if isinstance(error, RateLimited):
        headers = {"Retry-After": str(max(1, math.ceil(error.retry_after)))}
    return Problem(status, error.message, errors, headers)


def install(app: FastAPI) -> None:
    @app.exception_handler(RecollectError)
    async def _ours(request: Request, error: RecollectError) -> Problem:
        return problem_of(error)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Problem:
        if isinstance(error.__cause__, UnicodeDecodeError):
            return Problem(400, "The body is not valid UTF-8.")
        return Problem(error.status_code, error.detail, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    async def _schema(request: Request, error: RequestValidationError) -> Problem:
        found = error.errors()
        if any(item["type"] == "json_invalid" for item in found):
            return Problem(400, "The body is not valid JSON.")
        errors = [
            {
                "field": ".".join(str(part) for part in item["loc"][1:]),
                "message": _MESSAGES.get(item["type"], item["msg"]),
            }
            for item in found
        ]
        detail = "The request does not fit its schema."
        is_json = "json" in request.headers.get("content-type", "")
        if not is_json and any(item["loc"][0] == "body" for item in found):
            detail = "The body must be JSON, with the header content-type: application/json."
        return Problem(422, detail, errors)
