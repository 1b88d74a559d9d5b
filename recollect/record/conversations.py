"""`memory.conversations`: create, list, update, delete and fork conversations.

Each method is one transaction. An unknown id and another user's id raise the same NotFound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from recollect.core.errors import Conflict, NotFound
from recollect.core.ids import new_id
from recollect.core.offload import rough_size, run_off_loop
from recollect.core.pagination import (
    check_page,
    decode_time,
    make_page,
)
from recollect.core.policy import RecallScope
from recollect.core.types import Conversation, Deleted, JobKind, Json, Message, MessageIn, Page
from recollect.core.validation import (
    check_flag,
    check_name,
    check_project_id,
    check_recall_scope,
    check_title,
    check_updates,
    metadata_text,
)
from recollect.language.normalize import like_pattern
from recollect.record.append import AfterCommit, append
from recollect.record.conversation_target import ConversationTarget, lock_conversation
from recollect.record.messages import Messages
from recollect.record.retention import expire
from recollect.store import answers, conversations, extraction_progress, idempotency, jobs, messages
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest

_MAX_QUERY_CHARS = 1_000
_FORK_JOBS: tuple[JobKind, ...] = ("index", "topic")
"""Derived by jobs, since a fork may copy many messages in its transaction."""
_UPDATABLE = frozenset(
    {"title", "is_archived", "metadata", "policy", "remember", "project_id", "recall_scope"}
)


class Conversations(Messages):
    async def create_conversation(
        self,
        title: str | None = None,
        *,
        user_id: str,
        policy: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        remember: bool = True,
        messages: Sequence[MessageIn] = (),
        external_id: str | None = None,
        project_id: str | None = None,
        recall_scope: RecallScope | None = None,
        idempotency_key: str | None = None,
    ) -> Conversation:
        """Create a conversation with its first messages, in one transaction.

        `external_id` is the caller's own key; one that is taken raises Conflict. `project_id` is
        the caller's name for a group of conversations.
        """
        check_flag(remember, "remember")
        validate = partial(
            self._new_conversation,
            user_id,
            title=title,
            policy=policy,
            metadata=metadata,
            remember=remember,
            external_id=external_id,
            project_id=project_id,
            recall_scope=recall_scope,
        )
        new = await run_off_loop(validate, size=rough_size(metadata))
        now = new.created_at
        batch = await self._prepare_batch(messages, now=now) if messages else None
        request = None
        if idempotency_key is not None:

            def hash_body() -> IdempotentRequest | None:
                body = [
                    title,
                    policy,
                    metadata_text(new.metadata, limit=self._max_bytes),
                    batch.body() if batch else [],
                ]
                if not remember:
                    body.append(False)
                if external_id is not None:
                    body.append(external_id)
                if project_id is not None or recall_scope is not None:
                    body.append({"project_id": project_id, "recall_scope": recall_scope})
                return IdempotentRequest.of("conversations", idempotency_key, body)

            request = await run_off_loop(hash_body, size=rough_size(metadata, messages))

        def create(run: Run) -> tuple[Conversation, AfterCommit]:
            conversations.lock_user(run, now=now)
            if (first := idempotency.find_result(run, request)) is not None:
                return self._get(run, first[0]), AfterCommit(new.id)
            if external_id is not None and conversations.find_key(run, external_id):
                raise Conflict(f"external_id {external_id!r} belongs to another conversation.")
            conversations.insert(run, new, kind="chat")
            idempotency.store_result(run, request, conversation_id=new.id, result=[new.id], now=now)
            after = AfterCommit(new.id)
            if batch:
                _, after = append(run, new.id, batch, user_id=user_id, enqueuer=self._enqueuer)
            return conversations.get(run, new.id), after

        return await self._write_messages(create, user_id)

    async def get_conversation(self, *, conversation_id: str, user_id: str) -> Conversation:
        """Return the conversation without its messages; see `get_messages`."""
        return await self._read(lambda run: self._get(run, conversation_id), user_id)

    async def get_or_create_conversation(
        self, key: str, *, user_id: str, policy: str | None = None
    ) -> Conversation:
        """Return a conversation by its id or the caller's key; create it if there is none."""
        try:
            return await self.get_conversation(conversation_id=key, user_id=user_id)
        except NotFound:
            new = self._new_conversation(user_id, external_id=key, policy=policy)
        target = ConversationTarget(new=new)

        def create(run: Run) -> Conversation:
            return self._get(run, target.find_or_create(run, user_id, now=new.created_at))

        return await self._write(create, user_id)

    async def list_conversations(
        self,
        limit: int = 50,
        offset: int = 0,
        *,
        user_id: str,
        cursor: str | None = None,
        archived: bool = False,
        query: str | None = None,
        project_id: str | None = None,
    ) -> Page[Conversation]:
        """List conversations, latest activity first. `query` filters by title and topic."""
        check_page(limit, offset, cursor)
        after = decode_time("conversations", cursor)
        if query is not None:
            check_name(query, "q", limit=_MAX_QUERY_CHARS)
        check_project_id(project_id)

        def find(run: Run) -> list[Conversation]:
            page = conversations.page(
                run,
                archived=archived,
                pattern=like_pattern(query or ""),
                limit=limit + 1,
                offset=offset,
                after=after,
                project_id=project_id,
            )
            return answers.mark_answering(run, page, now=self._clock())

        found = await self._read(find, user_id)
        return make_page(
            found, limit, "conversations", lambda last: (last.last_activity_at, last.id)
        )

    async def current_conversation(self, *, user_id: str) -> Conversation:
        """Return the unarchived conversation with the latest activity; create one if needed."""

        def find(run: Run) -> list[Conversation]:
            latest = conversations.page(run, archived=False, pattern="%", limit=1)
            return answers.mark_answering(run, latest, now=self._clock())

        if found := await self._read(find, user_id):
            return found[0]
        new = self._new_conversation(user_id)

        def find_or_create(run: Run) -> Conversation:
            conversations.lock_user(run, now=new.created_at)
            if found := find(run):
                return found[0]
            conversations.insert(run, new, kind="chat")
            return new

        return await self._write(find_or_create, user_id)

    async def update_conversation(
        self, updates: Mapping[str, Json], *, conversation_id: str, user_id: str
    ) -> Conversation:
        """Update any of title, is_archived, metadata, policy, remember, project_id, recall_scope.

        A title set here is kept; None makes it automatic again. Messages stored while `remember`
        is false are never read for memories. A policy's retention is applied at once.
        """
        check_updates(updates, _UPDATABLE)
        changes = dict(updates)
        if "title" in changes:
            changes["title"] = check_title(changes["title"])
            changes["title_source"] = "user" if changes["title"] else "auto"
        if "metadata" in changes:
            metadata = changes["metadata"]
            check = partial(metadata_text, metadata, limit=self._max_bytes)
            await run_off_loop(check, size=rough_size(metadata))
        if "project_id" in changes:
            check_project_id(changes["project_id"])
        if "recall_scope" in changes:
            check_recall_scope(changes["recall_scope"])
        if "policy" in changes:
            self._check_policy(changes["policy"])
        for flag in changes.keys() & {"is_archived", "remember"}:
            check_flag(changes[flag], flag)
        now = self._clock()

        def update(run: Run) -> tuple[Conversation, AfterCommit]:
            before = lock_conversation(run, conversation_id)
            changed = replace(before, **changes)
            conversations.update(run, changed, now=now)
            if changed.remember and not before.remember:
                extraction_progress.skip_to_end(run, changed.id)
            if "title" in changes:
                self._enqueuer.enqueue_embedding(run, changed.id, now=now)
            after = AfterCommit(changed.id)
            if "policy" in changes:
                expire(run, changed.id, self._policies[changed.policy].retention, now=now)
                after = self._enqueue_digest(run, changed.id, now)
            return self._get(run, changed.id), after

        return await self._write_messages(update, user_id)

    async def delete_conversation(self, *, conversation_id: str, user_id: str) -> Deleted:
        """Delete a conversation and everything derived from it; return the deleted counts."""

        def delete(run: Run) -> Deleted:
            id = lock_conversation(run, conversation_id).id
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
        """Copy the messages up to seq `at`, or all, into a new conversation.

        If the message at `at` was superseded, the copy has the messages that were active then.
        """
        new_title = check_title(title)
        now = self._clock()

        def fork(run: Run) -> tuple[Conversation, AfterCommit]:
            source = lock_conversation(run, conversation_id)
            last = None if at is None else messages.find_by_seq(run, source.id, at)
            if at is not None and last is None:
                raise NotFound(f"The conversation has no message {at}.")
            through_seq = messages.MAX_SEQ if at is None else at
            new = Conversation.new(
                id=new_id(),
                user_id=user_id,
                title=new_title or (source.title if source.title_source == "user" else None),
                policy=source.policy,
                metadata=source.metadata,
                remember=source.remember,
                forked_from=source.id,
                project_id=source.project_id,
                recall_scope=source.recall_scope,
                now=now,
            )
            conversations.insert(run, new, kind="chat")
            count = messages.count_through(run, source.id, through_seq)
            messages.copy(
                run,
                source_id=source.id,
                target_id=new.id,
                through_seq=through_seq,
                as_of=_replaced_at(last) if last else None,
                ids=[new_id() for _ in range(count)],
                now=now,
            )
            for kind in _FORK_JOBS:
                jobs.enqueue(run, kind, new.id, run_at=now, now=now)
            return conversations.get(run, new.id), self._enqueue_digest(run, new.id, now)

        return await self._write_messages(fork, user_id)

    def _get(self, run: Run, conversation_id: str) -> Conversation:
        conversation = conversations.get(run, conversation_id)
        return answers.mark_answering(run, [conversation], now=self._clock())[0]


def _replaced_at(message: Message) -> datetime | None:
    """Return when a message was superseded; None for an imported branch, which never was active."""
    return None if message.superseded_at == message.created_at else message.superseded_at
