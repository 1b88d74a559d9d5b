"""Summary rows: versions, of which a conversation stands on one."""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from recollect.errors import NotFound
from recollect.ids import canonical_id
from recollect.model import Summary, utc_text
from recollect.policy import Backlog
from recollect.store.database import Run

_BEYOND_ALL_VERSIONS = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a conversation is digested, and what a digest must find unchanged when it ends."""

    id: str
    policy: str
    kind: str
    last_seq: int
    last_turn: int
    summary_version: int
    last_summary_version: int
    through_seq: int
    removals: int
    message_count: int
    token_count: int
    backlog: Backlog


def standing(run: Run, conversation_id: str) -> Standing:
    """Raises NotFound for what is unknown, somebody else's, or no id at all."""
    id = canonical_id(conversation_id)
    rows = run("get_standing", id=id) if id else []
    if not rows:
        raise NotFound("There is no such conversation.")
    row = dict(rows[0])
    backlog = Backlog(
        turns=row.pop("backlog_turns"),
        messages=row.pop("backlog_messages"),
        tokens=row.pop("backlog_tokens"),
        summary_tokens=row.pop("summary_tokens"),
    )
    return Standing(backlog=backlog, **row)


def current(run: Run, conversation_id: str) -> Summary | None:
    rows = run("current_summary", conversation_id=conversation_id)
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


def stand_on_none(run: Run, conversation_id: str) -> None:
    """Nothing counts as digested any more; the versions stay."""
    _stand_on(run, conversation_id, None)


def covered(run: Run, conversation_id: str, through_seq: int) -> tuple[str | None, str | None]:
    """The ids of the last message and of the last answer that a summary covers."""
    (row,) = run("find_covered", conversation_id=conversation_id, through_seq=through_seq)
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
    _stand_on(run, new.conversation_id, new)


def delete_covering(run: Run, conversation_id: str, seq: int, *, now: datetime) -> None:
    """Removes the summaries that a message went into.

    If the current one was among them, the conversation stands on the newest other one; and what a
    user had written into it is theirs: it goes on in a version of its own.
    """
    lost = current(run, conversation_id)
    last_version = standing(run, conversation_id).last_summary_version
    run("delete_covering_summaries", conversation_id=conversation_id, seq=seq)
    if lost is None or lost.through_seq < seq:
        return
    rest = page(run, conversation_id, limit=1)
    base = rest[0] if rest else None
    _stand_on(run, conversation_id, base)
    if not lost.kept:
        return
    old_text = "" if base is None or base.text == base.kept else base.text
    insert(
        run,
        replace(
            lost,
            version=last_version + 1,
            base_version=base.version if base else 0,
            text=lost.kept if lost.kept in old_text else f"{lost.kept}\n{old_text}".strip(),
            ledger=base.ledger if base else (),
            through_seq=base.through_seq if base else 0,
            author="user",
            model=None,
            prompt_version=None,
            tokens_in=0,
            tokens_out=0,
            duration_ms=0,
            facts_found=base.facts_found if base else 0,
            facts_kept=base.facts_kept if base else 0,
            created_at=now,
        ),
    )


def _stand_on(run: Run, conversation_id: str, summary: Summary | None) -> None:
    run(
        "settle_summary",
        conversation_id=conversation_id,
        version=summary.version if summary else 0,
        through_seq=summary.through_seq if summary else 0,
        tokens=summary.tokens if summary else 0,
    )
