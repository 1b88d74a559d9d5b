"""A conversation of another application as one of ours."""

from datetime import datetime

from recollect.core.types import utc_text
from recollect.core.validation import check_title, metadata_text
from recollect.record.append import message_row
from recollect.transfer.importers.numbering import Ends, numbered
from recollect.transfer.importers.values import Foreign, Restored


def adopt(foreign: Foreign, *, policy: str, limit: int, now: datetime) -> Restored:
    """Raises InvalidInput, or TooLarge for a message of more than `limit` bytes.

    Its dates are those it had. It counts as read for memories, so that nothing reads years of
    conversations by itself; but it is read when somebody asks for that, or goes on with it.
    """
    recorded_at = utc_text(now)
    rows, ends = numbered(
        [
            {
                **message_row(said.message, limit=limit, created_at=recorded_at),
                "status": "complete" if said.is_whole else "interrupted",
                "superseded_at": None if said.stands else recorded_at,
            }
            for said in foreign.messages
        ],
        Ends(),
    )
    title = check_title(foreign.title)
    source = {"source": foreign.source, "source_id": foreign.source_id}
    row = {
        "id": foreign.id,
        "kind": "chat",
        "title": title,
        "title_source": "user" if title else "auto",
        "policy": policy,
        "remember": foreign.remember,
        "topic": None,
        "metadata": metadata_text(source, limit=limit),
        "is_archived": foreign.is_archived,
        "forked_from": None,
        "external_id": None,
        "created_at": utc_text(foreign.created_at),
        "updated_at": utc_text(foreign.updated_at),
        "last_activity_at": utc_text(foreign.updated_at),
        "last_seq": ends.last_seq,
        "last_turn": ends.last_turn,
        "last_role": ends.last_role,
        "removals": 0,
        "extracted_through_seq": 0,
        "extracted_turn": ends.last_turn,
        "summary_version": 0,
        "last_summary_version": 0,
    }
    return Restored(conversation=row, messages=rows)
