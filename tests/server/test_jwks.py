"""The issuer's key set: parsing and fetching."""

import asyncio
from collections.abc import Iterator
from uuid import uuid4

import jwt
import pytest

from recollect.core.errors import IssuerUnavailable, Misconfigured, Unauthorized
from recollect.server.jwks import FRESH_SECONDS, PAUSE_SECONDS, RETRY_SECONDS, KeySet, parse_keys
from recollect.server.jwt import TokenVerifier
from tests.server.issuer import SECRET, Issuer, Json, SigningKey, secret_token


class Clock:
    """A manual clock that also advances a little with every call."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(issuer: Issuer, clock: Clock) -> KeySet:
    issuer.status, issuer.headers, issuer.fetches = 200, {}, 0
    return KeySet(issuer.url, clock=clock)


OLD, NEW = SigningKey.new("ES256"), SigningKey.new("ES256")


async def knows(keys: KeySet, key: SigningKey) -> bool:
    return await keys.find(key.id, key.algorithm) is not None


def test_concurrent_requests_share_one_fetch(keys: KeySet, issuer: Issuer) -> None:
    async def flow() -> None:
        issuer.publish(OLD)
        assert all(await asyncio.gather(*(knows(keys, OLD) for _ in range(50))))
        assert issuer.fetches == 1

    asyncio.run(flow())


def test_new_keys_work_at_once_and_withdrawn_ones_until_the_next_fetch(
    keys: KeySet, issuer: Issuer, clock: Clock
) -> None:
    async def flow() -> None:
        for _ in range(3):  # as often as the issuer likes: what was found is no reason to pause
            issuer.publish(OLD)
            assert await knows(keys, OLD)
            issuer.publish(NEW)
            assert await knows(keys, NEW)
        assert not await knows(keys, OLD)

        issuer.publish()
        assert await knows(keys, NEW)
        clock.now += FRESH_SECONDS
        assert not await knows(keys, NEW)

    asyncio.run(flow())


def test_unknown_key_ids_cause_few_fetches(keys: KeySet, issuer: Issuer, clock: Clock) -> None:
    async def flood() -> None:
        found = await asyncio.gather(*(keys.find(str(uuid4()), "ES256") for _ in range(200)))
        assert not any(found)

    async def flow() -> None:
        issuer.publish(OLD)
        assert await knows(keys, OLD)
        await flood()
        await flood()
        assert issuer.fetches == 2
        issuer.publish(OLD, NEW)
        assert not await knows(keys, NEW)
        for fetches in (3, 4):
            clock.now += PAUSE_SECONDS
            await flood()
            assert issuer.fetches == fetches
        assert await knows(keys, NEW)

    asyncio.run(flow())


def test_first_fetch_also_serves_an_unknown_key(keys: KeySet, issuer: Issuer) -> None:
    async def flow() -> None:
        issuer.publish(OLD)
        assert not await knows(keys, NEW)
        assert issuer.fetches == 1

    asyncio.run(flow())


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b'{"keys": []}'),
        (302, b'{"keys": []}'),
        (200, b"<html>"),
        (200, b'["keys"]'),
        (200, b'{"keys": {}}'),
        (200, b"[" * 100_000),
        (200, b'{"keys": []}' + b" " * 1_000_000),
    ],
)
def test_invalid_key_set_keeps_the_old_one(
    keys: KeySet,
    issuer: Issuer,
    clock: Clock,
    caplog: pytest.LogCaptureFixture,
    status: int,
    body: bytes,
) -> None:
    async def flow() -> None:
        issuer.status, issuer.body = status, body
        issuer.headers = {"Location": issuer.url} if status == 302 else {}
        for _ in range(3):
            with pytest.raises(IssuerUnavailable):
                await knows(keys, OLD)
        assert issuer.fetches == 1

        clock.now += RETRY_SECONDS
        issuer.status, issuer.headers = 200, {}
        issuer.publish(OLD)
        assert await knows(keys, OLD)

        issuer.status, issuer.body = status, body
        clock.now += FRESH_SECONDS
        for _ in range(3):
            assert await knows(keys, OLD)
        assert issuer.fetches == 3
        assert "jwks.fetch_failed" in caplog.messages

    asyncio.run(flow())


def test_unreachable_issuer_keeps_the_old_set(clock: Clock) -> None:
    with Issuer() as gone:
        keys = KeySet(gone.url + "?apikey=mine", clock=clock)

    async def flow() -> None:
        with pytest.raises(IssuerUnavailable, match=r"127\.0\.0\.1 cannot be fetched") as raised:
            await knows(keys, OLD)
        assert "mine" not in raised.value.message

    asyncio.run(flow())


PRIVATE: Json = jwt.get_algorithm_by_name("ES256").to_jwk(OLD.private, as_dict=True)
"""With its private half."""
SMALL = {
    "kty": "RSA",
    "kid": "small",
    "e": "AQAB",
    "n": "x" * 171,
}
"""1024 bits: too short to be safe."""


@pytest.mark.parametrize(
    "key",
    [
        OLD.public(use="enc"),
        OLD.public(key_ops=["encrypt"]),
        OLD.public(key_ops=7),
        OLD.public(alg="ES384"),
        OLD.public(alg="HS256"),
        OLD.public(alg="none"),
        OLD.public(alg=["ES256"]),
        OLD.public(crv="P-384"),
        OLD.public(crv=["P-256"]),
        OLD.public(x="AAAA"),
        OLD.public(x=7),
        OLD.public(x=None),
        OLD.public(y=OLD.public()["x"]),
        OLD.public(kty="RSA"),
        OLD.public(kty=None),
        OLD.public() | PRIVATE,
        {"kty": "oct", "k": "c2VjcmV0" * 8, "kid": "shared", "alg": "HS256"},
        {"kty": "oct", "k": "c2VjcmV0" * 8, "kid": "shared"},
        SMALL,
        {},
    ],
)
def test_unsuitable_keys_are_ignored(keys: KeySet, issuer: Issuer, key: Json) -> None:
    async def flow() -> None:
        issuer.publish(key, NEW)
        assert await knows(keys, NEW)

    asyncio.run(flow())
    (taken,) = parse_keys(issuer.body)
    assert taken.id == NEW.id


def test_arbitrary_key_sets_do_not_crash(issuer: Issuer) -> None:
    assert parse_keys(b'{"keys": [null, 7, "key", [], {"kty": {}, "crv": []}], "more": 1}') == ()


def refusal(tokens: TokenVerifier, token: str) -> str:
    with pytest.raises(Unauthorized) as raised:
        asyncio.run(tokens.verify(token))
    return raised.value.message


@pytest.fixture
def tokens(keys: KeySet) -> TokenVerifier:
    """A verifier with a secret and a key set."""
    return TokenVerifier(secret=SECRET, keys=keys, audience="authenticated")


def test_key_without_alg_allows_all_of_its_type(tokens: TokenVerifier, issuer: Issuer) -> None:
    key = SigningKey.new("RS256")
    issuer.publish(key.public(alg=None, use=None))

    async def flow() -> None:
        for algorithm in ("RS256", "RS512", "PS256"):
            assert await tokens.verify(key.token(algorithm=algorithm, sub="alice")) == "alice"
        assert await tokens.verify(secret_token(sub="bob")) == "bob"

    asyncio.run(flow())


def test_token_without_kid_needs_a_single_key(tokens: TokenVerifier, issuer: Issuer) -> None:
    other = SigningKey.new("EdDSA")
    issuer.publish(OLD, other)
    anonymous = OLD.token(headers={}, sub="alice")
    assert asyncio.run(tokens.verify(anonymous)) == "alice"
    issuer.publish(OLD, NEW)
    twofold = TokenVerifier(keys=KeySet(issuer.url), audience="authenticated")
    assert "not known here" in refusal(twofold, anonymous)


def confused(key: SigningKey) -> list[tuple[str, str]]:
    """Tokens that would be accepted if the header selected the key."""
    named = {"kid": key.id}
    return [
        (secret_token(key.pem.decode()), "signature"),
        (secret_token(str(key.public())), "signature"),
        (secret_token(algorithm="HS384"), "not accepted"),
        (secret_token(algorithm="HS512"), "not accepted"),
        (key.token(headers={"kid": "unknown"}), "not known"),
        (SigningKey.new("ES256").token(headers=named), "signature"),
        (SigningKey.new("ES512").token(headers=named), "not known"),
        (SigningKey.new("EdDSA").token(headers=named), "not known"),
    ]


def test_header_cannot_select_a_wrong_key(tokens: TokenVerifier, issuer: Issuer) -> None:
    issuer.publish(OLD)
    for token, reason in confused(OLD):
        assert reason in refusal(tokens, token)
    assert asyncio.run(tokens.verify(OLD.token(sub="alice"))) == "alice"


def test_public_key_as_secret_is_refused() -> None:
    for secret in (OLD.pem.decode(), str(OLD.public()).replace("'", '"')):
        with pytest.raises(Misconfigured, match="RECOLLECT_JWT_SECRET is a public key"):
            TokenVerifier(secret=secret, audience="authenticated")
