"""An id of another user is answered like an unknown id: same body, headers and queries.

The table must have every operation of the API. Alice owns one of each resource, with a canary in
each text. Bob makes each call with her ids and with unknown ids. Both responses must be equal and
without the canary, and both must run the same queries, so that timing reveals nothing. Alice then
makes the same calls successfully, which proves that they are valid.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
import pytest

from recollect import MessageIn, Settings
from recollect.core.ids import new_id
from recollect.core.memory_types import MemoryIn
from recollect.core.types import Row
from recollect.engine import Recollect
from recollect.server.app import create_app
from recollect.store.database import Run, SqlValue
from tests.raw import RawDatabase
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.both_databases

T = TypeVar("T")
Json = Any

CANARY = "zyzzyva"
NOT_COMPARED = {"date", "x-request-id", "content-length"}


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request that is valid with own ids, in braces; `status` is what another user gets."""

    json: Json = None
    params: dict[str, str] = field(default_factory=dict)
    content: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    status: int | None = 404


OPEN = Call(status=None)
"""Operations without an id."""
HI = {"messages": [{"role": "user", "content": "hi"}]}
TURN = {"role": "user", "parts": [{"text": "hi"}]}
SAY = [{"role": "user", "content": "hi"}]
UI = [{"id": "m", "role": "user", "parts": [{"type": "text", "text": "hi"}]}]
CONVERSATION = "/api/conversations/{conversation_id}"
MEMORY = "/api/memories/{memory_id}"

