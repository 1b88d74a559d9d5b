"""Conversations and their messages, as the engine offers them.

Each method is one transaction. Ids come first, then the user they must belong to: an id that is
unknown and an id that is somebody else's raise the same NotFound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.core.errors import InvalidInput, NotFound
from recollect.core.ids import new_id
from recollect.core.pagination import (
    check_page,
    conversation_cursor,
    decode_conversation_cursor,
    make_page,
)
from recollect.core.types import Conversation, Deleted, JobKind, Json, Message, MessageIn, Page
from recollect.core.validation import (
    check_flag,
    check_idempotency_key,
    check_name,
    check_title,
    metadata_text,
)
from recollect.language.normalize import like_pattern
from recollect.record.append import Appended, Batch, append
from recollect.record.messages import Messages
from recollect.record.retention import expire
from recollect.store import answers, conversations, extraction_progress, idempotency, jobs, messages
from recollect.store.database import Run
from recollect.store.idempotency import Attempt

_LONGEST_QUERY = 1_000
_OWED_BY_A_FORK: tuple[JobKind, ...] = ("index", "topic")
"""There may be many messages to read, and others want to write meanwhile."""
_UPDATABLE = frozenset({"title", "is_archived", "metadata", "policy", "remember"})


class Conversations(Messages):
    """`memory.conversations`: conversations, and the messages in them."""

    async def create_conversation(
        self,
        title: str | None = None,
        *,
        user_id: str,
        policy: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        remember: bool = True,
        messages: Sequence[MessageIn] = (),
        idempotency_key: str | None = None,
    ) -> Conversation:
        """Created with its first messages, or not at all."""
        check_flag(remember, "remember")
        new = replace(
            self._factory.conversation(
                user_id, title=check_title(title), policy=policy, metadata=metadata
            ),
            remember=remember,
        )
        batch = None
        if messages:
            batch = Batch.of(messages, limit=self._max_bytes, now=new.created_at)
        attempt = None
        if idempotency_key is not None:
            given = metadata_text(new.metadata, limit=self._max_bytes)
            body = [
                title,
                policy,
                given,
                batch.body() if batch else [],
                *([] if remember else [False]),
            ]
            check_idempotency_key(idempotency_key)
            attempt = Attempt.of("conversations", idempotency_key, body)

        def create(run: Run) -> tuple[Conversation, Appended]:
            conversations.lock_user(run, now=new.created_at)
            if attempt and (first := idempotency.recall(run, attempt)) is not None:
                return self._look_up(run, first[0]), Appended(())
            _insert(run, new)
            if attempt:
                idempotency.claim(
                    run, attempt, conversation_id=new.id, result=[new.id], now=new.created_at
                )
            appended = Appended(())
            if batch:
                appended = append(run, new.id, batch, user_id=user_id, enqueuer=self._enqueuer)
            return conversations.get(run, new.id), appended

        created, appended = await self._write(create, user_id)
        await self._settle(
            created.id, user_id, needs_inline_compaction=appended.needs_inline_compaction
        )
        return created

    async def get_conversation(self, *, conversation_id: str, user_id: str) -> Conversation:
        """The conversation without its messages; see `get_messages`."""
        return await self._read(lambda run: self._look_up(run, conversation_id), user_id)

    async def list_conversations(
        self,
        limit: int = 50,
        offset: int = 0,
        *,
        user_id: str,
        cursor: str | None = None,
        archived: bool = False,
        query: str | None = None,
    ) -> Page[Conversation]:
        """Newest activity first. `query` filters by title and topic."""
        check_page(limit, offset, cursor)
        after = decode_conversation_cursor(cursor) if cursor is not None else None
        if query is not None:
            check_name(query, "q", limit=_LONGEST_QUERY)

        def find(run: Run) -> list[Conversation]:
            page = conversations.page(
                run,
                archived=archived,
                pattern=like_pattern(query or ""),
                limit=limit + 1,
                offset=offset,
                after=after,
            )
            return answers.marked(run, page, now=self._clock())

        found = await self._read(find, user_id)
        return make_page(found, limit, conversation_cursor)

    async def current_conversation(self, *, user_id: str) -> Conversation:
        """The one with the latest activity that is not archived, created if there is none."""

        def find(run: Run) -> list[Conversation]:
            latest = conversations.page(run, archived=False, pattern="%", limit=1)
            return answers.marked(run, latest, now=self._clock())

        if found := await self._read(find, user_id):
            return found[0]
        new = self._factory.conversation(user_id)

        def find_or_create(run: Run) -> Conversation:
            conversations.lock_user(run, now=new.created_at)
            if found := find(run):
                return found[0]
            _insert(run, new)
            return new

        return await self._write(find_or_create, user_id)

    async def update_conversation(
        self, updates: Mapping[str, Json], *, conversation_id: str, user_id: str
    ) -> Conversation:
        """Takes any of title, is_archived, metadata, policy, remember.

        A title that is given is the user's own; None gives it back. What was said while `remember`
        was false is not read for memories later either. A policy with a retention lets
        go at once of what it does not keep.
        """
        if unknown := updates.keys() - _UPDATABLE:
            field = min(unknown)
            known = ", ".join(sorted(_UPDATABLE))
            raise InvalidInput(f"{field} cannot be updated, only {known}.", field=field)
        changes = dict(updates)
        if "title" in changes:
            changes["title"] = check_title(changes["title"])
            changes["title_source"] = "user" if changes["title"] else "auto"
        if "metadata" in changes:
            metadata_text(changes["metadata"], limit=self._max_bytes)
        if "policy" in changes:
            self._factory.check_policy(changes["policy"])
        for flag in changes.keys() & {"is_archived", "remember"}:
            check_flag(changes[flag], flag)
        now = self._clock()

        def update(run: Run) -> tuple[Conversation, bool]:
            conversations.lock(run, conversation_id)
            before = conversations.get(run, conversation_id)
            changed = replace(before, **changes)
            conversations.update(run, changed, now=now)
            if changed.remember and not before.remember:
                extraction_progress.skip(run, changed.id)
            if "title" in changes:
                self._enqueuer.owe_embedding(run, changed.id, now=now)
            retention = self._policies[changed.policy].retention if "policy" in changes else None
            if retention:
                expire(run, changed.id, retention, now=now)
            needs_inline_compaction = "policy" in changes and self._owe_digest(run, changed.id, now)
            return self._look_up(run, changed.id), needs_inline_compaction

        updated, needs_inline_compaction = await self._write(update, user_id)
        await self._settle(updated.id, user_id, needs_inline_compaction=needs_inline_compaction)
        return updated

    async def delete_conversation(self, *, conversation_id: str, user_id: str) -> Deleted:
        """Gone with all that was derived from it; the receipt says how much that was."""

        def delete(run: Run) -> Deleted:
            conversations.lock(run, conversation_id)
            id = conversations.get(run, conversation_id).id
            return conversations.delete(run, id, now=self._clock())

        return await self._write(delete, user_id)

    async def fork_conversation(
        self,
        *,
        conversation_id: str,
        user_id: str,
        at: int | None = None,
        title: str | None = None,
    ) -> Conversation:
        """A new conversation with copies of the messages up to `at`, or of all there are; the old
        one stays as it is. At a message that was replaced since, the copy is of how it stood."""
        new_title = check_title(title)
        now = self._clock()

        def fork(run: Run) -> tuple[Conversation, bool]:
            conversations.lock(run, conversation_id)
            source = conversations.get(run, conversation_id)
            last = None if at is None else messages.at(run, source.id, at)
            if at is not None and last is None:
                raise NotFound(f"The conversation has no message {at}.")
            through_seq = messages.BEYOND_ALL_SEQS if at is None else at
            new = replace(
                source,
                id=new_id(),
                title=new_title or (source.title if source.title_source == "user" else None),
                title_source="user" if new_title else source.title_source,
                topic=None,
                forked_from=source.id,
                is_archived=False,
                created_at=now,
                updated_at=now,
                last_activity_at=now,
            )
            _insert(run, new)
            count = messages.count_through(run, source.id, through_seq)
            messages.copy(
                run,
                source_id=source.id,
                target_id=new.id,
                through_seq=through_seq,
                stood_at=_replaced_at(last) if last else None,
                ids=[new_id() for _ in range(count)],
                now=now,
            )
            for kind in _OWED_BY_A_FORK:
                jobs.enqueue(run, kind, new.id, run_at=now, now=now)
            return conversations.get(run, new.id), self._owe_digest(run, new.id, now)

        forked, needs_inline_compaction = await self._write(fork, user_id)
        await self._settle(forked.id, user_id, needs_inline_compaction=needs_inline_compaction)
        return forked

    def _look_up(self, run: Run, conversation_id: str) -> Conversation:
        found = conversations.get(run, conversation_id)
        return answers.marked(run, [found], now=self._clock())[0]


def _replaced_at(message: Message) -> datetime | None:
    """When another took its place here: a branch that was imported as such never stood."""
    return None if message.superseded_at == message.created_at else message.superseded_at


def _insert(run: Run, new: Conversation) -> None:
    conversations.insert(run, new, kind="chat")
