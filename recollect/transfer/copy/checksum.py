"""A checksum of a table that is the same on both databases.

Each row is hashed, and the hashes are added up: so the order of the rows does not matter (the
databases sort text differently), and a checksum can be continued later. It detects accidents and
changes, not an attacker who chooses the rows.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.transfer.copy.endpoint import CopiedValue, TableRow

_MODULUS = 1 << 256


@dataclass(frozen=True, slots=True)
class TableChecksum:
    rows: int = 0
    total: int = 0

    def plus(self, rows: Iterable[TableRow]) -> "TableChecksum":
        count, total = self.rows, self.total
        for row in rows:
            count += 1
            total += _hash(row)
        return TableChecksum(count, total % _MODULUS)


def _hash(row: TableRow) -> int:
    hashed = hashlib.sha256(b"".join(map(_encode, row)))
    return int.from_bytes(hashed.digest(), "big")


def _encode(value: CopiedValue) -> bytes:
    """Encode type, length and value, so that no two rows have the same bytes."""
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
