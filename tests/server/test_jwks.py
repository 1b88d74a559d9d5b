"""An issuer's keys: what is taken from a set, and when it is fetched again."""

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
    """Time that passes only when a test says so, and a little whenever somebody looks."""

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


def test_a_set_is_fetched_once_however_many_ask(keys: KeySet, issuer: Issuer) -> None:
    async def flow() -> None:
        issuer.publish(OLD)
        assert all(await asyncio.gather(*(knows(keys, OLD) for _ in range(50))))
        assert issuer.fetches == 1

    asyncio.run(flow())


def test_a_new_key_counts_at_once_and_a_withdrawn_one_until_the_next_fetch(
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


def test_names_that_nobody_has_cause_few_fetches(
    keys: KeySet, issuer: Issuer, clock: Clock
) -> None:
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


def test_the_first_fetch_answers_for_an_unknown_key_too(keys: KeySet, issuer: Issuer) -> None:
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
def test_what_is_no_key_set_changes_nothing(
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
        assert "stay in use" in caplog.text

    asyncio.run(flow())


def test_nobody_there_is_no_key_set_either(clock: Clock) -> None:
    with Issuer() as gone:
        keys = KeySet(gone.url + "?apikey=mine", clock=clock)

    async def flow() -> None:
        with pytest.raises(IssuerUnavailable, match=r"127\.0\.0\.1 does not give") as raised:
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
"""1024 bits: within reach of those who would like to sign."""


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
def test_what_cannot_verify_signatures_is_passed_over(
    keys: KeySet, issuer: Issuer, key: Json
) -> None:
    async def flow() -> None:
        issuer.publish(key, NEW)
        assert await knows(keys, NEW)

    asyncio.run(flow())
    (taken,) = parse_keys(issuer.body)
    assert taken.id == NEW.id


def test_a_set_may_hold_anything(issuer: Issuer) -> None:
    assert parse_keys(b'{"keys": [null, 7, "key", [], {"kty": {}, "crv": []}], "more": 1}') == ()


def refusal(tokens: TokenVerifier, token: str) -> str:
    with pytest.raises(Unauthorized) as raised:
        asyncio.run(tokens.verify(token))
    return raised.value.message


@pytest.fixture
def tokens(keys: KeySet) -> TokenVerifier:
    """That take both: what is signed with the secret, and with a published key."""
    return TokenVerifier(secret=SECRET, keys=keys, audience="authenticated")


def test_a_key_without_an_algorithm_is_for_all_of_its_kind(
    tokens: TokenVerifier, issuer: Issuer
) -> None:
    key = SigningKey.new("RS256")
    issuer.publish(key.public(alg=None, use=None))

    async def flow() -> None:
        for algorithm in ("RS256", "RS512", "PS256"):
            assert await tokens.verify(key.token(algorithm=algorithm, sub="alice")) == "alice"
        assert await tokens.verify(secret_token(sub="bob")) == "bob"

    asyncio.run(flow())


def test_without_an_id_there_must_be_no_choice(tokens: TokenVerifier, issuer: Issuer) -> None:
    other = SigningKey.new("EdDSA")
    issuer.publish(OLD, other)
    anonymous = OLD.token(headers={}, sub="alice")
    assert asyncio.run(tokens.verify(anonymous)) == "alice"
    issuer.publish(OLD, NEW)
    twofold = TokenVerifier(keys=KeySet(issuer.url), audience="authenticated")
    assert "not known here" in refusal(twofold, anonymous)


def confused(key: SigningKey) -> list[tuple[str, str]]:
    """Tokens that one of the two keys would accept, if the header had its way."""
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


def test_no_header_can_mix_the_keys_up(tokens: TokenVerifier, issuer: Issuer) -> None:
    issuer.publish(OLD)
    for token, reason in confused(OLD):
        assert reason in refusal(tokens, token)
    assert asyncio.run(tokens.verify(OLD.token(sub="alice"))) == "alice"


def test_a_public_key_is_no_secret() -> None:
    for secret in (OLD.pem.decode(), str(OLD.public()).replace("'", '"')):
        with pytest.raises(Misconfigured, match="RECOLLECT_JWT_SECRET is a public key"):
            TokenVerifier(secret=secret, audience="authenticated")
