"""Where a request comes from: the Host it was sent to, and the page that sent it.

A browser carries a user's cookies along with whatever any page asks for, and reaches a server on
this machine for any page. So where no more is needed to come in, the page must be one of ours, or
one that the settings allow. A bearer token needs none of this: no page can send one that it does
not have.
"""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.requests import Request

from recollect.core.errors import Forbidden

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_ELSEWHERE = frozenset({"cross-site", "same-site"})


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_write(request: Request) -> bool:
    return request.method not in _SAFE_METHODS


def check_host(request: Request) -> None:
    """A name that leads to this machine from elsewhere is how a foreign page gets in."""
    if not is_loopback(_host_name(request.headers.get("host", ""))):
        raise Forbidden("This Host is not this machine.")


def check_origin(request: Request, allowed: Collection[str]) -> None:
    """Browsers name the page in Origin, or at least say in Sec-Fetch-Site that it is another's.

    What has neither of the two is no browser, and carries nobody's cookies but its own.
    """
    origin = request.headers.get("origin")
    if origin is None:
        is_ours = request.headers.get("sec-fetch-site") not in _ELSEWHERE
    else:
        is_ours = origin in allowed or origin.partition("://")[2] == request.headers.get("host")
    if not is_ours:
        raise Forbidden(
            "This Origin may not use this server: RECOLLECT_CORS_ORIGINS names those that may."
        )


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
