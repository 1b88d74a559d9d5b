"""A user's turn history: an unlisted conversation with a retention policy, one per user."""

from datetime import datetime

from recollect.core.policy import HISTORY_POLICY
from recollect.core.turns import group_turns
from recollect.core.types import Message, MessageIn, Turn
from recollect.record.append import Appended, Batch, append
from recollect.record.conversation_target import find_or_create_history
from recollect.record.retention import Expired, expire
from recollect.record.services import WriteService
from recollect.store import conversations, messages
from recollect.store.database import Run

_MAX_MESSAGES = 1_000


class History(WriteService):
    """`memory.history`: a user's latest turns, for as long as the policy `ephemeral` keeps them."""

    async def add_turn(self, *, user_id: str, user_query: str, ai_response: str) -> Turn:
        """Append a turn, and delete the turns that the policy no longer keeps."""
        batch = Batch.of(
            [
                MessageIn(role="user", content=user_query),
                MessageIn(role="assistant", content=ai_response),
            ],
            limit=self._max_bytes,
            now=self._clock(),
        )

        def add(run: Run) -> Appended:
            id = find_or_create_history(run, user_id, now=batch.now)
            return append(run, id, batch, user_id=user_id, enqueuer=self._enqueuer)

        appended = await self._write(add, user_id)
        self._count_stored(appended.stored)
        (turn,) = group_turns(Message.from_row(row) for row in appended.rows)
        return turn

    async def turns(self, *, user_id: str) -> list[Turn]:
        """List the turns that have not expired, oldest first."""
        now = self._clock()

        def find(run: Run) -> list[Turn]:
            conversation_id = conversations.find_history(run)
            if conversation_id is None:
                return []
            expired = {turn for _, turn in self._expired(run, conversation_id, now)}
            page = messages.page(run, conversation_id, order="asc", limit=_MAX_MESSAGES)
            active = [message for message in page if message.superseded_at is None]
            return [turn for turn in group_turns(active) if turn.number not in expired]

        return await self._read(find, user_id)

    async def expire(self, *, user_id: str) -> Expired:
        """Delete the expired turns. Writes nothing if there are none."""
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
