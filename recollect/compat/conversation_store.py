"""A user's turn history, by the interface of `ConversationStore`: ten turns, twenty-four hours.

Messages are stored as all others are (`record/turn_history.py`). Nothing here
raises, either: what goes wrong is logged, and the caller gets False, None, 0 or an empty list.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from recollect.core.errors import RecollectError
from recollect.core.types import Turn
from recollect.language.references import find_reference
from recollect.sync import Recollect

logger = logging.getLogger(__name__)


@dataclass
class ConversationTurn:
    """A single conversation turn."""

    user_id: str
    turn_number: int
    user_query: str
    ai_response: str
    created_at: datetime

    @classmethod
    def of(cls, user_id: str, turn: Turn) -> Self:
        return cls(
            user_id=user_id,
            turn_number=turn.number,
            user_query=turn.user_content,
            ai_response=turn.assistant_content,
            created_at=turn.messages[0].created_at,
        )

    def is_expired(self, hours: int = 24) -> bool:
        return datetime.now(UTC) - self.created_at > timedelta(hours=hours)

    def to_dict(self) -> dict[str, Any]:
        return {
            "turn_number": self.turn_number,
            "user_query": self.user_query,
            "ai_response": self.ai_response,
            "created_at": self.created_at.isoformat(),
        }


class ConversationStore:
    """Turn histories: `ConversationStore(recollect.sync.Recollect.open(url))`."""

    def __init__(self, memory: Recollect) -> None:
        if not isinstance(memory, Recollect):
            raise TypeError("ConversationStore needs an open recollect.sync.Recollect.")
        self._memory = memory

    def store_turn(self, user_id: str, user_query: str, ai_response: str) -> bool:
        """Stores a turn under the user's next number, and lets go of what is over ten.

        A turn needs words on both sides: an empty query or response is False.
        """
        try:
            self._memory.history.add_turn(
                user_id=user_id, user_query=user_query, ai_response=ai_response
            )
        except RecollectError:
            logger.exception("A turn could not be stored.")
            return False
        return True

    def get_history(self, user_id: str, max_turns: int = 10) -> list[dict[str, Any]]:
        """The latest turns of the last twenty-four hours, oldest first. Older ones are removed.

        What has no response, because it failed or is still to come, is on record and not here.
        """
        if not isinstance(max_turns, int):
            logger.error("max_turns must be a whole number, not %r.", max_turns)
            return []
        self.cleanup_old_turns(user_id)
        try:
            found = self._memory.history.turns(user_id=user_id)
        except RecollectError:
            logger.exception("The history could not be read.")
            return []
        turns = [ConversationTurn.of(user_id, turn) for turn in found if turn.is_answered]
        latest = turns[-max_turns:] if max_turns > 0 else []
        return [turn.to_dict() | {"created_at": turn.created_at} for turn in latest]

    def resolve_reference(self, user_id: str, reference: str) -> dict[str, Any] | None:
        """The turn a phrase names, wherever in a sentence it stands.

        An ordinal counts within the history as `get_history` shows it; "turn 4" is the number.
        """
        if not isinstance(reference, str):
            logger.error("A reference must be text, not %s.", type(reference).__name__)
            return None
        found = find_reference(reference)
        history = self.get_history(user_id)
        if found is None:
            return None
        place = found.index_in([turn["turn_number"] for turn in history])
        return None if place is None else history[place]

    def cleanup_old_turns(self, user_id: str) -> int:
        """Deletes what is older than twenty-four hours, and says how many turns that was."""
        try:
            expired = self._memory.history.expire(user_id=user_id)
        except RecollectError:
            logger.exception("Old turns could not be removed.")
            return 0
        if expired.turns:
            logger.info("Removed %d old turns.", expired.turns)
        return expired.turns

    def format_history_for_prompt(self, history: Sequence[Mapping[str, Any]]) -> str:
        """What `get_history` returned, as text for a prompt; nothing for an empty history."""
        if not history:
            return ""
        turns = (
            f"Turn {turn['turn_number']}:\nUser: {turn['user_query']}\nAI: {turn['ai_response']}"
            for turn in history
        )
        return "Previous conversation:\n" + "\n\n".join(turns)
