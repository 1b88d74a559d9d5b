"""Answers on record: begun before the model is called, written down while it speaks, and ended.

A question and the row for its answer are committed together, so whatever happens afterwards, both
are there. Another answer, or an edited question, takes the place of what stood before: that stays
on record, and counts neither in the context nor in what is derived.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from recollect.checks import check_idempotency_key
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.ids import canonical_id, new_id
from recollect.model import Conversation, Json, Message, MessageIn, Status
from recollect.policy import find_policy
from recollect.record.append import Batch, append
from recollect.record.history import history_of
from recollect.record.overlap import Known, find_edited, find_overlap
from recollect.record.recording import Recording
from recollect.record.retention import expire
from recollect.store import answers, conversations, documents, idempotency, jobs, messages, usage
from recollect.store.answers import Draft, Heard
from recollect.store.database import Run
from recollect.store.idempotency import Attempt

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=20)
"""An answer whose owner has not been heard for so long is given up."""
_SWEEP_BATCH = 500
_LONGEST_LIST = 2_000
_MOST_RESULTS = 200
"""Of the calls in one answer."""

Place = Conversation | str | None
"""Where something is said: in a conversation that is made if it is not there yet, in one that is
named, or in the user's turn history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is said, and where. `is_whole` says that the messages are all there are, as a client
    knows them: only what comes after the stored part is appended. `known` is that part, where the
    client can name it."""

    place: Place
    messages: Sequence[MessageIn]
    is_whole: bool = False
    known: Known | None = None
    idempotency_key: str | None = None
    manner: Json = None
    """How it is to be answered: what else makes a retry the same request."""

    def attempt(self, batch: Batch) -> Attempt | None:
        if self.idempotency_key is None:
            return None
        check_idempotency_key(self.idempotency_key)
        place = self.place if isinstance(self.place, str) else None
        body = [place, self.manner, batch.body()]
        return Attempt.of("chat", self.idempotency_key, body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """An answer's row. It is not `new` where a retry found the first attempt's."""

    answer: Message
    is_new: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Who writes an answer: a process, with a model."""

    owner: str
    variant: str


