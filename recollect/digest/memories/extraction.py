"""The job that extracts memories from what users said.

A conversation is read from where the last extraction ended: when it is idle, when it has enough new
turns, or on request. A model extracts memories if there is one, else patterns (`language.facts`).
The results are reconciled with the known memories (`reconcile`) in the transaction that also
stores the progress, so every message is read once, even by concurrent extractions.

Only the user's own words are read, without text that applications pasted (`echo_filter`).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile
from typing import TypeVar

from recollect.core.errors import Conflict, ModelFailed
from recollect.core.ids import new_id
from recollect.core.types import MemoryAuthor, Message
from recollect.digest.memories.echo_filter import remove_echoes, sentence_hashes
from recollect.digest.memories.instruction_filter import is_instruction
from recollect.digest.memories.llm_extractor import (
    ExtractedMemory,
    extract_with_model,
    max_input_tokens,
)
from recollect.digest.memories.reconcile import (
    KnownMemory,
    MemoryCandidate,
    MemoryChange,
    MemoryCorrection,
    MemorySource,
    Reconciliation,
    Verdict,
    apply_correction,
    reconcile,
)
from recollect.language.facts import (
    Fact,
    extract_corrections,
    extract_facts,
    extract_retractions,
    parse_note,
)
from recollect.llm.protocols import CallContext, CompletionModel
from recollect.llm.registry import EmbedderRegistry
from recollect.store import (
    conversations,
    extraction_progress,
    jobs,
    memories,
    messages,
    search,
    summaries,
    vectors,
)
from recollect.store.database import Database, Run
from recollect.store.extraction_progress import ExtractionProgress
from recollect.store.jobs import ClaimedJob
from recollect.store.service_base import ServiceBase

logger = logging.getLogger(__name__)

T = TypeVar("T")
_MAX_BATCH_MESSAGES = 60
_MAX_BATCH_TOKENS = 8_000
_MAX_SYSTEM_TEXTS = 20
_MESSAGES_BEFORE = 20
"""The user may quote answers among these messages before the batch."""
_AFTER_ALL_MEMORIES = 1_000_000
_SIMILAR_COSINE = 0.95
_MAX_SIMILAR = 5
_MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionSchedule:
    """When a conversation is read automatically: after so many turns, or after so long idle."""

    turns: int
    idle: timedelta


@dataclass(frozen=True, slots=True)
class _ExtractionBatch:
    """The next messages to read, without echoes."""

    progress: ExtractionProgress
    messages: Sequence[Message]
    is_last: bool

    @property
    def through(self) -> tuple[int, int]:
        """The seq and the turn of its last message."""
        if self.is_last:
            return self.progress.last_seq, self.progress.last_turn
        return self.messages[-1].seq, self.messages[-1].turn


class MemoryExtractor(ServiceBase):
    """Uses `model` if given and its window is large enough, else patterns."""

    def __init__(
        self,
        database: Database,
        model: CompletionModel | None,
        embedders: EmbedderRegistry,
        *,
        schedule: ExtractionSchedule,
        max_attempts: int,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._input_tokens = max_input_tokens(model.window) if model else 0
        self._model = model if self._input_tokens else None
        self._embedders = embedders
        self._schedule = schedule
        self._max_attempts = max_attempts

    async def run_job(self, claim: ClaimedJob) -> None:
        id, user_id = claim.conversation, claim.user_id
        progress = await self._read(lambda run: extraction_progress.get(run, id), user_id)
        if not _is_readable(progress):
            return
        due_at = self._due_at(progress)
        if claim.payload != jobs.REQUESTED and due_at > self._clock():
            enqueue = partial(
                jobs.enqueue, kind="extract", conversation_id=id, run_at=due_at, now=self._clock()
            )
            await self._write(enqueue, user_id)
            return
        await self.extract(
            conversation_id=id,
            user_id=user_id,
            is_last_attempt=claim.attempts >= self._max_attempts,
        )

    async def extract(
        self, *, conversation_id: str, user_id: str, is_last_attempt: bool = False
    ) -> None:
        """Read the new messages now. Raises ModelFailed, except in the last attempt."""
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            try:
                return await self._extract(
                    conversation_id, user_id, is_last_attempt=is_last_attempt
                )
            except Conflict:  # a concurrent extraction read the messages meanwhile
                if attempt == _MAX_ATTEMPTS:
                    raise

    def _due_at(self, progress: ExtractionProgress) -> datetime:
        if progress.last_turn - progress.through_turn >= self._schedule.turns:
            return progress.last_activity_at
        return progress.last_activity_at + self._schedule.idle

    async def _extract(self, id: str, user_id: str, is_last_attempt: bool) -> None:
        while True:
            batch = await self._read(partial(self._next_batch, id=id), user_id)
            if not _is_readable(batch.progress):
                return
            candidates = await self._candidates(batch, user_id, is_last_attempt)
            candidates += await asyncio.to_thread(_retractions, batch)
            corrections = await asyncio.to_thread(_corrections, batch)
            commit = partial(
                self._commit,
                batch=batch,
                candidates=candidates,
                corrections=corrections,
                user_id=user_id,
            )
            verdicts = await self._write(commit, user_id)
            if verdicts:
                fields = {"conversation_id": id, "verdicts": Counter(verdicts.values())}
                logger.debug("memories.extracted", extra=fields)
            if batch.is_last:
                return

    def _next_batch(self, run: Run, id: str) -> _ExtractionBatch:
        progress = extraction_progress.get(run, id)
        unread = messages.list_between(
            run,
            progress.id,
            through_seq=progress.through_seq,
            before_seq=progress.last_seq + 1,
            limit=_MAX_BATCH_MESSAGES,
        )
        complete = list(takewhile(lambda message: message.status != "streaming", unread))
        is_all = len(unread) < _MAX_BATCH_MESSAGES
        if len(complete) < len(unread):  # a streamed answer is read when it is complete
            turn = complete[-1].turn if complete else progress.through_turn
            progress = replace(progress, last_seq=unread[len(complete)].seq - 1, last_turn=turn)
            is_all = True
        fitting = _fitting(complete, self._input_tokens or _MAX_BATCH_TOKENS)
        is_last = is_all and len(fitting) == len(complete)
        return _ExtractionBatch(progress, _without_echoes(run, progress.id, fitting), is_last)

    async def _candidates(
        self, batch: _ExtractionBatch, user_id: str, is_last_attempt: bool
    ) -> list[MemoryCandidate]:
        if not any(message.role == "user" and message.content for message in batch.messages):
            return []
        answer = None
        if self._model is not None:
            answer = await self._ask_model(self._model, batch, user_id, is_last_attempt)
        if answer is None:
            candidates = await asyncio.to_thread(_by_patterns, batch)
        else:
            by_seq = {message.seq: message for message in batch.messages}
            candidates = _as_candidates(((by_seq[m.source], m) for m in answer), "model")
        return await self._with_similar(candidates, user_id)

    async def _ask_model(
        self, model: CompletionModel, batch: _ExtractionBatch, user_id: str, is_last_attempt: bool
    ) -> list[ExtractedMemory] | None:
        call = CallContext(purpose="extraction", user_id=user_id, conversation_id=batch.progress.id)
        try:
            return await extract_with_model(model, batch.messages, call=call)
        except ModelFailed as error:
            if not is_last_attempt:
                raise
            logger.warning("extraction.model_failed", extra={"reason": error.log_message})
            return None

    async def _with_similar(
        self, candidates: Sequence[MemoryCandidate], user_id: str
    ) -> list[MemoryCandidate]:
        """Add the ids of memories with nearly the same vector; a key identifies them better."""
        unkeyed = [candidate for candidate in candidates if candidate.key is None]
        embedded = await self._embedders.embed_texts(
            [candidate.content for candidate in unkeyed], user_id=user_id
        )
        if embedded is None:
            return [*candidates]
        model, embeddings = embedded

        def find(run: Run) -> dict[str, frozenset[str]]:
            similar = {}
            for candidate, vector in zip(unkeyed, embeddings, strict=True):
                query = vectors.QueryVector(model, vector)
                nearest = search.nearest(run, "memory", query, limit=_MAX_SIMILAR)
                similar[candidate.id] = frozenset(
                    id for id, cosine in nearest.items() if cosine >= _SIMILAR_COSINE
                )
            return similar

        similar = await self._read(find, user_id)
        return [replace(c, similar_ids=similar.get(c.id, frozenset())) for c in candidates]

    def _commit(
        self,
        run: Run,
        batch: _ExtractionBatch,
        candidates: Sequence[MemoryCandidate],
        corrections: Sequence[MemoryCorrection],
        user_id: str,
    ) -> Mapping[str, Verdict]:
        """Store the memories and the progress; return the verdicts."""
        now, before = self._clock(), batch.progress
        id = before.id
        conversations.lock(run, id)
        memories.lock(run, now=now)
        progress = extraction_progress.get(run, id)
        if (progress.through_seq, progress.removals) != (before.through_seq, before.removals):
            raise Conflict("The conversation was read or changed meanwhile.")
        if not _is_readable(progress):
            return {}
        reconciled = _reconcile(run, candidates, corrections, user_id, now)
        for change in reconciled.changes:
            _apply(run, change, now)
        if reconciled.changes and self._embedders.configured is not None:
            jobs.enqueue(run, "embed", None, run_at=now, now=now)
        seq, turn = batch.through
        extraction_progress.set_progress(run, id, through_seq=seq, turn=turn)
        if batch.is_last and progress.last_seq == seq:
            jobs.cancel_pending(run, "extract", id)
        return reconciled.verdicts


def _is_readable(progress: ExtractionProgress) -> bool:
    """Whether the user allows extraction, and the conversation is not ephemeral."""
    return progress.remember and progress.is_chat


def _fitting(batch: Sequence[Message], max_tokens: int) -> list[Message]:
    """Return as many messages as fit into one call, but at least one: it is truncated there."""
    fitting: list[Message] = []
    for message in batch:
        max_tokens -= message.tokens
        if fitting and max_tokens < 0:
            break
        fitting.append(message)
    return fitting


def _without_echoes(run: Run, id: str, batch: Sequence[Message]) -> list[Message]:
    """Remove sentences that existed before the user sent them: in a system prompt, an answer, a
    summary or a memory. Later copies, and a summary that covers the message, quote the user."""
    if not batch:
        return []
    summary = summaries.current(run, id)
    before = messages.page(run, id, order="desc", limit=_MESSAGES_BEFORE, beyond_seq=batch[0].seq)
    user_texts = [message.content for message in batch if message.role == "user"]
    known = sentence_hashes(messages.system_texts(run, id, limit=_MAX_SYSTEM_TEXTS))
    known |= sentence_hashes(message.content for message in before if message.role != "user")
    known |= memories.find_existing_hashes(run, sentence_hashes(user_texts))
    summarized = sentence_hashes([summary.text]) if summary else set()
    cleaned = []
    for message in batch:
        text = message.content
        if message.role == "user":
            is_covered = summary is not None and message.seq <= summary.through_seq
            pasted = set() if is_covered else _pasted(text, summarized)
            text = remove_echoes(text, known | pasted)
        else:
            known |= sentence_hashes([text])
        cleaned.append(replace(message, content=text))
    return cleaned


def _pasted(text: str, summarized: Set[str]) -> Set[str]:
    """Return a message's sentences from a summary, if there are several or no others. A single one
    may be the user's: a summary quotes users, and they may repeat themselves."""
    shared = sentence_hashes([text]) & summarized
    return shared if len(shared) > 1 or shared == summarized else set()


