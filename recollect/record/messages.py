"""The messages half of `memory.conversations`: append, list, pin, rate, delete."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id
from recollect.core.offload import rough_size, run_off_loop
from recollect.core.pagination import (
    ListKind,
    check_page,
    decode_number,
    make_page,
    seq_before,
)
from recollect.core.policy import find_policy
from recollect.core.types import Deleted, Message, MessageIn, Order, Page, Rating, Row
from recollect.core.validation import check_choice, check_flag, check_size, check_text
from recollect.record.append import AfterCommit, append, check_pins
from recollect.record.conversation_target import ConversationTarget
from recollect.record.services import WriteService
from recollect.store import conversations, idempotency, jobs, messages, usage
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest


class Messages(WriteService):
    async def add_message(
        self, message: MessageIn, *, conversation_id: str, user_id: str
    ) -> Message:
        """Append one message. `add_messages` takes several, and an idempotency key."""
        (stored,) = await self.add_messages(
            [message], conversation_id=conversation_id, user_id=user_id
        )
        return stored

    async def add_messages(
        self,
        messages: Sequence[MessageIn],
        *,
        conversation_id: str,
        user_id: str,
        create_missing: bool = False,
        policy: str | None = None,
        idempotency_key: str | None = None,
    ) -> list[Message]:
        """Append all messages, or none. When this returns, they are committed.

        With `create_missing`, an unknown `conversation_id` becomes the key (`external_id`) of a new
        conversation with that policy.

        A retry with the same idempotency key returns the messages of the first attempt; other
        messages with that key raise IdempotencyConflict. A key belongs to one conversation.
        """
        batch = await self._prepare_batch(messages, now=self._clock())
        target = created_by = None
        if create_missing:
            scope = idempotency.external_scope(conversation_id)
            created_by = IdempotentRequest.of(scope, idempotency_key, batch.body())
            new = self._new_conversation(user_id, external_id=conversation_id, policy=policy)
            target = ConversationTarget(new=new)

        append_batch = partial(
            append,
            batch=batch,
            user_id=user_id,
            enqueuer=self._enqueuer,
            idempotency_key=idempotency_key,
        )

        def add(run: Run) -> tuple[Sequence[Row], AfterCommit]:
            try:
                return conversations.by_id_or_key(run, conversation_id, partial(append_batch, run))
            except NotFound:
                if target is None:
                    raise
            id = target.find_or_create(run, user_id, now=batch.now)
            # Looked up last, because a deletion may be committed until then: raises NotFound.
            idempotency.find_result(run, created_by)
            return append_batch(run, id)

        rows = await self._write_messages(add, user_id)
        return await run_off_loop(partial(Message.from_rows, rows), size=rough_size(rows))

    async def get_message(
        self, *, message_id: str, user_id: str, conversation_id: str | None = None
    ) -> Message:
        """Return a message by its id; if a conversation is given, only from that one."""
        return await self._read(lambda run: _get_message(run, message_id, conversation_id), user_id)

    async def get_messages(
        self,
        limit: int = 50,
        offset: int = 0,
        *,
        conversation_id: str,
        user_id: str,
        cursor: str | None = None,
        order: Order = "asc",
        from_seq: int | None = None,
        max_bytes: int | None = None,
    ) -> Page[Message]:
        """List messages, oldest first, or newest first with `order="desc"`.

        `from_seq` starts the list at that message, or the next one in order. A cursor overrides it.
        With `max_bytes`, long messages make a page shorter than `limit`: go on with its cursor.
        """
        check_page(limit, offset, cursor)
        check_choice(order, "order", ("asc", "desc"))
        kind: ListKind = "messages-asc" if order == "asc" else "messages-desc"

        def find(run: Run, id: str) -> tuple[list[Message], int]:
            beyond = None if from_seq is None else seq_before(order, from_seq)
            if cursor is not None:
                beyond = decode_number(kind, cursor, owner=id)
            page, fitting = messages.page_within(
                run,
                id,
                order=order,
                limit=limit + 1,
                offset=offset,
                beyond_seq=beyond,
                max_bytes=max_bytes,
            )
            if not page and conversations.find(run, id) is None:
                raise NotFound("There is no such conversation.")
            return page, min(limit, fitting)

        page, fitting = await self._read(
            lambda run: conversations.by_id_or_key(run, conversation_id, partial(find, run)),
            user_id,
        )
        return make_page(page, fitting, kind, lambda last: (last.conversation_id, last.seq))

    async def pin_message(
        self,
        *,
        message_id: str,
        user_id: str,
        conversation_id: str | None = None,
        is_pinned: bool = True,
    ) -> Message:
        """Pin a message, so that every context includes it, or unpin it."""
        check_flag(is_pinned, "is_pinned")

        def pin(run: Run) -> Message:
            message = _get_message(run, message_id, conversation_id)
            conversations.lock(run, message.conversation_id)
            messages.pin(run, message.id, is_pinned=is_pinned)
            policy = conversations.get(run, message.conversation_id).policy
            if is_pinned and not message.is_pinned:
                check_pins(run, message.conversation_id, find_policy(self._policies, policy))
            return replace(message, is_pinned=is_pinned)

        return await self._write(pin, user_id)

    async def rate_message(
        self, *, message_id: str, user_id: str, rating: Rating | None, note: str | None = None
    ) -> Message:
        """Rate a message up or down, or remove its rating with None."""
        if rating is not None:
            check_choice(rating, "rating", ("up", "down"))
        if note is not None:
            check_text(note, "note")
            check_size(note, "note", limit=self._max_bytes)

        def rate(run: Run) -> Message:
            message = messages.get(run, message_id)
            receipt = usage.find_receipt(run, message.id) or {}
            mode = receipt.get("mode", "compressed")
            messages.rate(run, message.id, rating=rating, note=note, mode=mode, now=self._clock())
            return replace(message, rating=rating)

        return await self._write(rate, user_id)

    async def delete_message(
        self, *, message_id: str, user_id: str, conversation_id: str | None = None
    ) -> Deleted:
        """Delete a message and everything derived from it. Other messages keep their seq."""
        now = self._clock()

        def delete(run: Run) -> tuple[Deleted, AfterCommit]:
            id = _get_message(run, message_id, conversation_id).conversation_id
            conversations.lock(run, id)
            deleted = messages.delete(run, messages.get(run, message_id), now=now)
            conversations.clear_topic(run, id, now=now)
            jobs.enqueue(run, "topic", id, run_at=now, now=now)
            return deleted, self._enqueue_digest(run, id, now)

        return await self._write_messages(delete, user_id)


def _get_message(run: Run, message_id: str, conversation_id: str | None) -> Message:
    """Return a message, or raise NotFound if it is not in the given conversation."""
    message = messages.get(run, message_id)
    if conversation_id is None or canonical_id(conversation_id) == message.conversation_id:
        return message
    if conversations.get(run, conversation_id).id != message.conversation_id:
        raise NotFound("There is no such message.")
    return message
