"""The messages half of `memory.conversations`: appending, reading, pinning, rating, deleting."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from recollect.core.errors import InvalidInput, NotFound
from recollect.core.ids import canonical_id
from recollect.core.pagination import (
    check_page,
    decode_message_cursor,
    make_page,
    message_cursor,
    seq_before,
)
from recollect.core.policy import find_policy
from recollect.core.types import Deleted, Message, MessageIn, Order, Page, Rating
from recollect.core.validation import (
    check_flag,
    check_idempotency_key,
    check_size,
    check_text,
)
from recollect.record.append import Batch, append, check_pins
from recollect.record.services import WriteService
from recollect.store import conversations, jobs, messages, usage
from recollect.store.database import Run
from recollect.store.idempotency import Attempt


class Messages(WriteService):
    async def add_message(
        self, message: MessageIn, *, conversation_id: str, user_id: str
    ) -> Message:
        """One message; `add_messages` takes several, and an idempotency key."""
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
        idempotency_key: str | None = None,
    ) -> list[Message]:
        """All or none. When this returns, they are on disk.

        A retry under the same key returns what the first attempt stored; other messages under it
        raise IdempotencyConflict. A key is good for one conversation, and goes with it.
        """
        id = _conversation_id(conversation_id)
        batch = Batch.of(messages, limit=self._max_bytes, now=self._clock())
        attempt = None
        if idempotency_key is not None:
            check_idempotency_key(idempotency_key)
            attempt = Attempt.of(id, idempotency_key, batch.body())
        stored = await self._write(
            lambda run: append(
                run, id, batch, user_id=user_id, enqueuer=self._enqueuer, attempt=attempt
            ),
            user_id,
        )
        await self._settle(id, user_id, needs_inline_compaction=stored.needs_inline_compaction)
        return [Message.from_row(row) for row in stored.rows]

    async def get_message(
        self, *, message_id: str, user_id: str, conversation_id: str | None = None
    ) -> Message:
        """A message by its id: in the conversation that is named, or whichever it stands in."""
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
    ) -> Page[Message]:
        """From the oldest on, or with `order="desc"` from the newest back.

        With `from_seq` it begins at that number, or at the next there is: so one can go right into
        the middle. It may stand beside a cursor, which then says where the list goes on.
        """
        check_page(limit, offset, cursor)
        if order not in ("asc", "desc"):
            raise InvalidInput("order must be asc or desc.", field="order")
        id = _conversation_id(conversation_id)
        beyond = None if from_seq is None else seq_before(order, from_seq)
        if cursor is not None:
            beyond = decode_message_cursor(order, id, cursor)

        def find(run: Run) -> list[Message]:
            found = messages.page(
                run, id, order=order, limit=limit + 1, offset=offset, beyond_seq=beyond
            )
            if not found:
                conversations.get(run, id)
            return found

        found = await self._read(find, user_id)
        return make_page(found, limit, partial(message_cursor, order))

    async def pin_message(
        self,
        *,
        message_id: str,
        user_id: str,
        conversation_id: str | None = None,
        is_pinned: bool = True,
    ) -> Message:
        """Marks a message as important, or takes the mark off."""
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
        """Thumbs up, thumbs down, or None to take it back."""
        if rating not in ("up", "down", None):
            raise InvalidInput("rating must be up, down or null.", field="rating")
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
        """Gone with all that was derived from it. Other messages keep their numbers."""
        now = self._clock()

        def delete(run: Run) -> tuple[Deleted, str, bool]:
            found = _get_message(run, message_id, conversation_id)
            conversations.lock(run, found.conversation_id)
            deleted = messages.delete(run, messages.get(run, message_id), now=now)
            conversations.clear_topic(run, found.conversation_id, now=now)
            jobs.enqueue(run, "topic", found.conversation_id, run_at=now, now=now)
            needs_inline_compaction = self._owe_digest(run, found.conversation_id, now)
            return deleted, found.conversation_id, needs_inline_compaction

        deleted, id, needs_inline_compaction = await self._write(delete, user_id)
        await self._settle(id, user_id, needs_inline_compaction=needs_inline_compaction)
        return deleted


def _conversation_id(text: str) -> str:
    id = canonical_id(text)
    if id is None:
        raise NotFound("There is no such conversation.")
    return id


def _get_message(run: Run, message_id: str, conversation_id: str | None) -> Message:
    """One that belongs to the conversation, where one is named."""
    message = messages.get(run, message_id)
    if conversation_id is not None and canonical_id(conversation_id) != message.conversation_id:
        raise NotFound("There is no such message.")
    return message
