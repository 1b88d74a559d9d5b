"""A user's turn history: one conversation per user, under a retention policy, in no list."""

from collections.abc import Sequence
from datetime import datetime

from recollect.core.ids import new_id
from recollect.core.policy import HISTORY_POLICY
from recollect.core.turns import group_turns
from recollect.core.types import Conversation, Message, MessageIn, Row, Turn
from recollect.record.append import Batch, append
from recollect.record.retention import Expired, expire
from recollect.record.services import WriteService
from recollect.store import conversations, messages
from recollect.store.database import Run

_MORE_THAN_IT_HOLDS = 1_000


class History(WriteService):
    """`memory.history`: a user's latest turns, for as long as the policy `ephemeral` keeps them."""

    async def add_turn(self, *, user_id: str, user_query: str, ai_response: str) -> Turn:
        """Stored under the user's next number; what the policy no longer keeps goes."""
        batch = Batch.of(
            [
                MessageIn(role="user", content=user_query),
                MessageIn(role="assistant", content=ai_response),
            ],
            limit=self._max_bytes,
            now=self._clock(),
        )

        def add(run: Run) -> Sequence[Row]:
            conversation_id = history_of(run, user_id, now=batch.now)
            return append(
                run, conversation_id, batch, user_id=user_id, enqueuer=self._enqueuer
            ).rows

        stored = await self._write(add, user_id)
        (turn,) = group_turns(Message.from_row(row) for row in stored)
        return turn

    async def turns(self, *, user_id: str) -> list[Turn]:
        """What is there, oldest first, without what has expired."""
        now = self._clock()

        def find(run: Run) -> list[Turn]:
            conversation_id = conversations.find_history(run)
            if conversation_id is None:
                return []
            gone = {turn for _, turn in self._expired(run, conversation_id, now)}
            found = messages.page(run, conversation_id, order="asc", limit=_MORE_THAN_IT_HOLDS)
            standing = [message for message in found if message.superseded_at is None]
            return [turn for turn in group_turns(standing) if turn.number not in gone]

        return await self._read(find, user_id)

    async def expire(self, *, user_id: str) -> Expired:
        """Removes what has expired. Where nothing has, nothing is written."""
        now = self._clock()

        def is_due(run: Run) -> str | None:
            conversation_id = conversations.find_history(run)
            if conversation_id and self._expired(run, conversation_id, now):
                return conversation_id
            return None

        conversation_id = await self._read(is_due, user_id)
        retention = self._policies[HISTORY_POLICY].retention
        if conversation_id is None or retention is None:
            return Expired()
        return await self._write(
            lambda run: expire(run, conversation_id, retention, now=now), user_id
        )

    def _expired(self, run: Run, conversation_id: str, now: datetime) -> list[tuple[str, int]]:
        retention = self._policies[HISTORY_POLICY].retention
        if retention is None:
            return []
        return messages.expired(
            run, conversation_id, max_turns=retention.max_turns, before=now - retention.max_age
        )


def history_of(run: Run, user_id: str, *, now: datetime) -> str:
    """The conversation that holds a user's history, made with the first turn."""
    if existing := conversations.find_history(run):
        return existing
    conversations.lock_user(run, now=now)
    if existing := conversations.find_history(run):
        return existing
    new = Conversation.new(
        id=new_id(),
        user_id=user_id,
        policy=HISTORY_POLICY,
        metadata={"kind": "history"},
        now=now,
    )
    conversations.insert(run, new, kind="history")
    return new.id