CALLS: dict[tuple[str, str], list[Call]] = {
    ("GET", "/healthz"): [OPEN],
    ("GET", "/readyz"): [OPEN],
    ("GET", "/metrics"): [OPEN],
    ("GET", "/api/me"): [OPEN],
    ("POST", "/api/session"): [Call(json={"key": "rk_x"}, status=401)],
    ("DELETE", "/api/session"): [OPEN],
    ("GET", "/api/conversations"): [OPEN, Call(params={"q": CANARY}, status=None)],
    ("POST", "/api/conversations"): [Call(json=HI, status=None)],
    ("GET", "/api/conversations/current"): [OPEN],
    ("GET", CONVERSATION): [Call()],
    ("PUT", CONVERSATION): [Call(json={"title": "x"})],
    ("PATCH", CONVERSATION): [Call(json={"title": "x"})],
    ("DELETE", CONVERSATION): [Call()],
    ("GET", f"{CONVERSATION}/messages"): [Call(), Call(params={"from_seq": "2"})],
    ("POST", f"{CONVERSATION}/messages"): [
        Call(json=HI),
        Call(json=HI, headers={"Idempotency-Key": "k"}),
    ],
    ("GET", f"{CONVERSATION}/messages/{{message_id}}"): [Call()],
    ("PATCH", f"{CONVERSATION}/messages/{{message_id}}"): [Call(json={"is_pinned": True})],
    ("DELETE", f"{CONVERSATION}/messages/{{message_id}}"): [Call()],
    ("PUT", "/api/messages/{message_id}/feedback"): [Call(json={"rating": "up"})],
    ("POST", f"{CONVERSATION}/fork"): [Call(json={"at": 1}), Call(json={})],
    ("GET", f"{CONVERSATION}/export"): [Call()],
    ("GET", f"{CONVERSATION}/summary"): [Call()],
    ("PUT", f"{CONVERSATION}/summary"): [Call(json={"text": "x", "version": 1})],
    ("GET", f"{CONVERSATION}/summary/versions"): [Call()],
    ("GET", f"{CONVERSATION}/summary/compare"): [Call(params={"older": "0", "newer": "1"})],
    ("POST", f"{CONVERSATION}/summary/rollback"): [Call(json={"version": 0})],
    ("POST", f"{CONVERSATION}/summary/rebuild"): [Call()],
    ("POST", f"{CONVERSATION}/compact"): [Call(json={"force": True})],
    ("POST", f"{CONVERSATION}/context"): [Call(json={"message": "hi"})],
    ("POST", f"{CONVERSATION}/references"): [Call(json={"text": "the first one"})],
    ("GET", f"{CONVERSATION}/analytics"): [Call()],
    ("GET", "/api/messages/{answer_id}/receipt"): [Call()],
    ("GET", "/api/memories"): [OPEN, Call(params={"q": CANARY}, status=None)],
    ("POST", "/api/memories"): [
        Call(json={"memory_type": "fact", "content": "x"}, status=None),
        Call(
            json={
                "memory_type": "fact",
                "content": "y",
                "source_message_id": "{message_id}",
            }
        ),
        Call(
            json={
                "memory_type": "fact",
                "content": "z",
                "source_conversation_id": "{conversation_id}",
            }
        ),
    ],
    ("POST", "/api/memories/extract"): [
        Call(json={"conversation_id": "{conversation_id}"}),
        Call(json={"conversation_id": "{conversation_id}"}, params={"wait": "true"}),
    ],
    ("GET", MEMORY): [Call()],
    ("PUT", MEMORY): [Call(json={"content": "x"})],
    ("PATCH", MEMORY): [Call(json={"is_pinned": True})],
    ("DELETE", MEMORY): [Call()],
    ("GET", f"{MEMORY}/history"): [Call()],
    ("POST", f"{MEMORY}/undo"): [Call()],
    ("GET", "/api/search"): [
        Call(params={"q": CANARY}, status=None),
        Call(params={"q": CANARY, "kind": "memories"}, status=None),
        Call(params={"q": CANARY, "conversation_id": "{conversation_id}"}),
    ],
    ("GET", "/api/switch"): [Call(params={"q": CANARY}, status=None)],
    ("GET", "/api/analytics"): [OPEN],
    ("GET", "/api/jobs"): [OPEN],
    ("POST", "/api/jobs/{job_id}/retry"): [Call()],
    ("GET", "/api/models"): [OPEN],
    ("GET", "/api/keys"): [Call(status=403)],
    ("POST", "/api/keys"): [Call(json={"user_id": "alice"}, status=403)],
    ("DELETE", "/api/keys/{key_id}"): [Call(status=403)],
    ("POST", "/api/keys/{key_id}/rotate"): [Call(status=403)],
    ("GET", "/api/audit"): [OPEN],
    ("POST", "/api/chat"): [
        Call(json={"message": "hi"}, status=None),
        # Another user's id is an unknown key here: it names a new conversation of the caller's.
        Call(json={"message": "hi", "conversation_id": "{conversation_id}"}, status=200),
        Call(
            json={"message": "hi", "conversation_id": "{conversation_id}"},
            params={"stream": "false"},
            status=200,
        ),
        Call(json={"id": "{conversation_id}", "messages": UI}, status=200),
        Call(
            json={
                "id": "{conversation_id}",
                "messages": UI,
                "trigger": "regenerate-message",
                "messageId": "{answer_id}",
            },
            status=200,
        ),
    ],
    ("GET", "/api/chat/{id}/stream"): [
        Call(params={"id": "{conversation_id}"}),
        Call(params={"id": "{answer_id}"}),
        Call(params={"id": "{answer_id}"}, headers={"Last-Event-ID": "{answer_id}:0.0.0:"}),
    ],
    ("POST", "/api/chat/{id}/stop"): [
        Call(params={"id": "{conversation_id}"}),
        Call(params={"id": "{answer_id}"}),
    ],
    ("POST", "/api/chat/{answer_id}/regenerate"): [Call()],
    ("POST", "/api/chat/{question_id}/edit"): [Call(json={"message": "x"})],
    ("POST", "/api/chats"): [Call(json={"messages": [TURN]}, status=None)],
    ("GET", "/api/chats"): [Call(params={"id": "{conversation_id}"})],
    ("PATCH", "/api/chats"): [
        Call(json={"id": "{conversation_id}", "messages": [TURN]}),
        Call(
            json={"id": "{conversation_id}", "messages": [TURN]}, headers={"Idempotency-Key": "k"}
        ),
    ],
    ("DELETE", "/api/chats"): [Call(params={"id": "{conversation_id}"})],
    ("POST", "/api/ai/chat"): [
        Call(json={"message": "hi"}, status=None),
        Call(json={"message": "hi", "threadId": "{conversation_id}"}),
    ],
    ("GET", "/api/ai/threads/{thread_id}/summary"): [Call()],
    ("PUT", "/api/ai/threads/{thread_id}/summary"): [Call(json={"summary": "x"})],
    ("GET", "/api/export"): [OPEN],
    ("POST", "/api/import"): [Call(content="[]", status=None)],
    ("POST", "/v1/message/first"): [Call(json={"message": "hi"}, status=None)],
    ("POST", "/v1/message"): [Call(json={"chat_id": "{conversation_id}", "message": "hi"})],
    ("POST", "/chat"): [
        Call(json={"user_id": "bob", "query": "hi"}, status=None),
        Call(json={"user_id": "alice", "query": "hi"}, status=403),
    ],
    ("POST", "/v1/chat/completions"): [
        Call(json={"messages": SAY}, status=None),
        Call(json={"messages": SAY, "conversation": "{conversation_id}"}, status=200),
        Call(
            json={"messages": SAY}, headers={"x-conversation-id": "{conversation_id}"}, status=200
        ),
        Call(
            json={"messages": SAY, "conversation": "{conversation_id}", "stream": True}, status=200
        ),
    ],
    ("GET", "/v1/models"): [OPEN],
    ("DELETE", "/api/me"): [OPEN],
}
"""In a path, `{id}` is the call's own `id`."""
NAMED = {"answer_id": "message_id", "question_id": "message_id"}
"""Names that the table distinguishes and the API does not."""


