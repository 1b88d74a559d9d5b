"""SIGKILL during a digest: another worker repeats it and commits one new version.

Workers are real processes. The model holds its answer until the worker is dead; the next worker
waits for the lease to expire and gets an answer.
"""

import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import MessageIn
from recollect.core.types import Summary
from recollect.settings import Settings
from recollect.sync import Recollect
from tests.faults.append_log import check_file
from tests.faults.conftest import Process
from tests.faults.fault_report import FaultReport, Findings
from tests.scripted_model import Body, ScriptedModel
from tests.server.process import command, environment, wait_until

pytestmark = pytest.mark.timeout(120)

_TURNS = 6
_NOTE = re.compile(r"note-\d+/\d+[qa]")
_KEPT_TURNS = 2
_VARIABLES = {
    "MEMORY_CHUNK_SUMMARIZE_THRESHOLD": "100",
    "MEMORY_K_RAW_TURNS": str(_KEPT_TURNS),
    "RECOLLECT_LEASE_SECONDS": "1",
    "RECOLLECT_CHAT_MODEL": "scripted",
    "RECOLLECT_EXTRACTION": "manual",
}

StartWorker = Callable[[str, str], Process]


class Held:
    """A summarizer that lists its input and holds the first call."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.may_answer = threading.Event()
        self.calls = 0
        self._lock = threading.Lock()

    def hold_next(self) -> None:
        self.asked.clear()
        self.may_answer.clear()

    def answer(self, body: Body) -> str:
        if "response_format" in body:
            return '{"topic": "Notes.", "title": "Notes to keep"}'
        with self._lock:
            self.calls += 1
            is_first = not self.asked.is_set()
            self.asked.set()
        if is_first:
            assert self.may_answer.wait(60), "nobody let it answer"
        new_turns = body["messages"][-1]["content"].partition("=== NEW_TURNS ===")[2]
        return f"Noted: {' '.join(_NOTE.findall(new_turns))}"


@pytest.fixture
def start_worker(tmp_path: Path) -> Iterator[StartWorker]:
    """Start workers that are killed at the end of the test."""
    hired: list[Process] = []

    def start(database_url: str, model_url: str) -> Process:
        variables = {**_VARIABLES, "OPENAI_BASE_URL": model_url}
        with (tmp_path / f"worker-{len(hired)}.log").open("wb") as log:
            process = subprocess.Popen(
                command("worker", "--database", database_url),
                env=environment(variables),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        hired.append(process)
        return process

    yield start
    for process in hired:
        process.kill()
        process.wait()


def test_digest_of_killed_worker_is_committed_once(
    database_url: str, start_worker: StartWorker, fault_report: FaultReport
) -> None:
    _survive(database_url, start_worker, fault_report, rounds=2)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_digests_of_twenty_killed_workers_are_committed_once(
    database_url: str, start_worker: StartWorker, fault_report: FaultReport
) -> None:
    _survive(database_url, start_worker, fault_report, rounds=20)


@pytest.mark.torture
def test_resumed_worker_does_not_overwrite_digest(
    database_url: str, start_worker: StartWorker
) -> None:
    """Pause a worker until its lease has moved to another worker."""
    with ScriptedModel() as model, _open(database_url) as memory:
        held = Held()
        model.always = held.answer
        chat = memory.conversations.create_conversation("Notes", user_id="alice").id
        sleeper = start_worker(database_url, model.url)
        _write(memory, chat, 0)
        assert held.asked.wait(60)
        sleeper.send_signal(signal.SIGSTOP)
        held.may_answer.set()
        successor = start_worker(database_url, model.url)
        _wait_for_version(memory, chat, 1)
        successor.kill()
        successor.wait()
        sleeper.send_signal(signal.SIGCONT)
        _write(memory, chat, 1)  # only the paused worker is left
        _wait_for_version(memory, chat, 2)
        sleeper.send_signal(signal.SIGTERM)
        assert sleeper.wait(60) == 0
        _check_versions(memory, chat, 2)


def _survive(
    url: str, start_worker: StartWorker, fault_report: FaultReport, *, rounds: int
) -> None:
    with ScriptedModel() as model, _open(url) as memory:
        held = Held()
        model.always = held.answer
        chat = memory.conversations.create_conversation("Notes", user_id="alice").id
        worker = start_worker(url, model.url)
        for number in range(1, rounds + 1):
            held.hold_next()
            _write(memory, chat, number)
            assert held.asked.wait(60), "no worker took the job"
            worker.kill()
            assert worker.wait() == -signal.SIGKILL
            worker = start_worker(url, model.url)
            _wait_for_version(memory, chat, number)
            held.may_answer.set()
            _wait_until_idle(memory)
            _check_versions(memory, chat, number)
            assert held.calls == 2 * number, "once by the dead, once by the living"
            done = memory.jobs.list_jobs(200, user_id="alice", state="done")
            assert [job.attempts for job in done if job.kind == "digest"] == [2] * number
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(60) == 0
        versions = _check_versions(memory, chat, rounds)
    check_file(url)
    missing = [f"version {n}" for n in range(1, rounds + 1) if versions.count(n) < 1]
    fault_report.record(
        "SIGKILL of workers during digests",
        url,
        Findings(
            lost=tuple(missing),
            duplicated=tuple(f"version {n}" for n in set(versions) if versions.count(n) > 1),
        ),
        kills=rounds,
        summaries=len(versions),
    )


def _open(url: str) -> Recollect:
    return Recollect.open(
        settings=Settings.from_environment(
            {**_VARIABLES, "DATABASE_URL": url, "RECOLLECT_EMBEDDER": "none"}
        )
    )


def _write(memory: Recollect, chat: str, number: int) -> None:
    """Append enough messages to trigger one digest."""
    drafts: list[MessageIn] = []
    for turn in range(_TURNS):
        note, words = f"note-{number}/{turn}", "and as many words as it takes"
        drafts.append(MessageIn(role="user", content=f"{note}q {words}"))
        drafts.append(MessageIn(role="assistant", content=f"{note}a {words}"))
    memory.conversations.add_messages(drafts, conversation_id=chat, user_id="alice")


def _wait_for_version(memory: Recollect, chat: str, version: int) -> None:
    wait_until(
        lambda: (
            memory.summaries.get_summary(conversation_id=chat, user_id="alice").version >= version
        ),
        f"version {version} is committed",
    )


def _wait_until_idle(memory: Recollect) -> None:
    wait_until(
        lambda: (
            not any(
                memory.jobs.list_jobs(user_id="alice", state=state)
                for state in ("waiting", "running")
            )
        ),
        "all that is owed is done",
    )


def _check_versions(memory: Recollect, chat: str, number: int) -> list[int]:
    """Check that each version covers the messages since the previous one; return versions."""
    messages = memory.conversations.get_messages(
        200, conversation_id=chat, user_id="alice", order="desc"
    )
    notes = {message.seq: _NOTE.findall(message.content)[0] for message in messages}
    versions: list[Summary] = [
        *reversed(memory.summaries.list_versions(conversation_id=chat, user_id="alice"))
    ]
    assert [version.version for version in versions] == list(range(1, number + 1))
    through = 0
    for version in versions:
        assert version.author == "model"
        assert version.base_version == version.version - 1
        seqs = range(through + 1, version.through_seq + 1)
        if seqs.start in notes:
            assert _NOTE.findall(version.text) == [notes[seq] for seq in seqs]
        through = version.through_seq
    assert through == messages[0].seq - 2 * _KEPT_TURNS
    return [version.version for version in versions]
