"""User rows. All rows of a user refer to them."""

from datetime import datetime

from recollect.core.types import DeletedUser
from recollect.store import conversations
from recollect.store.database import Run


def lock(run: Run, *, now: datetime) -> None:
    """Block other writes of the user until the transaction ends."""
    run("lock_conversations")
    conversations.lock_user(run, now=now)


def count_rows(run: Run) -> DeletedUser:
    (counts,) = run("count_user_rows")
    return DeletedUser(**counts)


def delete(run: Run) -> None:
    """Delete the user and all their rows."""
    run("delete_user")
