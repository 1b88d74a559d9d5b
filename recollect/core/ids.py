"""UUIDv7: ids that sort by creation time, and within a process by creation order."""

import random
import re
import time
from threading import Lock
from uuid import UUID, uuid5

_VERSION_AND_VARIANT = (7 << 76) | (2 << 62)
_FRACTIONS = 1 << 12
"""Fractions of a millisecond, which order the ids within one."""
_CANONICAL = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_NAMESPACE = UUID("8d2ffb0a-70f5-4d0e-9d3d-7e6f3c1f5a52")
_lock = Lock()
_last = 0


def new_id() -> str:
    global _last  # noqa: PLW0603
    with _lock:
        _last = max(_last + 1, time.time_ns() * _FRACTIONS // 1_000_000)
        milliseconds, fraction = divmod(_last, _FRACTIONS)
    # Unique, not secret. `os.urandom` would release the GIL for each id.
    noise = random.getrandbits(62)
    text = f"{milliseconds << 80 | _VERSION_AND_VARIANT | fraction << 64 | noise:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def canonical_id(text: str) -> str | None:
    """Return the id in its stored form, or None if `text` is not a UUID."""
    if _CANONICAL.fullmatch(text):
        return text
    try:
        return str(UUID(text))
    except ValueError:
        return None


def derived_id(*names: str) -> str:
    """Return an id derived from external names: always the same."""
    return str(uuid5(_NAMESPACE, "\n".join(names)))
