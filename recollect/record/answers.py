"""Store answers: opened before the model is called, flushed while it streams, then finished.

The question and a row for its answer are committed together. A regenerated answer or an edited
question supersedes the messages from a given seq on: they stay stored, but are left out of
contexts and of everything derived.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Self

from recollect.core.errors import Conflict, InvalidInput, NotFound
from recollect.core.ids import new_id
from recollect.core.policy import find_policy
from recollect.core.types import Json, Message, MessageIn, Status
from recollect.core.validation import check_idempotency_key
from recollect.record.append import Batch, append_question
from recollect.record.conversation_target import ConversationTarget, resolve_conversation
from recollect.record.message_diff import KnownPrefix, find_edited, find_overlap
from recollect.record.retention import expire
from recollect.record.services import WriteService
from recollect.store import (
    answers,
    conversations,
    idempotency,
    jobs,
    messages,
    search_index,
    summaries,
    usage,
    vectors,
)
from recollect.store.answers import AnswerDraft, FlushSignal
from recollect.store.database import Run
from recollect.store.idempotency import IdempotentRequest

logger = logging.getLogger(__name__)

REPLACES = "replaces"
"""Metadata key of a question that was asked again: the id of the message it replaces."""
REPLACES_FROM = "replaces_from"
"""Metadata key of an answer: the seq of the first message that it replaces."""
_SWEEP_BATCH = 500
_MAX_CLIENT_MESSAGES = 2_000
_MAX_TOOL_RESULTS = 200
"""Per answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryKey:
    """An idempotency key, and the options of the request that a retry must repeat."""

    key: str
    options: Json

    def request(self, content: Json) -> IdempotentRequest:
        check_idempotency_key(self.key)
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
        cls, text: str, target: ConversationTarget, idempotency_key: str | None = None
    ) -> Self:
        message = MessageIn(role="user", content=text)
        return cls(target=target, messages=[message], idempotency_key=idempotency_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedAnswer:
    """The row of an answer. The context of its model ends before `before_seq`."""

    answer: Message
    before_seq: int
    stored: int
    """Number of messages stored for it, with its own row: 0 if a retry found an earlier answer."""

    @property
    def is_new(self) -> bool:
        return self.stored > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOwner:
    """The process that writes an answer, and the model variant it uses."""

    owner: str
    variant: str


class Answers(WriteService):
    async def start(
        self,
        request: ChatRequest,
        owner: AnswerOwner,
        *,
        user_id: str,
        retry: RetryKey | None = None,
    ) -> StartedAnswer:
        """Store the new messages of a request and a row for the answer."""
        now = self._clock()
        batch = Batch.of(request.messages, limit=self._max_bytes, now=now)

        def start(run: Run) -> StartedAnswer:
            id = request.target.resolve(run, user_id, now=now)
            new: Batch | None = batch
            replaced = None
            if request.is_whole:
                new, replaced = _split_known(run, id, request, batch)
            stored = self._append(run, id, new, user_id) if new else 0
            if request.messages[-1].role == "tool":
                _check_tool_call(run, id)
            return _open(run, id, owner, now, replaces=replaced, stored=stored)

        return await self._start_once(
            lambda run: request.target.lock(run, now=now),
            start,
            owner,
            retry.request(batch.body()) if retry else None,
            user_id=user_id,
            now=now,
        )

    async def start_regenerated(
        self,
        owner: AnswerOwner,
        *,
        message_id: str,
        user_id: str,
        check: Callable[[str], None],
        retry: RetryKey | None = None,
    ) -> StartedAnswer:
        """Open another answer to the question of a message.

        It supersedes the old one if it ends with any content. If other turns follow, the question
        is stored once more at the end, to stay next to its answer. `check` gets the question's
        text, and raises if it cannot be answered.
        """
        now = self._clock()

        def start(run: Run) -> StartedAnswer:
            message = _get_active(run, message_id)
            question = message if message.role == "user" else answers.find_question(run, message)
            if question is None:
                raise InvalidInput("This message answers no question.", field="message_id")
            check(question.content)
            id = message.conversation_id
            if messages.last_user_seq(run, id) != question.seq:
                return self._ask_again(run, question, question.content, owner, user_id, now)
            if streaming := answers.find_streaming(run, id):
                answers.request_stop(run, streaming, now=now)
            return _open(run, id, owner, now, replaces=message)

        return await self._start_once(
            partial(_get_locked, message_id=message_id),
            start,
            owner,
            retry.request(message_id) if retry else None,
            user_id=user_id,
            now=now,
        )

    async def start_edited(
        self,
        edited: str | MessageIn,
        owner: AnswerOwner,
        *,
        message_id: str,
        user_id: str,
        retry: RetryKey | None = None,
    ) -> StartedAnswer:
        """Supersede a question and everything after it, and open an answer to the edited one.

        A string changes only the text: the old message's payload is kept.
        """
        now = self._clock()
        content = edited if isinstance(edited, str) else [edited.content, edited.custom_payload]

        def start(run: Run) -> StartedAnswer:
            question = _get_active(run, message_id)
            if question.role != "user":
                raise InvalidInput("Only a user's message can be edited.", field="message_id")
            return self._ask_again(run, question, edited, owner, user_id, now)

        return await self._start_once(
            partial(_get_locked, message_id=message_id),
            start,
            owner,
            retry.request([message_id, content]) if retry else None,
            user_id=user_id,
            now=now,
        )

    async def flush(
        self,
        draft: AnswerDraft,
        *,
        message_id: str,
        user_id: str,
        owner: str,
        receipt: Json = None,
    ) -> FlushSignal:
        """Store the answer so far, and the receipt if given; return whether to go on.

        An owner whose answer was marked as interrupted goes on: its `finish` replaces that.
        """
        now = self._clock()

        def flush(run: Run) -> FlushSignal:
            signal = answers.flush(run, message_id, draft, owner=owner, now=now)
            if signal == "gone":
                message = messages.get(run, message_id)
                if message.status != "interrupted" or message.superseded_at is not None:
                    return signal
                signal = "go on"
            if receipt is not None:
                _put_receipt(run, messages.get(run, message_id), receipt, now)
            return signal

        return await self._write(flush, user_id)

    async def finish(
        self,
        draft: AnswerDraft,
        *,
        message_id: str,
        user_id: str,
        owner: str,
        status: Status,
        metadata: Json,
        receipt: Json = None,
    ) -> tuple[Message, bool] | None:
        """End an answer, and return it with whether to compact inline.

        Returns None if the answer was deleted, or ended by somebody else.
        """
        now = self._clock()

        def finish(run: Run) -> tuple[Message, bool] | None:
            try:
                before = _get_locked(run, message_id)
            except NotFound:
                return None
            merged = {**before.metadata, **metadata}
            if not answers.finish(
                run, before, draft, owner=owner, status=status, metadata=merged, now=now
            ):
                return None
            if before.status == "interrupted":  # by a sweep, and perhaps digested since
                _delete_derived(run, before, now)
            if receipt is not None:
                _put_receipt(run, before, receipt, now)
            return self._after_end(run, before, user_id, now)

        return await self._write(finish, user_id)

    async def request_stop(self, *, message_id: str, user_id: str) -> None:
        """Ask the owner to stop. It reads the request with its next flush."""
        now = self._clock()
        await self._write(lambda run: answers.request_stop(run, message_id, now=now), user_id)

    async def interrupt_if_expired(self, *, message_id: str, user_id: str) -> bool:
        """Mark an answer as interrupted if its owner's lease has expired."""
        now = self._clock()

        def interrupt(run: Run) -> bool:
            before = _get_locked(run, message_id)
            draft = AnswerDraft(content=before.content, tool_calls=before.tool_calls or ())
            if not answers.mark_interrupted(run, before, tokens=draft.tokens, now=now):
                return False
            self._after_end(run, before, user_id, now)
            return True

        return await self._write(interrupt, user_id)

    async def interrupt_expired(self) -> int:
        """Mark all users' answers with an expired lease as interrupted; return how many."""
        find = partial(answers.list_expired, now=self._clock(), limit=_SWEEP_BATCH)
        interrupted = 0
        for user_id, message_id in await self._database.system(find, read_only=True):
            try:
                interrupted += await self.interrupt_if_expired(
                    message_id=message_id, user_id=user_id
                )
            except NotFound:  # deleted meanwhile
                continue
        if interrupted:
            logger.warning("answer.interrupted", extra={"answers": interrupted})
        return interrupted

    async def find(self, id: str, *, user_id: str) -> Message | None:
        """Find an answer by its id, or the one that is streaming in a conversation."""

        def find(run: Run) -> Message | None:
            try:
                return messages.get(run, id)
            except NotFound:
                conversation_id = conversations.get(run, id).id
            streaming = answers.find_streaming(run, conversation_id)
            return messages.get(run, streaming) if streaming else None

        return await self._read(find, user_id)

    async def find_edited(
        self,
        client_messages: Sequence[MessageIn],
        *,
        conversation_id: str,
        user_id: str,
        known: KnownPrefix | None = None,
    ) -> Message | None:
        """Find the stored message that the last message of a client's list replaces."""

        def find(run: Run) -> Message | None:
            id = resolve_conversation(run, conversation_id)
            stored = messages.backlog(run, id, through_seq=0, limit=_MAX_CLIENT_MESSAGES)
            return find_edited(client_messages, stored, known)

        return await self._read(find, user_id)

    async def get_last(self, *, conversation_id: str, user_id: str) -> Message:
        """Return the newest answer of a conversation, or raise NotFound."""

        def find(run: Run) -> Message:
            id = answers.find_last(run, conversations.get(run, conversation_id).id)
            if id is None:
                raise NotFound("The conversation has no answer yet.")
            return messages.get(run, id)

        return await self._read(find, user_id)

    async def _start_once(
        self,
        lock: Callable[[Run], object],
        start: Callable[[Run], StartedAnswer],
        owner: AnswerOwner,
        request: IdempotentRequest | None,
        *,
        user_id: str,
        now: datetime,
    ) -> StartedAnswer:
        """Run `lock` and `start` in a transaction, unless the request was already answered."""

        def transaction(run: Run) -> StartedAnswer:
            lock(run)
            if request and (first := _find_first_attempt(run, request, owner, now)):
                return first
            started = start(run)
            if request:
                idempotency.store_result(
                    run,
                    request,
                    conversation_id=started.answer.conversation_id,
                    result=[started.answer.id],
                    now=now,
                )
            return started

        started = await self._write(transaction, user_id)
        self._count_stored(started.stored)
        return started

    def _append(self, run: Run, id: str, batch: Batch, user_id: str) -> int:
        return append_question(run, id, batch, user_id=user_id, policies=self._policies)

    def _ask_again(
        self,
        run: Run,
        question: Message,
        edited: str | MessageIn,
        owner: AnswerOwner,
        user_id: str,
        now: datetime,
    ) -> StartedAnswer:
        """Supersede a question and what follows; append it anew, and open its answer."""
        id = question.conversation_id
        if isinstance(edited, str):
            edited = MessageIn(role="user", content=edited, custom_payload=question.custom_payload)
        again = replace(
            edited,
            metadata={**question.metadata, REPLACES: question.id},
            is_pinned=question.is_pinned,
        )
        batch = Batch.of([again], limit=self._max_bytes, now=now)
        answers.supersede(run, id, from_seq=question.seq, now=now)
        stored = self._append(run, id, batch, user_id)
        jobs.enqueue(run, "topic", id, run_at=now + self._enqueuer.eager_grace, now=now)
        return _open(run, id, owner, now, stored=stored)

    def _after_end(
        self, run: Run, before: Message, user_id: str, now: datetime
    ) -> tuple[Message, bool]:
        """Index an ended answer, and enqueue the jobs for it and its question.

        Returns the answer, and whether to compact inline.
        """
        ended = messages.get(run, before.id)
        progress = answers.add_tokens(run, ended, tokens=ended.tokens - before.tokens, now=now)
        replaces_from = ended.metadata.get(REPLACES_FROM)
        if replaces_from is not None and ended.superseded_at is None:
            _supersede_loser(run, ended, replaces_from, now)
            ended = messages.get(run, before.id)
            progress = answers.add_tokens(run, ended, tokens=0, now=now)
        if ended.superseded_at is not None:
            return ended, False
        if progress.kind == "chat":
            search_index.put_messages(run, [ended], user_id=user_id)
        needs_inline_compaction = self._enqueuer.enqueue_due(
            run,
            ended.conversation_id,
            progress,
            first_turn=ended.turn,
            answered_turn=ended.turn if ended.content else None,
            has_user=True,
            now=now,
        )
        if retention := find_policy(self._policies, progress.policy).retention:
            expire(run, ended.conversation_id, retention, now=now)
        return ended, needs_inline_compaction


def _find_first_attempt(
    run: Run, request: IdempotentRequest, owner: AnswerOwner, now: datetime
) -> StartedAnswer | None:
    """Return the answer of an earlier attempt.

    If that one failed without content, and is still the last turn, open another in its place.
    """
    result = idempotency.find_result(run, request)
    if result is None:
        return None
    answer = messages.get(run, result[0])
    id = answer.conversation_id
    has_failed = answer.status == "error" and not _has_content(answer)
    if not has_failed or messages.last_user_seq(run, id) > answer.seq:
        return StartedAnswer(answer=answer, before_seq=answer.seq, stored=0)
    started = _open(run, id, owner, now, replaces=answer)
    idempotency.replace_result(run, request, [started.answer.id])
    return started


def _split_known(
    run: Run, id: str, request: ChatRequest, batch: Batch
) -> tuple[Batch | None, Message | None]:
    """Compare a client's whole list with the stored messages.

    Returns the new messages, or else the answer that the client wants to have regenerated.
    """
    # A client never saw the answers that failed: there may be one for each of its messages.
    limit = 2 * len(request.messages) + 1
    stored = messages.backlog(run, id, through_seq=0, limit=limit)
    overlap = find_overlap(request.messages, stored, request.known)
    if overlap.is_repeated:
        return None, stored[-1]
    if overlap.new:
        return batch.last(len(overlap.new)), None
    if stored[-1].role == "assistant":
        raise InvalidInput("There is nothing new in these messages.", field="messages")
    return None, None


def _open(
    run: Run,
    id: str,
    owner: AnswerOwner,
    now: datetime,
    *,
    replaces: Message | None = None,
    stored: int = 0,
) -> StartedAnswer:
    """Insert the row of an answer to the last message, or of one that replaces a message."""
    answer_id = new_id()
    from_seq = None if replaces is None else _first_replaced_seq(replaces)
    answers.open_answer(
        run,
        id,
        answer_id,
        variant=owner.variant,
        owner=owner.owner,
        turn=replaces.turn if replaces else None,
        metadata={} if from_seq is None else {REPLACES_FROM: from_seq},
        now=now,
    )
    answer = messages.get(run, answer_id)
    before_seq = answer.seq if from_seq is None else from_seq
    return StartedAnswer(answer=answer, before_seq=before_seq, stored=stored + 1)


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


def _supersede_loser(run: Run, answer: Message, from_seq: int, now: datetime) -> None:
    """Supersede what the answer replaces; or the answer itself if it has no content."""
    id = answer.conversation_id
    if _has_content(answer):
        answers.supersede(run, id, from_seq=from_seq, before_seq=answer.seq, now=now)
    elif answers.has_active_between(run, answer, from_seq=from_seq):
        answers.supersede(run, id, from_seq=answer.seq, before_seq=answer.seq + 1, now=now)


def _has_content(answer: Message) -> bool:
    return bool(answer.content.strip() or answer.tool_calls)


def _put_receipt(run: Run, answer: Message, receipt: Json, now: datetime) -> None:
    usage.put_receipt(
        run,
        message_id=answer.id,
        conversation_id=answer.conversation_id,
        receipt=receipt,
        now=now,
    )


def _delete_derived(run: Run, answer: Message, now: datetime) -> None:
    """Delete everything derived from an answer whose text has changed."""
    summaries.delete_covering(run, answer.conversation_id, answer.seq, now=now)
    search_index.delete(run, "message", answer.id)
    vectors.rewind(run, answer.conversation_id, through_seq=answer.seq - 1)


def _check_tool_call(run: Run, id: str) -> None:
    """Raise InvalidInput if the last tool results follow no call: no context includes those."""
    newest = messages.backlog(run, id, through_seq=0, limit=_MAX_TOOL_RESULTS)
    last = next((message for message in reversed(newest) if message.role != "tool"), None)
    if last is None or not last.tool_calls:
        raise InvalidInput("A tool's result must follow the call it answers.", field="messages")


def _get_locked(run: Run, message_id: str) -> Message:
    """Lock a message's conversation, then read the message."""
    conversations.lock(run, messages.get(run, message_id).conversation_id)
    return messages.get(run, message_id)


def _get_active(run: Run, message_id: str) -> Message:
    """Return a message, or raise Conflict if it is superseded."""
    message = messages.get(run, message_id)
    if message.superseded_at is not None:
        raise Conflict("This message was already replaced by another one.")
    return message
