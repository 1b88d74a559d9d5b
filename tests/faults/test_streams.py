"""Many concurrent streams and disconnecting clients: every text complete and in order.

The texts contain characters that are special in server-sent events. One server process.
"""

import asyncio
import json
import random
import threading
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest

from recollect import Recollect, Settings, TextDelta
from tests.faults import stream_client
from tests.faults.fault_report import FaultReport, Findings
from tests.faults.stream_texts import question, text, text_for
from tests.raw import RawDatabase
from tests.scripted_model import Answer, Body, ScriptedModel
from tests.server.process import Server, running

pytestmark = [pytest.mark.timeout(120), pytest.mark.xdist_group("streams")]

T = TypeVar("T")
_SEED = 20_261
_AT_ONCE = 10
_SMALL = "small"


@dataclass(frozen=True, slots=True)
class Streaming:
    server: Server
    model: ScriptedModel
    raw: RawDatabase

    @property
    def url(self) -> str:
        return self.server.url

    def stored(self, message_id: str) -> tuple[str, str]:
        """Return status and text of an answer."""
        ((status, content),) = self.raw.execute(
            "select status, content from messages where id = :id", id=message_id
        )
        return status, content


@contextmanager
def _streaming(database_url: str) -> Iterator[Streaming]:
    with ScriptedModel() as model:
        variables = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "k",
            "RECOLLECT_CHAT_MODEL": "scripted",
            "RECOLLECT_VARIANTS": json.dumps({_SMALL: {"model": "small", "most_answers": 2}}),
            "RECOLLECT_WORKER": "false",
        }
        with running(database_url, variables=variables) as server:
            yield Streaming(server, model, RawDatabase(database_url))
    assert "Traceback" not in server.log, server.log


@pytest.fixture(scope="module")
def streaming(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Streaming]:
    with _streaming(f"sqlite:///{tmp_path_factory.mktemp('streams')}/recollect.db") as found:
        yield found


def test_two_hundred_concurrent_streams(streaming: Streaming) -> None:
    _stream_at_once(streaming, streams=200, words=30)


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_two_hundred_long_concurrent_streams(database_url: str) -> None:
    with _streaming(database_url) as streaming:
        for _ in range(3):
            _stream_at_once(streaming, streams=200, words=400)


def test_client_killed_at_any_byte_can_resume(
    streaming: Streaming, fault_report: FaultReport
) -> None:
    asyncio.run(_kill_clients(streaming, fault_report, kills=100, words=25, pace=0.003))


@pytest.mark.torture
@pytest.mark.timeout(1800)
def test_many_clients_killed_at_any_byte_can_resume(
    database_url: str, fault_report: FaultReport
) -> None:
    with _streaming(database_url) as streaming:
        asyncio.run(_kill_clients(streaming, fault_report, kills=500, words=150, pace=0.01))


def test_answer_of_killed_client_can_be_stopped(streaming: Streaming) -> None:
    asyncio.run(_stop_killed(streaming, kills=20))


def test_slow_reader_gets_everything(tmp_path: Path) -> None:
    """Stop reading after the first event; continue after the answer has ended."""
    heard = threading.Event()

    async def dawdle(settings: Settings) -> None:
        async with Recollect.open(settings=settings) as memory:
            answering = await memory.chat.ask(question(1), user_id="alice")
            pieces = aiter(answering)
            while not isinstance(first := await anext(pieces), TextDelta):
                pass
            heard.set()
            answered = await answering.result()
            rest = [piece async for piece in pieces]
            read = "".join(piece.text for piece in (first, *rest) if isinstance(piece, TextDelta))
            assert read == answered.message.content == text(1, 30)
            assert first.text != read

    with ScriptedModel() as model:
        model.always = Answer(text=text(1, 30), halfway=lambda: heard.wait(60))
        settings = Settings(
            database_url=f"sqlite:///{tmp_path}/recollect.db",
            chat_model="scripted",
            openai_base_url=model.url,
            embedder="none",
        )
        asyncio.run(dawdle(settings))


def test_model_at_capacity_refuses_without_storing(streaming: Streaming) -> None:
    gate = threading.Event()
    streaming.model.always = lambda _: Answer(text="one two", halfway=lambda: gate.wait(60))

    async def fill() -> None:
        taken = [await stream_client.ask(streaming.url, "taken", model=_SMALL) for _ in range(2)]
        for exchange in taken:
            await exchange.read_until("one")
        before = streaming.raw.count("messages")
        for stream in ("true", "false"):
            path = f"/api/chat?stream={stream}"
            refused = await stream_client.post(
                streaming.url, path, {"message": "No room", "model": _SMALL}
            )
            assert refused.status == 503
            assert refused.headers["content-type"] == "application/problem+json"
            assert int(refused.headers["retry-after"]) > 0
            assert refused.json()["detail"] == "Too many requests are waiting already."
        assert streaming.raw.count("messages") == before
        other = await stream_client.ask(streaming.url, "to another model")
        await other.read_until("one")
        gate.set()
        for exchange in (*taken, other):
            received = await exchange.read_all()
            assert (received.kinds, received.text) == (stream_client.WHOLE, "one two")
        again = await (
            await stream_client.ask(streaming.url, "room again", model=_SMALL)
        ).read_all()
        assert again.text == "one two"

    asyncio.run(fill())


