"""Summary rows: versions, of which a conversation stands on one."""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from recollect.core import tokens
from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id
from recollect.core.policy import Backlog
from recollect.core.types import Row, Summary, utc_text
from recollect.language.sentences import split_sentences
from recollect.store.database import Run

_BEYOND_ALL_VERSIONS = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryState:
    """How far a conversation is digested, and what a digest must find unchanged when it ends."""

    id: str
    policy: str
    summary_version: int
    last_summary_version: int
    through_seq: int
    removals: int
    message_count: int
    token_count: int
    backlog: Backlog


def get_state(run: Run, conversation_id: str) -> SummaryState:
    """Raises NotFound for what is unknown, somebody else's, or no id at all."""
    id = canonical_id(conversation_id)
    rows = run("get_summary_state", id=id) if id else []
    if not rows:
        raise NotFound("There is no such conversation.")
    row = rows[0]
    return SummaryState(
        id=row["id"],
        policy=row["policy"],
        summary_version=row["summary_version"],
        last_summary_version=row["last_summary_version"],
        through_seq=row["through_seq"],
        removals=row["removals"],
        message_count=row["message_count"],
        token_count=row["token_count"],
        backlog=backlog_from_row(row),
    )


def backlog_from_row(row: Row) -> Backlog:
    return Backlog(
        turns=row["backlog_turns"],
        messages=row["backlog_messages"],
        tokens=row["backlog_tokens"],
        summary_tokens=row["summary_tokens"],
    )


def current(run: Run, conversation_id: str) -> Summary | None:
    rows = run("get_current_summary", conversation_id=conversation_id)
    return Summary.from_row(rows[0]) if rows else None


def get(run: Run, conversation_id: str, version: int) -> Summary:
    rows = (
        run("get_summary", conversation_id=conversation_id, version=version)
        if 0 < version < _BEYOND_ALL_VERSIONS
        else []
    )
    if not rows:
        raise NotFound(f"The summary has no version {version}.")
    return Summary.from_row(rows[0])


def page(
    run: Run, conversation_id: str, *, limit: int, before_version: int | None = None
) -> list[Summary]:
    """Newest first."""
    rows = run(
        "list_summaries",
        conversation_id=conversation_id,
        before_version=_BEYOND_ALL_VERSIONS if before_version is None else before_version,
        limit=limit,
    )
    return [Summary.from_row(row) for row in rows]


def clear_current(run: Run, conversation_id: str) -> None:
    """Nothing counts as digested any more; the versions stay."""
    _set_current(run, conversation_id, None)


def find_last_covered(
    run: Run, conversation_id: str, through_seq: int
) -> tuple[str | None, str | None]:
    """The ids of the last message and of the last answer that a summary covers."""
    (row,) = run("find_last_covered", conversation_id=conversation_id, through_seq=through_seq)
    return row["message_id"], row["answer_id"]


def insert(run: Run, new: Summary) -> None:
    """A new version, on which the conversation stands from now on."""
    run(
        "insert_summary",
        conversation_id=new.conversation_id,
        version=new.version,
        base_version=new.base_version,
        text=new.text,
        ledger=json.dumps([asdict(atom) for atom in new.ledger], ensure_ascii=False),
        kept=new.kept,
        through_seq=new.through_seq,
        author=new.author,
        model=new.model,
        prompt_version=new.prompt_version,
        tokens=new.tokens,
        tokens_in=new.tokens_in,
        tokens_out=new.tokens_out,
        duration_ms=new.duration_ms,
        facts_found=new.facts_found,
        facts_kept=new.facts_kept,
        created_at=utc_text(new.created_at),
    )
    _set_current(run, new.conversation_id, new)


def delete_covering(run: Run, conversation_id: str, seq: int, *, now: datetime) -> None:
    """Removes the summaries that a message went into, and keeps back those that are being made.

    If the current one was among them, the conversation stands on the newest other one; and what a
    user had written into it is theirs: it goes on in a version of its own.
    """
    lost = current(run, conversation_id)
    last_version = get_state(run, conversation_id).last_summary_version
    run("bump_removals", id=conversation_id, now=utc_text(now))
    run("delete_covering_summaries", conversation_id=conversation_id, seq=seq)
    if lost is None or lost.through_seq < seq:
        return
    rest = page(run, conversation_id, limit=1)
    base = rest[0] if rest else None
    _set_current(run, conversation_id, base)
    if not lost.kept:
        return
    older = base or Summary.none(conversation_id, now=now)
    text = _joined(lost.kept, older.text, max(lost.tokens, older.tokens))
    insert(
        run,
        replace(
            older,
            version=last_version + 1,
            base_version=older.version,
            text=text,
            kept=lost.kept,
            author="user",
            model=None,
            prompt_version=None,
            tokens=tokens.count(text),
            tokens_in=0,
            tokens_out=0,
            duration_ms=0,
            created_at=now,
        ),
    )


def _joined(kept: str, text: str, most_tokens: int) -> str:
    """What a user wrote, and of an older summary what still goes in."""
    if kept in text:
        return text
    joined = kept
    for sentence in split_sentences(text):
        longer = f"{joined}\n{sentence}"
        if sentence not in kept and tokens.count(longer) <= most_tokens:
            joined = longer
    return joined


def _set_current(run: Run, conversation_id: str, summary: Summary | None) -> None:
    run(
        "set_current_summary",
        conversation_id=conversation_id,
        version=summary.version if summary else 0,
        through_seq=summary.through_seq if summary else 0,
        tokens=summary.tokens if summary else 0,
    )
