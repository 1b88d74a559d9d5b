"""Answers on record: begun before the model is called, written down while it speaks, and ended.

A question and the row for its answer are committed together, so whatever happens afterwards, both
are there. Another answer, or an edited question, takes the place of what stood before: that stays
on record, and counts neither in the context nor in what is derived.
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
from recollect.record.append import Batch, append
from recollect.record.message_diff import Known, find_edited, find_overlap
from recollect.record.places import Place, find_place, lock_place
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
from recollect.store.answers import Draft, Heard
from recollect.store.database import Run
from recollect.store.idempotency import Attempt

logger = logging.getLogger(__name__)

REPLACES = "replaces"
"""In the metadata of a question that is asked again: the one that it takes the place of."""
REPLACES_FROM = "replaces_from"
"""In an answer's metadata: the number of the first message that it takes the place of."""
_SWEEP_BATCH = 500
_LONGEST_LIST = 2_000
_MOST_RESULTS = 200
"""Of the calls in one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """What makes a retry the same request, beside what is said in it."""

    key: str
    about: Json
    """Where it is said, and how it is to be answered."""

    def attempt(self, said: Json) -> Attempt:
        check_idempotency_key(self.key)
        return Attempt.of("chat", self.key, [self.about, said])


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What is said, and where. `is_whole` says that the messages are all there are, as a client
    knows them: only what comes after the stored part is appended. `known` is that part, where the
    client can name it. `client_id` is what a client calls the place, if it is not there yet."""

    place: Place
    messages: Sequence[MessageIn]
    is_whole: bool = False
    known: Known | None = None
    client_id: str | None = None
    idempotency_key: str | None = None

    @classmethod
    def of(cls, text: str, place: Place, idempotency_key: str | None = None) -> Self:
        """What a user says."""
        said = [MessageIn(role="user", content=text)]
        return cls(place=place, messages=said, idempotency_key=idempotency_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedAnswer:
    """An answer's row. It is not `new` where a retry found the first attempt's."""

    answer: Message
    before_seq: int
    """What its model is shown ends before this number."""
    is_new: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOwner:
    """Who writes an answer: a process, with a model."""

    owner: str
    variant: str


class Answers(WriteService):
    async def begin(
        self,
        question: ChatRequest,
        writer: AnswerOwner,
        *,
        user_id: str,
        retry: Retry | None = None,
    ) -> StartedAnswer:
        """Commits what is said, and a row for the answer."""
        now = self._clock()
        batch = Batch.of(question.messages, limit=self._max_bytes, now=now)
        attempt = retry.attempt(batch.body()) if retry else None

        def begin(run: Run) -> StartedAnswer:
            lock_place(run, question.place, now)
            if first := _first_attempt(run, attempt, writer, now):
                return first
            id = find_place(run, question.place, user_id, now)
            old = None
            if question.is_whole:
                old = self._append_new(run, id, question, user_id, now)
            else:
                append(run, id, batch, user_id=user_id, enqueuer=self._enqueuer, owes=False)
            if question.messages[-1].role == "tool":
                _check_call(run, id)
            return _claimed(run, attempt, _open(run, id, writer, now, in_place_of=old), now)

        return await self._write(begin, user_id)

    async def begin_again(
        self,
        writer: AnswerOwner,
        *,
        message_id: str,
        user_id: str,
        check: Callable[[str], None],
        retry: Retry | None = None,
    ) -> StartedAnswer:
        """Another answer to the same question.

        It takes the place of what stands there when it ends with at least a word. The question of
        an answer that others have followed is asked once more at the end, so that it stays beside
        its answer. `check` raises if the question cannot be answered.
        """
        now = self._clock()
        attempt = retry.attempt(message_id) if retry else None

        def begin(run: Run) -> StartedAnswer:
            conversations.lock(run, messages.get(run, message_id).conversation_id)
            if first := _first_attempt(run, attempt, writer, now):
                return first
            message = _standing(run, message_id)
            question = message if message.role == "user" else answers.question_of(run, message)
            if question is None:
                raise InvalidInput("This message answers no question.", field="message_id")
            check(question.content)
            id = message.conversation_id
            if messages.last_user_seq(run, id) == question.seq:
                if running := answers.running(run, id):
                    answers.ask_to_stop(run, running, now=now)
                begun = _open(run, id, writer, now, in_place_of=message)
            else:
                begun = self._replace(run, question, question.content, writer, user_id, now)
            return _claimed(run, attempt, begun, now)

        return await self._write(begin, user_id)

    async def begin_edited(
        self,
        edited: str | MessageIn,
        writer: AnswerOwner,
        *,
        message_id: str,
        user_id: str,
        retry: Retry | None = None,
    ) -> StartedAnswer:
        """The answer to an edited question, in the place of the old one and all that followed.

        Where only its words are given, what came with the old one stays with it.
        """
        now = self._clock()
        said = edited if isinstance(edited, str) else [edited.content, edited.custom_payload]
        attempt = retry.attempt([message_id, said]) if retry else None

        def begin(run: Run) -> StartedAnswer:
            conversations.lock(run, messages.get(run, message_id).conversation_id)
            if first := _first_attempt(run, attempt, writer, now):
                return first
            question = _standing(run, message_id)
            if question.role != "user":
                raise InvalidInput("Only a user's message can be edited.", field="message_id")
            begun = self._replace(run, question, edited, writer, user_id, now)
            return _claimed(run, attempt, begun, now)

        return await self._write(begin, user_id)

    async def flush(self, draft: Draft, *, message_id: str, user_id: str, owner: str) -> Heard:
        """Writes down what there is, and says whether to go on.

        An owner that was given up for lost goes on: it will have the last word.
        """
        now = self._clock()

        def flush(run: Run) -> Heard:
            heard = answers.flush(run, message_id, draft, owner=owner, now=now)
            if heard == "gone":
                found = messages.get(run, message_id)
                if found.status == "interrupted" and found.superseded_at is None:
                    return "go on"
            return heard

        return await self._write(flush, user_id)

    async def end(
        self,
        draft: Draft,
        *,
        message_id: str,
        user_id: str,
        owner: str,
        status: Status,
        metadata: Json,
        receipt: Json,
    ) -> tuple[Message, bool] | None:
        """The answer as it is stored, and whether an eager digest is owed; None if it is gone, or
        somebody else has ended it."""
        now = self._clock()

        def end(run: Run) -> tuple[Message, bool] | None:
            try:
                before = _locked(run, message_id)
            except NotFound:
                return None
            noted = {**before.metadata, **metadata}
            if not answers.end(
                run, before, draft, owner=owner, status=status, metadata=noted, now=now
            ):
                return None
            if before.status == "interrupted":  # given up for lost, and perhaps digested since
                _forget_derived(run, before, now)
            if receipt is not None:
                usage.put_receipt(
                    run,
                    message_id=before.id,
                    conversation_id=before.conversation_id,
                    receipt=receipt,
                    now=now,
                )
            return self._settle_ended(run, before, user_id, now)

        return await self._write(end, user_id)

    async def ask_to_stop(self, *, message_id: str, user_id: str) -> None:
        """Whoever writes it hears of it within a second."""
        now = self._clock()
        await self._write(lambda run: answers.ask_to_stop(run, message_id, now=now), user_id)

    async def release(self, *, message_id: str, user_id: str) -> bool:
        """Ends an answer whose owner has not been heard of for too long, as interrupted."""
        now = self._clock()

        def release(run: Run) -> bool:
            before = _locked(run, message_id)
            kept = Draft(content=before.content, tool_calls=before.tool_calls or ())
            if not answers.release(run, before, tokens=kept.tokens, now=now):
                return False
            self._settle_ended(run, before, user_id, now)
            return True

        return await self._write(release, user_id)

    async def release_lapsed(self) -> int:
        """Of all users. What a live server writes is left alone."""
        find = partial(answers.lapsed, now=self._clock(), limit=_SWEEP_BATCH)
        found = await self._database.system(find, read_only=True)
        released = 0
        for user_id, message_id in found:
            try:
                released += await self.release(message_id=message_id, user_id=user_id)
            except NotFound:  # deleted meanwhile
                continue
        if released:
            logger.warning("answers_interrupted", extra={"answers": released})
        return released

    async def find(self, id: str, *, user_id: str) -> Message | None:
        """An answer by its own id, or the one that is being written in a conversation."""

        def find(run: Run) -> Message | None:
            try:
                return messages.get(run, id)
            except NotFound:
                place = conversations.get(run, id).id
            running = answers.running(run, place)
            return messages.get(run, running) if running else None

        return await self._read(find, user_id)

    async def find_edited(
        self,
        given: Sequence[MessageIn],
        *,
        conversation_id: str,
        user_id: str,
        known: Known | None = None,
    ) -> Message | None:
        """The stored message that an edited one, the last of a client's list, is to stand for."""

        def find(run: Run) -> Message | None:
            stored = messages.backlog(run, conversation_id, through_seq=0, limit=_LONGEST_LIST)
            return find_edited(given, stored, known)

        return await self._read(find, user_id)

    async def last_of(self, *, conversation_id: str, user_id: str) -> Message:
        """The newest answer of a conversation."""

        def find(run: Run) -> Message:
            id = answers.last(run, conversations.get(run, conversation_id).id)
            if id is None:
                raise NotFound("The conversation has no answer yet.")
            return messages.get(run, id)

        return await self._read(find, user_id)

    def _append_new(
        self, run: Run, id: str, question: ChatRequest, user_id: str, now: datetime
    ) -> Message | None:
        """Of a whole list, what is new; or the answer that another one is wanted for."""
        # Beside each message there may be an answer that failed, of which a client has nothing.
        most = 2 * len(question.messages) + 1
        stored = messages.backlog(run, id, through_seq=0, limit=most)
        overlap = find_overlap(question.messages, stored, question.known)
        if overlap.is_repeated:
            return stored[-1]
        if overlap.new:
            batch = Batch.of(overlap.new, limit=self._max_bytes, now=now)
            append(run, id, batch, user_id=user_id, enqueuer=self._enqueuer, owes=False)
        elif stored[-1].role == "assistant":
            raise InvalidInput("There is nothing new in these messages.", field="messages")
        return None

    def _replace(
        self,
        run: Run,
        question: Message,
        said: str | MessageIn,
        writer: AnswerOwner,
        user_id: str,
        now: datetime,
    ) -> StartedAnswer:
        """Asks again at the end of the conversation."""
        id = question.conversation_id
        if isinstance(said, str):
            said = MessageIn(role="user", content=said, custom_payload=question.custom_payload)
        again = replace(
            said,
            metadata={**question.metadata, REPLACES: question.id},
            is_pinned=question.is_pinned,
        )
        batch = Batch.of([again], limit=self._max_bytes, now=now)
        answers.supersede(run, id, from_seq=question.seq, now=now)
        append(run, id, batch, user_id=user_id, enqueuer=self._enqueuer, owes=False)
        jobs.enqueue(run, "topic", id, run_at=now + self._enqueuer.eager_grace, now=now)
        return _open(run, id, writer, now)

    def _settle_ended(
        self, run: Run, before: Message, user_id: str, now: datetime
    ) -> tuple[Message, bool]:
        """What an ended answer owes, for its question too."""
        ended = messages.get(run, before.id)
        numbers = answers.settle(run, ended, tokens=ended.tokens - before.tokens, now=now)
        replaces_from = ended.metadata.get(REPLACES_FROM)
        if replaces_from is not None and ended.superseded_at is None:
            _take_place(run, ended, replaces_from, now)
            ended = messages.get(run, before.id)
            numbers = answers.settle(run, ended, tokens=0, now=now)
        if ended.superseded_at is not None:
            return ended, False
        if numbers.kind == "chat":
            search_index.put_messages(run, [ended], user_id=user_id)
        needs_inline_compaction = self._enqueuer.enqueue_due(
            run,
            ended.conversation_id,
            numbers,
            first_turn=ended.turn,
            answered_turn=ended.turn if ended.content else None,
            has_user=True,
            now=now,
        )
        if retention := find_policy(self._policies, numbers.policy).retention:
            expire(run, ended.conversation_id, retention, now=now)
        return ended, needs_inline_compaction


def _first_attempt(
    run: Run, attempt: Attempt | None, writer: AnswerOwner, now: datetime
) -> StartedAnswer | None:
    """What a retry gets: the answer there is; or, where that failed without a word and nothing was
    said since, another one in its place."""
    first = idempotency.recall(run, attempt) if attempt else None
    if attempt is None or first is None:
        return None
    answer = messages.get(run, first[0])
    id = answer.conversation_id
    if _has_words(answer) or answer.status != "error":
        return StartedAnswer(answer=answer, before_seq=answer.seq, is_new=False)
    if messages.last_user_seq(run, id) > answer.seq:
        return StartedAnswer(answer=answer, before_seq=answer.seq, is_new=False)
    begun = _open(run, id, writer, now, in_place_of=answer)
    idempotency.settle(run, attempt, [begun.answer.id])
    return begun


def _claimed(
    run: Run, attempt: Attempt | None, begun: StartedAnswer, now: datetime
) -> StartedAnswer:
    """Kept for those who try again."""
    if attempt:
        id = begun.answer.conversation_id
        idempotency.claim(run, attempt, conversation_id=id, result=[begun.answer.id], now=now)
    return begun


def _open(
    run: Run, id: str, writer: AnswerOwner, now: datetime, *, in_place_of: Message | None = None
) -> StartedAnswer:
    """A row for the answer to what was said last; or for another one, in the place of a message (of
    a question, of all that follows it)."""
    answer_id, old = new_id(), in_place_of
    from_seq = None if old is None else _replaced_from(old)
    answers.open_answer(
        run,
        id,
        answer_id,
        variant=writer.variant,
        owner=writer.owner,
        turn=old.turn if old else None,
        metadata={} if from_seq is None else {REPLACES_FROM: from_seq},
        now=now,
    )
    answer = messages.get(run, answer_id)
    return StartedAnswer(answer=answer, before_seq=answer.seq if from_seq is None else from_seq)


def _replaced_from(old: Message) -> int:
    """From where on something else is to stand. One that is still being written has not taken its
    place yet, and one that failed never did: so the next one takes it."""
    if old.role == "user":
        return old.seq + 1
    if old.status == "streaming" or old.superseded_at is not None:
        first: int = old.metadata.get(REPLACES_FROM, old.seq)
        return first
    return old.seq


def _take_place(run: Run, answer: Message, from_seq: int, now: datetime) -> None:
    """Of what stood there, or, where nothing was said, leave it to that."""
    id = answer.conversation_id
    if _has_words(answer):
        answers.supersede(run, id, from_seq=from_seq, before_seq=answer.seq, now=now)
    elif answers.stands_before(run, answer, from_seq=from_seq):
        answers.supersede(run, id, from_seq=answer.seq, before_seq=answer.seq + 1, now=now)


def _has_words(answer: Message) -> bool:
    return bool(answer.content.strip() or answer.tool_calls)


def _forget_derived(run: Run, answer: Message, now: datetime) -> None:
    """What was made of an answer that has other words now."""
    summaries.delete_covering(run, answer.conversation_id, answer.seq, now=now)
    search_index.delete(run, "message", answer.id)
    vectors.rewind(run, answer.conversation_id, through_seq=answer.seq - 1)


def _check_call(run: Run, id: str) -> None:
    """A result that answers no call is shown to no model, which then might be shown nothing."""
    newest = messages.backlog(run, id, through_seq=0, limit=_MOST_RESULTS)
    last = next((message for message in reversed(newest) if message.role != "tool"), None)
    if last is None or not last.tool_calls:
        raise InvalidInput("A tool's result must follow the call it answers.", field="messages")


def _locked(run: Run, message_id: str) -> Message:
    """As it is once its conversation is locked: somebody else may have changed it before."""
    conversations.lock(run, messages.get(run, message_id).conversation_id)
    return messages.get(run, message_id)


def _standing(run: Run, message_id: str) -> Message:
    """A message that nothing has taken the place of."""
    message = messages.get(run, message_id)
    if message.superseded_at is not None:
        raise Conflict("Something else stands in the place of this message already.")
    return message