def test_every_operation_is_tested() -> None:
    async def operations() -> set[tuple[str, str]]:
        async with Recollect.open("sqlite:///:memory:") as memory:
            paths = create_app(memory).openapi()["paths"]
        return {(method.upper(), path) for path, item in paths.items() for method in item}

    listed = {(method, _as_documented(path)) for method, path in CALLS}
    assert listed == asyncio.run(operations())


def test_data_of_other_users_is_not_found(database_url: str) -> None:
    asyncio.run(_try_all(database_url))


async def _try_all(database_url: str) -> None:
    with ScriptedModel() as model:
        model.always = "Noted."
        async with _opened(database_url, model) as (memory, counted, people):
            for (method, path), calls in CALLS.items():
                for call in calls:
                    try:
                        await _try(memory, counted, people, method, path, call)
                    except AssertionError as error:
                        raise AssertionError(f"{method} {path} {call}") from error


@dataclass
class Counted:
    """The queries of a request in order, with their row counts."""

    queries: list[tuple[str, int]] = field(default_factory=list)

    def watch(self, memory: Recollect) -> None:
        database = memory._database
        for name in ("read", "write"):
            self._wrap(database, name, getattr(database, name))

    def taken(self) -> list[tuple[str, int]]:
        taken, self.queries = self.queries, []
        return taken

    def _wrap(self, database: Any, name: str, call: Callable[..., Any]) -> None:
        async def counting(fn: Callable[[Run], T], *, user_id: str) -> Any:
            return await call(lambda run: fn(self._counting(run)), user_id=user_id)

        setattr(database, name, counting)

    def _counting(self, run: Run) -> Run:
        def counting(query: str, /, **params: SqlValue) -> list[Row]:
            rows = run(query, **params)
            self.queries.append((query, len(rows)))
            return rows

        return counting


People = dict[str, httpx.AsyncClient]


