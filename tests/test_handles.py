"""The short way in: `Recollect(url)`, users and conversations by the caller's own names."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from openai.types.chat import ChatCompletionMessage

from recollect import (
    ChatModel,
    Embedder,
    InvalidInput,
    MessageIn,
    Misconfigured,
    ModelFailed,
    NoModelConfigured,
    NotFound,
    Recollect,
    Settings,
    Unavailable,
    sync,
)
from recollect.core.types import Json
from recollect.llm.protocols import CallContext, ChatMessage, Delta, Reply

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/chat.db"


def test_first_lines_of_a_newcomer(url: str) -> None:
    async def main() -> None:
        async with Recollect(url) as memory:
            user = memory.user("alice")
            chat = user.conversation("lisbon")
            await chat.add("When is it warm in Lisbon?", role="user")
            await chat.add_turn("And in Porto?", "From June on.")
            context = await chat.context("And in winter?", budget=3000)
            contents = [message["content"] for message in context.messages]
            assert contents[-4:] == [
                "When is it warm in Lisbon?",
                "And in Porto?",
                "From June on.",
                "And in winter?",
            ]
            assert context.tokens == context.receipt.tokens
            found = await user.search("warm")
            assert [hit.text for hit in found] == ["When is it warm in Lisbon?"]
            assert (await user.memories.list()).items == ()
            (listed,) = (await user.conversations()).items
            assert (listed.external_id, listed.message_count) == ("lisbon", 3)
            await chat.update({"project_id": "trip", "recall_scope": "project"})
            assert len(await user.search("warm", project_id="trip")) == 1
            assert not await user.search("warm", project_id="home")
            assert not (await user.conversations(project_id="home")).items

    asyncio.run(main())


def test_background_work_runs_inside(url: str) -> None:
    async def main() -> None:
        settings = Settings(database_url=url, memory_chunk_summarize_threshold=50, embedder="none")
        async with Recollect(settings=settings) as memory:
            chat = memory.user("alice").conversation("long")
            for number in range(8):
                await chat.add_turn(f"The invoice {number} is late. " * 5, "I will check. " * 5)
            async with asyncio.timeout(30):
                while not (await chat.summary()).version:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)

    asyncio.run(main())


def test_worker_can_be_turned_off(url: str) -> None:
    async def main() -> None:
        async with Recollect(url, worker=False) as memory:
            await memory.user("alice").conversation("short").add_turn("Hello!", "Hello to you.")
            await asyncio.sleep(0)
            assert await memory.work() > 0

    asyncio.run(main())


def test_unopened_engine_says_how_to_open_it(url: str) -> None:
    memory = Recollect(url)
    with pytest.raises(Unavailable, match="async with Recollect"):
        _ = memory.conversations
    with pytest.raises(AttributeError):
        _ = memory.no_such_thing  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="async with"), memory:
        pass


def test_open_goes_on_working(url: str) -> None:
    async def main() -> None:
        memory = await Recollect.open(url)
        chat = await memory.conversations.create_conversation(user_id="alice")
        await memory.close()
        await memory.close()
        async with Recollect.open(url) as again:
            assert (await again.user("alice").conversation(chat.id).get()).id == chat.id

    asyncio.run(main())


def test_conversation_is_found_by_id_and_by_key(url: str) -> None:
    key = uuid4()
    with sync.Recollect(url, worker=False) as memory:
        chat = memory.user("alice").conversation(key)
        chat.add("Hello!")
        stored = chat.get()
        assert (stored.external_id, stored.id != str(key)) == (str(key), True)
        for name in (stored.id, UUID(stored.id), stored.id.upper(), key, str(key)):
            assert memory.user("alice").conversation(name).get().id == stored.id
        with pytest.raises(NotFound):
            memory.user("bob").conversation(key).get()


def test_key_of_a_deleted_conversation_is_free_again(url: str) -> None:
    with sync.Recollect(url, worker=False) as memory:
        chat = memory.user("alice").conversation("again")
        chat.add("Hello!")
        first = chat.get().id
        assert chat.delete().messages == 1
        chat.add("Hello again!")
        assert chat.get().id != first
        assert [message.content for message in chat.messages()] == ["Hello again!"]


@pytest.mark.parametrize("key", ["", " ", "a/b", "current", "x" * 201, "a\nb", "\ud800"])
def test_bad_keys_are_refused(url: str, key: str) -> None:
    with sync.Recollect(url, worker=False) as memory:
        chat = memory.user("alice").conversation(key)
        for call in (lambda: chat.add("Hello!"), lambda: chat.context("Hello!")):
            with pytest.raises(InvalidInput, match="external_id"):
                call()
        assert memory.user("alice").conversations().items == ()


def test_first_writes_at_once_create_one_conversation(url: str) -> None:
    with sync.Recollect(url, worker=False) as memory:
        barrier = threading.Barrier(8)

        def write(number: int) -> None:
            barrier.wait()
            memory.user("alice").conversation("shared").add(f"Message {number}")

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (only,) = memory.user("alice").conversations().items
        assert only.message_count == 8


def test_messages_are_given_as_text_dicts_or_message_in(url: str) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "sum", "arguments": '{"a": 1}'}}
    given: list[str | MessageIn | dict[str, Json]] = [
        "Hello!",
        {"role": "user", "content": [{"type": "text", "text": "Look:"}, IMAGE]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "1"},
        MessageIn(role="assistant", content="It is one."),
        {"role": "developer", "content": "Be brief."},
    ]
    with sync.Recollect(url, worker=False) as memory:
        chat = memory.user("alice").conversation("formats")
        stored = chat.add_all(given)
        assert [message.role for message in stored] == [
            *("user", "user", "assistant", "tool", "assistant", "system")
        ]
        assert stored[1].content == "Look:"
        assert stored[1].custom_payload == {"parts": [IMAGE]}
        assert stored[2].tool_calls == [{"id": "c1", "tool_name": "sum", "input": {"a": 1}}]
        rendered = chat.messages(format="openai")
        assert rendered[2]["tool_calls"] == [
            {**call, "function": {"name": "sum", "arguments": '{"a": 1}'}}
        ]
        assert rendered[3] == {"role": "tool", "tool_call_id": "c1", "content": "1"}
        assert chat.messages(format="gemini")[0] == {"role": "user", "parts": [{"text": "Hello!"}]}
        assert chat.messages(format="text").startswith("User: Hello!")
        assert chat.context("Next?", format="text").text.endswith("User: Next?")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"role": "robot", "content": "x"},
        {"role": "user", "content": 5},
        {"role": "user", "content": ["x"]},
        {"role": "assistant", "tool_calls": [{"id": "c"}]},
    ],
)
def test_broken_dicts_are_refused(url: str, message: dict[str, Json]) -> None:
    with sync.Recollect(url, worker=False) as memory:
        chat = memory.user("alice").conversation("broken")
        with pytest.raises(InvalidInput):
            chat.add(message)
        assert memory.user("alice").conversations().items == ()


def test_missing_model_is_an_error_that_says_so(url: str) -> None:
    settings = Settings(database_url=url, local_model="off")
    with sync.Recollect(settings=settings, worker=False) as memory:
        chat = memory.user("alice").conversation("silent")
        with pytest.raises(NoModelConfigured, match="RECOLLECT_CHAT_MODEL"):
            chat.ask("Is anybody there?")
        assert memory.user("alice").conversations().items == ()
        assert chat.context("Is anybody there?").messages


class Parrot:
    """The smallest chat model, and the smallest embedder."""

    model = "parrot"
    window = 8_000
    dimensions = 8

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        schema: Mapping[str, Json] | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        return Reply(text=str(messages[-1]["content"]))

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        call: CallContext,
        max_tokens: int | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        options: Mapping[str, Json] | None = None,
    ) -> AsyncGenerator[Delta, None]:
        yield Delta(text=f"You said: {messages[-1]['content']}")

    async def embed(self, texts: Sequence[str], *, call: CallContext) -> list[list[float]]:
        return [[float(len(text) % 7 == place) for place in range(8)] for text in texts]


def test_handles_use_the_callers_models(url: str) -> None:
    chat_model: ChatModel = Parrot()
    embedder: Embedder = Parrot()
    with sync.Recollect(url, chat_model=chat_model, embedder=embedder, worker=False) as memory:
        answer = memory.user("alice").conversation("parrot").ask("Hello!").result()
        assert answer.message.content == "You said: Hello!"
        assert memory.embedder == "parrot"
        memory.work()
        assert memory.user("alice").search("Hello!")


def test_failed_answer_says_why(url: str) -> None:
    class Broken(Parrot):
        async def stream(
            self, messages: Sequence[ChatMessage], **options: Any
        ) -> AsyncGenerator[Delta, None]:
            raise ModelFailed("The parrot is asleep.")
            yield Delta()

    with sync.Recollect(url, chat_model=Broken(), worker=False) as memory:
        result = memory.user("alice").conversation("parrot").ask("Hello!").result()
        assert (result.finish, result.message.status) == ("error", "error")
        assert "asleep" in result.message.metadata["error"]


def test_incomplete_models_are_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="chat_model has no `model`"):
        sync.Recollect(url, chat_model=object())  # type: ignore[arg-type]
    with pytest.raises(Misconfigured, match="embedder must be an object, not the class Parrot"):
        sync.Recollect(url, embedder=Parrot)  # type: ignore[arg-type]


def test_wrong_arguments_are_refused(url: str) -> None:
    with sync.Recollect.open(url, chat_model=Parrot()) as memory:
        user = memory.user("alice")
        with pytest.raises(InvalidInput, match="not None"):
            user.conversation(None)  # type: ignore[arg-type]
        chat = user.conversation("strict")
        for messages in ("hello", {"role": "user", "content": "x"}):
            with pytest.raises(InvalidInput, match="add_all takes a list"):
                chat.add_all(messages)
        for message in (None, 3, ["x"]):
            with pytest.raises(InvalidInput, match="A message is a text"):
                chat.add(message)  # type: ignore[arg-type]
        chat.add("Hello!")
        with pytest.raises(InvalidInput, match="format"):
            chat.messages(format="antropic")  # type: ignore[call-overload]
        assert chat.context({"role": "user", "content": "Dict?"}).messages[-1] == {
            "role": "user",
            "content": "Dict?",
        }


def test_message_objects_of_openais_client_are_accepted(url: str) -> None:
    reply = ChatCompletionMessage(role="assistant", content="From May to October.")
    with sync.Recollect(url, worker=False) as memory:
        stored = memory.user("alice").conversation("openai").add(reply)
        assert (stored.role, stored.content) == ("assistant", "From May to October.")


def test_unopened_blocking_engine_says_how_to_open_it(url: str) -> None:
    memory = sync.Recollect(url)
    for use in (lambda: memory.conversations, lambda: memory.user("alice"), memory.work):
        with pytest.raises(Unavailable, match="with Recollect"):
            use()
    memory.close()


def test_memories_of_a_user(url: str) -> None:
    with sync.Recollect(url, worker=False) as memory:
        memories = memory.user("alice").memories
        tea = memories.add("Likes tea")
        assert memories.update(UUID(tea.id), {"content": "Likes green tea"}).content != tea.content
        assert [one.content for one in memories.relevant()] == ["Likes green tea"]
        memories.delete(tea.id)
        assert memories.list().items == ()


def test_reads_of_an_unknown_conversation_create_nothing(url: str) -> None:
    with sync.Recollect(url, worker=False) as memory:
        chat = memory.user("alice").conversation("never used")
        for read in (chat.get, chat.messages, chat.summary, chat.delete):
            with pytest.raises(NotFound):
                read()
        assert memory.user("alice").conversations().items == ()
        assert memory.user("alice").switch("back to our trip").match is None
