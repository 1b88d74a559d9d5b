"""UUIDv7: ids that sort by the time they were made."""

import os
import time
from uuid import UUID

_VERSION_AND_VARIANT = (7 << 76) | (2 << 62)
_RANDOM_BITS = ((1 << 12) - 1) << 64 | ((1 << 62) - 1)


def new_id() -> str:
    milliseconds = time.time_ns() // 1_000_000
    noise = int.from_bytes(os.urandom(10)) & _RANDOM_BITS
    text = f"{milliseconds << 80 | _VERSION_AND_VARIANT | noise:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def canonical_id(text: str) -> str | None:
    """The id in the form it is stored in, or None when `text` is no UUID."""
    try:
        return str(UUID(text))
    except ValueError:
        return None
