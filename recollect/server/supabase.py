"""The session that Supabase's libraries store in cookies.

It is JSON under `sb-<project>-auth-token`, percent-encoded or as `base64-` and base64url. A long
session is split into `….0`, `….1` and so on. The session is an object with an `access_token`, or in
older releases a list that starts with it. Only that token is read; its signature is verified later.
"""

import base64
import json
import re
from collections.abc import Mapping
from itertools import takewhile
from urllib.parse import unquote

from recollect.core.types import Json

_NAME = re.compile(r"(sb-[A-Za-z0-9_-]{1,100}-auth-token)(?:\.[0-9]{1,2})?")
_BASE64 = "base64-"
_MAX_SESSIONS = 4
_MAX_CHUNKS = 20
_MAX_CHARS = 65_536


def access_tokens(cookies: Mapping[str, str]) -> list[str]:
    """Return one token per session: several projects may share a host, such as localhost."""
    names = sorted({match[1] for name in cookies if (match := _NAME.fullmatch(name))})
    tokens = (_access_token(_joined(cookies, name)) for name in names[:_MAX_SESSIONS])
    return [token for token in tokens if token]


def _joined(cookies: Mapping[str, str], name: str) -> str:
    """Prefer the unsplit cookie, as Supabase's own reader does: chunks beside it are stale."""
    if unsplit := cookies.get(name):
        return unsplit
    chunks = (cookies.get(f"{name}.{number}", "") for number in range(_MAX_CHUNKS))
    return "".join(takewhile(bool, chunks))


def _access_token(text: str) -> str | None:
    if len(text) > _MAX_CHARS:
        return None
    try:
        session: Json = json.loads(_decoded(unquote(text)))
    except (ValueError, RecursionError):  # an incomplete session: the user signs in again
        return None
    if isinstance(session, dict):
        token = session.get("access_token")
    else:
        token = session[0] if isinstance(session, list) and session else None
    return token if isinstance(token, str) else None


def _decoded(text: str) -> str:
    if not text.startswith(_BASE64):
        return text
    encoded = text.removeprefix(_BASE64).rstrip("=")
    return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
