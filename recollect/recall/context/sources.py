"""Read the stored state that a context is assembled from, in a fixed number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from recollect.core.policy import MAX_POLICY_MESSAGES, Policy, find_policy
from recollect.core.types import Message, Summary
from recollect.recall.context.memory_selection import UserMemories
from recollect.recall.context.selection import MESSAGE_OVERHEAD
from recollect.recall.context.tool_pairs import pair_tool_calls, unanswered_message
from recollect.recall.context.types import ContextRequest, ContextSources
from recollect.store import conversations, messages, search_index, summaries, usage
from recollect.store.database import Run
from recollect.store.search_index import Filters
from recollect.store.summaries import SummaryState

_MIN_MESSAGE_TOKENS = 5
_MAX_BACKLOG_READ = MAX_POLICY_MESSAGES + 2
"""Of a backlog that digests lag behind: the policy's maximum, a question and its answer's row."""
_MAX_TURN_MESSAGES = 100_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    sources: ContextSources
    user_memories: UserMemories
    is_compaction_due: bool
    """Whether an eager policy has to compact before a context is built."""


def read_snapshot(
    run: Run,
    conversation_id: str,
    request: ContextRequest,
    *,
    policies: Mapping[str, Policy],
    before_seq: int | None,
    now: datetime,
) -> Snapshot:
    state = conversations.by_id_or_key(run, conversation_id, partial(summaries.get_state, run))
    id = state.id
    policy = find_policy(policies, state.policy)
    is_full = request.mode == "full"
    through_seq = 0 if is_full else state.through_seq
    limit = request.room // _MIN_MESSAGE_TOKENS + 1 if is_full else _MAX_BACKLOG_READ
    backlog = messages.backlog(run, id, through_seq=through_seq, limit=limit)
    if len(backlog) == limit and backlog[0].turn == backlog[-1].turn:
        backlog = _newest_turn(run, id, through_seq)
    has_unread = bool(backlog) and len(backlog) >= limit and backlog[0].seq > through_seq + 1
    undigested, message_count = state.backlog, state.message_count
    if before_seq is not None:
        earlier = [message for message in backlog if message.seq < before_seq]
        pending = len(backlog) - len(earlier)
        message_count -= pending
        if policy.eager_at == "context":
            pending += unanswered_message(earlier) is not None
        undigested = replace(undigested, messages=undigested.messages - pending)
        backlog = earlier
    end = messages.MAX_SEQ if before_seq is None else before_seq
    user_memories = UserMemories.read(run, limit=policy.memories)
    sources = ContextSources(
        policy=policy,
        summary=summaries.current(run, id) or Summary.empty(id, now=now),
        backlog=backlog,
        unread_from=through_seq + 1 if has_unread else None,
        question=_digested_question(run, id, backlog, before_seq=min(through_seq + 1, end)),
        pinned=messages.pinned(run, id, before_seq=end),
        history_tokens=state.token_count + MESSAGE_OVERHEAD * message_count,
        before_seq=end,
        elsewhere=_find_elsewhere(run, state, policy, request),
        last_prefix=usage.last_prefix(run, id),
    )
    is_due = policy.timing == "eager" and policy.is_due(undigested) and not is_full
    return Snapshot(sources, user_memories, is_due)


def _find_elsewhere(
    run: Run, state: SummaryState, policy: Policy, request: ContextRequest
) -> Filters | None:
    """Return which other conversations passages may come from, or None."""
    scope = request.recall_scope or state.recall_scope or policy.recall_scope
    is_private = not state.remember or not policy.retrieved_tokens or request.mode == "full"
    is_alone = scope == "project" and state.project_id is None
    if is_private or scope == "conversation" or is_alone:
        return None
    filters = Filters(
        other_than=state.id,
        recallable=True,
        project_id=state.project_id if scope == "project" else None,
    )
    return filters if search_index.has_conversations(run, filters) else None


def _newest_turn(run: Run, id: str, through_seq: int) -> list[Message]:
    """Read the whole of a turn with more messages than are usually read: it has the question."""
    start = messages.tail_start(run, id, through_seq=through_seq, keep_turns=1) or 1
    return messages.backlog(run, id, through_seq=start - 1, limit=_MAX_TURN_MESSAGES)


def _digested_question(
    run: Run, id: str, backlog: Sequence[Message], *, before_seq: int
) -> Message | None:
    """Return the current message if the summary covers it, as in an answer of many tool calls."""
    entries, _ = pair_tool_calls(backlog)
    if before_seq == 1 or any(e.message.role == "user" or e.is_answer for e in entries):
        return None
    seq = messages.last_user_seq(run, id, before_seq=before_seq)
    if seq == 0:
        return None
    covered = messages.list_between(
        run, id, through_seq=seq - 1, before_seq=before_seq, limit=_MAX_TURN_MESSAGES
    )
    return unanswered_message([*covered, *backlog])
