"""Background model calls never delay an answer."""

import asyncio
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.faults import stream_client
from tests.faults.server_thread import run_in_thread
from tests.scripted_model import Body, ScriptedModel
from tests.server.process import wait_until

pytestmark = [pytest.mark.timeout(120), pytest.mark.torture]

_TIMEOUT_SECONDS = 30
_DERIVED = {"digest", "topic", "extraction", "embedding"}
_ANSWER = "You asked nothing."
_QUESTION = "And what did I ask before?"


class Held(ScriptedModel):
    """Answers questions at once and holds all other calls until released."""

    def __init__(self) -> None:
        super().__init__()
        self.always = self._reply
        self.waiting: list[tuple[str, threading.Event]] = []
        self._is_over = False

    def let_through(self, calls: Iterable[tuple[str, threading.Event]]) -> None:
        for call in list(calls):
            self.waiting.remove(call)
            call[1].set()

    def let_all_through(self) -> None:
        """Hold calls from now on."""
        self._is_over = True
        self.let_through(self.waiting)

    def _reply(self, body: Body) -> str:
        if body.get("stream"):
            return _ANSWER
        schema = str(body.get("response_format"))
        if "topic" in schema:
            self._hold("topic")
            return '{"topic": "Talk.", "title": "Talk"}'
        if "memories" in schema:
            self._hold("extraction")
            return '{"memories": []}'
        self._hold("digest")
        return "They spoke."

    def _embedding(self, texts: Sequence[str]) -> list[list[float]]:
        if texts not in (["?"], [_QUESTION]):  # the first one is the warm-up
            self._hold("embedding")
        return [self._vector(text) for text in texts]

    def _hold(self, kind: str) -> None:
        released = threading.Event()
        if not self._is_over:
            self.waiting.append((kind, released))
            assert released.wait(60), f"nobody let {kind} through"


def test_background_work_does_not_delay_answers(tmp_path: Path) -> None:
    with Held() as model:
        settings = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "k",
            "RECOLLECT_CHAT_MODEL": "scripted",
            "RECOLLECT_EMBEDDING_MODEL": "scripted",
            "RECOLLECT_EMBEDDING_DIMENSIONS": str(model.dimensions),
            "RECOLLECT_EXTRACTION": "automatic",
            "RECOLLECT_EXTRACT_TURNS": "1",
            "RECOLLECT_EAGER_SECONDS": "600",
            "MEMORY_CHUNK_SUMMARIZE_THRESHOLD": "100",
            "MEMORY_K_RAW_TURNS": "1",
        }
        with run_in_thread(f"sqlite:///{tmp_path}/recollect.db", settings) as url:
            try:
                asyncio.run(_ask_while_all_is_held(url, model))
            finally:
                model.let_all_through()


async def _ask_while_all_is_held(url: str, model: Held) -> None:
    """What an eager policy owes before a question is asked is digested first; what the answer adds
    to that is not waited for."""
    seen: set[str] = set()
    talks = {}
    for policy, count in (("chunked", 30), ("rolling", 30), ("window", 29)):
        said = [
            {"role": role, "content": f"On day {day} I liked the soup in Lisbon, {role} said."}
            for day in range(15)
            for role in ("user", "assistant")
        ]
        body = {"policy": policy, "messages": said[:count]}
        talks[policy] = (await stream_client.post(url, "/api/conversations", body)).json()["id"]
        seen |= await _ask(url, model, talks[policy])
    while seen != _DERIVED:
        seen |= await _ask(url, model, talks["chunked"])


async def _ask(url: str, model: Held, conversation_id: str) -> set[str]:
    """Return the job kinds that waited during the whole answer."""
    await asyncio.to_thread(wait_until, lambda: bool(model.waiting), "something is derived")
    before = list(model.waiting)
    async with asyncio.timeout(_TIMEOUT_SECONDS):
        exchange = await stream_client.ask(url, _QUESTION, conversation_id=conversation_id)
        received = await exchange.read_all()
    assert (received.kinds, received.text) == (stream_client.WHOLE, _ANSWER)
    assert not any(released.is_set() for _, released in before)
    model.let_through(before)
    return {kind for kind, _ in before}
