"""Where to cut: which part of the backlog is folded, and which stays as it was said.

A policy that keeps turns cuts between whole turns. One that keeps messages cuts between messages,
but never between a tool call and its result: then fewer stay. What is still being streamed is not
folded, and nothing after it. A question whose answer takes many steps is folded with the first of
them, else a loop of tools would outgrow any window; a context has the question all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.core.policy import MOST_MESSAGES, Policy
from recollect.core.types import Message
from recollect.store import messages
from recollect.store.database import Run

_LARGEST_FOLD = 1_000
_MOST_KEPT = MOST_MESSAGES + 2
"""What a policy may keep and one more, while a question and its answer do not count."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What is to be folded now; `is_all` is False where more waits behind it."""

    messages: Sequence[Message]
    is_all: bool


def find_fold(
    run: Run, conversation_id: str, policy: Policy, *, through_seq: int, force: bool = False
) -> Fold:
    """The messages between the summary and what the policy keeps, oldest first.

    `force` folds all but the newest turn where the policy would keep everything.
    """
    found = _older(run, conversation_id, policy, through_seq)
    if not found and force:
        newest_only = replace(policy, keep_turns=1, keep_messages=None)
        found = _older(run, conversation_id, newest_only, through_seq)
    is_all = len(found) <= _LARGEST_FOLD
    by_turn = policy.keep_turns is not None
    finished = _before_streaming(found, by_turn=by_turn)
    if not is_all and len(finished) == len(found):
        finished = _without_last(finished, by_turn=by_turn)
    return Fold(finished, is_all)


def _older(run: Run, conversation_id: str, policy: Policy, through_seq: int) -> list[Message]:
    """What lies before the tail, and one more than is folded at once."""
    before_seq = _tail_start(run, conversation_id, policy, through_seq)
    if before_seq is None:
        return []
    return messages.foldable(
        run,
        conversation_id,
        through_seq=through_seq,
        before_seq=before_seq,
        limit=_LARGEST_FOLD + 1,
    )


def _tail_start(run: Run, conversation_id: str, policy: Policy, through_seq: int) -> int | None:
    if policy.keep_turns is not None:
        return messages.tail_start(
            run, conversation_id, through_seq=through_seq, keep_turns=policy.keep_turns
        )
    keep = policy.keep_messages or 0
    newest = messages.backlog(run, conversation_id, through_seq=through_seq, limit=_MOST_KEPT)
    start = tail_index(newest, keep + _unanswered(newest, policy))
    return newest[start].seq if 0 < start < len(newest) else None


def _unanswered(newest: Sequence[Message], policy: Policy) -> int:
    """What does not count while an answer is being written: its row, nor, where digests run before
    a context is built, the question."""
    if not newest or newest[-1].status != "streaming":
        return 0
    is_asked = len(newest) > 1 and newest[-2].role == "user"
    return 1 + (is_asked and policy.eager_at == "context")


def tail_index(newest: Sequence[Message], keep: int) -> int:
    """Where the last `keep` messages begin, or later, so that no tool result loses its call.

    Results that nobody has answered yet stay with their call, however many they are.
    """
    start = max(0, len(newest) - keep)
    first = start
    while start < len(newest) and newest[start].role == "tool":
        start += 1
    if start < len(newest):
        return start
    while first > 0 and newest[first].role == "tool":
        first -= 1
    return first


def _before_streaming(found: Sequence[Message], *, by_turn: bool) -> Sequence[Message]:
    for index, message in enumerate(found):
        if message.status == "streaming":
            whole = found[:index]
            return [m for m in whole if m.turn != message.turn] if by_turn else whole
    return found


def _without_last(found: Sequence[Message], *, by_turn: bool) -> Sequence[Message]:
    """Where the list was cut off, its last turn may be a part only; a giant one is taken anyway."""
    if by_turn and (whole := [m for m in found if m.turn != found[-1].turn]):
        return whole
    return found[: tail_index(found, 1)] or found
