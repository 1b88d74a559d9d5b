"""`memory.memories`: what is known about a user, to be read, written and corrected.

What a user writes here wins over whatever an extraction finds. A memory that a user adds or changes
takes the place of an extracted one that holds of the same subject and attribute, but never of
another that is the user's own: then it stands beside it, without an attribute. What is deleted
leaves a tombstone, so that it does not come back from where it came from.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, get_args

from recollect.core import tokens
from recollect.core.errors import Conflict, InvalidInput, TooLarge
from recollect.core.ids import canonical_id, new_id
from recollect.core.memory_types import Memory, MemoryEvent, MemoryFilters, MemoryIn
from recollect.core.pagination import (
    check_page,
    decode_event_cursor,
    decode_memory_cursor,
    event_cursor,
    make_page,
    memory_cursor,
)
from recollect.core.ports import MemoryExtraction, MemorySelection
from recollect.core.types import Deleted, Job, Json, MemoryAction, MemoryType, Page
from recollect.core.validation import check_flag, check_name, check_size, check_text
from recollect.language.facts import parse_note
from recollect.record.enqueue import JobEnqueuer
from recollect.store import conversations, extraction_progress, jobs, memories, messages
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase

_TYPES: tuple[str, ...] = get_args(MemoryType)
_LARGEST_CONTENT = 8_000
_LONGEST_CATEGORY = 100
_LONGEST_QUERY = 1_000
_CERTAIN = 1.0
"""Of what nobody doubts, and where nothing is said of it."""
_UPDATABLE = frozenset(
    {"memory_type", "category", "content", "is_pinned", "is_archived", "confidence"}
)


_HANDLED = frozenset({"is_pinned", "is_archived"})
"""What changes how a memory is shown, and not what it says."""


class Memories(ServiceBase):
    def __init__(
        self,
        database: Database,
        *,
        enqueuer: JobEnqueuer,
        pinned_tokens: int,
        extraction: MemoryExtraction,
        selection: MemorySelection,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._enqueuer = enqueuer
        self._pinned_tokens = pinned_tokens
        self._extraction = extraction
        self._selection = selection

    async def create_memory(self, memory: MemoryIn, *, user_id: str) -> Memory:
        """What a user wants to be known. A source has to be theirs.

        What they have written already is not written twice: a retry returns the first.
        """
        _check(memory)
        now = self._clock()

        def create(run: Run) -> Memory:
            conversation_id, message_id = _source(run, memory)
            conversations.lock_user(run, now=now)  # who is not deleted before this ends
            memories.lock(run, now=now)
            content = memory.content.strip()
            subject, attribute = parse_note(content) or (None, None)
            new = Memory(
                id=new_id(),
                user_id=user_id,
                memory_type=memory.memory_type,
                category=(memory.category or "").strip() or None,
                content=content,
                subject=subject,
                attribute=attribute,
                author="user",
                source_conversation_id=conversation_id,
                source_message_id=message_id,
                created_at=now,
                updated_at=now,
                last_accessed_at=None,
                access_count=0,
                is_pinned=memory.is_pinned,
                is_archived=False,
                confidence=float(memory.confidence),
                valid_from=now,
                valid_to=None,
                confirmed_at=now,
                superseded_by=None,
            )
            if twin := _twin(run, new):
                return self._add_to(run, twin, new, now=now)
            settled = _make_room(run, new, at_any_rate=False, now=now)
            memories.insert(run, settled, actor="user", message_id=message_id, now=now)
            self._settle(run, settled, now=now)
            return settled

        return await self._write(create, user_id)

    async def get_memory(self, *, memory_id: str, user_id: str) -> Memory:
        return await self._read(lambda run: memories.get(run, memory_id), user_id)

    async def get_memories(
        self,
        filters: MemoryFilters | None = None,
        limit: int = 50,
        offset: int = 0,
        *,
        user_id: str,
        cursor: str | None = None,
    ) -> Page[Memory]:
        """Newest first: those that hold, or those that do not any more."""
        chosen = filters or MemoryFilters()
        _check_filters(chosen)
        check_page(limit, offset, cursor)
        before = decode_memory_cursor(cursor) if cursor is not None else None
        found = await self._read(
            partial(
                memories.page, filters=chosen, limit=limit + 1, offset=offset, before_id=before
            ),
            user_id,
        )
        return make_page(found, limit, memory_cursor)

    async def update_memory(
        self, updates: Mapping[str, Json], *, memory_id: str, user_id: str
    ) -> Memory:
        """Takes any of memory_type, category, content, is_pinned, is_archived, confidence.

        Content that is given is the user's own from then on.
        """
        changes = _checked(updates)
        now = self._clock()

        def update(run: Run) -> Memory:
            memories.lock(run, now=now)
            before = memories.get(run, memory_id)
            after = replace(before, **changes)
            if after == before:
                return before
            if not changes.keys() <= _HANDLED:
                after = replace(after, author="user")
            if after.content != before.content:
                memories.insert_tombstones(run, before, now=now)
                after = memories.detach_sources(run, _rewritten(before, after))
            return self._change(run, before, after, action="updated", now=now)

        return await self._write(update, user_id)

    async def delete_memory(self, *, memory_id: str, user_id: str) -> Deleted:
        """Gone with its history, and it does not come back from what it was read in."""
        now = self._clock()

        def delete(run: Run) -> Deleted:
            memories.lock(run, now=now)
            memory = memories.get(run, memory_id)
            memories.insert_tombstones(run, memory, now=now)
            return memories.delete(run, memory, now=now)

        return await self._write(delete, user_id)

    async def get_history(
        self, limit: int = 50, *, memory_id: str, user_id: str, cursor: str | None = None
    ) -> Page[MemoryEvent]:
        """Every change, newest first: who, when, from which message, before and after."""
        check_page(limit, 0, cursor)

        def find(run: Run) -> list[MemoryEvent]:
            id = memories.get(run, memory_id).id
            before = decode_event_cursor(id, cursor) if cursor is not None else None
            return memories.events(run, id, limit=limit + 1, before_id=before)

        return make_page(await self._read(find, user_id), limit, event_cursor)

    async def undo(self, *, memory_id: str, user_id: str) -> Memory:
        """Takes back the last change that has not been undone; then the one before it.

        A memory that was superseded holds again, and what had taken its place does not. Undoing
        that which took the place comes to the same.
        """
        now = self._clock()

        def take_back(run: Run) -> Memory:
            memories.lock(run, now=now)
            memory = memories.get(run, memory_id)
            event = memories.find_undoable_event(run, memory.id)
            if event is None:
                return self._give_way(run, memory, now=now)
            before = memories.revert(memory, event)
            if before.content != memory.content:
                memories.insert_tombstones(run, memory, now=now)
            is_back = event.action == "superseded"
            if is_back:
                before = replace(before, author="user")
            memories.mark_undone(run, event, now=now)
            undone = self._change(
                run, memory, before, action="undone", at_any_rate=is_back, now=now
            )
            if undone.source_message_id is not None:
                memories.add_source(run, undone.id, undone.source_message_id, now=now)
            return undone

        return await self._write(take_back, user_id)

    async def extract_memories(self, *, conversation_id: str, user_id: str) -> list[Memory]:
        """Reads on where the last extraction ended, and returns what that added or changed."""
        mark = new_id()
        job = await self.request_extraction(conversation_id=conversation_id, user_id=user_id)
        assert job.conversation_id is not None
        id = job.conversation_id
        await self._extraction.extract(conversation_id=id, user_id=user_id)

        def find(run: Run) -> list[Memory]:
            return [memories.get(run, one) for one in memories.list_extracted_since(run, id, mark)]

        return await self._read(find, user_id)

    async def request_extraction(self, *, conversation_id: str, user_id: str) -> Job:
        """The job that will read on, as soon as a worker has time for it."""
        now = self._clock()

        def enqueue(run: Run) -> Job:
            reading = extraction_progress.get(run, conversation_id)
            if not reading.is_chat:
                raise Conflict("A turn history is not read for memories.")
            if not reading.remember:
                raise Conflict(
                    "The conversation is kept out of memory. With remember set to true, what is "
                    "said from then on is read."
                )
            jobs.enqueue(run, "extract", reading.id, run_at=now, now=now, payload=jobs.REQUESTED)
            jobs.expedite(run, "extract", reading.id, now=now, payload=jobs.REQUESTED)
            return jobs.get_waiting(run, "extract", reading.id)

        return await self._write(enqueue, user_id)

    async def get_context_memories(
        self, message: str | None = None, *, user_id: str
    ) -> list[Memory]:
        """What to tell a model about the user: what is pinned, then up to ten by their relevance to
        the message, and the newest."""
        if message is not None:
            check_text(message, "message")
        return await self._selection.choose(message, user_id=user_id)

    def _change(
        self,
        run: Run,
        before: Memory,
        after: Memory,
        *,
        action: MemoryAction,
        at_any_rate: bool = False,
        now: datetime,
    ) -> Memory:
        changed = replace(after, updated_at=now)
        settled = _make_room(run, changed, at_any_rate=at_any_rate, now=now)
        memories.update(run, before, settled, action=action, actor="user", now=now)
        self._settle(run, settled, now=now)
        return settled

    def _add_to(self, run: Run, twin: Memory, new: Memory, *, now: datetime) -> Memory:
        """What is said of the same once more; without a word on its confidence, that stays. It does
        not come to hang on another message, with which it would go."""
        after = replace(
            twin,
            memory_type=new.memory_type,
            category=new.category or twin.category,
            is_pinned=new.is_pinned or twin.is_pinned,
            confidence=twin.confidence if new.confidence == _CERTAIN else new.confidence,
        )
        return twin if after == twin else self._change(run, twin, after, action="updated", now=now)

    def _settle(self, run: Run, memory: Memory, *, now: datetime) -> None:
        if memory.is_pinned and memory.is_current:
            check_pinned_memories(run, self._pinned_tokens)
        self._enqueuer.enqueue_embedding(run, None, now=now)

    def _give_way(self, run: Run, memory: Memory, *, now: datetime) -> Memory:
        """To what it had superseded when it was created."""
        older = memories.list_superseded_by(run, memory.id)
        if not older or not memory.is_current:
            raise Conflict("There is nothing to undo. A memory can be deleted instead.")
        if event := memories.find_superseding_event(run, older[-1].id):
            memories.mark_undone(run, event, now=now)
        restored = replace(older[-1], valid_to=None, superseded_by=None, author="user")
        self._change(run, older[-1], restored, action="undone", at_any_rate=True, now=now)
        return memories.get(run, memory.id)


def _twin(run: Run, memory: Memory) -> Memory | None:
    """The same in the user's own words, as long as it holds."""
    said = memories.find_related(run, texts=[memory.content], keys=[], ids=[])
    return next((one for one in said if one.is_current and one.author == "user"), None)


