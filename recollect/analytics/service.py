"""`memory.analytics`: what the memory saves, what it costs, and what survives it.

For every answer two numbers are compared: what the whole history up to it would have cost, and
what was sent instead. Where the receipt of an answer is stored, both are exact. Where it is not,
what was sent is estimated from the summary that stood at the time and the messages after it, and
said so.
"""

from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate, groupby
from operator import itemgetter

from recollect.core.policy import Policy
from recollect.core.types import Row
from recollect.store import conversations, usage
from recollect.store.base_service import Service
from recollect.store.database import Database, Run

_DIGESTING = frozenset({"summary", "topic", "extraction", "embedding"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCost:
    """One answer: what a full history would have cost, and what was sent."""

    conversation_id: str
    turn: int
    seq: int
    full_history_tokens: int
    context_tokens: int
    mode: str
    estimated: bool
    day: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeCost:
    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    duration_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DayCost:
    day: str
    full_history_tokens: int = 0
    context_tokens: int = 0
    digest_tokens: int = 0
    compactions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`fact_survival` is the share of all exact values that were digested and can still be read in
    the current summary or its ledger; None where none was found."""

    full_history_tokens: int
    context_tokens: int
    digest_tokens: int
    net_saved_tokens: int
    compactions: int
    fact_survival: float | None
    feedback: Mapping[str, Votes]
    by_purpose: Mapping[str, PurposeCost]
    by_turn: Sequence[AnswerCost]
    by_day: Sequence[DayCost]


@dataclass(frozen=True, slots=True)
class _Found:
    sizes: list[Row]
    versions: list[Row]
    feedback: list[Row]
    calls: list[Row] = field(default_factory=list)


class Analytics(Service):
    def __init__(
        self,
        database: Database,
        *,
        policies: Mapping[str, Policy],
        calls_written: Callable[[], Awaitable[None]],
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._policies = policies
        self._calls_written = calls_written

    async def get_analytics(self, *, user_id: str, conversation_id: str | None = None) -> Report:
        """Of one conversation, or of all that a user has."""
        await self._calls_written()

        def find(run: Run) -> _Found:
            id = conversations.get(run, conversation_id).id if conversation_id else None
            return _Found(
                usage.sizes(run, id),
                usage.versions(run, id),
                usage.feedback(run, id),
                usage.calls_by_day(run, id),
            )

        return make_report(await self._read(find, user_id), self._policies)


def make_report(found: _Found, policies: Mapping[str, Policy]) -> Report:
    answers = list(_answers(found, policies))
    digest_tokens = sum(
        call["tokens_in"] + call["tokens_out"]
        for call in found.calls
        if call["purpose"] in _DIGESTING
    )
    full = sum(answer.full_history_tokens for answer in answers)
    sent = sum(answer.context_tokens for answer in answers)
    current = [v for v in found.versions if v["version"] == v["summary_version"]]
    facts = sum(version["facts_found"] for version in current)
    kept = sum(version["facts_kept"] for version in current)
    return Report(
        full_history_tokens=full,
        context_tokens=sent,
        digest_tokens=digest_tokens,
        net_saved_tokens=full - sent - digest_tokens,
        compactions=len(_made(found.versions)),
        fact_survival=kept / facts if facts else None,
        feedback={mode: _votes(found.feedback, mode) for mode in ("compressed", "full")},
        by_purpose=_by_purpose(found.calls),
        by_turn=answers,
        by_day=_by_day(answers, found),
    )


def _answers(found: _Found, policies: Mapping[str, Policy]) -> Iterable[AnswerCost]:
    versions = {
        id: list(members)
        for id, members in groupby(found.versions, key=itemgetter("conversation_id"))
    }
    for id, members in groupby(found.sizes, key=itemgetter("conversation_id")):
        messages = list(members)
        yield from _answers_in(id, messages, versions.get(id, []), policies)


def _answers_in(
    id: str, messages: list[Row], versions: list[Row], policies: Mapping[str, Policy]
) -> Iterable[AnswerCost]:
    seqs = [message["seq"] for message in messages]
    before = [0, *accumulate(message["tokens"] for message in messages)]
    """before[i] is what the messages ahead of the i-th have in all."""
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        full, sent = message["full_history_tokens"], message["context_tokens"]
        if full is None:
            full = before[index]
            standing = _standing_at(message, versions)
            covered = bisect_left(seqs, standing["through_seq"] + 1) if standing else 0
            sent = full - before[covered] + (standing["tokens"] if standing else 0)
            policy = policies.get(versions[0]["policy"]) if versions else None
            if policy and policy.prompt_tokens:
                sent = min(sent, policy.prompt_tokens)
        yield AnswerCost(
            conversation_id=id,
            turn=message["turn"],
            seq=message["seq"],
            full_history_tokens=full,
            context_tokens=sent,
            mode=message["mode"] or "compressed",
            estimated=message["full_history_tokens"] is None,
            day=message["created_at"][:10],
        )


def _standing_at(message: Row, versions: list[Row]) -> Row | None:
    """The summary that an answer was given on."""
    earlier = [
        version
        for version in versions
        if version["created_at"] <= message["created_at"]
        and version["through_seq"] < message["seq"]
    ]
    return earlier[-1] if earlier else None


def _made(versions: Iterable[Row]) -> list[Row]:
    """By a digest: not written by a user, nor an earlier one once more."""
    return [one for one in versions if one["author"] != "user" and not one["is_copy"]]


def _votes(rows: Iterable[Row], mode: str) -> Votes:
    counts = {row["rating"]: row["count"] for row in rows if row["mode"] == mode}
    return Votes(up=counts.get("up", 0), down=counts.get("down", 0))


def _by_purpose(calls: Sequence[Row]) -> dict[str, PurposeCost]:
    numbers = ("calls", "failed", "tokens_in", "tokens_out", "duration_ms")
    return {
        purpose: PurposeCost(
            **{name: sum(c[name] for c in calls if c["purpose"] == purpose) for name in numbers}
        )
        for purpose in sorted({call["purpose"] for call in calls})
    }


def _by_day(answers: Sequence[AnswerCost], found: _Found) -> list[DayCost]:
    made = _made(found.versions)
    days = {answer.day for answer in answers} | {call["day"] for call in found.calls}
    days |= {version["created_at"][:10] for version in made}
    return [
        DayCost(
            day=day,
            full_history_tokens=sum(a.full_history_tokens for a in answers if a.day == day),
            context_tokens=sum(a.context_tokens for a in answers if a.day == day),
            digest_tokens=sum(
                call["tokens_in"] + call["tokens_out"]
                for call in found.calls
                if call["day"] == day and call["purpose"] in _DIGESTING
            ),
            compactions=sum(1 for version in made if version["created_at"][:10] == day),
        )
        for day in sorted(days)
    ]
