"""Store answers: started before the model is called, flushed while it streams, then finished."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from recollect.core.errors import InvalidInput, NotFound
from recollect.core.offload import LARGE, run_off_loop
from recollect.core.policy import find_policy
from recollect.core.types import Json, Message, MessageIn, Status
from recollect.record.answer_start import (
    REPLACES_FROM,
    AnswerOwner,
    AnswerStart,
    ChatRequest,
    RetryKey,
    StartedAnswer,
    get_active,
)
from recollect.record.append import MAX_BATCH_MESSAGES, MAX_LISTED_MESSAGES, AfterCommit
from recollect.record.conversation_target import find_conversation_id
from recollect.record.message_diff import KnownPrefix, find_edited, has_content
from recollect.record.retention import expire
from recollect.record.services import WriteService
from recollect.store import (
    answers,
    conversations,
    idempotency,
    messages,
    search_index,
    summaries,
    usage,
    vectors,
)
from recollect.store.answers import AnswerDraft, FlushSignal
from recollect.store.database import Run

logger = logging.getLogger(__name__)

_SWEEP_BATCH = 500
_MAX_CLIENT_MESSAGES = 2_000


class AnswerLookup(WriteService):
    async def find(self, id: str, *, user_id: str) -> Message | None:
        """Find an answer by its id, or the one that is streaming in a conversation."""

        def find(run: Run) -> Message | None:
            try:
                return messages.get(run, id)
            except NotFound:
                conversation_id = find_conversation_id(run, id, user_id=user_id)
            if conversation_id is None:
                raise NotFound("There is no such answer or conversation.")
            streaming = answers.find_streaming(run, conversation_id)
            return messages.get(run, streaming) if streaming else None

        return await self._read(find, user_id)

    async def find_conversation_id(self, id_or_key: str, *, user_id: str) -> str | None:
        """Return the id of a conversation, by its id or the caller's key, or None."""
        return await self._read(
            lambda run: find_conversation_id(run, id_or_key, user_id=user_id), user_id
        )

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
            id = find_conversation_id(run, conversation_id, user_id=user_id)
            if id is None:
                return None
            stored = messages.backlog(run, id, through_seq=0, limit=_MAX_CLIENT_MESSAGES)
            return find_edited(client_messages, stored, known)

        return await self._read(find, user_id)

    async def last_answer(self, *, conversation_id: str, user_id: str) -> Message:
        """Return the newest answer of a conversation, or raise NotFound."""

        def find(run: Run) -> Message:
            id = answers.find_last(run, conversations.get(run, conversation_id).id)
            if id is None:
                raise NotFound("The conversation has no answer yet.")
            return messages.get(run, id)

        return await self._read(find, user_id)


