"""Parsing of database URLs, and removal of their password."""

import re
from urllib.parse import unquote

from recollect.core.errors import Misconfigured


def parse_database_url(url: str) -> tuple[str, str]:
    """Return ("sqlite", path) or ("postgres", url)."""
    scheme, separator, rest = url.partition("://")
    if separator and scheme == "sqlite" and rest.startswith("/") and len(rest) > 1:
        return "sqlite", unquote(rest[1:])
    if separator and scheme in ("postgresql", "postgres"):
        if rest.partition("?")[0].count("@") > 1:
            raise Misconfigured("DATABASE_URL: an @ in the user or password is written as %40.")
        return "postgres", url
    raise Misconfigured(
        "DATABASE_URL must look like sqlite:///path.db, sqlite:///:memory: or postgresql://…, "
        f"not {scheme + '://…' if separator else 'a bare name'}."
    )


def without_password(text: str) -> str:
    """Return a URL that may be shown."""
    text = re.sub(r"(://[^:@/?]*):.*@", r"\1:…@", text)
    return re.sub(r"([?&]password=)[^&]*", r"\1…", text)
