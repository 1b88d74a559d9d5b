"""Several processes on one database, starting with its creation."""

import threading
from pathlib import Path

import apsw
import pytest

from recollect import MessageIn, Unavailable
from recollect.store import sqlite
from recollect.sync import Recollect
from tests.faults.append_log import AppendLog, check_file
from tests.faults.conftest import Start
from tests.faults.fault_report import FaultReport

_PROCESSES = 4
_TASKS = 8
_REQUESTS = 10


@pytest.mark.fault
def test_four_processes_append_concurrently(
    new_database: str, start: Start, fault_report: FaultReport, tmp_path: Path
) -> None:
    said = [tmp_path / f"said-{number}" for number in range(_PROCESSES)]
    processes = []
    for number, path in enumerate(said):
        with path.open("wb") as stdout:
            processes.append(
                start("appender", new_database, number, _TASKS, _REQUESTS, stdout=stdout)
            )
    assert [process.wait() for process in processes] == [0] * _PROCESSES
    append_log = AppendLog()
    for path in said:
        for line in path.read_bytes().splitlines():
            append_log.read(line)
    assert not append_log.open_requests
    with Recollect.open(new_database) as memory:
        stored, found = append_log.check(memory)
    assert stored == len(append_log.acknowledged) >= 4 * 8 * 10
    check_file(new_database)
    fault_report.record(
        "four concurrent processes", new_database, found, processes=_PROCESSES, acknowledged=stored
    )


def test_open_waits_for_creation(tmp_path: Path) -> None:
    """SQLite does not wait here: switching to WAL fails during another transaction."""
    path = tmp_path / "recollect.db"
    rival = apsw.Connection(str(path))
    rival.execute("begin immediate; create table other (id)")
    done = threading.Timer(0.2, rival.execute, ["commit"])
    done.start()
    with Recollect.open(f"sqlite:///{path}") as memory:
        memory.check()
    done.join()
    rival.close()


def test_locked_file_times_out_with_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_BUSY_TIMEOUT_MS", 50)
    path = tmp_path / "recollect.db"
    rival = apsw.Connection(str(path))
    with Recollect.open(f"sqlite:///{path}") as memory:
        chat = memory.conversations.create_conversation(user_id="alice")
        rival.execute("begin immediate")
        with pytest.raises(Unavailable, match="Another process holds the database"):
            memory.conversations.add_message(
                MessageIn(role="user", content="hi"), conversation_id=chat.id, user_id="alice"
            )
        assert (
            memory.conversations.get_conversation(
                conversation_id=chat.id, user_id="alice"
            ).message_count
            == 0
        )
        rival.execute("rollback")
        stored = memory.conversations.add_message(
            MessageIn(role="user", content="hi"), conversation_id=chat.id, user_id="alice"
        )
        assert stored.seq == 1
    rival.close()
