"""Answers and their owning servers: kill, shutdown, resume on another server.

Two servers share a database: `first` is a process that can be killed, `second` runs in the test.
"""

import asyncio
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect.core.types import utc_text
from recollect.store.answers import LEASE
from tests.faults import stream_client
from tests.faults.server_thread import run_in_thread
from tests.faults.stream_texts import question, text, text_for
from tests.raw import RawDatabase
from tests.scripted_model import Answer, ScriptedModel, stalls
from tests.server.process import Server, running, wait_until

pytestmark = [pytest.mark.timeout(120), pytest.mark.torture]

_TEXT = "Half of this is said, and this is the other half."
_ANSWERS = "select id, content from messages where role = 'assistant'"
_SEED = 20_262
_HALF = _TEXT.partition(", ")[0]


@dataclass(frozen=True, slots=True)
class Twins:
    """`first` is a process, `second` a URL; `settings` start a third."""

    first: Server
    second: str
    model: ScriptedModel
    raw: RawDatabase
    settings: dict[str, str]

    def stored(self, message_id: str) -> tuple[str, str]:
        """Return status and text of an answer."""
        ((status, content),) = self.raw.execute(
            "select status, content from messages where id = :id", id=message_id
        )
        return status, content

    def wait_for(self, message_id: str, status: str, content: str) -> None:
        wait_until(lambda: self.stored(message_id) == (status, content), f"it is {status}")

    def set_heartbeat(self, received: stream_client.Received, *, ago: timedelta) -> None:
        """Set the owner's last heartbeat."""
        self.raw.execute(
            "update messages set heartbeat_at = :then where id = :id",
            then=utc_text(datetime.now(UTC) - ago),
            id=received.message_id,
        )


@contextmanager
def _twins(database_url: str) -> Iterator[Twins]:
    with ScriptedModel() as model:
        settings = _settings(model)
        with (
            running(database_url, variables=settings) as first,
            run_in_thread(database_url, settings) as second,
        ):
            yield Twins(first, second, model, RawDatabase(database_url), settings)
    assert "Traceback" not in first.log, first.log


def _settings(model: ScriptedModel, **others: str) -> dict[str, str]:
    return {
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "k",
        "RECOLLECT_CHAT_MODEL": "scripted",
        "RECOLLECT_WORKER": "false",
        **others,
    }


class Authenticator:
    """A gate that pauses answers in the middle."""

    def __init__(self) -> None:
        self._opened = threading.Event()
        self.answer = Answer(text=_TEXT, halfway=lambda: self._opened.wait(60))

    def open(self) -> None:
        self._opened.set()


def test_two_servers_share_answers_until_one_is_killed(database_url: str) -> None:
    with _twins(database_url) as twins:
        asyncio.run(_read_elsewhere(twins))
        asyncio.run(_stop_elsewhere(twins))
        asyncio.run(_ask_again_elsewhere(twins))
        asyncio.run(_go_on_after_being_given_up(twins))
        asyncio.run(_kill_the_first(twins))


async def _read_elsewhere(twins: Twins) -> None:
    """Resume from the start, from the last event, and after the end."""
    gate = Authenticator()
    twins.model.answers(gate.answer)
    here = await stream_client.ask(twins.first.url, "Read me")
    await here.read_until(_HALF)
    had = here.received
    there = [
        await stream_client.resume(twins.second, had.conversation_id),
        await stream_client.resume(twins.second, had.message_id),
        await stream_client.resume(twins.second, had.message_id, had.last_id),
    ]
    for exchange in there[:2]:
        await exchange.read_until(_HALF)
    gate.open()
    whole, by_conversation, by_message, rest = [await one.read_all() for one in (here, *there)]
    for received in (whole, by_conversation, by_message):
        assert (received.kinds, received.text) == (stream_client.WHOLE, _TEXT)
        assert received.message_id == had.message_id
        assert received.conversation_id == had.conversation_id
    assert had.text + rest.text == _TEXT
    assert rest.kinds == ["text-delta", "text-end", "finish", "[DONE]"]
    assert twins.stored(had.message_id) == ("complete", _TEXT)
    for event in whole.events[:-1]:
        late = await stream_client.resume(twins.second, had.message_id, event.id)
        has = await late.read_all()
        before = whole.events[: whole.events.index(event) + 1]
        assert "".join(one.part.get("delta", "") for one in before) + has.text == _TEXT
    over = await (await stream_client.resume(twins.second, had.conversation_id)).read_all()
    assert over.status == 204


async def _stop_elsewhere(twins: Twins) -> None:
    twins.model.answers(stalls(_TEXT))
    here = await stream_client.ask(twins.first.url, "Stop me")
    await here.read_until(_TEXT)
    there = await stream_client.resume(twins.second, here.received.message_id)
    await there.read_until(_TEXT)
    stopped = await stream_client.post(
        twins.second, f"/api/chat/{here.received.conversation_id}/stop"
    )
    assert stopped.json()["status"] == "interrupted"
    assert stopped.json()["content"] == _TEXT
    for exchange in (here, there):
        received = await exchange.read_all()
        assert (received.kinds, received.text) == (stream_client.STOPPED, _TEXT)
    again = await stream_client.post(
        twins.second, f"/api/chat/{here.received.conversation_id}/stop"
    )
    assert again.status == 204
    assert twins.stored(received.message_id) == ("interrupted", _TEXT)


