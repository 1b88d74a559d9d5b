"""The public keys of a token issuer (RFC 7517), fetched when they are needed.

The key set is fetched with the first token, then every ten minutes, and when a token names an
unknown key. So a new key works at once, and a withdrawn one until the next fetch. Anyone can send
tokens with unknown keys, so a fetch that did not find the key is followed by a pause. While the
issuer is unreachable, the last set stays in use.

Only public keys for signatures are used. The algorithms of a key follow from its type and curve, so
a token's header cannot choose; published secrets (`oct`) are ignored.
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
"""While there is no key at all, so that all tokens are refused."""
_FETCH_SECONDS = 5.0
_MAX_BYTES = 1_000_000
_MAX_KEYS = 100

_ALGORITHMS = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC P-256": ("ES256",),
    "EC P-384": ("ES384",),
    "EC P-521": ("ES512",),
    "OKP Ed25519": ("EdDSA",),
    "OKP Ed448": ("EdDSA",),
}
"""By type and curve of a key."""
ALGORITHMS = frozenset(name for names in _ALGORITHMS.values() for name in names)


@dataclass(frozen=True, slots=True)
class PublicKey:
    id: str | None
    key: AllowedPublicKeys
    algorithms: tuple[str, ...]


class KeySet:
    """The keys at a URL, as of the last fetch."""

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._host = urlsplit(url).hostname or ""
        self._clock = clock
        self._fetching = asyncio.Lock()
        self._keys: tuple[PublicKey, ...] | None = None
        self._problem = ""
        self._fetched_at = self._fetch_at = self._search_at = clock()

    async def find(self, id: str | None, algorithm: str) -> PublicKey | None:
        """Find a key by id; without an id, the only key for the algorithm.

        Raises IssuerUnavailable if no key set could be fetched yet.
        """
        requested_at = self._clock()
        if requested_at >= self._fetch_at:
            await self._refresh()
        if self._keys is None:
            raise IssuerUnavailable(self._problem)
        if id is not None and not self._has(id):
            await self._fetch_missing(id, requested_at)
        suitable = [key for key in self._keys if algorithm in key.algorithms]
        if id is None:
            return suitable[0] if len(suitable) == 1 else None
        return next((key for key in suitable if key.id == id), None)

    def _has(self, id: str) -> bool:
        return any(key.id == id for key in self._keys or ())

    async def _refresh(self) -> None:
        """Fetch, unless another request did while this one waited for the lock."""
        async with self._fetching:
            if self._clock() >= self._fetch_at:
                await self._fetch()

    async def _fetch_missing(self, id: str, requested_at: float) -> None:
        """Fetch for an unknown key. A pause follows only if the key was not found: an attacker
        cannot cause it to be found."""
        async with self._fetching:
            is_new = self._fetched_at >= requested_at
            if self._has(id) or is_new or self._clock() < self._search_at:
                return
            await self._fetch()
            if not self._has(id):
                self._search_at = self._clock() + PAUSE_SECONDS

    async def _fetch(self) -> None:
        try:
            keys = parse_keys(await self._download())
        except IssuerUnavailable as error:
            self._problem = error.message
            if self._keys is not None:
                logger.warning("jwks.fetch_failed", extra={"reason": error.message})
            pause = RETRY_SECONDS if self._keys is None else PAUSE_SECONDS
            self._fetch_at = self._clock() + pause
            return
        self._keys = keys
        self._fetched_at = self._clock()
        self._fetch_at = self._fetched_at + FRESH_SECONDS

    async def _download(self) -> bytes:
        # Requests to this machine must not go through HTTP_PROXY.
        client = httpx2.AsyncClient(trust_env=not is_loopback(self._host), timeout=None)
        try:
            async with (
                asyncio.timeout(_FETCH_SECONDS),
                client,
                client.stream("GET", self._url) as response,
            ):
                if response.status_code != httpx2.codes.OK:
                    status = response.status_code
                    raise IssuerUnavailable(f"{self._host} answers {status} instead of a key set.")
                body = bytearray()
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > _MAX_BYTES:
                        raise IssuerUnavailable(
                            f"The key set of {self._host} is over {_MAX_BYTES:,} bytes."
                        )
                return bytes(body)
        except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError) as error:
            kind = type(error).__name__  # its text may contain secrets of the URL
            raise IssuerUnavailable(
                f"The key set of {self._host} cannot be fetched: {kind}."
            ) from error


def parse_keys(body: bytes) -> tuple[PublicKey, ...]:
    """Return the keys that can verify signatures; others are ignored, as RFC 7517 demands."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise IssuerUnavailable("The key set is not JSON.") from error
    published = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(published, list):
        raise IssuerUnavailable("The key set has no list of keys.")
    keys = (_parse_key(key) for key in published[:_MAX_KEYS] if isinstance(key, dict))
    return tuple(key for key in keys if key)


def _parse_key(jwk: Mapping[str, Any]) -> PublicKey | None:
    algorithms = _ALGORITHMS.get(f"{jwk.get('kty')} {jwk.get('crv', '')}".strip(), ())
    if (alg := jwk.get("alg")) is not None:
        algorithms = tuple(name for name in algorithms if name == alg)
    if not algorithms or not _is_for_verifying(jwk):
        return None
    id = jwk.get("kid")
    try:
        key = jwt.PyJWK(dict(jwk), algorithms[0])
    except jwt.PyJWTError as error:
        logger.warning("jwks.key_invalid", extra={"kid": id, "reason": type(error).__name__})
        return None
    if key.Algorithm.check_key_length(key.key):
        logger.warning("jwks.key_too_short", extra={"kid": id})
        return None
    return PublicKey(id if isinstance(id, str) else None, key.key, algorithms)


def _is_for_verifying(jwk: Mapping[str, Any]) -> bool:
    """A key that is published with its private half (`d`) proves nothing."""
    uses = jwk.get("key_ops", ["verify"])
    may_verify = isinstance(uses, list) and "verify" in uses
    return may_verify and jwk.get("use", "sig") == "sig" and "d" not in jwk
