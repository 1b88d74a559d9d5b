"""Extraction: the job that reads what users said for what is worth remembering about them.

A conversation is read from where the last extraction ended, once it has fallen idle, once enough
turns have come together, or when somebody asks. A model reads it where there is one, and patterns
where there is none (`statements`). What either finds is put to what is known already (`reconcile`),
in the transaction that also moves the mark to which the conversation has been read: so everything
is read once, whoever else is reading it.

Only the user's own words are read, without what an application pasted into them (`injected`).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile

from recollect.core.errors import Conflict, ModelFailed
from recollect.core.ids import new_id
from recollect.core.memory_types import Memory
from recollect.core.types import MemoryAuthor, Message
from recollect.digest.memories.echo_filter import sentence_hashes, without_injected
from recollect.digest.memories.instruction_filter import gives_orders
from recollect.digest.memories.llm_extractor import ExtractedMemory, SourceMessage, ask, room_in
from recollect.digest.memories.reconcile import (
    KnownMemory,
    MemoryCandidate,
    MemoryChange,
    MemoryCorrection,
    MemoryRetraction,
    Reconciliation,
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
from recollect.llm.protocols import CallContext, ChatModel
from recollect.llm.registry import EmbedderRegistry
from recollect.store import (
    conversations,
    extraction_progress,
    jobs,
    memories,
    messages,
    summaries,
    vectors,
)
from recollect.store.database import Database, Run
from recollect.store.extraction_progress import ExtractionProgress
from recollect.store.jobs import ClaimedJob
from recollect.store.search_index import Filters

logger = logging.getLogger(__name__)

_BATCH = 60
_BATCH_TOKENS = 8_000
_SYSTEM_TEXTS = 20
_BEFORE = 20
"""Messages before those that are read, whose answers the user may quote."""
_BEHIND_ALL_NOTES = 1_000_000
_ALIKE = 0.95
_NEAREST = 5
_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionSchedule:
    """When a conversation is read of itself: after so many turns, or so long without any."""

    turns: int
    idle: timedelta


@dataclass(frozen=True, slots=True)
class _Batch:
    """The next messages to read, as the user said them."""

    reading: ExtractionProgress
    messages: Sequence[Message]
    said: Sequence[SourceMessage]
    is_last: bool

    @property
    def through(self) -> tuple[int, int]:
        """The seq and the turn to which it goes."""
        if self.is_last:
            return self.reading.last_seq, self.reading.last_turn
        return self.messages[-1].seq, self.messages[-1].turn


@dataclass(frozen=True, slots=True)
class _Amendments:
    """What a user takes back."""

    corrections: Sequence[MemoryCorrection]
    retractions: Sequence[MemoryRetraction]


class MemoryExtractor:
    """Asks `model` where there is one; patterns do without."""

    def __init__(
        self,
        database: Database,
        model: ChatModel | None,
        embedders: EmbedderRegistry,
        *,
        moment: ExtractionSchedule,
        max_attempts: int,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._model = model
        self._embedders = embedders
        self._moment = moment
        self._max_attempts = max_attempts
        self._clock = clock

    async def run_job(self, claim: ClaimedJob) -> None:
        id, user_id = claim.conversation, claim.user_id
        reading = await self._database.read(
            lambda run: extraction_progress.get(run, id), user_id=user_id
        )
        if not may_read(reading):
            return
        due_at = self._due_at(reading)
        if claim.payload != jobs.REQUESTED and due_at > self._clock():
            enqueue = partial(
                jobs.enqueue, kind="extract", conversation_id=id, run_at=due_at, now=self._clock()
            )
            await self._database.write(enqueue, user_id=user_id)
            return
        await self.extract(
            conversation_id=id, user_id=user_id, is_last_try=claim.attempts >= self._max_attempts
        )

    async def extract(
        self, *, conversation_id: str, user_id: str, is_last_try: bool = False
    ) -> None:
        """Reads on at once. Raises ModelFailed where there is a model that does not answer."""
        for tries in range(1, _TRIES + 1):
            try:
                return await self._read_on(conversation_id, user_id, is_last_try=is_last_try)
            except Conflict:  # somebody else has read it meanwhile
                if tries == _TRIES:
                    raise

    def _due_at(self, reading: ExtractionProgress) -> datetime:
        if reading.last_turn - reading.through_turn >= self._moment.turns:
            return reading.last_activity_at
        return reading.last_activity_at + self._moment.idle

    async def _read_on(self, id: str, user_id: str, *, is_last_try: bool) -> None:
        while True:
            batch = await self._database.read(partial(self._unread, id=id), user_id=user_id)
            if not may_read(batch.reading):
                return
            candidates = await self._candidates(batch, user_id, is_last_try)
            amendments = await asyncio.to_thread(_amendments, batch)
            commit = partial(
                self._commit,
                batch=batch,
                candidates=candidates,
                amendments=amendments,
                user_id=user_id,
            )
            reconciled = await self._database.write(commit, user_id=user_id)
            _log(reconciled, id)
            if batch.is_last:
                return

    def _unread(self, run: Run, id: str) -> _Batch:
        reading = extraction_progress.get(run, id)
        found = messages.list_between(
            run,
            reading.id,
            through_seq=reading.through_seq,
            before_seq=reading.last_seq + 1,
            limit=_BATCH,
        )
        said = list(takewhile(lambda message: message.status != "streaming", found))
        is_all = len(found) < _BATCH
        if len(said) < len(found):  # what is still being written is read when it has ended
            turn = said[-1].turn if said else reading.through_turn
            reading = replace(reading, last_seq=found[len(said)].seq - 1, last_turn=turn)
            is_all = True
        fitting = _fitting(said, self._room())
        is_last = is_all and len(fitting) == len(said)
        return _Batch(reading, fitting, _spoken(run, reading.id, fitting), is_last)

    def _room(self) -> int:
        """The tokens of one part. What a small window has no room for is read by patterns."""
        return _BATCH_TOKENS if self._reader is None else room_in(self._reader.variant.window)

    @property
    def _reader(self) -> ChatModel | None:
        model = self._model
        return model if model and room_in(model.variant.window) > 0 else None

    async def _candidates(
        self, batch: _Batch, user_id: str, is_last_try: bool
    ) -> list[MemoryCandidate]:
        if not any(one.by_user and one.text for one in batch.said):
            return []
        author: MemoryAuthor = "pattern"
        notes = None
        if self._reader is not None:
            notes = await self._ask(self._reader, batch, user_id, is_last_try)
        if notes is not None:
            author = "model"
        else:
            notes = await asyncio.to_thread(_by_patterns, batch.said)
        candidates = _as_candidates(notes, batch, author)
        return await self._with_alike(candidates, user_id)

    async def _ask(
        self, model: ChatModel, batch: _Batch, user_id: str, is_last_try: bool
    ) -> list[ExtractedMemory] | None:
        call = CallContext(purpose="extraction", user_id=user_id, conversation_id=batch.reading.id)
        try:
            return await ask(model, batch.said, call=call)
        except ModelFailed as error:
            if not is_last_try:
                raise
            logger.warning("extraction_by_patterns", extra={"reason": error.unquoted})
            return None

    async def _with_alike(
        self, candidates: Sequence[MemoryCandidate], user_id: str
    ) -> list[MemoryCandidate]:
        """With the memories whose vectors are as good as the same. What has a key is known by
        that."""
        unkeyed = [one for one in candidates if one.key is None]
        answer = await self._embedders.embed_texts(
            [one.content for one in unkeyed], user_id=user_id
        )
        if answer is None:
            return [*candidates]
        model, found = answer

        def look(run: Run) -> dict[str, frozenset[str]]:
            return {
                one.id: _alike(run, vectors.QueryVector(model, vector))
                for one, vector in zip(unkeyed, found, strict=True)
            }

        alike = await self._database.read(look, user_id=user_id)
        return [replace(one, alike=alike.get(one.id, frozenset())) for one in candidates]

    def _commit(
        self,
        run: Run,
        *,
        batch: _Batch,
        candidates: Sequence[MemoryCandidate],
        amendments: _Amendments,
        user_id: str,
    ) -> Reconciliation:
        now = self._clock()
        id = batch.reading.id
        conversations.lock(run, id)
        memories.lock(run, now=now)
        standing = extraction_progress.get(run, id)
        if (standing.through_seq, standing.removals) != (
            batch.reading.through_seq,
            batch.reading.removals,
        ):
            raise Conflict("The conversation was read or changed meanwhile.")
        if not may_read(standing):
            return Reconciliation([], [])
        reconciled = Reconciliation([], [])
        if candidates or amendments.corrections or amendments.retractions:
            reconciled = _reconcile(run, candidates, amendments, user_id, now)
        for change in reconciled.changes:
            _apply(run, change, now)
        if reconciled.changes and self._embedders.configured is not None:
            jobs.enqueue(run, "embed", None, run_at=now, now=now)
        seq, turn = batch.through
        extraction_progress.set_progress(run, id, through_seq=seq, turn=turn)
        if batch.is_last and standing.last_seq == seq:
            jobs.cancel_pending(run, "extract", id)
        return reconciled


def may_read(reading: ExtractionProgress) -> bool:
    """Whether its user wants it to be read, and it is one that lasts."""
    return reading.remember and reading.is_chat


def _fitting(found: Sequence[Message], room: int) -> list[Message]:
    """As many as fit into one call, but at least one: a giant one is shortened for it."""
    fitting: list[Message] = []
    for message in found:
        room -= message.tokens
        if fitting and room < 0:
            break
        fitting.append(message)
    return fitting


def _spoken(run: Run, id: str, found: Sequence[Message]) -> list[SourceMessage]:
    """What was said, without what was there before it was said: a sentence that stands in a system
    prompt, in an answer, in a summary or among the memories is not the user's. What others say
    *after* the user is an echo, and so is a summary that covers the message."""
    if not found:
        return []
    summary = summaries.current(run, id)
    before = messages.page(run, id, order="desc", limit=_BEFORE, beyond_seq=found[0].seq)
    users = [one.content for one in found if one.role == "user"]
    injected = sentence_hashes(messages.system_texts(run, id, limit=_SYSTEM_TEXTS))
    injected |= sentence_hashes(one.content for one in before if one.role != "user")
    injected |= memories.find_existing_hashes(run, sentence_hashes(users))
    summarized = sentence_hashes([summary.text]) if summary else set()
    said = []
    for message in found:
        if message.role == "user":
            is_covered = summary is not None and message.seq <= summary.through_seq
            known = injected if is_covered else injected | _pasted(message.content, summarized)
            text = without_injected(message.content, known)
        else:
            text = message.content if message.role == "assistant" else ""
            injected |= sentence_hashes([message.content])
        said.append(SourceMessage(number=message.seq, by_user=message.role == "user", text=text))
    return said


def _pasted(text: str, summarized: Set[str]) -> Set[str]:
    """The sentences of a summary in a message, where they are all it has, or several. A summary
    quotes the user, who may well say one of them again."""
    found = sentence_hashes([text]) & summarized
    return found if len(found) > 1 or found == summarized else set()


def _by_patterns(said: Sequence[SourceMessage]) -> list[ExtractedMemory]:
    return [
        _as_note(statement, one.number)
        for one in said
        if one.by_user
        for statement in extract_facts(one.text)
        if not gives_orders(statement.sentence)
    ]


def _as_note(statement: Fact, source: int) -> ExtractedMemory:
    return ExtractedMemory(
        source=source,
        memory_type=statement.memory_type,
        category=statement.category,
        content=statement.content,
        subject=statement.subject,
        attribute=statement.attribute,
        confidence=statement.confidence,
    )


def _as_candidates(
    notes: Sequence[ExtractedMemory], batch: _Batch, author: MemoryAuthor
) -> list[MemoryCandidate]:
    by_seq = {message.seq: message for message in batch.messages}
    return [
        MemoryCandidate(
            id=new_id(),
            memory_type=note.memory_type,
            category=note.category,
            content=note.content,
            subject=note.subject,
            attribute=note.attribute,
            confidence=note.confidence,
            author=author,
            message_id=by_seq[note.source].id,
            conversation_id=batch.reading.id,
            said_at=_said_at(by_seq[note.source]),
            recorded_at=by_seq[note.source].created_at,
            place=(note.source, number),
        )
        for number, note in enumerate(notes)
    ]


def _said_at(message: Message) -> datetime:
    """A date in the future is a clock's mistake: nothing that is said later could outdate it."""
    return min(message.event_at, message.created_at)


