"""Summary rows: versions, of which one is the current summary of its conversation."""

from dataclasses import dataclass, replace
from datetime import datetime

from recollect.core import tokens
from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id
from recollect.core.policy import Backlog, RecallScope
from recollect.core.types import Stored, Summary, utc_text
from recollect.language.sentences import split_sentences
from recollect.store.database import Run, require_row

_MAX_VERSION = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryState(Stored):
    """The progress of compaction, which commits only if version and removals are unchanged."""

    id: str
    policy: str
    summary_version: int
    last_summary_version: int
    through_seq: int
    removals: int
    message_count: int
    token_count: int
    backlog: Backlog
    remember: bool
    project_id: str | None
    recall_scope: RecallScope | None


def get_state(run: Run, conversation_id: str) -> SummaryState:
    """Raises NotFound for an unknown id, another user's id, or an invalid id."""
    row = require_row(run("get_summary_state", id=canonical_id(conversation_id)), "conversation")
    return SummaryState.from_row(row)


def current(run: Run, conversation_id: str) -> Summary | None:
    return Summary.from_first(run("get_current_summary", conversation_id=conversation_id))


def get(run: Run, conversation_id: str, version: int) -> Summary:
    rows = (
        run("get_summary", conversation_id=conversation_id, version=version)
        if 0 < version < _MAX_VERSION
        else []
    )
    if not rows:
        raise NotFound(f"The summary has no version {version}.")
    return Summary.from_row(rows[0])


def page(
    run: Run, conversation_id: str, *, limit: int, before_version: int | None = None
) -> list[Summary]:
    """List versions, newest first."""
    rows = run(
        "list_summaries",
        conversation_id=conversation_id,
        before_version=_MAX_VERSION if before_version is None else before_version,
        limit=limit,
    )
    return Summary.from_rows(rows)


def clear_current(run: Run, conversation_id: str) -> None:
    """Leave the conversation without a current summary. The versions stay."""
    _set_current(run, conversation_id, None)


def find_last_covered(
    run: Run, conversation_id: str, through_seq: int
) -> tuple[str | None, str | None]:
    """Return the ids of the last message and of the last answer that a summary covers."""
    (row,) = run("find_last_covered", conversation_id=conversation_id, through_seq=through_seq)
    return row["message_id"], row["answer_id"]


def insert(run: Run, new: Summary) -> None:
    """Insert a version and make it the current one."""
    run("insert_summary", kept=new.user_text, **new.columns())
    _set_current(run, new.conversation_id, new)


def delete_covering(run: Run, conversation_id: str, seq: int, *, now: datetime) -> None:
    """Delete the summaries that cover a message, and invalidate running compactions.

    If the current summary was among them, the newest remaining one becomes current. The text that
    a user had written into the deleted one is kept in a new version.
    """
    lost = current(run, conversation_id)
    last_version = get_state(run, conversation_id).last_summary_version
    run("bump_removals", id=conversation_id, now=utc_text(now))
    run("delete_covering_summaries", conversation_id=conversation_id, seq=seq)
    if lost is None or lost.through_seq < seq:
        return
    base = next(iter(page(run, conversation_id, limit=1)), None)
    _set_current(run, conversation_id, base)
    if not lost.user_text:
        return
    older = base or Summary.empty(conversation_id, now=now)
    text = _join(lost.user_text, older.text, max(lost.tokens, older.tokens))
    insert(
        run,
        replace(
            older,
            version=last_version + 1,
            base_version=older.version,
            text=text,
            user_text=lost.user_text,
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


def _join(user_text: str, text: str, max_tokens: int) -> str:
    """Append the sentences of an older summary to the user's text, up to the token limit."""
    if user_text in text:
        return text
    joined = user_text
    for sentence in split_sentences(text):
        longer = f"{joined}\n{sentence}"
        if sentence not in user_text and tokens.count(longer) <= max_tokens:
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
