"""Checks of a request's Host, and of the page that sent it.

A browser sends a user's cookies with the requests of any page, and lets any page reach a server on
this machine. So where a cookie or local mode suffices, the page must be ours or one that the
settings allow. Bearer tokens need no check: a page cannot send one that it does not have.
"""

import ipaddress
import re
from collections.abc import Collection

from starlette.requests import Request

from recollect.core.errors import Forbidden

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OTHER_SITES = frozenset({"cross-site", "same-site"})
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z.-]+))(?::[0-9]{1,5})?")
"""A name or address, and perhaps a port. A URL parser would skip `user@` and `/path`."""


def is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_host(request: Request) -> None:
    """Refuse foreign host names that resolve to this machine (DNS rebinding)."""
    host = request.headers.get("host", "")
    if not is_loopback(_host_name(host)):
        raise Forbidden(f"The Host {host!r} is not this machine: use localhost.")


def check_origin(request: Request, allowed: Collection[str]) -> None:
    """Refuse pages of other sites, by Origin or Sec-Fetch-Site.

    A request with neither header is not from a browser, so it sends no user's cookies.
    """
    origin = request.headers.get("origin")
    if origin is None:
        is_allowed = request.headers.get("sec-fetch-site") not in _OTHER_SITES
    else:
        is_allowed = origin in allowed or origin in _own_origins(request)
    if not is_allowed:
        raise Forbidden("This Origin is not allowed: add it to RECOLLECT_CORS_ORIGINS.")


def _own_origins(request: Request) -> Collection[str]:
    """The origins of pages from this server. If it speaks plain HTTP, a proxy may add the S."""
    host, is_secure = request.headers.get("host"), request.scope["scheme"] == "https"
    return {f"{scheme}://{host}" for scheme in ("https", *(() if is_secure else ("http",)))}


def _host_name(host: str) -> str:
    match = _HOST.fullmatch(host)
    return match[1] or match[2] if match else ""
