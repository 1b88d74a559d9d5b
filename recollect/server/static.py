"""The web app: its page under every path it knows, and its assets.

The names of assets contain a hash of their content, so browsers may cache them forever. The build
leaves compressed copies beside each file; `Accept-Encoding` decides which one is sent.
"""

import os
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

STATIC = Path(str(files("recollect.server"))) / "static"

_PATHS = ("/", "/c/{conversation_id}", "/memories", "/analytics", "/settings")
_CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; worker-src 'none'; frame-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_PAGE_HEADERS = {"Content-Security-Policy": _CSP, "Cache-Control": "no-cache"}
_ASSET_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
_MISSING_HEADERS = {"Cache-Control": "no-store"}
_SUFFIXES = {"br": ".br", "gzip": ".gz"}
"""Of the compressed copies, best first."""


def install(app: FastAPI) -> None:
    async def page() -> Response:
        if not (STATIC / "index.html").is_file():
            return PlainTextResponse("The web app is not built: run `make web`.", 503)
        return FileResponse(STATIC / "index.html", headers=_PAGE_HEADERS)

    async def icon() -> Response:
        return FileResponse(STATIC / "favicon.svg")

    for path in _PATHS:
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/favicon.svg", icon, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/assets", Assets(directory=STATIC / "assets", check_dir=False), name="assets")


class Assets(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        """A 404 must not be cached: the next release may have the file. Compressed copies have no
        URL of their own."""
        if path.endswith(tuple(_SUFFIXES.values())):
            raise HTTPException(404, headers=_MISSING_HEADERS)
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code == 404:
                raise HTTPException(404, headers=_MISSING_HEADERS) from error
            raise

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        request_headers = Headers(scope=scope)
        media_type, _ = guess_type(full_path)
        headers, path = dict(_ASSET_HEADERS), os.fspath(full_path)
        for encoding in accepted_encodings(request_headers.get("accept-encoding", "")):
            copy = f"{path}{_SUFFIXES[encoding]}"
            if os.path.isfile(copy):
                path, stat_result = copy, os.stat(copy)
                headers["Content-Encoding"] = encoding
                break
        response = FileResponse(
            path, status_code, headers=headers, media_type=media_type, stat_result=stat_result
        )
        if self.is_not_modified(response.headers, request_headers):
            return NotModifiedResponse(response.headers)
        return response


def accepted_encodings(header: str) -> list[str]:
    """The encodings of ours that an `Accept-Encoding` prefers to the plain file, best first.

    Equal weights keep our order. The plain file has weight 0 unless `identity` is named.
    """
    weights = dict(_parse_encoding(part) for part in header.lower().split(","))
    plain = weights.get("identity", 0.0)
    ours = {name: weights.get(name, weights.get("*", 0.0)) for name in _SUFFIXES}
    accepted = [name for name, weight in ours.items() if weight > 0 and weight >= plain]
    return sorted(accepted, key=lambda name: -ours[name])


def _parse_encoding(part: str) -> tuple[str, float]:
    """Return an encoding with its `q`, which is 0 unless it is a number between 0 and 1."""
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
