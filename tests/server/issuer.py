"""A token issuer: signing keys, and an HTTP server that publishes the public keys.

with Issuer() as issuer:
    key = SigningKey.new("ES256")
    issuer.publish(key)
    ...                       # something that is given issuer.url and key.token(sub="alice")
    assert issuer.fetches == 1
"""

import base64
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Json = dict[str, Any]

SECRET = "a secret that only the issuer and the server know"
ISSUER = "https://issuer.example/auth/v1"

_MAKERS: dict[str, Callable[[], Any]] = {
    "RS256": lambda: rsa.generate_private_key(65537, 2048),
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "ES512": lambda: ec.generate_private_key(ec.SECP521R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
}


def claims(**changes: Any) -> Json:
    """The claims of a valid token; a claim that is None is left out."""
    now = int(time.time())
    usual = {
        "sub": f"user-{uuid4()}",
        "aud": "authenticated",
        "iss": ISSUER,
        "iat": now,
        "exp": now + 600,
    }
    return {name: value for name, value in {**usual, **changes}.items() if value is not None}


def unsigned(header: Any, payload: Any) -> str:
    """A token without its signature."""
    return f"{_encoded(json.dumps(header).encode())}.{_encoded(json.dumps(payload).encode())}"


def secret_token(secret: str = SECRET, algorithm: str = "HS256", **changes: Any) -> str:
    """Sign by hand: libraries refuse a public key as a secret."""
    text = unsigned({"alg": algorithm, "typ": "JWT"}, claims(**changes))
    signature = hmac.digest(secret.encode(), text.encode(), f"sha{algorithm[2:]}")
    return f"{text}.{_encoded(signature)}"


def _encoded(part: bytes) -> str:
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


@dataclass(frozen=True, slots=True)
class SigningKey:
    algorithm: str
    private: Any = field(repr=False)
    id: str

    @classmethod
    def new(cls, algorithm: str) -> Self:
        return cls(algorithm, _MAKERS[algorithm](), f"{algorithm}-{uuid4()}")

    def public(self, **changes: Any) -> Json:
        """The key in a key set; a member that is None is left out."""
        kind = jwt.get_algorithm_by_name(self.algorithm)
        usual = kind.to_jwk(self.private.public_key(), as_dict=True)
        usual |= {"kid": self.id, "alg": self.algorithm, "use": "sig"} | changes
        return {name: value for name, value in usual.items() if value is not None}

    @property
    def pem(self) -> bytes:
        public = self.private.public_key()
        pem: bytes = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return pem

    def token(self, *, headers: Json | None = None, algorithm: str = "", **changes: Any) -> str:
        header = {"kid": self.id} if headers is None else headers
        return jwt.encode(claims(**changes), self.private, algorithm or self.algorithm, header)


class Issuer:
    """A server that answers every request with `status` and `body`, and counts them."""

    def __init__(self) -> None:
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.fetches += 1
                self.send_response(issuer.status)
                for name, value in issuer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(issuer.body)))
                self.end_headers()
                self.wfile.write(issuer.body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self.status = 200
        self.headers: dict[str, str] = {}
        self.body = b'{"keys": []}'
        self.fetches = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/.well-known/jwks.json"

    def publish(self, *keys: SigningKey | Json) -> None:
        shown = [key.public() if isinstance(key, SigningKey) else key for key in keys]
        self.body = json.dumps({"keys": shown}).encode()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
