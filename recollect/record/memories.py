"""`memory.memories`: read, write and correct what is known about a user.

A user's own memories win over extracted ones: a memory that a user writes supersedes an extracted
one with the same subject and attribute. If that is the user's own too, both are kept, and the new
one gets no attribute. A deleted memory leaves a tombstone, so that it is not extracted again.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial

from recollect.core import tokens
from recollect.core.errors import Conflict, InvalidInput
from recollect.core.ids import canonical_id, new_id
from recollect.core.memory_types import Memory, MemoryEvent, MemoryFilters, MemoryIn
from recollect.core.pagination import (
    check_page,
    decode_id,
    make_page,
)
from recollect.core.ports import MemoryExtraction, MemorySelection
from recollect.core.types import Deleted, Job, Json, MemoryAction, Page
from recollect.core.validation import check_pinned, check_text
from recollect.language.facts import parse_note
from recollect.record.conversation_target import lock_conversation
from recollect.record.enqueue import JobEnqueuer
from recollect.record.memory_validation import validate_filters, validate_new, validate_updates
from recollect.store import conversations, extraction_progress, jobs, memories, messages
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase

_DEFAULT_CONFIDENCE = 1.0
_DISPLAY_FIELDS = frozenset({"is_pinned", "is_archived"})
"""Changing these does not make the user the author of a memory."""


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
        """Create a memory. If the user already wrote the same text, update that one instead.

        The source, if given, must be the user's own.
        """
        values = validate_new(memory)
        now = self._clock()

        def create(run: Run) -> Memory:
            conversation_id, message_id = _lock_source(run, memory)
            conversations.lock_user(run, now=now)
            memories.lock(run, now=now)
            subject, attribute = parse_note(values["content"]) or (None, None)
            new = Memory(
                **values,
                id=new_id(),
                user_id=user_id,
                subject=subject,
                attribute=attribute,
                author="user",
                source_conversation_id=conversation_id,
                source_message_id=message_id,
                created_at=now,
                updated_at=now,
                valid_from=now,
                confirmed_at=now,
            )
            if duplicate := _find_duplicate(run, new):
                return self._merge(run, duplicate, new, now=now)
            new = _supersede_conflicting(run, new, force=False, now=now)
            memories.insert(run, new, actor="user", message_id=message_id, now=now)
            self._after_change(run, new, now=now)
            return new

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
        """List memories, newest first: the current ones, unless the filters say otherwise."""
        filters = filters or MemoryFilters()
        validate_filters(filters)
        check_page(limit, offset, cursor)
        before = decode_id("memories", cursor)
        find = partial(
            memories.page, filters=filters, limit=limit + 1, offset=offset, before_id=before
        )
        found = await self._read(find, user_id)
        return make_page(found, limit, "memories", lambda memory: (memory.id,))

    async def update_memory(
        self, updates: Mapping[str, Json], *, memory_id: str, user_id: str
    ) -> Memory:
        """Update any of memory_type, category, content, is_pinned, is_archived, confidence.

        All but the two flags make the user the author of the memory.
        """
        changes = validate_updates(updates)
        now = self._clock()

        def update(run: Run) -> Memory:
            memories.lock(run, now=now)
            before = memories.get(run, memory_id)
            after = replace(before, **changes)
            if after == before:
                return before
            if not changes.keys() <= _DISPLAY_FIELDS:
                after = replace(after, author="user")
            if after.content != before.content:
                memories.insert_tombstones(run, before, now=now)
                after = memories.detach_sources(run, _with_new_key(before, after))
            return self._change(run, before, after, action="updated", now=now)

        return await self._write(update, user_id)

    async def delete_memory(self, *, memory_id: str, user_id: str) -> Deleted:
        """Delete a memory and its history. Its sources do not bring it back."""
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
        """List the changes of a memory, newest first."""
        check_page(limit, 0, cursor)

        def find(run: Run) -> list[MemoryEvent]:
            id = memories.get(run, memory_id).id
            before = decode_id("history", cursor, id)
            return memories.events(run, id, limit=limit + 1, before_id=before)

        found = await self._read(find, user_id)
        return make_page(found, limit, "history", lambda event: (event.memory_id, event.id))

    async def undo(self, *, memory_id: str, user_id: str) -> Memory:
        """Undo the last change that has not been undone yet.

        Undoing a supersession makes the old memory current and the new one superseded, whichever
        of the two is given.
        """
        now = self._clock()

        def undo(run: Run) -> Memory:
            memories.lock(run, now=now)
            memory = memories.get(run, memory_id)
            event = memories.find_undoable_event(run, memory.id)
            if event is None:
                return self._restore_superseded(run, memory, now=now)
            before = memories.revert(memory, event)
            if before.content != memory.content:
                memories.insert_tombstones(run, memory, now=now)
            is_restored = event.action == "superseded"
            if is_restored:
                before = replace(before, author="user")
            memories.mark_undone(run, event, now=now)
            undone = self._change(run, memory, before, action="undone", force=is_restored, now=now)
            if undone.source_message_id is not None:
                memories.add_source(run, undone.id, undone.source_message_id, now=now)
            return undone

        return await self._write(undo, user_id)

    async def extract_memories(self, *, conversation_id: str, user_id: str) -> list[Memory]:
        """Extract memories from the unread messages, and return those added or changed."""
        started = new_id()
        job = await self.request_extraction(conversation_id=conversation_id, user_id=user_id)
        assert job.conversation_id is not None
        id = job.conversation_id
        await self._extraction.extract(conversation_id=id, user_id=user_id)

        def find(run: Run) -> list[Memory]:
            ids = memories.list_extracted_since(run, id, started)
            return [memories.get(run, memory_id) for memory_id in ids]

        return await self._read(find, user_id)

    async def request_extraction(self, *, conversation_id: str, user_id: str) -> Job:
        """Enqueue an extraction of the unread messages, to run as soon as possible."""
        now = self._clock()

        def enqueue(run: Run) -> Job:
            id = conversations.get(run, conversation_id).id
            progress = extraction_progress.get(run, id)
            if not progress.is_chat:
                raise Conflict("A turn history is not read for memories.")
            if not progress.remember:
                raise Conflict(
                    "The conversation is kept out of memory. Set remember to true to have the "
                    "messages from then on read."
                )
            jobs.enqueue(run, "extract", id, run_at=now, now=now, payload=jobs.REQUESTED)
            jobs.expedite(run, "extract", id, now=now, payload=jobs.REQUESTED)
            return jobs.get_waiting(run, "extract", id)

        return await self._write(enqueue, user_id)

    async def get_context_memories(
        self, message: str | None = None, *, user_id: str
    ) -> list[Memory]:
        """Return memories for a context: pinned, then relevant to the message, then newest."""
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
        force: bool = False,
        now: datetime,
    ) -> Memory:
        changed = replace(after, updated_at=now)
        changed = _supersede_conflicting(run, changed, force=force, now=now)
        memories.update(run, before, changed, action=action, actor="user", now=now)
        self._after_change(run, changed, now=now)
        return changed

    def _merge(self, run: Run, duplicate: Memory, new: Memory, *, now: datetime) -> Memory:
        """Update a memory with the fields of a new one that has the same text.

        Its source is kept: it must not be deleted with another message.
        """
        is_default = new.confidence == _DEFAULT_CONFIDENCE
        after = replace(
            duplicate,
            memory_type=new.memory_type,
            category=new.category or duplicate.category,
            is_pinned=new.is_pinned or duplicate.is_pinned,
            confidence=duplicate.confidence if is_default else new.confidence,
        )
        if after == duplicate:
            return duplicate
        return self._change(run, duplicate, after, action="updated", now=now)

    def _after_change(self, run: Run, memory: Memory, *, now: datetime) -> None:
        if memory.is_pinned and memory.is_current:
            check_pinned_memories(run, self._pinned_tokens)
        self._enqueuer.enqueue_embedding(run, None, now=now)

    def _restore_superseded(self, run: Run, memory: Memory, *, now: datetime) -> Memory:
        """Restore the memory that this one superseded when it was created."""
        older = memories.list_superseded_by(run, memory.id)
        if not older or not memory.is_current:
            raise Conflict("There is nothing to undo. A memory can be deleted instead.")
        if event := memories.find_superseding_event(run, older[-1].id):
            memories.mark_undone(run, event, now=now)
        restored = replace(older[-1], valid_to=None, superseded_by=None, author="user")
        self._change(run, older[-1], restored, action="undone", force=True, now=now)
        return memories.get(run, memory.id)


def _find_duplicate(run: Run, memory: Memory) -> Memory | None:
    """Find a current memory of the user's own with the same text."""
    related = memories.find_related(run, texts=[memory.content], keys=[], ids=[])
    return next((found for found in related if found.is_current and found.author == "user"), None)