def _amendments(batch: _Batch) -> _Amendments:
    """Whoever reads the rest, these are read by patterns: they are about what is known already."""
    by_seq = {message.seq: message for message in batch.messages}
    spoken = [said for said in batch.said if said.by_user]
    corrections = [
        MemoryCorrection(
            id=new_id(),
            right=one.right,
            wrong=one.wrong,
            key=one.key,
            message_id=by_seq[said.number].id,
            conversation_id=batch.reading.id,
            said_at=_said_at(by_seq[said.number]),
            recorded_at=by_seq[said.number].created_at,
            place=(said.number, _BEHIND_ALL_NOTES + number),
        )
        for said in spoken
        for number, one in enumerate(extract_corrections(said.text))
    ]
    denied = [
        _as_note(statement, said.number)
        for said in spoken
        for statement in extract_retractions(said.text)
    ]
    retractions = [MemoryRetraction(was=one) for one in _as_candidates(denied, batch, "pattern")]
    return _Amendments(corrections, retractions)


def _alike(run: Run, query: vectors.QueryVector) -> frozenset[str]:
    near = vectors.nearest(run, "memory", query, filters=Filters(), limit=_NEAREST)
    return frozenset(id for id, cosine in near.items() if cosine >= _ALIKE)


def _reconcile(
    run: Run,
    candidates: Sequence[MemoryCandidate],
    amendments: _Amendments,
    user_id: str,
    now: datetime,
) -> Reconciliation:
    denied = [one.was for one in amendments.retractions]
    corrections = [
        replace(one, standing=frozenset(m.id for m in memories.list_from_conversation(run, id)))
        for one in amendments.corrections
        for id in [one.conversation_id]
    ]
    known = _related(run, [*candidates, *denied], corrections)
    spoken = [memory.content for memory in known.values()]
    spoken += [one.content for one in candidates]
    right = [
        text for one in corrections for said in spoken if (text := apply_correction(said, one))
    ]
    for memory in (
        memories.find_related(run, texts=right, keys=_keys(right), ids=[]) if right else ()
    ):
        known[memory.id] = memory
    sources = memories.sources(run, [*known])
    read_in = {one.message_id for one in candidates} | {one.message_id for one in corrections}
    return reconcile(
        candidates,
        [KnownMemory(memory, frozenset(sources[memory.id])) for memory in known.values()],
        memories.find_tombstones(
            run,
            user_id=user_id,
            texts=[*(one.content for one in candidates), *right],
            message_ids=read_in,
        ),
        corrections=corrections,
        retractions=amendments.retractions,
        user_id=user_id,
        now=now,
    )


