"""Who is asking.

Without any API key the server is in local mode: one user, `local`, who may do everything. Such a
server is reachable from this machine only, and a page from elsewhere must not reach it through the
user's browser: Host and Origin are checked. From the first key on, every request needs one, as a
bearer token or in the cookie that the web app's sign-in sets; revoking the last one does not fall
back to local mode.
"""

import ipaddress
from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import Depends, Request

from recollect.engine import Recollect
from recollect.errors import Forbidden, Unauthorized
from recollect.settings import LOCAL_USER

COOKIE = "recollect_key"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Identity:
    user_id: str
    mode: Literal["local", "keys"]
    is_admin: bool


class Gate:
    """Turns requests into identities."""

    def __init__(self, memory: Recollect) -> None:
        self._memory = memory
        self._wants_keys = False

    async def identify(self, request: Request) -> Identity:
        if not await self._keys_wanted():
            _check_local(request, self._memory.settings.host)
            return Identity(LOCAL_USER, "local", is_admin=True)
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await self.identify_key(bearer.strip())
        if cookie := request.cookies.get(COOKIE):
            if request.method not in _SAFE_METHODS:
                check_origin(request)
            return await self.identify_key(cookie)
        raise Unauthorized

    async def identify_key(self, key: str) -> Identity:
        found = await self._memory.keys.find_key(key)
        if found is None:
            raise Unauthorized("This API key is unknown or revoked.")
        return Identity(found.user_id, "keys", found.is_admin)

    async def _keys_wanted(self) -> bool:
        """Once yes, always yes. While no, every request asks again: a new key counts at once."""
        if not self._wants_keys:
            self._wants_keys = await self._memory.keys.any_keys()
        return self._wants_keys


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_origin(request: Request) -> None:
    """A browser names the page that sent a request; it must be one of ours."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise Forbidden("This Origin may not use this server.")


def _check_local(request: Request, bound_host: str) -> None:
    if not is_loopback(bound_host):
        raise Unauthorized("This server has no API key yet: recollect keys create --user NAME.")
    if not is_loopback(_host_name(request.headers.get("host", ""))):
        raise Forbidden("This Host is not this machine.")
    check_origin(request)


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def get_memory(request: Request) -> Recollect:
    memory: Recollect = request.app.state.memory
    return memory


def get_gate(request: Request) -> Gate:
    gate: Gate = request.app.state.gate
    return gate


Memory = Annotated[Recollect, Depends(get_memory)]
TheGate = Annotated[Gate, Depends(get_gate)]


async def identify(request: Request, gate: TheGate) -> Identity:
    return await gate.identify(request)


Caller = Annotated[Identity, Depends(identify)]
