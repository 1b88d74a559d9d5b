"""The progress of memory extraction in each conversation."""

from dataclasses import dataclass
from datetime import datetime

from recollect.core.ids import canonical_id
from recollect.core.types import Stored
from recollect.store.database import Run, require_row


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionProgress(Stored):
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
    rows = run("get_extraction_progress", id=canonical_id(conversation_id))
    return ExtractionProgress.from_row(require_row(rows, "conversation"))


def set_progress(run: Run, conversation_id: str, *, through_seq: int, turn: int) -> None:
    run("set_extraction_progress", id=conversation_id, through_seq=through_seq, turn=turn)


def skip_to_end(run: Run, conversation_id: str) -> None:
    """Mark all messages so far as extracted."""
    current = get(run, conversation_id)
    set_progress(run, current.id, through_seq=current.last_seq, turn=current.last_turn)
