"""The public keys that an issuer signs its tokens with (RFC 7517), fetched when they are needed.

The set is fetched with the first token, every ten minutes from then on, and when a token names a
key that is not in it: so a new key counts at once, and a withdrawn one until the next fetch. Anyone
can send tokens that name keys nobody has; so a look that found nothing is followed by a pause,
whoever asks. While the issuer cannot be reached, the last set stays in use.

From a set only public keys for signatures are taken. Which algorithms a key is for follows from its
own kind, so a token's header cannot choose; and a published secret (`oct`) is none.
"""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import jwt
from jwt.algorithms import AllowedPublicKeys

from recollect.core.errors import IssuerUnavailable
from recollect.server.origins import is_loopback

logger = logging.getLogger(__name__)

FRESH_SECONDS = 600.0
PAUSE_SECONDS = 30.0
RETRY_SECONDS = 1.0
"""While there is no key at all, and nobody can come in."""
_FETCH_SECONDS = 5.0
_MOST_BYTES = 1_000_000
_MOST_KEYS = 100

_ALGORITHMS = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC P-256": ("ES256",),
    "EC P-384": ("ES384",),
    "EC P-521": ("ES512",),
    "OKP Ed25519": ("EdDSA",),
    "OKP Ed448": ("EdDSA",),
}
"""What a key can be for, by its type and curve."""
ALGORITHMS = frozenset(name for names in _ALGORITHMS.values() for name in names)


@dataclass(frozen=True, slots=True)
class PublicKey:
    id: str | None
    key: AllowedPublicKeys
    algorithms: tuple[str, ...]


class KeySet:
    """What is published at an address, as of the last fetch."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._host = urlsplit(url).hostname or ""
        self._clock = clock
        self._fetching = asyncio.Lock()
        self._keys: tuple[PublicKey, ...] | None = None
        self._problem = ""
        self._fetched_at = self._fetch_at = self._look_at = clock()

    async def find(self, id: str | None, algorithm: str) -> PublicKey | None:
        """The key of this id; without one, the only key there is for the algorithm."""
        asked_at = self._clock()
        if asked_at >= self._fetch_at:
            await self._refresh()
        if self._keys is None:
            raise IssuerUnavailable(self._problem)
        if id is not None and not self._has(id):
            await self._look_for(id, asked_at)
        fitting = [key for key in self._keys if algorithm in key.algorithms]
        if id is None:
            return fitting[0] if len(fitting) == 1 else None
        return next((key for key in fitting if key.id == id), None)

    def _has(self, id: str) -> bool:
        return any(key.id == id for key in self._keys or ())

    async def _refresh(self) -> None:
        """Whoever waited for somebody else's fetch finds nothing left to do."""
        async with self._fetching:
            if self._clock() >= self._fetch_at:
                await self._fetch()

    async def _look_for(self, id: str, asked_at: float) -> None:
        """Where it was found there is no pause: nobody but the issuer can make it happen."""
        async with self._fetching:
            is_new = self._fetched_at >= asked_at
            if self._has(id) or is_new or self._clock() < self._look_at:
                return
            await self._fetch()
            if not self._has(id):
                self._look_at = self._clock() + PAUSE_SECONDS

    async def _fetch(self) -> None:
        try:
            keys = read_keys(await self._download())
        except IssuerUnavailable as error:
            self._problem = error.message
            if self._keys is not None:
                logger.warning("%s The known ones stay in use.", error.message)
            pause = RETRY_SECONDS if self._keys is None else PAUSE_SECONDS
            self._fetch_at = self._clock() + pause
            return
        self._keys = keys
        self._fetched_at = self._clock()
        self._fetch_at = self._fetched_at + FRESH_SECONDS

    async def _download(self) -> bytes:
        # What is asked of this machine does not go through HTTP_PROXY.
        client = httpx2.AsyncClient(trust_env=not is_loopback(self._host), timeout=None)
        try:
            async with (
                asyncio.timeout(_FETCH_SECONDS),
                client,
                client.stream("GET", self._url) as response,
            ):
                if response.status_code != httpx2.codes.OK:
                    status = response.status_code
                    raise IssuerUnavailable(f"{self._host} answers {status} instead of its keys.")
                body = bytearray()
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > _MOST_BYTES:
                        raise IssuerUnavailable(f"{self._host} sends too much for a key set.")
                return bytes(body)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            kind = type(error).__name__  # its text may name the address, and what is secret in it
            raise IssuerUnavailable(f"{self._host} does not give its keys: {kind}.") from error


def read_keys(body: bytes) -> tuple[PublicKey, ...]:
    """What of a key set can verify signatures; the rest is passed over, as RFC 7517 asks."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise IssuerUnavailable("The key set is not JSON.") from error
    published = found.get("keys") if isinstance(found, dict) else None
    if not isinstance(published, list):
        raise IssuerUnavailable("The key set has no list of keys.")
    keys = (_read_key(key) for key in published[:_MOST_KEYS] if isinstance(key, dict))
    return tuple(key for key in keys if key)


def _read_key(jwk: Mapping[str, Any]) -> PublicKey | None:
    algorithms = _ALGORITHMS.get(f"{jwk.get('kty')} {jwk.get('crv', '')}".strip(), ())
    if (alg := jwk.get("alg")) is not None:
        algorithms = tuple(name for name in algorithms if name == alg)
    if not algorithms or not _is_for_verifying(jwk):
        return None
    id = jwk.get("kid")
    try:
        made = jwt.PyJWK(dict(jwk), algorithms[0])
    except jwt.PyJWTError as error:
        logger.warning("a published key is broken", extra={"kid": id, "why": type(error).__name__})
        return None
    if made.Algorithm.check_key_length(made.key):
        logger.warning("a published key is too short to be safe", extra={"kid": id})
        return None
    return PublicKey(id if isinstance(id, str) else None, made.key, algorithms)


def _is_for_verifying(jwk: Mapping[str, Any]) -> bool:
    """Whoever publishes the private half too (`d`) has made it everybody's."""
    uses = jwk.get("key_ops", ["verify"])
    may_verify = isinstance(uses, list) and "verify" in uses
    return may_verify and jwk.get("use", "sig") == "sig" and "d" not in jwk
