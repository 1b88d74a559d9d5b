"""Compaction: folds the older part of a backlog into the next version of the summary.

It is a compare-and-swap: read the messages to fold, summarize outside any transaction, and commit
only if the conversation still has the summary version that was read and no message was removed.
Messages that arrive meanwhile do not conflict, because only a prefix is covered. A compaction that
cannot be committed changes nothing and is retried.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.core import tokens
from recollect.core.errors import Conflict, NotFound
from recollect.core.instrumentation import Events
from recollect.core.policy import Policy, find_policy
from recollect.core.sanitize import render_ledger
from recollect.core.types import ExactValue, Summary
from recollect.digest.summaries.exact_values import find_exact_values
from recollect.digest.summaries.fold import Fold, find_fold
from recollect.digest.summaries.ledger import merge_exact_values, missing_exact_values
from recollect.digest.summaries.summarizer import (
    Summarizer,
    SummaryTask,
    truncate_user_text,
)
from recollect.llm.protocols import CallContext
from recollect.store import conversations, jobs, messages, summaries
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.store.service_base import ServiceBase
from recollect.store.summaries import SummaryState

logger = logging.getLogger(__name__)

NEVER_DIGESTS = "The policy {name} never digests."
NOTHING_OLDER = "There is nothing older than what stays verbatim."
FOLDED = "{count} messages were folded into the summary."
"""Reasons for the caller of a compaction; the web app translates them."""

_MAX_ATTEMPTS = 3
_REBUILD_BATCH = 1_000
_MIN_FOLD_DIVISOR = 4
"""If the tail alone is over the limit, older messages are folded only once they have at least
1/_MIN_FOLD_DIVISOR of the limit's tokens, not turn by turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionResult:
    """The outcome of a compaction. `more` says that another round is due at once."""

    compacted: bool
    reason: str
    summary: Summary
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Snapshot:
    """The state that a compaction read, and that must be unchanged when it commits."""

    user_id: str
    state: SummaryState
    policy: Policy
    base: Summary

    @property
    def user_text(self) -> str:
        return truncate_user_text(self.base.user_text, self.policy.summary_tokens)


