"""`memory.summaries`: read, edit, compare, roll back and rebuild summaries.

Summaries are versioned and never overwritten: edits, rollbacks and rebuilds add a version.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from recollect.core import tokens
from recollect.core.errors import Conflict, InvalidInput, TooLarge
from recollect.core.pagination import check_page, decode_number, make_page
from recollect.core.policy import Policy, find_policy
from recollect.core.types import ExactValue, Page, Summary
from recollect.core.validation import check_text
from recollect.digest.summaries.compaction import CompactionResult, Compactor
from recollect.digest.summaries.summarizer import find_user_text
from recollect.language.sentences import split_sentences
from recollect.store import conversations, summaries
from recollect.store.database import Database, Run
from recollect.store.service_base import ServiceBase
from recollect.store.summaries import SummaryState


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """The last message and the last answer that a summary covers."""

    message_id: str | None
    answer_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryDiff:
    """The sentences and exact values that differ between two versions."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    values_added: tuple[ExactValue, ...]
    values_removed: tuple[ExactValue, ...]


class Summaries(ServiceBase):
    def __init__(
        self,
        database: Database,
        *,
        policies: Mapping[str, Policy],
        compactor: Compactor,
        clock: Callable[[], datetime],
    ) -> None:
        super().__init__(database, clock=clock)
        self._policies = policies
        self._compactor = compactor

    async def get_summary(
        self, *, conversation_id: str, user_id: str, version: int | None = None
    ) -> Summary:
        """Return the current version or a given one; version 0 is empty."""
        return await self._read(lambda run: self._get(run, conversation_id, version), user_id)

    async def get_coverage(self, *, conversation_id: str, user_id: str) -> Coverage:
        """Return the last messages that the current summary covers."""

        def find(run: Run) -> Coverage:
            current = self._get(run, conversation_id)
            message_id, answer_id = summaries.find_last_covered(
                run, current.conversation_id, current.through_seq
            )
            return Coverage(message_id=message_id, answer_id=answer_id)

        return await self._read(find, user_id)

    async def list_versions(
        self, limit: int = 50, *, conversation_id: str, user_id: str, cursor: str | None = None
    ) -> Page[Summary]:
        """Return the versions, newest first."""
        check_page(limit, 0, cursor)

        def find(run: Run) -> list[Summary]:
            id = _state(run, conversation_id).id
            before = decode_number("versions", cursor, owner=id)
            return summaries.page(run, id, limit=limit + 1, before_version=before)

        return make_page(
            await self._read(find, user_id),
            limit,
            "versions",
            lambda summary: (summary.conversation_id, summary.version),
        )

    async def edit_summary(
        self, text: str, *, conversation_id: str, user_id: str, version: int | None
    ) -> Summary:
        """Replace the text. Raises Conflict if `version` is given and no longer the current one.

        Later compactions and rebuilds keep the user's sentences verbatim, up to half the cap.
        """
        check_text(text, "text")
        text = text.strip()
        if not text:
            raise InvalidInput("text is empty; to start over, rebuild the summary.", field="text")

        def edit(run: Run) -> Summary:
            state, current = self._locked(run, conversation_id)
            cap = find_policy(self._policies, state.policy).summary_tokens
            size = tokens.count(text)
            if size > cap:
                message = f"text has {size:,} tokens; a summary has at most {cap:,}."
                raise TooLarge(message, field="text")
            if version is not None and version != state.summary_version:
                raise Conflict(
                    f"The summary is at version {state.summary_version}, not {version}: "
                    "read it again before you change it."
                )
            edited = replace(
                current,
                text=text,
                user_text=find_user_text(current, text),
                author="user",
                model=None,
                prompt_version=None,
                tokens=size,
            )
            return self._insert_copy(run, edited, state)

        return await self._write(edit, user_id)

    async def roll_back_summary(
        self, *, conversation_id: str, user_id: str, version: int
    ) -> Summary:
        """Add a copy of an earlier version as the current one; version 0 removes the summary."""

        def roll_back(run: Run) -> Summary:
            state, _ = self._locked(run, conversation_id)
            earlier = self._get(run, state.id, version)
            if version == 0:
                summaries.clear_current(run, state.id)
                return earlier
            return self._insert_copy(run, earlier, state)

        return await self._write(roll_back, user_id)

    async def compare_versions(
        self, older: int, newer: int, *, conversation_id: str, user_id: str
    ) -> SummaryDiff:
        """Compare two versions, sentence by sentence and value by value."""
        before, after = await self._read(
            lambda run: [self._get(run, conversation_id, version) for version in (older, newer)],
            user_id,
        )
        old, new = split_sentences(before.text), split_sentences(after.text)
        old_values = {value.value for value in before.ledger}
        new_values = {value.value for value in after.ledger}
        return SummaryDiff(
            added=tuple(sentence for sentence in new if sentence not in old),
            removed=tuple(sentence for sentence in old if sentence not in new),
            values_added=tuple(v for v in after.ledger if v.value not in old_values),
            values_removed=tuple(v for v in before.ledger if v.value not in new_values),
        )

    async def rebuild_summary(self, *, conversation_id: str, user_id: str) -> Summary:
        """Summarize again from the raw messages; the user's sentences stay."""
        id = await self._id(conversation_id, user_id)
        return await self._compactor.rebuild(id, user_id)

    async def compact(
        self, *, conversation_id: str, user_id: str, force: bool = False
    ) -> CompactionResult:
        """Compact now if the policy is due, or with `force`."""
        id = await self._id(conversation_id, user_id)
        return await self._compactor.compact(id, user_id, force=force)

    async def _id(self, conversation_id: str, user_id: str) -> str:
        return (await self._read(lambda run: _state(run, conversation_id), user_id)).id

    def _get(self, run: Run, conversation_id: str, version: int | None = None) -> Summary:
        id = _state(run, conversation_id).id
        empty = Summary.empty(id, now=self._clock())
        if version is None:
            return summaries.current(run, id) or empty
        return summaries.get(run, id, version) if version else empty

    def _locked(self, run: Run, conversation_id: str) -> tuple[SummaryState, Summary]:
        id = _state(run, conversation_id).id
        conversations.lock(run, id)
        return summaries.get_state(run, id), self._get(run, id)

    def _insert_copy(self, run: Run, summary: Summary, state: SummaryState) -> Summary:
        """Store a summary as the newest version, based on its own version."""
        new = replace(
            summary,
            version=state.last_summary_version + 1,
            base_version=summary.version,
            tokens_in=0,
            tokens_out=0,
            duration_ms=0,
            created_at=self._clock(),
        )
        summaries.insert(run, new)
        return new


def _state(run: Run, conversation_id: str) -> SummaryState:
    return conversations.by_id_or_key(run, conversation_id, partial(summaries.get_state, run))
