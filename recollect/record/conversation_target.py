"""Find the conversation of a request: an existing one, a new one, or the user's turn history."""

from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id, derived_id, new_id
from recollect.core.policy import HISTORY_POLICY
from recollect.core.types import Conversation
from recollect.core.validation import is_external_id
from recollect.store import conversations
from recollect.store.database import Run


def lock_conversation(run: Run, conversation_id: str) -> Conversation:
    """Lock a conversation until the transaction ends, and return it, or raise NotFound."""

    def lock(id: str) -> Conversation:
        conversations.lock(run, id)
        if locked := conversations.find(run, id):
            return locked
        raise NotFound("There is no such conversation.")

    return conversations.by_id_or_key(run, conversation_id, lock)


def find_conversation_id(run: Run, id_or_key: str, *, user_id: str) -> str | None:
    """Return a conversation's id, or None.

    Earlier releases derived the id of a `useChat` conversation from the client's key.
    """
    if not is_external_id(id_or_key):
        return None
    for id in (canonical_id(id_or_key), derived_id("conversation", user_id, id_or_key)):
        if id is not None and conversations.find(run, id):
            return id
    return conversations.find_key(run, id_or_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationTarget:
    """Where a question is asked: `conversation_id`, or `new`, or with neither the turn history.

    `new` is created unless its `external_id` is the id or the key of an existing conversation.
    """

    conversation_id: str | None = None
    new: Conversation | None = None

    @property
    def retry_scope(self) -> str | None:
        """The part of the target that a retry repeats."""
        return self.new.external_id if self.new else self.conversation_id

    def lock(self, run: Run, user_id: str, *, now: datetime) -> None:
        """Lock the conversation, or the user if the conversation may have to be created."""
        if self.conversation_id is not None:
            lock_conversation(run, self.conversation_id)
            return
        id = self._find(run, user_id)
        if id is None or not conversations.lock(run, id):  # it may be deleted by now
            conversations.lock_user(run, now=now)

    def resolve(self, run: Run, user_id: str, *, now: datetime) -> str:
        """Return the conversation's id. Create it if it is missing: `lock` must come before."""
        if self.conversation_id is not None:
            return conversations.get(run, self.conversation_id).id
        if existing := self._find(run, user_id):
            return existing
        new, kind = self.new, "chat"
        if new is None:
            kind = "history"
            new = Conversation.new(
                id=new_id(),
                user_id=user_id,
                policy=HISTORY_POLICY,
                metadata={"kind": kind},
                now=now,
            )
        conversations.insert(run, new, kind=kind)
        return new.id

    def find_or_create(self, run: Run, user_id: str, *, now: datetime) -> str:
        self.lock(run, user_id, now=now)
        return self.resolve(run, user_id, now=now)

    def _find(self, run: Run, user_id: str) -> str | None:
        if self.new is None:
            return conversations.find_history(run)
        key = self.new.external_id
        return None if key is None else find_conversation_id(run, key, user_id=user_id)