async def _ask_again_elsewhere(twins: Twins) -> None:
    """An answer of the first server is superseded on the second."""
    twins.model.answers(stalls(_TEXT), "Another answer.", "An answer to something else.")
    here = await stream_client.ask(twins.first.url, "Ask again")
    await here.read_until(_TEXT)
    first = here.received
    path = f"/api/chat/{first.message_id}/regenerate"
    second = await (await stream_client.send(twins.second, "POST", path)).read_all()
    assert (second.kinds, second.text) == (stream_client.WHOLE, "Another answer.")
    assert second.conversation_id == first.conversation_id
    assert (await here.read_all()).kinds == stream_client.STOPPED
    assert twins.stored(first.message_id) == ("interrupted", _TEXT)
    conversation = f"/api/conversations/{first.conversation_id}"
    first_question, _, _ = (await stream_client.get(twins.second, f"{conversation}/messages"))[
        "items"
    ]
    path = f"/api/chat/{first_question['id']}/edit"
    third = await (
        await stream_client.send(twins.second, "POST", path, {"message": "Edited"})
    ).read_all()
    assert third.text == "An answer to something else."
    messages = (await stream_client.get(twins.first.url, f"{conversation}/messages"))["items"]
    standing = [one["content"] for one in messages if one["superseded_at"] is None]
    assert standing == ["Edited", "An answer to something else."]
    assert [one["content"] for one in messages] == [
        "Ask again",
        _TEXT,
        "Another answer.",
        *standing,
    ]


async def _go_on_after_being_given_up(twins: Twins) -> None:
    """An owner that missed heartbeats and returns completes its answer."""
    gate = Authenticator()
    twins.model.answers(gate.answer)
    here = await stream_client.ask(twins.first.url, "Given up")
    await here.read_until(_HALF)
    id = here.received.message_id
    await asyncio.to_thread(twins.wait_for, id, "streaming", here.received.text)
    twins.raw.execute("update messages set status = 'interrupted' where id = :id", id=id)
    await _wait_for_a_beat(twins)
    assert twins.stored(id) == ("interrupted", here.received.text)
    gate.open()
    received = await here.read_all()
    assert (received.kinds, received.text) == (stream_client.WHOLE, _TEXT)
    assert twins.stored(id) == ("complete", _TEXT)


async def _wait_for_a_beat(twins: Twins) -> None:
    """Wait until the first server has flushed a new answer."""
    twins.model.answers(stalls("Tick."))
    ticking = await stream_client.ask(twins.first.url, "Tick")
    await ticking.read_until("Tick.")
    received = ticking.abort()
    await asyncio.to_thread(twins.wait_for, received.message_id, "streaming", "Tick.")
    stopped = await stream_client.post(twins.first.url, f"/api/chat/{received.message_id}/stop")
    assert stopped.json()["status"] == "interrupted"


async def _kill_the_first(twins: Twins) -> None:
    """Flushed text stays and is marked interrupted when the lease expires."""
    gate = Authenticator()
    twins.model.answers(stalls(_TEXT), stalls(_TEXT), gate.answer)
    dying = [await stream_client.ask(twins.first.url, "What becomes of me?") for _ in range(2)]
    for exchange in dying:
        await exchange.read_until(_TEXT)
        await asyncio.to_thread(
            twins.wait_for, exchange.received.message_id, "streaming", exchange.received.text
        )
    old, young = [exchange.received for exchange in dying]
    living = await stream_client.ask(twins.second, "And of me?")
    await living.read_until(_HALF)
    twins.first.kill()
    for exchange in dying:
        assert (await exchange.read_all()).kinds == stream_client.STOPPED[:4]
    reader = await stream_client.resume(twins.second, young.message_id)
    await reader.read_until(_TEXT)

    twins.set_heartbeat(old, ago=2 * LEASE)
    twins.set_heartbeat(young, ago=timedelta())
    with run_in_thread(twins.first.database_url, twins.settings):
        await asyncio.to_thread(twins.wait_for, old.message_id, "interrupted", _TEXT)
        assert twins.stored(young.message_id) == ("streaming", _TEXT), "it may come back"
    twins.set_heartbeat(young, ago=2 * LEASE)
    with run_in_thread(twins.first.database_url, twins.settings) as third:
        received = await reader.read_all()
        assert (received.kinds, received.text) == (stream_client.STOPPED, _TEXT)
        assert twins.stored(young.message_id) == ("interrupted", _TEXT)
        path = f"/api/conversations/{young.conversation_id}/messages"
        said = [
            (one["role"], one["content"]) for one in (await stream_client.get(third, path))["items"]
        ]
        assert said == [("user", "What becomes of me?"), ("assistant", _TEXT)]

    assert twins.stored(living.received.message_id)[0] == "streaming"
    gate.open()
    received = await living.read_all()
    assert (received.kinds, received.text) == (stream_client.WHOLE, _TEXT)
    assert twins.stored(received.message_id) == ("complete", _TEXT)


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_servers_killed_during_answers(database_url: str) -> None:
    """Kill ten servers at random moments, with twenty answers each."""
    moments = random.Random(_SEED)
    raw = RawDatabase(database_url)
    with ScriptedModel() as model:
        model.always = lambda body: Answer(text=text_for(body, 400), pace=0.02)
        for round in range(10):
            numbers = range(20 * round, 20 * round + 20)
            with running(database_url, variables=_settings(model)) as server:
                asyncio.run(_write_and_kill(server, raw, numbers, after=moments.uniform(1.5, 6)))
            _expect(raw, range(20 * round + 20))
            raw.execute(
                "update messages set heartbeat_at = :then where status = 'streaming'",
                then=utc_text(datetime.now(UTC) - 2 * LEASE),
            )
            with run_in_thread(database_url, _settings(model)):
                wait_until(lambda: not _statuses(raw)["streaming"], "all were given up")
        assert _statuses(raw)["interrupted"] >= 10


