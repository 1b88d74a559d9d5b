"""The web app's files, in the smallest form that a browser takes.

Their names hold a hash of what is in them, so a name never means anything else: whoever has a file
need not ask for it again. The build leaves a compressed copy or two beside each; which of them is
sent, the request's `Accept-Encoding` says.
"""

import os
from mimetypes import guess_type

from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Of the copies, best first."""
_KEPT = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
_NOT_KEPT = {"Cache-Control": "no-store"}
_ANY = "*"
_AS_IT_IS = "identity"


def codings(accepted: str) -> list[str]:
    """Those of ours that an `Accept-Encoding` prefers to the file as it is, best first.

    Of two that it likes as well, ours is the order. A file as it is counts last unless it is named.
    """
    weights = dict(_weighed(part) for part in accepted.lower().split(","))
    plain = weights.get(_AS_IT_IS, 0.0)
    liked = {name: weights.get(name, weights.get(_ANY, 0.0)) for name in _SUFFIXES}
    wanted = [name for name, weight in liked.items() if weight > 0 and weight >= plain]
    return sorted(wanted, key=lambda name: -liked[name])


def _weighed(part: str) -> tuple[str, float]:
    """A coding with its `q`. One whose `q` is no number between 0 and 1 is not asked for."""
    name, *parameters = (piece.strip() for piece in part.split(";"))
    for parameter in parameters:
        field, _, value = parameter.partition("=")
        if field.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                return name, 0.0
            return name, weight if 0 <= weight <= 1 else 0.0
    return name, 1.0


class Assets(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        """A copy is a form of its file, and no file of its own."""
        if path.endswith(tuple(_SUFFIXES.values())):
            raise HTTPException(404, headers=_NOT_KEPT)
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code == 404:  # a new release may bring it
                raise HTTPException(404, headers=_NOT_KEPT) from error
            raise

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        asked = Headers(scope=scope)
        kind, _ = guess_type(full_path)
        headers, sent = dict(_KEPT), os.fspath(full_path)
        for coding in codings(asked.get("accept-encoding", "")):
            copy = f"{sent}{_SUFFIXES[coding]}"
            if os.path.isfile(copy):
                sent, stat_result = copy, os.stat(copy)
                headers["Content-Encoding"] = coding
                break
        response = FileResponse(
            sent, status_code, headers=headers, media_type=kind, stat_result=stat_result
        )
        if self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        return response
