"""The web app as files: what is served, and how it is protected."""

import re

import httpx
import pytest

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
def test_the_page_stands_under_all_its_addresses(
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


def test_what_the_page_refers_to_is_there(client: httpx.Client) -> None:
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


def test_an_asset_that_is_not_there_is_not_found(client: httpx.Client) -> None:
    missing = client.get("/assets/index-gone.js")
    shapes.problem(missing, 404)
    assert missing.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "address", ["/", "/favicon.svg", "/healthz", "/api/conversations", "/api/nowhere", "/api/me?x"]
)
def test_every_answer_is_protected(client: httpx.Client, address: str) -> None:
    headers = client.get(address).headers
    assert {name: headers[name] for name in PROTECTIONS} == PROTECTIONS
