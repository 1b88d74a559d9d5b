"""The job that finds out what a conversation is about, and what to call it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.core.errors import Conflict, ModelFailed
from recollect.core.policy import Policy, find_policy
from recollect.core.turns import group_turns
from recollect.core.types import Conversation, Turn
from recollect.digest.titles import (
    TOPIC_SCHEMA,
    Derived,
    derive_by_keyphrases,
    next_title,
    parse_topic,
    topic_messages,
)
from recollect.llm.protocols import CallContext, ChatModel
from recollect.store import conversations, jobs, messages, summaries
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob

logger = logging.getLogger(__name__)

_MESSAGES_READ = 40
_LONGEST_ANSWER = 300
_MODEL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Gist:
    conversation: Conversation
    summary_text: str
    turns: list[Turn]
    removals: int


class Topics:
    """Asks `model` where there is one; key phrases do without."""

    def __init__(
        self,
        database: Database,
        model: ChatModel | None,
        *,
        policies: Mapping[str, Policy],
        embeds: bool,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._policies = policies
        self._embeds = embeds
        self._model = model
        self._clock = clock

    async def derive(self, claim: ClaimedJob) -> None:
        gist = await self._database.read(
            lambda run: _read(run, claim.conversation), user_id=claim.user_id
        )
        if not gist.turns and not gist.summary_text:
            return
        derived = await self._ask(gist, claim.user_id) if self._may_ask(gist) else None
        if derived is None:
            derived = await asyncio.to_thread(derive_by_keyphrases, gist.turns, gist.summary_text)
        now = self._clock()

        def store(run: Run) -> None:
            conversations.lock(run, claim.conversation)
            if summaries.standing(run, claim.conversation).removals != gist.removals:
                raise Conflict("A message was removed meanwhile; what it said must not come back.")
            current = conversations.get(run, claim.conversation)
            title = next_title(current.title, current.title_source, derived, current.topic)
            named = replace(current, title=title, topic=derived.topic)
            conversations.set_topic(run, named, now=now)
            if self._embeds:
                jobs.enqueue(run, "embed", named.id, run_at=now, now=now)

        await self._database.write(store, user_id=claim.user_id)

    def _may_ask(self, gist: _Gist) -> bool:
        """A policy that never digests costs no model calls, however often its topic is lost."""
        return find_policy(self._policies, gist.conversation.policy).timing != "never"

    async def _ask(self, gist: _Gist, user_id: str) -> Derived | None:
        if self._model is None:
            return None
        try:
            reply = await self._model.complete(
                topic_messages(gist.turns, gist.summary_text),
                purpose=CallContext(
                    use="topic", user_id=user_id, conversation_id=gist.conversation.id
                ),
                max_tokens=_LONGEST_ANSWER,
                schema=TOPIC_SCHEMA,
                timeout=_MODEL_SECONDS,
            )
        except ModelFailed as error:
            logger.warning("topic_failed", extra={"reason": error.unquoted})
            return None
        derived = parse_topic(reply.text)
        if derived is None:
            about = {"conversation_id": gist.conversation.id, "reason": "There is no topic in it."}
            logger.warning("topic_refused", extra=about)
        return derived


def _read(run: Run, conversation_id: str) -> _Gist:
    conversation = conversations.get(run, conversation_id)
    summary = summaries.current(run, conversation_id)
    latest = messages.backlog(run, conversation_id, through_seq=0, limit=_MESSAGES_READ)
    removals = summaries.standing(run, conversation_id).removals
    return _Gist(conversation, summary.text if summary else "", group_turns(latest), removals)