class Answers(WriteService):
    async def start(
        self, request: ChatRequest, owner: AnswerOwner, retry: RetryKey
    ) -> StartedAnswer:
        """Store the new messages of a request and a row for the answer."""
        now = self._clock()
        limit = MAX_LISTED_MESSAGES if request.is_whole else MAX_BATCH_MESSAGES
        batch = await self._prepare_batch(request.messages, now=now, max_messages=limit)
        return await self._start_once(
            lambda run: request.target.lock(run, owner.user_id, now=now),
            lambda start: start.answer(request, batch),
            owner,
            retry,
            batch.body,
            now,
        )

    async def start_regenerated(
        self,
        owner: AnswerOwner,
        *,
        message_id: str,
        check: Callable[[str], None],
        retry: RetryKey,
    ) -> StartedAnswer:
        """Open another answer to the question of a message.

        If other turns follow, the question is stored once more at the end, to stay next to its
        answer. `check` gets the question's text, and raises if it cannot be answered.
        """
        now = self._clock()

        def regenerate(start: AnswerStart) -> StartedAnswer:
            run, message = start.run, get_active(start.run, message_id)
            question = message if message.role == "user" else answers.find_question(run, message)
            if question is None:
                raise InvalidInput("This message answers no question.", field="message_id")
            check(question.content)
            id = message.conversation_id
            if messages.last_user_seq(run, id) != question.seq:
                return start.ask_again(question, question.content)
            if streaming := answers.find_streaming(run, id):
                answers.request_stop(run, streaming, now=now)
            return start.open(id, replaces=message)

        return await self._start_once(
            partial(_get_locked, message_id=message_id),
            regenerate,
            owner,
            retry,
            lambda: message_id,
            now,
        )

    async def start_edited(
        self,
        edited: str | MessageIn,
        owner: AnswerOwner,
        *,
        message_id: str,
        retry: RetryKey,
    ) -> StartedAnswer:
        """Supersede a question and everything after it, and open an answer to the edited one."""
        content = edited if isinstance(edited, str) else [edited.content, edited.custom_payload]

        def edit(start: AnswerStart) -> StartedAnswer:
            question = get_active(start.run, message_id)
            if question.role != "user":
                raise InvalidInput("Only a user's message can be edited.", field="message_id")
            return start.ask_again(question, edited)

        return await self._start_once(
            partial(_get_locked, message_id=message_id),
            edit,
            owner,
            retry,
            lambda: [message_id, content],
            self._clock(),
        )

    async def flush(self, started: StartedAnswer, draft: AnswerDraft) -> FlushSignal:
        """Store the answer so far; return whether to go on.

        An owner whose answer was marked as interrupted goes on: its `finish` replaces that.
        """
        id, owner, now = started.answer.id, started.owner, self._clock()

        def flush(run: Run) -> FlushSignal:
            signal = answers.flush(run, id, draft, owner=owner.process_id, now=now)
            if signal == "lost":
                message = messages.get(run, id)
                if message.status != "interrupted" or message.superseded_at is not None:
                    return signal
                signal = "continue"
            if draft.receipt is not None:
                usage.put_receipt(run, started.answer, draft.receipt, now=now)
            return signal

        return await self._write(flush, owner.user_id)

    async def finish(
        self, started: StartedAnswer, draft: AnswerDraft, *, status: Status, metadata: Json
    ) -> tuple[Message, bool] | None:
        """End an answer, and return it with whether to compact inline.

        Returns None if the answer was deleted, or ended by somebody else.
        """
        owner, now = started.owner, self._clock()

        def finish(run: Run) -> tuple[Message, bool] | None:
            try:
                before = _get_locked(run, started.answer.id)
            except NotFound:
                return None
            merged, process_id = {**before.metadata, **metadata}, owner.process_id
            if not answers.finish(
                run, before, draft, owner=process_id, status=status, metadata=merged, now=now
            ):
                return None
            if before.status == "interrupted":  # by a sweep, and perhaps digested since
                _delete_derived(run, before, now)
            if draft.receipt is not None:
                usage.put_receipt(run, before, draft.receipt, now=now)
            return self._after_end(run, before, owner.user_id, now)

        return await self._write(finish, owner.user_id)

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

    async def _start_once(
        self,
        lock: Callable[[Run], object],
        start_answer: Callable[[AnswerStart], StartedAnswer],
        owner: AnswerOwner,
        retry: RetryKey,
        content: Callable[[], Json],
        now: datetime,
    ) -> StartedAnswer:
        """Start an answer in a transaction, or return that of an earlier attempt."""
        request = None
        if retry.key is not None:
            request = await run_off_loop(lambda: retry.request(content()), size=LARGE)

        def transaction(run: Run) -> tuple[StartedAnswer, AfterCommit]:
            lock(run)
            start = AnswerStart(
                run=run,
                owner=owner,
                enqueuer=self._enqueuer,
                max_bytes=self._max_bytes,
                now=now,
            )
            earlier = start.find_earlier(request)
            started = earlier or start_answer(start)
            id = started.answer.conversation_id
            if not earlier:
                result = [started.answer.id]
                idempotency.store_result(run, request, conversation_id=id, result=result, now=now)
            return started, AfterCommit(id, started.stored)

        return await self._write_messages(transaction, owner.user_id)

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
        retention = find_policy(self._policies, progress.policy).retention
        expire(run, ended.conversation_id, retention, now=now)
        return ended, needs_inline_compaction


def _supersede_loser(run: Run, answer: Message, from_seq: int, now: datetime) -> None:
    """Supersede what the answer replaces; or the answer itself if it has no content."""
    id = answer.conversation_id
    if has_content(answer):
        answers.supersede(run, id, from_seq=from_seq, before_seq=answer.seq, now=now)
    elif answers.has_active_between(run, answer, from_seq=from_seq):
        answers.supersede(run, id, from_seq=answer.seq, before_seq=answer.seq + 1, now=now)


def _delete_derived(run: Run, answer: Message, now: datetime) -> None:
    """Delete everything derived from an answer whose text has changed."""
    summaries.delete_covering(run, answer.conversation_id, answer.seq, now=now)
    search_index.delete(run, "message", answer.id)
    vectors.rewind(run, answer.conversation_id, through_seq=answer.seq - 1)


def _get_locked(run: Run, message_id: str) -> Message:
    """Lock a message's conversation, then read the message."""
    conversations.lock(run, messages.get(run, message_id).conversation_id)
    return messages.get(run, message_id)
