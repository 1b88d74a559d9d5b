"""JSON Web Tokens: whose a token is, if everything about it is right.

Which algorithm verifies a token follows from where the key comes from: HS256 with the secret of the
settings, the algorithms of its kind with a key that the issuer publishes. The token's header only
says which of them to take, so no header can have a public key used as a secret, or nothing checked
at all; and the keys that a header may bring along (`jwk`, `jku`, `x5u`) are never looked at.
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
"""How far the issuer's clock may be off."""
_HMAC = "HS256"
_LONGEST = 8_192

_REASONS: Mapping[type[jwt.PyJWTError], str] = {
    jwt.ExpiredSignatureError: "This token has expired.",
    jwt.ImmatureSignatureError: "This token is not valid yet.",
    jwt.InvalidAudienceError: "This token is for another audience.",
    jwt.InvalidIssuerError: "This token is from another issuer.",
    InvalidSubjectError: "The sub of this token is not a user id.",
    jwt.InvalidSignatureError: "The signature of this token is wrong.",
    jwt.InvalidAlgorithmError: "This token is signed in a way that is not accepted here.",
}
"""In our own words: those of the library may quote the token."""


class Tokens:
    """Takes tokens of one issuer for one audience."""

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
    def of(cls, settings: Settings) -> "Tokens":
        return cls(
            secret=settings.jwt_secret,
            keys=KeySet(settings.jwks_url) if settings.jwks_url else None,
            audience=settings.jwt_audience,
            issuer=settings.jwt_issuer,
        )

    async def verify(self, token: str) -> str:
        """The user's id."""
        if len(token) > _LONGEST or not token.isascii():
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
        """With the algorithms that it is for; the header's word for them is not taken."""
        algorithm = header.get("alg")
        if self._secret and algorithm == _HMAC:
            return self._secret, [_HMAC]
        if self._keys and isinstance(algorithm, str) and algorithm in ALGORITHMS:
            if found := await self._keys.find(header.get("kid"), algorithm):
                return found.key, found.algorithms
            raise Unauthorized("This token is signed with a key that is not known here.")
        raise jwt.InvalidAlgorithmError


def _check_secret(secret: str) -> None:
    """A public key as a secret would let everybody who knows it sign."""
    try:
        jwt.get_algorithm_by_name(_HMAC).prepare_key(secret)
    except jwt.InvalidKeyError as error:
        raise Misconfigured(
            "RECOLLECT_JWT_SECRET is a public key, which is no secret; give the address of the "
            "key set as RECOLLECT_JWKS_URL."
        ) from error


def _reason(error: jwt.PyJWTError) -> str:
    if isinstance(error, jwt.MissingRequiredClaimError):
        return f"This token has no {error.claim}."
    return _REASONS.get(type(error), "This is not a valid token.")
