"""Compaction: the older part of a backlog becomes the next version of the summary.

It is compare-and-swap. What is to be folded is read; the summarizer works outside any transaction;
the result is committed only if the conversation still stands on the version that was read, and no
message was removed meanwhile. Messages that arrive in between never stand in the way, since only a
prefix is covered. A digest that cannot be committed changes nothing, and is tried again.
"""

import asyncio
import logging
import time
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
from recollect.digest.summaries.cut import Fold, find_fold
from recollect.digest.summaries.kept import kept_within
from recollect.digest.summaries.ledger import find_atoms, merge_atoms, missing_atoms
from recollect.digest.summaries.summarizer import Draft, Summarizer, Task
from recollect.llm.protocols import CallContext
from recollect.store import conversations, jobs, messages, summaries
from recollect.store.database import Database, Run
from recollect.store.jobs import ClaimedJob
from recollect.store.summaries import SummaryState

logger = logging.getLogger(__name__)

NEVER_DIGESTS = "The policy {name} never digests."
NOTHING_OLDER = "There is nothing older than what stays verbatim."
FOLDED = "{count} messages were folded into the summary."
"""What whoever asks for a compaction may be told; the web app has it in other languages too."""

_TRIES = 3
_REBUILD_BATCH = 1_000
_WORTHWHILE_PART = 4
"""A tail that is over the limit by itself is not folded turn by turn: what is older must first
reach one in four of the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What came of it. `more` says that another round is owed at once."""

    compacted: bool
    reason: str
    summary: Summary | None
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """What a digest found, and must find again when it commits."""

    standing: SummaryState
    policy: Policy
    base: Summary | None
    fold: Fold
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Growing:
    """A summary in the making."""

    draft: Draft
    ledger: tuple[ExactValue, ...] = ()
    through_seq: int = 0
    facts_found: int = 0
    facts_kept: int = 0
    turns: int = 0
    tokens_before: int = 0

    @classmethod
    def from_base(cls, base: Summary | None) -> "_Growing":
        if base is None:
            return cls(draft=Draft(text="", author="extractive"))
        return cls(
            draft=Draft(text=base.text, author=base.author),
            ledger=base.ledger,
            through_seq=base.through_seq,
            facts_found=base.facts_found,
            facts_kept=base.facts_kept,
            tokens_before=base.tokens,
        )


