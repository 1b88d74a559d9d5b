"""Compute the analytics report from rows of the database.

For every answer, the tokens of the whole history are compared with the tokens that were sent. Both
are exact if the receipt of the answer is stored. Otherwise the tokens sent are estimated from the
summary at that time and the messages after it, and the answer is marked as estimated.

Receipts also say how much of a prompt was the same as in the last one, and how much of it the
provider read from its cache. Where a provider does not report that, nothing is counted as cached.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import itemgetter

from recollect.core.policy import Policy
from recollect.core.types import Row

_DIGEST_PURPOSES = frozenset({"summary", "topic", "extraction", "embedding"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTokens:
    """Tokens of the whole history, and of the context that was sent, for one answer."""

    conversation_id: str
    turn: int
    seq: int
    full_history_tokens: int
    context_tokens: int
    unchanged_tokens: int
    cached_tokens: int | None
    """None if the provider did not report them."""
    mode: str
    estimated: bool
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeUsage:
    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    """Those of `tokens_in` that the providers read from their caches."""
    duration_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DayUsage:
    day: str
    full_history_tokens: int = 0
    context_tokens: int = 0
    unchanged_tokens: int = 0
    cached_tokens: int = 0
    digest_tokens: int = 0
    compactions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackCounts:
    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyticsReport:
    """`fact_survival` is the share of digested exact values that the current summary or its ledger
    still has; None if there were none.

    Of `context_tokens`, `unchanged_tokens` stood in a prefix that the last answer's prompt had too,
    and `cached_tokens` are those that the providers read from their caches.
    """

    full_history_tokens: int
    context_tokens: int
    unchanged_tokens: int
    cached_tokens: int
    digest_tokens: int
    net_saved_tokens: int
    compactions: int
    fact_survival: float | None
    feedback: Mapping[str, FeedbackCounts]
    by_purpose: Mapping[str, PurposeUsage]
    by_turn: Sequence[AnswerTokens]
    by_day: Sequence[DayUsage]


def make_report(
    *,
    messages: Sequence[Row],
    versions: Sequence[Row],
    feedback: Sequence[Row],
    calls: Sequence[Row],
    policies: Mapping[str, Policy],
) -> AnalyticsReport:
    """Messages and versions are ordered by conversation, then by seq or version."""
    answers = list(_answers(messages, versions, policies))
    digest_tokens = _digest_tokens(calls)
    full = sum(answer.full_history_tokens for answer in answers)
    sent = sum(answer.context_tokens for answer in answers)
    current = [v for v in versions if v["version"] == v["summary_version"]]
    facts = sum(version["facts_found"] for version in current)
    kept = sum(version["facts_kept"] for version in current)
    return AnalyticsReport(
        full_history_tokens=full,
        context_tokens=sent,
        unchanged_tokens=sum(answer.unchanged_tokens for answer in answers),
        cached_tokens=sum(answer.cached_tokens or 0 for answer in answers),
        digest_tokens=digest_tokens,
        net_saved_tokens=full - sent - digest_tokens,
        compactions=len(_compactions(versions)),
        fact_survival=kept / facts if facts else None,
        feedback={mode: _feedback(feedback, mode) for mode in ("compressed", "full")},
        by_purpose=_by_purpose(calls),
        by_turn=answers,
        by_day=_by_day(answers, versions, calls),
    )


def _answers(
    messages: Sequence[Row], versions: Sequence[Row], policies: Mapping[str, Policy]
) -> Iterable[AnswerTokens]:
    conversation_id = itemgetter("conversation_id")
    summaries = {id: list(group) for id, group in groupby(versions, key=conversation_id)}
    for id, group in groupby(messages, key=conversation_id):
        yield from _conversation_answers(id, list(group), summaries.get(id, []), policies)


def _conversation_answers(
    id: str, messages: list[Row], versions: list[Row], policies: Mapping[str, Policy]
) -> Iterable[AnswerTokens]:
    seqs = [message["seq"] for message in messages]
    tokens_before = [0, *accumulate(message["tokens"] for message in messages)]
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        full, sent = message["full_history_tokens"], message["context_tokens"]
        if full is None:
            full = tokens_before[index]
            summary = _summary_at(message, versions)
            covered = bisect_left(seqs, summary["through_seq"] + 1) if summary else 0
            sent = full - tokens_before[covered] + (summary["tokens"] if summary else 0)
            policy = policies.get(versions[0]["policy"]) if versions else None
            if policy and policy.prompt_tokens:
                sent = min(sent, policy.prompt_tokens)
        yield AnswerTokens(
            conversation_id=id,
            turn=message["turn"],
            seq=message["seq"],
            full_history_tokens=full,
            context_tokens=sent,
            unchanged_tokens=message["unchanged_tokens"] or 0,
            cached_tokens=message["cached_tokens"],
            mode=message["mode"] or "compressed",
            estimated=message["full_history_tokens"] is None,
            day=message["created_at"][:10],
        )


def _summary_at(message: Row, versions: list[Row]) -> Row | None:
    """Return the summary that was current when an answer was generated."""
    earlier = [
        version
        for version in versions
        if version["created_at"] <= message["created_at"]
        and version["through_seq"] < message["seq"]
    ]
    return earlier[-1] if earlier else None


def _compactions(versions: Iterable[Row]) -> list[Row]:
    """Return the versions that a digest made: without edits and rollbacks."""
    return [v for v in versions if v["author"] != "user" and not v["is_copy"]]


def _digest_tokens(calls: Iterable[Row]) -> int:
    return sum(
        call["tokens_in"] + call["tokens_out"]
        for call in calls
        if call["purpose"] in _DIGEST_PURPOSES
    )


def _feedback(rows: Iterable[Row], mode: str) -> FeedbackCounts:
    counts = {row["rating"]: row["count"] for row in rows if row["mode"] == mode}
    return FeedbackCounts(up=counts.get("up", 0), down=counts.get("down", 0))


def _by_purpose(calls: Sequence[Row]) -> dict[str, PurposeUsage]:
    names = ("calls", "failed", "tokens_in", "tokens_out", "tokens_cached", "duration_ms")
    return {
        purpose: PurposeUsage(
            **{name: sum(c[name] for c in calls if c["purpose"] == purpose) for name in names}
        )
        for purpose in sorted({call["purpose"] for call in calls})
    }


def _by_day(
    answers: Sequence[AnswerTokens], versions: Sequence[Row], calls: Sequence[Row]
) -> list[DayUsage]:
    compaction_days = [version["created_at"][:10] for version in _compactions(versions)]
    days = {answer.day for answer in answers} | {call["day"] for call in calls}
    return [
        DayUsage(
            day=day,
            full_history_tokens=sum(a.full_history_tokens for a in answers if a.day == day),
            context_tokens=sum(a.context_tokens for a in answers if a.day == day),
            unchanged_tokens=sum(a.unchanged_tokens for a in answers if a.day == day),
            cached_tokens=sum(a.cached_tokens or 0 for a in answers if a.day == day),
            digest_tokens=_digest_tokens(call for call in calls if call["day"] == day),
            compactions=compaction_days.count(day),
        )
        for day in sorted({*days, *compaction_days})
    ]
