"""Authentication of requests.

Without API keys and JWT settings the server is in local mode: one user, `local`, with admin rights.
It then listens on this machine only, and checks Host and Origin, so that pages from elsewhere
cannot reach it through the user's browser.

From the first API key on, every request needs a key, as a bearer token or in the cookie that the
web app's sign-in sets. Revoking the last key does not bring local mode back. With JWT settings
every request needs a token of the issuer, as a bearer token or in Supabase's cookie, or a key.

A key has a scope: `read` allows requests that change nothing, `write` all requests of the key's
user, `admin` the management of keys as well. A token has the scope `write`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from fastapi import Depends, Request

from recollect.core.errors import Forbidden, Unauthorized
from recollect.core.types import KeyScope
from recollect.engine import Recollect
from recollect.record.api_keys import PREFIX
from recollect.server import supabase
from recollect.server.origins import SAFE_METHODS, check_host, check_origin, is_loopback
from recollect.settings import LOCAL_USER, Settings

if TYPE_CHECKING:
    from recollect.server.jwt import TokenVerifier

COOKIE = "recollect_key"


@dataclass(frozen=True, slots=True)
class Identity:
    user_id: str
    mode: Literal["local", "keys", "jwt"]
    scope: KeyScope
    key_id: str | None = None

    @property
    def is_admin(self) -> bool:
        return self.scope == "admin"


class Authenticator:
    """Finds the identity of requests."""

    def __init__(self, engine: Recollect) -> None:
        self._engine = engine
        self._tokens = _create_verifier(engine.settings)
        self._origins = frozenset(engine.settings.allowed_origins())
        self._has_keys = False

    async def identify(self, request: Request) -> Identity:
        """Raises Unauthorized or Forbidden."""
        if self._tokens is None and not await self._needs_key():
            self._check_local(request)
            return Identity(LOCAL_USER, "local", "admin")
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await self._identify_bearer(bearer.strip())
        return await self._identify_cookie(request)

    async def identify_key(self, key: str) -> Identity:
        found = await self._engine.keys.find_key(key)
        if found is None:
            raise Unauthorized("This API key is unknown, revoked or expired.")
        return Identity(found.user_id, "keys", found.scope, found.id)

    def check_origin(self, request: Request) -> None:
        check_origin(request, self._origins)

    async def _identify_bearer(self, bearer: str) -> Identity:
        if self._tokens is None or bearer.startswith(PREFIX):
            return await self.identify_key(bearer)
        return Identity(await self._tokens.verify(bearer), "jwt", "write")

    async def _identify_cookie(self, request: Request) -> Identity:
        """The key's cookie comes before Supabase's: the user signed in here explicitly."""
        key = request.cookies.get(COOKIE)
        tokens = supabase.access_tokens(request.cookies) if self._tokens and not key else ()
        if (key or tokens) and request.method not in SAFE_METHODS:
            self.check_origin(request)
        if key:
            return await self.identify_key(key)
        return await self._identify_session(tokens)

    async def _identify_session(self, tokens: Iterable[str]) -> Identity:
        """Take the first valid token: others may belong to other Supabase projects."""
        if self._tokens is None:
            raise Unauthorized
        refusal = Unauthorized("Send a token or an API key: Authorization: Bearer …")
        for token in tokens:
            try:
                return Identity(await self._tokens.verify(token), "jwt", "write")
            except Unauthorized as error:
                refusal = error
        raise refusal

    async def _needs_key(self) -> bool:
        """Cached once true. Until then every request asks, so that a new key counts at once."""
        if not self._has_keys:
            self._has_keys = await self._engine.keys.has_keys()
        return self._has_keys

    def _check_local(self, request: Request) -> None:
        if not is_loopback(self._engine.settings.host):
            raise Unauthorized("This server has no API key yet: recollect keys create --user NAME.")
        check_host(request)
        self.check_origin(request)


def _create_verifier(settings: Settings) -> "TokenVerifier | None":
    """Imported only if needed: loading the cryptography takes a moment."""
    if not settings.accepts_jwt():
        return None
    from recollect.server.jwt import TokenVerifier

    return TokenVerifier.of(settings)


# These dependencies are async because FastAPI runs plain functions in a thread, which is slower.
async def get_engine(request: Request) -> Recollect:
    engine: Recollect = request.app.state.engine
    return engine


Engine = Annotated[Recollect, Depends(get_engine)]


async def identify_reader(request: Request) -> Identity:
    state = request.app.state
    identity: Identity = await state.authenticator.identify(request)
    request.state.identity = identity  # for the audit log
    state.rate_limiter.take(identity.user_id, "requests")
    return identity


Reader = Annotated[Identity, Depends(identify_reader)]
"""The caller of a request that changes nothing, whatever its method is."""


async def identify(request: Request, reader: Reader) -> Identity:
    request.state.is_change = request.method not in SAFE_METHODS
    if request.method not in SAFE_METHODS:
        _require_write(reader)
    return reader


Caller = Annotated[Identity, Depends(identify)]
"""The caller of a request that changes something, unless its method is GET."""


async def identify_writer(reader: Reader) -> Identity:
    _require_write(reader)
    return reader


Writer = Annotated[Identity, Depends(identify_writer)]
"""The caller of a request that may change something, although its method is GET."""


def _require_write(identity: Identity) -> None:
    if identity.scope == "read":
        raise Forbidden("This key may only read: its scope is `read`.")


class ConversationIds(TypedDict):
    conversation_id: str
    user_id: str


async def get_conversation_ids(conversation_id: str, caller: Caller) -> ConversationIds:
    return {"conversation_id": conversation_id, "user_id": caller.user_id}


InConversation = Annotated[ConversationIds, Depends(get_conversation_ids)]
"""The conversation of the path and the caller, as services take them."""


async def get_read_conversation_ids(conversation_id: str, reader: Reader) -> ConversationIds:
    return {"conversation_id": conversation_id, "user_id": reader.user_id}


ReadInConversation = Annotated[ConversationIds, Depends(get_read_conversation_ids)]


async def identify_admin(caller: Caller) -> Identity:
    if not caller.is_admin:
        raise Forbidden("Only an admin may do this.")
    return caller


Admin = Annotated[Identity, Depends(identify_admin)]
