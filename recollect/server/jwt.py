"""Verification of JSON Web Tokens.

The algorithms follow from the key: HS256 for the secret of the settings, the algorithms of its type
for a key of the issuer. The token's header only selects among them, so it can neither have a public
key used as a secret nor switch the check off. Keys in the header (`jwk`, `jku`, `x5u`) are ignored.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jwt
from jwt.algorithms import AllowedPublicKeys
from jwt.exceptions import InvalidSubjectError

from recollect.core.errors import InvalidInput, Misconfigured, Unauthorized
from recollect.core.validation import check_user_id
from recollect.server.jwks import ALGORITHMS, KeySet
from recollect.settings import Settings

LEEWAY_SECONDS = 30
"""Tolerated clock skew."""
_HMAC = "HS256"
_MAX_TOKEN_CHARS = 8_192

_REASONS: Mapping[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "This token has expired.",
    jwt.ImmatureSignatureError: "This token is not valid yet.",
    jwt.InvalidAudienceError: "This token is for another audience.",
    jwt.InvalidIssuerError: "This token is from another issuer.",
    InvalidSubjectError: "The sub of this token is not a user id.",
    jwt.InvalidSignatureError: "The signature of this token is wrong.",
    jwt.InvalidAlgorithmError: "This token is signed with an algorithm that is not accepted here.",
}
"""Replaces the library's messages, which may quote the token."""


class TokenVerifier:
    """Accepts tokens of one issuer for one audience."""

    def __init__(
        self, *, secret: str = "", keys: KeySet | None = None, audience: str, issuer: str = ""
    ) -> None:
        self._secret = secret
        self._keys = keys
        self._audience = audience
        self._issuer = issuer or None
        self._jwt = jwt.PyJWT({"require": ["exp", "sub"], "enforce_minimum_key_length": True})
        if secret:
            _check_secret(secret)

    @classmethod
    def of(cls, settings: Settings) -> "TokenVerifier":
        return cls(
            secret=settings.jwt_secret,
            keys=KeySet(settings.jwks_url) if settings.jwks_url else None,
            audience=settings.jwt_audience,
            issuer=settings.jwt_issuer,
        )

    async def verify(self, token: str) -> str:
        """Return the user id. Raises Unauthorized."""
        if len(token) > _MAX_TOKEN_CHARS or not token.isascii():
            raise Unauthorized("This is not a token.")
        try:
            key, algorithms = await self._key_for(jwt.get_unverified_header(token))
            claims = self._jwt.decode(
                token,
                key,
                algorithms,
                audience=self._audience,
                issuer=self._issuer,
                leeway=LEEWAY_SECONDS,
            )
        except jwt.PyJWTError as error:
            raise Unauthorized(_reason(error)) from error
        user_id: str = claims["sub"]
        try:
            check_user_id(user_id)
        except InvalidInput as error:
            raise Unauthorized(_REASONS[InvalidSubjectError]) from error
        return user_id

    async def _key_for(
        self, header: Mapping[str, Any]
    ) -> tuple[AllowedPublicKeys | str, Sequence[str]]:
        """Return the key for a token's header, and its algorithms."""
        algorithm = header.get("alg")
        if self._secret and algorithm == _HMAC:
            return self._secret, [_HMAC]
        if self._keys and isinstance(algorithm, str) and algorithm in ALGORITHMS:
            if found := await self._keys.find(header.get("kid"), algorithm):
                return found.key, found.algorithms
            raise Unauthorized("This token is signed with a key that is not known here.")
        raise jwt.InvalidAlgorithmError


def _check_secret(secret: str) -> None:
    """Refuse a public key: everybody who knows it could sign tokens."""
    try:
        jwt.get_algorithm_by_name(_HMAC).prepare_key(secret)
    except jwt.InvalidKeyError as error:
        raise Misconfigured(
            "RECOLLECT_JWT_SECRET is a public key, not a secret. "
            "Set RECOLLECT_JWKS_URL to the URL of the key set instead."
        ) from error


def _reason(error: jwt.PyJWTError) -> str:
    if isinstance(error, jwt.MissingRequiredClaimError):
        return f"This token has no {error.claim}."
    return _REASONS.get(type(error), "This is not a valid token.")
