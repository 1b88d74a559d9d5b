"""Plain SQLite through apsw: the lower bound for durable writes.

`messages` is our own table with its constraints and our connection settings; `minimal` has four
columns. Rows are created before the measurement; each insert is its own transaction.
"""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

from bench.common.store_process import CONVERSATIONS, LAST, TEXT, role_of, serve, settings_text
from recollect.core.ids import new_id
from recollect.core.types import utc_text
from recollect.store.queries import load_queries
from recollect.sync import Recollect

_MINIMAL = """
create table messages (
    conversation integer not null,
    seq integer not null,
    role text not null,
    content text not null,
    primary key (conversation, seq)
) strict, without rowid
"""
_INSERT_MINIMAL = "insert into messages values (:conversation, :seq, :role, :content)"
_LIST_MINIMAL = (
    "select seq, role, content from messages where conversation = :conversation "
    "order by seq desc limit :limit"
)


class RawMessages:
    is_blocking = True
    insert = load_queries("sqlite").user["insert_message"]
    select = load_queries("sqlite").user["list_messages_desc"]

    def __init__(self) -> None:
        self._seqs = [0] * CONVERSATIONS
        self._ids: list[str] = []
        self._connection: apsw.Connection

    async def open(self, folder: Path) -> str:
        self._prepare(folder / "raw.db")
        self._connection = apsw.Connection(str(folder / "raw.db"))
        journal = self._connection.pragma("journal_mode", "wal")
        self._connection.pragma("synchronous", "full")
        self._connection.pragma("foreign_keys", True)
        return settings_text(str(journal), int(str(self._connection.pragma("synchronous"))))

    def draft(self, conversation: int) -> dict[str, Any]:
        self._seqs[conversation] += 1
        return self._row(conversation, self._seqs[conversation])

    def append(self, conversation: int, draft: dict[str, Any]) -> None:
        self._connection.execute(self.insert, draft)

    async def fill(self, count: int) -> None:
        with self._connection:
            self._connection.executemany(self.insert, [self.draft(0) for _ in range(count)])

    def load(self) -> int:
        return len(self._connection.execute(self.select, self._wanted()).fetchall())

    async def close(self) -> None:
        self._connection.close()

    def _prepare(self, path: Path) -> None:
        with Recollect.open(f"sqlite:///{path}") as memory:
            create = memory.conversations.create_conversation
            self._ids = [create(user_id=f"user-{number}").id for number in range(CONVERSATIONS)]

    def _row(self, conversation: int, seq: int) -> dict[str, Any]:
        now = utc_text(datetime.now(UTC))
        unavailable = (
            "thinking", "tool_calls", "suggested_values", "suggested_actions", "custom_payload",
            "model_variant",
        )  # fmt: skip
        return {
            **dict.fromkeys(unavailable),
            "user_id": f"user-{conversation}",
            "conversation_id": self._ids[conversation],
            "seq": seq,
            "id": new_id(),
            "turn": (seq + 1) // 2,
            "role": role_of(seq),
            "content": TEXT,
            "status": "complete",
            "metadata": "{}",
            "tokens": 30,
            "is_pinned": 0,
            "created_at": now,
            "event_at": now,
        }

    def _wanted(self) -> dict[str, Any]:
        return {
            "user_id": "user-0",
            "conversation_id": self._ids[0],
            "seq": 2**31 - 1,
            "limit": LAST,
            "offset": 0,
        }


class RawMinimal(RawMessages):
    insert = _INSERT_MINIMAL
    select = _LIST_MINIMAL

    def _prepare(self, path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.execute(_MINIMAL)
        connection.close()

    def _row(self, conversation: int, seq: int) -> dict[str, Any]:
        return {
            "conversation": conversation,
            "seq": seq,
            "role": role_of(seq),
            "content": TEXT,
        }

    def _wanted(self) -> dict[str, Any]:
        return {"conversation": 0, "limit": LAST}


if __name__ == "__main__":
    serve(RawMinimal if "minimal" in sys.argv[2:] else RawMessages)
