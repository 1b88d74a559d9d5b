"""The job that embeds what was said, and how one embedder takes over from another.

A job belongs to a conversation: its topic, and the messages beyond those that are embedded already,
in batches. One without a conversation is about the user's memories. Each registered embedder reads
everything: the active one, whose vectors are searched, and one that is being filled in. When that
has read all that the active one has, it takes over in one transaction, and the vectors of the old
one are removed afterwards. A search is answered by one embedder, before and after.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile

from recollect.core.errors import Misconfigured, ModelFailed, ModelRejected, NotFound
from recollect.core.types import Message
from recollect.llm.protocols import CallContext, Embedder
from recollect.llm.registry import Embedders
from recollect.store import conversations, jobs, memories, messages, search_index, vectors
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.store.search_index import Kind
from recollect.store.vectors import Embedded, Registered

logger = logging.getLogger(__name__)

_BATCH = 64
_MEMORIES_BATCH = 256
_SWEEP_BATCH = 500
_LONGEST_TEXT = 4_000
"""What an embedder is given of a message; those that read less leave the rest."""
_SHORT_TEXT = 800
"""What one is given that refuses to."""
_HARMLESS = "?"
_FAILED_FOR = timedelta(hours=1)
"""After which what has failed is tried again."""
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Text:
    kind: Kind
    owner_id: str
    text: str

    def embedded(self, vector: Sequence[float]) -> Embedded:
        return Embedded(kind=self.kind, owner_id=self.owner_id, text=self.text, vector=vector)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Messages that follow the one `read_from`, up to `through_seq`."""

    messages: Sequence[Message]
    read_from: int
    through_seq: int
    is_last: bool


