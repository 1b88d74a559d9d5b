"""Specification 004: a user's history of ten turns and 24 hours (`record/turn_history.py`).

No method raises: errors are logged, and the caller gets False, None, 0 or an empty list.
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
        """Store a turn, and delete the oldest beyond ten. Return False if a text is empty."""
        try:
            self._memory.history.add_turn(
                user_id=user_id, user_query=user_query, ai_response=ai_response
            )
        except RecollectError:
            logger.exception("history.store_failed")
            return False
        return True

    def get_history(self, user_id: str, max_turns: int = 10) -> list[dict[str, Any]]:
        """Return the latest answered turns, oldest first, after deleting expired ones."""
        if not isinstance(max_turns, int):
            reason = f"max_turns must be a whole number, not {max_turns!r}."
            logger.error("history.invalid_argument", extra={"reason": reason})
            return []
        self.cleanup_old_turns(user_id)
        try:
            stored = self._memory.history.turns(user_id=user_id)
        except RecollectError:
            logger.exception("history.read_failed")
            return []
        turns = [ConversationTurn.of(user_id, turn) for turn in stored if turn.is_answered]
        latest = turns[-max_turns:] if max_turns > 0 else []
        return [turn.to_dict() | {"created_at": turn.created_at} for turn in latest]

    def resolve_reference(self, user_id: str, reference: str) -> dict[str, Any] | None:
        """Return the turn that a text refers to: an ordinal counts within `get_history`."""
        if not isinstance(reference, str):
            reason = f"A reference must be text, not {type(reference).__name__}."
            logger.error("history.invalid_argument", extra={"reason": reason})
            return None
        found = find_reference(reference)
        history = self.get_history(user_id)
        numbers = [turn["turn_number"] for turn in history]
        index = found.index_in(numbers) if found else None
        return None if index is None else history[index]

    def cleanup_old_turns(self, user_id: str) -> int:
        """Delete turns older than 24 hours, and return their number."""
        try:
            expired = self._memory.history.expire(user_id=user_id)
        except RecollectError:
            logger.exception("history.cleanup_failed")
            return 0
        if expired.turns:
            logger.info("history.cleaned", extra={"turns": expired.turns})
        return expired.turns

    def format_history_for_prompt(self, history: Sequence[Mapping[str, Any]]) -> str:
        """Return the result of `get_history` as text for a prompt."""
        if not history:
            return ""
        turns = (
            f"Turn {turn['turn_number']}:\nUser: {turn['user_query']}\nAI: {turn['ai_response']}"
            for turn in history
        )
        return "Previous conversation:\n" + "\n\n".join(turns)
