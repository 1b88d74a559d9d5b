"""Mixed HTTP load by several users on servers that may be killed.

Each client appends, asks, builds contexts, searches, edits memories and summaries, and deletes in
its own conversations. Every request is idempotent or has a key, so clients retry on any server
until they get a response; an error must be 503 with Retry-After. `ExpectedState` collects the
acknowledged results. Every response is checked for other users' data.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from tests.faults import stream_client
from tests.faults.expected_state import (
    AcknowledgedMessage,
    ExpectedState,
    Role,
    mark,
    new_word,
    owners,
)

_POLICIES = ("chunked", "window", "tiered", "rolling")
_TIMEOUT_SECONDS = 120.0
_PAUSE_SECONDS = 0.05
_REFUSED = 503
_BUDGETS = (300, 1_000, 4_000)


class ClientLoad:
    """`urls` are the running servers."""

    def __init__(self, keys: dict[str, str], *, clients_each: int, seed: int) -> None:
        self.urls: list[str] = []
        self.expected = ExpectedState()
        self._is_over = False
        self._done = asyncio.Event()
        self._clients = [
            Client(self, user, key, random.Random(f"{seed}/{user}/{number}"))
            for user, key in keys.items()
            for number in range(clients_each)
        ]

    @property
    def is_over(self) -> bool:
        return self._is_over

    async def run(self, during: Callable[[], Awaitable[None]]) -> None:
        """Run the clients until `during` returns."""
        async with asyncio.TaskGroup() as clients:
            for client in self._clients:
                clients.create_task(client.work())
            try:
                await during()
            finally:
                self._is_over = True

    async def wait_for_successes(self, times: int) -> None:
        """Wait until every operation has succeeded `times` more times."""
        before = self.expected.outcomes.copy()
        needed = [act.__name__ for act in Client.ACTS]
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            while any(self.expected.outcomes[act] < before[act] + times for act in needed):
                self._done.clear()
                await self._done.wait()

    def note(self, act: str) -> None:
        """Count a success."""
        self.expected.outcomes[act] += 1
        self._done.set()


class Client:
    def __init__(self, client_load: ClientLoad, user: str, key: str, chosen: random.Random) -> None:
        self._traffic = client_load
        self._facts = client_load.expected
        self._user = user
        self._identity = {"Authorization": f"Bearer {key}"}
        self._chosen = chosen
        self._conversations: list[str] = []
        self._unanswered = 0

    async def work(self) -> None:
        while not self._traffic.is_over:
            act = self._chosen.choices(self.ACTS, self._WEIGHTS)[0]
            if await act(self):
                self._traffic.note(act.__name__)

    async def append(self) -> bool:
        conversation_id = await self._conversation()
        drafts = self._factory()
        body = {"messages": drafts}
        path = f"/api/conversations/{conversation_id}/messages"
        key = str(uuid4())
        received = await self._insist("POST", path, body, key=key, expected={201})
        if self._chosen.random() < 0.2:  # a retry with the same key
            again = await self._insist("POST", path, body, key=key, expected={201})
            self._expect(
                again.json() == received.json(), f"a retry under {key} was answered otherwise"
            )
        for stored, draft in zip(received.json()["items"], drafts, strict=True):
            self._facts.said[stored["id"]] = AcknowledgedMessage(
                self._user, conversation_id, draft["role"], draft["content"], stored["seq"]
            )
        return True

    async def ask(self) -> bool:
        """Ask; retry with the same key if the stream breaks."""
        conversation_id = await self._conversation()
        question, key = self._text(), str(uuid4())
        body = {"message": question, "conversation_id": conversation_id}
        is_stored = False
        for _ in range(2):
            received = await self._insist("POST", "/api/chat", body, key=key, expected={200})
            if "start" in received.kinds and not is_stored:
                self._facts.asked.append(
                    AcknowledgedMessage(self._user, conversation_id, "user", question)
                )
                is_stored = True
            if "finish" in received.kinds:
                said = AcknowledgedMessage(self._user, conversation_id, "assistant", received.text)
                self._facts.said[received.message_id] = said
                self._expect(
                    received.text == answer_to(question), f"{question!r}: {received.text!r}"
                )
                return True
        self._conversations.remove(conversation_id)  # the server was killed
        self._facts.outcomes["answers interrupted"] += 1
        return False

    async def build_context(self) -> bool:
        conversation_id = await self._conversation()
        budget, question = self._chosen.choice(_BUDGETS), self._text()
        received = await self._insist(
            "POST",
            f"/api/conversations/{conversation_id}/context",
            {"message": question, "budget": budget},
            expected={200},
        )
        built = received.json()
        receipt = built["receipt"]
        self._expect(receipt["memory_tokens"] <= budget, f"{receipt} is over its budget")
        self._expect(built["messages"][-1]["content"] == question, f"{built} ends otherwise")
        self._expect(not unpaired_tool_calls(built["messages"]), f"{built} has half a tool call")
        return True

    async def search(self) -> bool:
        """Search for an own word or for a random one."""
        said = list(self._facts.said.values())
        looked_for = self._chosen.choice(said).content if said else mark(self._user)
        query = "%20".join(looked_for.split()[:3])
        await self._insist("GET", f"/api/search?q={query}&limit=50", expected={200})
        return True

    async def remember(self) -> bool:
        text = self._text()
        body = {"memory_type": "fact", "content": text}
        received = await self._insist(
            "POST", "/api/memories", body, key=str(uuid4()), expected={201}
        )
        self._facts.memories[received.json()["id"]] = text
        mine = [id for id, text in self._facts.memories.items() if self._user in owners(text)]
        if len(mine) > 10:
            id = self._chosen.choice(mine)
            text = self._facts.memories.pop(id)  # not visible to other tasks yet
            await self._delete(f"/api/memories/{id}")
            self._facts.memories[id] = text
            self._facts.expect_memory_deleted(id)
        return True

    async def correct_summary(self) -> bool:
        """Edit the summary; 409 is fine if it has changed."""
        conversation_id = await self._conversation()
        path = f"/api/conversations/{conversation_id}/summary"
        summary = (await self._insist("GET", path, expected={200})).json()
        body = {"text": f"{summary['text']} Noted.", "version": summary["version"]}
        received = await self._insist("PUT", path, body, expected={200, 409, 413, 422})
        return received.status == 200

    async def delete_message(self) -> bool:
        own = [(id, said) for id, said in self._facts.said.items() if self._has(said)]
        if not own:
            return False
        id, said = self._chosen.choice(own)
        await self._delete(f"/api/conversations/{said.conversation_id}/messages/{id}")
        self._facts.expect_message_deleted(id)
        return True

    async def delete_conversation(self) -> bool:
        if len(self._conversations) < 2:
            return False
        id = self._conversations.pop(self._chosen.randrange(len(self._conversations)))
        await self._delete(f"/api/conversations/{id}")
        self._facts.expect_conversation_deleted(id)
        return True

    ACTS = (
        append, ask, build_context, search, remember, correct_summary, delete_message,
        delete_conversation,
    )  # fmt: skip
    _WEIGHTS = (40, 12, 12, 12, 6, 4, 6, 2)

    def _has(self, said: AcknowledgedMessage) -> bool:
        return said.conversation_id in self._conversations

    def _text(self) -> str:
        said = self._chosen.choice(["I live in", "We met at", "It costs more than", "Think of"])
        filler = " and as many words as it takes" * self._chosen.randrange(4)
        return f"{mark(self._user)} {new_word()}: {said} {new_word()}{filler}."

    def _factory(self) -> list[dict[str, Any]]:
        """Return messages, or a tool call with its result."""
        if self._chosen.random() < 0.2:
            id = str(uuid4())
            call = {"id": id, "tool_name": "weather", "input": {"city": "Lisbon"}}
            return [
                {"role": "assistant", "content": self._text(), "tool_calls": [call]},
                {"role": "tool", "content": self._text(), "metadata": {"tool_call_id": id}},
            ]
        role: Role = self._chosen.choice(("user", "assistant"))
        count = self._chosen.randrange(1, 5)
        return [{"role": role, "content": self._text()} for _ in range(count)]

    async def _conversation(self) -> str:
        if len(self._conversations) < 3 or self._chosen.random() < 0.03:
            body = {"policy": self._chosen.choice(_POLICIES)}
            received = await self._insist(
                "POST", "/api/conversations", body, key=str(uuid4()), expected={201}
            )
            self._conversations.append(received.json()["id"])
        return self._chosen.choice(self._conversations)

    async def _delete(self, path: str) -> None:
        """Accept 404 only if an earlier attempt may have succeeded."""
        before = self._unanswered
        received = await self._insist("DELETE", path, expected={200, 404})
        is_fine = received.status == 200 or self._unanswered > before
        self._expect(is_fine, f"{path} was gone before it was deleted")

    async def _insist(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        expected: set[int],
    ) -> stream_client.Received:
        headers = self._identity | ({"Idempotency-Key": key} if key else {})
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            while True:
                received = await self._try(method, path, body, headers)
                if received.status in expected and _is_whole(received):
                    break
                if _is_whole(received) and not _is_refusal(received):
                    raise AssertionError(
                        f"{method} {path} got {received.status}: {received.body!r}"
                    )
                self._unanswered += 1
                self._facts.outcomes["refused" if received.status else "aborted"] += 1
                await asyncio.sleep(_PAUSE_SECONDS)
        if foreign := owners(received.body.decode(errors="replace")) - {self._user}:
            self._facts.leaks.append(f"{self._user} was shown {foreign} by {method} {path}")
        return received

    async def _try(
        self, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> stream_client.Received:
        url = self._chosen.choice(tuple(self._traffic.urls))
        try:
            return await (await stream_client.send(url, method, path, body, headers)).read_all()
        except OSError:  # the server is gone or shutting down
            return stream_client.Received()

    def _expect(self, is_so: bool, otherwise: str) -> None:
        if not is_so:
            self._facts.wrong.append(otherwise)


def answer_to(question: str) -> str:
    """Return the model's answer: the user's mark without the question's words."""
    (user,) = owners(question)
    length = 5 + len(question) % 20
    return f"{mark(user)} This is what there is to say:{' and more' * length}."


def unpaired_tool_calls(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return ids of tool calls without result and of results without call."""
    halves: list[str] = []
    waiting: set[str] = set()
    for message in messages:
        waiting.update(call["id"] for call in message.get("tool_calls") or ())
        if message["role"] == "tool":
            id = message["tool_call_id"]
            if id not in waiting:
                halves.append(id)
            waiting.discard(id)
    return [*halves, *waiting]


def _is_whole(received: stream_client.Received) -> bool:
    length = received.headers.get("content-length")
    return received.status > 0 and (length is None or int(length) == len(received.body))


def _is_refusal(received: stream_client.Received) -> bool:
    return received.status == _REFUSED and int(received.headers.get("retry-after", "0")) > 0
