"""A full disk rejects new data and keeps old data; a failed append affects only its caller."""

import asyncio
import json
import subprocess
from pathlib import Path

import apsw
import pytest

from recollect import Conflict, Message, MessageIn, Recollect, Unavailable, sync
from recollect.store import sqlite
from tests.faults.append_log import all_messages, check_file
from tests.faults.conftest import Start
from tests.faults.fault_report import FaultReport, Findings


@pytest.mark.fault
def test_full_disk_keeps_acknowledged_messages(
    tmp_path: Path, start: Start, fault_report: FaultReport
) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with sync.Recollect.open(url) as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
    process = start("disk_filler", url, chat.id, 1_000_000, stdout=subprocess.PIPE)
    said = [json.loads(line) for line in process.stdout or ()]
    assert process.wait() == 0
    errors = [line for line in said if "error" in line]
    assert {line["error"] for line in errors} == {"Unavailable"}
    assert len(errors) == 8
    acknowledged = {line["id"]: (line["seq"], line["content"]) for line in said if "id" in line}
    assert sum(content.startswith("after") for _, content in acknowledged.values()) == 8
    assert len(acknowledged) > 2 * 8
    check_file(url)
    with sync.Recollect.open(url) as memory:
        stored = list(all_messages(memory, chat.id))
        kept = {message.id: (message.seq, message.content) for message in stored}
        more = memory.conversations.add_message(
            MessageIn(role="user", content="more"), conversation_id=chat.id, user_id="alice"
        )
        assert more.seq == len(stored) + 1
    fault_report.record(
        "disk full",
        url,
        Findings(
            lost=tuple(f"{id} is lost" for id in acknowledged if kept.get(id) != acknowledged[id]),
            duplicated=tuple(f"{id} was never acknowledged" for id in kept.keys() - acknowledged),
        ),
        callers=len(errors),
        acknowledged=len(acknowledged),
        refused=len(errors),
    )


def test_size_limit_refuses_writes_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite rolls back the shared transaction by itself here."""
    opened = sqlite.connect
    connections: list[apsw.Connection] = []

    def connect(path: str) -> apsw.Connection:
        connections.append(opened(path))
        return connections[-1]

    monkeypatch.setattr(sqlite, "connect", connect)
    big = MessageIn(role="user", content="x" * 100_000)
    small = MessageIn(role="user", content="x")

    async def fill() -> None:
        async with Recollect.open(f"sqlite:///{tmp_path}/recollect.db") as memory:
            service = memory.conversations
            chat = await service.create_conversation(user_id="alice", messages=[small])
            writer = connections[0]
            writer.pragma("max_page_count", writer.pragma("page_count"))
            outcomes = await asyncio.gather(
                *(
                    service.add_message(big, conversation_id=chat.id, user_id="alice")
                    for _ in range(10)
                ),
                return_exceptions=True,
            )
            assert {type(outcome) for outcome in outcomes} == {Unavailable}
            assert "disk is full" in str(outcomes[0])
            assert (
                await service.get_conversation(conversation_id=chat.id, user_id="alice")
            ).message_count == 1
            writer.pragma("max_page_count", 1_000_000)
            assert (
                await service.add_message(big, conversation_id=chat.id, user_id="alice")
            ).seq == 2

    asyncio.run(fill())


def test_failed_appends_do_not_affect_others(database_url: str) -> None:
    async def append_all() -> tuple[list[object], list[Message]]:
        async with Recollect.open(database_url) as memory:
            service = memory.conversations
            chat = await service.create_conversation(user_id="alice")
            first = await service.add_message(
                MessageIn(role="user", content="first"), conversation_id=chat.id, user_id="alice"
            )
            outcomes = await asyncio.gather(
                *(
                    service.add_messages(
                        [
                            MessageIn(role="user", content=f"{n} a"),
                            MessageIn(
                                role="user", content=f"{n} b", id=None if n % 5 else first.id
                            ),
                        ],
                        conversation_id=chat.id,
                        user_id="alice",
                    )
                    for n in range(50)
                ),
                return_exceptions=True,
            )
            return list(outcomes), list(
                await service.get_messages(200, conversation_id=chat.id, user_id="alice")
            )

    outcomes, stored = asyncio.run(append_all())
    assert [n for n in range(50) if isinstance(outcomes[n], Conflict)] == list(range(0, 50, 5))
    assert [message.seq for message in stored] == list(range(1, 82))
    assert {message.content for message in stored} == {"first"} | {
        f"{n} {part}" for n in range(50) if n % 5 for part in "ab"
    }