def _in_user_messages(
    batch: _ExtractionBatch, extract: Callable[[str], Iterable[T]]
) -> Iterator[tuple[Message, T]]:
    for message in batch.messages:
        if message.role == "user":
            for found in extract(message.content):
                yield message, found


def _by_patterns(batch: _ExtractionBatch) -> list[MemoryCandidate]:
    facts = _in_user_messages(batch, extract_facts)
    return _as_candidates(
        ((message, fact) for message, fact in facts if not is_instruction(fact.sentence)), "pattern"
    )


def _as_candidates(
    extracted: Iterable[tuple[Message, ExtractedMemory | Fact]], author: MemoryAuthor
) -> list[MemoryCandidate]:
    return [
        MemoryCandidate(
            id=new_id(),
            memory_type=memory.memory_type,
            category=memory.category,
            content=memory.content,
            subject=memory.subject,
            attribute=memory.attribute,
            confidence=memory.confidence,
            author=author,
            source=_source(message, index),
        )
        for index, (message, memory) in enumerate(extracted)
    ]


def _source(message: Message, index: int) -> MemorySource:
    return MemorySource(
        message_id=message.id,
        conversation_id=message.conversation_id,
        # a date in the future is a wrong clock: nothing said later could supersede it
        said_at=min(message.event_at, message.created_at),
        recorded_at=message.created_at,
        position=(message.seq, index),
    )


