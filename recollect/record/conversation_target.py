"""Find the conversation of a request: an existing one, a new one, or the user's turn history."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import InvalidInput, NotFound
from recollect.core.ids import canonical_id, new_id
from recollect.core.policy import HISTORY_POLICY, Policy
from recollect.core.types import Conversation, Json
from recollect.core.validation import metadata_text
from recollect.store import conversations
from recollect.store.database import Run


def resolve_conversation(run: Run, conversation_id: str) -> str:
    """Return the stored form of a conversation id that a caller passed, or raise NotFound.

    Does not check that the conversation exists: the statement that uses the id does.
    """
    id = canonical_id(conversation_id)
    if id is None:
        raise NotFound("There is no such conversation.")
    return id


def lock_conversation(run: Run, conversation_id: str) -> Conversation:
    """Lock a conversation until the transaction ends, and return it, or raise NotFound."""
    id = resolve_conversation(run, conversation_id)
    conversations.lock(run, id)
    return conversations.get(run, id)


def find_or_create_history(run: Run, user_id: str, *, now: datetime) -> str:
    """Return the id of the conversation that holds the user's turn history."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationTarget:
    """Where a question is asked: `conversation_id`, or `new`, or with neither the turn history.

    A `new` conversation is created unless one with its id exists. `client_id` is the client's
    name for it, by which a retry is recognized.
    """

    conversation_id: str | None = None
    new: Conversation | None = None
    client_id: str | None = None

    @property
    def retry_scope(self) -> str | None:
        """The part of the target that a retry repeats."""
        return self.conversation_id if self.conversation_id is not None else self.client_id

    def lock(self, run: Run, *, now: datetime) -> None:
        """Lock the conversation; also the user if the conversation may have to be created."""
        if self.conversation_id is not None:
            conversations.lock(run, resolve_conversation(run, self.conversation_id))
            return
        id = self.new.id if self.new else conversations.find_history(run)
        if id is not None:
            conversations.lock(run, id)
        if id is None or conversations.find(run, id) is None:
            conversations.lock_user(run, now=now)

    def resolve(self, run: Run, user_id: str, *, now: datetime) -> str:
        """Return the conversation's id, and create the conversation if it is missing."""
        if self.conversation_id is not None:
            return resolve_conversation(run, self.conversation_id)
        if self.new is None:
            return find_or_create_history(run, user_id, now=now)
        if conversations.find(run, self.new.id) is None:
            conversations.insert(run, self.new, kind="chat")
        return self.new.id


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFactory:
    """Builds validated conversations that are not stored yet."""

    policies: Mapping[str, Policy]
    default_policy: str
    max_bytes: int
    clock: Callable[[], datetime]

    def conversation(
        self,
        user_id: str,
        *,
        title: str | None = None,
        policy: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        id: str | None = None,
    ) -> Conversation:
        metadata_text(metadata or {}, limit=self.max_bytes)
        return Conversation.new(
            id=id or new_id(),
            user_id=user_id,
            title=title,
            policy=self.check_policy(policy or self.default_policy),
            metadata=dict(metadata or {}),
            now=self.clock(),
        )

    def check_policy(self, name: str) -> str:
        """Return the name, or raise InvalidInput if there is no such policy."""
        if not isinstance(name, str) or name not in self.policies:
            known = ", ".join(sorted(self.policies))
            raise InvalidInput(f"policy must be one of {known}, not {name!r}.", field="policy")
        return name