async def _write_and_kill(
    server: Server, raw: RawDatabase, numbers: Iterable[int], *, after: float
) -> None:
    """Return the stored text of each answer."""
    asked = [await stream_client.ask(server.url, question(number)) for number in numbers]
    await asyncio.sleep(after)
    before = dict(raw.execute(_ANSWERS))
    server.kill()
    received = [await exchange.read_all() for exchange in asked]
    afterwards = dict(raw.execute(_ANSWERS))
    for id, content in before.items():
        assert afterwards[id].startswith(content)
    assert len(afterwards) >= len(before) >= len([one for one in received if one.status == 200])


def _expect(raw: RawDatabase, numbers: Iterable[int]) -> None:
    """Every question is stored with a prefix of its answer."""
    rows = raw.execute("select conversation_id, seq, content from messages order by seq")
    talks: dict[Any, list[str]] = {}
    for conversation_id, _, content in rows:
        talks.setdefault(conversation_id, []).append(content)
    answers = {talk[0]: talk[1] for talk in talks.values()}
    assert answers.keys() == {question(number) for number in numbers}
    for number in numbers:
        assert text(number, 400).startswith(answers[question(number)])


def _statuses(raw: RawDatabase) -> Counter[str]:
    return Counter(status for (status,) in raw.execute("select status from messages"))


def test_first_signal_finishes_answers_second_stops(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/recollect.db"
    with ScriptedModel() as model:
        patient = _settings(model, RECOLLECT_SHUTDOWN_SECONDS="600")
        with running(url, variables=patient) as server:
            asyncio.run(_stop_twice(Twins(server, "", model, RawDatabase(url), {})))
            server.join()
    assert "Traceback" not in server.log, server.log


async def _stop_twice(alone: Twins) -> None:
    """One answer is read, one has no reader, one never ends."""
    gate = Authenticator()
    alone.model.answers(gate.answer, gate.answer, stalls(_TEXT))
    url = alone.first.url
    asked = []
    for _ in range(3):  # sequentially, so that each gets its own answer
        asked.append(await stream_client.ask(url, "Finish?"))
        await asked[-1].read_until(_HALF)
    read, left, endless = asked
    unread = left.abort()
    alone.first.send(signal.SIGTERM)
    while not await stream_client.refuses_connections(url):
        pass
    gate.open()
    received = await read.read_all()
    assert (received.kinds, received.text) == (stream_client.WHOLE, _TEXT)
    for one in (received, unread):
        await asyncio.to_thread(alone.wait_for, one.message_id, "complete", _TEXT)
    assert alone.stored(endless.received.message_id)[0] == "streaming"
    alone.first.send(signal.SIGTERM)
    received = await endless.read_all()
    assert (received.kinds, received.text) == (stream_client.STOPPED, _TEXT)
    assert alone.stored(received.message_id) == ("interrupted", _TEXT)


def test_answer_that_exceeds_drain_time_is_interrupted(tmp_path: Path) -> None:
    """SIGINT works like SIGTERM."""
    url = f"sqlite:///{tmp_path}/recollect.db"
    with ScriptedModel() as model:
        model.always = stalls(_TEXT)
        hurried = _settings(model, RECOLLECT_SHUTDOWN_SECONDS="1")
        with running(url, variables=hurried) as server:
            alone = Twins(server, "", model, RawDatabase(url), {})
            asyncio.run(_run_out_of_time(alone))
            server.join()
    assert "Traceback" not in server.log, server.log


async def _run_out_of_time(alone: Twins) -> None:
    url = alone.first.url
    read, left = [await stream_client.ask(url, "Finish?") for _ in range(2)]
    for exchange in (read, left):
        await exchange.read_until(_TEXT)
    unread = left.abort()
    alone.first.send(signal.SIGINT)
    received = await read.read_all()
    assert (received.kinds, received.text) == (stream_client.STOPPED, _TEXT)
    await asyncio.to_thread(alone.wait_for, unread.message_id, "interrupted", _TEXT)
    assert alone.stored(received.message_id) == ("interrupted", _TEXT)
