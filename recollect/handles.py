"""Handles: the short way to one user's memory and to one conversation.

    chat = memory.user("alice").conversation("lisbon")
    await chat.add("When is it warm in Lisbon?")
    context = await chat.context("And in winter?", budget=3000)

A handle holds ids only: it reads and writes nothing by itself, and its methods call the services of
the engine. A conversation is named by its id or by a key of the caller's own. An unknown name
becomes the key of a new conversation with the first message or context; other reads of it raise
NotFound.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, Unpack, get_args, overload
from uuid import UUID

from recollect.chat.active_answer import AnswerStream
from recollect.chat.openai_messages import message_from_openai
from recollect.chat.tool_loop import PromptOptions
from recollect.core.errors import InvalidInput, NotFound
from recollect.core.memory_types import Memory, MemoryFilters, MemoryIn
from recollect.core.types import (
    Conversation,
    Deleted,
    DeletedUser,
    Json,
    Message,
    MessageIn,
    Order,
    Page,
    Role,
    Summary,
)
from recollect.core.validation import check_choice
from recollect.recall.context.formats import render_messages
from recollect.recall.context.types import (
    ContextOptions,
    Format,
    MessagesContext,
    MessagesFormat,
    TextContext,
    TextFormat,
)
from recollect.recall.search.service import SearchHit, SearchKind
from recollect.recall.switch import SwitchResult
from recollect.record.answer_start import ChatRequest

if TYPE_CHECKING:
    from recollect.engine import Recollect


class OpenAIMessage(Protocol):
    """A message object of OpenAI's client, such as `reply.choices[0].message`."""

    def model_dump(self, *, exclude_none: bool = False) -> dict[str, Json]: ...


MessageLike = str | Mapping[str, Json] | MessageIn | OpenAIMessage
"""A text, a message in OpenAI's form (a dict or its client's object), or a `MessageIn`."""


class UserHandle:
    """One user of the memory."""

    def __init__(self, engine: "Recollect", user_id: str) -> None:
        self._engine = engine
        self.id = user_id
        self.memories = MemoriesHandle(engine, user_id)

    def __repr__(self) -> str:
        return f"UserHandle({self.id!r})"

    def conversation(self, key: str | UUID, *, policy: str | None = None) -> "ConversationHandle":
        """A handle to a conversation, by its id or by your own key.

        `policy` is used if the conversation has to be created.
        """
        if not isinstance(key, str | UUID):
            raise InvalidInput(f"A conversation's key must be text or a UUID, not {key!r}.")
        return ConversationHandle(self._engine, self.id, str(key), policy)

    async def conversations(
        self,
        limit: int = 50,
        *,
        cursor: str | None = None,
        archived: bool = False,
        query: str | None = None,
        project_id: str | None = None,
    ) -> Page[Conversation]:
        """Conversations, latest activity first; `query` filters by title and topic."""
        return await self._engine.conversations.list_conversations(
            limit,
            user_id=self.id,
            cursor=cursor,
            archived=archived,
            query=query,
            project_id=project_id,
        )

    async def search(
        self,
        query: str,
        *,
        kind: SearchKind = "messages",
        project_id: str | None = None,
        role: Role | None = None,
        after: datetime | None = None,
        before: datetime | None = None,
        limit: int = 50,
    ) -> list[SearchHit]:
        """Messages, conversations or memories that match the query, best first."""
        return await self._engine.recall.search(
            query,
            user_id=self.id,
            kind=kind,
            project_id=project_id,
            role=role,
            after=after,
            before=before,
            limit=limit,
        )

    async def switch(self, sentence: str) -> SwitchResult:
        """The conversation that a sentence such as "back to our trip" asks for."""
        return await self._engine.recall.switch(sentence, user_id=self.id)

    async def delete(self) -> DeletedUser:
        """Delete the user and everything that belongs to them."""
        return await self._engine.users.delete_user(user_id=self.id)


class MemoriesHandle:
    """The memories about one user."""

    def __init__(self, engine: "Recollect", user_id: str) -> None:
        self._engine = engine
        self._user_id = user_id

    async def list(
        self,
        filters: MemoryFilters | None = None,
        limit: int = 50,
        *,
        cursor: str | None = None,
    ) -> Page[Memory]:
        """Memories, newest first."""
        return await self._engine.memories.get_memories(
            filters, limit, user_id=self._user_id, cursor=cursor
        )

    async def add(self, memory: str | MemoryIn) -> Memory:
        """Store a memory; a text is stored as a fact."""
        if isinstance(memory, str):
            memory = MemoryIn(memory_type="fact", content=memory)
        return await self._engine.memories.create_memory(memory, user_id=self._user_id)

    async def update(self, memory_id: str | UUID, updates: Mapping[str, Json]) -> Memory:
        return await self._engine.memories.update_memory(
            updates, memory_id=str(memory_id), user_id=self._user_id
        )

    async def delete(self, memory_id: str | UUID) -> Deleted:
        return await self._engine.memories.delete_memory(
            memory_id=str(memory_id), user_id=self._user_id
        )

    async def relevant(self, message: str | None = None) -> Sequence[Memory]:
        """Memories for a prompt: pinned ones, then the most relevant, then the newest."""
        return await self._engine.memories.get_context_memories(message, user_id=self._user_id)


