"""/openapi.json: FastAPI's document, completed with errors, security and stream events.

Most errors follow from the shape of an operation: authenticated operations can answer 401 or 429,
those with a body 400 or 413, those that name something by its id 404. The others are listed.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.routing import APIRoute
from starlette.routing import compile_path

from recollect.server.auth import COOKIE
from recollect.server.errors import TITLES, Problem, ProblemBody
from recollect.server.stream_schemas import component_schemas

Document = dict[str, Any]
Operation = dict[str, Any]

_UNAUTHENTICATED = frozenset({"/healthz", "/readyz", "/metrics", "/api/session"})
_ID_FIELDS = frozenset(
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
_CURSOR_FIELDS = frozenset({"cursor", "Last-Event-ID"})
EXTRA_ERRORS: dict[tuple[str, str], frozenset[int]] = {
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
"""Status codes that do not follow from the operation's shape."""
_ERROR_HEADERS = {401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After"}
_SCHEMA_SUFFIX = re.compile(r"([A-Z][A-Za-z]*?)Schema(?=[\"\[\]_])")
_PUBLISHED_NAMES = {
    "CompletionMessage": "Said",
    "CompletionMessageIn": "ChatMessage",
    "CompletionPartIn": "Part-Input",
    "ChatPart": "Part-Output",
    "FunctionCallIn": "Function-Input",
    "FunctionCall": "Function-Output",
    "ToolCallIn": "ToolCall-Input",
    "CompletionToolCall": "ToolCall-Output",
}
"""Component names that differ from the class name by more than the suffix `Schema`."""
_RENAMED = re.compile(rf"(?<=[\"/])({'|'.join(_PUBLISHED_NAMES)})(?=\")")


def install(app: FastAPI) -> None:
    describe = app.openapi
    app.openapi = cache(lambda: _complete(describe()))  # type: ignore[method-assign]

    @app.exception_handler(405)
    async def _not_allowed(request: Request, error: HTTPException) -> Problem:
        """List the methods of all routes of a path: FastAPI names those of the first one only."""
        methods = _methods_at(app.openapi()["paths"], request.url.path)
        headers = {"Allow": ", ".join(methods)} if methods else error.headers
        return Problem(405, error.detail, headers=headers)


def operation_id(route: APIRoute) -> str:
    """The name of the route's function in camelCase."""
    first, *rest = route.name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _methods_at(paths: dict[str, Any], path: str) -> list[str]:
    for template, operations in paths.items():
        if compile_path(template)[0].match(path):
            return sorted(method.upper() for method in operations)
    return []


def _complete(document: Document) -> Document:
    components = document["components"]
    schemas = components["schemas"]
    for replaced in ("HTTPValidationError", "ValidationError"):
        schemas.pop(replaced, None)
    schemas["ProblemBody"] = ProblemBody.model_json_schema()
    schemas.update(component_schemas())
    components["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "An API key or a token."},
        "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if path not in _UNAUTHENTICATED:
                operation["security"] = [{"bearer": []}, {"cookie": []}]
            responses = operation["responses"]
            responses.pop("422", None)  # FastAPI's own error body, which is not ours
            for status in _errors(method, path, operation, schemas):
                responses[str(status)] = _error_response(status)
            operation["responses"] = dict(sorted(responses.items()))
    return _rename_schemas(document)


def _rename_schemas(document: Document) -> Document:
    """Replace Python's class names, which are unique in the package, by the published names."""
    text = _RENAMED.sub(lambda match: _PUBLISHED_NAMES[match[1]], json.dumps(document))
    renamed: Document = json.loads(_SCHEMA_SUFFIX.sub(r"\1", text))
    return renamed


def _errors(method: str, path: str, operation: Operation, schemas: dict[str, Any]) -> Iterator[int]:
    parameters = {parameter["name"] for parameter in operation.get("parameters", ())}
    in_path = {name for name in parameters if f"{{{name}}}" in path}
    body = operation.get("requestBody", {}).get("content", {})
    fields = parameters | {
        name for content in body.values() for name in _fields(content["schema"], schemas)
    }
    if path not in _UNAUTHENTICATED:
        yield from (401, 403, 429, 503)
    if body:
        yield from (400, 413)
    if body or parameters - in_path:
        yield 422
    if parameters & _CURSOR_FIELDS:
        yield 400
    if in_path or fields & _ID_FIELDS:
        yield 404
    if "Idempotency-Key" in parameters:
        yield 409
    yield from EXTRA_ERRORS.get((method, path), ())


def _fields(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """Yield the names of a body's top-level fields, of all its alternatives."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for alternative in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _fields(alternative, schemas)
    yield from schema.get("properties", ())


def _error_response(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ProblemBody"}
    response: dict[str, Any] = {
        "description": f"{TITLES[status]}.",
        "content": {Problem.media_type: {"schema": schema}},
    }
    if name := _ERROR_HEADERS.get(status):
        response["headers"] = {name: {"required": True, "schema": {"type": "string"}}}
    return response
