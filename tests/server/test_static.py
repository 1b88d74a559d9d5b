"""The web app: its page, security headers, and assets with their encodings."""

import asyncio
import gzip
import os
import re
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from recollect.server.static import Assets, accepted_encodings
from tests.server import shapes
from tests.server.shapes import UNKNOWN

PROTECTIONS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@pytest.mark.parametrize(
    "address", ["/", f"/c/{UNKNOWN}", "/c/nonsense", "/memories", "/analytics", "/settings"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_page_is_served_under_all_its_paths(
    client: httpx.Client, method: str, address: str
) -> None:
    answer = client.request(method, address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_assets_of_the_page_exist(client: httpx.Client) -> None:
    addresses = re.findall(r'(?:src|href)="([^"]+)"', client.get("/").text)
    kinds = {address.rpartition(".")[2] for address in addresses}
    assert kinds == {"js", "css", "svg"}
    for address in addresses:
        assert address.startswith("/")
        answer = client.get(address)
        assert answer.status_code == 200
        assert re.match(r"(text/(css|javascript)|image/svg)", answer.headers["content-type"])
        if address.startswith("/assets/"):
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["vary"] == "Accept-Encoding"


def test_missing_asset_is_not_found(client: httpx.Client) -> None:
    missing = client.get("/assets/index-gone.js")
    shapes.problem(missing, 404)
    assert missing.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "address", ["/", "/favicon.svg", "/healthz", "/api/conversations", "/api/nowhere", "/api/me?x"]
)
def test_every_response_has_security_headers(client: httpx.Client, address: str) -> None:
    headers = client.get(address).headers
    assert {name: headers[name] for name in PROTECTIONS} == PROTECTIONS


SCRIPT = b"export const words = 'again and again and again';"
COPIES = {"br": b"(as brotli)", "gzip": gzip.compress(SCRIPT)}
KEPT = "public, max-age=31536000, immutable"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A build's output: files with compressed copies, and a small one without."""
    (tmp_path / "index-1a2b.js").write_bytes(SCRIPT)
    (tmp_path / "index-1a2b.js.br").write_bytes(COPIES["br"])
    (tmp_path / "index-1a2b.js.gz").write_bytes(COPIES["gzip"])
    (tmp_path / "index-3c4d.css").write_text("p { color: red }")
    (tmp_path / "logo-5e6f.svg.gz").write_bytes(gzip.compress(b"<svg/>"))
    return tmp_path


@dataclass(frozen=True, slots=True)
class Sent:
    """A response, not decompressed."""

    status: int
    headers: httpx.Headers
    body: bytes


def ask(folder: Path, address: str, *, method: str = "GET", **headers: str) -> Sent:
    app = Starlette()
    app.mount("/assets", Assets(directory=folder))

    async def answered() -> Sent:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            del client.headers["accept-encoding"]
            request = client.build_request(method, f"/assets/{address}", headers=headers)
            answer = await client.send(request, stream=True)
            body = b"".join([part async for part in answer.aiter_raw()])
            return Sent(answer.status_code, answer.headers, body)

    return asyncio.run(answered())


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("", []),
        ("identity", []),
        ("deflate, zstd", []),
        ("gzip", ["gzip"]),
        ("gzip, deflate, br, zstd", ["br", "gzip"]),
        ("GZIP , Br;q=1.0", ["br", "gzip"]),
        ("br;q=0.5, gzip;q=0.8", ["gzip", "br"]),
        ("br;q=0, gzip", ["gzip"]),
        ("*", ["br", "gzip"]),
        ("*;q=0.1, br;q=0", ["gzip"]),
        ("gzip, *;q=0", ["gzip"]),
        ("identity, gzip;q=0.5, br", ["br"]),
        ("br;q=nonsense, gzip; q = 0.1", ["gzip"]),
        ("br;q=7, gzip;q=-1, *;q=nan", []),
        (";;,=,q=1", []),
    ],
)
def test_accept_encoding_is_ranked(accepted: str, expected: list[str]) -> None:
    assert accepted_encodings(accepted) == expected


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("accepted", "coding"), [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("identity", None)]
)
def test_file_is_sent_in_an_accepted_encoding(
    folder: Path, method: str, accepted: str, coding: str | None
) -> None:
    answer = ask(folder, "index-1a2b.js", method=method, **{"accept-encoding": accepted})
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["cache-control"] == KEPT
    body = COPIES[coding] if coding else SCRIPT
    assert answer.headers["content-length"] == str(len(body))
    assert answer.body == (body if method == "GET" else b"")


def test_file_without_copies_is_sent_plain(folder: Path) -> None:
    answer = ask(folder, "index-3c4d.css", **{"accept-encoding": "br, gzip"})
    assert (answer.status, answer.body) == (200, b"p { color: red }")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "content-encoding" not in answer.headers
    assert (answer.headers["vary"], answer.headers["cache-control"]) == ("Accept-Encoding", KEPT)


def test_each_encoding_has_its_own_etag(folder: Path) -> None:
    for file in folder.iterdir():
        os.utime(file, (1, 1))
    tags = {}
    for accepted in ("br", "gzip", "identity"):
        wanted = {"accept-encoding": accepted}
        tags[accepted] = ask(folder, "index-1a2b.js", **wanted).headers["etag"]
        again = ask(folder, "index-1a2b.js", **wanted, **{"if-none-match": tags[accepted]})
        assert (again.status, again.body) == (304, b"")
        assert (again.headers["vary"], again.headers["cache-control"]) == ("Accept-Encoding", KEPT)
    assert len(set(tags.values())) == 3


@pytest.mark.parametrize(
    "address", ["index-9z.js", "index-1a2b.js.br", "index-1a2b.js.gz", "logo-5e6f.svg", "", "%00"]
)
def test_missing_asset_is_not_cached(folder: Path, address: str) -> None:
    answer = ask(folder, address, **{"accept-encoding": "br, gzip"})
    assert answer.status == 404
    assert answer.headers["cache-control"] == "no-store"
