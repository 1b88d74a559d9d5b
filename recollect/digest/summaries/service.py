"""`memory.summaries`: reading, correcting, comparing, rolling back and rebuilding summaries.

A summary is a version and never overwritten: an edit, a rollback and a rebuild each make a new one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.core import tokens
from recollect.core.errors import Conflict, InvalidInput, TooLarge
from recollect.core.pagination import check_page, decode_version_cursor, make_page, version_cursor
from recollect.core.policy import Policy, find_policy
from recollect.core.types import ExactValue, Page, Summary
from recollect.core.validation import check_text
from recollect.digest.summaries.compaction import Compaction, Compactor
from recollect.digest.summaries.kept import written_by_user
from recollect.language.sentences import split_sentences
from recollect.store import conversations, summaries
from recollect.store.base_service import Service
from recollect.store.database import Database, Run
from recollect.store.summaries import SummaryState


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Up to where a summary reaches: the last message, and the last answer."""

    message_id: str | None
    answer_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What one version says that another does not."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    values_added: tuple[ExactValue, ...]
    values_removed: tuple[ExactValue, ...]


class Summaries(Service):
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
        """The current one, or a version by its number; version 0 where there is none yet."""

        def find(run: Run) -> Summary:
            id = summaries.standing(run, conversation_id).id
            if version is None:
                return summaries.current(run, id) or self._none(id)
            return summaries.get(run, id, version) if version else self._none(id)

        return await self._read(find, user_id)

    async def get_coverage(self, *, conversation_id: str, user_id: str) -> Coverage:
        """Which messages the current summary reaches to."""

        def find(run: Run) -> Coverage:
            id = summaries.standing(run, conversation_id).id
            current = summaries.current(run, id)
            message_id, answer_id = summaries.covered(
                run, id, current.through_seq if current else 0
            )
            return Coverage(message_id=message_id, answer_id=answer_id)

        return await self._read(find, user_id)

    async def list_versions(
        self, limit: int = 50, *, conversation_id: str, user_id: str, cursor: str | None = None
    ) -> Page[Summary]:
        """Newest first."""
        check_page(limit, 0, cursor)

        def find(run: Run) -> list[Summary]:
            id = summaries.standing(run, conversation_id).id
            before = None if cursor is None else decode_version_cursor(id, cursor)
            return summaries.page(run, id, limit=limit + 1, before_version=before)

        return make_page(await self._read(find, user_id), limit, version_cursor)

    async def edit_summary(
        self, text: str, *, conversation_id: str, user_id: str, version: int | None
    ) -> Summary:
        """The text as the user wants it, if `version` is still the current one; None does not ask.

        What they wrote is kept word for word by later digests and rebuilds, up to half the cap.
        """
        check_text(text, "text")
        text = text.strip()
        if not text:
            raise InvalidInput("text is empty; to start over, rebuild the summary.", field="text")
        now = self._clock()

        def edit(run: Run) -> Summary:
            standing, current = self._locked(run, conversation_id)
            cap = find_policy(self._policies, standing.policy).summary_tokens
            size = tokens.count(text)
            if size > cap:
                message = f"text has {size:,} tokens; a summary has at most {cap:,}."
                raise TooLarge(message, field="text")
            if version is not None and version != standing.summary_version:
                raise Conflict(
                    f"The summary is at version {standing.summary_version}, not {version}: "
                    "read it again before you change it."
                )
            new = replace(
                current,
                version=standing.last_summary_version + 1,
                base_version=current.version,
                text=text,
                kept=written_by_user(current, text),
                author="user",
                model=None,
                prompt_version=None,
                tokens=size,
                tokens_in=0,
                tokens_out=0,
                duration_ms=0,
                created_at=now,
            )
            summaries.insert(run, new)
            return new

        return await self._write(edit, user_id)

    async def roll_back_summary(
        self, *, conversation_id: str, user_id: str, version: int
    ) -> Summary:
        """An earlier version once more, as a new one. 0 starts without any."""
        now = self._clock()

        def roll_back(run: Run) -> Summary:
            standing, current = self._locked(run, conversation_id)
            if version == 0:
                summaries.stand_on_none(run, current.conversation_id)
                return self._none(current.conversation_id)
            new = replace(
                summaries.get(run, current.conversation_id, version),
                version=standing.last_summary_version + 1,
                base_version=version,
                tokens_in=0,
                tokens_out=0,
                duration_ms=0,
                created_at=now,
            )
            summaries.insert(run, new)
            return new

        return await self._write(roll_back, user_id)

    async def compare_versions(
        self, older: int, newer: int, *, conversation_id: str, user_id: str
    ) -> Comparison:
        """Sentence by sentence, and value by value."""
        before = await self.get_summary(
            conversation_id=conversation_id, user_id=user_id, version=older
        )
        after = await self.get_summary(
            conversation_id=conversation_id, user_id=user_id, version=newer
        )
        old, new = split_sentences(before.text), split_sentences(after.text)
        old_values = {atom.value for atom in before.ledger}
        new_values = {atom.value for atom in after.ledger}
        return Comparison(
            added=tuple(sentence for sentence in new if sentence not in old),
            removed=tuple(sentence for sentence in old if sentence not in new),
            values_added=tuple(a for a in after.ledger if a.value not in old_values),
            values_removed=tuple(a for a in before.ledger if a.value not in new_values),
        )

    async def rebuild_summary(self, *, conversation_id: str, user_id: str) -> Summary:
        """Made anew from the raw messages; what a user wrote stays."""
        id = await self._id(conversation_id, user_id)
        return await self._compactor.rebuild(id, user_id) or self._none(id)

    async def compact(
        self, *, conversation_id: str, user_id: str, force: bool = False
    ) -> Compaction:
        """Compacts now if the policy says so, or with `force`."""
        id = await self._id(conversation_id, user_id)
        done = await self._compactor.compact(id, user_id, force=force)
        return done if done.summary else replace(done, summary=self._none(id))

    async def _id(self, conversation_id: str, user_id: str) -> str:
        return (await self._read(lambda run: summaries.standing(run, conversation_id), user_id)).id

    def _locked(self, run: Run, conversation_id: str) -> tuple[SummaryState, Summary]:
        conversations.lock(run, conversation_id)
        standing = summaries.standing(run, conversation_id)
        return standing, summaries.current(run, standing.id) or self._none(standing.id)

    def _none(self, conversation_id: str) -> Summary:
        return Summary.none(conversation_id, now=self._clock())
