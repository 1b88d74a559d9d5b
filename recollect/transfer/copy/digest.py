"""A fingerprint of a table that is the same on both databases.

Each row is hashed on its own, and the hashes are added up: so the rows may come in any order (the
databases sort text differently), in any number of sittings, and every one of them counts. It tells
of accidents and of changes; somebody who could choose the rows could make two sums meet.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.transfer.copy.port import Plain, Row

_MODULUS = 1 << 256


@dataclass(frozen=True, slots=True)
class Digest:
    rows: int = 0
    total: int = 0

    def plus(self, rows: Iterable[Row]) -> "Digest":
        count, total = self.rows, self.total
        for row in rows:
            count += 1
            total += _hash(row)
        return Digest(count, total % _MODULUS)


def _hash(row: Row) -> int:
    hashed = hashlib.sha256(b"".join(map(_bytes, row)))
    return int.from_bytes(hashed.digest(), "big")


def _bytes(value: Plain) -> bytes:
    """Each with its kind and its length, so that no two rows read the same."""
    match value:
        case None:
            return b"n"
        case str():
            text = value.encode()
            return b"s%d:%b" % (len(text), text)
        case bytes():
            return b"b%d:%b" % (len(value), value)
        case int():
            return b"i%d;" % value
        case float():
            return b"f%b;" % value.hex().encode()
