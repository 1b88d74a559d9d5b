"""Audit of requests: each that an identified caller makes becomes an entry of the audit log.

The action follows from method and route. Deletions and exports are written before the response,
other entries within a second. Local mode has one user, who is not recorded.
"""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from recollect.core.errors import RecollectError
from recollect.core.types import AuditAction
from recollect.server.errors import problem_of
from recollect.server.json_body import JsonRoute
from recollect.server.openapi import operation_id
from recollect.server.origins import SAFE_METHODS

_MAX_PARSED_BYTES = 10_000
_CREATED = 201
_ID_HEADER = "x-conversation-id"


class AuditedRoute(JsonRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def audited(request: Request) -> Response:
            try:
                response = await handle(request)
            except RecollectError as error:
                await self._record(request, problem_of(error).status_code)
                raise
            except RequestValidationError:
                await self._record(request, 422)
                raise
            except HTTPException as error:
                await self._record(request, error.status_code)
                raise
            action = await self._record(request, response.status_code, _created_id(response))
            if action in ("delete", "export"):
                await request.app.state.engine.audit.flush()
            return response

        return audited

    async def _record(self, request: Request, status: int, created: str = "") -> AuditAction | None:
        """Return the recorded action, or None if the caller is unknown or local."""
        identity = getattr(request.state, "identity", None)
        if identity is None or identity.mode == "local":
            return None
        action = self._action(request)
        path = request.url.path
        for id in (request.query_params.get("id"), created):
            if id:
                path = f"{path}/{id}"
        await request.app.state.engine.audit.record(
            user_id=getattr(request.state, "subject", identity.user_id),
            actor=f"key:{identity.key_id}" if identity.key_id else f"token:{identity.user_id}",
            action=action,
            operation=self.operation_id or operation_id(self),
            target=path,
            status=status,
        )
        return action

    def _action(self, request: Request) -> AuditAction:
        if request.method == "DELETE":
            return "delete"
        if self.name.startswith("export"):
            return "export"
        is_read = request.method in SAFE_METHODS or not getattr(request.state, "is_change", False)
        return "read" if is_read else "change"


def _created_id(response: Response) -> str:
    """Return the id of the conversation or key that a request created, or an empty text."""
    if id := response.headers.get(_ID_HEADER):
        return id
    body = getattr(response, "body", b"")
    if response.status_code != _CREATED or not 0 < len(body) < _MAX_PARSED_BYTES:
        return ""
    created = json.loads(body)
    return str(created.get("id", "")) if isinstance(created, dict) else ""
