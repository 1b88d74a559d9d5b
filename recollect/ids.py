"""UUIDv7: ids that sort by the time they were made."""

import random
import re
import time
from uuid import UUID

_VERSION_AND_VARIANT = (7 << 76) | (2 << 62)
_RANDOM_BITS = ((1 << 12) - 1) << 64 | ((1 << 62) - 1)
_CANONICAL = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def new_id() -> str:
    milliseconds = time.time_ns() // 1_000_000
    # Unique, not secret. `os.urandom` would hand the interpreter to another thread for each id.
    noise = random.getrandbits(80) & _RANDOM_BITS
    text = f"{milliseconds << 80 | _VERSION_AND_VARIANT | noise:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def canonical_id(text: str) -> str | None:
    """The id in the form it is stored in, or None when `text` is no UUID."""
    if _CANONICAL.fullmatch(text):
        return text
    try:
        return str(UUID(text))
    except ValueError:
        return None