class Answers(Recording):
    async def begin(self, user_id: str, question: Question, writer: Writer) -> Begun:
        """Commits what is said, and a row for the answer."""
        now = self._clock()
        batch = Batch.of(question.messages, limit=self._max_bytes, now=now)
        attempt = question.attempt(batch)

        def begin(run: Run) -> Begun:
            if attempt:
                conversations.lock_user(run, now=now)
                if (first := idempotency.recall(run, attempt)) is not None:
                    return Begun(answer=messages.get(run, first[0]), is_new=False)
            id = _place(run, question.place, user_id, now)
            if question.is_whole:
                self._append_new(run, id, question, user_id, now)
            else:
                append(run, id, batch, user_id=user_id, dues=self._dues, owes=False)
            if question.messages[-1].role == "tool":
                _check_call(run, id)
            begun = _open(run, id, writer, now)
            if attempt:
                idempotency.claim(
                    run, attempt, conversation_id=id, result=[begun.answer.id], now=now
                )
            return begun

        return await self._write(begin, user_id)

    async def begin_again(self, message_id: str, user_id: str, writer: Writer) -> Begun:
        """Another answer in the place of one, or of all that followed a question.

        The question of an answer that others have followed is asked once more at the end, so that
        it stays beside its answer.
        """
        now = self._clock()

        def begin(run: Run) -> Begun:
            message = _standing(run, message_id)
            question = message if message.role == "user" else answers.question_of(run, message)
            if question is None:
                raise InvalidInput("This message answers no question.", field="message_id")
            id = message.conversation_id
            later = messages.last_user_seq(run, id)
            if later == question.seq:
                answers.supersede(run, id, from_seq=question.seq + 1, now=now)
                return _open(run, id, writer, now, turn=question.turn)
            return self._replace(run, question, question.content, writer, user_id, now)

        return await self._write(begin, user_id)

    async def begin_edited(self, message_id: str, user_id: str, text: str, writer: Writer) -> Begun:
        """The answer to an edited question, in the place of the old one and all that followed."""
        now = self._clock()

        def begin(run: Run) -> Begun:
            question = _standing(run, message_id)
            if question.role != "user":
                raise InvalidInput("Only a user's message can be edited.", field="message_id")
            return self._replace(run, question, text, writer, user_id, now)

        return await self._write(begin, user_id)

    async def flush(self, message_id: str, user_id: str, draft: Draft, *, owner: str) -> Heard:
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
        message_id: str,
        user_id: str,
        draft: Draft,
        *,
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
                before = messages.get(run, message_id)
            except NotFound:
                return None
            conversations.lock(run, before.conversation_id)
            if not answers.end(
                run, before, draft, owner=owner, status=status, metadata=metadata, now=now
            ):
                return None
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

    async def ask_to_stop(self, message_id: str, user_id: str) -> None:
        """Whoever writes it hears of it within a second."""
        now = self._clock()
        await self._write(lambda run: answers.ask_to_stop(run, message_id, now=now), user_id)

    async def release(self, message_id: str, user_id: str) -> bool:
        """Ends an answer whose owner has not been heard of for too long, as interrupted."""
        now = self._clock()

        def release(run: Run) -> bool:
            before = messages.get(run, message_id)
            conversations.lock(run, before.conversation_id)
            kept = Draft(content=before.content, tool_calls=before.tool_calls or ())
            if not answers.release(run, before, tokens=kept.tokens, before=now - LEASE):
                return False
            self._settle_ended(run, before, user_id, now)
            return True

        return await self._write(release, user_id)

    async def release_lapsed(self) -> int:
        """Of all users. What a live server writes is left alone."""
        find = partial(answers.lapsed, before=self._clock() - LEASE, limit=_SWEEP_BATCH)
        found = await self._database.system(find, read_only=True)
        released = 0
        for user_id, message_id in found:
            try:
                released += await self.release(message_id, user_id)
            except NotFound:  # deleted meanwhile
                continue
        if released:
            logger.warning("answers_interrupted", extra={"answers": released})
        return released

    async def find(self, id: str, user_id: str) -> Message | None:
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
        conversation_id: str,
        user_id: str,
        given: Sequence[MessageIn],
        *,
        known: Known | None = None,
    ) -> Message | None:
        """The stored message that an edited one, the last of a client's list, is to stand for."""

        def find(run: Run) -> Message | None:
            stored = messages.backlog(run, conversation_id, through_seq=0, limit=_LONGEST_LIST)
            return find_edited(given, stored, known)

        return await self._read(find, user_id)

    async def last_of(self, conversation_id: str, user_id: str) -> Message:
        """The newest answer of a conversation."""

        def find(run: Run) -> Message:
            id = answers.last(run, conversations.get(run, conversation_id).id)
            if id is None:
                raise NotFound("The conversation has no answer yet.")
            return messages.get(run, id)

        return await self._read(find, user_id)

    def _append_new(
        self, run: Run, id: str, question: Question, user_id: str, now: datetime
    ) -> None:
        # Beside each message there may be an answer that failed, of which a client has nothing.
        most = 2 * len(question.messages) + 1
        stored = messages.backlog(run, id, through_seq=0, limit=most)
        overlap = find_overlap(question.messages, stored, question.known)
        if overlap.is_repeated:
            answers.supersede(run, id, from_seq=stored[-1].seq, now=now)
        elif overlap.new:
            batch = Batch.of(overlap.new, limit=self._max_bytes, now=now)
            append(run, id, batch, user_id=user_id, dues=self._dues, owes=False)
        elif stored[-1].role == "assistant":
            raise InvalidInput("There is nothing new in these messages.", field="messages")

    def _replace(
        self,
        run: Run,
        question: Message,
        text: str,
        writer: Writer,
        user_id: str,
        now: datetime,
    ) -> Begun:
        """Asks again at the end of the conversation."""
        id = question.conversation_id
        again = MessageIn(
            role="user",
            content=text,
            metadata={**question.metadata, "replaces": question.id},
            custom_payload=question.custom_payload,
        )
        batch = Batch.of([again], limit=self._max_bytes, now=now)
        answers.supersede(run, id, from_seq=question.seq, now=now)
        append(run, id, batch, user_id=user_id, dues=self._dues, owes=False)
        jobs.owe(run, "topic", id, run_at=now + self._dues.eager_grace, now=now)
        return _open(run, id, writer, now)

    def _settle_ended(
        self, run: Run, before: Message, user_id: str, now: datetime
    ) -> tuple[Message, bool]:
        """What an ended answer owes, for its question too."""
        ended = messages.get(run, before.id)
        numbers = answers.settle(run, ended, tokens=ended.tokens - before.tokens, now=now)
        if ended.superseded_at is not None:
            return ended, False
        if numbers.kind == "chat":
            documents.put_messages(run, [ended], user_id=user_id)
        digest_now = self._dues.owe_all(
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
        return ended, digest_now


def _place(run: Run, place: Place, user_id: str, now: datetime) -> str:
    match place:
        case None:
            return history_of(run, user_id, now=now)
        case str():
            id = canonical_id(place)
            if id is None:
                raise NotFound("There is no such conversation.")
            conversations.lock(run, id)
            return id
        case Conversation():
            conversations.lock_user(run, now=now)
            try:
                return conversations.get(run, place.id).id
            except NotFound:
                conversations.insert(run, place, kind="chat")
                return place.id


def _open(run: Run, id: str, writer: Writer, now: datetime, turn: int | None = None) -> Begun:
    answer_id = new_id()
    answers.open_answer(
        run, id, answer_id, variant=writer.variant, owner=writer.owner, turn=turn, now=now
    )
    return Begun(answer=messages.get(run, answer_id))


def _check_call(run: Run, id: str) -> None:
    """A result that answers no call is shown to no model, which then might be shown nothing."""
    newest = messages.backlog(run, id, through_seq=0, limit=_MOST_RESULTS)
    last = next((message for message in reversed(newest) if message.role != "tool"), None)
    if last is None or not last.tool_calls:
        raise InvalidInput("A tool's result must follow the call it answers.", field="messages")


def _standing(run: Run, message_id: str) -> Message:
    """A message that nothing has taken the place of; its conversation is locked from here on."""
    conversations.lock(run, messages.get(run, message_id).conversation_id)
    message = messages.get(run, message_id)
    if message.superseded_at is not None:
        raise Conflict("Something else stands in the place of this message already.")
    return message