def _supersede_conflicting(run: Run, memory: Memory, *, force: bool, now: datetime) -> Memory:
    """Supersede the current memory with the same subject and attribute.

    If that is pinned or the user's own, keep both, and return the given one without its attribute;
    unless `force` is set.
    """
    conflicting = memories.find_conflicting(run, memory) if memory.is_current else None
    if conflicting is None:
        return memory
    if (conflicting.author == "user" or conflicting.is_pinned) and not force:
        return replace(memory, subject=None, attribute=None)
    superseded = replace(conflicting, valid_to=now, superseded_by=memory.id, updated_at=now)
    memories.update(run, conflicting, superseded, action="superseded", actor="user", now=now)
    return memory


def _with_new_key(before: Memory, after: Memory) -> Memory:
    """Set subject and attribute by the new text.

    If it tells neither, the old ones are kept, unless the attribute has many values.
    """
    key = parse_note(after.content)
    if key is None and before.key and ":" not in before.key[1]:
        key = before.key
    subject, attribute = key or (None, None)
    return replace(after, subject=subject, attribute=attribute)


def _lock_source(run: Run, memory: MemoryIn) -> tuple[str | None, str | None]:
    """Lock the source conversation, and return its id and the source message's."""
    for field in ("source_conversation_id", "source_message_id"):
        if (id := getattr(memory, field)) is not None:
            check_text(id, field)
    conversation_id, message_id = memory.source_conversation_id, memory.source_message_id
    if message_id is None:
        if conversation_id is None:
            return None, None
        return lock_conversation(run, conversation_id).id, None
    id = messages.get(run, message_id).conversation_id
    if conversation_id is not None and id not in (
        canonical_id(conversation_id),
        conversations.find_key(run, conversation_id),
    ):
        raise InvalidInput("The message is not in that conversation.", field="source_message_id")
    conversations.lock(run, id)
    return id, messages.get(run, message_id).id


def check_pinned_memories(run: Run, limit: int) -> None:
    """Raise TooLarge if the user's pinned memories exceed the limit."""
    pinned = sum(tokens.count(memory.content) for memory in memories.pinned(run))
    check_pinned("memories", pinned, limit=limit)