def _make_room(run: Run, memory: Memory, *, at_any_rate: bool, now: datetime) -> Memory:
    """Whatever else holds of the same makes way for what a user says. Where that is the user's own
    as well, both stay, unless one is to hold `at_any_rate`."""
    rival = memories.find_conflicting(run, memory) if memory.is_current else None
    if rival is None:
        return memory
    if (rival.author == "user" or rival.is_pinned) and not at_any_rate:
        return replace(memory, subject=None, attribute=None)
    retired = replace(rival, valid_to=now, superseded_by=memory.id, updated_at=now)
    memories.update(run, rival, retired, action="superseded", actor="user", now=now)
    return memory


def _rewritten(before: Memory, after: Memory) -> Memory:
    """It is the user's now. Where nobody can tell what it is about, it is still about the one thing
    that it was about; but not about another of many."""
    key = parse_note(after.content)
    if key is None and before.key and ":" not in before.key[1]:
        key = before.key
    subject, attribute = key or (None, None)
    return replace(after, subject=subject, attribute=attribute)


def _source(run: Run, memory: MemoryIn) -> tuple[str | None, str | None]:
    """The conversation and the message it was said in, which are not deleted before this ends."""
    for field in ("source_conversation_id", "source_message_id"):
        if (id := getattr(memory, field)) is not None:
            check_text(id, field)
    conversation_id = memory.source_conversation_id
    if memory.source_message_id is not None:
        said = messages.get(run, memory.source_message_id)
        if conversation_id is not None and canonical_id(conversation_id) != said.conversation_id:
            raise InvalidInput(
                "The message is not in that conversation.", field="source_message_id"
            )
        conversation_id = said.conversation_id
    if conversation_id is None:
        return None, None
    conversations.lock(run, conversation_id)
    id = conversations.get(run, conversation_id).id
    if memory.source_message_id is None:
        return id, None
    return id, messages.get(run, memory.source_message_id).id


