"""Storing what was found in a file: each conversation, each memory, in one transaction.

What is there already stays as it is. A conversation that has grown since gets what is new, at its
end; only then does what stands in it follow the file. What was deleted here does not come back.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.errors import InvalidInput
from recollect.memories import Memory, grave_hash
from recollect.model import Row, utc_text
from recollect.policy import find_policy
from recollect.record.append import check_pins
from recollect.record.dues import Dues
from recollect.record.importers.numbering import Ends, numbered
from recollect.record.importers.values import (
    Columns,
    Counts,
    Loose,
    Remembered,
    Restored,
)
from recollect.record.memories import check_pinned_memories
from recollect.store import answers, conversations, jobs, memories, messages, summaries, transfer
from recollect.store.database import Run


@dataclass(frozen=True, slots=True)
class Stored:
    """How much was new, and how much was there."""

    imported: Counts
    skipped: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoring:
    dues: Dues
    pinned_memory_tokens: int

    def store(
        self, run: Run, content: Restored | Remembered | Loose, *, user_id: str, now: datetime
    ) -> Stored:
        transfer.know_user(run, now=now)
        match content:
            case Restored():
                return self._store_conversation(run, content, now)
            case Remembered():
                return self._store_memory(run, content, user_id, now)
            case Loose():
                return _store_loose(run, content)

    def _store_conversation(self, run: Run, given: Restored, now: datetime) -> Stored:
        row = given.conversation
        if row["kind"] == "history" and conversations.find_history(run) not in (None, given.id):
            raise InvalidInput("There is a turn history already, and only one can be kept.")
        if not transfer.restore_conversation(run, row, given.messages):
            return self._grow(run, given, now)
        transfer.restore_summaries(
            run, given.id, given.summaries, standing=row["summary_version"]
        )
        _restore_parts(run, given, given.messages)
        self._settle(run, given.id, row["kind"], row["policy"], given.messages, now)
        return Stored(_count(given, given.messages, is_new=True), Counts())

    def _grow(self, run: Run, given: Restored, now: datetime) -> Stored:
        conversations.lock(run, given.id)
        ends = transfer.ends(run, given.id)
        there = transfer.numbers(run, given.id)
        new = _new(given, ends, there)
        if not new:
            return Stored(Counts(), _count(given, given.messages, is_new=True))
        standing = _follow(run, given, there, now)
        ids = {message["id"] for message in new}
        new, reached = _placed(given, new, ends, standing)
        transfer.grow(
            run,
            given.id,
            new,
            reinstated=standing.reinstated,
            is_read=not given.keeps_numbers,
            ends={
                "last_seq": reached.last_seq,
                "last_turn": reached.last_turn,
                "last_role": reached.last_role,
                "updated_at": given.conversation["updated_at"],
                "last_activity_at": given.conversation["last_activity_at"],
            },
        )
        _restore_parts(run, given, new)
        self._settle(run, given.id, ends["kind"], ends["policy"], new, now)
        old = [message for message in given.messages if message["id"] not in ids]
        return Stored(_count(given, new, is_new=False), _count(given, old, is_new=True))

    def _settle(
        self,
        run: Run,
        id: str,
        kind: str,
        policy_name: str,
        new: Sequence[Columns],
        now: datetime,
    ) -> None:
        """One job of each kind: what is found by search, by it the rest, and a digest if due."""
        if any(message["is_pinned"] for message in new):
            check_pins(run, id, find_policy(self.dues.policies, policy_name))
        if kind == "chat" and new:
            jobs.owe(run, "index", id, run_at=now, now=now)
        backlog = summaries.standing(run, id).backlog
        self.dues.owe_digest(run, id, policy_name, backlog, now=now)

    def _store_memory(
        self, run: Run, given: Remembered, user_id: str, now: datetime
    ) -> Stored:
        count = Counts(memories=1, memory_events=len(given.events))
        memories.lock(run, now=now)
        if _is_there(run, given.memory) or _was_deleted(run, given.memory, user_id):
            return Stored(Counts(), count)
        sources = {row["message_id"]: row for row in given.sources}
        found = messages.existing_rows(run, [*sources])
        memory = _standing_on(run, given.memory, {row["id"]: row for row in found})
        rival = memories.rival(run, memory) if memory.is_current else None
        if rival is not None:
            memory = replace(memory, valid_to=now, superseded_by=rival.id)
        transfer.restore_memory(run, memory)
        for row in found:
            memories.add_source(
                run,
                memory.id,
                row["id"],
                now=datetime.fromisoformat(sources[row["id"]]["created_at"]),
            )
        kept = [event for event in given.events if transfer.restore_event(run, memory.id, event)]
        if rival is not None:
            memories.note_superseded(run, given.memory, memory, now=now)
        memories.index(run, memory)
        if memory.is_pinned and memory.is_current:
            check_pinned_memories(run, self.pinned_memory_tokens)
        self.dues.owe_embedding(run, None, now=now)
        lost = len(given.events) - len(kept)
        return Stored(
            Counts(memories=1, memory_events=len(kept)), Counts(memory_events=lost)
        )
