"""The job that derives the topic and the title of a conversation."""

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
    TopicAndTitle,
    derive_by_keyphrases,
    next_title,
    parse_topic,
    topic_messages,
)
from recollect.llm.protocols import CallContext, CompletionModel
from recollect.store import conversations, jobs, messages, summaries
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.store.service_base import ServiceBase

logger = logging.getLogger(__name__)

_MAX_MESSAGES = 40
_MAX_ANSWER_TOKENS = 300
_MODEL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _TopicInput:
    conversation: Conversation
    summary_text: str
    turns: list[Turn]
    removals: int


class TopicDeriver(ServiceBase):
    """Uses `model` if given, else key phrases."""

    def __init__(
        self,
        database: Database,
        model: CompletionModel | None,
        *,
        policies: Mapping[str, Policy],
        embeds: bool,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._policies = policies
        self._embeds = embeds
        self._model = model

    async def run_job(self, claim: ClaimedJob) -> None:
        input = await self._read(lambda run: _read_input(run, claim.conversation), claim.user_id)
        if not input.turns and not input.summary_text:
            return
        never_digests = find_policy(self._policies, input.conversation.policy).timing == "never"
        derived = None if never_digests else await self._ask(input, claim.user_id)
        if derived is None:
            derived = await asyncio.to_thread(derive_by_keyphrases, input.turns, input.summary_text)
        now = self._clock()

        def store(run: Run) -> None:
            conversations.lock(run, claim.conversation)
            if summaries.get_state(run, claim.conversation).removals != input.removals:
                raise Conflict("A message was removed meanwhile; its text must not come back.")
            current = conversations.get(run, claim.conversation)
            title = next_title(current.title, current.title_source, derived, current.topic)
            named = replace(current, title=title, topic=derived.topic)
            conversations.set_topic(run, named, now=now)
            if self._embeds:
                jobs.enqueue(run, "embed", named.id, run_at=now, now=now)

        await self._write(store, claim.user_id)

    async def _ask(self, input: _TopicInput, user_id: str) -> TopicAndTitle | None:
        if self._model is None:
            return None
        try:
            reply = await self._model.complete(
                topic_messages(input.turns, input.summary_text),
                call=CallContext(
                    purpose="topic", user_id=user_id, conversation_id=input.conversation.id
                ),
                max_tokens=_MAX_ANSWER_TOKENS,
                schema=TOPIC_SCHEMA,
                timeout_seconds=_MODEL_SECONDS,
            )
        except ModelFailed as error:
            logger.warning("topic.model_failed", extra={"reason": error.log_message})
            return None
        derived = parse_topic(reply.text)
        if derived is None:
            about = {"conversation_id": input.conversation.id, "reason": "There is no topic in it."}
            logger.warning("topic.rejected", extra=about)
        return derived


def _read_input(run: Run, conversation_id: str) -> _TopicInput:
    conversation = conversations.get(run, conversation_id)
    summary = summaries.current(run, conversation_id)
    latest = messages.backlog(run, conversation_id, through_seq=0, limit=_MAX_MESSAGES)
    removals = summaries.get_state(run, conversation_id).removals
    return _TopicInput(conversation, summary.text if summary else "", group_turns(latest), removals)
