"""Storing a conversation that was found in a file, in one transaction.

What is there already stays as it is. A conversation that has grown since gets what is new, at its
end; only then does what stands in it follow the file. What was deleted here does not come back.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.core.errors import InvalidInput
from recollect.core.policy import find_policy
from recollect.core.types import Row
from recollect.record.answers import REPLACES, REPLACES_FROM
from recollect.record.append import check_pins
from recollect.record.enqueue import JobEnqueuer
from recollect.store import answers, conversations, jobs, messages, summaries
from recollect.store.database import Run
from recollect.transfer import rows
from recollect.transfer.importers.numbering import Ends, numbered
from recollect.transfer.importers.values import Columns, Counts, Restored, Stored


def restore(run: Run, given: Restored, *, enqueuer: JobEnqueuer, now: datetime) -> Stored:
    row = given.conversation
    if row["kind"] == "history" and conversations.find_history(run) not in (None, given.id):
        raise InvalidInput("There is a turn history already, and only one can be kept.")
    if not rows.restore_conversation(run, row, given.messages):
        return _grow(run, given, enqueuer=enqueuer, now=now)
    rows.restore_summaries(run, given.id, given.summaries, standing=row["summary_version"])
    _restore_parts(run, given, given.messages)
    _settle(run, given.id, given.messages, enqueuer=enqueuer, now=now)
    return Stored(imported=_counts(given, given.messages, is_new=True))


def _grow(run: Run, given: Restored, *, enqueuer: JobEnqueuer, now: datetime) -> Stored:
    conversations.lock(run, given.id)
    ends = rows.ends(run, given.id)
    there = rows.numbers(run, given.id)
    new = _new(given, ends, there)
    ids = {message["id"] for message in new}
    old = [message for message in given.messages if message["id"] not in ids]
    skipped = _counts(given, old, is_new=True)
    if not new:
        return Stored(skipped=skipped)
    followed, reinstated = _follow(run, given, there, now=now)
    placed, reached = _placed(given, new, ends, followed)
    rows.grow(
        run,
        given.id,
        placed,
        reinstated=reinstated,
        is_read=not given.keeps_numbers,
        ends={
            "last_seq": reached.last_seq,
            "last_turn": reached.last_turn,
            "last_role": reached.last_role,
            "updated_at": given.conversation["updated_at"],
            "last_activity_at": given.conversation["last_activity_at"],
        },
    )
    _restore_parts(run, given, placed)
    _settle(run, given.id, placed, enqueuer=enqueuer, now=now)
    return Stored(imported=_counts(given, placed, is_new=False), skipped=skipped)


def _new(given: Restored, ends: Row, there: Sequence[Row]) -> list[Columns]:
    """Those that are not there, and have not been deleted here.

    A number that nobody has any more tells what was deleted. The messages of others have none:
    where something was deleted, they are new when they were said after all that is there.
    """
    ids = {row["id"] for row in there}
    missing = [message for message in given.messages if message["id"] not in ids]
    if given.keeps_numbers:
        taken = {row["seq"] for row in there}
        return [m for m in missing if m["seq"] > ends["last_seq"] or m["seq"] in taken]
    if ends["last_seq"] == ends["message_count"]:
        return missing
    last = datetime.fromisoformat(ends["last_activity_at"])
    return [m for m in missing if datetime.fromisoformat(m["event_at"]) > last]


def _follow(
    run: Run, given: Restored, there: Sequence[Row], *, now: datetime
) -> tuple[Sequence[Row], list[Row]]:
    """Makes the messages that are there stand as they stand in the file: what was replaced goes
    with all that followed it here; and which of them stand again. What was replaced here, by
    something that the file does not know, stays so."""
    stands = {message["id"]: message["superseded_at"] is None for message in given.messages}
    replaced = [
        row["seq"]
        for row in there
        if row["superseded_at"] is None and not stands.get(row["id"], True)
    ]
    if replaced:
        answers.supersede(run, given.id, from_seq=min(replaced), now=now)
        there = rows.numbers(run, given.id)
    wanted = [
        row for row in there if row["superseded_at"] is not None and stands.get(row["id"], False)
    ]
    replaced_here = _replaced_here(run, given, there) if wanted else []
    reinstated = [row for row in wanted if not any(row["seq"] in some for some in replaced_here)]
    for row in reinstated:
        rows.reinstate(run, row["id"])
    if reinstated:  # a summary of that time has passed over them
        summaries.delete_covering(run, given.id, min(row["seq"] for row in reinstated), now=now)
        there = rows.numbers(run, given.id)
    return there, reinstated


def _replaced_here(run: Run, given: Restored, there: Sequence[Row]) -> list[range]:
    """The numbers in whose place something stands that the file does not know."""
    known = {message["id"] for message in given.messages}
    numbers = {row["id"]: row["seq"] for row in there}
    found = []
    for message in messages.iter_active(run, given.id):
        if message.id in known:
            continue
        first, replaced = message.metadata.get(REPLACES_FROM), message.metadata.get(REPLACES)
        if isinstance(replaced, str):
            first = numbers.get(replaced)
        if isinstance(first, int):
            found.append(range(first, message.seq))
    return found


def _placed(
    given: Restored, new: Sequence[Columns], ends: Row, there: Sequence[Row]
) -> tuple[Sequence[Columns], Ends]:
    """Under the numbers they had, where these come next; else under those that do."""
    comes_next = given.keeps_numbers and all(
        message["seq"] > ends["last_seq"] and message["turn"] >= ends["last_turn"]
        for message in new
    )
    if comes_next:
        row = given.conversation
        return new, Ends(
            last_seq=row["last_seq"], last_turn=row["last_turn"], last_role=row["last_role"]
        )
    standing = [row["role"] for row in there if row["superseded_at"] is None]
    last_role = standing[-1] if standing else None
    return numbered(
        new, Ends(last_seq=ends["last_seq"], last_turn=ends["last_turn"], last_role=last_role)
    )


def _restore_parts(run: Run, given: Restored, new: Sequence[Columns]) -> None:
    ids = {message["id"] for message in new}
    for receipt in given.receipts:
        if receipt["message_id"] in ids:
            rows.restore_receipt(run, given.id, receipt)
    for feedback in given.feedback:
        if feedback["message_id"] in ids:
            rows.restore_feedback(run, feedback)


def _settle(
    run: Run, id: str, new: Sequence[Columns], *, enqueuer: JobEnqueuer, now: datetime
) -> None:
    """One job of a kind: the index, which owes what else search needs; and a digest, if due."""
    ends = rows.ends(run, id)
    if any(message["is_pinned"] for message in new):
        check_pins(run, id, find_policy(enqueuer.policies, ends["policy"]))
    if ends["kind"] == "chat" and new:
        jobs.enqueue(run, "index", id, run_at=now, now=now)
    enqueuer.enqueue_digest(run, id, ends["policy"], summaries.get_state(run, id).backlog, now=now)


def _counts(given: Restored, messages: Sequence[Columns], *, is_new: bool) -> Counts:
    """Of what goes with these messages; and the conversation itself, and its summaries."""
    ids = {message["id"] for message in messages}
    return Counts(
        conversations=int(is_new),
        messages=len(messages),
        summaries=len(given.summaries) if is_new else 0,
        receipts=sum(one["message_id"] in ids for one in given.receipts),
        feedback=sum(one["message_id"] in ids for one in given.feedback),
    )
