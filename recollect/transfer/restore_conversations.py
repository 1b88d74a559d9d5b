"""Stores an imported conversation in one transaction.

Existing rows are kept. If the conversation has new messages, they are appended, and only then the
superseded messages follow the file. Messages that were deleted here do not come back, nor does a
conversation that was deleted here after its last change in the file, unless that is asked for.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.core.errors import InvalidInput, NotFound
from recollect.core.policy import find_policy
from recollect.core.types import Row
from recollect.language.normalize import fold
from recollect.record.answer_start import REPLACES, REPLACES_FROM
from recollect.record.append import check_pins
from recollect.record.enqueue import JobEnqueuer
from recollect.store import answers, conversations, jobs, messages, search_index, summaries
from recollect.store.database import Run
from recollect.transfer.importers.branches import LastNumbers, assign_numbers
from recollect.transfer.types import Columns, ConversationRows, Counts, Imported


def restore_conversation(
    run: Run,
    given: ConversationRows,
    *,
    enqueuer: JobEnqueuer,
    restore_deleted: bool,
    now: datetime,
) -> Imported:
    row = given.conversation
    if row["kind"] == "history" and conversations.find_history(run) not in (None, given.id):
        raise InvalidInput("There is a turn history already, and only one can be kept.")
    if not _insert_conversation(run, row, given.messages):
        return _extend(run, given, enqueuer=enqueuer, now=now)
    # Looked up after the insert, which waits for a concurrent deletion.
    deleted_at = conversations.deleted_at(run, given.id)
    if deleted_at is not None:
        if not restore_deleted and deleted_at >= datetime.fromisoformat(row["updated_at"]):
            run("delete_conversation", id=given.id)
            return Imported(skipped=_counts(given, given.messages, with_conversation=True))
        conversations.delete_tombstone(run, given.id)
    _insert_messages(run, given.id, given.messages)
    _insert_summaries(run, given)
    _insert_message_parts(run, given, given.messages)
    _enqueue_jobs(run, given.id, given.messages, enqueuer=enqueuer, now=now)
    return Imported(imported=_counts(given, given.messages, with_conversation=True))


def _extend(run: Run, given: ConversationRows, *, enqueuer: JobEnqueuer, now: datetime) -> Imported:
    conversations.lock(run, given.id)
    last = _last_numbers(run, given.id)
    existing: Sequence[Row] = _list_existing(run, given.id)
    new = _new_messages(given, last, existing)
    new_ids = {message["id"] for message in new}
    old = [message for message in given.messages if message["id"] not in new_ids]
    skipped = _counts(given, old, with_conversation=True)
    if not new:
        return Imported(skipped=skipped)
    existing, reinstated = _sync_superseded(run, given, existing, now=now)
    numbered, reached = _number_messages(given, new, last, existing)
    _insert_messages(run, given.id, numbered)
    replaced = [message for message in numbered if message["superseded_at"] is not None]
    run(
        "extend_conversation",
        id=given.id,
        messages=len(numbered),
        tokens=_sum_tokens(numbered),
        superseded_messages=len(replaced) - len(reinstated),
        superseded_tokens=_sum_tokens(replaced) - _sum_tokens(reinstated),
        is_read=not given.is_native,
        last_seq=reached.last_seq,
        last_turn=reached.last_turn,
        last_role=reached.last_role,
        updated_at=given.conversation["updated_at"],
        last_activity_at=given.conversation["last_activity_at"],
    )
    _insert_message_parts(run, given, numbered)
    _enqueue_jobs(run, given.id, numbered, enqueuer=enqueuer, now=now)
    return Imported(imported=_counts(given, numbered, with_conversation=False), skipped=skipped)


def _insert_conversation(run: Run, row: Columns, messages: Sequence[Columns]) -> bool:
    """Return False if it exists already."""
    replaced = [message for message in messages if message["superseded_at"] is not None]
    key = row["external_id"]
    is_key_taken = key is not None and conversations.find_key(run, key) is not None
    columns = {**row, "external_id": None if is_key_taken else key, "summary_version": 0}
    inserted = run(
        "restore_conversation",
        **columns,
        search_text=fold(search_index.topic_text(row["title"], row["topic"])),
        message_count=len(messages),
        token_count=_sum_tokens(messages),
        superseded_messages=len(replaced),
        superseded_tokens=_sum_tokens(replaced),
    )
    return bool(inserted)


def _insert_messages(run: Run, conversation_id: str, messages: Sequence[Columns]) -> None:
    for message in messages:
        run("restore_message", conversation_id=conversation_id, **message)


def _insert_summaries(run: Run, given: ConversationRows) -> None:
    current = given.conversation["summary_version"]
    for summary in given.summaries:
        run("insert_summary", conversation_id=given.id, **summary)
        if summary["version"] == current:
            run(
                "set_current_summary",
                conversation_id=given.id,
                version=current,
                through_seq=summary["through_seq"],
                tokens=summary["tokens"],
            )


def _insert_message_parts(run: Run, given: ConversationRows, new: Sequence[Columns]) -> None:
    """Insert the receipts and the feedback of new messages."""
    ids = {message["id"] for message in new}
    for receipt in given.receipts:
        if receipt["message_id"] in ids:
            run("put_receipt", conversation_id=given.id, **receipt)
    for feedback in given.feedback:
        if feedback["message_id"] in ids:
            run("put_feedback", **feedback)


def _last_numbers(run: Run, conversation_id: str) -> Row:
    rows = run("get_last_numbers", id=conversation_id)
    if not rows:
        raise NotFound("The conversation was deleted meanwhile.")
    return rows[0]


def _list_existing(run: Run, conversation_id: str) -> list[Row]:
    return run("list_message_numbers", conversation_id=conversation_id)


def _new_messages(given: ConversationRows, last: Row, existing: Sequence[Row]) -> list[Columns]:
    """Return the messages that do not exist and were not deleted here.

    In a native file, an unused seq tells that its message was deleted. Foreign messages have no
    seq: after a deletion, only messages that are newer than the last activity count as new.
    """
    ids = {row["id"] for row in existing}
    missing = [message for message in given.messages if message["id"] not in ids]
    if given.is_native:
        used = {row["seq"] for row in existing}
        return [m for m in missing if m["seq"] > last["last_seq"] or m["seq"] in used]
    if last["last_seq"] == last["message_count"]:
        return missing
    last_activity = datetime.fromisoformat(last["last_activity_at"])
    return [m for m in missing if datetime.fromisoformat(m["event_at"]) > last_activity]


def _sync_superseded(
    run: Run, given: ConversationRows, existing: Sequence[Row], *, now: datetime
) -> tuple[Sequence[Row], list[Row]]:
    """Supersede and reinstate existing messages as in the file; return all and the reinstated.

    A message that was replaced in the file is superseded with everything after it. A message that
    was replaced here, by one that is not in the file, stays superseded.
    """
    is_active = {message["id"]: message["superseded_at"] is None for message in given.messages}
    replaced = [
        row["seq"]
        for row in existing
        if row["superseded_at"] is None and not is_active.get(row["id"], True)
    ]
    if replaced:
        answers.supersede(run, given.id, from_seq=min(replaced), now=now)
        existing = _list_existing(run, given.id)
    candidates = [
        row
        for row in existing
        if row["superseded_at"] is not None and is_active.get(row["id"], False)
    ]
    replaced_here = _ranges_replaced_here(run, given, existing) if candidates else []
    reinstated = [
        row for row in candidates if not any(row["seq"] in seqs for seqs in replaced_here)
    ]
    for row in reinstated:
        run("reinstate_message", id=row["id"])
    if reinstated:  # summaries since then do not cover them
        summaries.delete_covering(run, given.id, min(row["seq"] for row in reinstated), now=now)
        existing = _list_existing(run, given.id)
    return existing, reinstated


def _ranges_replaced_here(
    run: Run, given: ConversationRows, existing: Sequence[Row]
) -> list[range]:
    """Return the seqs that were replaced by messages which are not in the file."""
    known = {message["id"] for message in given.messages}
    seqs = {row["id"]: row["seq"] for row in existing}
    ranges = []
    for message in messages.iter_active(run, given.id):
        if message.id in known:
            continue
        first, replaced = message.metadata.get(REPLACES_FROM), message.metadata.get(REPLACES)
        if isinstance(replaced, str):
            first = seqs.get(replaced)
        if isinstance(first, int):
            ranges.append(range(first, message.seq))
    return ranges


def _number_messages(
    given: ConversationRows, new: Sequence[Columns], last: Row, existing: Sequence[Row]
) -> tuple[Sequence[Columns], LastNumbers]:
    """Keep the numbers of the file if they continue the conversation; else assign the next."""
    continues = given.is_native and all(
        message["seq"] > last["last_seq"] and message["turn"] >= last["last_turn"]
        for message in new
    )
    if continues:
        row = given.conversation
        return new, LastNumbers(
            last_seq=row["last_seq"], last_turn=row["last_turn"], last_role=row["last_role"]
        )
    active_roles = [row["role"] for row in existing if row["superseded_at"] is None]
    return assign_numbers(
        new,
        LastNumbers(
            last_seq=last["last_seq"],
            last_turn=last["last_turn"],
            last_role=active_roles[-1] if active_roles else None,
        ),
    )


def _enqueue_jobs(
    run: Run, id: str, new: Sequence[Columns], *, enqueuer: JobEnqueuer, now: datetime
) -> None:
    """Enqueue an index job, which enqueues the other jobs of search, and a digest if due."""
    last = _last_numbers(run, id)
    if any(message["is_pinned"] for message in new):
        check_pins(run, id, find_policy(enqueuer.policies, last["policy"]))
    if last["kind"] == "chat" and new:
        jobs.enqueue(run, "index", id, run_at=now, now=now)
    enqueuer.enqueue_digest(run, id, last["policy"], summaries.get_state(run, id).backlog, now=now)


def _counts(
    given: ConversationRows, messages: Sequence[Columns], *, with_conversation: bool
) -> Counts:
    ids = {message["id"] for message in messages}
    return Counts(
        conversations=int(with_conversation),
        messages=len(messages),
        summaries=len(given.summaries) if with_conversation else 0,
        receipts=sum(receipt["message_id"] in ids for receipt in given.receipts),
        feedback=sum(feedback["message_id"] in ids for feedback in given.feedback),
    )


def _sum_tokens(messages: Sequence[Columns]) -> int:
    return sum(message["tokens"] for message in messages)
