"""User rows, on which everything of a user's hangs."""

from datetime import datetime

from recollect.core.types import DeletedUser
from recollect.store import conversations
from recollect.store.database import Run


def lock(run: Run, *, now: datetime) -> None:
    """Nobody adds anything of theirs until the transaction ends."""
    run("lock_conversations")
    conversations.lock_user(run, now=now)


def count_rows(run: Run) -> DeletedUser:
    """How much there is of theirs."""
    (counts,) = run("count_user_rows")
    return DeletedUser(**counts)


def delete(run: Run) -> None:
    """With all that is theirs."""
    run("delete_user")