def _stream_at_once(streaming: Streaming, *, streams: int, words: int) -> None:
    """The model starts when all have asked and ends when all have received text."""
    asked = threading.Barrier(streams)
    heard = threading.Event()

    def answer(body: Body) -> Answer:
        asked.wait(60)
        return Answer(text=text_for(body, words), halfway=lambda: heard.wait(60))

    streaming.model.always = answer

    async def read(number: int, first: asyncio.Barrier) -> stream_client.Received:
        exchange = await stream_client.ask(streaming.url, question(number))
        await exchange.read_until(f"{number}:")
        await first.wait()
        heard.set()
        return await exchange.read_all()

    async def read_all() -> list[stream_client.Received]:
        first = asyncio.Barrier(streams)
        return await asyncio.gather(*(read(number, first) for number in range(streams)))

    answers = asyncio.run(read_all())
    for number, received in enumerate(answers):
        assert received.status == 200
        assert received.kinds == stream_client.WHOLE
        assert received.text == text(number, words)
        assert streaming.stored(received.message_id) == ("complete", received.text)
    assert len({received.message_id for received in answers}) == streams
    assert len({received.conversation_id for received in answers}) == streams
    _check_conversations(streaming, answers)


async def _kill_clients(
    streaming: Streaming, fault_report: FaultReport, *, kills: int, words: int, pace: float
) -> None:
    streaming.model.always = lambda body: Answer(text=text_for(body, words), pace=pace)
    whole = await (await stream_client.ask(streaming.url, question(0))).read_all()
    size = len(whole.body) + sum(len(f"{name}: {value}") for name, value in whole.headers.items())
    points = random.Random(_SEED)

    async def kill(number: int, point: int) -> stream_client.Received:
        key = str(uuid4())
        exchange = await stream_client.ask(streaming.url, question(number), key=key)
        await exchange.read_bytes(point)
        had = exchange.abort()
        if had.last_id is None:
            again = await stream_client.ask(streaming.url, question(number), key=key)
            rest = await again.read_all()
            assert rest.kinds == stream_client.WHOLE
        else:
            again = await stream_client.resume(streaming.url, had.conversation_id, had.last_id)
            rest = await again.read_all()
        assert had.text + rest.text == text(number, words), f"killed after {point} bytes"
        assert rest.kinds[-2:] == ["finish", "[DONE]"]
        _check_joined(had, rest)
        return rest if had.last_id is None else had

    killed = await _some_at_once(
        kill(number, points.randrange(size)) for number in range(1, kills + 1)
    )
    lost = [
        f"the answer to question {number} is not what was said"
        for number, received in enumerate(killed, 1)
        if streaming.stored(received.message_id) != ("complete", text(number, words))
    ]
    _check_conversations(streaming, killed)
    fault_report.record(
        "clients disconnected at any byte",
        streaming.server.database_url,
        Findings(lost=tuple(lost)),
        kills=kills,
        answers_resumed=len(killed),
    )


async def _stop_killed(streaming: Streaming, *, kills: int) -> None:
    """The stored text starts with the text that the client received."""
    streaming.model.always = lambda body: Answer(text=text_for(body, 1_000), pace=0.01)
    points = random.Random(_SEED)

    async def kill(number: int, words: int) -> None:
        exchange = await stream_client.ask(streaming.url, question(number))
        await exchange.read_until(text(number, words))
        had = exchange.abort()
        id = points.choice([had.message_id, had.conversation_id])
        stopped = await stream_client.post(streaming.url, f"/api/chat/{id}/stop")
        assert stopped.status == 200
        assert stopped.json()["status"] == "interrupted"
        rest = await (await stream_client.resume(streaming.url, id, had.last_id)).read_all()
        assert rest.kinds[-2:] == ["abort", "[DONE]"]
        status, content = streaming.stored(had.message_id)
        assert (status, content) == ("interrupted", had.text + rest.text)
        assert text(number, 1_000).startswith(content)
        assert len(content) < len(text(number, 1_000))

    await _some_at_once(kill(number, points.randrange(1, 20)) for number in range(kills))


def _check_joined(had: stream_client.Received, rest: stream_client.Received) -> None:
    """The events before and after the reconnect form one complete message."""
    if had.last_id is None:
        return
    joined = [*had.kinds, *rest.kinds]
    if "finish" in had.kinds:  # only these may repeat
        joined = [*joined[: joined.index("finish")], *rest.kinds]
    elif had.kinds[-1] == rest.kinds[0] == "text-delta":
        del joined[len(had.kinds)]
    assert joined == stream_client.WHOLE, f"{had.kinds} and then {rest.kinds}"


def _check_conversations(streaming: Streaming, answers: Iterable[stream_client.Received]) -> None:
    """Each question and its answer are stored once."""
    stored = streaming.raw.execute(
        "select conversation_id, count(*), sum(case role when 'user' then 1 else 0 end),"
        " max(seq) from messages group by conversation_id"
    )
    counts = {str(id): tuple(map(int, numbers)) for id, *numbers in stored}
    for received in answers:
        assert counts[received.conversation_id] == (2, 1, 2)


async def _some_at_once(work: Iterable[Awaitable[T]]) -> list[T]:
    room = asyncio.Semaphore(_AT_ONCE)

    async def do(one: Awaitable[T]) -> T:
        async with room:
            return await one

    return await asyncio.gather(*map(do, work))