class Compactor(ServiceBase):
    def __init__(
        self,
        database: Database,
        *,
        policies: Mapping[str, Policy],
        summarizer_for: Callable[[Policy], Summarizer],
        events: Events,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._policies = policies
        self._summarizer_for = summarizer_for
        self._events = events

    async def compact(
        self,
        conversation_id: str,
        user_id: str,
        *,
        force: bool = False,
        timeout_seconds: float | None = None,
    ) -> CompactionResult:
        """Fold the messages that the policy does not keep verbatim, if it is due or forced.

        After `timeout_seconds` no model is waited for. Raises Conflict if the summary was changed
        by others during every attempt.
        """
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds

        def read(run: Run) -> tuple[_Snapshot, Fold | str]:
            snapshot = self._read_snapshot(run, conversation_id, user_id)
            return snapshot, _find_work(run, snapshot, force=force)

        with self._failures_counted():
            for _ in range(_MAX_ATTEMPTS):
                started = time.monotonic()
                snapshot, fold = await self._read(read, user_id)
                if isinstance(fold, str):
                    return CompactionResult(compacted=False, reason=fold, summary=snapshot.base)
                base = replace(snapshot.base, tokens_in=0, tokens_out=0)
                summary = await self._fold(base, fold, snapshot, deadline)
                size = _size(fold) + Counter(tokens=base.tokens)
                committed = await self._commit(summary, snapshot, size, started)
                if committed is not None:
                    return CompactionResult(
                        compacted=True,
                        reason=FOLDED.format(count=len(fold.messages)),
                        summary=committed,
                        more=not fold.is_all,
                    )
            raise Conflict("The summary was changed by others each time; try again.")

    async def run_job(self, claim: ClaimedJob) -> None:
        """Compact until the backlog is below its limit, or nothing more can be folded."""
        while (await self.compact(claim.conversation, claim.user_id)).more:
            pass

    async def rebuild(self, conversation_id: str, user_id: str) -> Summary:
        """Summarize the covered messages again, from the raw messages. The user's text stays."""
        with self._failures_counted():
            for _ in range(_MAX_ATTEMPTS):
                started = time.monotonic()
                snapshot = await self._read(
                    lambda run: self._read_snapshot(run, conversation_id, user_id), user_id
                )
                base = snapshot.base
                if base.version == 0:
                    break
                if base.through_seq == 0:  # the user wrote all of it
                    return base
                summary = Summary.empty(conversation_id, now=self._clock())
                size = Counter[str]()
                while fold := await self._next_raw(summary.through_seq, base, user_id):
                    summary = await self._fold(summary, fold, snapshot, None)
                    size += _size(fold)
                summary = replace(summary, through_seq=base.through_seq)
                committed = await self._commit(summary, snapshot, size, started)
                if committed is not None:
                    return committed
            else:
                raise Conflict("The summary was changed by others each time; try again.")
        return (await self.compact(conversation_id, user_id, force=True)).summary

    @contextmanager
    def _failures_counted(self) -> Iterator[None]:
        try:
            yield
        except NotFound:  # the conversation was deleted meanwhile
            raise
        except Exception:
            self._events.count("digested", outcome="failed")
            raise

    def _read_snapshot(self, run: Run, conversation_id: str, user_id: str) -> _Snapshot:
        state = summaries.get_state(run, conversation_id)
        base = summaries.current(run, conversation_id)
        return _Snapshot(
            user_id=user_id,
            state=state,
            policy=find_policy(self._policies, state.policy),
            base=base or Summary.empty(conversation_id, now=self._clock()),
        )

    async def _next_raw(self, through_seq: int, base: Summary, user_id: str) -> Fold | None:
        """Return the next messages of a rebuild, None after the last one."""
        batch = await self._read(
            lambda run: messages.list_between(
                run,
                base.conversation_id,
                through_seq=through_seq,
                before_seq=base.through_seq + 1,
                limit=_REBUILD_BATCH,
            ),
            user_id,
        )
        return Fold(batch, is_all=len(batch) < _REBUILD_BATCH) if batch else None

    async def _fold(
        self, summary: Summary, fold: Fold, snapshot: _Snapshot, deadline: float | None
    ) -> Summary:
        """Return the summary with the messages folded in."""
        policy = snapshot.policy
        found, ledger = await asyncio.to_thread(
            _update_ledger, summary.ledger, fold, policy.ledger_tokens
        )
        folded = await self._summarizer_for(policy).fold(
            SummaryTask(
                previous=summary,
                user_text=snapshot.user_text,
                messages=fold.messages,
                cap=policy.summary_tokens,
                call=CallContext(
                    purpose="summary",
                    user_id=snapshot.user_id,
                    conversation_id=snapshot.state.id,
                ),
                deadline=deadline,
            )
        )
        known = {value.value: value for value in (*summary.ledger, *found)}
        new = len(known.keys() - {value.value for value in summary.ledger})
        missing = missing_exact_values(known.values(), f"{folded.text}\n{render_ledger(ledger)}")
        return replace(
            folded,
            ledger=ledger,
            through_seq=fold.messages[-1].seq,
            facts_found=summary.facts_found + new,
            facts_kept=len(known) - len(missing),
        )

    async def _commit(
        self, summary: Summary, snapshot: _Snapshot, size: Counter[str], started: float
    ) -> Summary | None:
        """Store the new version and return it; return None if the snapshot is outdated."""
        before, conversation_id = snapshot.state, snapshot.state.id
        new = replace(
            summary,
            version=before.last_summary_version + 1,
            base_version=snapshot.base.version,
            user_text=snapshot.user_text,
            tokens=tokens.count(summary.text),
            duration_ms=round((time.monotonic() - started) * 1000),
            created_at=self._clock(),
        )

        def commit(run: Run) -> bool:
            conversations.lock(run, conversation_id)
            now = summaries.get_state(run, conversation_id)
            if (now.summary_version, now.last_summary_version, now.removals) != (
                before.summary_version,
                before.last_summary_version,
                before.removals,
            ):
                return False
            summaries.insert(run, new)
            jobs.enqueue(run, "topic", conversation_id, run_at=new.created_at, now=new.created_at)
            return True

        storing = time.monotonic()
        if not await self._write(commit, snapshot.user_id):
            self._events.count("digested", outcome="lost_race")
            return None
        self._events.count("digested", outcome=new.author)
        logger.info(
            "summary.committed",
            extra={
                "conversation_id": conversation_id,
                "version": new.version,
                "author": new.author,
                "turns": size["turns"],
                "tokens_before": size["tokens"],
                "tokens_after": new.tokens,
                "duration_ms": new.duration_ms,
                "stored_ms": round((time.monotonic() - storing) * 1000),
            },
        )
        return new


def _find_work(run: Run, snapshot: _Snapshot, *, force: bool) -> Fold | str:
    """Return the messages to fold, or the reason why there are none."""
    policy, state = snapshot.policy, snapshot.state
    if policy.timing == "never":
        return NEVER_DIGESTS.format(name=policy.name)
    if not force and not policy.is_due(state.backlog):
        return "The conversation is below its policy's limit."
    fold = find_fold(run, state.id, policy, through_seq=state.through_seq, force=force)
    if not fold.messages:
        return NOTHING_OLDER
    limit = policy.digest_over_tokens
    if limit is not None and snapshot.base.version and not force:
        older = sum(message.tokens for message in fold.messages)
        remaining = state.backlog.summary_tokens + state.backlog.tokens - older
        if remaining > limit and older * _MIN_FOLD_DIVISOR < limit:
            return "What stays verbatim is over the limit by itself; waiting."
    return fold


def _size(fold: Fold) -> Counter[str]:
    turns = len({message.turn for message in fold.messages})
    return Counter(turns=turns, tokens=sum(message.tokens for message in fold.messages))


def _update_ledger(
    ledger: tuple[ExactValue, ...], fold: Fold, cap_tokens: int
) -> tuple[list[ExactValue], tuple[ExactValue, ...]]:
    """Return the exact values of the folded messages, and the ledger with the best of them."""
    found = [value for message in fold.messages for value in find_exact_values(message)]
    return found, merge_exact_values(ledger, found, cap_tokens=cap_tokens)
