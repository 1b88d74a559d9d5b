"""Selects the messages that a compaction folds into the summary.

A policy that keeps turns cuts between whole turns. A policy that keeps messages cuts between
messages, but never between a tool call and its result: then fewer stay. A message that is still
being streamed is not folded, nor anything after it. A question whose answer takes many steps is
folded with the first of them, else a tool loop would outgrow any window; a context contains the
question anyway.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.core.policy import MAX_POLICY_MESSAGES, Policy
from recollect.core.types import Message
from recollect.store import messages
from recollect.store.database import Run

_MAX_FOLDED_MESSAGES = 1_000
_MAX_TAIL_MESSAGES = MAX_POLICY_MESSAGES + 2
"""The most that a policy keeps and one more, while a question and its answer do not count."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Messages to fold. `is_all` is False if more have to be folded after them."""

    messages: Sequence[Message]
    is_all: bool


def find_fold(
    run: Run, conversation_id: str, policy: Policy, *, through_seq: int, force: bool = False
) -> Fold:
    """Return the messages between the summary and the tail that the policy keeps, oldest first.

    `force` folds all but the newest turn if the policy would keep everything.
    """
    older = _before_tail(run, conversation_id, policy, through_seq)
    if not older and force:
        newest_only = replace(policy, keep_turns=1, keep_messages=None)
        older = _before_tail(run, conversation_id, newest_only, through_seq)
    is_all = len(older) <= _MAX_FOLDED_MESSAGES
    by_turn = policy.keep_turns is not None
    finished = _before_streaming(older, by_turn=by_turn)
    if not is_all and len(finished) == len(older):
        finished = _without_last(finished, by_turn=by_turn)
    return Fold(finished, is_all)


def _before_tail(run: Run, conversation_id: str, policy: Policy, through_seq: int) -> list[Message]:
    """Return the messages before the tail: at most one more than are folded at once."""
    before_seq = _tail_start(run, conversation_id, policy, through_seq)
    if before_seq is None:
        return []
    return messages.list_between(
        run,
        conversation_id,
        through_seq=through_seq,
        before_seq=before_seq,
        limit=_MAX_FOLDED_MESSAGES + 1,
    )


def _tail_start(run: Run, conversation_id: str, policy: Policy, through_seq: int) -> int | None:
    if policy.keep_turns is not None:
        return messages.tail_start(
            run, conversation_id, through_seq=through_seq, keep_turns=policy.keep_turns
        )
    keep = policy.keep_messages or 0
    newest = messages.backlog(
        run, conversation_id, through_seq=through_seq, limit=_MAX_TAIL_MESSAGES
    )
    start = tail_index(newest, keep + _unanswered(newest, policy))
    return newest[start].seq if 0 < start < len(newest) else None


def _unanswered(newest: Sequence[Message], policy: Policy) -> int:
    """Count the messages that do not count while an answer is streamed: the answer and, if the
    policy compacts before a context is built, the question."""
    if not newest or newest[-1].status != "streaming":
        return 0
    has_question = len(newest) > 1 and newest[-2].role == "user"
    return 1 + (has_question and policy.eager_at == "context")


def tail_index(newest: Sequence[Message], keep: int) -> int:
    """Return the index of the last `keep` messages, or a later one, so that no tool result loses
    its call. Results that are not answered yet stay with their call."""
    start = max(0, len(newest) - keep)
    first = start
    while start < len(newest) and newest[start].role == "tool":
        start += 1
    if start < len(newest):
        return start
    while first > 0 and newest[first].role == "tool":
        first -= 1
    return first


def _before_streaming(older: Sequence[Message], *, by_turn: bool) -> Sequence[Message]:
    for index, message in enumerate(older):
        if message.status == "streaming":
            finished = older[:index]
            return [m for m in finished if m.turn != message.turn] if by_turn else finished
    return older


def _without_last(older: Sequence[Message], *, by_turn: bool) -> Sequence[Message]:
    """Drop the last turn, which may be incomplete, unless there is no other."""
    if by_turn and (whole := [m for m in older if m.turn != older[-1].turn]):
        return whole
    return older[: tail_index(older, 1)] or older
