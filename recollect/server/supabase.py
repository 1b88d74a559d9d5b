"""The session that Supabase's libraries keep in the browser's cookies.

It is JSON under `sb-<project>-auth-token`, percent-encoded or as `base64-` and base64url. What is
too long for one cookie is cut into `….0`, `….1` and so on. The session is an object with an
`access_token`, or in older releases a list that begins with it. Only that token is read, and what
the cookie says is not believed: whether the token is any good, its signature says.
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
_MOST_SESSIONS = 4
_MOST_CHUNKS = 20
_MOST_CHARACTERS = 65_536


def access_tokens(cookies: Mapping[str, str]) -> list[str]:
    """One for each session: pages of several projects may share a host, as on a developer's."""
    names = sorted({found[1] for name in cookies if (found := _NAME.fullmatch(name))})
    tokens = (_access_token(_joined(cookies, name)) for name in names[:_MOST_SESSIONS])
    return [token for token in tokens if token]


def _joined(cookies: Mapping[str, str], name: str) -> str:
    """The whole one counts, as in Supabase's own reader: chunks beside it are left over."""
    if whole := cookies.get(name):
        return whole
    chunks = (cookies.get(f"{name}.{number}", "") for number in range(_MOST_CHUNKS))
    return "".join(takewhile(bool, chunks))


def _access_token(text: str) -> str | None:
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        session: Json = json.loads(_decoded(unquote(text)))
    except (ValueError, RecursionError):  # half a session is none; the user signs in again
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