def _corrections(batch: _ExtractionBatch) -> list[MemoryCorrection]:
    return [
        MemoryCorrection(
            id=new_id(),
            right=correction.right,
            wrong=correction.wrong,
            key=correction.key,
            source=_source(message, _AFTER_ALL_MEMORIES + index),
        )
        for index, (message, correction) in enumerate(_in_user_messages(batch, extract_corrections))
    ]


def _retractions(batch: _ExtractionBatch) -> list[MemoryCandidate]:
    denied = _as_candidates(_in_user_messages(batch, extract_retractions), "pattern")
    return [replace(candidate, is_retraction=True) for candidate in denied]


def _reconcile(
    run: Run,
    candidates: Sequence[MemoryCandidate],
    corrections: Sequence[MemoryCorrection],
    user_id: str,
    now: datetime,
) -> Reconciliation:
    items: list[MemoryCandidate | MemoryCorrection] = [*candidates, *corrections]
    if not items:
        return Reconciliation()
    if corrections:
        id = corrections[0].source.conversation_id
        ids = frozenset(memory.id for memory in memories.list_from_conversation(run, id))
        corrections = [replace(c, conversation_memory_ids=ids) for c in corrections]
    similar = {id for candidate in candidates for id in candidate.similar_ids}
    in_conversation = {id for c in corrections for id in c.conversation_memory_ids}
    related = memories.find_related(
        run,
        texts=[candidate.content for candidate in candidates],
        keys={item.key for item in items if item.key},
        ids=similar | in_conversation,
    )
    known = {memory.id: memory for memory in related}
    stated = [candidate.content for candidate in candidates if not candidate.is_retraction]
    corrected = [
        text
        for correction in corrections
        for content in [*(memory.content for memory in known.values()), *stated]
        if (text := apply_correction(content, correction))
    ]
    if corrected:
        keys = [key for text in corrected if (key := parse_note(text))]
        related = memories.find_related(run, texts=corrected, keys=keys, ids=[])
        known |= {memory.id: memory for memory in related}
    sources = memories.sources(run, [*known])
    return reconcile(
        candidates,
        [KnownMemory(memory, frozenset(sources[memory.id])) for memory in known.values()],
        memories.find_tombstones(
            run,
            user_id=user_id,
            texts=[*stated, *corrected],
            message_ids={item.source.message_id for item in items},
        ),
        corrections=corrections,
        user_id=user_id,
        now=now,
    )


def _apply(run: Run, change: MemoryChange, now: datetime) -> None:
    author, message_id = change.candidate.author, change.candidate.source.message_id
    if change.before is None:
        memories.insert(run, change.after, actor=author, message_id=message_id, now=now)
    else:
        memories.update(
            run,
            change.before,
            change.after,
            action=change.action,
            actor=author,
            message_id=message_id,
            now=now,
        )
