"""The files of the web app: which form of them is sent, and for how long it may be kept."""

import asyncio
import gzip
import os
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from recollect.server.static import Assets, accepted_encodings

SCRIPT = b"export const words = 'again and again and again';"
COPIES = {"br": b"(as brotli)", "gzip": gzip.compress(SCRIPT)}
KEPT = "public, max-age=31536000, immutable"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As a build leaves it: each file with its copies, or a small one without any."""
    (tmp_path / "index-1a2b.js").write_bytes(SCRIPT)
    (tmp_path / "index-1a2b.js.br").write_bytes(COPIES["br"])
    (tmp_path / "index-1a2b.js.gz").write_bytes(COPIES["gzip"])
    (tmp_path / "index-3c4d.css").write_text("p { color: red }")
    (tmp_path / "logo-5e6f.svg.gz").write_bytes(gzip.compress(b"<svg/>"))
    return tmp_path


@dataclass(frozen=True, slots=True)
class Sent:
    """What came over the wire, not unpacked."""

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
def test_what_a_browser_would_rather_have(accepted: str, expected: list[str]) -> None:
    assert accepted_encodings(accepted) == expected


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("accepted", "coding"), [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("identity", None)]
)
def test_a_file_is_sent_in_the_form_that_is_taken(
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


def test_a_file_without_copies_is_sent_as_it_is(folder: Path) -> None:
    answer = ask(folder, "index-3c4d.css", **{"accept-encoding": "br, gzip"})
    assert (answer.status, answer.body) == (200, b"p { color: red }")
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "content-encoding" not in answer.headers
    assert (answer.headers["vary"], answer.headers["cache-control"]) == ("Accept-Encoding", KEPT)


def test_each_form_has_a_tag_of_its_own(folder: Path) -> None:
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
def test_what_is_not_there_is_not_kept(folder: Path, address: str) -> None:
    answer = ask(folder, address, **{"accept-encoding": "br, gzip"})
    assert answer.status == 404
    assert answer.headers["cache-control"] == "no-store"
