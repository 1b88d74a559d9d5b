"""`recollect serve` and `recollect worker`."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect import MessageIn, Misconfigured, Settings
from recollect.sync import Recollect
from tests.cli.commands import call, error_of, run
from tests.server.process import command, environment, wait_until


def test_missing_server_packages_are_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "recollect.server.run", None)
    with pytest.raises(Misconfigured, match="the extra `server`: pip install '/path/to/recollect"):
        call("serve", settings=Settings(database_url="sqlite:///:memory:"))


def test_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        database = f"sqlite:///{tmp_path}/recollect.db"
        said = error_of(run("serve", "--port", port, "--database", database))
    assert f"127.0.0.1:{port}" in said
    assert "in use" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("host", "port", "reported"),
    [("127.0.0.1", "70000", "70000"), ("nowhere.invalid", "0", "nowhere.invalid")],
)
def test_invalid_address_is_reported(tmp_path: Path, host: str, port: str, reported: str) -> None:
    database = f"sqlite:///{tmp_path}/recollect.db"
    said = error_of(run("serve", "--host", host, "--port", port, "--database", database))
    assert reported in said


@contextmanager
def running_worker(database_url: str) -> Iterator["subprocess.Popen[str]"]:
    """A running worker."""
    process = subprocess.Popen(
        command("worker", "--database", database_url),
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith("Running background jobs")
        yield process
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_worker_runs_jobs_until_it_is_stopped(
    memory: Recollect, database_url: str, sent: signal.Signals
) -> None:
    with running_worker(database_url) as worker:
        id = _enqueue_compaction(memory)
        wait_until(
            lambda: {job.state for job in memory.jobs.list_jobs(user_id="alice")} == {"done"},
            "the worker has done all jobs",
        )
        worker.send_signal(sent)
        log, _ = worker.communicate(timeout=60)
        assert worker.returncode == 0, log
        assert "Traceback" not in log
    assert memory.summaries.get_summary(conversation_id=id, user_id="alice").version == 1
    assert memory.conversations.get_conversation(conversation_id=id, user_id="alice").topic


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_two_workers_share_the_jobs(memory: Recollect, database_url: str) -> None:
    with running_worker(database_url) as one, running_worker(database_url) as other:
        ids = [_enqueue_compaction(memory) for _ in range(6)]
        wait_until(
            lambda: {job.state for job in memory.jobs.list_jobs(user_id="alice")} == {"done"},
            "the workers have done all jobs",
        )
        for worker in (one, other):
            worker.terminate()
            assert "Traceback" not in worker.communicate(timeout=60)[0]
    versions = [
        memory.summaries.get_summary(conversation_id=id, user_id="alice").version for id in ids
    ]
    assert versions == [1] * len(ids)


def _enqueue_compaction(memory: Recollect) -> str:
    said = [
        MessageIn(role=role, content=f"In Lisbon we spent {day} euros.")
        for day in range(11)
        for role in ("user", "assistant")
    ]
    chat = memory.conversations.create_conversation(
        user_id="alice", policy="rolling", messages=said
    )
    assert "digest" in {job.kind for job in memory.jobs.list_jobs(user_id="alice")}
    return chat.id
