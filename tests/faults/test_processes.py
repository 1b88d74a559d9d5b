"""Several processes on one database, from its very first opening on."""

import threading
from pathlib import Path

import apsw
import pytest

from recollect import MessageIn, Unavailable
from recollect.store import sqlite
from recollect.sync import Recollect
from tests.faults.conftest import Start
from tests.faults.ledger import Ledger, check_file
from tests.faults.tally import Tally

_PROCESSES = 4
_TASKS = 8
_REQUESTS = 10


@pytest.mark.fault
def test_four_processes_append_side_by_side(
    new_database: str, start: Start, tally: Tally, tmp_path: Path
) -> None:
    said = [tmp_path / f"said-{number}" for number in range(_PROCESSES)]
    processes = []
    for number, path in enumerate(said):
        with path.open("wb") as stdout:
            processes.append(
                start("appender", new_database, number, _TASKS, _REQUESTS, stdout=stdout)
            )
    assert [process.wait() for process in processes] == [0] * _PROCESSES
    ledger = Ledger()
    for path in said:
        for line in path.read_bytes().splitlines():
            ledger.read(line)
    assert not ledger.open_requests
    with Recollect.open(new_database) as memory:
        stored, found = ledger.check(memory)
    assert stored == len(ledger.acknowledged) >= 4 * 8 * 10
    check_file(new_database)
    tally.tell(
        "four processes at once", new_database, found, processes=_PROCESSES, acknowledged=stored
    )


def test_who_opens_a_new_file_waits_for_who_is_making_it(tmp_path: Path) -> None:
    """SQLite does not: changing to WAL fails at once beside another's transaction."""
    path = tmp_path / "recollect.db"
    rival = apsw.Connection(str(path))
    rival.execute("begin immediate; create table other (id)")
    done = threading.Timer(0.2, rival.execute, ["commit"])
    done.start()
    with Recollect.open(f"sqlite:///{path}") as memory:
        memory.check()
    done.join()
    rival.close()


def test_a_process_that_keeps_the_file_to_itself_is_waited_for_and_then_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
