"""`memory.contexts`: the context for the next model call, and the receipts of those before."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import get_args

from recollect.core.errors import InvalidInput
from recollect.core.policy import MOST_MESSAGES, Backlog, Policy, find_policy
from recollect.core.ports import InlineCompaction
from recollect.core.tokens import Calibration, counter_for
from recollect.core.turns import group_turns
from recollect.core.types import Json, Message, Summary, Turn
from recollect.core.validation import check_text, json_text
from recollect.llm.variants import Variant
from recollect.recall.context.assemble import build_context, check_room
from recollect.recall.context.budget import MESSAGE_OVERHEAD, Count
from recollect.recall.context.formats import Format
from recollect.recall.context.layout import LAYOUTS
from recollect.recall.context.memory_selection import AccessCounter, UserMemories, relevant_memories
from recollect.recall.context.reasons import OVER_BUDGET
from recollect.recall.context.receipt import Mode, Receipt
from recollect.recall.context.tool_pairs import find_current, pair_tool_calls
from recollect.recall.context.turn_retrieval import (
    displaceable,
    find_named,
    find_shown_reference,
    select_turns,
    shows_everything,
    unseen,
)
from recollect.recall.context.types import Context, ContextSources, Limits, Request
from recollect.recall.references import read_referenced_turn
from recollect.recall.search.ranking import Weights
from recollect.recall.search.retriever import Retriever, Scores
from recollect.store import messages, summaries, usage
from recollect.store.base_service import Service
from recollect.store.database import Database, Run
from recollect.store.search_index import Filters

logger = logging.getLogger(__name__)

_FORMATS: tuple[str, ...] = get_args(Format)
_MODES: tuple[str, ...] = get_args(Mode)
_SMALLEST_MESSAGE = 5
"""What any message costs at least, so that no more are read than a budget could hold."""
_MOST_READ = MOST_MESSAGES + 2
"""Of a backlog that no digest has caught up with: what a policy may wait for, a question and the
row of its answer."""
_LONGEST_TURN = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelWindows:
    """What each model can read. Where a request names none, the caller's own model is assumed."""

    variants: Mapping[str, Variant]
    window: int
    answer_tokens: int

    def limits(self, model: str | None) -> tuple[int, int | None]:
        """The room for a context, and what memory may take of it."""
        if model is None:
            return self.window - self.answer_tokens, None
        variant = self.variants.get(model)
        if variant is None:
            known = ", ".join(self.variants)
            raise InvalidInput(f"model must be one of {known}, not {model!r}.", field="model")
        return variant.window - variant.answer_tokens, variant.memory_tokens


