"""The job that embeds messages, topics and memories, and the switch to another embedder.

A job embeds a conversation's topic and the passages of its new messages, in batches; a job without
a conversation embeds the user's memories. Every registered embedder processes everything: the
active one, whose vectors are searched, and one that is catching up. When it has caught up, it
becomes active in one transaction, and the previous one's vectors are removed. A search always uses
one embedder only.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from recollect.core.errors import Misconfigured, ModelFailed, ModelRejected, NotFound
from recollect.core.types import Message
from recollect.llm.protocols import CallContext, Embedder
from recollect.llm.registry import EmbedderRegistry
from recollect.store import conversations, jobs, memories, messages, search_index, vectors
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.store.service_base import ServiceBase
from recollect.store.vectors import EmbeddedText, RegisteredEmbedder

logger = logging.getLogger(__name__)

_MESSAGE_BATCH = 64
_PASSAGE_BATCH = 256
"""Passages to store at once, but for a message that has more."""
_MAX_CALL_TEXTS = 128
"""Texts in one call of the embedder."""
_MEMORY_BATCH = 256
_SWEEP_BATCH = 500
_MAX_TEXT_CHARS = 4_000
_RETRY_TEXT_CHARS = 800
"""The length of a text that was rejected at full length."""
_TEST_TEXT = "?"
_RETRY_FAILED_AFTER = timedelta(hours=1)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _MessageBatch:
    """The messages after `read_from`, up to `through_seq`, and the texts of their passages."""

    messages: Sequence[Message]
    texts: Sequence[EmbeddedText]
    read_from: int
    through_seq: int
    is_last: bool


class EmbeddingIndexer(ServiceBase):
    def __init__(
        self, database: Database, embedders: EmbedderRegistry, *, clock: Callable[[], datetime]
    ) -> None:
        super().__init__(database, clock=clock)
        self._embedders = embedders
        self._is_registered = False
        self._is_prepared = False

    async def check(self) -> None:
        """Raise Misconfigured if the configured embedder's dimensions are wrong.

        A new remote embedder is asked for a test vector.
        """
        configured = self._embedders.configured
        if configured is None:
            return
        known = await self._database.system(vectors.list_embedders, read_only=True)
        if not any(embedder.model == configured.model for embedder in known):
            await self._embedders.probe()
        self._note_active(known)

    async def register(self) -> None:
        """Register the configured embedder, so that its vectors are computed.

        Only processes that run jobs call this: readers do not change anything.
        """
        configured = self._embedders.configured
        if configured is None:
            return
        if not self._is_registered:
            register = partial(
                vectors.register,
                model=configured.model,
                dimensions=configured.dimensions,
                now=self._clock(),
            )
            self._note_active(await self._database.system(register))
            self._is_registered = True
        if not self._is_prepared:
            self._is_prepared = await self._database.prepare_vectors(
                configured.model, configured.dimensions
            )

    def _note_active(self, registered: Sequence[RegisteredEmbedder]) -> None:
        for embedder in registered:
            self._embedders.get(embedder.model, embedder.dimensions)  # checks the dimensions
            if embedder.state == "active":
                self._embedders.set_active(embedder.model, embedder.dimensions)

    async def run_job(self, claim: ClaimedJob) -> None:
        for registered in await self._database.system(vectors.list_embedders, read_only=True):
            embedder = self._embedders.get(registered.model, registered.dimensions)
            if embedder is None:  # not available here: it is being replaced
                continue
            try:
                if claim.conversation_id is None:
                    await self._embed_memories(embedder, claim.user_id)
                else:
                    await self._embed_messages(embedder, claim.user_id, claim.conversation_id)
                    await self._embed_topic(embedder, claim.user_id, claim.conversation_id)
            except (ModelFailed, Misconfigured) as error:
                if embedder is self._embedders.configured:
                    raise
                # The endpoint may not have the other model; a sweep enqueues what was missed.
                logger.warning(
                    "embedder.previous_failed",
                    extra={"model": embedder.model, "reason": error.log_message},
                )
        await self._switch_if_complete()

    async def _switch_if_complete(self) -> None:
        """Activate the configured embedder if it has caught up, and delete other vectors."""
        configured = self._embedders.configured
        registered = await self._database.system(vectors.list_embedders, read_only=True)
        if configured is None or all(embedder.state == "active" for embedder in registered):
            return
        if await self._database.system(
            partial(vectors.activate_if_complete, model=configured.model)
        ):
            logger.info("embedder.switched", extra={"model": configured.model})
            await self._delete_unregistered()

    async def requeue_missing(self, now: datetime) -> None:
        """Enqueue jobs for everything that an embedder has not embedded and that has no job."""
        await self.register()
        failed_since = now - _RETRY_FAILED_AFTER
        await self._database.system(partial(jobs.delete_failed_embeds, before=failed_since))
        for registered in await self._database.system(vectors.list_embedders, read_only=True):
            if self._embedders.get(registered.model, registered.dimensions) is None:
                continue
            find = partial(_find_unembedded, model=registered.model, failed_since=failed_since)
            for user_id, conversation_id in await self._database.system(find, read_only=True):
                enqueue = partial(
                    jobs.enqueue, kind="embed", conversation_id=conversation_id, run_at=now, now=now
                )
                with suppress(NotFound):  # deleted meanwhile
                    await self._write(enqueue, user_id)
        await self._switch_if_complete()
        await self._delete_unregistered()  # also after a killed process

    async def _embed_messages(self, embedder: Embedder, user_id: str, id: str) -> None:
        while not await self._embed_message_batch(embedder, user_id, id):
            pass

    async def _embed_message_batch(self, embedder: Embedder, user_id: str, id: str) -> bool:
        """Embed the next messages; return whether they were the last.

        All passages of a message are stored in one transaction, so a search finds either the
        earlier vectors of a message or the new ones.
        """
        model = embedder.model
        batch = await self._read(lambda run: _unread(run, id, model), user_id)
        embedded = await self._embed_texts(embedder, user_id, batch.texts, conversation_id=id)
        ids = [*dict.fromkeys(text.owner_id for text in embedded)]
        now = self._clock()

        def store(run: Run) -> None:
            conversations.lock(run, id)
            search_index.split_whole_messages(run, batch.messages, user_id=user_id)
            vectors.replace_messages(run, model, ids, embedded, now=now)
            vectors.set_progress(
                run, id, model, read_from=batch.read_from, through_seq=batch.through_seq
            )

        await self._write(store, user_id)
        return batch.is_last

    async def _embed_topic(self, embedder: Embedder, user_id: str, id: str) -> None:
        def find(run: Run) -> str:
            text = _topic_text(run, id)
            previous = vectors.embedded_text(run, "topic", id, model=embedder.model)
            return "" if text == previous else text

        text = await self._read(find, user_id)
        if not text:
            return
        topic = EmbeddedText(kind="topic", owner_id=id, text=text, vector=())
        embedded = await self._embed_texts(embedder, user_id, [topic], conversation_id=id)
        now = self._clock()

        def store(run: Run) -> None:
            conversations.lock(run, id)
            if _topic_text(run, id) == text:  # else it may quote deleted messages
                vectors.put(run, embedder.model, embedded, now=now)

        await self._write(store, user_id)

    async def _embed_memories(self, embedder: Embedder, user_id: str) -> None:
        """Embed each memory once, also one that is not searchable and gets no vector."""
        unread = partial(vectors.unembedded_memories, model=embedder.model, limit=_MEMORY_BATCH)
        after_id: str | None = None
        while batch := await self._read(partial(unread, after_id=after_id), user_id):
            after_id = batch[-1][0]
            texts = [
                EmbeddedText(kind="memory", owner_id=id, text=content, vector=())
                for id, content in batch
            ]
            embedded = await self._embed_texts(embedder, user_id, texts)
            store = partial(
                _store_memories, model=embedder.model, embedded=embedded, now=self._clock()
            )
            await self._write(store, user_id)

    async def _embed_texts(
        self,
        embedder: Embedder,
        user_id: str,
        texts: Sequence[EmbeddedText],
        *,
        conversation_id: str | None = None,
    ) -> list[EmbeddedText]:
        """Return the texts that the embedder accepts, with their vectors."""
        call = CallContext(purpose="embedding", user_id=user_id, conversation_id=conversation_id)
        embedded: list[EmbeddedText] = []
        rejection: ModelRejected | None = None
        for start in range(0, len(texts), _MAX_CALL_TEXTS):
            some = texts[start : start + _MAX_CALL_TEXTS]
            try:
                found = await embedder.embed([text.text for text in some], call=call)
                embedded += [replace(t, vector=v) for t, v in zip(some, found, strict=True)]
            except ModelRejected as error:
                rejection = error
                embedded += await self._one_by_one(embedder, some, call)
        if rejection is not None and not embedded:
            raise rejection
        if rejection is not None and len(embedded) < len(texts):
            logger.warning(
                "embedding.texts_rejected",
                extra={"count": len(texts) - len(embedded), "reason": rejection.log_message},
            )
        return embedded

    async def _one_by_one(
        self, embedder: Embedder, texts: Sequence[EmbeddedText], call: CallContext
    ) -> list[EmbeddedText]:
        """Embed the texts one by one, because one rejected text must not block the others."""
        # if this is rejected, too, the texts are not the reason
        await embedder.embed([_TEST_TEXT], call=call)
        embedded = []
        for text in texts:
            for part in dict.fromkeys((text.text[:_MAX_TEXT_CHARS], text.text[:_RETRY_TEXT_CHARS])):
                with suppress(ModelRejected):
                    (vector,) = await embedder.embed([part], call=call)
                    embedded.append(replace(text, text=part, vector=vector))
                    break
        return embedded

    async def _delete_unregistered(self) -> None:
        for model in await self._database.system(vectors.list_unregistered, read_only=True):
            while await self._database.system(partial(vectors.delete_batch, model=model)):
                pass
            await self._database.drop_vectors(model)


def _find_unembedded(
    run: Run, *, model: str, failed_since: datetime
) -> list[tuple[str, str | None]]:
    """Return users and conversations without vectors; None stands for the user's memories."""
    chats = vectors.unembedded_conversations(
        run, model=model, failed_since=failed_since, limit=_SWEEP_BATCH
    )
    users = vectors.users_with_unembedded_memories(
        run, model=model, failed_since=failed_since, limit=_SWEEP_BATCH
    )
    return [*chats, *((user_id, None) for user_id in users)]


