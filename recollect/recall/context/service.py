"""`memory.contexts`: contexts for model calls, and the receipts of earlier ones."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache, partial
from typing import Unpack, get_args, overload

from recollect.core.errors import InvalidInput
from recollect.core.policy import Layout, Policy, RecallScope
from recollect.core.ports import InlineCompaction
from recollect.core.tokens import Calibration, counter_for
from recollect.core.turns import group_turns
from recollect.core.types import Json
from recollect.core.validation import check_choice, check_text, json_text
from recollect.llm.variants import Variant
from recollect.recall.context.assemble import ContextAssembler
from recollect.recall.context.budget import memory_limits
from recollect.recall.context.memory_selection import AccessCounter, UserMemories
from recollect.recall.context.passage_retrieval import choose_passages, read_passages
from recollect.recall.context.passage_selection import is_small_talk
from recollect.recall.context.question import (
    find_numbered_reference,
    find_shown_reference,
    search_query,
)
from recollect.recall.context.reasons import OVER_BUDGET
from recollect.recall.context.receipt import Mode, Receipt
from recollect.recall.context.sources import read_snapshot
from recollect.recall.context.types import (
    Context,
    ContextOptions,
    ContextRequest,
    Format,
    MessagesContext,
    MessagesFormat,
    Recalled,
    TextContext,
    TextFormat,
)
from recollect.recall.references import read_referenced_turn
from recollect.recall.search.ranking import Weights
from recollect.recall.search.retriever import Retriever
from recollect.store import messages, search, usage
from recollect.store.database import Database, Run
from recollect.store.search_index import Filters
from recollect.store.service_base import ServiceBase

logger = logging.getLogger(__name__)

_FORMATS: tuple[str, ...] = get_args(Format)
_MODES: tuple[str, ...] = get_args(Mode)
_LAYOUTS: tuple[str, ...] = get_args(Layout)
_SCOPES: tuple[str, ...] = get_args(RecallScope)
_WEIGHTS = Weights(conversation=0.0)
"""Most candidates are of one conversation."""


class Contexts(ServiceBase):
    """`window` is the room for a context if a request names no model variant."""

    def __init__(
        self,
        database: Database,
        retriever: Retriever,
        *,
        policies: Mapping[str, Policy],
        variants: Mapping[str, Variant],
        window: int,
        calibration: Calibration,
        accesses: AccessCounter,
        compactor: InlineCompaction,
        max_bytes: int,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._retriever = retriever
        self._policies = policies
        self._variants = variants
        self._window = window
        self._calibration = calibration
        self._accesses = accesses
        self._compactor = compactor
        self._max_bytes = max_bytes

    @overload
    async def build_context(
        self,
        message: str | None = None,
        *,
        conversation_id: str,
        user_id: str,
        format: MessagesFormat = "openai",
        before_seq: int | None = None,
        **options: Unpack[ContextOptions],
    ) -> MessagesContext: ...

    @overload
    async def build_context(
        self,
        message: str | None = None,
        *,
        conversation_id: str,
        user_id: str,
        format: TextFormat,
        before_seq: int | None = None,
        **options: Unpack[ContextOptions],
    ) -> TextContext: ...

    async def build_context(
        self,
        message: str | None = None,
        *,
        conversation_id: str,
        user_id: str,
        format: Format = "openai",
        before_seq: int | None = None,
        **options: Unpack[ContextOptions],
    ) -> Context:
        """Return the context for the next model call, with its receipt.

        `message` is not stored; without one, the newest stored user message is the current one if
        it has no answer. `budget` bounds the memory part in tokens, and is divided by the shares of
        the policy. `layout` and `recall_scope` replace those of the policy. `model` names the
        variant whose window and tokenizer count, `tools` the tools offered beside the context.
        `context` has named blocks of the caller. With `before_seq`, messages from this number on
        are ignored: it is the answer to come. A policy that compacts eagerly and is due is
        compacted first.
        """
        request = self.prepare(message, format=format, **options)
        return await self.build(
            request, conversation_id=conversation_id, user_id=user_id, before_seq=before_seq
        )

    def prepare(
        self,
        message: str | None = None,
        *,
        format: Format = "openai",
        budget: int | None = None,
        mode: Mode = "compressed",
        system: str | None = None,
        context: Mapping[str, Json] | None = None,
        model: str | None = None,
        tools: Sequence[Mapping[str, Json]] = (),
        layout: Layout | None = None,
        recall_scope: RecallScope | None = None,
    ) -> ContextRequest:
        """Validate a request, and resolve the window and the tokenizer of its model."""
        for field, text in (("message", message), ("system", system)):
            if text is not None:
                check_text(text, field)
        if message is not None and not message.strip():
            raise InvalidInput("message is empty.", field="message")
        if budget is not None and (not isinstance(budget, int) or budget < 1):
            raise InvalidInput(
                f"budget must be a whole number of at least 1 (got {budget!r}).", field="budget"
            )
        check_choice(format, "format", _FORMATS)
        check_choice(mode, "mode", _MODES)
        if layout is not None:
            check_choice(layout, "layout", _LAYOUTS)
        if recall_scope is not None:
            check_choice(recall_scope, "recall_scope", _SCOPES)
        if context is not None:
            json_text(dict(context), "context", limit=self._max_bytes)
        variant = self._variants.get(model) if model is not None else None
        if variant is None and model is not None:
            names = ", ".join(self._variants)
            raise InvalidInput(f"model must be one of {names}, not {model!r}.", field="model")
        window = variant.window - variant.answer_tokens if variant else self._window
        name = variant.model if variant else None
        counter = counter_for(name, self._calibration.scale(name) if name else 1.0)
        count = lru_cache(maxsize=None)(counter.count)
        tool_tokens = sum(count(json.dumps(tool, ensure_ascii=False)) for tool in tools)
        return ContextRequest(
            message=message,
            system=system,
            contexts=context,
            format=format,
            mode=mode,
            budget=budget or (variant.memory_tokens if variant else None),
            is_budget_requested=budget is not None,
            room=window - tool_tokens,
            count=count,
            has_tools=bool(tools),
            layout=layout,
            recall_scope=recall_scope,
            now=self._clock(),
        )

    async def build(
        self,
        request: ContextRequest,
        *,
        conversation_id: str,
        user_id: str,
        before_seq: int | None = None,
    ) -> Context:
        """Return the context for a request from `prepare`."""
        read = partial(
            read_snapshot,
            conversation_id=conversation_id,
            request=request,
            policies=self._policies,
            before_seq=before_seq,
            now=self._clock(),
        )
        snapshot = await self._read(read, user_id)
        id = snapshot.sources.summary.conversation_id
        if snapshot.is_compaction_due:
            await self._compactor.compact_now(conversation_id=id, user_id=user_id)
            snapshot = await self._read(read, user_id)
        sources = snapshot.sources
        assembler = ContextAssembler(
            sources, request, limits=memory_limits(sources.policy, request)
        )
        recalled = await self._recall(assembler, snapshot.user_memories, user_id)
        context = assembler.build(recalled)
        _log_trimming(context.receipt, id)
        shown = [
            item.source
            for item in context.receipt.items
            if item.section == "memories" and item.outcome == "included"
        ]
        self._accesses.add(user_id, shown, at=self._clock())
        return context

    async def get_receipt(self, *, message_id: str, user_id: str) -> Receipt:
        """Return the receipt that is stored with an answer, with the present titles of other
        conversations."""

        def find(run: Run) -> Receipt:
            message = messages.get(run, message_id)
            receipt = Receipt.from_json(usage.get_receipt(run, message.id))
            others = receipt.conversation_ids() - {message.conversation_id}
            return receipt.with_titles(search.titles(run, sorted(others)))

        return await self._read(find, user_id)

    async def store_receipt(self, receipt: Receipt, *, message_id: str, user_id: str) -> None:
        """Store the receipt of the context that an answer was generated from."""
        now = self._clock()

        def store(run: Run) -> None:
            usage.put_receipt(run, messages.get(run, message_id), receipt.to_json(), now=now)

        await self._write(store, user_id)

    async def _recall(
        self, assembler: ContextAssembler, user_memories: UserMemories, user_id: str
    ) -> Recalled:
        """Return memories and older passages, searched for only if not everything is shown."""
        sources, question = assembler.sources, assembler.question
        policy = sources.policy
        recalled = Recalled(memories=user_memories.choose(policy.memories))
        if not question or is_small_talk(question):
            return recalled
        if assembler.layout.repeats_referenced:
            return replace(recalled, referenced=find_shown_reference(sources.backlog, question))
        retrieves = policy.retrieved_tokens and assembler.request.mode != "full"
        if retrieves and (sources.elsewhere or not assembler.shows_everything(recalled)):
            return await self._recall_passages(
                assembler, recalled, user_memories, question, user_id
            )
        if user_memories.fit(policy.memories):
            return recalled
        scores = await self._retriever.find_memories(question, user_id)
        chosen = await self._read(
            partial(user_memories.choose_relevant, scores, policy.memories), user_id
        )
        return replace(recalled, memories=chosen)

    async def _recall_passages(
        self,
        assembler: ContextAssembler,
        recalled: Recalled,
        user_memories: UserMemories,
        question: str,
        user_id: str,
    ) -> Recalled:
        sources = assembler.sources
        policy, id, before_seq = sources.policy, sources.summary.conversation_id, sources.before_seq
        query = search_query(question, assembler.tail)
        results = await self._retriever.find(
            query.text,
            user_id,
            weights=_WEIGHTS,
            filters=Filters(conversation_id=id),
            elsewhere=sources.elsewhere,
            before_seq=before_seq,
            memories=not user_memories.fit(policy.memories),
        )
        asking = assembler.current_ids() | query.message_ids
        own_turn = sources.question.turn if sources.question else None
        earlier = [c for c in results.ranked if c.message_id not in asking and c.turn != own_turn]
        results = replace(results, ranked=earlier)  # what the query is made of would match best
        reference = find_numbered_reference(question)
        # A budget in the request is there to be used; without one, the cached prefix counts more.
        saves = assembler.layout.is_cacheable and not assembler.request.is_budget_requested
        shown = assembler.shown_ids(recalled) if reference or saves else set()
        chosen = choose_passages(results, question, cached=shown if saves else ())

        def read(run: Run) -> Recalled:
            named = (
                read_referenced_turn(run, id, reference, asking=question, before_seq=before_seq)
                if reference
                else []
            )
            referenced = [message for message in named if message.id not in shown]
            return Recalled(
                memories=user_memories.choose_relevant(results.memory_scores, policy.memories, run),
                referenced=group_turns(referenced),
                passages=read_passages(run, results, chosen, conversation_id=id),
                is_lexical_only=results.query.is_late,
            )

        return await self._read(read, user_id)


def _log_trimming(receipt: Receipt, conversation_id: str) -> None:
    """Log what the budget dropped, so that operators can tune it."""
    items = [item for item in receipt.items if item.reason.startswith(OVER_BUDGET)]
    dropped = sum(
        (item.last_seq or 0) - (item.first_seq or 0) + 1 for item in items if item.section == "tail"
    )
    is_summary_cut = any(item.section == "summary" for item in items)
    if receipt.mode == "compressed" and (dropped or is_summary_cut):
        logger.info(
            "context.trimmed",
            extra={
                "conversation_id": conversation_id,
                "budget": receipt.budget,
                "tokens": receipt.memory_tokens,
                "dropped_messages": dropped,
                "summary_shortened": is_summary_cut,
            },
        )