class Embedding:
    def __init__(
        self, database: Database, embedders: Embedders, *, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._embedders = embedders
        self._clock = clock
        self._is_enrolled = False
        self._is_prepared = False

    async def check(self) -> None:
        """Raises Misconfigured if the configured embedder cannot be the one it says it is.

        One behind an endpoint is asked for a vector, when it is new.
        """
        configured = self._embedders.configured
        if configured is None:
            return
        known = await self._database.system(vectors.registered, read_only=True)
        if not any(one.model == configured.model for one in known):
            await self._embedders.try_out()
        self._take_note(known)

    async def enrol(self) -> None:
        """From here on the configured embedder's vectors are made, beside those of another one
        until it can take over. Only who does the work decides that: looking on changes nothing."""
        configured = self._embedders.configured
        if configured is None:
            return
        if not self._is_enrolled:
            register = partial(
                vectors.register,
                model=configured.model,
                dimensions=configured.dimensions,
                now=self._clock(),
            )
            self._take_note(await self._database.system(register))
            self._is_enrolled = True
        if not self._is_prepared:
            self._is_prepared = await self._database.prepare_vectors(
                configured.model, configured.dimensions
            )

    def _take_note(self, registered: Sequence[Registered]) -> None:
        for one in registered:
            self._embedders.get(one.model, one.dimensions)
            if one.state == "active":
                self._embedders.heard(one.model, one.dimensions)

    async def run_job(self, claim: ClaimedJob) -> None:
        for registered in await self._database.system(vectors.registered, read_only=True):
            embedder = self._embedders.get(registered.model, registered.dimensions)
            if embedder is None:  # nobody here can ask it: it is on its way out
                continue
            try:
                await self._embed(embedder, claim)
            except (ModelFailed, Misconfigured) as error:
                if embedder is self._embedders.configured:
                    raise
                # Its endpoint may not know another's model, and a sweep owes what was missed.
                logger.warning(
                    "other_embedder_failed",
                    extra={"model": embedder.model, "reason": error.unquoted},
                )
        await self._take_over()

    async def _embed(self, embedder: Embedder, claim: ClaimedJob) -> None:
        if claim.conversation_id is None:
            await self._embed_memories(embedder, claim.user_id)
        else:
            await self._embed_messages(embedder, claim.user_id, claim.conversation_id)
            await self._embed_topic(embedder, claim.user_id, claim.conversation_id)

    async def _take_over(self) -> None:
        """Lets the configured embedder take over, if it is ready, and clears up behind it."""
        configured = self._embedders.configured
        registered = await self._database.system(vectors.registered, read_only=True)
        if configured is None or all(one.state == "active" for one in registered):
            return
        if await self._database.system(partial(vectors.take_over, model=configured.model)):
            logger.info("embedder_took_over", extra={"model": configured.model})
            await self._discard()

    async def requeue_missing(self, now: datetime) -> None:
        """Owes what an embedder has not read and has no job: it is new, or the job was lost."""
        await self.enrol()
        failed_since = now - _FAILED_FOR
        await self._database.system(partial(jobs.forget_failed_embeds, before=failed_since))
        for registered in await self._database.system(vectors.registered, read_only=True):
            if self._embedders.get(registered.model, registered.dimensions) is None:
                continue
            lost = await self._database.system(
                partial(
                    vectors.unembedded_conversations,
                    model=registered.model,
                    failed_since=failed_since,
                    limit=_SWEEP_BATCH,
                ),
                read_only=True,
            )
            users = await self._database.system(
                partial(
                    vectors.users_with_unembedded_memories,
                    model=registered.model,
                    failed_since=failed_since,
                    limit=_SWEEP_BATCH,
                ),
                read_only=True,
            )
            for user_id, conversation_id in [*lost, *((user_id, None) for user_id in users)]:
                enqueue = partial(
                    jobs.enqueue, kind="embed", conversation_id=conversation_id, run_at=now, now=now
                )
                with suppress(NotFound):  # deleted meanwhile
                    await self._database.write(enqueue, user_id=user_id)
        await self._take_over()
        await self._discard()  # also what somebody left who was killed at it

    async def _embed_messages(self, embedder: Embedder, user_id: str, id: str) -> None:
        while True:
            batch = await self._database.read(
                lambda run: _unread(run, id, embedder.model), user_id=user_id
            )
            texts = [_message_text(message) for message in batch.messages if _is_said(message)]
            embedded = await self._vectors(embedder, user_id, texts, conversation_id=id)
            store = partial(
                _store_messages,
                id=id,
                model=embedder.model,
                embedded=embedded,
                batch=batch,
                now=self._clock(),
            )
            await self._database.write(store, user_id=user_id)
            if batch.is_last:
                return

    async def _embed_topic(self, embedder: Embedder, user_id: str, id: str) -> None:
        def find(run: Run) -> str:
            text = _topic_text(run, id)
            was = vectors.embedded_text(run, "topic", id, model=embedder.model)
            return "" if text == was else text

        text = await self._database.read(find, user_id=user_id)
        if not text:
            return
        topic = _Text("topic", id, text)
        embedded = await self._vectors(embedder, user_id, [topic], conversation_id=id)
        now = self._clock()

        def store(run: Run) -> None:
            conversations.lock(run, id)
            if _topic_text(run, id) == text:  # else it may tell of what is deleted
                vectors.put(run, embedder.model, embedded, now=now)

        await self._database.write(store, user_id=user_id)

    async def _embed_memories(self, embedder: Embedder, user_id: str) -> None:
        """Each once, also one that cannot be found and therefore gets no vector."""
        unread = partial(vectors.unembedded_memories, model=embedder.model, limit=_MEMORIES_BATCH)
        after_id: str | None = None
        while found := await self._database.read(
            partial(unread, after_id=after_id), user_id=user_id
        ):
            after_id = found[-1][0]
            texts = [_Text("memory", id, content) for id, content in found]
            embedded = await self._vectors(embedder, user_id, texts)
            store = partial(
                _store_memories, model=embedder.model, embedded=embedded, now=self._clock()
            )
            await self._database.write(store, user_id=user_id)

    async def _vectors(
        self,
        embedder: Embedder,
        user_id: str,
        texts: Sequence[_Text],
        *,
        conversation_id: str | None = None,
    ) -> list[Embedded]:
        """Without those that the embedder will not have, however short."""
        purpose = CallContext(use="embedding", user_id=user_id, conversation_id=conversation_id)
        try:
            found = await embedder.embed([text.text for text in texts], purpose=purpose)
        except ModelRejected as error:
            return await self._one_by_one(embedder, texts, purpose, error)
        return [text.embedded(vector) for text, vector in zip(texts, found, strict=True)]

    async def _one_by_one(
        self,
        embedder: Embedder,
        texts: Sequence[_Text],
        purpose: CallContext,
        error: ModelRejected,
    ) -> list[Embedded]:
        """One text that is refused must not keep all the others from being found."""
        await embedder.embed([_HARMLESS], purpose=purpose)  # else it is not the texts that it minds
        embedded, refused = [], 0
        for text in texts:
            for part in dict.fromkeys((text.text[:_LONGEST_TEXT], text.text[:_SHORT_TEXT])):
                with suppress(ModelRejected):
                    (vector,) = await embedder.embed([part], purpose=purpose)
                    embedded.append(replace(text, text=part).embedded(vector))
                    break
            else:
                refused += 1
        if texts and refused == len(texts):
            raise error
        if refused:
            logger.warning("texts_refused", extra={"count": refused, "reason": error.unquoted})
        return embedded

    async def _discard(self) -> None:
        for model in await self._database.system(vectors.discarded, read_only=True):
            while await self._database.system(partial(vectors.discard_some, model=model)):
                pass
            await self._database.drop_vectors(model)


def _store_messages(
    run: Run,
    *,
    id: str,
    model: str,
    embedded: Sequence[Embedded],
    batch: _Batch,
    now: datetime,
) -> None:
    conversations.lock(run, id)
    vectors.put(run, model, embedded, now=now)
    vectors.set_progress(run, id, model, read_from=batch.read_from, through_seq=batch.through_seq)


def _store_memories(run: Run, *, model: str, embedded: Sequence[Embedded], now: datetime) -> None:
    """Of those that still say so: what was deleted or rewritten meanwhile must not come back."""
    memories.lock(run, now=now)
    known = {one.id: one.content for one in memories.current(run, [e.owner_id for e in embedded])}
    current = [one for one in embedded if known.get(one.owner_id, "").startswith(one.text)]
    vectors.put(run, model, current, now=now)


def _unread(run: Run, id: str, model: str) -> _Batch:
    """The next messages to embed.

    An answer that is still being written is not embedded yet, nor is what follows it.
    """
    through_seq, last_seq = vectors.progress(run, id, model)
    found = messages.page(run, id, order="asc", limit=_BATCH, beyond_seq=through_seq)
    unread = list(takewhile(lambda message: message.status != "streaming", found))
    is_cut = len(unread) < len(found)
    if len(found) < _BATCH and not is_cut:
        return _Batch(unread, through_seq, last_seq, is_last=True)
    last = unread[-1].seq if unread else through_seq
    return _Batch(unread, through_seq, last, is_last=is_cut)


def _topic_text(run: Run, id: str) -> str:
    named = conversations.get(run, id)
    return search_index.topic_text(named.title, named.topic)


def _is_said(message: Message) -> bool:
    is_standing = message.superseded_at is None
    return (
        is_standing and message.role in search_index.INDEXED_ROLES and bool(message.content.strip())
    )


def _message_text(message: Message) -> _Text:
    """With who said it and when: both are asked for as often as what was said."""
    speaker = search_index.speaker_of(message.metadata) or message.role.capitalize()
    said = message.event_at
    day = f"{said.day} {_MONTHS[said.month - 1]} {said.year}"
    text = f"{speaker} ({day}): {message.content[:_LONGEST_TEXT]}"
    return _Text("message", message.id, text)