def _store_memories(
    run: Run, *, model: str, embedded: Sequence[EmbeddedText], now: datetime
) -> None:
    """Store vectors, but not of memories that were deleted or changed meanwhile."""
    memories.lock(run, now=now)
    known = {m.id: m.content for m in memories.current(run, [e.owner_id for e in embedded])}
    current = [e for e in embedded if known.get(e.owner_id, "").startswith(e.text)]
    vectors.put(run, model, current, now=now)


def _unread(run: Run, id: str, model: str) -> _MessageBatch:
    """Return the next messages to embed, up to an answer that is still being streamed."""
    through_seq, last_seq = vectors.get_progress(run, id, model)
    page = messages.page(run, id, order="asc", limit=_MESSAGE_BATCH, beyond_seq=through_seq)
    unread: list[Message] = []
    texts: list[EmbeddedText] = []
    for message in page:
        passages = _passage_texts(message)
        is_full = bool(unread) and len(texts) + len(passages) > _PASSAGE_BATCH
        if is_full or message.status == "streaming":
            last = unread[-1].seq if unread else through_seq
            return _MessageBatch(unread, texts, through_seq, last, is_last=not is_full)
        unread.append(message)
        texts += passages
    if len(page) == _MESSAGE_BATCH:
        return _MessageBatch(unread, texts, through_seq, unread[-1].seq, is_last=False)
    return _MessageBatch(unread, texts, through_seq, last_seq, is_last=True)


def _topic_text(run: Run, id: str) -> str:
    conversation = conversations.get(run, id)
    return search_index.topic_text(conversation.title, conversation.topic)


def _passage_texts(message: Message) -> list[EmbeddedText]:
    """Return the passages with their speaker and day, because searches often name them."""
    if message.role not in search_index.INDEXED_ROLES or message.superseded_at is not None:
        return []
    text, passages = search_index.message_passages(message.content, message.tool_calls)
    speaker = search_index.speaker_of(message.metadata) or message.role.capitalize()
    at = message.event_at
    said_by = f"{speaker} ({at.day} {_MONTHS[at.month - 1]} {at.year})"
    return [
        EmbeddedText(
            kind="message",
            owner_id=message.id,
            part=part,
            text=f"{said_by}: {search_index.passage_text(text, passage)[:_MAX_TEXT_CHARS]}",
            vector=(),
        )
        for part, passage in enumerate(passages)
    ]
