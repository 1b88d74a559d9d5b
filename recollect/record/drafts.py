"""Conversations that are not stored yet."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import InvalidInput
from recollect.core.ids import new_id
from recollect.core.policy import Policy
from recollect.core.types import Conversation, Json
from recollect.core.validation import metadata_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFactory:
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
        """A checked one; an id is for those who have their own."""
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
        if not isinstance(name, str) or name not in self.policies:
            known = ", ".join(sorted(self.policies))
            raise InvalidInput(f"policy must be one of {known}, not {name!r}.", field="policy")
        return name
