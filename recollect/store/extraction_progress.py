"""The progress of memory extraction in each conversation."""

from dataclasses import dataclass
from datetime import datetime

from recollect.core.errors import NotFound
from recollect.core.ids import canonical_id
from recollect.store.database import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionProgress:
    id: str
    is_chat: bool
    policy: str
    remember: bool
    through_seq: int
    through_turn: int
    last_seq: int
    last_turn: int
    removals: int
    last_activity_at: datetime


def get(run: Run, conversation_id: str) -> ExtractionProgress:
    id = canonical_id(conversation_id)
    rows = run("get_extraction_progress", id=id) if id else []
    if not rows:
        raise NotFound("There is no such conversation.")
    row = rows[0]
    return ExtractionProgress(
        id=row["id"],
        is_chat=row["kind"] == "chat",
        policy=row["policy"],
        remember=bool(row["remember"]),
        through_seq=row["extracted_through_seq"],
        through_turn=row["extracted_turn"],
        last_seq=row["last_seq"],
        last_turn=row["last_turn"],
        removals=row["removals"],
        last_activity_at=datetime.fromisoformat(row["last_activity_at"]),
    )


def set_progress(run: Run, conversation_id: str, *, through_seq: int, turn: int) -> None:
    run("set_extraction_progress", id=conversation_id, through_seq=through_seq, turn=turn)


def skip_to_end(run: Run, conversation_id: str) -> None:
    """Mark all messages so far as extracted."""
    current = get(run, conversation_id)
    set_progress(run, current.id, through_seq=current.last_seq, turn=current.last_turn)
