"""/openapi.json: FastAPI's description of the routes, and what each of them can be refused with.

Nearly all of that follows from an operation's own shape. Who must say who they are can be unknown,
or ask too often; what has a body can be sent too much, or nonsense; what names something by its id
can name nothing. The few refusals that no shape tells are listed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from starlette.routing import compile_path

from recollect.server.auth import COOKIE
from recollect.server.errors import TITLES, Problem
from recollect.server.schemas import ProblemBody

Operation = dict[str, Any]

_OPEN = frozenset({"/healthz", "/readyz", "/metrics", "/api/session"})
"""No identity is needed here."""
_NAMES_SOMETHING = frozenset(
    {
        "id",
        "chat_id",
        "conversation",
        "conversation_id",
        "source_conversation_id",
        "source_message_id",
        "threadId",
        "x-conversation-id",
    }
)
_POINTS_INTO_SOMETHING = frozenset({"cursor", "Last-Event-ID"})
LISTED: dict[tuple[str, str], frozenset[int]] = {
    ("get", "/api/chats"): frozenset({400}),
    ("post", "/api/session"): frozenset({401, 403, 503}),
    ("delete", "/api/session"): frozenset({403}),
    ("get", "/readyz"): frozenset({503}),
    ("post", "/api/chat/{message_id}/edit"): frozenset({409}),
    ("post", "/api/chat/{message_id}/regenerate"): frozenset({409}),
    ("post", "/api/conversations/{conversation_id}/compact"): frozenset({409}),
    ("put", "/api/conversations/{conversation_id}/summary"): frozenset({409}),
    ("post", "/api/conversations/{conversation_id}/summary/rebuild"): frozenset({409}),
    ("post", "/api/conversations/{conversation_id}/summary/rollback"): frozenset({409}),
    ("put", "/api/ai/threads/{thread_id}/summary"): frozenset({409}),
    ("post", "/api/jobs/{job_id}/retry"): frozenset({409}),
    ("delete", "/api/keys/{key_id}"): frozenset({409}),
    ("post", "/api/memories/extract"): frozenset({409}),
    ("post", "/api/memories/{memory_id}/undo"): frozenset({409}),
}
"""What no shape tells."""
_HEADERS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}
_PROBLEM = "ProblemBody"


def install(app: FastAPI) -> None:
    app.openapi = partial(_describe, app.openapi)  # type: ignore[method-assign]

    @app.exception_handler(405)
    async def _not_allowed(request: Request, error: HTTPException) -> Problem:
        """Of routes that share a path the framework names only the first."""
        methods = _methods_at(app.openapi()["paths"], request.url.path)
        headers = {"Allow": ", ".join(methods)} if methods else error.headers
        return Problem(405, error.detail, headers=headers)


def _methods_at(paths: dict[str, Any], path: str) -> list[str]:
    for template, operations in paths.items():
        if compile_path(template)[0].match(path):
            return sorted(method.upper() for method in operations)
    return []


def _describe(describe: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    described = describe()
    schemas = described["components"]["schemas"]
    if _PROBLEM in schemas:
        return described  # FastAPI keeps it
    schemas[_PROBLEM] = ProblemBody.model_json_schema()
    described["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "An API key or a token."},
        "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
    }
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            if path not in _OPEN:
                operation["security"] = [{"bearer": []}, {"cookie": []}]
            answers = operation["responses"]
            answers.pop("422", None)  # in FastAPI's own shape, which is not ours
            for status in _refusals(method, path, operation, schemas):
                answers[str(status)] = _response(status)
            operation["responses"] = dict(sorted(answers.items()))
    for foreign in ("HTTPValidationError", "ValidationError"):
        schemas.pop(foreign, None)
    return described


def _refusals(
    method: str, path: str, operation: Operation, schemas: dict[str, Any]
) -> Iterator[int]:
    given = {parameter["name"] for parameter in operation.get("parameters", ())}
    in_path = {name for name in given if f"{{{name}}}" in path}
    body = operation.get("requestBody", {}).get("content", {})
    fields = given | {name for one in body.values() for name in _fields(one["schema"], schemas)}
    if path not in _OPEN:
        yield from (401, 403, 429, 503)
    if body:
        yield from (400, 413)
    if body or given - in_path:
        yield 422
    if given & _POINTS_INTO_SOMETHING:
        yield 400
    if in_path or fields & _NAMES_SOMETHING:
        yield 404
    if "Idempotency-Key" in given:
        yield 409
    yield from LISTED.get((method, path), ())


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """The names of a body's own fields, in all forms that it may take."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for form in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _fields(form, schemas)
    yield from schema.get("properties", ())


def _response(status: int) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": f"{TITLES[status]}.",
        "content": {Problem.media_type: {"schema": {"$ref": f"#/components/schemas/{_PROBLEM}"}}},
    }
    if name := _HEADERS.get(status):
        response["headers"] = {name: {"required": True, "schema": {"type": "string"}}}
    return response
