"""Errors as `application/problem+json` (RFC 9457): one place turns each kind into its status."""

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
FORMS = frozenset({"plain", "ui"})
"""Of a body that may have either: they are in no client's words."""
_OPENAI_PATHS = "/v1/"
_ERROR_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_ERROR_CODES = {
    401: "invalid_api_key",
    413: "context_length_exceeded",
    429: "rate_limit_exceeded",
}
_HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}


class Problem(JSONResponse):
    """Under /v1 it has an `error` too, which is where OpenAI's clients look for the message."""

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
        self._problem = sanitized_json(body)  # what it quotes may be beyond Unicode
        super().__init__(self._problem, status, {**_HEADERS.get(status, {}), **(headers or {})})
        self._field = field

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith(_OPENAI_PATHS):
            error = openai_error(self.status_code, self._said(), self._field)
            self.body = self.render({**self._problem, "error": error})
            self.headers["content-length"] = str(len(self.body))
        await super().__call__(scope, receive, send)

    def _said(self) -> str:
        """With the first field that does not fit, for those who read one sentence only."""
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
    if status >= 500:  # what exactly failed is for the log: it may name hosts and paths
        logger.warning("%s", error.unquoted)
        is_told = isinstance(error, ModelFailed)  # as a stream tells it
        said = error.shown if is_told else type(error).__doc__ or ""
        return Problem(status, said, headers=headers)
    errors = None
    if status == 422 and error.field:
        errors = [{"field": error.field, "message": error.message}]
    if isinstance(error, RateLimited):
        retry_after = str(max(1, math.ceil(error.retry_after)))
        headers = {**(headers or {}), "Retry-After": retry_after}
    return Problem(status, error.message, errors, headers, field=error.field)


@contextmanager
def placed(**names: str) -> Iterator[None]:
    """Says of a message that is refused which one of the body's list it is, as the schema does.

    `names` are those of its fields that the body has other names for.
    """
    try:
        yield
    except InvalidInput as error:
        if error.field and error.place:
            error.field = f"{error.place}.{names.get(error.field, error.field)}"
        raise


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
                "field": ".".join(str(part) for part in item["loc"][1:] if part not in FORMS),
                "message": _MESSAGES.get(item["type"], item["msg"]),
            }
            for item in found
        ]
        detail = "The request does not fit its schema."
        is_json = "json" in request.headers.get("content-type", "")
        if not is_json and any(item["loc"][0] == "body" for item in found):
            detail = "The body must be JSON, with the header content-type: application/json."
        return Problem(422, detail, errors, field=errors[0]["field"] or None)