class Contexts(Service):
    def __init__(
        self,
        database: Database,
        retriever: Retriever,
        *,
        policies: Mapping[str, Policy],
        windows: ModelWindows,
        calibration: Calibration,
        accesses: AccessCounter,
        compactor: InlineCompaction,
        max_bytes: int,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._retriever = retriever
        self._policies = policies
        self._windows = windows
        self._calibration = calibration
        self._accesses = accesses
        self._compactor = compactor
        self._max_bytes = max_bytes

    async def build_context(
        self,
        message: str | None = None,
        *,
        conversation_id: str,
        user_id: str,
        budget: int | None = None,
        format: Format = "openai",
        mode: Mode = "compressed",
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        model: str | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        before_seq: int | None = None,
    ) -> Context:
        """What to send to the model, and the receipt.

        `message` is not stored; without one, the newest stored user message that has no answer is
        the current one. `budget` bounds the memory part. `model` names a variant whose window and
        tokenizer are to be used, `tools` what is offered to it beside the context, which takes room
        as well. An eager policy that is over its limit is digested first. With `before_seq`, the
        message of this number is the answer to come: neither it nor anything after it is looked at.
        """
        self._check(message, budget, format, mode, system, context)
        request = Request(
            message=message, system=system, contexts=context, format=format, mode=mode
        )
        _, most_memory = self._windows.limits(model)
        room, count = self.room_for(model, tools)

        def read(run: Run) -> tuple[ContextSources, UserMemories, bool]:
            return self._read_material(
                run, conversation_id, mode=mode, room=room, before_seq=before_seq
            )

        material, knowledge, is_due = await self._read(read, user_id)
        if is_due:
            await self._compactor.compact_now(
                conversation_id=material.summary.conversation_id, user_id=user_id
            )
            material, knowledge, _ = await self._read(read, user_id)
        fillable = room - room // 4 if tools else room  # what they give back needs room, too
        limits = Limits(
            budget=_budget(material.policy, mode, budget, most_memory, fillable),
            room=room,
            count=count,
            is_asked_for=budget is not None and mode == "compressed",
        )
        built = build_context(material, request, limits)
        if more := await self._recall(
            material, knowledge, built, message, user_id, _end(before_seq)
        ):
            built = build_context(more, request, limits)
        _log_trimming(built, material.summary.conversation_id)
        self._accesses.note(user_id, _memories_shown(built), at=self._clock())
        return built

    def check_request(
        self,
        message: str,
        *,
        mode: Mode = "compressed",
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        model: str | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
    ) -> None:
        """Raises what `build_context` would, as far as the request alone can tell: before anything
        is stored."""
        self._check(message, None, "openai", mode, system, context)
        room, count = self.room_for(model, tools)
        check_room(
            Request(message=message, system=system, contexts=context, mode=mode),
            room=room,
            count=count,
        )

    def room_for(
        self, model: str | None, tools: Sequence[Mapping[str, Json]] = ()
    ) -> tuple[int, Count]:
        """What a model can read beside its tools, and how its tokens are counted."""
        room, _ = self._windows.limits(model)
        count = self._counter(model)
        taken = sum(count(json.dumps(tool, ensure_ascii=False)) for tool in tools)
        return room - taken, count

    async def get_receipt(self, *, message_id: str, user_id: str) -> Receipt:
        """The receipt that is stored with an answer."""

        def find(run: Run) -> Receipt:
            stored = usage.get_receipt(run, messages.get(run, message_id).id)
            return Receipt.from_json(stored)

        return await self._read(find, user_id)

    async def keep_receipt(self, receipt: Receipt, *, message_id: str, user_id: str) -> None:
        """Stores with an answer what its model was shown: for later, and for the analytics."""
        now = self._clock()

        def keep(run: Run) -> None:
            message = messages.get(run, message_id)
            usage.put_receipt(
                run,
                message_id=message.id,
                conversation_id=message.conversation_id,
                receipt=receipt.to_json(),
                now=now,
            )

        await self._write(keep, user_id)

    def _read_material(
        self, run: Run, conversation_id: str, *, mode: Mode, room: int, before_seq: int | None
    ) -> tuple[ContextSources, UserMemories, bool]:
        """In a fixed number of queries, however long the conversation is."""
        standing = summaries.get_state(run, conversation_id)
        id = standing.id
        policy = find_policy(self._policies, standing.policy)
        summary = summaries.current(run, id) or Summary.none(id, now=self._clock())
        is_full = mode == "full"
        through_seq = 0 if is_full else standing.through_seq
        limit = room // _SMALLEST_MESSAGE + 1 if is_full else _MOST_READ
        found = messages.backlog(run, id, through_seq=through_seq, limit=limit)
        if len(found) == limit and found[0].turn == found[-1].turn:
            found = self._newest_turn(run, id, through_seq)
        more = bool(found) and len(found) >= limit and found[0].seq > through_seq + 1
        unasked, stored = standing.backlog, standing.message_count
        if before_seq is not None:
            unasked = _before_the_question(standing.backlog, found, policy, before_seq)
            stored -= sum(message.seq >= before_seq for message in found)
            found = [message for message in found if message.seq < before_seq]
        end = _end(before_seq)
        knowledge = UserMemories.read(run, most=policy.memories)
        material = ContextSources(
            policy=policy,
            summary=summary,
            backlog=found,
            unread_from=through_seq + 1 if more else None,
            question=_question_before(run, id, found, min(through_seq + 1, end)),
            pinned=messages.pinned(run, id, before_seq=end),
            memories=knowledge.choose(policy.memories),
            history_tokens=standing.token_count + MESSAGE_OVERHEAD * stored,
        )
        is_due = policy.timing == "eager" and policy.is_due(unasked)
        return material, knowledge, is_due and not is_full

    async def _recall(
        self,
        material: ContextSources,
        knowledge: UserMemories,
        built: Context,
        message: str | None,
        user_id: str,
        before_seq: int,
    ) -> ContextSources | None:
        """What there is to build from once more: also what the current message refers to, and what
        bears on it, of that which would not be shown. None where everything is."""
        asked = message if message is not None else _asked(material)
        if not asked:
            return None
        if LAYOUTS[material.policy.layout].names_shown:
            referenced = find_shown_reference(material.backlog, asked)
            return replace(material, referenced=referenced) if referenced else None
        is_full = built.receipt.mode == "full"
        is_all = is_full or shows_everything(material, built)
        if material.policy.retrieved_turns and not is_all:
            return await self._recall_turns(material, knowledge, built, asked, user_id, before_seq)
        if knowledge.shows_all(material.policy.memories):
            return None
        known = await self._retriever.find_memories(asked, user_id)
        return await self._read(
            lambda run: self._with_memories(run, material, knowledge, known), user_id
        )

    async def _recall_turns(
        self,
        material: ContextSources,
        knowledge: UserMemories,
        built: Context,
        asked: str,
        user_id: str,
        before_seq: int,
    ) -> ContextSources:
        policy, id = material.policy, material.summary.conversation_id
        found = await self._retriever.find(
            asked,
            user_id,
            weights=Weights(),
            filters=Filters(conversation_id=id),
            before_seq=before_seq,
            memories=not knowledge.shows_all(policy.memories),
        )
        shown = {item.message_id for item in built.receipt.items if item.outcome != "dropped"}
        loose = displaceable(material, built)
        ranked = [one.candidate for one in found.ranked]
        best = select_turns(material, ranked, shown=shown, loose=loose)
        recent = {
            turn.number: turn.messages
            for turn in group_turns(material.backlog)
            if any(message.id in loose for message in turn.messages)
        }
        reference = find_named(asked)

        def read(run: Run) -> tuple[list[Turn], list[Turn], ContextSources]:
            named = (
                read_referenced_turn(run, id, reference, asking=asked, before_seq=before_seq)
                if reference
                else []
            )
            retrieved = [
                recent.get(place.turn)
                or messages.turn_of(run, id, seq=place.seq, turn=place.turn, before_seq=before_seq)
                for place in best
            ]
            return (
                group_turns(named),
                [turn for those in retrieved for turn in group_turns(those)],
                self._with_memories(run, material, knowledge, found.known),
            )

        named, retrieved, informed = await self._read(read, user_id)
        referenced = unseen(named, shown)
        shown |= {message.id for turn in referenced for message in turn.messages}
        return replace(
            informed,
            referenced=referenced,
            retrieved=unseen(retrieved, shown - loose),
            most_retrieved=policy.retrieved_turns,
            by_words_only=found.question.is_late,
        )

    def _with_memories(
        self, run: Run, material: ContextSources, knowledge: UserMemories, known: Scores
    ) -> ContextSources:
        """With what bears on the message before what is merely new."""
        most = material.policy.memories
        relevant = relevant_memories(run, known, weights=Weights(), most=most)
        return (
            replace(material, memories=knowledge.choose(most, relevant)) if relevant else material
        )

    def _newest_turn(self, run: Run, id: str, through_seq: int) -> list[Message]:
        """A turn of more messages than are usually read: its question must be there."""
        start = messages.tail_start(run, id, through_seq=through_seq, keep_turns=1) or 1
        return messages.backlog(run, id, through_seq=start - 1, limit=_LONGEST_TURN)

    def _counter(self, model: str | None) -> Count:
        name = self._windows.variants[model].model if model else None
        counter = counter_for(name, self._calibration.scale(name) if name else 1.0)
        return lru_cache(maxsize=None)(counter.count)

    def _check(
        self,
        message: str | None,
        budget: int | None,
        format: str,
        mode: str,
        system: str | None,
        context: Mapping[str, Json] | None,
    ) -> None:
        for field, text in (("message", message), ("system", system)):
            if text is not None:
                check_text(text, field)
        if message is not None and not message.strip():
            raise InvalidInput("message is empty.", field="message")
        if budget is not None and (not isinstance(budget, int) or budget < 1):
            raise InvalidInput("budget must be a whole number from 1 on.", field="budget")
        if format not in _FORMATS:
            raise InvalidInput(f"format must be one of {', '.join(_FORMATS)}.", field="format")
        if mode not in _MODES:
            raise InvalidInput(f"mode must be one of {', '.join(_MODES)}.", field="mode")
        if context is not None:
            json_text(dict(context), "context", limit=self._max_bytes)


def _end(before_seq: int | None) -> int:
    return messages.MAX_SEQ if before_seq is None else before_seq


def _before_the_question(
    backlog: Backlog, found: Sequence[Message], policy: Policy, before_seq: int
) -> Backlog:
    """What counts against the limit while an answer is to come: not its row, nor, where digests run
    before a context is built, the question."""
    coming = sum(message.seq >= before_seq for message in found)
    if policy.eager_at == "context":
        coming += _unanswered([one for one in found if one.seq < before_seq]) is not None
    return replace(backlog, messages=backlog.messages - coming)


def _question_before(
    run: Run, id: str, backlog: Sequence[Message], before_seq: int
) -> Message | None:
    """The current message, where a digest has gone past it: its answer takes many steps."""
    entries, _ = pair_tool_calls(backlog)
    if before_seq == 1 or any(one.message.role == "user" or one.is_answer for one in entries):
        return None
    seq = messages.last_user_seq(run, id, before_seq=before_seq)
    if seq == 0:
        return None
    covered = messages.list_between(
        run, id, through_seq=seq - 1, before_seq=before_seq, limit=_LONGEST_TURN
    )
    return _unanswered([*covered, *backlog])


def _unanswered(said: Sequence[Message]) -> Message | None:
    """What the user said last, if nobody has answered it yet."""
    entries, _ = pair_tool_calls(said)
    place = find_current(entries)
    return None if place is None else entries[place].message


def _asked(material: ContextSources) -> str | None:
    current = material.question or _unanswered(material.backlog)
    return current.content if current else None


def _memories_shown(built: Context) -> list[str]:
    return [
        item.source
        for item in built.receipt.items
        if item.section == "memories" and item.outcome == "included"
    ]


def _budget(
    policy: Policy, mode: Mode, asked: int | None, most_memory: int | None, room: int
) -> int:
    if mode == "full":
        return room
    if asked is not None:
        return min(asked, room)
    return min(room, policy.prompt_tokens or room, most_memory or room)


def _log_trimming(built: Context, conversation_id: str) -> None:
    """Whatever the budget took away is what its settings are tuned by."""
    items = [item for item in built.receipt.items if item.reason.startswith(OVER_BUDGET)]
    dropped = sum(1 for item in items if item.section == "tail")
    shortened = any(item.section == "summary" for item in items)
    if built.receipt.mode == "compressed" and (dropped or shortened):
        logger.info(
            "memory_trimmed",
            extra={
                "conversation_id": conversation_id,
                "budget": built.receipt.budget,
                "tokens": built.receipt.memory_tokens,
                "dropped_messages": dropped,
                "summary_shortened": shortened,
            },
        )