@asynccontextmanager
async def _opened(
    database_url: str, model: ScriptedModel
) -> AsyncIterator[tuple[Recollect, Counted, People]]:
    settings = Settings(
        database_url=database_url,
        chat_model="scripted",
        openai_base_url=model.url,
        embedder="none",
        extraction="manual",
        requests_per_minute=0,
        answers_per_minute=0,
    )
    counted = Counted()
    async with Recollect.open(settings=settings) as memory:
        transport = httpx.ASGITransport(create_app(memory), raise_app_exceptions=False)
        people: People = {}
        for name in ("alice", "bob"):
            key = await memory.keys.create_key(user_id=name)
            headers = {"Authorization": f"Bearer {key}"}
            people[name] = httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1", headers=headers
            )
        counted.watch(memory)
        yield memory, counted, people
        for client in people.values():
            await client.aclose()


async def _try(
    memory: Recollect, counted: Counted, people: People, method: str, path: str, call: Call
) -> None:
    ids = await _alices(memory)
    unknown = {name: new_id() for name in ids}
    answers = []
    for given in (ids, unknown):
        counted.taken()
        answer = await _send(people["bob"], method, path, call, given)
        assert CANARY not in answer.text
        assert CANARY not in str(answer.headers)
        assert answer.status_code < 500
        answers.append((_comparable(answer), counted.taken()))
        if call.status is not None:
            assert answer.status_code == call.status, answer.text
    if call.status in (401, 404):
        assert answers[0] == answers[1]
    if call.status == 404:
        assert (await _send(people["alice"], method, path, call, ids)).status_code < 300


async def _send(
    client: httpx.AsyncClient, method: str, path: str, call: Call, ids: dict[str, str]
) -> httpx.Response:
    def filled(value: Json) -> Json:
        return json.loads(_filled(json.dumps(value), ids))

    params = filled(call.params)
    own = {"id": params.pop("id")} if "{id}" in path else {}
    address = _filled(path, ids | own)
    return await client.request(
        method,
        address,
        params=params,
        headers=filled(call.headers),
        json=filled(call.json) if call.json is not None else None,
        content=call.content,
    )


def _filled(text: str, ids: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: ids.get(found[1], found[0]), text)


def _comparable(answer: httpx.Response) -> tuple[object, ...]:
    headers = {name: value for name, value in answer.headers.items() if name not in NOT_COMPARED}
    return answer.status_code, answer.text, headers


def _as_documented(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: f"{{{NAMED.get(found[1], found[1])}}}", path)


async def _alices(memory: Recollect) -> dict[str, str]:
    """One resource of each kind."""
    said = [
        MessageIn(role="user", content=f"{CANARY} one", is_pinned=True),
        MessageIn(role="assistant", content=f"{CANARY} two"),
    ]
    chat = await memory.conversations.create_conversation(
        CANARY, user_id="alice", metadata={"about": CANARY}, messages=said
    )
    await memory.summaries.edit_summary(CANARY, conversation_id=chat.id, user_id="alice", version=0)
    answered = await (
        await memory.chat.ask(f"{CANARY} three", user_id="alice", conversation_id=chat.id)
    ).result()
    found = await memory.conversations.get_messages(conversation_id=chat.id, user_id="alice")
    new = MemoryIn(memory_type="fact", content=f"{CANARY} {new_id()}", category=CANARY)
    known = await memory.memories.create_memory(new, user_id="alice")
    await memory.memories.update_memory(
        {"category": f"{CANARY}s"}, memory_id=known.id, user_id="alice"
    )
    job = await memory.memories.request_extraction(conversation_id=chat.id, user_id="alice")
    RawDatabase(memory.settings.database_url).execute(
        "update jobs set state = 'failed' where id = :id", id=job.id
    )
    return {
        "conversation_id": chat.id,
        "thread_id": chat.id,
        "message_id": found[1].id,
        "question_id": found[2].id,
        "answer_id": answered.message.id,
        "memory_id": known.id,
        "job_id": job.id,
    }
