"""Start answers: store the question and open the answer's row, in one transaction.

A regenerated answer or an edited question supersedes the messages from a given seq on: they stay
stored, but are left out of contexts and of everything derived.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from recollect.core.errors import Conflict, InvalidInput
from recollect.core.ids import new_id
from recollect.core.types import Json, Message, MessageIn
from recollect.record.append import Batch, append_question
from recollect.record.conversation_target import ConversationTarget
from recollect.record.enqueue import JobEnqueuer
from recollect.record.message_diff import KnownPrefix, find_overlap, has_content
from recollect.store import answers, idempotency, jobs, messages
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest

REPLACES = "replaces"
"""Metadata key of a question that was asked again: the id of the message it replaces."""
ASKED_BY = "asked_by"
"""Metadata key of a question that somebody else asked for the user: the id of that user."""
REPLACES_FROM = "replaces_from"
"""Metadata key of an answer: the seq of the first message that it replaces."""
_MAX_TOOL_RESULTS = 200
"""Per answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryKey:
    """An idempotency key, if any, and the options of the request that a retry must repeat."""

    key: str | None
    options: Json

    def request(self, content: Json) -> IdempotentRequest | None:
        return IdempotentRequest.of("chat", self.key, [self.options, content])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """Messages to answer, the last one from the user or a tool.

    `is_whole` means that `messages` is the client's full list: only the part after the stored
    messages is appended. `known` names the stored part if the client knows our ids.
    """

    target: ConversationTarget
    messages: Sequence[MessageIn]
    is_whole: bool = False
    known: KnownPrefix | None = None
    idempotency_key: str | None = None

    @classmethod
    def from_text(
        cls,
        text: str,
        target: ConversationTarget,
        idempotency_key: str | None = None,
        *,
        asked_by: str | None = None,
    ) -> Self:
        metadata = {} if asked_by is None else {ASKED_BY: asked_by}
        message = MessageIn(role="user", content=text, metadata=metadata)
        return cls(target=target, messages=[message], idempotency_key=idempotency_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOwner:
    """The process that writes an answer, its model variant, and the user it is for."""

    process_id: str
    variant: str
    user_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedAnswer:
    """The row of an answer. The context of its model ends before `before_seq`."""

    answer: Message
    owner: AnswerOwner
    before_seq: int
    stored: int
    """Number of messages stored for it, with its own row: 0 if a retry found an earlier answer."""

    @property
    def is_new(self) -> bool:
        return self.stored > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerStart:
    """The transaction that starts an answer."""

    run: Run
    owner: AnswerOwner
    enqueuer: JobEnqueuer
    max_bytes: int
    now: datetime

    def answer(self, request: ChatRequest, batch: Batch) -> StartedAnswer:
        """Store the new messages of a request, and open the answer."""
        id = request.target.resolve(self.run, self.owner.user_id, now=self.now)
        new: Batch | None = batch
        replaced = None
        if request.is_whole:
            new, replaced = self._split_known(id, request, batch)
        stored = self._append(id, new) if new else 0
        if request.messages[-1].role == "tool":
            _check_tool_call(self.run, id)
        return self.open(id, replaces=replaced, stored=stored)

    def ask_again(self, question: Message, edited: str | MessageIn) -> StartedAnswer:
        """Supersede a question and what follows; append it anew, and open its answer."""
        id = question.conversation_id
        if isinstance(edited, str):
            edited = MessageIn(role="user", content=edited, custom_payload=question.custom_payload)
        metadata = {**question.metadata, REPLACES: question.id}
        again = replace(edited, metadata=metadata, is_pinned=question.is_pinned)
        batch = Batch.of([again], limit=self.max_bytes, now=self.now)
        answers.supersede(self.run, id, from_seq=question.seq, now=self.now)
        stored = self._append(id, batch)
        run_at = self.now + self.enqueuer.eager_grace
        jobs.enqueue(self.run, "topic", id, run_at=run_at, now=self.now)
        return self.open(id, stored=stored)

    def open(self, id: str, *, replaces: Message | None = None, stored: int = 0) -> StartedAnswer:
        """Insert the row of an answer to the last message, or of one that replaces a message."""
        answer_id = new_id()
        from_seq = None if replaces is None else _first_replaced_seq(replaces)
        answers.open_answer(
            self.run,
            id,
            answer_id,
            variant=self.owner.variant,
            owner=self.owner.process_id,
            turn=replaces.turn if replaces else None,
            metadata={} if from_seq is None else {REPLACES_FROM: from_seq},
            now=self.now,
        )
        answer = messages.get(self.run, answer_id)
        before_seq = answer.seq if from_seq is None else from_seq
        return StartedAnswer(
            answer=answer, owner=self.owner, before_seq=before_seq, stored=stored + 1
        )

    def find_earlier(self, request: IdempotentRequest | None) -> StartedAnswer | None:
        """Return the answer of an earlier attempt of the request.

        If that one failed without content, and is still the last turn, open another in its place.
        """
        result = idempotency.find_result(self.run, request)
        if result is None or request is None:
            return None
        answer = messages.get(self.run, result[0])
        id = answer.conversation_id
        has_failed = answer.status == "error" and not has_content(answer)
        if not has_failed or messages.last_user_seq(self.run, id) > answer.seq:
            return StartedAnswer(answer=answer, owner=self.owner, before_seq=answer.seq, stored=0)
        started = self.open(id, replaces=answer)
        idempotency.replace_result(self.run, request, [started.answer.id])
        return started

    def _append(self, id: str, batch: Batch) -> int:
        user_id, policies = self.owner.user_id, self.enqueuer.policies
        return append_question(self.run, id, batch, user_id=user_id, policies=policies)

    def _split_known(
        self, id: str, request: ChatRequest, batch: Batch
    ) -> tuple[Batch | None, Message | None]:
        """Compare a client's whole list with the stored messages.

        Returns the new messages, or else the answer that the client wants to have regenerated.
        """
        # A client never saw the answers that failed: there may be one for each of its messages.
        limit = 2 * len(request.messages) + 1
        stored = messages.backlog(self.run, id, through_seq=0, limit=limit)
        overlap = find_overlap(request.messages, stored, request.known)
        if overlap.is_repeated:
            return None, stored[-1]
        if overlap.new:
            return batch.last(len(overlap.new)), None
        if stored[-1].role == "assistant":
            raise InvalidInput("There is nothing new in these messages.", field="messages")
        return None, None


def get_active(run: Run, message_id: str) -> Message:
    """Return a message, or raise Conflict if it is superseded."""
    message = messages.get(run, message_id)
    if message.superseded_at is not None:
        raise Conflict("This message was already replaced by another one.")
    return message


def _first_replaced_seq(old: Message) -> int:
    """Return the first seq that the replacement of a message supersedes.

    A streaming answer has superseded nothing yet, and a failed one never will: their replacement
    takes over what they were to supersede.
    """
    if old.role == "user":
        return old.seq + 1
    if old.status == "streaming" or old.superseded_at is not None:
        first: int = old.metadata.get(REPLACES_FROM, old.seq)
        return first
    return old.seq


def _check_tool_call(run: Run, id: str) -> None:
    """Raise InvalidInput if the last tool results follow no call: no context includes those."""
    newest = messages.backlog(run, id, through_seq=0, limit=_MAX_TOOL_RESULTS)
    last = next((message for message in reversed(newest) if message.role != "tool"), None)
    if last is None or not last.tool_calls:
        raise InvalidInput("A tool's result must follow the call it answers.", field="messages")
