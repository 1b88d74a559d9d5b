"""Who is asking.

Without any API key and without settings for tokens the server is in local mode: one user, `local`,
who may do everything. Such a server is reachable from this machine only, and a page from elsewhere
must not reach it through the user's browser: Host and Origin are checked.

From the first key on, every request needs one, as a bearer token or in the cookie that the web
app's sign-in sets; revoking the last one does not fall back to local mode. With settings for tokens
every request needs one of the issuer, as a bearer token or in Supabase's cookie, or else a key.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import Depends, Request

from recollect.core.errors import Forbidden, Unauthorized
from recollect.engine import Recollect
from recollect.record.api_keys import PREFIX
from recollect.server import supabase
from recollect.server.origins import check_host, check_origin, is_loopback, is_write
from recollect.settings import LOCAL_USER, Settings

if TYPE_CHECKING:
    from recollect.server.jwt import Tokens

COOKIE = "recollect_key"


@dataclass(frozen=True, slots=True)
class Identity:
    user_id: str
    mode: Literal["local", "keys", "jwt"]
    is_admin: bool
    key_id: str | None = None
    """Of the key that says so."""


class Authenticator:
    """Turns requests into identities."""

    def __init__(self, memory: Recollect) -> None:
        self._memory = memory
        self._tokens = _tokens_of(memory.settings)
        self._origins = frozenset(memory.settings.allowed_origins())
        self._wants_keys = False

    async def identify(self, request: Request) -> Identity:
        if self._tokens is None and not await self._keys_wanted():
            self._check_local(request)
            return Identity(LOCAL_USER, "local", is_admin=True)
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await self._identify_bearer(bearer.strip())
        return await self._identify_cookie(request)

    async def identify_key(self, key: str) -> Identity:
        found = await self._memory.keys.find_key(key)
        if found is None:
            raise Unauthorized("This API key is unknown or revoked.")
        return Identity(found.user_id, "keys", found.is_admin, found.id)

    def check_origin(self, request: Request) -> None:
        check_origin(request, self._origins)

    async def _identify_bearer(self, bearer: str) -> Identity:
        if self._tokens is None or bearer.startswith(PREFIX):
            return await self.identify_key(bearer)
        return Identity(await self._tokens.verify(bearer), "jwt", is_admin=False)

    async def _identify_cookie(self, request: Request) -> Identity:
        """Our own comes first: somebody signed in here on purpose."""
        key = request.cookies.get(COOKIE)
        sessions = supabase.access_tokens(request.cookies) if self._tokens and not key else ()
        if (key or sessions) and is_write(request):
            self.check_origin(request)
        if key:
            return await self.identify_key(key)
        return await self._identify_session(sessions)

    async def _identify_session(self, tokens: Iterable[str]) -> Identity:
        """By the first token that is good here: the others may be of other projects."""
        if self._tokens is None:
            raise Unauthorized
        refused = Unauthorized("This server wants a token or an API key: Authorization: Bearer …")
        for token in tokens:
            try:
                return Identity(await self._tokens.verify(token), "jwt", is_admin=False)
            except Unauthorized as error:
                refused = error
        raise refused

    async def _keys_wanted(self) -> bool:
        """Once yes, always yes. While no, every request asks again: a new key counts at once."""
        if not self._wants_keys:
            self._wants_keys = await self._memory.keys.any_keys()
        return self._wants_keys

    def _check_local(self, request: Request) -> None:
        if not is_loopback(self._memory.settings.host):
            raise Unauthorized("This server has no API key yet: recollect keys create --user NAME.")
        check_host(request)
        self.check_origin(request)


def _tokens_of(settings: Settings) -> "Tokens | None":
    """What verifies them takes a moment to load, and most servers never need it."""
    if not settings.takes_tokens():
        return None
    from recollect.server.jwt import Tokens

    return Tokens.of(settings)


# A plain function would be run in a thread, which costs more than all that it does.
async def get_memory(request: Request) -> Recollect:
    memory: Recollect = request.app.state.memory
    return memory


async def get_gate(request: Request) -> Authenticator:
    gate: Authenticator = request.app.state.gate
    return gate


Memory = Annotated[Recollect, Depends(get_memory)]
TheGate = Annotated[Authenticator, Depends(get_gate)]


async def identify(request: Request) -> Identity:
    state = request.app.state
    identity: Identity = await state.gate.identify(request)
    state.rates.take(identity.user_id, "requests")
    return identity


Caller = Annotated[Identity, Depends(identify)]


async def identify_admin(caller: Caller) -> Identity:
    if not caller.is_admin:
        raise Forbidden("Only an admin may do this.")
    return caller


Admin = Annotated[Identity, Depends(identify_admin)]