class Compactor:
    def __init__(
        self,
        database: Database,
        *,
        policies: Mapping[str, Policy],
        summarizer_for: Callable[[Policy], Summarizer],
        events: Events,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._policies = policies
        self._summarizer_for = summarizer_for
        self._events = events
        self._clock = clock

    async def compact(
        self,
        conversation_id: str,
        user_id: str,
        *,
        force: bool = False,
        within_seconds: float | None = None,
    ) -> Compaction:
        """Folds what the policy no longer keeps verbatim, if it is over its limit or forced.

        After `within_seconds` no model is waited for any more. Raises Conflict when others changed
        the summary again and again meanwhile.
        """
        with self._failures_counted():
            return await self._compact(conversation_id, user_id, force, within_seconds)

    async def _compact(
        self, conversation_id: str, user_id: str, force: bool, within_seconds: float | None
    ) -> Compaction:
        deadline = None if within_seconds is None else time.monotonic() + within_seconds
        for _ in range(_TRIES):
            started = time.monotonic()
            read = await self._database.read(
                lambda run: self._find_work(run, conversation_id, force=force), user_id=user_id
            )
            if read.refusal:
                return Compaction(compacted=False, reason=read.refusal, summary=read.base)
            grown = await self._fold(
                _Growing.from_base(read.base), read, read.fold, conversation_id, user_id, deadline
            )
            committed = await self._commit(grown, read, conversation_id, user_id, started)
            if committed is not None:
                count = len(read.fold.messages)
                return Compaction(
                    compacted=True,
                    reason=FOLDED.format(count=count),
                    summary=committed,
                    more=not read.fold.is_all,
                )
        raise Conflict("The summary was changed by others each time; try again.")

    async def run_job(self, claim: ClaimedJob) -> None:
        """Until the backlog is within its limit, or nothing more can be folded."""
        while (await self.compact(claim.conversation, claim.user_id)).more:
            pass

    async def rebuild(self, conversation_id: str, user_id: str) -> Summary | None:
        """The summary made anew from the raw messages it covers. What a user wrote stays."""
        with self._failures_counted():
            return await self._rebuild(conversation_id, user_id)

    async def _rebuild(self, conversation_id: str, user_id: str) -> Summary | None:
        for _ in range(_TRIES):
            started = time.monotonic()
            read = await self._database.read(
                lambda run: self._read(run, conversation_id), user_id=user_id
            )
            if read.base is None:
                return (await self._compact(conversation_id, user_id, True, None)).summary
            if read.base.through_seq == 0:  # all of it is the user's
                return read.base
            grown = _Growing.from_base(None)
            while fold := await self._next_raw(conversation_id, user_id, grown, read.base):
                grown = await self._fold(grown, read, fold, conversation_id, user_id, None)
            grown = replace(grown, through_seq=read.base.through_seq)
            committed = await self._commit(grown, read, conversation_id, user_id, started)
            if committed is not None:
                return committed
        raise Conflict("The summary was changed by others each time; try again.")

    @contextmanager
    def _failures_counted(self) -> Iterator[None]:
        try:
            yield
        except NotFound:  # deleted meanwhile: nothing is owed any more
            raise
        except Exception:
            self._events.count("digested", outcome="failed")
            raise

    def _read(self, run: Run, conversation_id: str) -> _Read:
        standing = summaries.standing(run, conversation_id)
        base = summaries.current(run, conversation_id)
        return _Read(
            standing=standing,
            policy=find_policy(self._policies, standing.policy),
            base=base,
            fold=Fold((), is_all=True),
        )

    def _find_work(self, run: Run, conversation_id: str, *, force: bool) -> _Read:
        read = self._read(run, conversation_id)
        policy, backlog = read.policy, read.standing.backlog
        if policy.timing == "never":
            return replace(read, refusal=NEVER_DIGESTS.format(name=policy.name))
        if not force and not policy.is_due(backlog):
            return replace(read, refusal="The conversation is below its policy's limit.")
        fold = find_fold(
            run, conversation_id, policy, through_seq=read.standing.through_seq, force=force
        )
        if not fold.messages:
            return replace(read, refusal=NOTHING_OLDER)
        limit = policy.digest_over_tokens
        if limit is not None and read.base is not None and not force:
            older = sum(message.tokens for message in fold.messages)
            unshrinkable = backlog.summary_tokens + backlog.tokens - older
            if unshrinkable > limit and older * _WORTHWHILE_PART < limit:
                return replace(
                    read, refusal="What stays verbatim is over the limit by itself; waiting."
                )
        return replace(read, fold=fold)

    async def _next_raw(
        self, conversation_id: str, user_id: str, grown: _Growing, base: Summary
    ) -> Fold | None:
        """The next messages of a rebuild, or None when it has caught up."""
        found = await self._database.read(
            lambda run: messages.foldable(
                run,
                conversation_id,
                through_seq=grown.through_seq,
                before_seq=base.through_seq + 1,
                limit=_REBUILD_BATCH,
            ),
            user_id=user_id,
        )
        return Fold(found, is_all=len(found) < _REBUILD_BATCH) if found else None

    async def _fold(
        self,
        grown: _Growing,
        read: _Read,
        fold: Fold,
        conversation_id: str,
        user_id: str,
        deadline: float | None,
    ) -> _Growing:
        policy = read.policy
        kept = kept_within(read.base.kept, policy.summary_tokens) if read.base else ""
        found, ledger = await asyncio.to_thread(_note_values, grown.ledger, fold, policy)
        draft = await self._summarizer_for(policy).fold(
            Task(
                previous=grown.draft.text,
                kept=kept,
                messages=fold.messages,
                cap=policy.summary_tokens,
                purpose=CallContext(
                    use="summary", user_id=user_id, conversation_id=conversation_id
                ),
                deadline=deadline,
            )
        )
        known = {atom.value: atom for atom in (*grown.ledger, *found)}
        news = len(known.keys() - {atom.value for atom in grown.ledger})
        held = f"{draft.text}\n{render_ledger(ledger)}"
        return _Growing(
            draft=replace(
                draft,
                tokens_in=grown.draft.tokens_in + draft.tokens_in,
                tokens_out=grown.draft.tokens_out + draft.tokens_out,
            ),
            ledger=ledger,
            through_seq=fold.messages[-1].seq,
            facts_found=grown.facts_found + news,
            facts_kept=len(known) - len(missing_atoms(list(known.values()), held)),
            turns=grown.turns + len({message.turn for message in fold.messages}),
            tokens_before=grown.tokens_before + sum(m.tokens for m in fold.messages),
        )

    async def _commit(
        self, grown: _Growing, read: _Read, conversation_id: str, user_id: str, started: float
    ) -> Summary | None:
        """The committed version, or None where the ground has moved."""
        draft, base = grown.draft, read.base
        new = Summary(
            conversation_id=conversation_id,
            version=read.standing.last_summary_version + 1,
            base_version=base.version if base else 0,
            text=draft.text,
            ledger=grown.ledger,
            kept=kept_within(base.kept, read.policy.summary_tokens) if base else "",
            through_seq=grown.through_seq,
            author=draft.author,
            model=draft.model,
            prompt_version=draft.prompt_version,
            tokens=tokens.count(draft.text),
            tokens_in=draft.tokens_in,
            tokens_out=draft.tokens_out,
            duration_ms=round((time.monotonic() - started) * 1000),
            facts_found=grown.facts_found,
            facts_kept=grown.facts_kept,
            created_at=self._clock(),
        )

        def commit(run: Run) -> bool:
            conversations.lock(run, conversation_id)
            now = summaries.standing(run, conversation_id)
            before = read.standing
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
        if not await self._database.write(commit, user_id=user_id):
            self._events.count("digested", outcome="lost_race")
            return None
        self._events.count("digested", outcome=new.author)
        logger.info(
            "chunk_summarized",
            extra={
                "conversation_id": conversation_id,
                "version": new.version,
                "author": new.author,
                "turns": grown.turns,
                "tokens_before": grown.tokens_before,
                "tokens_after": new.tokens,
                "duration_ms": new.duration_ms,
                "stored_ms": round((time.monotonic() - storing) * 1000),
            },
        )
        return new


def _note_values(
    ledger: tuple[ExactValue, ...], fold: Fold, policy: Policy
) -> tuple[list[ExactValue], tuple[ExactValue, ...]]:
    """The exact values in what is folded, and the ledger with the best of them."""
    found = [atom for message in fold.messages for atom in find_atoms(message)]
    return found, merge_atoms(ledger, found, cap_tokens=policy.ledger_tokens)