class ConversationHandle:
    """One conversation of a user. The first message or context creates it."""

    def __init__(
        self, engine: "Recollect", user_id: str, key: str, policy: str | None = None
    ) -> None:
        self._engine = engine
        self._user_id = user_id
        self._policy = policy
        self.key = key

    def __repr__(self) -> str:
        return f"ConversationHandle({self.key!r})"

    async def get(self) -> Conversation:
        """The conversation without its messages, or raise NotFound."""
        return await self._engine.conversations.get_conversation(
            conversation_id=self.key, user_id=self._user_id
        )

    async def add(
        self, message: MessageLike, *, role: Role = "user", idempotency_key: str | None = None
    ) -> Message:
        """Append one message, and return it when it is on disk. `role` is for a plain text."""
        (stored,) = await self._append([_message(message, role)], idempotency_key)
        return stored

    async def add_all(
        self, messages: Iterable[MessageLike], *, idempotency_key: str | None = None
    ) -> list[Message]:
        """Append several messages, all or none. A plain text is a user message."""
        if isinstance(messages, str | Mapping):
            raise InvalidInput("add_all takes a list of messages; use add for one.")
        return await self._append([_message(m, "user") for m in messages], idempotency_key)

    async def add_turn(
        self, question: MessageLike, answer: MessageLike, *, idempotency_key: str | None = None
    ) -> list[Message]:
        """Append a user message and the assistant's answer, both or neither."""
        turn = [_message(question, "user"), _message(answer, "assistant")]
        return await self._append(turn, idempotency_key)

    @overload
    async def messages(
        self,
        limit: int = 50,
        *,
        cursor: str | None = None,
        order: Order = "asc",
        from_seq: int | None = None,
    ) -> Page[Message]: ...
    @overload
    async def messages(
        self,
        limit: int = 50,
        *,
        format: MessagesFormat,
        cursor: str | None = None,
        order: Order = "asc",
        from_seq: int | None = None,
    ) -> list[Any]: ...
    @overload
    async def messages(
        self,
        limit: int = 50,
        *,
        format: TextFormat,
        cursor: str | None = None,
        order: Order = "asc",
        from_seq: int | None = None,
    ) -> str: ...
    async def messages(
        self,
        limit: int = 50,
        *,
        format: MessagesFormat | TextFormat | None = None,
        cursor: str | None = None,
        order: Order = "asc",
        from_seq: int | None = None,
    ) -> Page[Message] | list[Any] | str:
        """A page of messages, oldest first, or newest first with `order="desc"`.

        With a `format`, the messages of the page in that form, as a context has them.
        """
        page = await self._engine.conversations.get_messages(
            limit,
            conversation_id=self.key,
            user_id=self._user_id,
            cursor=cursor,
            order=order,
            from_seq=from_seq,
        )
        if format is None:
            return page
        check_choice(format, "format", get_args(Format))
        return render_messages(page.items, format)

    @overload
    async def context(
        self,
        message: MessageLike | None = None,
        *,
        format: MessagesFormat = "openai",
        **options: Unpack[ContextOptions],
    ) -> MessagesContext: ...
    @overload
    async def context(
        self,
        message: MessageLike | None = None,
        *,
        format: TextFormat,
        **options: Unpack[ContextOptions],
    ) -> TextContext: ...
    async def context(
        self,
        message: MessageLike | None = None,
        *,
        format: MessagesFormat | TextFormat = "openai",
        **options: Unpack[ContextOptions],
    ) -> MessagesContext | TextContext:
        """The context for a model call that answers `message`, with its receipt.

        The message is not stored: add it and the answer with `add_turn`.
        """
        text = message if message is None else _message(message, "user").content
        build = partial(
            self._engine.contexts.build_context,
            text,
            conversation_id=self.key,
            user_id=self._user_id,
            format=format,
            **options,
        )
        try:
            return await build()
        except NotFound:
            await self._engine.conversations.get_or_create_conversation(
                self.key, user_id=self._user_id, policy=self._policy
            )
            return await build()

    async def ask(
        self,
        message: MessageLike,
        *,
        idempotency_key: str | None = None,
        **options: Unpack[PromptOptions],
    ) -> AnswerStream:
        """Store the message, and have the configured model answer it with memory added."""
        chat = self._engine.chat
        request = ChatRequest(
            target=chat.target(user_id=self._user_id, key=self.key, policy=self._policy),
            messages=[_message(message, "user")],
            idempotency_key=idempotency_key,
        )
        return await chat.answer(request, options, user_id=self._user_id)

    async def summary(self) -> Summary:
        """The current summary; version 0 and an empty text if there is none yet."""
        return await self._engine.summaries.get_summary(
            conversation_id=self.key, user_id=self._user_id
        )

    async def update(self, updates: Mapping[str, Json]) -> Conversation:
        """Change title, is_archived, metadata, policy, remember, project_id or recall_scope."""
        return await self._engine.conversations.update_conversation(
            updates, conversation_id=self.key, user_id=self._user_id
        )

    async def delete(self) -> Deleted:
        """Delete the conversation and everything derived from it."""
        return await self._engine.conversations.delete_conversation(
            conversation_id=self.key, user_id=self._user_id
        )

    async def _append(
        self, messages: Sequence[MessageIn], idempotency_key: str | None
    ) -> list[Message]:
        return await self._engine.conversations.add_messages(
            messages,
            conversation_id=self.key,
            user_id=self._user_id,
            create_missing=True,
            policy=self._policy,
            idempotency_key=idempotency_key,
        )


def _message(message: MessageLike, role: Role) -> MessageIn:
    if isinstance(message, MessageIn):
        return message
    if isinstance(message, str):
        return MessageIn(role=role, content=message)
    if not isinstance(message, Mapping):  # an object of OpenAI's client
        if not hasattr(message, "model_dump"):
            kind = type(message).__name__
            raise InvalidInput(f"A message is a text, a dict or a MessageIn, not {kind}.")
        message = message.model_dump(exclude_none=True)
    return message_from_openai(message)