def _keys(notes: Sequence[str]) -> list[tuple[str, str]]:
    return [key for note in notes if (key := parse_note(note))]


def _related(
    run: Run, candidates: Sequence[MemoryCandidate], corrections: Sequence[MemoryCorrection]
) -> dict[str, Memory]:
    """What is known of the same, by id."""
    if not candidates and not corrections:
        return {}
    alike = {id for one in candidates for id in one.alike}
    standing = {id for one in corrections for id in one.standing}
    related = memories.find_related(
        run,
        texts=[one.content for one in candidates],
        keys={one.key for one in candidates if one.key}
        | {one.key for one in corrections if one.key},
        ids=alike | standing,
    )
    return {memory.id: memory for memory in related}


def _apply(run: Run, change: MemoryChange, now: datetime) -> None:
    one = change.candidate
    if change.before is None:
        memories.insert(run, change.after, actor=one.author, message_id=one.message_id, now=now)
    else:
        memories.update(
            run,
            change.before,
            change.after,
            action=change.action,
            actor=one.author,
            message_id=one.message_id,
            now=now,
        )


def _log(reconciled: Reconciliation, conversation_id: str) -> None:
    """Counts only: what was said is nobody's business here."""
    if reconciled.decisions:
        verdicts = Counter(decision.verdict for decision in reconciled.decisions)
        logger.debug(
            "memories_extracted", extra={"conversation_id": conversation_id, "verdicts": verdicts}
        )