def check_pinned_memories(run: Run, limit: int) -> None:
    """Pinned memories are always sent, so there is a limit to them."""
    pinned = sum(tokens.count(memory.content) for memory in memories.pinned(run))
    if pinned > limit:
        raise TooLarge(
            f"With this one the pinned memories have {pinned:,} tokens; the limit is {limit:,}. "
            "Unpin another one first.",
            field="is_pinned",
        )


def _check(memory: MemoryIn) -> None:
    if not isinstance(memory, MemoryIn):
        kind = type(memory).__name__
        raise InvalidInput(f"memory must be a MemoryIn, not {kind}.", field="memory")
    _checked(
        {
            "memory_type": memory.memory_type,
            "content": memory.content,
            "category": memory.category,
            "is_pinned": memory.is_pinned,
            "confidence": memory.confidence,
        }
    )


def _checked(updates: Mapping[str, Json]) -> dict[str, Any]:
    """What was given, in the form in which it is stored."""
    if not isinstance(updates, Mapping):
        raise InvalidInput("updates must be an object.", field="updates")
    if unknown := updates.keys() - _UPDATABLE:
        field = min(unknown)
        known = ", ".join(sorted(_UPDATABLE))
        raise InvalidInput(f"{field} cannot be updated, only {known}.", field=field)
    given = dict(updates)
    if "memory_type" in given:
        _check_type(given["memory_type"])
    if "content" in given:
        given["content"] = _content(given["content"])
    if given.get("category") is not None:
        check_name(given["category"], "category", limit=_LONGEST_CATEGORY)
        given["category"] = given["category"].strip() or None
    if "confidence" in given:
        given["confidence"] = _confidence(given["confidence"])
    for flag in given.keys() & {"is_pinned", "is_archived"}:
        check_flag(given[flag], flag)
    return given


def _content(content: Json) -> str:
    check_text(content, "content")
    text: str = content.strip()
    if not text:
        raise InvalidInput("content is empty.", field="content")
    check_size(text, "content", limit=_LARGEST_CONTENT)
    return text


def _confidence(confidence: Json) -> float:
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool)
    if not is_number or not 0 <= confidence <= 1:
        raise InvalidInput("confidence must be a number from 0 to 1.", field="confidence")
    return float(confidence)


def _check_type(memory_type: Json) -> None:
    if memory_type not in _TYPES:
        known = ", ".join(_TYPES)
        message = f"memory_type must be one of {known}, not {memory_type!r}."
        raise InvalidInput(message, field="memory_type")


def _check_filters(filters: MemoryFilters) -> None:
    if filters.memory_type is not None:
        _check_type(filters.memory_type)
    if filters.category is not None:
        check_name(filters.category, "category", limit=_LONGEST_CATEGORY)
    if filters.query is not None:
        check_name(filters.query, "q", limit=_LONGEST_QUERY)
