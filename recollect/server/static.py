"""The web app: static files, and its one page under every address it knows."""

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, PlainTextResponse, Response

from recollect.server.static_files import Assets

STATIC = Path(str(files("recollect.server"))) / "static"

_CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; worker-src 'none'; frame-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_ADDRESSES = ("/", "/c/{conversation_id}", "/memories", "/analytics", "/settings")
_HEADERS = {"Content-Security-Policy": _CSP, "Cache-Control": "no-cache"}


def install(app: FastAPI) -> None:
    async def page() -> Response:
        if not (STATIC / "index.html").is_file():
            return PlainTextResponse("The web app is not built: run `make web`.", 503)
        return FileResponse(STATIC / "index.html", headers=_HEADERS)

    async def icon() -> Response:
        return FileResponse(STATIC / "favicon.svg")

    for address in _ADDRESSES:
        app.add_api_route(address, page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/favicon.svg", icon, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/assets", Assets(directory=STATIC / "assets", check_dir=False), name="assets")
