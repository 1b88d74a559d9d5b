"""A user's turn history: an unlisted conversation with a retention policy, one per user."""

from collections.abc import Sequence

from recollect.core.policy import HISTORY_POLICY, Retention
from recollect.core.turns import group_turns
from recollect.core.types import Message, MessageIn, Row, Turn
from recollect.record.append import AfterCommit, append
from recollect.record.conversation_target import ConversationTarget
from recollect.record.retention import Expired, expire, list_expired
from recollect.record.services import WriteService
from recollect.store import conversations, messages
from recollect.store.database import Run

_MAX_MESSAGES = 1_000


class History(WriteService):
    """`memory.history`: a user's latest turns, for as long as the policy `ephemeral` keeps them."""

    async def add_turn(self, *, user_id: str, user_query: str, ai_response: str) -> Turn:
        """Append a turn, and delete the turns that the policy no longer keeps."""
        turn = [
            MessageIn(role="user", content=user_query),
            MessageIn(role="assistant", content=ai_response),
        ]
        batch = await self._prepare_batch(turn, now=self._clock())

        def add(run: Run) -> tuple[Sequence[Row], AfterCommit]:
            id = ConversationTarget().find_or_create(run, user_id, now=batch.now)
            return append(run, id, batch, user_id=user_id, enqueuer=self._enqueuer)

        rows = await self._write_messages(add, user_id)
        (stored,) = group_turns(map(Message.from_row, rows))
        return stored

    async def turns(self, *, user_id: str) -> list[Turn]:
        """List the turns that have not expired, oldest first."""
        now = self._clock()

        def find(run: Run) -> list[Turn]:
            id = conversations.find_history(run)
            if id is None:
                return []
            expired = {turn for _, turn in list_expired(run, id, self._retention, now=now)}
            page = messages.page(run, id, order="asc", limit=_MAX_MESSAGES)
            active = [message for message in page if message.superseded_at is None]
            return [turn for turn in group_turns(active) if turn.number not in expired]

        return await self._read(find, user_id)

    async def expire(self, *, user_id: str) -> Expired:
        """Delete the expired turns. Writes nothing if there are none."""
        now = self._clock()

        def find_due(run: Run) -> str | None:
            id = conversations.find_history(run)
            return id if id and list_expired(run, id, self._retention, now=now) else None

        id = await self._read(find_due, user_id)
        if id is None:
            return Expired()
        return await self._write(lambda run: expire(run, id, self._retention, now=now), user_id)

    @property
    def _retention(self) -> Retention | None:
        return self._policies[HISTORY_POLICY].retention
